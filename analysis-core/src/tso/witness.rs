//! The witness that a trace is not serializable, or not robust, under TSO: an execution, a cycle in it, and the delayed
//! writes that make the cycle.

use super::graph::{Edge, Graph, Why};
use super::history::{Act, History, NONE, Node, Units};
use super::schedule::Execution;

/// An execution with a cycle.
pub struct Witness {
    /// The execution.
    pub execution: Execution,
    /// Its history.
    pub history: History,
    /// The edges of the cycle, in the order of the walk: each starts in the unit in which the one before ended, and the
    /// last ends in the unit in which the first starts.
    pub cycle: Vec<Edge>,
    /// The writes on the cycle that were delayed past accesses of other threads.
    pub delays: Vec<Delay>,
}

/// A write that other threads did not see in time. The numbers are those of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The write.
    pub write: u32,
    /// The accesses of other threads, on the cycle, that happened after its issue and before its commit: reads that
    /// read the old value, and writes that overtook it.
    pub missed_by: Vec<u32>,
    /// The next access of its thread after the issue: a fence between the two makes the thread wait for the commit.
    pub next: Option<u32>,
}

impl Witness {
    /// Returns the witness of an execution that has a cycle of such units; `None` if it has none.
    pub fn of(execution: Execution, units: Units) -> Option<Witness> {
        Witness::with(execution, units, |graph, _| graph.cycle())
    }

    /// Like [`Witness::of`], but only for a cycle through the last access or fence.
    pub fn through_last(execution: Execution, units: Units) -> Option<Witness> {
        Witness::with(execution, units, |graph, history| {
            let last = history.nodes.last()?.unit;
            graph.shortest(last, last)
        })
    }

    fn with(
        execution: Execution,
        units: Units,
        find: impl FnOnce(&Graph, &History) -> Option<Vec<Edge>>,
    ) -> Option<Witness> {
        let history = History::of(&execution.events, units);
        let graph = Graph::new(&history.edges, history.units.len(), |node| history.node(node).unit);
        let cycle = find(&graph, &history)?;
        let delays = delays(&history, &cycle);
        Some(Witness { execution, history, cycle, delays })
    }

    /// Returns the node with this number.
    pub fn node(&self, number: u32) -> &Node {
        self.history.node(number)
    }

    /// Returns the number in the trace of a node's event.
    pub fn origin(&self, node: u32) -> u32 {
        self.execution.origins[self.node(node).event as usize - 1]
    }
}

/// Returns the delays that a cycle needs.
fn delays(history: &History, cycle: &[Edge]) -> Vec<Delay> {
    let mut delays: Vec<Delay> = Vec::new();
    let late = cycle.iter().filter(|edge| matches!(edge.why, Why::ReadsBefore | Why::WriteOrder));
    for edge in late.filter(|edge| history.node(edge.from).event > history.node(edge.to).event) {
        match delays.iter_mut().find(|delay| delay.write == edge.to) {
            Some(delay) => delay.missed_by.push(edge.from),
            None => delays.push(Delay {
                write: edge.to,
                missed_by: vec![edge.from],
                next: next_of_thread(history, edge.to),
            }),
        }
    }
    delays
}

/// Returns the next access of the thread of `write`, if it comes before the commit: otherwise only the end drains the
/// buffer.
fn next_of_thread(history: &History, write: u32) -> Option<u32> {
    let node = history.node(write);
    let commit = if node.commit == NONE { u32::MAX } else { node.commit };
    let later = (write + 1..history.nodes.len() as u32).map(|number| (number, history.node(number)));
    let mut during = later.take_while(|(_, later)| later.event < commit);
    during.find(|(_, later)| later.thread == node.thread && later.act != Act::Fence).map(|(number, _)| number)
}
