//! The report for a person.
//!
//! First the verdict, in one line that can be read alone. Then, for each finding, what happened, how often, a table of
//! the events with a column for each transaction, both ends of each edge, and what to do next.

use unicode_width::UnicodeWidthStr;

use super::lines::{NARROWEST, WIDEST, end, line, more, place};
use super::paint::Paint;
use super::table::{self, fit};
use super::watched;
use super::{attached, data, guided, provoked, replayed, sifted};
use crate::engine::{BlameClaim, EngineSpec};
use crate::engines;
use crate::report::judgement::advice::{BREAK_CYCLE, advice};
use crate::report::judgement::rank::initializer;
use crate::report::judgement::reason::meaning;
use crate::report::model::finding::{Enclosing, Finding};
use crate::report::model::identity::{Identity, Touched};
use crate::report::model::kind::CYCLE;
use crate::report::model::report::{Head, Kept, Listed, Report, Source};
use crate::report::model::sifted::Status;
use crate::report::model::summary::{Loss, Verdict};
use crate::report::model::witness::Witness;
use crate::report::model::words::{name, noun, short};

pub use super::lines::USUAL;

/// The default number of findings that a report for a person shows in detail.
pub const DETAILS: usize = 3;

/// How a report for a person is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The width of the widest table, in columns of text.
    pub width: usize,
    /// The most findings that are shown in detail.
    pub details: usize,
    /// Whether important parts have colours, by ANSI escape sequences.
    pub has_colours: bool,
}

impl Layout {
    /// The layout in a file.
    pub fn of_file(details: usize) -> Layout {
        Layout { width: USUAL, details, has_colours: false }
    }

    /// The width, within the limits for tables.
    pub(super) fn columns(&self) -> usize {
        self.width.clamp(NARROWEST, WIDEST)
    }

    pub(super) fn paint(&self) -> Paint {
        Paint(self.has_colours)
    }
}

