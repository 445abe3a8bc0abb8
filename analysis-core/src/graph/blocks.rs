//! The open blocks of a thread: its transaction and the blocks inside, and which of them are known to be violated.

use crate::engine::{Edge, Findings, Violation};
use crate::event::LabelId;

/// The blocks of one thread that are open, outermost first.
#[derive(Default)]
pub(crate) struct Blocks {
    open: Vec<Block>,
    /// How many of them, from the outermost, are known to be violated.
    violated: usize,
}

#[derive(Clone, Copy)]
struct Block {
    begin: u64,
    label: LabelId,
}

impl Blocks {
    /// A block begins at `begin`.
    pub(crate) fn begin(&mut self, begin: u64, label: LabelId) {
        self.open.push(Block { begin, label });
    }

    /// The innermost block ends. True if none is open now.
    pub(crate) fn end(&mut self) -> bool {
        self.open.pop();
        self.violated = self.violated.min(self.open.len());
        self.open.is_empty()
    }

    /// The start of the running transaction, if one runs.
    pub(crate) fn transaction(&self) -> Option<u64> {
        self.open.first().map(|block| block.begin)
    }

    /// The begin of the deepest open block that began at or before `position`, which some did.
    pub(crate) fn deepest(&self, position: u64) -> u64 {
        self.open[self.open.partition_point(|block| block.begin <= position) - 1].begin
    }

    /// True if some open block is not known to be violated.
    pub(crate) fn has_unviolated(&self) -> bool {
        self.open.len() > self.violated
    }

    /// The blocks that began at or before `reached` are violated by `edge`: adds those that were not known to be, each with
    /// the edges that `path` gives for its begin.
    pub(crate) fn violate(
        &mut self,
        reached: u64,
        edge: Edge,
        findings: &mut Findings,
        path: impl Fn(u64) -> Vec<Edge>,
    ) {
        for (depth, block) in self.open.iter().enumerate().skip(self.violated) {
            if block.begin > reached {
                break;
            }
            self.violated = depth + 1;
            findings.violations.push(Violation {
                thread: edge.to.thread(),
                label: block.label,
                begin: block.begin,
                event: edge.to.position(),
                depth: u32::try_from(depth).expect("fewer than 2^32 open blocks"),
                other: edge.from,
                edges: path(block.begin),
            });
        }
    }
}
