//! Errors in a trace, as data: the file, the place in it, the kind. Each is displayed as one line that ends with what
//! was expected.

use std::fmt;
use std::io;
use std::sync::Arc;

use thiserror::Error;

use super::damage::{Damage, GzipFault, Promised};
use super::ill_formed::IllFormed;
use super::one_line::one_line;

/// Why a trace cannot be read or is rejected.
#[derive(Debug, Error)]
#[error("{file}{place}: {kind}")]
pub struct TraceError {
    /// The file as the user named it.
    pub file: Arc<str>,
    /// The place in the file.
    pub place: Place,
    /// What is wrong there.
    pub kind: ErrorKind,
}

impl TraceError {
    /// Creates the error for a failed read after what is at `place`.
    #[cold]
    pub(in crate::trace) fn reading(file: &Arc<str>, place: Place, error: io::Error) -> TraceError {
        TraceError { file: Arc::clone(file), place, kind: ErrorKind::from_io(error) }
    }

    /// Returns the malformed part, if that is the error. Only then may reading continue.
    pub fn malformed(&self) -> Option<&Malformed> {
        match &self.kind {
            ErrorKind::Malformed(malformed) => Some(malformed),
            _ => None,
        }
    }
}

/// The place of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// This line; the first is 1.
    Line(u64),
    /// Somewhere after this many complete lines.
    After(u64),
    /// This frame of a binary trace; the first is 1, the header of the file is 0.
    Frame {
        /// The number of the frame.
        number: u64,
        /// The offset in the file at which it starts.
        byte: u64,
    },
    /// This record of a format without lines; the first is 1.
    Record(u64),
    /// The byte at this offset of the data, decompressed if it is gzip.
    Byte(u64),
    /// Somewhere after this many bytes.
    AfterByte(u64),
}

impl Place {
    /// Returns the unit of the place and its number.
    pub(in crate::trace) fn unit(self) -> (&'static str, u64) {
        match self {
            Place::File => ("file", 1),
            Place::Line(line) | Place::After(line) => ("line", line),
            Place::Record(record) => ("record", record),
            Place::Byte(byte) | Place::AfterByte(byte) => ("byte", byte),
            Place::Frame { number, .. } => ("frame", number),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line(line) => write!(f, ":{line}"),
            Place::After(line) => write!(f, ": after line {line}"),
            Place::Frame { number: 0, .. } => Ok(()),
            Place::Frame { number, byte } => write!(f, ": frame {number} at byte {byte}"),
            Place::Record(record) => write!(f, ": record {record}"),
            Place::Byte(byte) => write!(f, ": byte {byte}"),
            Place::AfterByte(byte) => write!(f, ": after byte {byte}"),
        }
    }
}

/// The kinds of error.
#[derive(Debug, Error)]
pub enum ErrorKind {
    /// Nothing exists at the path.
    #[error("no such file; expected a trace, or - for standard input")]
    NoSuchFile,
    /// The path is that of a folder.
    #[error("is a folder; expected a file with a trace")]
    Folder,
    /// The file may not be read.
    #[error("permission denied; expected a file that this user may read")]
    PermissionDenied,
    /// Any other failure of the operating system.
    #[error("cannot be read: {}", one_line(&.0.to_string()))]
    Unreadable(io::Error),
    /// The gzip data is damaged.
    #[error(transparent)]
    Gzip(GzipFault),
    /// The first bytes are not those of any known format.
    #[error("is in no known format; expected a trace in one of {known}, or the format named with --from")]
    UnknownFormat {
        /// The names of all formats.
        known: String,
    },
    /// The line or record cannot be parsed.
    #[error(transparent)]
    Malformed(Malformed),
    /// The binary trace is cut or damaged.
    #[error("{damage}")]
    Damaged {
        /// What is wrong.
        damage: Damage,
        /// The number of events by the headers of its frames.
        promised: Promised,
    },
    /// The event can be parsed, but no execution has such an event there.
    #[error("{text}")]
    IllFormed {
        /// What is wrong, with numbers.
        problem: IllFormed,
        /// The same with names, and what was expected.
        text: String,
    },
    /// An event was looked up that the trace does not have.
    #[error("no event {wanted}, the trace ends after {events}; expected the same trace as at the first reading")]
    NoSuchEvent {
        /// The number looked up.
        wanted: u64,
        /// The number of events in the trace.
        events: u64,
    },
}

impl ErrorKind {
    /// Converts a failed system call or a gzip fault to an error of a trace.
    #[cold]
    pub(in crate::trace) fn from_io(error: io::Error) -> ErrorKind {
        match error.kind() {
            io::ErrorKind::NotFound => ErrorKind::NoSuchFile,
            io::ErrorKind::IsADirectory => ErrorKind::Folder,
            io::ErrorKind::PermissionDenied => ErrorKind::PermissionDenied,
            _ => match error.downcast::<GzipFault>() {
                Ok(fault) => ErrorKind::Gzip(fault),
                Err(error) => ErrorKind::Unreadable(error),
            },
        }
    }
}

/// Why a line or a record cannot be read. Texts are on one line, and cut if they are long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    kind: &'static str,
    reason: String,
    expected: String,
}

impl Malformed {
    /// Creates a malformed part with this `kind`, by which a lenient reading counts, and this `reason`.
    #[cold]
    pub(in crate::trace) fn new(
        kind: &'static str,
        reason: impl Into<String>,
        expected: impl Into<String>,
    ) -> Malformed {
        Malformed { kind, reason: reason.into(), expected: expected.into() }
    }

    /// Returns the kind, in a few words.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns what is wrong.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns what was expected instead.
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected {}", self.reason, self.expected)
    }
}

impl std::error::Error for Malformed {}
