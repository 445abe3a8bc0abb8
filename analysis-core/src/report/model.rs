//! The one model of what was found, of a run and of a trace alike: grouped by the event that shows it, one finding for a
//! method, the likeliest bug first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::call::Call;
use super::details::{Details, Ends, EventDetail};
use super::kind::Kind;
use super::rank::{Application, Rank, sort};
use super::summary::{Answer, Summary};
use super::guided::Guided;
use super::watched::Watched;
use crate::engine::{Edge, EngineSpec, Violation};
use crate::event::{LabelId, Op, Stamp, ThreadId};
use crate::filter::Saved;
use crate::trace::one_line;
use crate::trace::symbols::Symbols;

/// All that is said of one run, or of one trace by one engine: what every format prints.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What is said of the whole.
    pub head: Head<'a>,
    /// One for each method that was the innermost violated block of some event, the likeliest bug first.
    pub findings: Vec<Finding>,
    /// The methods that were violated around those alone, in the same order.
    pub callers: Vec<Finding>,
    /// The cycle, where the execution is non-serializable and no block is to blame.
    pub cycle: Option<Witness>,
    /// Violated blocks in which their thread waited for others, so that they can hardly have been meant to be atomic.
    pub waits_inside: Vec<Finding>,
}

/// What is said of the whole.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// What was analysed, as the user knows it.
    pub subject: &'a str,
    /// How it was observed.
    pub source: Source,
    /// The engine.
    pub engine: &'a EngineSpec,
    /// Verdict and counts of violated blocks.
    pub answer: Answer,
    /// The first event that shows that it is non-serializable, if events have numbers.
    pub first_event: Option<u64>,
    /// How many blocks there are.
    pub blocks: u64,
    /// How much was analysed.
    pub size: Size,
    /// How many threads.
    pub threads: u64,
    /// Why the run is incomplete, as far as that is not among the warnings.
    pub reasons: Vec<String>,
    /// What else is to be said.
    pub warnings: Vec<String>,
    /// What may help to see more, or less.
    pub hints: Vec<String>,
    /// What filters have saved.
    pub saved: &'a [Saved],
    /// How much was watched, if that was to be only a part; all other counts are of that part.
    pub watched: Option<Watched>,
    /// What a profile of earlier runs left to be watched, if there is one.
    pub guided: Option<Guided>,
    /// Figures that were asked for.
    pub notes: Vec<String>,
    /// The most findings that a text report describes in detail.
    pub most: usize,
}

/// How much was analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The number of events.
    Events(u64),
    /// The number of dependencies between threads, where nothing counts the events.
    Dependencies(u64),
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Size::Events(1) => write!(f, "1 event"),
            Size::Events(events) => write!(f, "{events} events"),
            Size::Dependencies(1) => write!(f, "1 dependency between threads"),
            Size::Dependencies(dependencies) => write!(f, "{dependencies} dependencies between threads"),
        }
    }
}

/// How an execution was observed, which decides what options are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// By the agent, while it ran.
    Run,
    /// It was recorded.
    Trace,
}

impl<'a> From<&Summary<'a>> for Head<'a> {
    fn from(summary: &Summary<'a>) -> Head<'a> {
        Head {
            subject: summary.trace,
            source: Source::Trace,
            engine: summary.engine,
            answer: summary.answer(),
            first_event: summary.first_event(),
            blocks: summary.instances.total(),
            size: Size::Events(summary.events),
            threads: summary.threads,
            reasons: summary.context.reasons.clone(),
            warnings: summary.warnings.to_vec(),
            hints: Vec::new(),
            saved: summary.saved,
            watched: None,
            guided: None,
            notes: Vec::new(),
            most: usize::MAX,
        }
    }
}

/// A violated method.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its label; `None` for blocks without one.
    pub method: Option<String>,
    /// How many instances of it were violated, around others too; those that wait inside are counted apart.
    pub count: u64,
    /// How many instances of it there are.
    pub instances: u64,
    /// What happened to the first.
    pub kind: Kind,
    /// How it came about the first time.
    pub witness: Witness,
    /// The stack of its thread then, the innermost frame first; empty if it is not known.
    pub stack: Vec<String>,
    /// The methods around it that the same events violate, and how often; in the first such event the outermost first.
    pub enclosing: Vec<Enclosing>,
    /// Its rank among the findings.
    pub rank: Rank,
}

/// A violated block around the one of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Enclosing {
    /// Its method; `None` for a block without a label.
    pub method: Option<String>,
    /// How often it was around the finding's block when an event violated both.
    pub count: u64,
}

