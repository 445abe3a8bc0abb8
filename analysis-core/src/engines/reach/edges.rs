//! The rules of reach: what a begin, an end and an edge between threads do to F and E.

use super::frontier::Frontier;
use crate::engine::{Cycle, Dependency, DependencyEngine, Edge, Findings, Violation};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::begins::Begins;
use crate::graph::blocks::Blocks;
use crate::graph::rows::{Row, Rows};

/// Reach on begins, ends and dependencies: all that it needs of an execution.
///
/// Positions grow along each thread. A dependency `(u, p)` of an event says that it follows everything that `u` did up
/// to position `p`, which has been passed here before; dependencies that are implied by earlier ones of the same thread
/// may be left out, and so may events that neither begin nor end a block nor have a dependency.
#[derive(Default)]
pub struct Edges {
    /// By thread.
    blocks: Vec<Blocks>,
    rows: Rows,
    /// F, until the first cycle.
    frontier: Frontier,
    begins: Begins,
    findings: Findings,
    /// Scratch rows; kept for their memory.
    reaching: Vec<Row>,
}

impl Edges {
    /// `thread` enters a block at `now`, an event with the given dependencies.
    pub fn begin(
        &mut self,
        thread: ThreadId,
        now: u64,
        label: LabelId,
        dependencies: impl Iterator<Item = Dependency> + Clone,
    ) {
        self.blocks(thread).begin(now, label);
        self.inside(thread, now, dependencies);
    }

    /// `thread` leaves its innermost block at `now`, an event with the given dependencies.
    pub fn end(&mut self, thread: ThreadId, now: u64, dependencies: impl Iterator<Item = Dependency> + Clone) {
        self.inside(thread, now, dependencies);
        if self.blocks(thread).end()
            && let Some(row) = self.rows.take_back(thread)
        {
            self.frontier.clear(row);
            self.begins.clear(row);
        }
    }

    /// An event of `thread` at `now` that is neither begin nor end, with the given dependencies.
    pub fn inside(&mut self, thread: ThreadId, now: u64, dependencies: impl Iterator<Item = Dependency> + Clone) {
        let edges = dependencies.map(|d| Edge { from: d.on, to: Stamp::new(thread, now), sites: d.sites });
        for edge in edges.clone() {
            self.close_cycle(edge);
            self.violate(edge);
        }
        for edge in edges {
            if self.findings.cycle.is_none() {
                self.extend_frontier(edge);
            }
            self.extend_begins(edge);
        }
    }

    /// What is known of the events so far, but for violations that were taken.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Some transaction of the source's thread, not after the source's, follows the running one: a cycle.
    fn close_cycle(&mut self, edge: Edge) {
        if self.findings.cycle.is_none() {
            let edges = self.frontier.cycle(&self.rows, edge);
            self.findings.cycle = edges.map(|edges| Cycle { event: edge.to, edges });
        }
    }

    /// The begins that happen before the source are those of violated blocks.
    fn violate(&mut self, edge: Edge) {
        let thread = edge.to.thread();
        let Some(row) = self.rows.of(thread) else { return };
        let Some(reached) = self.begins.before(row, edge.from) else { return };
        let path = |begin| self.begins.path(row, thread, begin, edge);
        self.blocks[thread.index()].violate(reached, edge, &mut self.findings, path);
    }

    /// Every running transaction that reaches the source's now reaches that of the event.
    fn extend_frontier(&mut self, edge: Edge) {
        let running = self.blocks.get(edge.to.thread().index()).and_then(Blocks::transaction);
        let start = running.unwrap_or(edge.to.position());
        let leaves_running = self.leaves_running(edge.from);
        self.frontier.extend(&mut self.rows, edge, start, leaves_running);
    }

    /// Every begin that happens before the source now happens before the event.
    fn extend_begins(&mut self, edge: Edge) {
        let Edges { blocks, rows, begins, reaching, .. } = self;
        reaching.clear();
        begins.reaching(edge.from, reaching);
        for &row in reaching.iter() {
            let owner = rows.owner(row);
            if owner != edge.to.thread() {
                let begin = begins.before(row, edge.from).expect("the row reaches the source");
                begins.extend(row, begin, edge, |b| blocks[owner.index()].deepest(b));
            }
        }
        if self.leaves_running(edge.from) {
            let source = edge.from;
            let home = &self.blocks[source.thread().index()];
            let row = self.rows.give(source.thread());
            self.begins.extend(row, source.position(), edge, |b| home.deepest(b));
        }
    }

    /// True if the transaction of `source` still runs.
    fn leaves_running(&self, source: Stamp) -> bool {
        let blocks = self.blocks.get(source.thread().index());
        blocks.and_then(Blocks::transaction).is_some_and(|start| start <= source.position())
    }

    /// How many rows there are, given or free.
    #[cfg(test)]
    pub(super) fn rows_in_all(&self) -> usize {
        self.rows.len()
    }

    /// How many steps the staircases have.
    #[cfg(test)]
    pub(super) fn steps_in_all(&self) -> usize {
        self.begins.steps_in_all()
    }

    fn blocks(&mut self, thread: ThreadId) -> &mut Blocks {
        at(&mut self.blocks, thread.index())
    }
}

impl DependencyEngine for Edges {
    fn begin(&mut self, now: Stamp, label: LabelId, dependencies: &[Dependency]) {
        self.begin(now.thread(), now.position(), label, dependencies.iter().copied());
    }

    fn end(&mut self, now: Stamp, dependencies: &[Dependency]) {
        self.end(now.thread(), now.position(), dependencies.iter().copied());
    }

    fn inside(&mut self, now: Stamp, dependencies: &[Dependency]) {
        self.inside(now.thread(), now.position(), dependencies.iter().copied());
    }

    /// Its columns stay as long as a running transaction reaches it: an event that depends on it may come.
    fn forget(&mut self, thread: ThreadId) -> bool {
        let blocks = self.blocks.get_mut(thread.index());
        let has_ended = blocks.is_none_or(|blocks| {
            let has_ended = blocks.transaction().is_none();
            if has_ended {
                *blocks = Blocks::default();
            }
            has_ended
        });
        let is_unreached = [self.frontier.forget(thread), self.begins.forget(thread)] == [true, true];
        has_ended && is_unreached
    }

    fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.findings.violations)
    }

    fn findings(&self) -> &Findings {
        self.findings()
    }
}
