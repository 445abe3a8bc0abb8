//! The report for a person.
//!
//! First the verdict, in one line that can be read alone. Then, for each finding, what happened, how often, a table of
//! the events with a column for each transaction, both ends of each edge, and what to do next.

use unicode_width::UnicodeWidthStr;

use super::lines::{NARROWEST, end, line, more, place};
use super::table::{self, fit};
use super::watched;
use super::{attached, data, guided, sifted};
use crate::engine::{BlameClaim, EngineSpec};
use crate::engines;
use crate::report::judgement::advice::{BREAK_CYCLE, advice};
use crate::report::judgement::rank::initializer;
use crate::report::model::finding::{Enclosing, Finding};
use crate::report::model::identity::Identity;
use crate::report::model::kind::CYCLE;
use crate::report::model::report::{Head, Report, Source};
use crate::report::model::sifted::Status;
use crate::report::model::summary::{Loss, Verdict};
use crate::report::model::witness::Witness;
use crate::report::model::words::{name, noun, short};

pub use super::lines::WIDEST;

/// The report, ending in a line break. No table is wider than `width`.
pub fn render(report: &Report, width: usize) -> String {
    let width = width.clamp(NARROWEST, WIDEST);
    let head = &report.head;
    let mut out = String::new();
    headline(&mut out, head);
    warnings(&mut out, head);
    for hint in &head.hints {
        line(&mut out, 2, &format!("hint: {hint}"));
    }
    for saved in head.saved {
        line(&mut out, 2, &saved.to_string());
    }
    for note in &head.notes {
        line(&mut out, 2, note);
    }
    let told = &report.findings[..report.findings.len().min(head.most)];
    overview(&mut out, told, width);
    for (number, finding) in (1..).zip(told) {
        out.push('\n');
        render_finding(&mut out, number, finding, head.source, width);
    }
    let hidden = report.findings.len() - told.len();
    if hidden > 0 {
        out.push('\n');
        more(&mut out, 0, hidden, "finding", head.source);
    }
    if let Some(cycle) = &report.cycle {
        out.push('\n');
        render_cycle(&mut out, cycle, head.engine, width);
        render_status(&mut out, report.cycle_status, || Identity::of(None, cycle).id());
    }
    if !report.waits_inside.is_empty() {
        out.push('\n');
        render_waits(&mut out, &report.waits_inside, head, width);
    }
    sifted::render(&mut out, head);
    watched::render(&mut out, head, width);
    out
}

/// If the verdict is "incomplete", the headline already has the reasons.
pub(super) fn warnings(out: &mut String, head: &Head) {
    warned(head).iter().for_each(|warning| line(out, 2, warning));
}

/// The same as sentences.
pub(super) fn warned(head: &Head) -> Vec<String> {
    let is_said = head.answer.verdict() == Verdict::Incomplete;
    let reasons = head.reasons.iter().filter(|_| !is_said).map(|reason| format!("warning: incomplete: {reason}"));
    reasons.chain(head.warnings.iter().map(|warning| format!("warning: {warning}"))).collect()
}

