//! What can be wrong with a file that is compressed or binary.

use thiserror::Error;

/// What is wrong with gzip data.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GzipFault {
    /// The data stops inside.
    #[error("truncated gzip; expected the rest of the compressed data")]
    Truncated,
    /// The data contradicts itself.
    #[error("corrupt gzip ({0}); expected an undamaged copy of the file")]
    Corrupt(String),
    /// The data is followed by other data.
    #[error("data that is not gzip after the end of the gzip data; expected the end of the file")]
    Trailing,
}

/// Why a frame, and everything after it, is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// The file stops before its end frame: it is still being written, or its writer was stopped.
    #[error("the trace stops here, after {events} events, without its end; expected the whole file")]
    Cut {
        /// The events of all frames before.
        events: u64,
    },
    /// The header of the file has a wrong check sum.
    #[error("the header of the file is damaged; expected an undamaged copy of the file")]
    FileHeader,
    /// A version that is not known here.
    #[error("version {found} of the format; expected version {newest}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The newest that is known.
        newest: u32,
    },
    /// The header of the frame has a wrong check sum, or contents that no writer makes.
    #[error("the header of the frame is damaged; expected an undamaged copy of the file")]
    FrameHeader,
    /// The contents of the frame have a wrong check sum.
    #[error("the contents of the frame are damaged; expected an undamaged copy of the file")]
    Contents,
    /// Earlier frames are missing, or frames were repeated.
    #[error("the frame has number {found}; expected all frames, in order")]
    Order {
        /// The number in the header.
        found: u32,
    },
    /// The check sums are right, but no writer makes such contents.
    #[error("the contents of the frame contradict themselves; expected a trace written by regiontrack")]
    Inconsistent,
    /// The end frame states another number of events than were read.
    #[error("the end counts {counted} events, the frames before it {events}; expected all frames, once each")]
    Count {
        /// The events that the end frame counts.
        counted: u64,
        /// The events of all frames before.
        events: u64,
    },
    /// Something follows the end frame.
    #[error("data after the end of the trace; expected the end of the file")]
    Trailing,
}

impl Damage {
    /// True if the file is merely incomplete, which is no error: the part that is there can be trusted.
    pub fn is_cut(&self) -> bool {
        matches!(self, Damage::Cut { .. })
    }
}

/// How many events a file has by the headers of its frames, including those that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promised {
    /// How many events the frames have whose headers can be read.
    pub events: u64,
    /// True if those are all frames.
    pub is_whole: bool,
}

impl Promised {
    /// How many events are lost if `read` were read, as text for a message; `None` if none are.
    pub(in crate::trace) fn lost(self, read: u64) -> Option<String> {
        let lost = self.events.saturating_sub(read);
        let plural = if lost == 1 { "" } else { "s" };
        match (lost, self.is_whole) {
            (0, true) => None,
            (0, false) => Some("how many events are lost cannot be told".to_owned()),
            (_, true) => Some(format!("{lost} event{plural} lost")),
            (_, false) => Some(format!("at least {lost} event{plural} lost")),
        }
    }
}
