//! The *window* of each thread: its writes since its last fence.

use rustc_hash::FxHashMap;

use crate::event::{Event, Op, ThreadId, VarId};
use crate::graph::accesses::at;

/// Up to this many writes are compared one by one; more are looked up by variable.
const FEW: usize = 32;

/// The windows of all threads.
#[derive(Default)]
pub(super) struct Windows {
    threads: Vec<Window>,
    /// The number of windows whose first write's transaction is over.
    over: u32,
}

/// The writes of a thread since its last fence.
#[derive(Default)]
pub(super) struct Window {
    open_blocks: u32,
    /// The transaction of the first write is over.
    is_over: bool,
    /// In order.
    writes: Vec<Write>,
    /// By variable, the places in `writes`, for the first `known` writes.
    places: FxHashMap<VarId, Vec<u32>>,
    known: usize,
}

struct Write {
    /// Its event.
    number: u32,
    x: VarId,
}

impl Windows {
    /// Processes the next event, unless it is an access.
    #[inline]
    pub(super) fn take(&mut self, event: Event) {
        let Windows { threads, over } = self;
        let window = at(threads, event.thread.index());
        match event.op {
            Op::Read(_) | Op::Write(_) | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => {}
            Op::Begin(_) => window.open_blocks += 1,
            Op::End => {
                window.open_blocks = window.open_blocks.saturating_sub(1);
                window.end(over);
            }
            Op::Fence | Op::Acquire(_) | Op::Release(_) | Op::Fork(_) => window.fence(over),
            Op::Join(child) => {
                window.fence(over);
                at(threads, child.index()).fence(over);
            }
        }
    }

    /// Returns the first unfenced write of a thread, if its transaction is over: the thread must not read.
    #[inline]
    pub(super) fn over(&self, thread: ThreadId) -> Option<u32> {
        if self.over == 0 {
            return None;
        }
        let window = self.threads.get(thread.index()).filter(|window| window.is_over);
        window.map(|window| window.writes[0].number)
    }

    /// Adds a write.
    #[inline]
    pub(super) fn write(&mut self, number: u32, thread: ThreadId, x: VarId) {
        let window = at(&mut self.threads, thread.index());
        window.writes.push(Write { number, x });
        window.end(&mut self.over);
    }

    /// Returns the window of a thread.
    pub(super) fn of(&mut self, thread: ThreadId) -> &mut Window {
        at(&mut self.threads, thread.index())
    }
}

impl Window {
    /// A transaction is over when no block is open.
    #[inline]
    fn end(&mut self, over: &mut u32) {
        if self.open_blocks == 0 && !self.is_over && !self.writes.is_empty() {
            self.is_over = true;
            *over += 1;
        }
    }

    #[inline]
    fn fence(&mut self, over: &mut u32) {
        *over -= u32::from(std::mem::take(&mut self.is_over));
        self.writes.clear();
        if self.known > 0 {
            self.places.clear();
            self.known = 0;
        }
    }

    /// Returns how many writes of the window come before `read`, a read of its thread; `None` if that is itself a
    /// write.
    pub(super) fn writes_before(&self, read: u64) -> Option<u32> {
        let count = self.writes.partition_point(|write| u64::from(write.number) < read);
        let is_write = self.writes.get(count).is_some_and(|write| u64::from(write.number) == read);
        (!is_write).then_some(count as u32)
    }

    /// Returns the place of the last of the writes `from..to` that writes `x`.
    pub(super) fn last_of(&mut self, x: VarId, from: u32, to: u32) -> Option<u32> {
        if to.saturating_sub(from) as usize <= FEW {
            return (from..to).rev().find(|place| self.writes[*place as usize].x == x);
        }
        for place in self.known..self.writes.len() {
            self.places.entry(self.writes[place].x).or_default().push(place as u32);
        }
        self.known = self.writes.len();
        let places = self.places.get(&x)?;
        let before = places.partition_point(|place| *place < to);
        places[..before].last().copied().filter(|place| *place >= from)
    }

    /// Returns the event of the write at `place`.
    pub(super) fn number(&self, place: u32) -> u32 {
        self.writes[place as usize].number
    }
}
