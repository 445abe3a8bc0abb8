//! Frames one after the other, their check sums verified.

use std::io;
use std::sync::Arc;

use super::damage::Damage;
use super::layout::{self, FILE_HEADER, FRAME_HEADER, FrameHeader, Kind};
use super::source::Bytes;
use crate::trace::error::{ErrorKind, Place, TraceError};

/// Reads frames until the end, or the first that is damaged.
pub(super) struct Frames {
    file: Arc<str>,
    source: Bytes,
    /// Which frame is next; 0 is the header of the file.
    number: u64,
    /// Where it starts.
    at: u64,
    /// How many events the frames before it have.
    events: u64,
    is_over: bool,
}

/// A frame of events as it is stored.
pub(super) struct Stored<'a> {
    pub(super) header: FrameHeader,
    pub(super) events: &'a [u8],
    pub(super) sites: &'a [u8],
}

/// Why there is no frame.
enum Fault {
    Damage(Damage),
    Io(io::Error),
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Fault {
        Fault::Damage(damage)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Io(error)
    }
}

impl Frames {
    pub(super) fn new(file: Arc<str>, source: Bytes) -> Frames {
        Frames { file, source, number: 0, at: 0, events: 0, is_over: false }
    }

    /// Lets `open` take the next frame; `None` at the end of the trace and after an error.
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
            Fault::Damage(damage) => self.damaged(damage),
            Fault::Io(error) => self.error(ErrorKind::from_io(error)),
        })
    }

    fn try_next<T>(&mut self, open: impl FnOnce(Stored<'_>) -> Result<T, Damage>) -> Result<Option<T>, Fault> {
        if self.number == 0 {
            self.file_header()?;
        }
        let events = self.events;
        let bytes = self.source.take(FRAME_HEADER as u64)?;
        if bytes.len() < FRAME_HEADER {
            return Err(Damage::Cut { events }.into());
        }
        let header = FrameHeader::parse(bytes).ok_or(Damage::FrameHeader)?;
        if u64::from(header.number) != self.number {
            return Err(Damage::Order { found: header.number }.into());
        }
        let contents = self.source.take(header.stored())?;
        if (contents.len() as u64) < header.stored() {
            return Err(Damage::Cut { events }.into());
        }
        if crc32fast::hash(contents) != header.check {
            return Err(Damage::Contents.into());
        }
        if header.kind == Kind::End {
            let counted = contents.try_into().map(u64::from_le_bytes).map_err(|_| Damage::Inconsistent)?;
            return self.end(counted).map(|()| None);
        }
        let (events, sites) = contents.split_at(header.events_part.stored as usize);
        let taken = open(Stored { header, events, sites })?;
        self.number += 1;
        self.at += FRAME_HEADER as u64 + header.stored();
        self.events += u64::from(header.events);
        Ok(Some(taken))
    }

    fn file_header(&mut self) -> Result<(), Fault> {
        let bytes = self.source.take(FILE_HEADER as u64)?;
        if bytes.len() < FILE_HEADER {
            return Err(Damage::Cut { events: 0 }.into());
        }
        match layout::version(bytes).ok_or(Damage::FileHeader)? {
            layout::VERSION => {}
            other => return Err(Damage::Version(other).into()),
        }
        self.number = 1;
        self.at = FILE_HEADER as u64;
        Ok(())
    }

    fn end(&mut self, counted: u64) -> Result<(), Fault> {
        if counted != self.events {
            return Err(Damage::Count { counted, events: self.events }.into());
        }
        if !self.source.take(1)?.is_empty() {
            return Err(Damage::Trailing.into());
        }
        Ok(())
    }

    /// The error of damage that shows in the frame that was read last.
    #[cold]
    pub(super) fn damaged(&mut self, damage: Damage) -> TraceError {
        self.is_over = true;
        self.error(ErrorKind::Damaged(damage))
    }

    fn error(&self, kind: ErrorKind) -> TraceError {
        TraceError { file: Arc::clone(&self.file), place: Place::Frame { number: self.number, byte: self.at }, kind }
    }
}
