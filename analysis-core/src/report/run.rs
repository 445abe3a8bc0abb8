//! The JSON report of a run under the agent.

use serde::Serialize;

use super::model::{Enclosing, End, Finding, Report, WitnessEdge};
use super::predicted::{self, Predicted};
use super::summary::Verdict;
use super::guided::Guided;
use super::watched::Watched;

/// The version of the contract.
const SCHEMA: u32 = 1;

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

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    verdict: Verdict,
    engine: &'a str,
    violations: Vec<MethodLine<'a>>,
    /// In place of the violations, what an engine that only warns names.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspected: Option<Vec<MethodLine<'a>>>,
    waits_inside: Vec<MethodLine<'a>>,
    cycle: &'a [WitnessEdge],
    /// What other schedules could have violated, for each algorithm that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predicted: Vec<serde_json::Value>,
    /// How much was watched, if only a part was to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<&'a Watched>,
    /// What was watched, if a profile of earlier runs said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    guided: Option<&'a Guided>,
    stats: &'a Stats,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    hints: &'a [String],
    warnings: Vec<&'a str>,
}

#[derive(Serialize)]
struct MethodLine<'a> {
    method: &'a str,
    kind: &'a str,
    count: u64,
    instances: u64,
    thread: &'a str,
    begin: &'a str,
    edges: &'a [WitnessEdge],
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<&'a [End; 2]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stack: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    enclosing: &'a [Enclosing],
    /// It was violated only around others, by the same events.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    caller: bool,
}

/// One JSON object, without a line break.
pub fn json(report: &Report, predicted: &[Predicted], stats: &Stats) -> String {
    let head = &report.head;
    let all: Vec<MethodLine> = [(&report.findings, false), (&report.callers, true)]
        .into_iter()
        .flat_map(|(findings, is_caller)| findings.iter().map(move |finding| method(finding, is_caller)))
        .collect();
    let (violations, suspected) = if head.engine.claim.only_warns() { (Vec::new(), Some(all)) } else { (all, None) };
    let line = Line {
        schema: SCHEMA,
        verdict: head.answer.verdict(),
        engine: head.engine.name,
        violations,
        suspected,
        waits_inside: report.waits_inside.iter().map(|finding| method(finding, false)).collect(),
        cycle: report.cycle.as_ref().map_or(&[], |cycle| &cycle.edges),
        predicted: predicted.iter().map(predicted::value).collect(),
        sampling: head.watched.as_ref(),
        guided: head.guided.as_ref(),
        stats,
        hints: &head.hints,
        warnings: head.reasons.iter().chain(&head.warnings).map(String::as_str).collect(),
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}

fn method(finding: &Finding, caller: bool) -> MethodLine<'_> {
    let begin = finding.witness.begin.as_ref();
    MethodLine {
        method: finding.method.as_deref().unwrap_or_default(),
        kind: finding.kind.name(),
        count: finding.count,
        instances: finding.instances,
        thread: begin.map_or("", |begin| &begin.thread),
        begin: begin.map_or("", |begin| &begin.location),
        edges: &finding.witness.edges,
        pair: finding.witness.pair.as_ref(),
        stack: &finding.stack,
        enclosing: &finding.enclosing,
        caller,
    }
}
