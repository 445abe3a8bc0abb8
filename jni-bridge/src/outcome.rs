//! How an analysis ended: what it knows, and what it has missed.

use analysis_core::event::{Stamp, ThreadId};

use crate::feed::Feed;
use crate::rings::Statistics;

/// The outcome.
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
    /// Threads whose next event waits, and what for.
    pub(crate) waiting: Vec<(ThreadId, Stamp)>,
    /// How many of them wait for an event that is missing.
    pub blocked: u64,
    /// Streams with a gap.
    pub gaps: u64,
    /// How many records, or items, were discarded because the analysis had failed.
    pub discarded: u64,
    /// It ended at a violation, because that was asked for.
    pub is_halted: bool,
}

impl Outcome {
    /// Nothing is known.
    pub(crate) fn lost() -> Outcome {
        Outcome { failure: Some("its thread has gone".into()), ..Outcome::default() }
    }
}