/// How a violation, or a cycle, came about.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The violated block's begin; `None` for a cycle that blames nobody.
    pub begin: Option<End>,
    /// The cross-thread edges, in the order of the walk.
    pub edges: Vec<WitnessEdge>,
    /// The events of the above, each once, in the order of the trace.
    pub rows: Vec<Row>,
    /// The transactions that they are in, in order of appearance: the columns of the table. Events of one thread outside
    /// any block share a column.
    pub columns: Vec<Column>,
    /// Writes under TSO that are shown twice: the row of the issue, and that of the commit.
    pub delays: Vec<(usize, usize)>,
    /// The two events of the block that a warning is about.
    pub pair: Option<[End; 2]>,
}

/// A transaction in the table of a witness.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name of the thread.
    pub thread: String,
    /// The method by its short name, or what stands for it.
    pub block: String,
    /// False for the events of a thread outside any block.
    pub is_block: bool,
}

impl Column {
    /// The thread and the method.
    pub fn name(&self) -> String {
        format!("{}: {}", self.thread, self.block)
    }
}

/// An event in the table of a witness.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number in the trace, if there is one.
    pub event: Option<u64>,
    /// The index of its transaction in [`Witness::columns`].
    pub column: usize,
    /// What it did.
    pub operation: String,
    /// Where.
    pub location: String,
}

/// A cross-thread edge, both ends.
#[derive(Clone, Debug, Serialize)]
pub struct WitnessEdge {
    /// What happened first.
    pub from: End,
    /// What happened after it and conflicts with it.
    pub to: End,
}

/// One end of an edge.
#[derive(Clone, Debug, Serialize)]
pub struct End {
    /// The number of the event in the trace, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The name of its thread.
    pub thread: String,
    /// The innermost block that it is in, where that has a label.
    pub method: Option<String>,
    /// Where in the program.
    pub location: String,
    /// What it did.
    pub access: String,
    /// The call of the platform's library that it stands for, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
}

/// The violations that become one finding, as indices.
pub(super) struct Group {
    label: LabelId,
    pub(super) first: usize,
    count: u64,
    enclosing: Vec<(LabelId, u64)>,
}

impl<'a> Report<'a> {
    /// The numbers of the events that a report names, so that [`Details`] can be read.
    pub fn events(summary: &Summary) -> BTreeSet<u64> {
        let violations = &summary.findings.violations;
        let mut events = BTreeSet::new();
        for group in grouped(summary).iter().chain(&apart(summary)) {
            events.insert(violations[group.first].begin);
            events.extend(ends(&violations[group.first].edges));
            if violations[group.first].is_warning() {
                events.extend(ends(&[violations[group.first].pair()]));
            }
        }
        if violations.is_empty() {
            events.extend(summary.findings.cycle.iter().flat_map(|cycle| ends(&cycle.edges)));
        }
        events
    }

    /// Groups and ranks. `details` are those of [`Report::events`]; `most` findings are described in detail.
    pub fn new(summary: &Summary<'a>, symbols: &Symbols, details: &Details, most: usize) -> Report<'a> {
        let blameless = summary.findings.cycle.as_ref().filter(|_| summary.findings.violations.is_empty());
        let told = |groups: Vec<Group>| {
            let mut findings: Vec<Finding> =
                groups.iter().map(|group| Finding::of(group, summary, symbols, details)).collect();
            sort(&mut findings);
            findings
        };
        let findings = told(grouped(summary));
        let hints = hints(&findings, &summary.context.application).into_iter().collect();
        Report {
            head: Head { most, hints, ..Head::from(summary) },
            findings,
            callers: Vec::new(),
            cycle: blameless.map(|cycle| Witness::of_cycle(&cycle.edges, details)),
            waits_inside: told(apart(summary)),
        }
    }
}

impl Finding {
    fn of(group: &Group, summary: &Summary, symbols: &Symbols, ends: &impl Ends) -> Finding {
        Finding::new(group, &summary.findings.violations[group.first], summary, symbols, ends)
    }

