//! What a report says of executions under TSO: the cycle, the delayed writes, who missed them, where a fence would have
//! helped.
//!
//! Every write of the cycle that other events are ordered with has two rows: where it was issued, and where it reached
//! memory.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::report::model::data::Data;
use crate::report::model::details::{Details, EventDetail};
use crate::report::model::witness::{End, Row, Transactions, Witness, WitnessEdge};
use crate::report::model::words::place_of;
use crate::tso::graph::{Edge, Why};
use crate::tso::history::Act;
use crate::tso::witness::{Delay, Witness as Found};

/// A cycle under TSO, for a person.
#[derive(Debug)]
pub struct Delayed {
    /// The events of the cycle, the commits among them, and its edges between threads.
    pub witness: Witness,
    /// The name of the kind.
    pub kind: &'static str,
    /// The meaning of the kind.
    pub meaning: &'static str,
    /// The edges of the cycle, including those inside threads, each with its reason.
    pub steps: Vec<Step>,
    /// The delayed writes.
    pub delays: Vec<Told>,
}

/// An edge of the cycle.
#[derive(Debug, Serialize)]
pub struct Step {
    /// The earlier event.
    pub from: End,
    /// The later event.
    pub to: End,
    /// The reason for the edge.
    pub why: &'static str,
}

/// A write that waited in its store buffer.
#[derive(Debug, Serialize)]
pub struct Told {
    /// The write.
    pub write: End,
    /// The accesses of other threads before it reached memory.
    pub missed_by: Vec<End>,
    /// The next access of its thread: a fence before it would have helped. `None` if no fence would.
    pub fence_before: Option<End>,
}

/// The names of cycles, of transactions and of single events, with their meanings.
const KINDS: [[&str; 2]; 4] = [
    ["delayed writes break atomicity", "run one after the other, in no order could these have seen what they saw"],
    ["a cycle of transactions", "no write is delayed: it is not serializable under sequential consistency either"],
    ["delayed writes", "without store buffers, no interleaving of these events gives the same values"],
    ["a cycle of events", "no write is delayed, and yet no interleaving of these events gives the same values"],
];

impl Delayed {
    /// The numbers of the events that are named, for reading their [`Details`].
    pub fn events(found: &Found) -> BTreeSet<u64> {
        let ends = found.cycle.iter().flat_map(|edge| [edge.from, edge.to]);
        let delays = found.delays.iter().flat_map(|delay| delay.missed_by.iter().copied().chain(delay.next));
        ends.chain(delays).map(|node| u64::from(found.origin(node))).collect()
    }

    /// Describes a cycle. `details` are those of [`Delayed::events`]. `is_of_transactions` is false for a cycle of
    /// single events.
    pub fn new(found: &Found, details: &Details, is_of_transactions: bool) -> Delayed {
        let end = |node: u32| End::new(details.event(u64::from(found.origin(node))));
        let is_cross = |edge: &&Edge| found.node(edge.from).thread != found.node(edge.to).thread;
        let rotated = rotated(found);
        let cross: Vec<&Edge> = rotated.iter().filter(is_cross).collect();
        let [kind, meaning] = KINDS[usize::from(found.delays.is_empty()) + if is_of_transactions { 0 } else { 2 }];
        Delayed {
            witness: witness(found, details, &rotated, &cross),
            kind,
            meaning,
            steps: rotated
                .iter()
                .map(|edge| Step { from: end(edge.from), to: end(edge.to), why: reason(edge.why) })
                .collect(),
            delays: found.delays.iter().map(|delay| told(found, delay, end)).collect(),
        }
    }

    /// What to do next.
    pub fn advice(&self) -> Vec<String> {
        self.delays.iter().filter_map(Told::advice).collect()
    }
}

impl Told {
    /// Where a fence would have helped, if one would have.
    pub(in crate::report) fn advice(&self) -> Option<String> {
        let next = self.fence_before.as_ref()?;
        Some(format!("a fence would have helped after {} and before {}", place(&self.write), place(next)))
    }
}

/// A place such as `event 4 (Pool.java:12)`.
fn place(end: &End) -> String {
    let event = end.event.map_or("it".to_owned(), |event| format!("event {event}"));
    if end.location.is_empty() { event } else { format!("{event} ({})", place_of(&end.location)) }
}

