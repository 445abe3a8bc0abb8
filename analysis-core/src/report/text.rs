//! The report for a person.
//!
//! First the verdict, in one line that can be read alone. Then, for each finding, what happened, how often, a table of
//! the events with a column for each transaction, both ends of each edge, and what to do next.

use std::fmt::Write;

use super::model::{End, Finding, Report, Witness};
use super::summary::{Summary, Verdict};
use super::table;

/// The report, ending in a line break.
pub fn render(summary: &Summary, report: &Report) -> String {
    let mut out = String::new();
    headline(&mut out, summary);
    for warning in summary.warnings {
        line(&mut out, 2, &format!("warning: {warning}"));
    }
    for (number, finding) in (1..).zip(&report.findings) {
        out.push('\n');
        render_finding(&mut out, number, finding);
    }
    let hidden = report.total - report.findings.len();
    if hidden > 0 {
        out.push('\n');
        line(&mut out, 0, &format!("{hidden} more {}: see --max-reports, or --format json", noun(hidden, "finding")));
    }
    if let Some(cycle) = &report.cycle {
        out.push('\n');
        render_cycle(&mut out, cycle);
    }
    out
}

fn headline(out: &mut String, summary: &Summary) {
    let violated = summary.findings.violations.len();
    let blocks = summary.instances.total();
    let what = match (summary.verdict(), summary.first_event()) {
        (Verdict::Serializable, _) => "serializable".to_owned(),
        (Verdict::NonSerializable, Some(first)) => format!("non-serializable from event {first} on"),
        (_, Some(first)) => format!("incomplete, and non-serializable from event {first} on"),
        (_, None) => "no violation found, incomplete".to_owned(),
    };
    let counts = format!(
        "{violated} of {blocks} {} violated; {} {}, {} {}; engine {}",
        noun(blocks, "block"),
        summary.events,
        noun(summary.events, "event"),
        summary.threads,
        noun(summary.threads, "thread"),
        summary.engine
    );
    line(out, 0, &format!("{}: {what}", summary.trace));
    line(out, 2, &counts);
}

fn render_finding(out: &mut String, number: usize, finding: &Finding) {
    let method = name(finding.method.as_deref());
    line(out, 0, &format!("{number}. {method}: {}", finding.kind.name()));
    line(out, 3, finding.kind.meaning());
    let (count, instances) = (finding.count, finding.instances);
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    let often = format!("violated in {count} of {instances} {}", noun(instances, "instance"));
    line(out, 3, &format!("{often}, first in {} at {}", begin.thread, place(begin)));
    for (outer, count) in &finding.enclosing {
        line(out, 3, &format!("so is {} around it, {count} {}", name(outer.as_deref()), noun(*count, "time")));
    }
    render_witness(out, &finding.witness);
    out.push('\n');
    line(out, 3, "what to do next");
    for advice in advice(finding) {
        line(out, 5, &format!("- {advice}"));
    }
}

fn render_cycle(out: &mut String, cycle: &Witness) {
    line(out, 0, "a cycle of transactions, and no block to blame");
    line(out, 3, "each could have run alone somewhere, but no order of all of them explains what was seen");
    render_witness(out, cycle);
    out.push('\n');
    line(out, 3, "what to do next");
    line(out, 5, "- look at the blocks in the table: one of them reaches over another that it should exclude");
}

fn render_witness(out: &mut String, witness: &Witness) {
    out.push('\n');
    for row in table::lines(witness) {
        line(out, 3, &row);
    }
    out.push('\n');
    line(out, 3, "happened in this order, and could not have been the other way round");
    for edge in &witness.edges {
        line(out, 5, &format!("{}  ->  {}", end(&edge.from), end(&edge.to)));
    }
}

fn advice(finding: &Finding) -> Vec<String> {
    let edges = &finding.witness.edges;
    let mut advice = Vec::new();
    if let (Some(out), Some(back)) = (edges.first(), edges.last()) {
        let mine = format!("{} and {}", at(&out.from), at(&back.to));
        let theirs = if edges.len() == 1 || out.to.event == back.from.event {
            at(&out.to)
        } else {
            format!("{} and {}", at(&out.to), at(&back.from))
        };
        advice.push(format!("if it is meant to be atomic: hold one lock over {mine}, and the same one at {theirs}"));
    }
    advice.push(match finding.method.as_deref() {
        Some(method) => format!("if it is not: take it out of the specification with the line  -  {method}"),
        None => {
            "if it is not: give the block a label in the trace, begin(label), so that --spec can take it out".into()
        }
    });
    advice
}

fn end(end: &End) -> String {
    format!("{} {} at {}", end.thread, end.access, place(end))
}

fn at(end: &End) -> String {
    format!("the {} ({}, event {})", end.access, place(end), end.event)
}

fn place(end: &End) -> String {
    if end.location.is_empty() { format!("event {}", end.event) } else { end.location.clone() }
}

fn name(method: Option<&str>) -> &str {
    method.unwrap_or("a block without a label")
}

fn noun(count: impl TryInto<u64>, noun: &str) -> String {
    if count.try_into().is_ok_and(|count| count == 1) { noun.to_owned() } else { format!("{noun}s") }
}

fn line(out: &mut String, indent: usize, text: &str) {
    writeln!(out, "{:indent$}{text}", "").expect("a string takes all that is written");
}
