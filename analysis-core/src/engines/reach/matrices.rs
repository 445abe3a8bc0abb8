//! F and E with their rows, and the rules for edges between threads, however blocks become known.

use super::frontier::Frontier;
use crate::engine::{Cycle, Edge, Findings};
use crate::event::{Stamp, ThreadId};
use crate::graph::begins::Begins;
use crate::graph::blocks::Blocks;
use crate::graph::rows::{Row, Rows};

/// Both matrices. A row belongs to a transaction that runs, as far as the caller knows.
#[derive(Default)]
pub(super) struct Matrices {
    rows: Rows,
    /// F, until the first cycle.
    frontier: Frontier,
    begins: Begins,
    pub(super) findings: Findings,
    /// Scratch rows; kept to reuse their memory.
    reaching: Vec<Row>,
}

/// What [`Matrices::extend`] needs to know of the transactions at the two ends of an edge.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// The transaction of the source still runs.
    pub(super) leaves_running: bool,
    /// The start of the running transaction of the target thread, if one runs.
    pub(super) running: Option<u64>,
}

impl Matrices {
    /// Records what `edge` shows: a cycle, violated blocks. `home` holds the open blocks of the thread that it leads
    /// to. All edges into an event are judged before the first of them extends the matrices.
    pub(super) fn judge(&mut self, edge: Edge, home: &mut Blocks) {
        self.close_cycle(edge);
        self.violate(edge, home);
    }

    /// Adds what `edge` reaches. `deepest(t, b)` is the begin of the deepest open block of thread `t` that began at or
    /// before `b`; any position from there to `b` will do.
    pub(super) fn extend(&mut self, edge: Edge, ends: Ends, deepest: impl Fn(ThreadId, u64) -> u64) {
        if self.findings.cycle.is_none() {
            self.extend_frontier(edge, ends);
        }
        self.extend_begins(edge, ends, deepest);
    }

    /// The transaction of `thread` has ended: no further edge can enter it.
    pub(super) fn drop_row(&mut self, thread: ThreadId) {
        if let Some(row) = self.rows.take_back(thread) {
            self.frontier.clear(row);
            self.begins.clear(row);
        }
    }

    /// Frees the state of a thread that no running transaction reaches. Returns false if one does, so that an edge from
    /// the thread may still add something.
    pub(super) fn forget(&mut self, thread: ThreadId) -> bool {
        [self.frontier.forget(thread), self.begins.forget(thread)] == [true, true]
    }

    /// Records a cycle if the running transaction reaches the source's transaction or an earlier one of the source's
    /// thread.
    fn close_cycle(&mut self, edge: Edge) {
        if self.findings.cycle.is_none() {
            let edges = self.frontier.cycle(&self.rows, edge);
            self.findings.cycle = edges.map(|edges| Cycle { event: edge.to, edges });
        }
    }

    /// Marks the blocks whose begins happen before the source as violated.
    fn violate(&mut self, edge: Edge, home: &mut Blocks) {
        let thread = edge.to.thread();
        let Some(row) = self.rows.of(thread) else { return };
        let Some(reached) = self.begins.before(row, edge.from) else { return };
        let path = |begin| self.begins.path(row, thread, begin, edge);
        home.violate(reached, edge, &mut self.findings, path);
    }

    /// Every running transaction that reaches the source's transaction now reaches that of the event.
    fn extend_frontier(&mut self, edge: Edge, ends: Ends) {
        let start = ends.running.unwrap_or(edge.to.position());
        self.frontier.extend(&mut self.rows, edge, start, ends.leaves_running);
    }

    /// Every begin that happens before the source now happens before the event.
    fn extend_begins(&mut self, edge: Edge, ends: Ends, deepest: impl Fn(ThreadId, u64) -> u64) {
        let Matrices { rows, begins, reaching, .. } = self;
        reaching.clear();
        begins.reaching(edge.from, reaching);
        for &row in reaching.iter() {
            let owner = rows.owner(row);
            if owner != edge.to.thread() {
                let begin = begins.before(row, edge.from).expect("the row reaches the source");
                begins.extend(row, begin, edge, |b| deepest(owner, b));
            }
        }
        if ends.leaves_running {
            let source: Stamp = edge.from;
            let row = rows.give(source.thread());
            begins.extend(row, source.position(), edge, |b| deepest(source.thread(), b));
        }
    }

    /// The number of rows, used or free.
    #[cfg(test)]
    pub(super) fn rows_in_all(&self) -> usize {
        self.rows.len()
    }

    /// The number of steps in the staircases.
    #[cfg(test)]
    pub(super) fn steps_in_all(&self) -> usize {
        self.begins.steps_in_all()
    }
}
