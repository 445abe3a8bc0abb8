//! Reach on a stream of begins, ends and dependencies: blocks are known from begin to end.

use super::matrices::{Ends, Matrices};
use crate::engine::{Dependency, DependencyEngine, Edge, Findings, Violation};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::blocks::Blocks;

/// Reach on begins, ends and dependencies: all that it needs of an execution.
///
/// Positions grow along each thread. A dependency `(u, p)` of an event says that the event follows everything that `u`
/// did up to position `p`, which has been passed here before. The caller may omit dependencies that earlier ones of the
/// same thread imply, and events that neither begin nor end a block nor have a dependency.
#[derive(Default)]
pub struct Edges {
    /// By thread.
    blocks: Vec<Blocks>,
    matrices: Matrices,
    /// The variable or lock that the current event of a trace touches, as a number.
    pub(super) subject: u32,
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
        at(&mut self.blocks, thread.index()).begin(now, label);
        self.inside(thread, now, dependencies);
    }

    /// `thread` leaves its innermost block at `now`, an event with the given dependencies.
    pub fn end(&mut self, thread: ThreadId, now: u64, dependencies: impl Iterator<Item = Dependency> + Clone) {
        self.inside(thread, now, dependencies);
        if at(&mut self.blocks, thread.index()).end() {
            self.matrices.drop_row(thread);
        }
    }

    /// An event of `thread` at `now` that is neither begin nor end, with the given dependencies.
    pub fn inside(&mut self, thread: ThreadId, now: u64, dependencies: impl Iterator<Item = Dependency> + Clone) {
        let edges = dependencies.map(|d| Edge { from: d.on, to: Stamp::new(thread, now), sites: d.sites });
        let Edges { blocks, matrices, .. } = self;
        for edge in edges.clone() {
            matrices.judge(edge, at(blocks, thread.index()));
        }
        for edge in edges {
            let running = blocks[thread.index()].transaction();
            let ends = Ends { leaves_running: leaves_running(blocks, edge.from), running };
            matrices.extend(edge, ends, |owner, b| blocks[owner.index()].deepest(b));
        }
    }

    /// Returns the findings in the events so far, without violations that were taken.
    pub fn findings(&self) -> &Findings {
        &self.matrices.findings
    }

    /// The matrices, for tests.
    #[cfg(test)]
    pub(super) fn matrices(&self) -> &Matrices {
        &self.matrices
    }
}

/// Returns whether the transaction of `source` still runs.
fn leaves_running(blocks: &[Blocks], source: Stamp) -> bool {
    let blocks = blocks.get(source.thread().index());
    blocks.and_then(Blocks::transaction).is_some_and(|start| start <= source.position())
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

    /// The columns of the thread stay as long as a running transaction reaches it: an event that depends on it may
    /// come.
    fn forget(&mut self, thread: ThreadId) -> bool {
        let blocks = self.blocks.get_mut(thread.index());
        let has_ended = blocks.is_none_or(|blocks| {
            let has_ended = blocks.transaction().is_none();
            if has_ended {
                *blocks = Blocks::default();
            }
            has_ended
        });
        let is_unreached = self.matrices.forget(thread);
        has_ended && is_unreached
    }

    fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.matrices.findings.violations)
    }

    fn take_again(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.matrices.findings.again)
    }

    fn findings(&self) -> &Findings {
        self.findings()
    }
}
