//! How a violation came about in a run that was steered: observed, or provoked by a hold; and what was steered in all.

use serde::{Deserialize, Serialize};

/// The hold in which, or after which, a block was violated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provoked {
    /// The id of the candidate for which the thread was held.
    pub candidate: String,
    /// How long it was held, in milliseconds, rounded up.
    pub held_ms: u64,
    /// Where it was held: `Cache.java:41`.
    pub at: String,
    /// What another thread passed meanwhile: `Cache.java:58`; `None` if the time was over first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The file with its schedule, if one was to be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
}

/// What a run was steered to, or several runs in all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steered {
    /// The file of candidates.
    pub file: String,
    /// How many runs there were.
    pub runs: u64,
    /// For how many candidates a thread was to be held.
    pub candidates: u64,
    /// For how many of them one was held.
    pub held: u64,
    /// For how many of these another thread came meanwhile.
    pub met: u64,
    /// For how many of these the block was violated.
    pub confirmed: u64,
    /// How long threads were held, in milliseconds: the sum, rounded up.
    pub held_ms: u64,
}

impl Steered {
    /// Adds other runs, if they were steered by the same file. False if not.
    pub(in crate::report) fn add(&mut self, other: &Steered) -> bool {
        let Steered { file, runs, candidates, held, met, confirmed, held_ms } = self;
        if *file != other.file {
            return false;
        }
        for (all, more) in [
            (runs, other.runs),
            (candidates, other.candidates),
            (held, other.held),
            (met, other.met),
            (confirmed, other.confirmed),
            (held_ms, other.held_ms),
        ] {
            *all = all.saturating_add(more);
        }
        true
    }
}
