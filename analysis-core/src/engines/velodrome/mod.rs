//! velodrome: the trace verdict from a graph of transactions, and blame where a cycle of it is increasing.
//!
//! Paper: Flanagan, Freund, Yi, "Velodrome: A Sound and Complete Dynamic Atomicity Checker for Multithreaded Programs",
//! PLDI 2008.
//!
//! # Idea
//! Nodes are transactions; edges are happens-before between them, labelled with the timestamps of both ends. An edge
//! that closes a cycle makes the trace non-serializable. The transaction that the edge enters is *blamed* if the cycle
//! is *increasing*: if at every other node the incoming edge is not after the outgoing one, so that the events really
//! happen one before the other. Of nested blocks, those are blamed that began before the cycle leaves the transaction.
//! A finished node without incoming edges is garbage; freeing it may turn others into garbage.
//!
//! # State, in the paper's letters
//! `C(t)` is the newest live node of a thread while its slot is given, `L(t)`, `W(x)`, `R(x, t)` and `U(m)` are stamps
//! in [`Accesses`](crate::graph::accesses::Accesses); the graph `H` is `graph.rs`.
//!
//! # What it misses
//! Between two transactions only the first edge is kept. A later one might have made the cycle increasing. Of all the
//! cycles that an edge closes, one is examined, or none (4). So it blames some of the violated blocks, at or after
//! their first violating events. The verdict on the trace is exact.
//!
//! # Where we differ
//! 1. An event outside blocks is merged with the node before it in its thread, never with one of another thread, and
//!    only if each *running* transaction that reaches the sources of the event also reaches that node: then no cycle is
//!    made or lost. A block that at its end has no edges except that of program order is merged with the node before
//!    it, too. Merged events are distinguished from the transaction of the node, so that neither replaces the other as
//!    the edge that is kept.
//! 2. [`Accesses`](crate::graph::accesses::Accesses) does not report edges that others imply: a write that follows
//!    reads does not also follow the write before them.
//! 3. An edge that closes a cycle is never inserted, not even after the first cycle: the graph stays acyclic, and later
//!    transactions are blamed for their own cycles.
//! 4. Once the trace is known to be non-serializable, a cycle is not examined if the earlier cycles of its transaction
//!    took too long: a transaction that is never blamed may close cycles through more and more nodes.
//!
//! # Cost
//! O(1) for an event without an edge from another thread. An edge costs a word for each 64 running transactions, and
//! the same for each node that it makes reachable from a transaction that did not reach it before; cycles cost O(k) per
//! event overall, for k running transactions. Memory follows the nodes that running transactions reach.

mod graph;
#[cfg(test)]
mod tests;

use crate::engine::{BlameClaim, Claim, Cycle, Edge, EngineSpec, Findings, Online, VerdictClaim};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::{Access, at};
use crate::graph::blocks::Blocks;
use crate::graph::shell::{Rules, Shell};
use graph::{Graph, NodeId};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "velodrome",
    summary: "the trace verdict from a graph of transactions; blames the one that closes an increasing cycle",
    source: "Flanagan, Freund, Yi, \"Velodrome\", PLDI 2008",
    claim: Claim { verdict: VerdictClaim::AtEveryPrefix, blame: BlameClaim::Subset },
    most_events: None,
    build: || Box::new(Shell::<Velodrome>::default()),
    online: Online::Events,
};

/// The rules, with their state.
#[derive(Default)]
struct Velodrome {
    graph: Graph,
    threads: Vec<Thread>,
    findings: Findings,
}

#[derive(Default)]
struct Thread {
    /// The blocks; those marked as violated are the blamed ones.
    blocks: Blocks,
    /// The number of edges examined for cycles of the running transaction.
    looked_at: u64,
}

/// The number of edges that may be examined for cycles of a transaction, per event since its begin (4).
const LOOKS: u64 = 8;

impl Thread {
    /// Returns whether some open block has not been blamed and examining `event` is within the budget.
    fn may_be_blamed(&self, event: Stamp) -> bool {
        let start = self.blocks.transaction().filter(|_| self.blocks.has_unviolated());
        start.is_some_and(|start| self.looked_at <= LOOKS * (event.position() - start))
    }
}

impl Velodrome {
    fn edge(&mut self, source: NodeId, edge: Edge, current: NodeId) {
        if !self.graph.reaches(current, source) {
            self.graph.insert(source, edge, current);
            return;
        }
        let thread = &mut self.threads[edge.to.thread().index()];
        if self.findings.cycle.is_some() && !thread.may_be_blamed(edge.to) {
            return;
        }
        let walk = self.graph.walk(current, edge, source);
        thread.looked_at += walk.looked_at;
        if walk.is_increasing {
            // The blocks that began at or before the event where the cycle leaves their transaction.
            thread.blocks.violate(walk.leaves, edge, &mut self.findings, |_| walk.edges.clone());
        }
        self.findings.cycle.get_or_insert(Cycle { event: edge.to, edges: walk.edges });
    }
}

impl Rules for Velodrome {
    type Tag = ();

    fn begin(&mut self, me: Stamp, label: LabelId) {
        let thread = at(&mut self.threads, me.thread().index());
        if thread.blocks.transaction().is_none() {
            thread.looked_at = 0;
            self.graph.enter(me);
        }
        thread.blocks.begin(me.position(), label);
    }

    /// Adds the edges from the steps that the event follows.
    fn follow(&mut self, me: Stamp, sources: &[Access]) {
        let Some(current) = self.graph.current(me.thread()) else {
            self.graph.outside(me, sources);
            return;
        };
        for source in sources {
            // No running transaction reaches a step of a freed node.
            if let Some(node) = self.graph.node_of(source.stamp) {
                self.edge(node, Edge::new(source.stamp, me), current);
            }
        }
    }

    fn end(&mut self, me: Stamp) {
        if at(&mut self.threads, me.thread().index()).blocks.end() {
            self.graph.finish(me);
        }
    }

    #[inline]
    fn tag(&self, _thread: ThreadId) {}

    fn findings(&self) -> &Findings {
        &self.findings
    }
}
