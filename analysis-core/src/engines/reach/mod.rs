//! reach: both exact verdicts from epochs and two small matrices.
//!
//! # Idea
//! A cycle of transactions, and a path that leaves a block and comes back to it, is always closed by an edge *into* a
//! running block. So it is enough to know, for each thread `a` with a running transaction `T_a` and each thread `u`,
//! the earliest point of `u` that is reachable from `T_a`; program order makes that a threshold:
//!
//! - `F[a][u]`: the start of the first transaction of `u` that `T_a ⇝` reaches (`frontier.rs`);
//! - `E[a][u]`: the first event of `u` that a begin of `a` happens before, for each open block of `a`
//!   (`graph/begins.rs`).
//!
//! An event of `t` at position `now` with an incoming edge from event `j` of another thread `u` closes a cycle iff
//! `F[t][u] ≤ j`, and violates a block of `t` iff its `E[t][u] ≤ j`. Then, for every other `a`: if `F[a][u] ≤ j`, `T_a`
//! also reaches the transaction of the event and all that this one reaches, so a whole row is merged (transactions
//! reach backwards in time); if `E[a][u] ≤ j`, the begin now also happens before the event, so one entry is set (events
//! do not). No clock per variable, no graph, no walk at the end of a transaction.
//!
//! The verdict on the trace alone is computed in this way also by Tunc, Dong, Pavlogiannis, "Fast Atomicity
//! Monitoring", 2026; the violated blocks, inner ones included, and the combination are our work (`tests/` compares
//! them with the reference).
//!
//! # State
//! Per variable, the stamps of the last write and of each thread's last read since; per lock, that of the last release
//! ([`crate::graph::accesses`]); the matrices, with rows only for running transactions with an outgoing edge, so that
//! nothing grows with the square of the threads ever seen; per open block, its begin.
//!
//! # Three ways to feed it
//! On whole traces the shell finds the edges, and positions are event numbers. In the agent [`Edges`] receives them:
//! the begins, ends and dependencies that the agent's hooks record are enough, and no accesses are needed. If begins
//! and ends are not recorded either, [`Items`] is called with new dependencies alone; positions are then epochs.
//!
//! # Cost
//! O(1) for an event without an edge from another thread. With one, O(rows) for E and O(rows · threads reached) at worst
//! for F. After the first cycle F is dropped, so that one cause is not reported over and over.

mod edges;
mod frontier;
mod items;
mod matrices;
#[cfg(test)]
mod tests;

pub use edges::Edges;
pub use items::Items;

use crate::engine::{Claim, Dependency, EngineSpec, Findings, Online, Sites};
use crate::event::{LabelId, Op, Stamp, ThreadId};
use crate::graph::accesses::Access;
use crate::graph::shell::{Rules, Shell};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "reach",
    summary: "both verdicts at the earliest event, from epochs and two matrices over running transactions",
    source: "ours; the trace verdict also in Tunc, Dong, Pavlogiannis, \"Fast Atomicity Monitoring\", 2026",
    claim: Claim::EXACT,
    most_events: None,
    build: || Box::new(Shell::<Edges>::default()),
    online: Online::Dependencies { stream: || Box::new(Edges::default()), items: || Box::new(Items::default()) },
};

impl Rules for Edges {
    type Tag = ();

    #[inline]
    fn begin(&mut self, me: Stamp, label: LabelId) {
        Edges::begin(self, me.thread(), me.position(), label, std::iter::empty());
    }

    fn about(&mut self, op: Op) {
        // Enough to tell a few of them apart.
        self.subject = match op {
            Op::Read(x) | Op::Write(x) => x.0.wrapping_mul(2).wrapping_add(1),
            Op::Acquire(lock) | Op::Release(lock) => lock.0.wrapping_mul(2).wrapping_add(2),
            _ => 0,
        };
    }

    fn follow(&mut self, me: Stamp, sources: &[Access]) {
        let sites = Sites { pair: 0, subject: self.subject };
        let dependencies = sources.iter().map(|source| Dependency { on: source.stamp, sites });
        self.inside(me.thread(), me.position(), dependencies);
    }

    #[inline]
    fn end(&mut self, me: Stamp) {
        Edges::end(self, me.thread(), me.position(), std::iter::empty());
    }

    #[inline]
    fn tag(&self, _thread: ThreadId) {}

    fn findings(&self) -> &Findings {
        Edges::findings(self)
    }
}
