//! Figures of a run under the agent.

use serde::{Deserialize, Serialize};

/// Figures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// What became of the program's classes.
    pub classes: Classes,
    /// How many threads made events; in dependency mode, not counting those that entered no block and had no dependency.
    pub threads: u64,
    /// How many blocks were entered, including inner ones; if only a part of the run was watched, how many of that
    /// part.
    pub blocks: u64,
    /// Counts of events.
    pub events: Events,
    /// Call sites in watched code of synchronization without a model.
    pub unmodelled: u64,
    /// The time from start to report.
    pub seconds: f64,
}

impl Stats {
    /// The sum of the figures of both runs.
    pub fn and(&self, other: &Stats) -> Stats {
        Stats {
            classes: self.classes.and(other.classes),
            threads: self.threads + other.threads,
            blocks: self.blocks + other.blocks,
            events: self.events.and(other.events),
            unmodelled: self.unmodelled + other.unmodelled,
            seconds: self.seconds + other.seconds,
        }
    }
}

impl Classes {
    fn and(self, other: Classes) -> Classes {
        Classes {
            instrumented: self.instrumented + other.instrumented,
            skipped: self.skipped + other.skipped,
            failed: self.failed + other.failed,
        }
    }
}

impl Events {
    fn and(self, other: Events) -> Events {
        let sum = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
        Events {
            accesses: sum(self.accesses, other.accesses),
            filtered: sum(self.filtered, other.filtered),
            recorded: self.recorded + other.recorded,
            dependencies: self.dependencies + other.dependencies,
            lost: self.lost + other.lost,
        }
    }
}

/// What became of the program's classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes {
    /// Classes that are watched.
    pub instrumented: u64,
    /// Classes that were deliberately left alone.
    pub skipped: u64,
    /// Classes that, or methods of which, could not be instrumented.
    pub failed: u64,
}

/// Counts of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
