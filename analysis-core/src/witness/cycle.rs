//! The shortest cycle of transactions through the transaction whose event closes it.
//!
//! Before that event the trace is serializable, so every cycle goes through its transaction. Edges between transactions
//! lead forward in the trace: where no block is open, none leads back across. So the cycle lies after the last such
//! point ([`Stretch`]). From `e` in one transaction to `f` in another there is an edge if they conflict and `e` comes
//! first; hence of equal operations of a transaction only the first (to start from) and the last (to arrive at) matter.
//!
//! The search is Dijkstra's over transactions. The events that a source reaches through one variable, lock or thread
//! are those after it in one list. Sources come in the order of their cost, so no later source needs to look at what an
//! earlier one has reached, and each entry of a list is visited once.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::{Cost, Transactions};
use crate::engine::Edge;
use crate::event::{Event, LockId, Op, Stamp, ThreadId, VarId};
use crate::graph::accesses::at;

/// The part of the trace in which the cycle lies.
pub(super) struct Stretch {
    end: u64,
    transactions: Transactions,
    nodes: Vec<Node>,
    /// By thread: the node of its running transaction.
    running: Vec<Option<Running>>,
}

/// A transaction.
struct Node {
    thread: ThreadId,
    /// The first and the last event of each operation.
    events: Vec<(u64, Op)>,
}

struct Running {
    transaction: u64,
    node: usize,
    /// The indices in `Node::events` of the first and the last event of an operation.
    places: HashMap<Op, (usize, usize)>,
}

impl Stretch {
    pub(super) fn new(end: u64) -> Stretch {
        Stretch { end, transactions: Transactions::default(), nodes: Vec::new(), running: Vec::new() }
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn step(&mut self, number: u64, event: Event) {
        if number > self.end {
            return;
        }
        if self.transactions.is_quiet() && !self.nodes.is_empty() {
            self.nodes.clear();
            self.running.clear();
        }
        let transaction = self.transactions.of(number, event);
        let running = at(&mut self.running, event.thread.index());
        if running.as_ref().is_none_or(|running| running.transaction != transaction) {
            self.nodes.push(Node { thread: event.thread, events: Vec::new() });
            *running = Some(Running { transaction, node: self.nodes.len() - 1, places: HashMap::new() });
        }
        let running = running.as_mut().expect("just set");
        let events = &mut self.nodes[running.node].events;
        if !self.transactions.is_open(event.thread) && transaction == number {
            // The event is alone in its transaction.
            events.push((number, event.op));
            return;
        }
        match running.places.get_mut(&event.op) {
            Some((first, last)) if first != last => events[*last].0 = number,
            Some((_, last)) => {
                *last = events.len();
                events.push((number, event.op));
            }
            None => {
                running.places.insert(event.op, (events.len(), events.len()));
                events.push((number, event.op));
            }
        }
    }

    pub(super) fn edges(self) -> Option<Vec<Edge>> {
        let home = self.nodes.iter().position(|node| node.events.iter().any(|(number, _)| *number == self.end))?;
        Walk::new(self.nodes, home).edges()
    }
}

/// What a source leads to: the later events of one list.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// From a write.
    Accesses(VarId),
    /// From a read.
    Writes(VarId),
    /// From a release.
    Acquires(LockId),
    /// From a fork.
    Events(ThreadId),
    /// From any event of the thread.
    Joins(ThreadId),
    /// From any event of the thread, to its later ones.
    Thread(ThreadId),
}

/// The events of a way in the order of the trace, with their nodes; those from `taken` on have been reached.
struct List {
    events: Vec<(u64, usize)>,
    taken: usize,
}

/// How a node was reached.
#[derive(Clone, Copy)]
struct Arrival {
    cost: Cost,
    from: usize,
    events: (u64, u64),
}

struct Walk {
    nodes: Vec<Node>,
    home: usize,
    lists: HashMap<Way, List>,
    /// The last event of the home transaction on each way. It is not in the lists: otherwise the home transaction
    /// itself would reach it.
    back: HashMap<Way, u64>,
    arrivals: Vec<Option<Arrival>>,
    heap: BinaryHeap<Reverse<(Cost, usize)>>,
}

