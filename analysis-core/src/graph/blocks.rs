//! The open blocks of a thread: its transaction and the inner blocks, and which of them are known to be violated.

use crate::engine::{Edge, Findings, Violation};
use crate::event::{LabelId, Stamp};

/// The most ways in which a block is reported as violated, distinguished by what its thread touches at the violating
/// event.
const MOST_WAYS: usize = 8;
/// The most threads in [`Blocks::followed`].
const MOST_FOLLOWED: usize = 64;

/// The open blocks of one thread, outermost first.
#[derive(Default)]
pub(crate) struct Blocks {
    open: Vec<Block>,
    /// The number of blocks, from the outermost, that are known to be violated.
    violated: usize,
    /// The known ways of violation, each as the depth of the block and what the violating edge touches; outer blocks
    /// first.
    ways: Vec<(usize, u32)>,
    /// How far the violating edges follow other threads: an edge from there or from before says nothing new.
    followed: Vec<Stamp>,
}

#[derive(Clone, Copy)]
struct Block {
    begin: u64,
    label: LabelId,
}

impl Blocks {
    /// Opens a block at `begin`.
    pub(crate) fn begin(&mut self, begin: u64, label: LabelId) {
        self.open.push(Block { begin, label });
    }

    /// Closes the innermost block. Returns true if none is open now.
    pub(crate) fn end(&mut self) -> bool {
        self.open.pop();
        let depth = self.open.len();
        if self.violated > depth {
            self.violated = depth;
            self.ways.truncate(self.ways.partition_point(|(of, _)| *of < depth));
            if depth == 0 {
                self.followed.clear();
            }
        }
        depth == 0
    }

    /// Returns the start of the running transaction, if one runs.
    pub(crate) fn transaction(&self) -> Option<u64> {
        self.open.first().map(|block| block.begin)
    }

    /// Returns the begin of the deepest open block that began at or before `position`; there must be one.
    pub(crate) fn deepest(&self, position: u64) -> u64 {
        self.open[self.open.partition_point(|block| block.begin <= position) - 1].begin
    }

    /// Returns whether some open block is not known to be violated.
    pub(crate) fn has_unviolated(&self) -> bool {
        self.open.len() > self.violated
    }

    /// Records that `edge` violates the blocks that began at or before `reached`: adds those not yet known to be
    /// violated, each with the edges that `path` returns for its begin. If there are none, and the deepest block was
    /// not yet known to be violated in this way, adds that violation to [`Findings::again`].
    pub(crate) fn violate(
        &mut self,
        reached: u64,
        edge: Edge,
        findings: &mut Findings,
        path: impl Fn(u64) -> Vec<Edge>,
    ) {
        let Blocks { open, violated, ways, followed } = self;
        let touched = if edge.sites.pair != 0 { edge.sites.pair } else { edge.sites.subject };
        let violation = |depth: usize, block: &Block| Violation {
            thread: edge.to.thread(),
            label: block.label,
            begin: block.begin,
            event: edge.to.position(),
            depth: u32::try_from(depth).expect("fewer than 2^32 open blocks"),
            other: edge.from,
            edges: path(block.begin),
        };
        let known = *violated;
        for (depth, block) in open.iter().enumerate().skip(known) {
            if block.begin > reached {
                break;
            }
            *violated = depth + 1;
            ways.push((depth, touched));
            findings.violations.push(violation(depth, block));
        }
        let is_new = *violated > 0 && follow(followed, edge.from);
        if *violated > known || !is_new {
            return;
        }
        let Some(depth) = open[..known].partition_point(|block| block.begin <= reached).checked_sub(1) else { return };
        let of = ways.partition_point(|(of, _)| *of < depth)..ways.partition_point(|(of, _)| *of <= depth);
        if of.len() < MOST_WAYS && ways[of.clone()].iter().all(|(_, way)| *way != touched) {
            ways.insert(of.end, (depth, touched));
            findings.again.push(violation(depth, &open[depth]));
        }
    }
}

/// Records that a thread, known to follow others up to here, follows this event. Returns false if that was known.
fn follow(followed: &mut Vec<Stamp>, event: Stamp) -> bool {
    let is_full = followed.len() >= MOST_FOLLOWED;
    match followed.iter_mut().find(|known| known.thread() == event.thread()) {
        Some(known) if known.position() >= event.position() => false,
        Some(known) => {
            *known = event;
            true
        }
        None if is_full => false,
        None => {
            followed.push(event);
            true
        }
    }
}