    /// The finding of a group, told by this violation.
    pub(super) fn new(
        group: &Group,
        violation: &Violation,
        summary: &Summary,
        symbols: &Symbols,
        ends: &impl Ends,
    ) -> Finding {
        let name = |label| symbols.label(label).map(|name| one_line(&name));
        let (method, kind) = (name(group.label), Kind::of_violation(violation, ends));
        let witness = Witness::of_violation(violation, ends);
        let enclosing = group.enclosing.iter().map(|(label, count)| Enclosing { method: name(*label), count: *count });
        Finding {
            rank: Rank::of(method.as_deref(), kind, &witness, &summary.context.application),
            method,
            count: group.count,
            instances: summary.instances.of(group.label),
            kind,
            enclosing: enclosing.collect(),
            witness,
            stack: Vec::new(),
        }
    }
}

/// The violations of each event, outer blocks first: they are adjacent.
pub(crate) fn by_event(violations: &[Violation]) -> impl Iterator<Item = &[Violation]> {
    violations.chunk_by(|a, b| (a.thread, a.event) == (b.thread, b.event))
}

/// The violations that count by innermost violated method, in order of detection.
pub(super) fn grouped(summary: &Summary) -> Vec<Group> {
    let violations = &summary.findings.violations;
    let mut groups: BTreeMap<LabelId, Group> = BTreeMap::new();
    let mut start = 0;
    for together in by_event(violations) {
        let end = start + together.len();
        let counted: Vec<usize> = (start..end).filter(|index| !summary.waits(&violations[*index])).collect();
        start = end;
        let Some((&innermost, outer)) = counted.split_last() else { continue };
        let label = violations[innermost].label;
        let fresh = Group { label, first: innermost, count: 0, enclosing: Vec::new() };
        let group = groups.entry(label).or_insert(fresh);
        for outer in outer.iter().map(|outer| &violations[*outer]) {
            match group.enclosing.iter_mut().find(|(label, _)| *label == outer.label) {
                Some((_, count)) => *count += 1,
                None => group.enclosing.push((outer.label, 1)),
            }
        }
    }
    // An instance that was violated around another method's counts too.
    for violation in violations.iter().filter(|violation| !summary.waits(violation)) {
        if let Some(group) = groups.get_mut(&violation.label) {
            group.count += 1;
        }
    }
    in_order_of_detection(groups)
}

/// The violations that are listed separately, by method, in order of detection.
fn apart(summary: &Summary) -> Vec<Group> {
    let mut groups: BTreeMap<LabelId, Group> = BTreeMap::new();
    for (first, violation) in summary.findings.violations.iter().enumerate().filter(|(_, v)| summary.waits(v)) {
        let label = violation.label;
        groups.entry(label).or_insert(Group { label, first, count: 0, enclosing: Vec::new() }).count += 1;
    }
    in_order_of_detection(groups)
}

fn in_order_of_detection(groups: BTreeMap<LabelId, Group>) -> Vec<Group> {
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by_key(|group| group.first);
    groups
}

pub(super) fn ends(edges: &[Edge]) -> impl Iterator<Item = u64> + '_ {
    edges.iter().flat_map(|edge| [edge.from.position(), edge.to.position()])
}

/// So many findings are enough to say where most of them lie.
const ENOUGH: usize = 3;

/// Says where most findings lie, if that is in a library.
pub fn hints(findings: &[Finding], application: &Application) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for method in findings.iter().filter_map(|finding| finding.method.as_deref()) {
        // A package of three segments is a library as its users know it: org.eclipse.jetty.
        let its = package(method);
        let short = its.match_indices('.').nth(2).map_or(its, |(at, _)| &its[..at]);
        if application.excludes(method) && !short.is_empty() {
            *counts.entry(short).or_default() += 1;
        }
    }
    let (library, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let all = findings.len();
    let own = application.packages().iter().find(|own| !own.is_empty());
    let instead = own.map_or(String::new(), |own| format!(" or include={own}.*"));
    let is_most = all >= ENOUGH && 2 * count > all;
    is_most.then(|| format!("{count} of {all} findings are in {library}: exclude={library}.*{instead}"))
}

/// The package of a method's class: `com.example` of `com.example.Cache.get(int)`; empty for none.
pub(super) fn package(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let class = name.rsplit_once('.').map_or("", |(class, _)| class);
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

impl Witness {
    /// How a violation came about.
    pub fn of_violation(violation: &Violation, ends: &impl Ends) -> Witness {
        let pair = violation.is_warning().then(|| violation.pair());
        Witness {
            pair: pair.map(|pair| [End::new(&ends.from(&pair)), End::new(&ends.to(&pair))]),
            ..Witness::new(Some(ends.begin(violation)), &violation.edges, ends)
        }
    }

    /// How a cycle came about.
    pub fn of_cycle(edges: &[Edge], ends: &impl Ends) -> Witness {
        Witness::new(None, edges, ends)
    }

    fn new(begin: Option<EventDetail>, edges: &[Edge], ends: &impl Ends) -> Witness {
        let mut edges: Vec<(EventDetail, EventDetail)> =
            edges.iter().map(|edge| (ends.from(edge), ends.to(edge))).collect();
        share_fields(&mut edges);
        let mut keys: Vec<(ThreadId, Option<u64>)> = Vec::new();
        let mut columns = Vec::new();
        let rows = in_order(begin.as_ref(), &edges, ends.has_epochs()).into_iter().map(|detail| {
            let key = (detail.thread, detail.transaction);
            let column = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                columns.push(column_of(detail));
                keys.len() - 1
            });
            Row { event: detail.number, column, operation: operation(detail), location: detail.location.clone() }
        });
        let rows = rows.collect();
        let edges = edges.iter().map(|(from, to)| WitnessEdge { from: End::new(from), to: End::new(to) });
        Witness {
            begin: begin.as_ref().map(End::new),
            edges: edges.collect(),
            rows,
            columns,
            delays: Vec::new(),
            pair: None,
        }
    }
}

