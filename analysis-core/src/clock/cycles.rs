//! Cycles of transactions: the serializability half of RegionTrack, from edges between events.
//!
//! Algorithms 1, 3 and 4 without the vector clocks: which transactions run, and their transactional vector clocks. A
//! cycle is always closed by an edge into a running transaction, so only those are asked, and only those have a row,
//! from when the first edge leaves them. Edges may be entered after a cycle has been found, and later cycles are found
//! too.

use crate::clock::transactional::Transactional;
use crate::engine::Edge;
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::rows::Rows;

/// Which transactions run and what they reach.
#[derive(Default)]
pub(crate) struct Cycles {
    threads: Vec<Thread>,
    rows: Rows,
    transactional: Transactional,
}

/// `C(t)`: how many blocks are open, and the begin of the outermost if there is one.
#[derive(Clone, Copy, Default)]
struct Thread {
    open: usize,
    begin: u64,
}

impl Cycles {
    /// A block begins at `me`; the outermost is a transaction.
    #[inline]
    pub(crate) fn begin(&mut self, me: Stamp) {
        let thread = at(&mut self.threads, me.thread().index());
        if thread.open == 0 {
            thread.begin = me.position();
        }
        thread.open += 1;
    }

    /// The innermost open block of the thread has ended, if one was open.
    #[inline]
    pub(crate) fn end(&mut self, thread: ThreadId) {
        let state = at(&mut self.threads, thread.index());
        state.open = state.open.saturating_sub(1);
        if state.open == 0
            && let Some(row) = self.rows.take_back(thread)
        {
            self.transactional.clear(row);
        }
    }

    /// Where the running transaction of the thread began, if it has one.
    pub(crate) fn running(&self, thread: ThreadId) -> Option<u64> {
        self.threads.get(thread.index()).filter(|thread| thread.open > 0).map(|thread| thread.begin)
    }

    /// The edges of the cycle that `edge` closes, if it closes one.
    pub(crate) fn closed_by(&self, edge: Edge) -> Option<Vec<Edge>> {
        let row = self.rows.of(edge.to.thread())?;
        let begin = self.running(edge.to.thread()).expect("a thread with a row is running");
        self.transactional.cycle(row, begin, edge)
    }

    /// Enters an edge.
    pub(crate) fn enter(&mut self, edge: Edge) {
        let source = self.running(edge.from.thread()).filter(|begin| *begin <= edge.from.position());
        let source_row = source.map(|_| self.rows.give(edge.from.thread()));
        let sink = self.running(edge.to.thread()).unwrap_or(edge.to.position());
        self.transactional.update(edge, sink, source_row, self.rows.of(edge.to.thread()));
    }
}