/// The report, ending in a line break: first the verdict and a line for each finding, to fit on one screen, then the details of the
/// first findings.
pub fn render(report: &Report, layout: &Layout) -> String {
    let (width, paint) = (layout.columns(), layout.paint());
    let head = &report.head;
    let mut out = String::new();
    headline(&mut out, head, paint);
    warnings(&mut out, head, paint);
    for hint in &head.hints {
        line(&mut out, 2, &format!("{} {hint}", paint.strong("hint:")));
    }
    for saved in head.saved {
        line(&mut out, 2, &saved.to_string());
    }
    for note in &head.notes {
        line(&mut out, 2, note);
    }
    let listed = report.listed(head.most);
    overview(&mut out, &listed, width);
    let hidden = report.findings.len() - listed.len();
    if hidden > 0 {
        if listed.is_empty() {
            out.push('\n');
        }
        more(&mut out, 2, hidden, "finding", head.source);
    }
    let (detailed, others) = listed.split_at(listed.len().min(layout.details));
    if let Some(next) = others.first() {
        let how = how_to_see(head, detailed.len(), next.number);
        line(&mut out, 2, &format!("{} {how}", paint.strong("next:")));
    }
    for Listed { number, finding, .. } in detailed {
        out.push('\n');
        render_finding(&mut out, *number, finding, (head.source, head.steered.is_some()), width, paint);
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

/// What stands for a missing report: its `subject`, and why it is missing.
pub fn missing(subject: &str, why: &str) -> String {
    let mut out = String::new();
    line(&mut out, 0, &format!("{subject}: not judged"));
    why.lines().for_each(|why| line(&mut out, 2, why));
    out
}

/// One finding as in the report, without a number. No table is wider than `width`.
pub fn finding(finding: &Finding, source: Source, width: usize) -> String {
    let mut out = String::new();
    render_finding(&mut out, 1, finding, (source, false), width.clamp(NARROWEST, WIDEST), Paint::NONE);
    out.strip_prefix("1. ").map_or_else(|| out.clone(), str::to_owned)
}

/// How to see the details of a finding that is not among the first so many.
fn how_to_see(head: &Head, detailed: usize, number: usize) -> String {
    let what = match detailed {
        0 => "the details of one:".to_owned(),
        1 => "the first one is told below, and another one by".to_owned(),
        _ => format!("the first {detailed} are told below, and another one by"),
    };
    let explain = |of: &str| format!("  regiontrack explain {of} {number}");
    let how = match &head.kept {
        Kept::In(file) => explain(file),
        Kept::By(option) => format!("  {option}  and then{}", explain(Kept::FILE)),
    };
    what + &how
}

/// Prints the warnings. If the verdict is "incomplete", the headline already has the reasons.
pub(super) fn warnings(out: &mut String, head: &Head, paint: Paint) {
    for warning in warned(head) {
        let (word, rest) = warning.split_at(WARNING.len());
        line(out, 2, &format!("{}{rest}", paint.doubtful(word)));
    }
}

/// What each warning begins with.
const WARNING: &str = "warning:";

/// The warnings as sentences.
pub(super) fn warned(head: &Head) -> Vec<String> {
    let is_said = head.answer.verdict() == Verdict::Incomplete;
    let reasons = head.reasons.iter().filter(|_| !is_said).map(|reason| format!("{WARNING} incomplete: {reason}"));
    reasons.chain(head.warnings.iter().map(|warning| format!("{WARNING} {warning}"))).collect()
}

/// A line for each listed finding: number, kind, method, variable or lock, rate, place. If there is not enough room, the places are
/// dropped and then the kinds are cut: readers look for names.
fn overview(out: &mut String, listed: &[Listed], width: usize) {
    if listed.is_empty() {
        return;
    }
    out.push('\n');
    let mut rows: Vec<Vec<String>> = listed.iter().map(|listed| overview_row(listed).to_vec()).collect();
    let columns = rows[0].len();
    let widest = |rows: &[Vec<String>]| {
        let of = |at: usize| rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
        (0..rows[0].len()).map(of).collect::<Vec<usize>>()
    };
    let room = |columns: usize| width.saturating_sub(2 * columns);
    let mut widths = widest(&rows);
    if widths.iter().sum::<usize>() > room(columns) {
        rows.iter_mut().for_each(|row| row.truncate(columns - 1));
        widths = widest(&rows);
        table::shrink(&mut widths, &[1], room(columns - 1));
    }
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| padded(&fit(cell, *width), *width));
        line(out, 2, cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

fn overview_row(listed: &Listed) -> [String; 6] {
    let Listed { number, finding, unlisted } = *listed;
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    let others = match unlisted {
        0 => String::new(),
        _ => format!("; {unlisted} more {}", noun(unlisted, "cause")),
    };
    [
        number.to_string(),
        finding.kind.name().to_owned(),
        finding.method.as_deref().map_or(name(None), short).to_owned(),
        about(finding),
        format!("{} of {}{}{others}", finding.count, finding.instances, remark(finding.status)),
        place(begin).rsplit('/').next().unwrap_or_default().to_owned(),
    ]
}

/// The variable or lock at which the finding shows, and the one that the block had accessed before, if it returns to
/// another.
pub(super) fn about(finding: &Finding) -> String {
    let identity = finding.identity();
    let named = |touched: &Touched| fit(&touched.briefly(), WIDEST_NAME);
    match (identity.touched.first(), identity.before.first()) {
        (None, _) => "-".to_owned(),
        (Some(on), None) => named(on),
        (Some(on), Some(before)) => format!("{} after {}", named(on), named(before)),
    }
}

/// The most columns of text for the name of a variable.
const WIDEST_NAME: usize = 100;

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

pub(super) fn headline(out: &mut String, head: &Head, paint: Paint) {
    let lines = headlines(head);
    let (subject, verdict) = lines[0].split_at(head.subject.len() + ": ".len());
    let verdict = match head.answer.verdict() {
        _ if head.answer.is_violation() && !head.answer.is_excused => paint.bad(verdict),
        Verdict::Serializable => paint.good(verdict),
        Verdict::NonSerializable => paint.strong(verdict),
        Verdict::Incomplete | Verdict::Undecided => paint.doubtful(verdict),
    };
    line(out, 0, &format!("{subject}{verdict}"));
    lines[1..].iter().for_each(|text| line(out, 2, text));
}

/// The headlines: first the verdict, then the counts and further remarks on them.
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
        (Verdict::Undecided, _) if answer.loss == Loss::Unwatched => {
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
    lines.extend(head.steered.as_ref().map(provoked::summary));
    lines.extend(head.replayed.as_ref().map(replayed::summary));
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

/// What the engine calls the blocks that it names.
fn what(engine: &EngineSpec) -> &'static str {
    if engine.claim.only_warns() { "suspected" } else { "violated" }
}

/// True if the engine blames no blocks, so that "no block is violated" is not its answer.
fn is_silent(engine: &EngineSpec) -> bool {
    engine.claim.blame == BlameClaim::Silent
}

/// Why blocks that wait inside are listed apart.
pub(super) const UNCOUNTED: &str = "but they start or wait for other threads, so they are not counted";

/// Prints one line for each of these findings, which nobody meant to be atomic.
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

/// Prints a finding of an execution that was observed in this way, and in which threads were held or not.
pub(super) fn render_finding(
    out: &mut String,
    number: usize,
    finding: &Finding,
    (source, is_steered): (Source, bool),
    width: usize,
    paint: Paint,
) {
    let method = name(finding.method.as_deref());
    line(out, 0, &paint.strong(&format!("{number}. {method}: {}", finding.kind.name())));
    line(out, 3, &meaning(finding.kind, &finding.witness));
    render_status(out, finding.status, || finding.identity().id());
    remarks(finding, source, is_steered).iter().for_each(|remark| line(out, 3, remark));
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

/// If there is a baseline, says whether it has the finding, and under which id.
pub(super) fn render_status(out: &mut String, status: Option<Status>, id: impl FnOnce() -> String) {
    match status {
        Some(Status::New) => line(out, 3, &format!("new: the baseline does not have it (id {})", id())),
        Some(Status::Known) => line(out, 3, &format!("known: the baseline has it (id {})", id())),
        None => {}
    }
}

/// The status as a remark.
fn remark(status: Option<Status>) -> String {
    status.map_or(String::new(), |status| format!(", {}", status.name()))
}

/// What a finding rests on, how often it was seen, and where first; and how it came about, if threads were held.
pub(super) fn remarks(finding: &Finding, source: Source, is_steered: bool) -> Vec<String> {
    let mut remarks = data::said(&finding.witness, source);
    let (count, instances) = (finding.count, finding.instances);
    let begin = finding.witness.begin.as_ref().expect("a finding has a block");
    let what = if finding.witness.pair.is_some() { "suspected" } else { "violated" };
    let often = format!("{what} in {count} of {instances} {}", noun(instances, "instance"));
    remarks.push(format!("{often}, first in {} at {}", begin.thread, place(begin)));
    remarks.extend(provoked::how(finding.provoked.as_ref(), is_steered));
    remarks.extend(finding.provoked.as_ref().and_then(provoked::again));
    if let Some(initializer) = initializer(finding.method.as_deref(), &finding.witness) {
        remarks.push(format!("a static initializer ran inside it and is no part of it: {initializer}"));
    }
    remarks
}

/// The most frames of a stack that the text shows: those further down are the framework's more often than the
/// program's.
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

/// The name of a cycle that blames nobody.
pub(super) fn name_of_cycle(engine: &EngineSpec) -> &'static str {
    if is_silent(engine) { CYCLE_UNBLAMED } else { CYCLE[0] }
}

/// What to do about such a cycle.
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

/// The name of the cycle from an engine that does not look for blocks to blame.
const CYCLE_UNBLAMED: &str = "a cycle of transactions, and this engine does not say which blocks are violated";

pub(super) fn render_witness(out: &mut String, witness: &Witness, width: usize) {
    // Some engines know that there is a violation, but not how it came about.
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
