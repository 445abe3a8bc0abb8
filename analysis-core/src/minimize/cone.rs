//! The starting point of a sub-trace: chosen events and the other halves of their pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::event::{Event, LockId, Op, ThreadId};

/// A part of a trace, closed under pairs.
#[derive(Debug)]
pub struct Cone {
    chosen: Chosen,
    /// Whether the outermost block around a chosen event is chosen, too.
    with_blocks: bool,
    pieces: BTreeMap<u64, Piece>,
    blocks: HashMap<ThreadId, Vec<Open>>,
    locks: HashMap<(ThreadId, LockId), Vec<Open>>,
}

#[derive(Debug)]
enum Chosen {
    These(BTreeSet<u64>),
    UpTo(u64),
}

/// An event of the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its number in the trace.
    pub number: u64,
    /// What it is.
    pub event: Event,
}

/// The unit that is kept or dropped as a whole: an event, or a matched pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The event, or the first of the pair.
    pub first: Piece,
    /// The second of the pair.
    pub second: Option<Piece>,
}

/// The first half of a pair whose second half has not come yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    piece: Piece,
    is_chosen: bool,
}

impl Cone {
    /// Chooses these events. `with_blocks` says whether the transactions that contain them matter, as for a cycle; for
    /// a violated block only its own begin does.
    pub fn of(events: BTreeSet<u64>, with_blocks: bool) -> Cone {
        Cone::new(Chosen::These(events), with_blocks)
    }

    /// Chooses all events up to this one: used if the witness alone does not show the finding.
    pub fn up_to(number: u64) -> Cone {
        Cone::new(Chosen::UpTo(number), false)
    }

    fn new(chosen: Chosen, with_blocks: bool) -> Cone {
        Cone { chosen, with_blocks, pieces: BTreeMap::new(), blocks: HashMap::new(), locks: HashMap::new() }
    }

    /// Processes the next event of the trace, which must be well-formed; the first has number 1.
    pub fn step(&mut self, number: u64, event: Event) {
        let piece = Piece { number, event };
        let is_chosen = match &self.chosen {
            Chosen::These(events) => events.contains(&number),
            Chosen::UpTo(last) => number <= *last,
        } && !matches!(event.op, Op::Nop | Op::Together | Op::Update);
        match event.op {
            Op::Begin(_) => self.blocks.entry(event.thread).or_default().push(Open { piece, is_chosen }),
            Op::Acquire(lock) => {
                self.locks.entry((event.thread, lock)).or_default().push(Open { piece, is_chosen });
            }
            _ => {}
        }
        if is_chosen && self.with_blocks {
            self.choose_block(event.thread);
        }
        let first = match event.op {
            Op::End => self.blocks.get_mut(&event.thread).and_then(Vec::pop),
            Op::Release(lock) => self.locks.get_mut(&(event.thread, lock)).and_then(Vec::pop),
            _ => None,
        };
        if is_chosen || first.is_some_and(|first| first.is_chosen) {
            self.pieces.extend(first.map(|first| (first.piece.number, first.piece)));
            self.pieces.insert(number, piece);
        }
    }

    fn choose_block(&mut self, thread: ThreadId) {
        if let Some(outermost) = self.blocks.get_mut(&thread).and_then(|open| open.first_mut()) {
            outermost.is_chosen = true;
            self.pieces.insert(outermost.piece.number, outermost.piece);
        }
    }

    /// Returns the part, as units in the order of their first events. Events of unclosed pairs are units of their own.
    pub fn units(self) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        let mut blocks: HashMap<ThreadId, Vec<usize>> = HashMap::new();
        let mut locks: HashMap<(ThreadId, LockId), Vec<usize>> = HashMap::new();
        for piece in self.pieces.into_values() {
            let Event { thread, op } = piece.event;
            let first = match op {
                Op::End => blocks.get_mut(&thread).and_then(Vec::pop),
                Op::Release(lock) => locks.get_mut(&(thread, lock)).and_then(Vec::pop),
                _ => None,
            };
            match (op, first) {
                (_, Some(first)) => {
                    units[first].second = Some(piece);
                    continue;
                }
                (Op::Begin(_), None) => blocks.entry(thread).or_default().push(units.len()),
                (Op::Acquire(lock), None) => locks.entry((thread, lock)).or_default().push(units.len()),
                _ => {}
            }
            units.push(Unit { first: piece, second: None });
        }
        units
    }
}

impl Unit {
    /// Returns its events.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// Returns whether it belongs to this thread, or starts or joins it.
    pub(super) fn concerns(&self, thread: ThreadId) -> bool {
        let Event { thread: own, op } = self.first.event;
        own == thread || op == Op::Fork(thread) || op == Op::Join(thread)
    }

    /// Returns whether it is the block, or lies in it.
    pub(super) fn is_in(&self, block: &Unit) -> bool {
        let end = block.second.map_or(u64::MAX, |end| end.number);
        self.first.event.thread == block.first.event.thread
            && (block.first.number..=end).contains(&self.first.number)
            && self.second.is_none_or(|second| second.number <= end)
    }
}
