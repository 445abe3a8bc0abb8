//! The outcome of an analysis: what it knows, and what it has missed.

use analysis_core::event::{Stamp, ThreadId};

use crate::feed::Feed;
use crate::rings::Statistics;

/// What is known once an analysis has ended.
#[derive(Default)]
pub struct Outcome {
    /// The findings and counts.
    pub feed: Option<Feed>,
    /// Why the analysis ended early.
    pub failure: Option<String>,
    /// The threads' own counts.
    pub statistics: Statistics,
    /// How many threads made events.
    pub threads: u64,
    /// Threads whose next event waits, and the event that it waits for.
    pub(crate) waiting: Vec<(ThreadId, Stamp)>,
    /// The number of threads that wait for a missing event.
    pub blocked: u64,
    /// Streams with a gap.
    pub gaps: u64,
    /// How many records, or items, were discarded because the analysis had failed.
    pub discarded: u64,
    /// Whether the analysis stopped at a violation because an option asks for that.
    pub is_halted: bool,
}

impl Outcome {
    /// The outcome of an analysis that has left nothing behind.
    pub(crate) fn lost() -> Outcome {
        Outcome { failure: Some("its thread has gone".into()), ..Outcome::default() }
    }
}
