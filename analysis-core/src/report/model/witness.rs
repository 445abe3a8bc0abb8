//! How a violation, or a cycle, came about: its events, its transactions, its edges.

use serde::{Deserialize, Serialize};

use super::call::{Call, Hand};
use super::data::Data;
use super::details::{Ends, EventDetail, is_one_object};
use super::words::short;
use crate::engine::{Edge, Violation};
use crate::event::{Op, Stamp, ThreadId};

/// How a violation, or a cycle, came about.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The violated block's begin; `None` for a cycle that blames nobody.
    pub begin: Option<End>,
    /// The cross-thread edges, in the order of the walk.
    pub edges: Vec<WitnessEdge>,
    /// The events of the begin and the edges, each once, in the order of the trace.
    pub rows: Vec<Row>,
    /// The rows of both ends of each edge.
    pub ends: Vec<(usize, usize)>,
    /// The row of the violated block's begin.
    pub first: Option<usize>,
    /// The transactions of the rows, in order of appearance: the columns of the table. Events of one thread outside any
    /// block share a column.
    pub columns: Vec<Column>,
    /// Writes under TSO that are shown twice: the row of the issue, and that of the commit.
    pub delays: Vec<(usize, usize)>,
    /// The two events of the block that a warning is about.
    pub pair: Option<[End; 2]>,
    /// The data that the violation rests on, if it rests on locks.
    pub data: Data,
}

/// A transaction in the table of a witness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Column {
    /// The name of the thread.
    pub thread: String,
    /// The method by its short name, or a substitute for it.
    pub block: String,
    /// False for the events of a thread outside any block.
    pub is_block: bool,
    /// The index of its thread among those of the table: threads of the same name stay distinct. `None` in reports that
    /// do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<usize>,
}

impl Column {
    /// The thread and the method.
    pub fn name(&self) -> String {
        format!("{}: {}", self.thread, self.block)
    }
}

/// An event in the table of a witness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Its number in the trace, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The index of its transaction in [`Witness::columns`].
    pub column: usize,
    /// The operation.
    pub operation: String,
    /// The location.
    pub location: String,
    /// The method that contains the event, as in [`End`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}

/// A cross-thread edge, both ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WitnessEdge {
    /// The earlier event.
    pub from: End,
    /// The later event, which conflicts with the earlier one.
    pub to: End,
}

/// One end of an edge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct End {
    /// The number of the event in the trace, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
    /// The name of its thread.
    pub thread: String,
    /// The label of the innermost block that it is in, if that has one.
    pub method: Option<String>,
    /// The location in the program.
    pub location: String,
    /// The access in words.
    pub access: String,
    /// The locks that its thread holds, except one that the event is about; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locks: Option<Vec<String>>,
    /// The call of the platform's library that it stands for, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    /// What it hands over to another thread or receives from one, if that is its effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
}

