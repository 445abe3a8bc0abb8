//! F and E with their rows, and the rules: what an edge between threads does to them, however blocks become known.

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
    /// Scratch rows; kept for their memory.
    reaching: Vec<Row>,
}

/// What [`Matrices::extend`] has to know of the transactions at the two ends of an edge.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// The transaction of the source still runs.
    pub(super) leaves_running: bool,
    /// The start of the running transaction of the thread that the edge leads to, if one runs.
    pub(super) running: Option<u64>,
}

impl Matrices {
    /// What `edge` shows: a cycle, violated blocks. `home` are the open blocks of the thread that it leads to. All edges
    /// into an event are judged before the first of them extends anything.
    pub(super) fn judge(&mut self, edge: Edge, home: &mut Blocks) {
        self.close_cycle(edge);
        self.violate(edge, home);
    }

    /// What is reached by `edge`. `deepest(t, b)` is the begin of the deepest block of thread `t` that is open and began
    /// at or before `b`; any position from there to `b` will do.
    pub(super) fn extend(&mut self, edge: Edge, ends: Ends, deepest: impl Fn(ThreadId, u64) -> u64) {
        if self.findings.cycle.is_none() {
            self.extend_frontier(edge, ends);
        }
        self.extend_begins(edge, ends, deepest);
    }

    /// The transaction of `thread` has ended: no edge can come into it any more.
    pub(super) fn drop_row(&mut self, thread: ThreadId) {
        if let Some(row) = self.rows.take_back(thread) {
            self.frontier.clear(row);
            self.begins.clear(row);
        }
    }

    /// Gives back what is kept of a thread that no running transaction reaches; false if one does, so that an edge from
    /// the thread may still be news.
    pub(super) fn forget(&mut self, thread: ThreadId) -> bool {
        [self.frontier.forget(thread), self.begins.forget(thread)] == [true, true]
    }

    /// Some transaction of the source's thread, not after the source's, follows the running one: a cycle.
    fn close_cycle(&mut self, edge: Edge) {
        if self.findings.cycle.is_none() {
            let edges = self.frontier.cycle(&self.rows, edge);
            self.findings.cycle = edges.map(|edges| Cycle { event: edge.to, edges });
        }
    }

    /// The begins that happen before the source are those of violated blocks.
    fn violate(&mut self, edge: Edge, home: &mut Blocks) {
        let thread = edge.to.thread();
        let Some(row) = self.rows.of(thread) else { return };
        let Some(reached) = self.begins.before(row, edge.from) else { return };
        let path = |begin| self.begins.path(row, thread, begin, edge);
        home.violate(reached, edge, &mut self.findings, path);
    }

    /// Every running transaction that reaches the source's now reaches that of the event.
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
}
