//! Cycles of transactions: the serializability half of RegionTrack, from edges between events.
//!
//! Algorithms 1, 3 and 4 without the vector clocks: which transactions run, and their transactional vector clocks. A
//! cycle is always closed by an edge into a running transaction, so only running transactions are examined, and only
//! they have a row, from the first edge that leaves them. Edges may be entered after a cycle has been found, and later
//! cycles are found too.

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

/// `C(t)`: the number of open blocks, and the begin of the outermost if there is one.
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

    /// Ends the innermost open block of the thread, if one is open.
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

    /// Returns the begin of the running transaction of the thread, if it has one.
    pub(crate) fn running(&self, thread: ThreadId) -> Option<u64> {
        self.threads.get(thread.index()).filter(|thread| thread.open > 0).map(|thread| thread.begin)
    }

    /// Returns the edges of the cycle that `edge` closes, if any.
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