/// A line for each finding: number, kind, method, rate, place. The method is cut first.
fn overview(out: &mut String, findings: &[Finding], width: usize) {
    if findings.is_empty() {
        return;
    }
    out.push('\n');
    let rows: Vec<[String; 5]> = (1..).zip(findings).map(|(number, finding)| overview_row(number, finding)).collect();
    let mut widths = [0; 5];
    for row in &rows {
        widths.iter_mut().zip(row).for_each(|(width, cell)| *width = (*width).max(cell.width()));
    }
    table::shrink(&mut widths, &[2, 4, 1], width.saturating_sub(2 * 5));
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| padded(&fit(cell, width), width));
        line(out, 2, cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

fn overview_row(number: usize, finding: &Finding) -> [String; 5] {
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    [
        number.to_string(),
        finding.kind.name().to_owned(),
        finding.method.as_deref().map_or(name(None), short).to_owned(),
        format!("{} of {}{}", finding.count, finding.instances, remark(finding.status)),
        place(begin).rsplit('/').next().unwrap_or_default().to_owned(),
    ]
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

pub(super) fn headline(out: &mut String, head: &Head) {
    let lines = headlines(head);
    lines.iter().enumerate().for_each(|(index, text)| line(out, if index == 0 { 0 } else { 2 }, text));
}

/// The same: first the verdict, then the counts and what else is to be said of them.
pub(super) fn headlines(head: &Head) -> Vec<String> {
    let from = head.first_event.map_or(String::new(), |first| format!(" from event {first} on"));
    let answer = &head.answer;
    let mut what = match (answer.verdict(), answer.is_non_serializable) {
        (Verdict::Serializable, _) => "serializable".to_owned(),
        (Verdict::NonSerializable, _) => format!("non-serializable{from}"),
        (Verdict::Incomplete, true) => format!("incomplete, and non-serializable{from}"),
        (Verdict::Incomplete, false) if answer.only_warns => "undecided, incomplete".to_owned(),
        (Verdict::Incomplete, false) => "no violation found, incomplete".to_owned(),
        (Verdict::Undecided, _) if answer.loss == Loss::Blocks => {
            "no answer, because there was no block to judge".to_owned()
        }
        (Verdict::Undecided, _) if head.watched.is_some() || head.guided.is_some() || head.attached.is_some() => {
            "no violation found in the part that was watched".to_owned()
        }
        (Verdict::Undecided, _) => "undecided".to_owned(),
    };
    if answer.verdict() == Verdict::Incomplete
        && let Some((first, others)) = head.reasons.split_first()
    {
        what += &format!(": {first}");
        others.iter().for_each(|reason| what += &format!("; {reason}"));
    }
    what += &sifted::excuse(head.sifted.as_ref());
    let mut lines = vec![format!("{}: {what}", head.subject), counts(head)];
    lines.extend(head.sifted.as_ref().map(sifted::summary));
    lines.extend(head.watched.as_ref().map(watched::summary));
    lines.extend(head.guided.as_ref().map(guided::summary));
    lines.extend(head.attached.as_ref().map(attached::summary));
    lines.extend(answer.remark(is_silent(head.engine)));
    lines
}

fn counts(head: &Head) -> String {
    let count = |number: u64, what: &str| format!("{number} {}", noun(number, what));
    let what_blocks = if head.watched.is_some() { "watched block" } else { "block" };
    let (blocks, name) = (count(head.blocks, what_blocks), head.engine.name);
    let size = format!("{}, {}", head.size, count(head.threads, "thread"));
    if is_silent(head.engine) {
        return format!("{blocks}; {size}; engine {name}, which blames no blocks");
    }
    format!("{} of {blocks} {}; {size}; engine {name}", head.answer.counted, what(head.engine))
}

/// What it says of the blocks that it names.
fn what(engine: &EngineSpec) -> &'static str {
    if engine.claim.only_warns() { "suspected" } else { "violated" }
}

/// "No block is violated" is not what such an engine says.
fn is_silent(engine: &EngineSpec) -> bool {
    engine.claim.blame == BlameClaim::Silent
}

/// Why blocks that wait inside stand apart.
pub(super) const UNCOUNTED: &str = "but they start or wait for other threads, so they are not counted";

/// One line each: nobody meant these to be atomic.
fn render_waits(out: &mut String, findings: &[Finding], head: &Head, width: usize) {
    let what = what(head.engine);
    line(out, 0, &format!("waits inside: {what} too, {UNCOUNTED}"));
    let told = &findings[..findings.len().min(head.most)];
    for finding in told {
        let often = format!(": {} of {} {}", finding.count, finding.instances, noun(finding.instances, "instance"));
        let room = width.saturating_sub(3 + often.width());
        line(out, 3, &(fit(name(finding.method.as_deref()), room) + &often));
    }
    if told.len() < findings.len() {
        more(out, 3, findings.len() - told.len(), "method", head.source);
    }
}

pub(super) fn render_finding(out: &mut String, number: usize, finding: &Finding, source: Source, width: usize) {
    let method = name(finding.method.as_deref());
    line(out, 0, &format!("{number}. {method}: {}", finding.kind.name()));
    line(out, 3, finding.kind.meaning());
    render_status(out, finding.status, || finding.identity().id());
    remarks(finding, source).iter().for_each(|remark| line(out, 3, remark));
    if let Some((outermost, between)) = finding.enclosing.split_first() {
        line(out, 3, &enclosing(outermost, between));
    }
    if let Some(pair) = &finding.witness.pair {
        line(out, 3, "two of its events that do not move together:");
        pair.iter().for_each(|event| line(out, 5, &end(event)));
    }
    render_witness(out, &finding.witness, width);
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    render_stack(out, &finding.stack, &begin.thread);
    next_steps(out, &advice(finding, source));
}

/// Where there is a baseline, whether it has the finding, and by which id.
pub(super) fn render_status(out: &mut String, status: Option<Status>, id: impl FnOnce() -> String) {
    match status {
        Some(Status::New) => line(out, 3, &format!("new: the baseline does not have it (id {})", id())),
        Some(Status::Known) => line(out, 3, &format!("known: the baseline has it (id {})", id())),
        None => {}
    }
}

/// The same behind other words.
fn remark(status: Option<Status>) -> String {
    status.map_or(String::new(), |status| format!(", {}", status.name()))
}

/// What it rests on, how often it was seen, and where first.
pub(super) fn remarks(finding: &Finding, source: Source) -> Vec<String> {
    let mut remarks = data::said(&finding.witness, source);
    let (count, instances) = (finding.count, finding.instances);
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    let what = if finding.witness.pair.is_some() { "suspected" } else { "violated" };
    let often = format!("{what} in {count} of {instances} {}", noun(instances, "instance"));
    remarks.push(format!("{often}, first in {} at {}", begin.thread, place(begin)));
    if let Some(initializer) = initializer(finding.method.as_deref(), &finding.witness) {
        remarks.push(format!("a static initializer ran inside it and is no part of it: {initializer}"));
    }
    remarks
}

/// The most frames of a stack that the text shows: those below are the framework's more often than the program's.
const FRAMES: usize = 12;

fn render_stack(out: &mut String, stack: &[String], thread: &str) {
    if stack.is_empty() {
        return;
    }
    out.push('\n');
    line(out, 3, &format!("where {thread} was then"));
    let told = &stack[..stack.len().min(FRAMES)];
    told.iter().for_each(|frame| line(out, 5, frame));
    if told.len() < stack.len() {
        line(out, 5, &format!("{} more: see format=json", stack.len() - told.len()));
    }
}

/// The outermost caller, and how many others there are: few read on after the second.
fn enclosing(outermost: &Enclosing, between: &[Enclosing]) -> String {
    let times = if outermost.count == 1 { "once".to_owned() } else { format!("{} times", outermost.count) };
    let others = match between.len() {
        0 => String::new(),
        count => format!(", and {count} {} between, see JSON", noun(count, "caller")),
    };
    format!("with it {times}: {}, which was open around it{others}", name(outermost.method.as_deref()))
}

pub(super) fn render_cycle(out: &mut String, cycle: &Witness, engine: &EngineSpec, width: usize) {
    line(out, 0, name_of_cycle(engine));
    line(out, 3, CYCLE[1]);
    render_witness(out, cycle, width);
    let steps = steps_of_cycle(cycle, engine);
    if !steps.is_empty() {
        next_steps(out, &steps);
    }
}

/// What a cycle that blames nobody is called.
pub(super) fn name_of_cycle(engine: &EngineSpec) -> &'static str {
    if is_silent(engine) { CYCLE_UNBLAMED } else { CYCLE[0] }
}

/// What to do about it.
pub(super) fn steps_of_cycle(cycle: &Witness, engine: &EngineSpec) -> Vec<String> {
    let mut steps = Vec::new();
    if is_silent(engine) {
        steps.push(format!("use engine {}: it says which blocks are violated, and how", engines::default().name));
    }
    // Without edges there is no table.
    if !cycle.edges.is_empty() {
        steps.push(BREAK_CYCLE.to_owned());
    }
    steps
}

/// The same from an engine that does not look for blocks to blame.
const CYCLE_UNBLAMED: &str = "a cycle of transactions, and this engine does not say which blocks are violated";

pub(super) fn render_witness(out: &mut String, witness: &Witness, width: usize) {
    // Some engines know that there is a violation, and not how it came about.
    if witness.edges.is_empty() {
        return;
    }
    out.push('\n');
    for row in table::lines(witness, width - 3) {
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