/// If it is not known at one call from which field the program has its receiver, another call on the same object tells.
fn share_fields(edges: &mut [(EventDetail, EventDetail)]) {
    let all = || edges.iter().flat_map(|(from, to)| [from, to]);
    let known: Vec<EventDetail> =
        all().filter(|detail| detail.call.as_ref().is_some_and(|call| call.field.is_some())).cloned().collect();
    for detail in edges.iter_mut().flat_map(|(from, to)| [from, to]) {
        let Some(call) = detail.call.clone().filter(|call| call.field.is_none()) else { continue };
        let field =
            known.iter().filter(|other| is_one_object(detail, other)).find_map(|other| other.call.clone()?.field);
        *detail = detail.clone().calling(Some(Call { field, ..call }));
    }
}

/// True for calls on one object: on one variable, or on parts of what is known to be one.
pub(super) fn is_one_object(one: &EventDetail, other: &EventDetail) -> bool {
    let (Some(call), Some(called)) = (&one.call, &other.call) else { return false };
    one.op.variable().is_some_and(|variable| other.op.variable() == Some(variable)) || call.has_receiver_of(called)
}

/// The events of a witness, each once: by their numbers, or where there are none in an order that respects their threads
/// and the edges. With `has_epochs`, events of one stamp are distinguished by what they did and where.
fn in_order<'a>(
    begin: Option<&'a EventDetail>,
    edges: &'a [(EventDetail, EventDetail)],
    has_epochs: bool,
) -> impl IntoIterator<Item = &'a EventDetail> {
    let is_same = |a: &EventDetail, b: &EventDetail| {
        let did = |detail: &'_ EventDetail| (detail.op, detail.operation.clone(), detail.location.clone());
        a.stamp == b.stamp && (!has_epochs || did(a) == did(b))
    };
    let mut left: Vec<&EventDetail> = Vec::new();
    for detail in begin.into_iter().chain(edges.iter().flat_map(|(from, to)| [from, to])) {
        if left.iter().all(|known| !is_same(known, detail)) {
            left.push(detail);
        }
    }
    left.sort_by_key(|detail| detail.number);
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let comes_after = |detail: &EventDetail, other: Stamp| {
            other.thread() == detail.stamp.thread() && other.position() < detail.stamp.position()
                || edges.iter().any(|(from, to)| to.stamp == detail.stamp && from.stamp == other)
        };
        let is_first = |detail: &&EventDetail| left.iter().all(|other| !comes_after(detail, other.stamp));
        // Happens-before has no cycle, so some event is first.
        let first = left.iter().position(is_first).unwrap_or(0);
        ordered.push(left.remove(first));
    }
    ordered
}

/// The transaction of an event.
pub(super) fn column_of(detail: &EventDetail) -> Column {
    let block = match (&detail.transaction_method, detail.transaction, &detail.method) {
        (Some(method), _, _) | (None, None, Some(method)) => short(method),
        (None, Some(_), _) => "block",
        (None, None, None) => "outside blocks",
    };
    Column {
        thread: detail.thread_name.clone(),
        block: block.to_owned(),
        is_block: detail.transaction.is_some() || detail.transaction_method.is_some(),
    }
}

/// What it did, with a method by its short name.
fn operation(detail: &EventDetail) -> String {
    match (detail.op, &detail.method) {
        (Op::Begin(_), Some(method)) => format!("begin({})", short(method)),
        _ => detail.operation.clone(),
    }
}

/// A method without its package and arguments: `Cache.get` of `com.example.Cache.get(java.lang.Object)`,
/// and of `com/example/Cache.get(Ljava/lang/Object;)V`.
pub fn short(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let mut dots = name.rmatch_indices('.').map(|(at, _)| at);
    dots.next();
    let name = dots.next().map_or(name, |at| &name[at + 1..]);
    name.rsplit('/').next().unwrap_or(name)
}

impl End {
    /// True if a reader could not distinguish the two.
    pub(super) fn is_same(&self, other: &End) -> bool {
        let parts = |end: &End| (end.event, end.thread.clone(), end.location.clone(), end.access.clone());
        parts(self) == parts(other)
    }

    pub(super) fn new(detail: &EventDetail) -> End {
        End {
            event: detail.number,
            thread: detail.thread_name.clone(),
            method: detail.method.clone(),
            location: detail.location.clone(),
            access: detail.access.clone(),
            call: detail.call.clone(),
        }
    }
}
