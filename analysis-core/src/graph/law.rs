//! The law, evaluated literally on an explicit graph of events.
//!
//! Happens-before `→` is the transitive closure of conflict; a transaction is an outermost block or an
//! event outside any; `T ⇝ T'` if some `e ∈ T → e' ∈ T'`; the trace is non-serializable iff two distinct transactions
//! reach each other by `⇝`; a block B is violated iff there are `e` outside B's thread and `m ∈ B` with
//! `B.begin → e → m`.
//!
//! Nothing here is optimised: every event keeps the set of events that happen before it. Space is quadratic in events.
//! The caller says which earlier events each event conflicts with, so the same code evaluates a trace by the definition
//! of conflict (`engines::oracle`), or by program order and recorded dependencies only (the tests of `protocol`).

use std::collections::{HashMap, HashSet, VecDeque};

use fixedbitset::FixedBitSet;

use crate::engine::{Cycle, Edge, Findings, Violation};
use crate::event::{LabelId, Op, Stamp};

/// What an event does to the blocks of its thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It opens a block.
    Begin(LabelId),
    /// It closes the innermost open block.
    End,
    /// Neither.
    Inside,
}

impl Role {
    /// Returns the role of an event.
    pub fn of(op: Op) -> Role {
        match op {
            Op::Begin(label) => Role::Begin(label),
            Op::End => Role::End,
            _ => Role::Inside,
        }
    }
}

/// The events seen so far, everything that happens before each, and the verdicts.
#[derive(Default)]
pub struct Law {
    events: Vec<Node>,
    threads: HashMap<u32, Thread>,
    /// For each transaction, the transactions that it `⇝` directly.
    reaches: Vec<FixedBitSet>,
    findings: Findings,
}

struct Node {
    stamp: Stamp,
    transaction: usize,
    /// Every event that happens before this one.
    before: FixedBitSet,
    /// The events of other threads that it conflicts with directly.
    foreign: Vec<usize>,
}

#[derive(Default)]
struct Thread {
    open: Vec<Block>,
    last: Option<usize>,
}

struct Block {
    begin: usize,
    label: LabelId,
    violated: bool,
}

impl Law {
    /// Adds the next event. `conflicts` are the earlier events that it conflicts with, as indices in order of addition;
    /// those of its own thread may be omitted, since its predecessor in the thread is always included.
    pub fn push(&mut self, stamp: Stamp, role: Role, conflicts: impl IntoIterator<Item = usize>) {
        let me = self.events.len();
        let thread = self.threads.entry(stamp.thread().0).or_default();
        if let Role::Begin(label) = role {
            thread.open.push(Block { begin: me, label, violated: false });
        }
        let transaction = match thread.open.first() {
            Some(outermost) if outermost.begin != me => self.events[outermost.begin].transaction,
            _ => self.reaches.len(),
        };
        if transaction == self.reaches.len() {
            self.reaches.push(FixedBitSet::new());
        }
        let previous = thread.last.replace(me);
        let conflicts: Vec<usize> = conflicts.into_iter().collect();
        let mut before = FixedBitSet::new();
        for &earlier in previous.iter().chain(&conflicts) {
            before.union_with(&self.events[earlier].before);
            before.grow_and_insert(earlier);
        }
        for earlier in before.ones() {
            let from = self.events[earlier].transaction;
            if from != transaction {
                self.reaches[from].grow_and_insert(transaction);
            }
        }
        let foreign: Vec<usize> =
            conflicts.into_iter().filter(|&e| self.events[e].stamp.thread() != stamp.thread()).collect();
        let is_entered = !foreign.is_empty();
        self.events.push(Node { stamp, transaction, before, foreign });
        // Only an edge from another thread can close a cycle or come back to a block.
        if is_entered {
            self.judge_trace(me);
            self.judge_blocks(me);
        }
        if role == Role::End {
            self.threads.get_mut(&stamp.thread().0).expect("the thread of the event").open.pop();
        }
    }

