//! What can be wrong with a binary trace.

use thiserror::Error;

/// Why a frame is not read, and nothing after it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// The file stops before its end frame: it is still being written, or whoever wrote it was stopped.
    #[error("the trace stops here, after {events} events, without its end; expected the whole file")]
    Cut {
        /// The events of all frames before.
        events: u64,
    },
    /// The header of the file has a wrong check sum.
    #[error("the header of the file is damaged; expected an undamaged copy of the file")]
    FileHeader,
    /// A version that is not known here.
    #[error("version {0} of the format; expected version {expected}", expected = super::VERSION)]
    Version(u32),
    /// The header of the frame has a wrong check sum, or none that a writer makes.
    #[error("the header of the frame is damaged; expected an undamaged copy of the file")]
    FrameHeader,
    /// The contents of the frame have a wrong check sum.
    #[error("the contents of the frame are damaged; expected an undamaged copy of the file")]
    Contents,
    /// Frames are missing before, or were put twice.
    #[error("the frame has number {found}; expected all frames, in order")]
    Order {
        /// The number in the header.
        found: u32,
    },
    /// The check sums are right and the contents are none that a writer makes.
    #[error("the contents of the frame contradict themselves; expected a trace written by regiontrack")]
    Inconsistent,
    /// The end frame counts other events than were read.
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
    /// True if all that is wrong is that the file is not all there, which is no error: what is there can be trusted.
    pub fn is_cut(&self) -> bool {
        matches!(self, Damage::Cut { .. })
    }
}

/// What the headers of frames say that a file has, beyond what can be read of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promised {
    /// How many events the frames have whose headers can be read.
    pub events: u64,
    /// True if those are all frames.
    pub is_whole: bool,
}

impl Promised {
    /// How many events are lost, for a message, if only `read` were read; `None` if none is.
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
