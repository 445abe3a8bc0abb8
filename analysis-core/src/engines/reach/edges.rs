//! The rules of reach: what a begin, an end and an edge between threads do to F and E.

use super::frontier::Frontier;
use crate::engine::{Cycle, Edge, Findings, Sites, Violation};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::begins::Begins;
use crate::graph::rows::{Row, Rows};

/// Reach on begins, ends and dependencies: all that it needs of an execution.
///
/// Positions grow along each thread. A dependency `(u, p)` of an event says that it follows everything that `u` did up
/// to position `p`, which has been passed here before; dependencies that are implied by earlier ones of the same thread
/// may be left out, and so may events that neither begin nor end a block nor have a dependency.
#[derive(Default)]
pub struct Edges {
    threads: Vec<Thread>,
    rows: Rows,
    /// F, until the first cycle.
    frontier: Frontier,
    begins: Begins,
    findings: Findings,
    /// Rows at hand; kept for its memory.
    reaching: Vec<Row>,
}

/// An event of another thread that the event at hand follows.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The earlier event.
    pub on: Stamp,
    /// Where in the program the two events are, and what they touch.
    pub sites: Sites,
}

impl From<Stamp> for Dependency {
    fn from(on: Stamp) -> Dependency {
        Dependency { on, sites: Sites::default() }
    }
}

#[derive(Default)]
struct Thread {
    open: Vec<Block>,
    /// How many of the open blocks, from the outermost, are known to be violated.
    violated: usize,
}

#[derive(Clone, Copy)]
struct Block {
    begin: u64,
    label: LabelId,
}

impl Thread {
    /// The start of the running transaction, if one runs.
    fn transaction(&self) -> Option<u64> {
        self.open.first().map(|block| block.begin)
    }

    /// The begin of the deepest open block that began at or before `position`, which some did.
    fn deepest_open(&self, position: u64) -> u64 {
        self.open[self.open.partition_point(|block| block.begin <= position) - 1].begin
    }
}

impl Edges {
    /// `thread` enters a block at `now`, an event with the given dependencies.
    pub fn begin(
        &mut self,
        thread: ThreadId,
        now: u64,
        label: LabelId,
        dependencies: impl Iterator<Item = Dependency> + Clone,
    ) {
        self.thread(thread).open.push(Block { begin: now, label });
        self.inside(thread, now, dependencies);
    }

    /// `thread` leaves its innermost block at `now`, an event with the given dependencies.
    pub fn end(&mut self, thread: ThreadId, now: u64, dependencies: impl Iterator<Item = Dependency> + Clone) {
        self.inside(thread, now, dependencies);
        let state = self.thread(thread);
        state.open.pop();
        state.violated = state.violated.min(state.open.len());
        if state.open.is_empty()
            && let Some(row) = self.rows.take_back(thread)
        {
            self.frontier.clear(row);
            self.begins.clear(row);
        }
    }

    /// An event of `thread` at `now` that is neither begin nor end, with the given dependencies.
    pub fn inside(&mut self, thread: ThreadId, now: u64, dependencies: impl Iterator<Item = Dependency> + Clone) {
        let edges = dependencies.map(|d| Edge { from: d.on, to: Stamp::new(thread, now), sites: d.sites });
        for edge in edges.clone() {
            self.close_cycle(edge);
            self.violate(edge);
        }
        for edge in edges {
            if self.findings.cycle.is_none() {
                self.extend_frontier(edge);
            }
            self.extend_begins(edge);
        }
    }

    /// Hands over the violations found since the last time, so that a long run need not keep them all.
    pub fn take_violations(&mut self) -> std::vec::Drain<'_, Violation> {
        self.findings.violations.drain(..)
    }

    /// What is known of the events so far, but for violations that were taken.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Some transaction of the source's thread, not after the source's, follows the running one: a cycle.
    fn close_cycle(&mut self, edge: Edge) {
        if self.findings.cycle.is_none() {
            let edges = self.frontier.cycle(&self.rows, edge);
            self.findings.cycle = edges.map(|edges| Cycle { event: edge.to, edges });
        }
    }

    /// The begins that happen before the source are those of violated blocks.
    fn violate(&mut self, edge: Edge) {
        let thread = edge.to.thread();
        let Some(row) = self.rows.of(thread) else { return };
        let Some(reached) = self.begins.before(row, edge.from) else { return };
        let state = &mut self.threads[thread.index()];
        for (depth, block) in state.open.iter().enumerate().skip(state.violated) {
            if block.begin > reached {
                break;
            }
            state.violated = depth + 1;
            self.findings.violations.push(Violation {
                thread,
                label: block.label,
                begin: block.begin,
                event: edge.to.position(),
                depth: u32::try_from(depth).expect("fewer than 2^32 open blocks"),
                other: edge.from,
                edges: self.begins.path(row, thread, block.begin, edge),
            });
        }
    }

    /// Every running transaction that reaches the source's now reaches that of the event.
    fn extend_frontier(&mut self, edge: Edge) {
        let running = self.threads.get(edge.to.thread().index()).and_then(Thread::transaction);
        let start = running.unwrap_or(edge.to.position());
        let leaves_running = self.leaves_running(edge.from);
        self.frontier.extend(&mut self.rows, edge, start, leaves_running);
    }

    /// Every begin that happens before the source now happens before the event.
    fn extend_begins(&mut self, edge: Edge) {
        let Edges { threads, rows, begins, reaching, .. } = self;
        reaching.clear();
        begins.reaching(edge.from, reaching);
        for &row in reaching.iter() {
            let owner = rows.owner(row);
            if owner != edge.to.thread() {
                let begin = begins.before(row, edge.from).expect("the row reaches the source");
                begins.extend(row, begin, edge, |b| threads[owner.index()].deepest_open(b));
            }
        }
        if self.leaves_running(edge.from) {
            let source = edge.from;
            let home = &self.threads[source.thread().index()];
            let row = self.rows.give(source.thread());
            self.begins.extend(row, source.position(), edge, |b| home.deepest_open(b));
        }
    }

    /// True if the transaction of `source` still runs.
    fn leaves_running(&self, source: Stamp) -> bool {
        let thread = self.threads.get(source.thread().index());
        thread.and_then(Thread::transaction).is_some_and(|start| start <= source.position())
    }

    /// How many rows there are, given or free.
    #[cfg(test)]
    pub(super) fn rows_in_all(&self) -> usize {
        self.rows.len()
    }

    /// How many steps the staircases have.
    #[cfg(test)]
    pub(super) fn steps_in_all(&self) -> usize {
        self.begins.steps_in_all()
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Thread {
        at(&mut self.threads, thread.index())
    }
}
