//! Figures of a run under the agent.

use serde::Serialize;

/// Figures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// What became of the program's classes.
    pub classes: Classes,
    /// How many threads made events; in dependency mode, not counting those that entered no block and had no dependency.
    pub threads: u64,
    /// How many blocks were entered, inner ones too; where only a part of the run was watched, how many of that part.
    pub blocks: u64,
    /// Counts of events.
    pub events: Events,
    /// Call sites in watched code of synchronization that is not modelled.
    pub unmodelled: u64,
    /// From start to report.
    pub seconds: f64,
}

/// What became of the program's classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Classes {
    /// They are watched.
    pub instrumented: u64,
    /// They were deliberately left alone.
    pub skipped: u64,
    /// They, or methods of theirs, could not be instrumented.
    pub failed: u64,
}

/// Counts of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Events {
    /// Reads and writes of the program, recorded or not, if they were counted.
    pub accesses: Option<u64>,
    /// Those of them that were redundant and not recorded; in dependency mode, that took no new dependency.
    pub filtered: Option<u64>,
    /// All events that were recorded; in dependency mode, those that took a new dependency.
    pub recorded: u64,
    /// Dependencies between threads.
    pub dependencies: u64,
    /// Events that were not analysed.
    pub lost: u64,
}