/// Rotates the cycle to start where it first enters another thread, so that program order does not close it, if
/// possible.
fn rotated(found: &Found) -> Vec<Edge> {
    let mut cycle = found.cycle.clone();
    let is_inside = |edge: &Edge| found.node(edge.from).thread == found.node(edge.to).thread;
    let length = cycle.len();
    let start = (0..length).find(|&at| !is_inside(&cycle[at]) && !is_inside(&cycle[(at + length - 1) % length]));
    let start = start.or_else(|| (0..length).find(|&at| is_inside(&cycle[at])));
    cycle.rotate_left(start.unwrap_or(0));
    cycle
}

fn told(found: &Found, delay: &Delay, end: impl Fn(u32) -> End) -> Told {
    // A fence makes the thread wait, so it only keeps what happens after the thread's next access from missing the
    // write.
    let last = delay.missed_by.iter().map(|missed| found.node(*missed).event).max().unwrap_or(0);
    let next = delay.next.filter(|next| found.node(*next).event < last);
    Told {
        write: end(delay.write),
        missed_by: delay.missed_by.iter().map(|missed| end(*missed)).collect(),
        fence_before: next.map(end),
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::ProgramOrder => "in the same thread before",
        Why::Synchronization => "synchronizes with",
        Why::ReadsFrom => "its value is read by",
        Why::WriteOrder => "reaches memory before",
        Why::ReadsBefore => "reads before it reaches memory:",
    }
}

/// A row, with its time in the execution.
struct Timed<'a> {
    time: u32,
    node: u32,
    is_commit: bool,
    detail: &'a EventDetail,
}

fn witness(found: &Found, details: &Details, cycle: &[Edge], cross: &[&Edge]) -> Witness {
    let detail = |node: u32| details.event(u64::from(found.origin(node)));
    let nodes: BTreeSet<u32> = cycle.iter().flat_map(|edge| [edge.from, edge.to]).collect();
    let is_write = |node: &u32| matches!(found.node(*node).act, Act::Write(_));
    let committed: BTreeSet<u32> =
        cross.iter().flat_map(|edge| [edge.from, edge.to]).filter(|node| is_write(node)).collect();
    let issues = nodes.iter().map(|&node| (found.node(node).event, node, false));
    let commits = committed.iter().map(|&node| (found.node(node).commit, node, true));
    let mut rows: Vec<Timed> = issues
        .chain(commits)
        .map(|(time, node, is_commit)| Timed { time, node, is_commit, detail: detail(node) })
        .collect();
    rows.sort_by_key(|row| row.time);
    let mut transactions = Transactions::default();
    let told = rows.iter().map(|row| row_of(found, row, transactions.column(row.detail))).collect();
    let place = |node: u32, is_commit| rows.iter().position(|row| row.node == node && row.is_commit == is_commit);
    let delays = committed.iter().filter_map(|&node| Some((place(node, false)?, place(node, true)?)));
    let delays = delays.collect();
    let ends = cross.iter().filter_map(|edge| Some((place(edge.from, false)?, place(edge.to, false)?)));
    let ends = ends.collect();
    let edge = |edge: &&Edge| WitnessEdge { from: End::new(detail(edge.from)), to: End::new(detail(edge.to)) };
    Witness {
        begin: None,
        edges: cross.iter().map(edge).collect(),
        rows: told,
        ends,
        first: None,
        columns: transactions.columns,
        delays,
        pair: None,
        data: Data::None,
    }
}

/// A commit has a number of its own only where it is an event of the trace.
fn row_of(found: &Found, row: &Timed, column: usize) -> Row {
    let commit = found.execution.origins[row.time as usize - 1];
    let is_numbered = !row.is_commit || commit != found.origin(row.node);
    let operation =
        if row.is_commit { format!("{} reaches memory", row.detail.operation) } else { row.detail.operation.clone() };
    let location = if row.is_commit { String::new() } else { row.detail.location.clone() };
    let method = row.detail.method.clone();
    Row { event: is_numbered.then_some(u64::from(commit)), column, operation, location, method }
}
