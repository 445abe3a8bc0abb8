//! The parts of the agent's JSON report that are used here.

use std::path::Path;

use serde::Deserialize;

/// The report.
#[derive(Debug, Deserialize)]
pub(crate) struct Report {
    verdict: String,
    pub(crate) violations: Vec<Finding>,
    pub(crate) waits_inside: Vec<Finding>,
    pub(crate) stats: Stats,
    pub(crate) warnings: Vec<String>,
    /// What the run watched, if a profile guided it.
    #[serde(default)]
    guided: Option<Guided>,
    /// The results of holds and random priorities, if threads were held.
    #[serde(default)]
    pub(crate) steered: Option<Steered>,
}

/// A run whose threads were held.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Steered {
    /// The number of candidates to which it was steered, for which a thread was held, and for which another thread came
    /// meanwhile.
    #[serde(default)]
    pub(crate) candidates: u64,
    #[serde(default)]
    pub(crate) held: u64,
    #[serde(default)]
    pub(crate) met: u64,
    /// The random priorities, for each seed.
    #[serde(default)]
    pub(crate) random: Vec<Random>,
}

/// Random priorities.
#[derive(Debug, Deserialize)]
pub(crate) struct Random {
    /// The number of delays of threads.
    pub(crate) delays: u64,
}

/// How much was watched, by kind.
#[derive(Debug, Deserialize)]
struct Guided {
    fields: Part,
    arrays: Part,
    calls: Part,
    blocks: Part,
    new_classes: u64,
}

/// The number watched, and the number of all.
#[derive(Debug, Deserialize)]
struct Part {
    watched: u64,
    all: u64,
}

/// A violated method, and the events that show it.
#[derive(Debug, Deserialize)]
pub(crate) struct Finding {
    pub(crate) method: String,
    pub(crate) kind: String,
    pub(crate) count: u64,
    pub(crate) instances: u64,
    pub(crate) edges: Vec<Edge>,
    /// The methods around it that the same events violate.
    #[serde(default)]
    pub(crate) enclosing: Vec<Caller>,
    /// Whether it is violated only around others.
    #[serde(default)]
    pub(crate) caller: bool,
}

/// A method around a finding.
#[derive(Debug, Deserialize)]
pub(crate) struct Caller {
    pub(crate) method: String,
}

/// Two events of different threads that conflict, in their order.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Edge {
    pub(crate) from: End,
    pub(crate) to: End,
}

/// An event.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct End {
    pub(crate) location: String,
    pub(crate) access: String,
    /// The call, if it is a call of the library.
    #[serde(default)]
    pub(crate) call: Option<Call>,
}

/// A call of the library.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Call {
    pub(crate) class: String,
    pub(crate) method: String,
}

/// The figures of the run.
#[derive(Debug, Deserialize)]
pub(crate) struct Stats {
    pub(crate) blocks: u64,
    pub(crate) threads: u64,
    pub(crate) classes: Classes,
    pub(crate) events: Events,
}

/// What was done with the program's classes.
#[derive(Debug, Deserialize)]
pub(crate) struct Classes {
    pub(crate) instrumented: u64,
    pub(crate) skipped: u64,
    pub(crate) failed: u64,
}

/// Counts of events.
#[derive(Debug, Deserialize)]
pub(crate) struct Events {
    pub(crate) lost: u64,
}

impl Finding {
    /// Returns whether this is the finding's method, or one around it that the same events violate.
    pub(crate) fn concerns(&self, method: &str) -> bool {
        self.method == method || self.enclosing.iter().any(|caller| caller.method == method)
    }
}

impl Report {
    /// Reads the report in a file.
    pub(crate) fn read(file: &Path) -> Result<Report, String> {
        let text = std::fs::read_to_string(file).map_err(|e| format!("no report: {e}"))?;
        serde_json::from_str(&text).map_err(|e| format!("the report: {e}"))
    }

    /// Returns every method found violated, including those that wait inside.
    pub(crate) fn methods(&self) -> Vec<&str> {
        self.violations.iter().chain(&self.waits_inside).map(|finding| finding.method.as_str()).collect()
    }

    /// Returns the number of methods found violated, including those that wait inside.
    pub(crate) fn findings(&self) -> usize {
        self.violations.len() + self.waits_inside.len()
    }

    /// Returns how much was watched, as `fields 3/40, arrays 0/7, calls 1/9, methods 5/60`, if a profile guided the
    /// run.
    pub(crate) fn guided(&self) -> Option<String> {
        let Guided { fields, arrays, calls, blocks, .. } = self.guided.as_ref()?;
        let parts = [("fields", fields), ("arrays", arrays), ("calls", calls), ("methods", blocks)];
        Some(parts.map(|(what, part)| format!("{what} {}/{}", part.watched, part.all)).join(", "))
    }

    /// Returns the number of classes that a guided run regarded as new.
    pub(crate) fn new_classes(&self) -> Option<u64> {
        self.guided.as_ref().map(|guided| guided.new_classes)
    }

    /// Returns whether something in the run was not observed.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.verdict == "incomplete" || self.stats.events.lost > 0 || self.stats.classes.failed > 0
    }
}
