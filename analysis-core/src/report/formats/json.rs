//! The JSON line of `regiontrack check --format json`: the output that scripts read.

use serde::Serialize;

use crate::filter::Saved;
use crate::report::model::summary::{Summary, Verdict};
use crate::trace::symbols::Symbols;

/// The version of the contract.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    trace: &'a str,
    engine: &'a str,
    events: u64,
    threads: u64,
    verdict: Verdict,
    first_event: Option<u64>,
    violations: Vec<ViolationLine<'a>>,
    /// In place of the violations, what an engine that only warns names.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspected: Option<Vec<ViolationLine<'a>>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    filters: &'a [Saved],
    warnings: Vec<&'a str>,
}

#[derive(Serialize)]
struct ViolationLine<'a> {
    begin: u64,
    event: u64,
    method: Option<std::borrow::Cow<'a, str>>,
    thread: std::borrow::Cow<'a, str>,
    depth: u32,
    other_event: u64,
    /// It is listed separately and does not count, because its thread waits for others inside.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    waits: bool,
}

/// One JSON object, without a line break.
pub fn line(summary: &Summary, symbols: &Symbols) -> String {
    let violations = summary.findings.violations.iter().map(|violation| ViolationLine {
        begin: violation.begin,
        event: violation.event,
        method: symbols.label(violation.label),
        thread: symbols.thread(violation.thread),
        depth: violation.depth,
        other_event: violation.other.position(),
        waits: summary.waits(violation),
    });
    let all: Vec<ViolationLine> = violations.collect();
    let (violations, suspected) = if summary.engine.claim.only_warns() { (Vec::new(), Some(all)) } else { (all, None) };
    let line = Line {
        schema: SCHEMA,
        trace: summary.trace,
        engine: summary.engine.name,
        events: summary.events,
        threads: summary.threads,
        verdict: summary.answer().verdict(),
        first_event: summary.first_event(),
        violations,
        suspected,
        filters: summary.saved,
        warnings: summary.context.reasons.iter().chain(summary.warnings).map(String::as_str).collect(),
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}
