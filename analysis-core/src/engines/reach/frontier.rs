//! F: the first transaction of each thread that a running transaction reaches by `⇝`.
//!
//! Invariant (closure): if `F[a][t]` is not after the start of the running transaction `T_t`, so `T_a ⇝ T_t`, then
//! `F[a] ≤ F[t]` everywhere. Hence a row that already reaches `T_t` gains nothing from it.

use crate::engine::Edge;
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::lowering::{Log, Lowering};
use crate::graph::rows::{NONE, Row, Rows, Thresholds};

/// The matrix F, with what is needed to reconstruct a cycle.
#[derive(Default)]
pub(super) struct Frontier {
    least: Thresholds,
    /// Each lowering of an entry of a row, in order.
    lowered: Vec<Log>,
    /// Scratch rows; kept to reuse their memory.
    reaching: Vec<Row>,
}

impl Frontier {
    /// Returns the cycle that `edge` closes at the running transaction of its thread, if any.
    pub(super) fn cycle(&self, rows: &Rows, edge: Edge) -> Option<Vec<Edge>> {
        let home = edge.to.thread();
        let row = rows.of(home)?;
        let reaches = self.least.get(row, edge.from.thread()) <= edge.from.position();
        // Before the first cycle no step leads home, so every entry of the home thread in the log belongs to this
        // transaction.
        reaches.then(|| self.lowered[row.index()].cycle(Stamp::new(home, 1), edge))
    }

    /// Adds `edge` into a transaction that started at `start` and may still run. `leaves_running` says whether the
    /// source transaction of the edge still runs. The edge must not close a cycle.
    pub(super) fn extend(&mut self, rows: &mut Rows, edge: Edge, start: u64, leaves_running: bool) {
        let mut reaching = std::mem::take(&mut self.reaching);
        reaching.clear();
        self.least.reaching(edge.from.thread(), edge.from.position(), &mut reaching);
        if leaves_running {
            reaching.push(rows.give(edge.from.thread()));
        }
        let target = rows.of(edge.to.thread());
        for &row in &reaching {
            if self.lower(row, Lowering { start, edge }) {
                self.merge(row, target);
            }
        }
        self.reaching = reaching;
    }

    /// Adds to `row` all that `target` reaches. `target` is `None` for an event outside any block, or a transaction
    /// that no edge leaves.
    fn merge(&mut self, row: Row, target: Option<Row>) {
        let Some(target) = target else { return };
        for i in 0..at(&mut self.lowered, target.index()).0.len() {
            self.lower(row, self.lowered[target.index()].0[i]);
        }
    }

    /// Lowers an entry of `row`. Returns false if it was already that low.
    fn lower(&mut self, row: Row, lowering: Lowering) -> bool {
        let reached = lowering.edge.to.thread();
        if self.least.get(row, reached) <= lowering.start {
            return false;
        }
        self.least.set(row, reached, lowering.start);
        at(&mut self.lowered, row.index()).0.push(lowering);
        true
    }

    /// Frees the state of a thread that no running transaction reaches. Returns false if one does.
    pub(super) fn forget(&mut self, thread: ThreadId) -> bool {
        self.least.forget(thread)
    }

    /// Clears a row: its transaction has ended, so no edge into it can close a cycle.
    pub(super) fn clear(&mut self, row: Row) {
        for lowering in at(&mut self.lowered, row.index()).0.drain(..) {
            self.least.set(row, lowering.edge.to.thread(), NONE);
        }
    }
}
