//! The report for a person.
//!
//! First the verdict, in one line that can be read alone. Then, for each finding, what happened, how often, a table of
//! the events with a column for each transaction, both ends of each edge, and what to do next.

use std::fmt::Write;

use super::advice::advice;
use super::model::{End, Finding, Report, Witness, short};
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
        let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
        line(out, 3, &format!("with it {times}: {}, which was open around it", name(outer.as_deref())));
    }
    render_witness(out, &finding.witness);
    next_steps(out, &advice(finding));
}

fn render_cycle(out: &mut String, cycle: &Witness) {
    line(out, 0, "a cycle of transactions, and no block to blame");
    line(out, 3, "run one after the other, in no order could these have seen what they saw");
    render_witness(out, cycle);
    next_steps(out, &["hold one lock, the same for all, over each transaction in the table".to_owned()]);
}

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

/// Such as `4 worker-1 in Cache.get at Cache.java:12: read of Cache.size`.
fn end(end: &End) -> String {
    let method = end.method.as_deref().map_or(String::new(), |method| format!(" in {}", short(method)));
    let place = if end.location.is_empty() { String::new() } else { format!(" at {}", place(end)) };
    format!("{} {}{method}{place}: {}", end.event, end.thread, end.access.replacen(' ', " of ", 1))
}

/// A location that is a bare number, as RAPID writes it, needs a word.
fn place(end: &End) -> String {
    match end.location.as_str() {
        "" => format!("event {}", end.event),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("location {number}"),
        location => location.to_owned(),
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
