//! Damage in compressed and binary files.

use thiserror::Error;

/// What is wrong with gzip data.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GzipFault {
    /// The data ends early.
    #[error("truncated gzip; expected the rest of the compressed data")]
    Truncated,
    /// The data is inconsistent.
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
        /// The number of events in all earlier frames.
        events: u64,
    },
    /// The header of the file has a wrong check sum.
    #[error("the header of the file is damaged; expected an undamaged copy of the file")]
    FileHeader,
    /// A version that this reader does not know.
    #[error("version {found} of the format; expected version {newest}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The newest known version.
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
    /// The end frame states a different number of events than were read.
    #[error("the end counts {counted} events, the frames before it {events}; expected all frames, once each")]
    Count {
        /// The number of events that the end frame states.
        counted: u64,
        /// The number of events in all earlier frames.
        events: u64,
    },
    /// Something follows the end frame.
    #[error("data after the end of the trace; expected the end of the file")]
    Trailing,
}

impl Damage {
    /// Returns whether the file is merely incomplete, which is no error: the existing part can be trusted.
    pub fn is_cut(&self) -> bool {
        matches!(self, Damage::Cut { .. })
    }
}

/// The number of events in a file by the headers of its frames, including frames that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promised {
    /// The number of events in the frames whose headers can be read.
    pub events: u64,
    /// Whether those are all frames.
    pub is_whole: bool,
}

impl Promised {
    /// Returns the number of events lost if `read` were read, as text for a message; `None` if none are lost.
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
