//! The JSON line of `regiontrack check --format json`: the output that scripts read.
//!
//! Each violated block is listed, and each finding by its id, for suppressions and baselines.

use std::num::NonZeroU64;

use serde::Serialize;

use super::sifted;
use crate::filter::Saved;
use crate::report::model::identity::Identity;
use crate::report::model::kind::CYCLE;
use crate::report::model::report::Report;
use crate::report::model::sifted::Status;
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
    /// Replaces the violations if the engine only warns: the blocks that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspected: Option<Vec<ViolationLine<'a>>>,
    /// The findings by method, as in the report for a person; a cycle that blames nobody has no method.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<FindingLine<'a>>,
    /// What suppressions and a baseline made of the findings.
    #[serde(flatten)]
    sifted: Option<sifted::Fields<'a>>,
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
    /// Whether it is listed separately and does not count, because its thread waits for others inside.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    waits: bool,
}

#[derive(Serialize)]
struct FindingLine<'a> {
    id: String,
    method: Option<&'a str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    variables: Vec<String>,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<NonZeroU64>,
    instances: u64,
}

/// One JSON object, without a line break. `report` is the report on `summary`.
pub fn line(summary: &Summary, symbols: &Symbols, report: &Report) -> String {
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
    let of_methods = report.findings.iter().map(|finding| {
        let counts = [finding.count, finding.again, finding.instances];
        let method = finding.method.as_deref();
        finding_line(&finding.identity(), method, finding.kind.name(), finding.status, counts)
    });
    let of_nobody = report
        .cycle
        .iter()
        .map(|cycle| finding_line(&Identity::of(None, cycle), None, CYCLE[0], report.cycle_status, [1, 0, 1]));
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
        findings: of_methods.chain(of_nobody).collect(),
        sifted: sifted::fields(report.head.sifted.as_ref()),
        filters: summary.saved,
        warnings: summary.context.reasons.iter().chain(summary.warnings).map(String::as_str).collect(),
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}

fn finding_line<'a>(
    identity: &Identity,
    method: Option<&'a str>,
    kind: &'static str,
    status: Option<Status>,
    [count, again, instances]: [u64; 3],
) -> FindingLine<'a> {
    FindingLine {
        id: identity.id(),
        method,
        kind,
        status,
        variables: identity.variables(),
        count,
        again: NonZeroU64::new(again),
        instances,
    }
}
