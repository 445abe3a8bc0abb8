//! The JSON report of a run under the agent: DESIGN section 5, "Report of the agent".

use serde::Serialize;

use super::kind::Kind;
use super::model::{End, WitnessEdge};
use super::summary::Verdict;

/// The version of the contract.
const SCHEMA: u32 = 1;

/// All that is said of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What is said of it as a whole.
    pub verdict: Verdict,
    /// The engine.
    pub engine: &'a str,
    /// Each violated method.
    pub violations: &'a [Method],
    /// Violated methods whose blocks waited for other threads.
    pub waits_inside: &'a [Method],
    /// A cycle of transactions that violates no block; empty if there is none.
    pub cycle: &'a [WitnessEdge],
    /// Figures.
    pub stats: Stats,
    /// What else is to be said; with the verdict "incomplete", why.
    pub warnings: &'a [String],
}

/// A violated method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub method: String,
    /// What happened to the first violated instance.
    pub kind: Kind,
    /// How many instances of it are violated.
    pub count: u64,
    /// How many instances there are.
    pub instances: u64,
    /// The begin of the first violated instance.
    pub begin: End,
    /// The cross-thread edges that violate it.
    pub edges: Vec<WitnessEdge>,
}

/// Figures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// What became of the program's classes.
    pub classes: Classes,
    /// How many threads made events.
    pub threads: u64,
    /// Counts of events.
    pub events: Events,
    /// From start to report.
    pub seconds: f64,
}

/// What became of the program's classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Classes {
    /// They are watched.
    pub instrumented: u64,
    /// They were left alone on purpose.
    pub skipped: u64,
    /// They, or methods of theirs, could not be instrumented.
    pub failed: u64,
}

/// Counts of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Events {
    /// Reads and writes of the program, recorded or not, if they were counted.
    pub accesses: Option<u64>,
    /// Those of them that were redundant and not recorded.
    pub filtered: Option<u64>,
    /// All events that were recorded.
    pub recorded: u64,
    /// Dependencies between threads.
    pub dependencies: u64,
    /// Events that were not analysed.
    pub lost: u64,
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    verdict: Verdict,
    engine: &'a str,
    violations: Vec<MethodLine<'a>>,
    waits_inside: Vec<MethodLine<'a>>,
    cycle: Vec<EdgeLine<'a>>,
    stats: Stats,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct MethodLine<'a> {
    method: &'a str,
    kind: &'a str,
    count: u64,
    instances: u64,
    thread: &'a str,
    begin: &'a str,
    edges: Vec<EdgeLine<'a>>,
}

#[derive(Serialize)]
struct EdgeLine<'a> {
    from: EndLine<'a>,
    to: EndLine<'a>,
}

#[derive(Serialize)]
struct EndLine<'a> {
    thread: &'a str,
    method: Option<&'a str>,
    location: &'a str,
    access: &'a str,
}

/// One JSON object, without a line break.
pub fn json(run: &Run) -> String {
    let line = Line {
        schema: SCHEMA,
        verdict: run.verdict,
        engine: run.engine,
        violations: run.violations.iter().map(method).collect(),
        waits_inside: run.waits_inside.iter().map(method).collect(),
        cycle: run.cycle.iter().map(edge).collect(),
        stats: run.stats,
        warnings: run.warnings,
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}

fn method(method: &Method) -> MethodLine<'_> {
    MethodLine {
        method: &method.method,
        kind: method.kind.name(),
        count: method.count,
        instances: method.instances,
        thread: &method.begin.thread,
        begin: &method.begin.location,
        edges: method.edges.iter().map(edge).collect(),
    }
}

fn edge(edge: &WitnessEdge) -> EdgeLine<'_> {
    EdgeLine { from: end(&edge.from), to: end(&edge.to) }
}

fn end(end: &End) -> EndLine<'_> {
    EndLine { thread: &end.thread, method: end.method.as_deref(), location: &end.location, access: &end.access }
}
