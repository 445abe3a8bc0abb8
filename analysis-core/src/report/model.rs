//! Findings as a person wants them: grouped by the event that shows them, one for a method, the rare first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::details::{Details, Ends, EventDetail};
use super::kind::Kind;
use super::summary::Summary;
use crate::engine::{Edge, Violation};
use crate::event::{LabelId, Op, Stamp, ThreadId};
use crate::trace::one_line;
use crate::trace::symbols::Symbols;

/// All that a text report says of one trace by one engine, but for the summary's own figures.
#[derive(Debug)]
pub struct Report {
    /// One for each method that was the innermost violated block of some event, rare ones first.
    pub findings: Vec<Finding>,
    /// How many findings there are, those included that were left out for length.
    pub total: usize,
    /// The cycle, where the trace is non-serializable and no block is to blame.
    pub cycle: Option<Witness>,
    /// Violated blocks in which their thread waited for others, so that they can hardly have been meant to be atomic.
    pub waits_inside: Vec<Finding>,
}

/// A violated method.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its label; `None` for blocks without one.
    pub method: Option<String>,
    /// How many instances of it were violated.
    pub count: u64,
    /// How many instances of it there are.
    pub instances: u64,
    /// What happened to the first.
    pub kind: Kind,
    /// How it came about the first time.
    pub witness: Witness,
    /// The methods around it that the same events violate, and how often; in the first such event the outermost first.
    pub enclosing: Vec<(Option<String>, u64)>,
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
#[derive(Clone, Debug)]
pub struct WitnessEdge {
    /// What happened first.
    pub from: End,
    /// What happened after it and conflicts with it.
    pub to: End,
}

/// One end of an edge.
#[derive(Clone, Debug)]
pub struct End {
    /// The number of the event in the trace, if there is one.
    pub event: Option<u64>,
    /// The name of its thread.
    pub thread: String,
    /// The innermost block that it is in, where that has a label.
    pub method: Option<String>,
    /// Where in the program.
    pub location: String,
    /// What it did.
    pub access: String,
}

/// The violations that become one finding, as indices.
pub(super) struct Group {
    label: LabelId,
    pub(super) first: usize,
    count: u64,
    enclosing: Vec<(LabelId, u64)>,
}

impl Report {
    /// The numbers of the events that a report of at most `most` findings names, so that [`Details`] can be read.
    pub fn events(summary: &Summary, most: usize) -> BTreeSet<u64> {
        let violations = &summary.findings.violations;
        let mut events = BTreeSet::new();
        for group in ranked(summary).iter().take(most) {
            events.insert(violations[group.first].begin);
            events.extend(ends(&violations[group.first].edges));
        }
        if violations.is_empty() {
            events.extend(summary.findings.cycle.iter().flat_map(|cycle| ends(&cycle.edges)));
        }
        events
    }

    /// Groups and ranks. `details` are those of [`Report::events`].
    pub fn new(summary: &Summary, symbols: &Symbols, details: &Details, most: usize) -> Report {
        let groups = ranked(summary);
        let findings = groups.iter().take(most).map(|group| {
            let violation = &summary.findings.violations[group.first];
            Finding::new(group, violation, summary, symbols, details)
        });
        let findings: Vec<Finding> = findings.collect();
        let blameless = summary.findings.cycle.as_ref().filter(|_| groups.is_empty());
        let cycle = blameless.map(|cycle| Witness::of_cycle(&cycle.edges, details));
        Report { findings, total: groups.len(), cycle, waits_inside: Vec::new() }
    }
}

impl Finding {
    /// The finding of a group, told by this violation.
    pub(super) fn new(
        group: &Group,
        violation: &Violation,
        summary: &Summary,
        symbols: &Symbols,
        ends: &impl Ends,
    ) -> Finding {
        let name = |label| symbols.label(label).map(|name| one_line(&name));
        Finding {
            method: name(group.label),
            count: group.count,
            instances: summary.instances.of(group.label),
            kind: Kind::of_violation(violation, ends),
            witness: Witness::of_violation(violation, ends),
            enclosing: group.enclosing.iter().map(|(label, count)| (name(*label), *count)).collect(),
        }
    }
}

