//! The open blocks of a thread: its transaction and the blocks inside, and which of them are known to be violated.

use crate::engine::{Edge, Findings, Violation};
use crate::event::{LabelId, Stamp};

/// In so many ways a block is said to be violated, by what its thread touches when that shows.
const MOST_WAYS: usize = 8;
/// How far so many threads are followed is known.
const MOST_FOLLOWED: usize = 64;

/// The blocks of one thread that are open, outermost first.
#[derive(Default)]
pub(crate) struct Blocks {
    open: Vec<Block>,
    /// How many of them, from the outermost, are known to be violated.
    violated: usize,
    /// The ways in which these are, each as the depth of the block and what the edge touches that shows it; outer blocks first.
    ways: Vec<(usize, u32)>,
    /// How far other threads are followed by the edges that show it: an edge from there or from before says nothing new.
    followed: Vec<Stamp>,
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
    /// the edges that `path` gives for its begin. If there is none, and nothing of the kind was known to violate the deepest, that
    /// is added to [`Findings::again`].
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

/// A thread that is known to follow others so far follows this event. False if that is known.
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
