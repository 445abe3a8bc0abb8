//! `regiontrack explain`: one finding in detail, for a person or as one line of JSON.

use serde::Serialize;

use super::lines::line;
use super::text::{Layout, headline, render_cycle, render_finding, render_status, warnings};
use super::{delays, sifted};
use crate::report::judgement::explanation::{Explained, Explanation};
use crate::report::model::data::Datum;
use crate::report::model::finding::Finding;
use crate::report::model::report::{Head, Report, Source};
use crate::report::model::sifted::{Sifted, Status};
use crate::report::model::summary::{Summary, Verdict};
use crate::report::model::witness::{End, WitnessEdge};
use crate::report::model::words::noun;

/// The version of the contract.
const SCHEMA: u32 = 1;

/// The explanation for a person; without one, the statement that nothing was found, or nothing is left.
pub fn text(summary: &Summary, sifted: Option<&Sifted>, explanation: Option<&Explanation>, layout: &Layout) -> String {
    explained(&Head { sifted: sifted.cloned(), ..Head::from(summary) }, explanation, layout)
}

/// The explanation of a finding of a report.
pub fn text_of_report(report: &Report, explanation: Option<&Explanation>, layout: &Layout) -> String {
    explained(&report.head, explanation, layout)
}

fn explained(head: &Head, explanation: Option<&Explanation>, layout: &Layout) -> String {
    let (width, paint) = (layout.columns(), layout.paint());
    let mut out = String::new();
    headline(&mut out, head, paint);
    if explanation.is_some_and(Explanation::is_of_buffers) {
        line(&mut out, 2, "not serializable where writes wait in store buffers (TSO)");
    }
    warnings(&mut out, head, paint);
    let Some(explanation) = explanation else {
        let nothing = if head.sifted.as_ref().is_some_and(|sifted| sifted.is_excused) {
            "nothing is left"
        } else {
            "nothing was found"
        };
        line(&mut out, 2, &format!("{nothing}, so there is nothing to explain"));
        sifted::render(&mut out, head);
        return out;
    };
    out.push('\n');
    match &explanation.what {
        Explained::Block(finding) => {
            render_finding(&mut out, explanation.number, finding, (head.source, head.steered.is_some()), width, paint)
        }
        Explained::Cycle(cycle) => render_cycle(&mut out, cycle, head.engine, width),
        Explained::Delayed(delayed) => out.push_str(&delays::text(delayed, width)),
    }
    // A finding of a report has its own status line.
    if !matches!(&explanation.what, Explained::Block(finding) if finding.status.is_some()) {
        render_status(&mut out, explanation.status, || explanation.id.clone().unwrap_or_default());
    }
    if !explanation.witness().edges.is_empty() {
        out.push('\n');
        walk(&mut out, explanation);
    }
    out
}

/// Describes the path of the witness: for a trace the shortest one found, for a report the one that the engine found.
fn walk(out: &mut String, explanation: &Explanation) {
    let witness = explanation.witness();
    let (transactions, edges) = (explanation.transactions, witness.edges.len());
    let size = format!(
        "{transactions} {}, {edges} cross-thread {}",
        noun(transactions as u64, "transaction"),
        noun(edges as u64, "edge")
    );
    let which = if explanation.source == Source::Trace { "the shortest" } else { "the" };
    line(out, 3, &format!("{which} cycle of transactions: {size}"));
    let names = explanation.walk().into_iter().map(|column| witness.columns[column].name());
    line(out, 5, &names.collect::<Vec<_>>().join(" -> "));
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a str>,
    engine: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<u64>,
    verdict: Verdict,
    store_buffers: bool,
    findings: usize,
    finding: Option<FindingLine<'a>>,
    /// What suppressions and a baseline made of the findings.
    #[serde(flatten)]
    sifted: Option<sifted::Fields<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct FindingLine<'a> {
    number: usize,
    /// The id that `check` gives, by the engine's own witness; `None` if writes wait in store buffers.
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    method: Option<&'a str>,
    kind: Option<&'a str>,
    meaning: String,
    count: Option<u64>,
    instances: Option<u64>,
    begin: Option<&'a End>,
    transactions: usize,
    cycle: Vec<String>,
    edges: &'a [WitnessEdge],
    /// The data if the finding rests on locks, or null if they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Option<&'a [Datum]>>,
    advice: Vec<String>,
}

/// One JSON object, without a line break; `finding` is null if nothing was found.
pub fn json(summary: &Summary, sifted: Option<&Sifted>, explanation: Option<&Explanation>) -> String {
    let line = Line {
        schema: SCHEMA,
        trace: Some(summary.trace),
        engine: summary.engine.name,
        events: Some(summary.events),
        verdict: summary.answer().verdict(),
        store_buffers: explanation.is_some_and(Explanation::is_of_buffers),
        findings: explanation.map_or(0, |explanation| explanation.total),
        finding: explanation.map(finding_line),
        sifted: sifted::fields(sifted),
        warnings: summary.warnings,
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}

/// The JSON object for a finding of a report.
pub fn json_of_report(report: &Report, explanation: Option<&Explanation>) -> String {
    let head = &report.head;
    let line = Line {
        schema: SCHEMA,
        trace: None,
        engine: head.engine.name,
        events: None,
        verdict: head.answer.verdict(),
        store_buffers: false,
        findings: explanation.map_or(0, |explanation| explanation.total),
        finding: explanation.map(finding_line),
        sifted: sifted::fields(head.sifted.as_ref()),
        warnings: &head.warnings,
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}

fn finding_line(explanation: &Explanation) -> FindingLine<'_> {
    let witness = explanation.witness();
    let finding: Option<&Finding> = match &explanation.what {
        Explained::Block(finding) => Some(finding),
        Explained::Cycle(_) | Explained::Delayed(_) => None,
    };
    FindingLine {
        number: explanation.number,
        id: explanation.id.as_deref(),
        status: explanation.status,
        method: finding.and_then(|finding| finding.method.as_deref()),
        kind: finding.map(|finding| finding.kind.name()),
        meaning: explanation.meaning(),
        count: finding.map(|finding| finding.count),
        instances: finding.map(|finding| finding.instances),
        begin: witness.begin.as_ref(),
        transactions: explanation.transactions,
        cycle: explanation.walk().into_iter().map(|column| witness.columns[column].name()).collect(),
        edges: &witness.edges,
        data: witness.data.value(),
        advice: explanation.advice(),
    }
}