/// The violations of each event, outer blocks first: so they stand together.
pub(crate) fn by_event(violations: &[Violation]) -> impl Iterator<Item = &[Violation]> {
    violations.chunk_by(|a, b| (a.thread, a.event) == (b.thread, b.event))
}

/// The violations by innermost violated method; those whose rate is least first, then in order of detection.
pub(super) fn ranked(summary: &Summary) -> Vec<Group> {
    let violations = &summary.findings.violations;
    let mut groups: BTreeMap<LabelId, Group> = BTreeMap::new();
    let mut start = 0;
    for together in by_event(violations) {
        let end = start + together.len();
        let innermost = end - 1;
        let label = violations[innermost].label;
        let fresh = Group { label, first: innermost, count: 0, enclosing: Vec::new() };
        let group = groups.entry(label).or_insert(fresh);
        for outer in &violations[start..innermost] {
            match group.enclosing.iter_mut().find(|(label, _)| *label == outer.label) {
                Some((_, count)) => *count += 1,
                None => group.enclosing.push((outer.label, 1)),
            }
        }
        start = end;
    }
    // An instance that was violated around another method's counts too.
    for violation in violations {
        if let Some(group) = groups.get_mut(&violation.label) {
            group.count += 1;
        }
    }
    let mut ranked: Vec<Group> = groups.into_values().collect();
    let rate = |group: &Group| (group.count, summary.instances.of(group.label));
    ranked.sort_by(|a, b| rarer(rate(a), rate(b)).then(a.first.cmp(&b.first)));
    ranked
}

pub(super) fn ends(edges: &[Edge]) -> impl Iterator<Item = u64> + '_ {
    edges.iter().flat_map(|edge| [edge.from.position(), edge.to.position()])
}

/// Compares two rates, each so many violated of so many instances.
pub fn rarer((count, of): (u64, u64), (other_count, other_of): (u64, u64)) -> Ordering {
    (u128::from(count) * u128::from(other_of.max(1))).cmp(&(u128::from(other_count) * u128::from(of.max(1))))
}

impl Witness {
    /// How a violation came about.
    pub fn of_violation(violation: &Violation, ends: &impl Ends) -> Witness {
        Witness::new(Some(ends.begin(violation)), &violation.edges, ends)
    }

    /// How a cycle came about.
    pub fn of_cycle(edges: &[Edge], ends: &impl Ends) -> Witness {
        Witness::new(None, edges, ends)
    }

    fn new(begin: Option<EventDetail>, edges: &[Edge], ends: &impl Ends) -> Witness {
        let edges: Vec<(EventDetail, EventDetail)> =
            edges.iter().map(|edge| (ends.from(edge), ends.to(edge))).collect();
        let mut keys: Vec<(ThreadId, Option<u64>)> = Vec::new();
        let mut columns = Vec::new();
        let rows = in_order(begin.as_ref(), &edges).into_iter().map(|detail| {
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
        Witness { begin: begin.as_ref().map(End::new), edges: edges.collect(), rows, columns }
    }
}

/// The events of a witness, each once: by their numbers, or where there are none in an order that respects their threads
/// and the edges.
fn in_order<'a>(
    begin: Option<&'a EventDetail>,
    edges: &'a [(EventDetail, EventDetail)],
) -> impl IntoIterator<Item = &'a EventDetail> {
    let mut left: Vec<&EventDetail> = Vec::new();
    for detail in begin.into_iter().chain(edges.iter().flat_map(|(from, to)| [from, to])) {
        if left.iter().all(|known| known.stamp != detail.stamp) {
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
fn column_of(detail: &EventDetail) -> Column {
    let block = match (detail.transaction_method.as_ref().or(detail.method.as_ref()), detail.transaction) {
        (Some(method), _) => short(method),
        (None, Some(_)) => "block",
        (None, None) => "outside blocks",
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
    /// True if a reader could not tell the two apart.
    pub(super) fn is_same(&self, other: &End) -> bool {
        let parts = |end: &End| (end.event, end.thread.clone(), end.location.clone(), end.access.clone());
        parts(self) == parts(other)
    }

    fn new(detail: &EventDetail) -> End {
        End {
            event: detail.number,
            thread: detail.thread_name.clone(),
            method: detail.method.clone(),
            location: detail.location.clone(),
            access: detail.access.clone(),
        }
    }
}
