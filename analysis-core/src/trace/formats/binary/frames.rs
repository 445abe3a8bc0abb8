//! The frames of a file in order, with their check sums verified.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use memmap2::Mmap;

use super::layout::{self, FILE_HEADER, FRAME_HEADER, FrameHeader, FrameKind, MAGIC};
use crate::trace::vocabulary::damage::{Damage, Promised};
use crate::trace::vocabulary::error::{ErrorKind, Place, TraceError};

/// Reads frames until the end, or until the first damaged one.
pub(super) struct Frames {
    file: Arc<str>,
    source: Bytes,
    /// The number of the next frame; 0 is the header of the file.
    number: u64,
    /// The offset at which it starts.
    at: u64,
    /// The number of events in the earlier frames.
    events: u64,
    /// The header of the frame taken last, which the three fields above still refer to.
    last: Option<FrameHeader>,
    is_over: bool,
}

/// A frame of events as it is stored.
pub(super) struct Stored<'a> {
    pub(super) header: FrameHeader,
    pub(super) events: &'a [u8],
    pub(super) sites: &'a [u8],
}

/// Why there is no frame.
enum FrameFault {
    Damage(Damage),
    Io(io::Error),
}

impl From<Damage> for FrameFault {
    fn from(damage: Damage) -> FrameFault {
        FrameFault::Damage(damage)
    }
}

impl From<io::Error> for FrameFault {
    fn from(error: io::Error) -> FrameFault {
        FrameFault::Io(error)
    }
}

impl Frames {
    pub(super) fn new(file: Arc<str>, source: Bytes) -> Frames {
        Frames { file, source, number: 0, at: 0, events: 0, last: None, is_over: false }
    }

    /// Passes the next frame to `open`. Returns `None` at the end of the trace and after an error.
    pub(super) fn next<T>(
        &mut self,
        open: impl FnOnce(Stored<'_>) -> Result<T, Damage>,
    ) -> Result<Option<T>, TraceError> {
        if self.is_over {
            return Ok(None);
        }
        let taken = self.try_next(open);
        self.is_over = !matches!(taken, Ok(Some(_)));
        taken.map_err(|fault| match fault {
            FrameFault::Damage(damage) => self.damaged(damage),
            FrameFault::Io(error) => self.error(ErrorKind::from_io(error)),
        })
    }

    fn try_next<T>(&mut self, open: impl FnOnce(Stored<'_>) -> Result<T, Damage>) -> Result<Option<T>, FrameFault> {
        if self.number == 0 {
            self.file_header()?;
        }
        if let Some(last) = self.last.take() {
            self.number += 1;
            self.at += FRAME_HEADER as u64 + last.stored();
            self.events += u64::from(last.events);
        }
        let events = self.events;
        let bytes = self.source.take(FRAME_HEADER as u64)?;
        if bytes.len() < FRAME_HEADER {
            return Err(Damage::Cut { events }.into());
        }
        let header = FrameHeader::parse(bytes).ok_or(Damage::FrameHeader)?;
        let contents = self.source.take(header.stored())?;
        self.last = Some(header);
        if u64::from(header.number) != self.number {
            return Err(Damage::Order { found: header.number }.into());
        }
        if (contents.len() as u64) < header.stored() {
            return Err(Damage::Cut { events }.into());
        }
        if crc32fast::hash(contents) != header.check {
            return Err(Damage::Contents.into());
        }
        if header.kind == FrameKind::End {
            let counted = contents.try_into().map(u64::from_le_bytes).map_err(|_| Damage::Inconsistent)?;
            return self.end(counted).map(|()| None);
        }
        let (events, sites) = contents.split_at(header.events_part.stored as usize);
        Ok(Some(open(Stored { header, events, sites })?))
    }

    fn file_header(&mut self) -> Result<(), FrameFault> {
        let bytes = self.source.take(FILE_HEADER as u64)?;
        if bytes.len() < FILE_HEADER {
            return Err(Damage::Cut { events: 0 }.into());
        }
        match layout::version(bytes).ok_or(Damage::FileHeader)? {
            1..=layout::VERSION => {}
            found => return Err(Damage::Version { found, newest: layout::VERSION }.into()),
        }
        self.number = 1;
        self.at = FILE_HEADER as u64;
        Ok(())
    }

    fn end(&mut self, counted: u64) -> Result<(), FrameFault> {
        if counted != self.events {
            return Err(Damage::Count { counted, events: self.events }.into());
        }
        if !self.source.take(1)?.is_empty() {
            return Err(Damage::Trailing.into());
        }
        Ok(())
    }

    /// Returns the error for damage found in the frame that was read last.
    #[cold]
    pub(super) fn damaged(&mut self, damage: Damage) -> TraceError {
        self.is_over = true;
        let promised = self.promised(&damage);
        self.error(ErrorKind::Damaged { damage, promised })
    }

    /// Returns the number of events in the file by the headers of its frames, including frames that are not read.
    fn promised(&mut self, damage: &Damage) -> Promised {
        match (damage, self.last) {
            (&Damage::Count { counted, .. }, _) => Promised { events: counted, is_whole: true },
            (Damage::Trailing, _) => Promised { events: self.events, is_whole: true },
            (Damage::Cut { .. }, _) | (_, None) => Promised { events: self.events, is_whole: false },
            (_, Some(last)) => self.count(self.events + u64::from(last.events)),
        }
    }

    /// Like [`Frames::promised`], counting on from `events` at the current frame.
    fn count(&mut self, mut events: u64) -> Promised {
        while let Some(header) = self.source.take(FRAME_HEADER as u64).ok().and_then(whole_header) {
            let Ok(contents) = self.source.take(header.stored()) else { break };
            if header.kind != FrameKind::End {
                events += u64::from(header.events);
            } else if let (true, Ok(counted)) = (crc32fast::hash(contents) == header.check, contents.try_into()) {
                return Promised { events: u64::from_le_bytes(counted), is_whole: true };
            }
        }
        Promised { events, is_whole: false }
    }

    fn error(&self, kind: ErrorKind) -> TraceError {
        TraceError { file: Arc::clone(&self.file), place: Place::Frame { number: self.number, byte: self.at }, kind }
    }
}

/// Returns the header in bytes that may be cut short.
fn whole_header(bytes: &[u8]) -> Option<FrameHeader> {
    if bytes.len() < FRAME_HEADER { None } else { FrameHeader::parse(bytes) }
}

/// Bytes, consumed from the front.
pub(super) enum Bytes {
    /// The file as it was when opened.
    Mapped { map: Mmap, at: usize },
    /// Data that can only be read in order, such as compressed data.
    Read { from: Box<dyn Read + Send>, buffer: Vec<u8> },
}

impl Bytes {
    /// Maps `file`, if it can be mapped and starts like a binary trace.
    pub(super) fn map(file: &File) -> Option<Bytes> {
        // SAFETY: no byte is trusted unchecked and no reference to them is kept, so a process that changes them can make
        // reading fail but not misbehave. One that shortens the file kills ours by a signal; the format's document
        // forbids it.
        let map = unsafe { Mmap::map(file) }.ok()?;
        map.starts_with(&MAGIC).then_some(Bytes::Mapped { map, at: 0 })
    }

    /// Reads the bytes that `from` yields.
    pub(super) fn read(from: Box<dyn Read + Send>) -> Bytes {
        Bytes::Read { from, buffer: Vec::new() }
    }

    /// Returns the next `most` bytes; fewer only at the end of the data.
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
