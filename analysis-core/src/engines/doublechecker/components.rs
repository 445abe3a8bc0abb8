//! Strongly connected components of finished nodes: Tarjan's algorithm, without recursion.

use super::graph::{Graph, NodeId, Phase};

/// Returns the components that have more than one node, none of them running, and hold a node finished since the last
/// search. Any other component is unchanged. No node is fresh afterwards.
pub(super) fn fresh(graph: &mut Graph) -> Vec<Vec<NodeId>> {
    let live = graph.live().to_vec();
    for id in &live {
        graph.node_mut(*id).mark = Mark::default();
    }
    let mut search = Search { graph, next: 1, path: Vec::new(), stack: Vec::new(), found: Vec::new() };
    for id in &live {
        if search.graph.node(*id).is_fresh && search.graph.node(*id).mark.index == 0 {
            search.from(*id);
        }
    }
    let Search { graph, found, .. } = search;
    for id in &live {
        graph.node_mut(*id).is_fresh = false;
    }
    found
}

/// What the search knows of a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// The order in which the node was entered, from 1; 0 if not yet entered.
    index: usize,
    /// The least index among those on the stack that the node is known to lead to.
    low: usize,
    is_on_stack: bool,
}

struct Search<'a> {
    graph: &'a mut Graph,
    next: usize,
    /// The path down to the current node; for each node, how many of its successors are done.
    path: Vec<(NodeId, usize)>,
    stack: Vec<NodeId>,
    found: Vec<Vec<NodeId>>,
}

impl Search<'_> {
    fn from(&mut self, root: NodeId) {
        self.enter(root);
        while let Some((id, done)) = self.path.last_mut() {
            let id = *id;
            let Some(&next) = self.graph.node(id).successors.get(*done) else {
                self.leave(id);
                continue;
            };
            *done += 1;
            let mark = self.graph.node(next).mark;
            if mark.index == 0 {
                if matches!(self.graph.node(next).phase, Phase::Finished | Phase::Run) {
                    self.enter(next);
                }
            } else if mark.is_on_stack {
                self.lower(id, mark.index);
            }
        }
    }

    fn enter(&mut self, id: NodeId) {
        self.graph.node_mut(id).mark = Mark { index: self.next, low: self.next, is_on_stack: true };
        self.next += 1;
        self.path.push((id, 0));
        self.stack.push(id);
    }

    fn lower(&mut self, id: NodeId, low: usize) {
        let mark = &mut self.graph.node_mut(id).mark;
        mark.low = mark.low.min(low);
    }

    fn leave(&mut self, id: NodeId) {
        self.path.pop();
        let Mark { index, low, .. } = self.graph.node(id).mark;
        if let Some((parent, _)) = self.path.last().copied() {
            self.lower(parent, low);
        }
        if low != index {
            return;
        }
        let start = self.stack.iter().rposition(|other| *other == id).expect("the root of a component is on the stack");
        let component = self.stack.split_off(start);
        component.iter().for_each(|member| self.graph.node_mut(*member).mark.is_on_stack = false);
        if component.len() > 1 && component.iter().any(|member| self.graph.node(*member).is_fresh) {
            self.found.push(component);
        }
    }
}
