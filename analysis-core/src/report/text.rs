//! The report for a person.
//!
//! First the verdict, in one line that can be read alone. Then, for each finding, what happened, how often, a table of
//! the events with a column for each transaction, both ends of each edge, and what to do next.

use std::fmt::Write;

use super::model::{End, Finding, Report, Witness};
use super::summary::{Summary, Verdict};
use super::table;

/// What the first lines say.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// What was analysed, as the user knows it.
    pub subject: &'a str,
    /// The engine.
    pub engine: &'a str,
    /// What is said of the whole.
    pub verdict: Verdict,
    /// True if some cycle was found, even where the verdict is "incomplete".
    pub is_non_serializable: bool,
    /// The first event that shows it, if events have numbers.
    pub first_event: Option<u64>,
    /// How many blocks are violated.
    pub violated: u64,
    /// How many blocks there are.
    pub blocks: u64,
    /// How many events.
    pub events: u64,
    /// How many threads.
    pub threads: u64,
    /// Why the verdict is "incomplete", as far as that is not among the warnings.
    pub reasons: &'a [String],
    /// What else is to be said.
    pub warnings: &'a [String],
    /// Figures for whoever asks.
    pub notes: &'a [String],
    /// Where findings that are left out for length can be seen.
    pub more: &'a str,
}

impl<'a> From<&Summary<'a>> for Head<'a> {
    fn from(summary: &Summary<'a>) -> Head<'a> {
        Head {
            subject: summary.trace,
            engine: summary.engine,
            verdict: summary.verdict(),
            is_non_serializable: summary.findings.is_non_serializable(),
            first_event: summary.first_event(),
            violated: summary.findings.violations.len() as u64,
            blocks: summary.instances.total(),
            events: summary.events,
            threads: summary.threads,
            reasons: &[],
            warnings: summary.warnings,
            notes: &[],
            more: "--max-reports, or --format json",
        }
    }
}

/// The report, ending in a line break.
pub fn render<'a>(head: impl Into<Head<'a>>, report: &Report) -> String {
    let head = &head.into();
    let mut out = String::new();
    headline(&mut out, head);
    for warning in head.warnings {
        line(&mut out, 2, &format!("warning: {warning}"));
    }
    for note in head.notes {
        line(&mut out, 2, note);
    }
    for (number, finding) in (1..).zip(&report.findings) {
        out.push('\n');
        render_finding(&mut out, number, finding);
    }
    let hidden = report.total - report.findings.len();
    if hidden > 0 {
        out.push('\n');
        line(&mut out, 0, &format!("{hidden} more {}: see {}", noun(hidden, "finding"), head.more));
    }
    if let Some(cycle) = &report.cycle {
        out.push('\n');
        render_cycle(&mut out, cycle);
    }
    if !report.waits_inside.is_empty() {
        out.push('\n');
        render_waits(&mut out, &report.waits_inside);
    }
    out
}

fn headline(out: &mut String, head: &Head) {
    let from = head.first_event.map_or(String::new(), |first| format!(" from event {first} on"));
    let mut what = match (head.verdict, head.is_non_serializable) {
        (Verdict::Serializable, _) => "serializable".to_owned(),
        (Verdict::NonSerializable, _) => format!("non-serializable{from}"),
        (Verdict::Incomplete, true) => format!("incomplete, and non-serializable{from}"),
        (Verdict::Incomplete, false) => "no violation found, incomplete".to_owned(),
    };
    if let Some((first, others)) = head.reasons.split_first() {
        what += &format!(": {first}");
        others.iter().for_each(|reason| what += &format!("; {reason}"));
    }
    let counts = format!(
        "{} of {} {} violated; {} {}, {} {}; engine {}",
        head.violated,
        head.blocks,
        noun(head.blocks, "block"),
        head.events,
        noun(head.events, "event"),
        head.threads,
        noun(head.threads, "thread"),
        head.engine
    );
    line(out, 0, &format!("{}: {what}", head.subject));
    line(out, 2, &counts);
}

/// One line each: nobody meant these to be atomic.
fn render_waits(out: &mut String, findings: &[Finding]) {
    line(out, 0, "waits inside: violated too, but they start or wait for other threads, so they are not counted");
    for finding in findings {
        let often = format!("{} of {} {}", finding.count, finding.instances, noun(finding.instances, "instance"));
        line(out, 3, &format!("{}: {often}", name(finding.method.as_deref())));
    }
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
        let theirs = if edges.len() == 1 || out.to.is_same(&back.from) {
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
    match end.event {
        Some(event) => format!("the {} ({}, event {event})", end.access, place(end)),
        None => format!("the {} ({})", end.access, place(end)),
    }
}

fn place(end: &End) -> String {
    match end.event {
        Some(event) if end.location.is_empty() => format!("event {event}"),
        _ if end.location.is_empty() => "an unknown place".to_owned(),
        _ => end.location.clone(),
    }
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
