//! The imprecise graph: transactions, their logs, and which may have to come before which.
//!
//! A node is a transaction, or a run of events outside blocks with no edge into or out of its middle. Edges lead only
//! into the current node of a thread, so a finished node that no running one reaches is in no future cycle: it is
//! freed, with its log.

use rustc_hash::FxHashSet;

use super::components::Mark;
use crate::event::{LabelId, Op, ThreadId};

/// Names a node until the node is freed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NodeId(u32);

impl NodeId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Not in use: free to be reused.
    Free,
    /// A transaction whose block is open.
    Running,
    /// A transaction that has ended.
    Finished,
    /// A run of events outside blocks.
    Run,
}

/// A transaction or a run of events outside blocks.
pub(super) struct Node {
    pub(super) phase: Phase,
    pub(super) thread: ThreadId,
    pub(super) label: LabelId,
    /// The positions of the node's first and last event.
    pub(super) begin: u64,
    pub(super) end: u64,
    /// An edge leads into the node.
    pub(super) is_reached: bool,
    /// The node finished after the last search for components.
    pub(super) is_fresh: bool,
    pub(super) is_blamed: bool,
    pub(super) successors: Vec<NodeId>,
    pub(super) log: Vec<Entry>,
    /// What the search for components knows of the node.
    pub(super) mark: Mark,
    is_kept: bool,
    /// The index of the node in [`Graph::live`].
    place: usize,
}

/// One logged event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) position: u64,
    pub(super) op: Op,
}

/// The nodes and edges.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    live: Vec<NodeId>,
    free: Vec<NodeId>,
    /// Every edge, so that none is added twice.
    edges: FxHashSet<(NodeId, NodeId)>,
}

impl Graph {
    #[inline]
    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.index()]
    }

    /// Returns every node in use.
    pub(super) fn live(&self) -> &[NodeId] {
        &self.live
    }

    /// The number of nodes in use.
    pub(super) fn len(&self) -> usize {
        self.live.len()
    }

    /// The number of edges.
    pub(super) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Adds a new node, which reuses the memory of a freed one.
    pub(super) fn add(&mut self, phase: Phase, thread: ThreadId, label: LabelId, begin: u64) -> NodeId {
        let mut node = Node {
            phase,
            thread,
            label,
            begin,
            end: begin,
            is_reached: false,
            is_fresh: false,
            is_blamed: false,
            successors: Vec::new(),
            log: Vec::new(),
            mark: Mark::default(),
            is_kept: false,
            place: self.live.len(),
        };
        let id = match self.free.pop() {
            Some(id) => {
                let old = &mut self.nodes[id.index()];
                node.successors = std::mem::take(&mut old.successors);
                node.log = std::mem::take(&mut old.log);
                *old = node;
                id
            }
            None => {
                self.nodes.push(node);
                NodeId(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes in use"))
            }
        };
        self.live.push(id);
        id
    }

    /// Adds an edge, unless it exists already.
    pub(super) fn connect(&mut self, from: NodeId, to: NodeId) {
        // Most often the edge repeats the last one.
        if from != to && self.node(from).successors.last() != Some(&to) && self.edges.insert((from, to)) {
            self.nodes[from.index()].successors.push(to);
            self.nodes[to.index()].is_reached = true;
        }
    }

    /// Frees a node that no edge enters.
    pub(super) fn free(&mut self, id: NodeId) {
        debug_assert!(!self.node(id).is_reached, "an edge would lead nowhere");
        let place = self.node(id).place;
        self.live.swap_remove(place);
        if let Some(&moved) = self.live.get(place) {
            self.nodes[moved.index()].place = place;
        }
        self.clear(id);
    }

    fn clear(&mut self, id: NodeId) {
        let node = &mut self.nodes[id.index()];
        for successor in node.successors.drain(..) {
            self.edges.remove(&(id, successor));
        }
        node.phase = Phase::Free;
        node.log.clear();
        self.free.push(id);
    }

    /// Returns the position in the trace from which an event may lead from the begin of a transaction that is not yet
    /// blamed to a future event: such a transaction is running, or it overlapped a running one.
    pub(super) fn least_begin_to_judge(&self) -> u64 {
        let nodes = || self.live.iter().map(|id| self.node(*id));
        let running = nodes().filter(|node| node.phase == Phase::Running).map(|node| node.begin);
        let oldest = running.min().unwrap_or(u64::MAX);
        let overlaps = |node: &&Node| node.phase == Phase::Finished && !node.is_blamed && node.end > oldest;
        nodes().filter(overlaps).map(|node| node.begin).fold(oldest, u64::min)
    }

    /// Frees every node that no running node reaches through nodes that ended at `limit` or later.
    pub(super) fn sweep(&mut self, limit: u64) {
        let mut waiting = Vec::new();
        for &id in &self.live {
            let node = &mut self.nodes[id.index()];
            (node.is_kept, node.is_reached) = (node.phase == Phase::Running, false);
            waiting.extend(node.is_kept.then_some(id));
        }
        while let Some(id) = waiting.pop() {
            let successors = std::mem::take(&mut self.nodes[id.index()].successors);
            for next in &successors {
                let node = &mut self.nodes[next.index()];
                if !node.is_kept && node.end >= limit {
                    node.is_kept = true;
                    waiting.push(*next);
                }
            }
            self.nodes[id.index()].successors = successors;
        }
        self.keep();
    }

    fn keep(&mut self) {
        let live = std::mem::take(&mut self.live);
        for &id in &live {
            if self.node(id).is_kept {
                self.nodes[id.index()].place = self.live.len();
                self.live.push(id);
            } else {
                self.clear(id);
            }
        }
        for id in &self.live {
            let mut successors = std::mem::take(&mut self.nodes[id.index()].successors);
            successors.retain(|next| {
                let node = &mut self.nodes[next.index()];
                node.is_reached |= node.is_kept;
                node.is_kept || !self.edges.remove(&(*id, *next))
            });
            self.nodes[id.index()].successors = successors;
        }
    }
}
