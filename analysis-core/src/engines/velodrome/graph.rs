//! The transactional happens-before graph of Velodrome: nodes, steps, edges, and garbage.
//!
//! A *step* of the paper, a node and a timestamp in it, is a [`Stamp`] here. Positions grow along the whole trace, so
//! the node of a step is the last live one of the stamp's thread that started at or before it; a step before all of
//! them belongs to a freed node. Tables of last accesses therefore name no nodes and need no cleaning.
//!
//! Each node keeps the set of *running* transactions that reach it. Only an edge into a running transaction can close a
//! cycle, so the set of the edge's source says whether it does. A finished node with an empty set is garbage: that is
//! the paper's "finished, and no incoming edges", applied transitively, since in an acyclic graph a path leads back
//! from every node to one without incoming edges.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use crate::engine::Edge;
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::{Access, at};
use crate::graph::rows::Rows;

/// The end of a running transaction, and the start of a node that is not in use.
const NOT_YET: u64 = u64::MAX;

/// Names a node. Reused when the node is garbage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A transaction, with the events outside blocks that were merged into it after its end (1).
struct Node {
    thread: ThreadId,
    start: u64,
    end: u64,
    /// Edges into the node, that of program order first. Edges from garbage stay until the list is full.
    incoming: Vec<Incoming>,
    /// The targets of outgoing edges. All are live, since this node is.
    outgoing: Vec<NodeId>,
    /// The slots of the running transactions that reach the node.
    ancestors: FixedBitSet,
}

/// One edge between two nodes, with both timestamps.
#[derive(Clone, Copy)]
struct Incoming {
    node: NodeId,
    from: Stamp,
    to: u64,
}

/// A cycle, and what is known about it.
pub(super) struct Walk {
    /// Its cross-thread edges, from the node that completes it and back to it.
    pub(super) edges: Vec<Edge>,
    /// Whether at every other node the incoming edge is not after the outgoing one.
    pub(super) is_increasing: bool,
    /// The timestamp at which the cycle leaves the node that completes it.
    pub(super) leaves: u64,
    /// The number of edges examined on the way.
    pub(super) looked_at: u64,
}

/// The nodes that are running or that a running node reaches.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    /// By thread: its live nodes with their starts, in program order. Nodes become garbage from the front.
    live: Vec<VecDeque<(u64, NodeId)>>,
    /// The slot of each running transaction.
    slots: Rows,
    /// By slot and thread: the tail of the last edge from that thread into the running transaction, or 0.
    tails: Vec<Vec<u64>>,
    /// What a new edge adds, nodes to be visited, nodes to be freed; kept to reuse their memory.
    gained: FixedBitSet,
    visit: Vec<NodeId>,
    garbage: Vec<NodeId>,
}

impl Graph {
    /// `C(t)`: the running transaction of `thread`.
    #[inline]
    pub(super) fn current(&self, thread: ThreadId) -> Option<NodeId> {
        self.slots.of(thread)?;
        self.live[thread.index()].back().map(|(_, node)| *node)
    }

    /// Returns the live node that an event belongs to.
    #[inline]
    pub(super) fn node_of(&self, event: Stamp) -> Option<NodeId> {
        let live = self.live.get(event.thread().index())?;
        match live.back() {
            Some((start, node)) if *start <= event.position() => Some(*node),
            _ => live.partition_point(|(start, _)| *start <= event.position()).checked_sub(1).map(|last| live[last].1),
        }
    }

    /// Starts a transaction of `me`'s thread at `me`, after everything that the thread did before.
    pub(super) fn enter(&mut self, me: Stamp) -> NodeId {
        let node = self.fresh(me);
        self.slots.give(me.thread());
        let live = at(&mut self.live, me.thread().index());
        let previous = live.back().map(|(_, previous)| *previous);
        live.push_back((me.position(), node));
        if let Some(previous) = previous {
            let from = Stamp::new(me.thread(), self.nodes[previous.index()].end);
            self.connect(Incoming { node: previous, from, to: me.position() }, node);
        }
        node
    }

    /// Returns whether an edge from `source` into the running transaction `target` would close a cycle.
    pub(super) fn reaches(&self, target: NodeId, source: NodeId) -> bool {
        let slot = self.slots.of(self.nodes[target.index()].thread);
        slot.is_some_and(|slot| self.nodes[source.index()].ancestors.contains(slot.index()))
    }