    /// Returns the verdicts about the events so far.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Every new `⇝` ends at the transaction of the new event, so a new cycle goes through it.
    fn judge_trace(&mut self, me: usize) {
        if self.findings.cycle.is_some() {
            return;
        }
        let start = self.events[me].transaction;
        let mut seen = FixedBitSet::new();
        let mut open = vec![start];
        while let Some(transaction) = open.pop() {
            for next in self.reaches[transaction].ones() {
                if next == start {
                    let edges = self.shortest_cycle(me);
                    self.findings.cycle = Some(Cycle { event: self.events[me].stamp, edges });
                    return;
                }
                if !seen.contains(next) {
                    seen.grow_and_insert(next);
                    open.push(next);
                }
            }
        }
    }

    fn judge_blocks(&mut self, me: usize) {
        let stamp = self.events[me].stamp;
        let open = std::mem::take(&mut self.threads.get_mut(&stamp.thread().0).expect("its thread").open);
        let mut judged = Vec::with_capacity(open.len());
        for (depth, mut block) in open.into_iter().enumerate() {
            let other = self.events[me].before.ones().find(|&e| {
                let e = &self.events[e];
                e.stamp.thread() != stamp.thread() && e.before.contains(block.begin)
            });
            if let (false, Some(other)) = (block.violated, other) {
                block.violated = true;
                let violation = Violation {
                    thread: stamp.thread(),
                    label: block.label,
                    begin: self.events[block.begin].stamp.position(),
                    event: stamp.position(),
                    depth: u32::try_from(depth).expect("fewer than 2^32 open blocks"),
                    other: self.events[other].stamp,
                    edges: self.shortest_path(block.begin, me),
                };
                self.findings.violations.push(violation);
            }
            judged.push(block);
        }
        self.threads.get_mut(&stamp.thread().0).expect("its thread").open = judged;
    }

    /// Returns the fewest cross-thread edges that lead from `begin` to `me`, by a breadth-first search backwards from
    /// `me`; an edge may be entered from its thread at any event up to its start.
    fn shortest_path(&self, begin: usize, me: usize) -> Vec<Edge> {
        let home = self.events[begin].stamp.thread();
        self.search(me, |from| self.events[from].stamp.thread() == home && from >= begin, |at, edge_end| edge_end <= at)
    }

    /// Returns the fewest cross-thread edges of a cycle of transactions that ends at `me`. Inside a transaction the
    /// walk may go back in time; between transactions of one thread it follows program order.
    fn shortest_cycle(&self, me: usize) -> Vec<Edge> {
        let home = self.events[me].transaction;
        self.search(
            me,
            |from| self.events[from].transaction == home,
            |at, edge_end| edge_end <= at || self.events[edge_end].transaction == self.events[at].transaction,
        )
    }

    /// Breadth-first search over cross-thread edges, from the edges into `me` backwards to an edge that `is_start`.
    /// `may_follow(at, end)`: an edge that ends at event `end` may be followed by one that starts at `at` (same thread).
    fn search(
        &self,
        me: usize,
        is_start: impl Fn(usize) -> bool,
        may_follow: impl Fn(usize, usize) -> bool,
    ) -> Vec<Edge> {
        let mut found: HashMap<(usize, usize), Option<(usize, usize)>> = HashMap::new();
        let mut queue: VecDeque<(usize, usize)> = VecDeque::new();
        for &from in &self.events[me].foreign {
            found.insert((from, me), None);
            queue.push_back((from, me));
        }
        let mut expanded = HashSet::new();
        while let Some(edge @ (from, _)) = queue.pop_front() {
            if is_start(from) {
                let walk = std::iter::successors(Some(edge), |edge| found[edge]);
                return walk.map(|(from, to)| self.edge(from, to)).collect();
            }
            if !expanded.insert(from) {
                continue;
            }
            for (to, node) in self.events.iter().enumerate() {
                if node.stamp.thread() == self.events[from].stamp.thread() && may_follow(from, to) {
                    for &earlier in &node.foreign {
                        found.entry((earlier, to)).or_insert_with(|| {
                            queue.push_back((earlier, to));
                            Some(edge)
                        });
                    }
                }
            }
        }
        unreachable!("the law found a path that the search does not find");
    }

    fn edge(&self, from: usize, to: usize) -> Edge {
        Edge::new(self.events[from].stamp, self.events[to].stamp)
    }
}
