//! The bytes of a binary trace: mapped into memory where that is possible, else read.

use std::fs::File;
use std::io::{self, Read};

use memmap2::Mmap;

use super::layout::MAGIC;

/// Bytes that are taken from the front.
pub(super) enum Bytes {
    /// The file as it was when it was opened.
    Mapped { map: Mmap, at: usize },
    /// What can be read only in order, such as compressed data.
    Read { from: Box<dyn Read + Send>, buffer: Vec<u8> },
}

impl Bytes {
    /// The bytes of `file`, if it can be mapped and starts like a binary trace.
    pub(super) fn map(file: &File) -> Option<Bytes> {
        // SAFETY: nothing is believed of the bytes that was not checked, and no reference to them is kept, so another
        // process that changes them can make the reading fail but not go wrong. One that shortens the file ends ours by
        // a signal; the format's document says not to.
        let map = unsafe { Mmap::map(file) }.ok()?;
        map.starts_with(&MAGIC).then_some(Bytes::Mapped { map, at: 0 })
    }

    /// The bytes that `from` gives.
    pub(super) fn read(from: Box<dyn Read + Send>) -> Bytes {
        Bytes::Read { from, buffer: Vec::new() }
    }

    /// The next `most` bytes; fewer only where the data ends.
    pub(super) fn take(&mut self, most: u64) -> io::Result<&[u8]> {
        match self {
            Bytes::Mapped { map, at } => {
                let rest = &map[*at..];
                let taken = &rest[..usize::try_from(most).unwrap_or(usize::MAX).min(rest.len())];
                *at += taken.len();
                Ok(taken)
            }
            Bytes::Read { from, buffer } => {
                buffer.clear();
                from.take(most).read_to_end(buffer)?;
                Ok(buffer)
            }
        }
    }
}