    /// Adds an edge from an event of `source` to one of the running transaction `target`, unless there is one: between
    /// two transactions the first edge is kept, and one from a later transaction of the same thread implies it.
    pub(super) fn insert(&mut self, source: NodeId, edge: Edge, target: NodeId) {
        let Node { start, end, .. } = self.nodes[source.index()];
        // (1) Events merged into a node after its end do not belong to the transaction; no edge into the node ends
        // there.
        let first = if edge.from.position() > end { end + 1 } else { start };
        let slot = self.slots.of(edge.to.thread()).expect("the target runs");
        let tail = at(at(&mut self.tails, slot.index()), edge.from.thread().index());
        if *tail < first {
            *tail = edge.from.position();
            self.connect(Incoming { node: source, from: edge.from, to: edge.to.position() }, target);
        }
    }

    /// Adds an event outside any block that follows `sources`: as a new node, or (1) merged with the node before it.
    pub(super) fn outside(&mut self, me: Stamp, sources: &[Access]) {
        if sources.iter().all(|source| self.adds_nothing(source.stamp, me.thread())) {
            return;
        }
        let node = self.enter(me);
        for source in sources {
            if let Some(origin) = self.node_of(source.stamp) {
                self.insert(origin, Edge::new(source.stamp, me), node);
            }
        }
        self.finish(me);
    }

    /// Ends the running transaction of `me`'s thread at `me`.
    pub(super) fn finish(&mut self, me: Stamp) {
        let Some(node) = self.current(me.thread()) else { return };
        let slot = self.slots.take_back(me.thread()).expect("a running transaction has a slot").index();
        self.nodes[node.index()].end = me.position();
        if let Some(tails) = self.tails.get_mut(slot) {
            // A tail in a freed node is before every live one, so it may stay.
            for edge in &self.nodes[node.index()].incoming {
                if let Some(tail) = tails.get_mut(edge.from.thread().index()) {
                    *tail = 0;
                }
            }
        }
        self.forget(slot, node);
        if self.nodes[node.index()].ancestors.is_clear() {
            self.garbage.push(node);
        } else {
            self.fold(node);
        }
        self.collect();
    }

    /// Returns the cycle that `last`, from `source` to the running transaction `target`, closes. Walks backwards. At
    /// each node it takes an edge that is not after the one that leaves the node, if there is one, and the newest such:
    /// it leaves its own source as late as possible. Every node on the way is reached by `target`, so this is no
    /// search.
    pub(super) fn walk(&self, target: NodeId, last: Edge, source: NodeId) -> Walk {
        let slot = self.slots.of(last.to.thread()).expect("the target runs").index();
        let mut walk = Walk { edges: vec![last], is_increasing: true, leaves: last.from.position(), looked_at: 0 };
        let mut node = source;
        while node != target {
            let Node { thread, incoming, .. } = &self.nodes[node.index()];
            walk.looked_at += incoming.len() as u64;
            let leads_back = |edge: &&Incoming| {
                self.is_live(edge) && (edge.node == target || self.nodes[edge.node.index()].ancestors.contains(slot))
            };
            let ways = incoming.iter().filter(leads_back);
            let way = ways.max_by_key(|edge| (edge.to <= walk.leaves, edge.node == target));
            let way = way.expect("what a transaction reaches is reached by an edge");
            walk.is_increasing &= way.to <= walk.leaves;
            walk.leaves = way.from.position();
            if way.from.thread() != *thread {
                walk.edges.push(Edge::new(way.from, Stamp::new(*thread, way.to)));
            }
            node = way.node;
        }
        walk.edges.reverse();
        walk
    }

    /// The number of live nodes, and the largest number that existed at one time.
    #[cfg(test)]
    pub(super) fn nodes(&self) -> (usize, usize) {
        (self.nodes.len() - self.free.len(), self.nodes.len())
    }

    /// Returns whether every running transaction that reaches `source` also reaches the last node of `thread`.
    fn adds_nothing(&self, source: Stamp, thread: ThreadId) -> bool {
        let Some(source) = self.node_of(source) else { return true };
        let Some((_, last)) = self.live.get(thread.index()).and_then(VecDeque::back) else { return false };
        let (source, last) = (&self.nodes[source.index()], &self.nodes[last.index()]);
        let slot = if source.end == NOT_YET { self.slots.of(source.thread) } else { None };
        slot.is_none_or(|slot| last.ancestors.contains(slot.index())) && source.ancestors.is_subset(&last.ancestors)
    }