impl Walk {
    fn new(nodes: Vec<Node>, home: usize) -> Walk {
        let mut lists: HashMap<Way, List> = HashMap::new();
        let mut back: HashMap<Way, u64> = HashMap::new();
        let mut add = |way, number, node| {
            if node == home {
                let last = back.entry(way).or_insert(number);
                *last = number.max(*last);
                return;
            }
            lists.entry(way).or_insert(List { events: Vec::new(), taken: 0 }).events.push((number, node));
        };
        for (index, node) in nodes.iter().enumerate() {
            for &(number, op) in &node.events {
                add(Way::Events(node.thread), number, index);
                add(Way::Thread(node.thread), number, index);
                match op {
                    Op::Read(x) => add(Way::Accesses(x), number, index),
                    Op::Write(x) => {
                        add(Way::Accesses(x), number, index);
                        add(Way::Writes(x), number, index);
                    }
                    Op::Acquire(l) => add(Way::Acquires(l), number, index),
                    Op::Join(u) => add(Way::Joins(u), number, index),
                    _ => {}
                }
            }
        }
        for list in lists.values_mut() {
            list.events.sort_unstable();
            list.taken = list.events.len();
        }
        let arrivals = nodes.iter().map(|_| None).collect();
        Walk { nodes, home, lists, back, arrivals, heap: BinaryHeap::new() }
    }

    fn edges(mut self) -> Option<Vec<Edge>> {
        self.heap.push(Reverse((Cost::START, self.home)));
        while let Some(Reverse((cost, node))) = self.heap.pop() {
            // The arrival at home is the cheapest way back: no way of that cost can improve on it.
            if self.arrivals[self.home].is_some_and(|back| back.cost <= cost) {
                break;
            }
            if node == self.home || self.arrivals[node].is_some_and(|arrival| arrival.cost == cost) {
                self.leave(node, cost);
            }
        }
        self.walked_back()
    }

    /// Follows every edge out of a node that was reached at this cost.
    fn leave(&mut self, node: usize, cost: Cost) {
        let thread = self.nodes[node].thread;
        for index in 0..self.nodes[node].events.len() {
            let (number, op) = self.nodes[node].events[index];
            let way = match op {
                Op::Write(x) => Some(Way::Accesses(x)),
                Op::Read(x) => Some(Way::Writes(x)),
                Op::Release(l) => Some(Way::Acquires(l)),
                Op::Fork(u) => Some(Way::Events(u)),
                _ => None,
            };
            for way in way.into_iter().chain([Way::Joins(thread), Way::Thread(thread)]) {
                self.follow(node, number, cost, way);
            }
        }
    }

    fn follow(&mut self, node: usize, number: u64, cost: Cost, way: Way) {
        let mut reached: Vec<(u64, usize)> = Vec::new();
        reached.extend(self.back.get(&way).filter(|last| **last > number).map(|last| (*last, self.home)));
        if let Some(list) = self.lists.get_mut(&way) {
            let start = list.events.partition_point(|(later, _)| *later <= number);
            reached.extend_from_slice(list.events.get(start..list.taken).unwrap_or_default());
            list.taken = list.taken.min(start);
        }
        let thread = self.nodes[node].thread;
        let is_along = way == Way::Thread(thread);
        for (later, to) in reached {
            // A later event of the same thread is reached along the thread, at lower cost.
            if to != node && (self.nodes[to].thread == thread) == is_along {
                let cost = if is_along { cost.next_transaction() } else { cost.next_thread() };
                self.arrive(to, Arrival { cost, from: node, events: (number, later) });
            }
        }
    }

    fn arrive(&mut self, node: usize, arrival: Arrival) {
        if self.arrivals[node].is_none_or(|known| arrival.cost < known.cost) {
            self.arrivals[node] = Some(arrival);
            self.heap.push(Reverse((arrival.cost, node)));
        }
    }

    fn walked_back(&self) -> Option<Vec<Edge>> {
        let mut edges = Vec::new();
        let mut node = self.home;
        loop {
            let Arrival { from, events, .. } = self.arrivals[node]?;
            let (source, target) = (self.nodes[from].thread, self.nodes[node].thread);
            if source != target {
                edges.push(Edge::new(Stamp::new(source, events.0), Stamp::new(target, events.1)));
            }
            node = from;
            if node == self.home {
                break;
            }
        }
        edges.reverse();
        Some(edges)
    }
}
