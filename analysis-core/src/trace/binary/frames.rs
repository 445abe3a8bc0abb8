//! Frames one after the other, their check sums verified.

use std::io;
use std::sync::Arc;

use super::damage::{Damage, Promised};
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
    /// The header of the frame that was taken last, which these three still speak of.
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
        Frames { file, source, number: 0, at: 0, events: 0, last: None, is_over: false }
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
        if header.kind == Kind::End {
            let counted = contents.try_into().map(u64::from_le_bytes).map_err(|_| Damage::Inconsistent)?;
            return self.end(counted).map(|()| None);
        }
        let (events, sites) = contents.split_at(header.events_part.stored as usize);
        Ok(Some(open(Stored { header, events, sites })?))
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
        let promised = self.promised(&damage);
        self.error(ErrorKind::Damaged { damage, promised })
    }

    /// How many events the file has by the headers of its frames, those that are not read included.
    fn promised(&mut self, damage: &Damage) -> Promised {
        match (damage, self.last) {
            (&Damage::Count { counted, .. }, _) => Promised { events: counted, is_whole: true },
            (Damage::Trailing, _) => Promised { events: self.events, is_whole: true },
            (Damage::Cut { .. }, _) | (_, None) => Promised { events: self.events, is_whole: false },
            (_, Some(last)) => self.count(self.events + u64::from(last.events)),
        }
    }

    /// The same for the frames from where the source stands, after `events`.
    fn count(&mut self, mut events: u64) -> Promised {
        while let Some(header) = self.source.take(FRAME_HEADER as u64).ok().and_then(whole_header) {
            let Ok(contents) = self.source.take(header.stored()) else { break };
            if header.kind == Kind::Events {
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

/// The header in bytes that may have been cut.
fn whole_header(bytes: &[u8]) -> Option<FrameHeader> {
    if bytes.len() < FRAME_HEADER { None } else { FrameHeader::parse(bytes) }
}
