//! The report for a person.
//!
//! First the verdict, in one line that can be read alone. Then, for each finding, what happened, how often, a table of
//! the events with a column for each transaction, both ends of each edge, and what to do next.

use std::fmt::Write;

use crate::engine::{BlameClaim, EngineSpec};
use crate::engines;

use super::advice::advice;
use super::model::{End, Finding, Report, Witness, short};
use super::summary::{Summary, Verdict};
use super::table;
use crate::filter::Saved;

/// What the first lines say.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// What was analysed, as the user knows it.
    pub subject: &'a str,
    /// The engine.
    pub engine: &'a EngineSpec,
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
    /// What filters have saved.
    pub saved: &'a [Saved],
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
            saved: summary.saved,
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
    for saved in head.saved {
        line(&mut out, 2, &saved.to_string());
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
        render_cycle(&mut out, cycle, head.engine);
    }
    if !report.waits_inside.is_empty() {
        out.push('\n');
        render_waits(&mut out, &report.waits_inside);
    }
    out
}

pub(super) fn headline(out: &mut String, head: &Head) {
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
    line(out, 0, &format!("{}: {what}", head.subject));
    line(out, 2, &counts(head));
}

fn counts(head: &Head) -> String {
    let count = |number: u64, what: &str| format!("{number} {}", noun(number, what));
    let (blocks, name) = (count(head.blocks, "block"), head.engine.name);
    let size = format!("{}, {}", count(head.events, "event"), count(head.threads, "thread"));
    if is_silent(head.engine) {
        return format!("{blocks}; {size}; engine {name}, which blames no blocks");
    }
    format!("{} of {blocks} violated; {size}; engine {name}", head.violated)
}

/// "No block is violated" is not what such an engine says.
fn is_silent(engine: &EngineSpec) -> bool {
    engine.claim.blame == BlameClaim::Silent
}

/// One line each: nobody meant these to be atomic.
fn render_waits(out: &mut String, findings: &[Finding]) {
    line(out, 0, "waits inside: violated too, but they start or wait for other threads, so they are not counted");
    for finding in findings {
        let often = format!("{} of {} {}", finding.count, finding.instances, noun(finding.instances, "instance"));
        line(out, 3, &format!("{}: {often}", name(finding.method.as_deref())));
    }
}

pub(super) fn render_finding(out: &mut String, number: usize, finding: &Finding) {
    let method = name(finding.method.as_deref());
    line(out, 0, &format!("{number}. {method}: {}", finding.kind.name()));
    line(out, 3, finding.kind.meaning());
    let (count, instances) = (finding.count, finding.instances);
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    let often = format!("violated in {count} of {instances} {}", noun(instances, "instance"));
    line(out, 3, &format!("{often}, first in {} at {}", begin.thread, place(begin)));
    for (outer, count) in &finding.enclosing {
        let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
        line(out, 3, &format!("with it {times}: {}, which was open around it", name(outer.as_deref())));
    }
    render_witness(out, &finding.witness);
    next_steps(out, &advice(finding));
}

pub(super) fn render_cycle(out: &mut String, cycle: &Witness, engine: &EngineSpec) {
    let [name, meaning] = CYCLE;
    line(out, 0, if is_silent(engine) { CYCLE_UNBLAMED } else { name });
    line(out, 3, meaning);
    render_witness(out, cycle);
    let mut steps = Vec::new();
    if is_silent(engine) {
        steps.push(format!("use engine {}: it says which blocks are violated, and how", engines::default().name));
    }
    // Without edges there is no table.
    if !cycle.edges.is_empty() {
        steps.push(BREAK_CYCLE.to_owned());
    }
    if !steps.is_empty() {
        next_steps(out, &steps);
    }
}

/// The same from an engine that does not look for blocks to blame.
const CYCLE_UNBLAMED: &str = "a cycle of transactions, and this engine does not say which blocks are violated";

/// What a cycle without blame is called, and what it means.
pub(super) const CYCLE: [&str; 2] = [
    "a cycle of transactions, and no block to blame",
    "run one after the other, in no order could these have seen what they saw",
];

/// How to break such a cycle.
pub(super) const BREAK_CYCLE: &str = "hold one lock, the same for all, over each transaction in the table";

fn render_witness(out: &mut String, witness: &Witness) {
    // Some engines know that there is a violation, and not how it came about.
    if witness.edges.is_empty() {
        return;
    }
    out.push('\n');
    for row in table::lines(witness) {
        line(out, 3, &row);
    }
    out.push('\n');
    line(out, 3, "events that conflict, each pair in the order in which it happened");
    for edge in &witness.edges {
        line(out, 5, &end(&edge.from));
        line(out, 7, &format!("before {}", end(&edge.to)));
    }
}

fn next_steps(out: &mut String, steps: &[String]) {
    out.push('\n');
    line(out, 3, "what to do next");
    for step in steps {
        line(out, 5, &format!("- {step}"));
    }
}

/// Such as `event 4: worker-1 in Cache.get at Cache.java:12: read of Cache.size`.
pub(super) fn end(end: &End) -> String {
    let method = end.method.as_deref().map_or(String::new(), |method| format!(" in {}", short(method)));
    let place = if end.location.is_empty() { String::new() } else { format!(" at {}", place(end)) };
    let number = end.event.map_or(String::new(), |event| format!("event {event}: "));
    let access = if end.access.contains(" of ") { end.access.clone() } else { end.access.replacen(' ', " of ", 1) };
    // A thread may be called `1`.
    let is_word = end.thread.contains(char::is_alphabetic);
    format!("{number}{}{}{method}{place}: {access}", if is_word { "" } else { "thread " }, end.thread)
}

fn place(end: &End) -> String {
    match (end.location.as_str(), end.event) {
        ("", Some(event)) => format!("event {event}"),
        ("", None) => "an unknown place".to_owned(),
        (location, _) => place_of(location),
    }
}

/// A location that is a bare number, as RAPID writes it, needs a word.
pub(super) fn place_of(location: &str) -> String {
    let is_number = location.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { format!("location {location}") } else { location.to_owned() }
}

pub(super) fn name(method: Option<&str>) -> &str {
    method.unwrap_or("a block without a label")
}

pub(super) fn noun(count: impl TryInto<u64>, noun: &str) -> String {
    if count.try_into().is_ok_and(|count| count == 1) { noun.to_owned() } else { format!("{noun}s") }
}

pub(super) fn line(out: &mut String, indent: usize, text: &str) {
    writeln!(out, "{:indent$}{text}", "").expect("a string takes all that is written");
}
