//! The precise phase: replays the logs of one component.
//!
//! Edges come from last accesses, between events of the component only: everything on a path from one member to another
//! and back is a member too. Each edge that closes a cycle blames the transaction that it enters, whether or not it
//! repeats an earlier edge between the same two transactions: the first may have come before the exit, the second
//! after.

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, NodeId, Phase};
use crate::clock::cycles::Cycles;
use crate::engine::Edge;
use crate::event::{LockId, Op, Stamp, ThreadId, VarId};
use crate::graph::accesses::{Access, Accesses};

/// An edge that closes a cycle.
pub(super) struct Closing {
    /// The transaction that the edge enters.
    pub(super) node: NodeId,
    /// The cross-thread edges of the cycle, the closing one last.
    pub(super) edges: Vec<Edge>,
}

/// Returns, for each transaction of the component, the first edge into it that closes a cycle, in trace order.
pub(super) fn replay(graph: &Graph, component: &[NodeId]) -> Vec<Closing> {
    let mut replay = Replay::default();
    let mut is_blamed = FxHashSet::default();
    let mut closings = Vec::new();
    for (position, node, op) in in_order(graph, component) {
        let thread = graph.node(node).thread;
        let Some(edges) = replay.event(thread, position, op) else { continue };
        if is_blamed.insert(node) {
            closings.push(Closing { node, edges });
        }
    }
    closings
}

/// Returns the logged events of all members in trace order, which is compatible with all edges.
fn in_order(graph: &Graph, component: &[NodeId]) -> Vec<(u64, NodeId, Op)> {
    let mut events = Vec::new();
    for &id in component {
        let node = graph.node(id);
        events.extend(node.log.iter().map(|entry| (entry.position, id, entry.op)));
        if node.phase == Phase::Finished {
            events.push((node.begin, id, Op::Begin(node.label)));
            events.push((node.end, id, Op::End));
        }
    }
    events.sort_unstable_by_key(|(position, ..)| *position);
    events
}

/// The replay of one component. Threads, variables and locks are renumbered, so that a small component of a large
/// program costs little.
#[derive(Default)]
struct Replay {
    threads: FxHashMap<ThreadId, ThreadId>,
    /// The original thread of each new number.
    originals: Vec<ThreadId>,
    vars: FxHashMap<VarId, VarId>,
    locks: FxHashMap<LockId, LockId>,
    accesses: Accesses,
    cycles: Cycles,
    sources: Vec<Access>,
}

impl Replay {
    /// Replays the next event. Returns the cycle that one of its edges closes, if any.
    fn event(&mut self, thread: ThreadId, position: u64, op: Op) -> Option<Vec<Edge>> {
        let op = self.renumbered(op);
        let me = Stamp::new(self.thread(thread), position);
        self.accesses.event(me, op, &mut self.sources);
        if let Op::Begin(_) = op {
            self.cycles.begin(me);
        }
        let closed = self.sources.iter().find_map(|source| self.cycles.closed_by(Edge::new(source.stamp, me)));
        for source in self.sources.drain(..) {
            self.cycles.enter(Edge::new(source.stamp, me));
        }
        if op == Op::End {
            self.cycles.end(me.thread());
        }
        closed.map(|edges| edges.into_iter().map(|edge| self.original(edge)).collect())
    }

    fn thread(&mut self, thread: ThreadId) -> ThreadId {
        *self.threads.entry(thread).or_insert_with(|| {
            self.originals.push(thread);
            ThreadId(self.originals.len() as u32 - 1)
        })
    }

    fn renumbered(&mut self, op: Op) -> Op {
        let (vars, locks) = (self.vars.len() as u32, self.locks.len() as u32);
        match op {
            Op::Read(x) => Op::Read(*self.vars.entry(x).or_insert(VarId(vars))),
            Op::Write(x) => Op::Write(*self.vars.entry(x).or_insert(VarId(vars))),
            Op::Acquire(l) => Op::Acquire(*self.locks.entry(l).or_insert(LockId(locks))),
            Op::Release(l) => Op::Release(*self.locks.entry(l).or_insert(LockId(locks))),
            Op::Fork(u) => Op::Fork(self.thread(u)),
            Op::Join(u) => Op::Join(self.thread(u)),
            Op::Begin(_) | Op::End | Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => op,
        }
    }

    fn original(&self, edge: Edge) -> Edge {
        let stamp = |stamp: Stamp| Stamp::new(self.originals[stamp.thread().index()], stamp.position());
        Edge::new(stamp(edge.from), stamp(edge.to))
    }
}