impl Witness {
    /// How a violation came about.
    pub fn of_violation(violation: &Violation, ends: &impl Ends) -> Witness {
        let pair = violation.is_warning().then(|| violation.pair());
        Witness {
            data: if pair.is_none() { data(&violation.edges, ends) } else { Data::None },
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
        let mut transactions = Transactions::default();
        let ordered = in_order(begin.as_ref(), &edges, ends.has_epochs());
        let row = |detail| ordered.iter().position(|known| is_same(known, detail, ends.has_epochs()));
        let first = begin.as_ref().and_then(row);
        let rows_of_ends = edges.iter().filter_map(|(from, to)| Some((row(from)?, row(to)?))).collect();
        let rows = ordered.iter().map(|detail| Row {
            event: detail.number,
            column: transactions.column(detail),
            operation: operation(detail),
            location: detail.location.clone(),
            method: detail.method.clone(),
        });
        let rows = rows.collect();
        let edges = edges.iter().map(|(from, to)| WitnessEdge { from: End::new(from), to: End::new(to) });
        Witness {
            begin: begin.as_ref().map(End::new),
            edges: edges.collect(),
            rows,
            ends: rows_of_ends,
            first,
            columns: transactions.columns,
            delays: Vec::new(),
            pair: None,
            data: Data::None,
        }
    }
}

/// The data of a violation, if its block leaves a critical section and returns in one.
fn data(edges: &[Edge], ends: &impl Ends) -> Data {
    let (Some(out), Some(back)) = (edges.first(), edges.last()) else { return Data::None };
    if !ends.from(out).is_of_lock() || !ends.to(back).is_of_lock() {
        return Data::None;
    }
    let section = |stamp| ends.section(stamp);
    Data::of([section(out.from), section(back.to)], [section(out.to), section(back.from)], |number| ends.placed(number))
}

/// If the receiver's field is not known at one call, another call on the same object supplies it.
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

/// True if both are the same event. With `has_epochs`, events of one stamp are distinguished by operation and location.
fn is_same(a: &EventDetail, b: &EventDetail, has_epochs: bool) -> bool {
    let did = |detail: &'_ EventDetail| (detail.op, detail.operation.clone(), detail.location.clone());
    a.stamp == b.stamp && (!has_epochs || did(a) == did(b))
}

/// The events of a witness, each once: by their numbers, or without numbers in an order that respects their threads and
/// the edges.
fn in_order<'a>(
    begin: Option<&'a EventDetail>,
    edges: &'a [(EventDetail, EventDetail)],
    has_epochs: bool,
) -> Vec<&'a EventDetail> {
    let mut left: Vec<&EventDetail> = Vec::new();
    for detail in begin.into_iter().chain(edges.iter().flat_map(|(from, to)| [from, to])) {
        if left.iter().all(|known| !is_same(known, detail, has_epochs)) {
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

/// What the platform's own code hands over or receives, in the words of the agent, with the variable's number in a
/// trace.
fn handed_by_platform(access: &str) -> Option<Hand> {
    let (_, variable) = access.split_once(' ')?;
    Hand::of(variable.split('@').next().unwrap_or(variable))
}

/// The transactions of a table, in order of appearance.
#[derive(Default)]
pub(in crate::report) struct Transactions {
    keys: Vec<(ThreadId, Option<u64>)>,
    threads: Vec<ThreadId>,
    pub(in crate::report) columns: Vec<Column>,
}

impl Transactions {
    /// The index of the transaction that an event is in.
    pub(in crate::report) fn column(&mut self, detail: &EventDetail) -> usize {
        let key = (detail.thread, detail.transaction);
        self.keys.iter().position(|known| *known == key).unwrap_or_else(|| {
            let lane = self.threads.iter().position(|thread| *thread == detail.thread).unwrap_or_else(|| {
                self.threads.push(detail.thread);
                self.threads.len() - 1
            });
            self.keys.push(key);
            self.columns.push(column_of(detail, lane));
            self.keys.len() - 1
        })
    }
}

/// The transaction of an event; `lane` is the index of its thread in the table.
fn column_of(detail: &EventDetail, lane: usize) -> Column {
    let block = match (&detail.transaction_method, detail.transaction, &detail.method) {
        (Some(method), _, _) | (None, None, Some(method)) => short(method),
        (None, Some(_), _) => "block",
        (None, None, None) => "outside blocks",
    };
    Column {
        thread: detail.thread_name.clone(),
        block: block.to_owned(),
        is_block: detail.transaction.is_some() || detail.transaction_method.is_some(),
        lane: Some(lane),
    }
}

/// The operation, with a method by its short name.
fn operation(detail: &EventDetail) -> String {
    match (detail.op, &detail.method) {
        (Op::Begin(_), Some(method)) => format!("begin({})", short(method)),
        _ => detail.operation.clone(),
    }
}

impl End {
    /// True if a reader could not distinguish the two.
    pub(in crate::report) fn is_same(&self, other: &End) -> bool {
        let parts = |end: &End| (end.event, end.thread.clone(), end.location.clone(), end.access.clone());
        parts(self) == parts(other)
    }

    /// True if its place is known.
    pub(in crate::report) fn is_placed(&self) -> bool {
        self.event.is_some() || !self.location.is_empty()
    }

    pub(in crate::report) fn new(detail: &EventDetail) -> End {
        End {
            event: detail.number,
            thread: detail.thread_name.clone(),
            method: detail.method.clone(),
            location: detail.location.clone(),
            access: detail.access.clone(),
            locks: detail.locks.clone(),
            call: detail.call.clone(),
            hand: match &detail.call {
                Some(call) => call.handed(),
                None => handed_by_platform(&detail.access),
            },
        }
    }
}