    fn fresh(&mut self, me: Stamp) -> NodeId {
        let node = self.free.pop().unwrap_or_else(|| {
            let (incoming, outgoing, ancestors) = Default::default();
            self.nodes.push(Node { thread: me.thread(), start: NOT_YET, end: NOT_YET, incoming, outgoing, ancestors });
            NodeId(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 live transactions"))
        });
        let fresh = &mut self.nodes[node.index()];
        (fresh.thread, fresh.start, fresh.end) = (me.thread(), me.position(), NOT_YET);
        node
    }

    /// Adds an edge: what reaches its source now reaches its target and everything that the target reaches.
    fn connect(&mut self, edge: Incoming, target: NodeId) {
        if self.nodes[target.index()].incoming.len() == self.nodes[target.index()].incoming.capacity() {
            self.sweep(target);
        }
        self.nodes[target.index()].incoming.push(edge);
        let source = &mut self.nodes[edge.node.index()];
        source.outgoing.push(target);
        self.gained.clear();
        self.gained.union_with(&source.ancestors);
        if source.end == NOT_YET
            && let Some(slot) = self.slots.of(source.thread)
        {
            self.gained.grow_and_insert(slot.index());
        }
        self.visit.push(target);
        while let Some(node) = self.visit.pop() {
            let node = &mut self.nodes[node.index()];
            if !self.gained.is_subset(&node.ancestors) {
                node.ancestors.union_with(&self.gained);
                self.visit.extend(&node.outgoing);
            }
        }
    }

    /// The transaction with this slot has ended, so it is no longer a running ancestor of any node.
    fn forget(&mut self, slot: usize, node: NodeId) {
        self.visit.push(node);
        while let Some(node) = self.visit.pop() {
            for i in 0..self.nodes[node.index()].outgoing.len() {
                let next = self.nodes[node.index()].outgoing[i];
                let Node { ancestors, end, .. } = &mut self.nodes[next.index()];
                if ancestors.contains(slot) {
                    ancestors.set(slot, false);
                    self.visit.push(next);
                    if *end != NOT_YET && ancestors.is_clear() {
                        self.garbage.push(next);
                    }
                }
            }
        }
    }

    /// (1) Drops the newest node of a thread if it has no edges except from the node before it: its events now belong
    /// to that node.
    fn fold(&mut self, node: NodeId) {
        if !self.nodes[node.index()].outgoing.is_empty() {
            return;
        }
        self.sweep(node);
        let Node { thread, incoming, .. } = &self.nodes[node.index()];
        let [Incoming { node: previous, from, .. }] = incoming[..] else { return };
        if from.thread() == *thread {
            self.live[thread.index()].pop_back();
            let siblings = &mut self.nodes[previous.index()].outgoing;
            let place = siblings.iter().rposition(|sibling| *sibling == node).expect("an edge has two ends");
            siblings.swap_remove(place);
            self.release(node);
        }
    }

    fn collect(&mut self) {
        while let Some(node) = self.garbage.pop() {
            // What reaches a node reaches the later ones of its thread, so garbage is at the front; overall the same
            // nodes go.
            self.live[self.nodes[node.index()].thread.index()].pop_front();
            self.release(node);
        }
    }

    fn release(&mut self, node: NodeId) {
        let released = &mut self.nodes[node.index()];
        released.start = NOT_YET;
        released.incoming.clear();
        released.outgoing.clear();
        released.ancestors.clear();
        self.free.push(node);
    }

    /// Drops the edges from garbage into a node.
    fn sweep(&mut self, node: NodeId) {
        let mut incoming = std::mem::take(&mut self.nodes[node.index()].incoming);
        incoming.retain(|edge| self.is_live(edge));
        self.nodes[node.index()].incoming = incoming;
    }

    /// Returns false if the edge comes from garbage, whether or not its node has been reused.
    fn is_live(&self, edge: &Incoming) -> bool {
        self.nodes[edge.node.index()].start <= edge.from.position()
    }
}
