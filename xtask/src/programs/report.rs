//! What the agent's JSON report says of a run, as far as it is shown here.

use std::path::Path;

use serde::Deserialize;

/// The report.
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    verdict: String,
    pub(super) violations: Vec<Finding>,
    pub(super) waits_inside: Vec<Finding>,
    pub(super) stats: Stats,
    pub(super) warnings: Vec<String>,
}

/// A violated method, and the events that show it.
#[derive(Debug, Deserialize)]
pub(super) struct Finding {
    pub(super) method: String,
    pub(super) kind: String,
    pub(super) count: u64,
    pub(super) instances: u64,
    pub(super) edges: Vec<Edge>,
    /// The methods around it that the same events violate.
    #[serde(default)]
    pub(super) enclosing: Vec<serde_json::Value>,
    /// It is violated only around others.
    #[serde(default)]
    pub(super) caller: bool,
}

/// Two events of different threads that conflict, in their order.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Edge {
    pub(super) from: End,
    pub(super) to: End,
}

/// An event.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct End {
    pub(super) location: String,
    pub(super) access: String,
}

/// Its figures.
#[derive(Debug, Deserialize)]
pub(super) struct Stats {
    pub(super) blocks: u64,
    pub(super) threads: u64,
    pub(super) classes: Classes,
    pub(super) events: Events,
}

/// What became of the program's classes.
#[derive(Debug, Deserialize)]
pub(super) struct Classes {
    pub(super) instrumented: u64,
    pub(super) skipped: u64,
    pub(super) failed: u64,
}

/// Counts of events.
#[derive(Debug, Deserialize)]
pub(super) struct Events {
    pub(super) lost: u64,
}

impl Report {
    /// The report in a file.
    pub(super) fn read(file: &Path) -> Result<Report, String> {
        let text = std::fs::read_to_string(file).map_err(|e| format!("no report: {e}"))?;
        serde_json::from_str(&text).map_err(|e| format!("the report: {e}"))
    }

    /// How many methods it finds violated, those that wait inside too.
    pub(super) fn findings(&self) -> usize {
        self.violations.len() + self.waits_inside.len()
    }

    /// True if something of the run was not observed.
    pub(super) fn is_incomplete(&self) -> bool {
        self.verdict == "incomplete" || self.stats.events.lost > 0 || self.stats.classes.failed > 0
    }
}
