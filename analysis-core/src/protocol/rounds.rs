//! Reads of a round that may fail: *tentative* reads, of which it shows later whether they were events.
//!
//! A thread that reads several variables, tries a `compareAndSet` and fails goes round again, and nothing follows from what it
//! has read ([`crate::filter::attempts`]). A rehearsal cannot make the `compareAndSet`. So the reads of such a *round* are
//! tentative until it is *settled*: as *used*, then they are events, or as *withdrawn*, then there were none.
//!
//! # In the words of a variable
//! A tentative read has a stamp of its own, that of its thread at the next position, with a mark. Nothing but the mark keeps it from being a stamp
//! like any other, so it lies in `R` or among the readers, and makes every access by other threads look at it. It adds no
//! dependency, starts no segment, and covers nothing. Where it replaces an earlier stamp of its own thread in `R`, the thread remembers that one.
//!
//! # Settling
//! If the round is used, the thread takes its reads one by one, in their order: each depends on the write that it has found (whose
//! outermost open block was noted then), and becomes an item with the position that the read has reserved, and with the
//! blocks that were open. Then the round is settled, at once for all reads. After that, under the lock of each variable, the mark is removed, or the earlier stamp restored.
//! A read is moved by this, but only past events of other threads that do not conflict with it.
//!
//! # A write in between
//! A writer that finds a tentative read of a round that is open depends on it *conditionally*: its item is handed over with the tentative stamp as a
//! source, and the thread of the round learns that it was overtaken. What an item with an unsettled source would do to the
//! engine is not known, so it [`Waiting`]s, with all items of all threads after it. When the round is settled, its own items go
//! before the first item that depends on one of them; then each condition becomes a dependency on the read, on the earlier
//! stamp of the same thread that it had replaced, or none. So the engine gets all items in an order in which the program could have executed
//! them, and threads never wait for each other.
//!
//! # Inner blocks
//! A method that a round calls has a block. At its end the round is settled as used if two of its reads are in that block, because
//! the block may be violated between them. One read alone cannot violate it, and counts as a read of the block around it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::event::{Stamp, ThreadId};

/// In the thread of a stamp: it is that of a tentative read. Numbers of threads are smaller.
pub const MARK: u32 = 1 << (Stamp::THREAD_BITS - 1);

/// The stamp of a tentative read that has reserved this one.
pub fn tentative(real: Stamp) -> Stamp {
    Stamp::new(ThreadId(real.thread().0 | MARK), real.position())
}

/// Whether the stamp is that of a tentative read.
pub fn is_tentative(stamp: Stamp) -> bool {
    !stamp.is_never() && stamp.thread().0 & MARK != 0
}

/// The stamp that a tentative read has reserved.
pub fn real(stamp: Stamp) -> Stamp {
    Stamp::new(ThreadId(stamp.thread().0 & !MARK), stamp.position())
}

/// What a tentative read turns out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// An event.
    Used,
    /// No event; but the same thread has read the variable before, at this stamp. The begin of its outermost open block is given if that is not after the stamp.
    Earlier(Stamp, Option<u64>),
    /// No event.
    Withdrawn,
}

/// An item, of which some sources can be tentative.
pub trait Conditional {
    /// A source that was tentative turns out to be this.
    fn settle(&mut self, read: Stamp, outcome: Settled);
}

/// Items in the order in which the engine is to get them, from the first one that depends on an unsettled round.
#[derive(Debug)]
pub struct Waiting<T> {
    items: VecDeque<Held<T>>,
    /// By thread: what is known of the reads of its round. A round that nobody depends on is not here.
    rounds: FxHashMap<ThreadId, FxHashMap<u64, Settled>>,
}

#[derive(Debug)]
struct Held<T> {
    item: T,
    /// Its sources that are not settled.
    on: Vec<Stamp>,
}

impl<T> Default for Waiting<T> {
    fn default() -> Waiting<T> {
        Waiting { items: VecDeque::new(), rounds: FxHashMap::default() }
    }
}

impl<T: Conditional> Waiting<T> {
    /// Whether no item waits, so that the next one, if it has no tentative source, can go to the engine at once.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Takes an item with tentative sources `on`. It may be that of a tentative read itself, `of`, whose round is being settled as used: then it goes
    /// before all that depend on this read or later ones of its thread.
    pub fn hand(&mut self, mut item: T, mut on: Vec<Stamp>, of: Option<Stamp>) {
        on.retain(|read| match self.rounds.get(&read.thread()).and_then(|known| known.get(&read.position())) {
            Some(outcome) => {
                item.settle(*read, *outcome);
                false
            }
            None => true,
        });
        let depends = |held: &Held<T>, of: Stamp| {
            held.on.iter().any(|read| read.thread() == of.thread() && read.position() >= of.position())
        };
        let at = of.and_then(|of| self.items.iter().position(|held| depends(held, of)));
        self.items.insert(at.unwrap_or(self.items.len()), Held { item, on });
    }

    /// Settles a tentative read. Its outcome is kept until [`Waiting::finish`], for items that are handed over late.
    pub fn settle(&mut self, read: Stamp, outcome: Settled) {
        self.rounds.entry(read.thread()).or_default().insert(read.position(), outcome);
        for held in &mut self.items {
            if held.on.contains(&read) {
                held.on.retain(|other| *other != read);
                held.item.settle(read, outcome);
            }
        }
    }

    /// No item will depend on this round of the thread any more, which is settled.
    pub fn finish(&mut self, thread: ThreadId) {
        let thread = ThreadId(thread.0 | MARK);
        debug_assert!(self.items.iter().all(|held| held.on.iter().all(|read| read.thread() != thread)));
        self.rounds.remove(&thread);
    }

    /// The next item for the engine, unless it depends on a round that is not settled.
    pub fn take(&mut self) -> Option<T> {
        if !self.items.front()?.on.is_empty() {
            return None;
        }
        self.items.pop_front().map(|held| held.item)
    }

    /// Treats all rounds on which items depend as withdrawn. Returns how many dependencies are lost.
    pub fn give_up(&mut self) -> usize {
        let mut lost = 0;
        for held in &mut self.items {
            for read in std::mem::take(&mut held.on) {
                held.item.settle(read, Settled::Withdrawn);
                lost += 1;
            }
        }
        lost
    }
}
