//! The memory that threads share: the words of variables and locks, and what a thread publishes about itself.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Nested;
use crate::event::{LabelId, Stamp, ThreadId};

/// The words of a variable.
#[derive(Default)]
pub(super) struct Variable {
    /// The lock, in an agent the top bit of `W`: held by a write, and by a read that is not covered.
    pub(super) is_locked: Cell<bool>,
    /// `W`: the last write. Changed under the lock only.
    pub(super) write: Cell<Stamp>,
    /// `R`: who read last, including the last writer. Read without the lock; changed under it, except by renewals.
    read: RefCell<Read>,
    /// A mark in `R`: it is about to become another thread's, so its thread does not renew it any more.
    is_taken: Cell<bool>,
    /// `L`, with [`super::Nested::Fast`] alone: the thread of `R` has read again in a later epoch without the lock.
    pub(super) later: Cell<Stamp>,
}

impl Variable {
    pub(super) fn read(&self) -> Read {
        self.read.borrow().clone()
    }

    pub(super) fn set_read(&self, read: Read) {
        *self.read.borrow_mut() = read;
        self.is_taken.set(false);
    }

    /// `R` of the locked variable, marked in the same step if it is another thread's stamp.
    pub(super) fn take(&self, t: &Thread) -> Read {
        let read = self.read();
        self.is_taken.set(matches!(read, Read::One(stamp) if stamp.is_foreign_to(t.number)));
        read
    }

    /// Replaces the stamp in `R` by a later one of its thread, without the lock, unless it has changed or is marked.
    pub(super) fn renew(&self, old: Stamp, new: Stamp) -> bool {
        let mut read = self.read.borrow_mut();
        let is_same = !self.is_taken.get() && matches!(*read, Read::One(stamp) if stamp == old);
        if is_same {
            *read = Read::One(new);
        }
        is_same
    }
}

/// `R`.
#[derive(Clone)]
pub(super) enum Read {
    /// The last access of the only thread that has accessed the variable since the last write; of the writer, if it is
    /// not before its write.
    One(Stamp),
    /// `SHARED`: several threads have read since the last write. In an agent a number that is never used again, which
    /// finds an entry in the thread's cache, and the table beside it.
    Shared(Rc<Readers>),
}

impl Default for Read {
    fn default() -> Read {
        Read::One(Stamp::NEVER)
    }
}

/// The readers since a write. Never used again after the next one.
#[derive(Default)]
pub(super) struct Readers {
    /// Unique in the execution.
    pub(super) number: u64,
    /// In order of arrival. A table that grows keeps the entries themselves, not copies of their stamps.
    pub(super) entries: RefCell<Vec<Rc<Entry>>>,
}

impl Readers {
    /// The entry of a thread.
    pub(super) fn of(&self, thread: ThreadId) -> Option<Rc<Entry>> {
        self.entries.borrow().iter().find(|entry| entry.get().thread() == thread).cloned()
    }
}

/// The last read by one thread, which alone changes it once the entry is in its table: under the lock, in a covered
/// read, or by a renewal. So no writer can pair it with another variable, and no cache that forgets it loses a stamp.
pub(super) struct Entry {
    stamp: Cell<Stamp>,
    /// A mark in the stamp: a writer has it, so it is not renewed any more.
    is_taken: Cell<bool>,
}

impl Entry {
    pub(super) fn new(stamp: Stamp) -> Entry {
        Entry { stamp: stamp.into(), is_taken: false.into() }
    }

    pub(super) fn get(&self) -> Stamp {
        self.stamp.get()
    }

    pub(super) fn set(&self, stamp: Stamp) {
        self.stamp.set(stamp);
        self.is_taken.set(false);
    }

    /// The stamp, for a writer.
    pub(super) fn take(&self) -> Stamp {
        self.is_taken.set(true);
        self.stamp.get()
    }

    /// Replaces the stamp without the lock, unless it is marked.
    pub(super) fn renew(&self, old: Stamp, new: Stamp) -> bool {
        let is_same = !self.is_taken.get() && self.stamp.get() == old;
        if is_same {
            self.stamp.set(new);
        }
        is_same
    }
}

/// A lock of the program. Its word is touched only by the thread that holds the lock.
#[derive(Default)]
pub(super) struct Lock {
    /// The holder, as named in the trace: a thread that ends with the lock keeps it, even if another one gets its
    /// number.
    pub(super) holder: Cell<Option<ThreadId>>,
    /// How many releases it takes to free the lock.
    pub(super) depth: Cell<u32>,
    /// The last release.
    pub(super) release: Cell<Stamp>,
}

/// A thread number: what outlives the thread that has it.
#[derive(Default)]
pub(super) struct Number {
    /// How many items its threads have handed over (`c`).
    pub(super) count: Cell<u64>,
    /// The thread that has the number, or had it last.
    pub(super) holder: RefCell<Option<Rc<Thread>>>,
    /// The round of that thread, until none of its reads is in the words of a variable any more.
    pub(super) round: RefCell<Option<Rc<Round>>>,
}

/// Whether a round is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Open,
    /// The same, and another thread's item depends on one of its reads.
    Overtaken,
    Used,
    Withdrawn,
}

/// A round: what its thread publishes about its tentative reads.
pub(super) struct Round {
    pub(super) phase: Cell<Phase>,
    pub(super) is_overtaken: Cell<bool>,
    /// The position before that of the first read.
    pub(super) first: u64,
    /// How many blocks were open at its start.
    pub(super) depth: usize,
    pub(super) reads: RefCell<Vec<Tentative>>,
}

impl Round {
    /// The first read with this stamp.
    pub(super) fn of(&self, stamp: Stamp) -> Option<Tentative> {
        self.reads.borrow().iter().find(|read| read.stamp == stamp).cloned()
    }
}

/// A tentative read.
#[derive(Clone)]
pub(super) struct Tentative {
    pub(super) variable: Rc<Variable>,
    /// Its stamp, with the mark.
    pub(super) stamp: Stamp,
    /// The write that it has found, and the blocks that the writer had open then.
    pub(super) written: Stamp,
    pub(super) open: Vec<u64>,
    /// The stamp of the same thread in `R` that it has replaced.
    pub(super) earlier: Stamp,
    /// How many blocks were open.
    pub(super) depth: usize,
    /// What [`super::Machine::unhappen`] takes.
    pub(super) happened: usize,
}

/// The open blocks of a thread, outermost first. Others read it: in an agent the depth is stored with release.
#[derive(Default)]
pub(super) struct Stack {
    pub(super) depth: Cell<usize>,
    /// Entries above `depth` are old ones.
    blocks: RefCell<Vec<(u64, LabelId)>>,
}

impl Stack {
    /// Writes an entry above the open ones; it counts when the depth says so.
    pub(super) fn prepare(&self, begin: u64, label: LabelId) {
        let mut blocks = self.blocks.borrow_mut();
        blocks.truncate(self.depth.get());
        blocks.push((begin, label));
    }

    /// Begin and label of the entry at `index`; `None` if the owner has removed it since its depth was read.
    pub(super) fn entry(&self, index: usize) -> Option<(u64, LabelId)> {
        self.blocks.borrow().get(index).copied()
    }
}

/// A thread. Others read only its stack, its position and its end, the last two only by the thread that joins it.
pub(super) struct Thread {
    pub(super) number: ThreadId,
    pub(super) position: Cell<u64>,
    /// The position at which the segment began: a stamp of mine from there on covers a read. After it, the thread has no edge
    /// from another, and each block that it has begun is over.
    pub(super) segment: Cell<u64>,
    /// Its last item, or its first position.
    pub(super) entered: Cell<u64>,
    pub(super) stack: Stack,
    /// How many blocks are open, including those that [`super::Nested::Outermost`] does not watch.
    pub(super) open: Cell<usize>,
    /// How many entries of the stack, from the outermost, an item has named. Their ends lower it.
    pub(super) named: Cell<usize>,
    /// How many blocks that an item has named were closed since the last item.
    pub(super) pops: Cell<u32>,
    /// By number: the highest position that this thread has depended on. A dependency not above it is implied.
    pub(super) seen: RefCell<rustc_hash::FxHashMap<ThreadId, u64>>,
    /// Where it was forked, until the fork is settled.
    pub(super) fork: Cell<Stamp>,
    /// Where it was forked, kept to the end.
    pub(super) started: Cell<Stamp>,
    /// If the run learns, by number: the last position of threads that it has joined.
    pub(super) joined: RefCell<rustc_hash::FxHashMap<ThreadId, u64>>,
    /// Whether it has had an event. (Its position does not show that.)
    pub(super) has_acted: Cell<bool>,
    pub(super) has_ended: Cell<bool>,
    /// The new dependencies of the current access. One can be on a tentative read.
    pub(super) sources: RefCell<Vec<Stamp>>,
    /// Its round, until it is settled.
    pub(super) round: RefCell<Option<Rc<Round>>>,
    /// The tables of readers that it remembers. Bounded: one may be displaced by another at any time.
    pub(super) shared_reads: RefCell<Vec<Option<Remembered>>>,
}

/// A variable with several readers that a thread has read.
#[derive(Clone)]
pub(super) struct Remembered {
    /// The number of its table of readers.
    number: u64,
    /// Where the thread's segment began in which it read the variable, outside any covered read.
    segment: u64,
    own: Rc<Entry>,
}

impl Thread {
    /// A thread that has done nothing, at its first position. `shared_reads` bounds what it remembers.
    pub(super) fn new(first: Stamp, shared_reads: usize) -> Thread {
        Thread {
            number: first.thread(),
            position: first.position().into(),
            segment: first.position().into(),
            entered: first.position().into(),
            stack: Stack::default(),
            open: Cell::default(),
            named: Cell::default(),
            pops: Cell::default(),
            seen: RefCell::default(),
            fork: Cell::default(),
            started: Cell::default(),
            joined: RefCell::default(),
            has_acted: Cell::default(),
            has_ended: Cell::default(),
            sources: RefCell::default(),
            round: RefCell::default(),
            shared_reads: vec![None; shared_reads].into(),
        }
    }

    /// The stamp of what it does now.
    pub(super) fn now(&self) -> Stamp {
        Stamp::new(self.number, self.position.get())
    }

    /// True if the thread, or one that had its number before, made the stamp.
    pub(super) fn is_mine(&self, stamp: Stamp) -> bool {
        !stamp.is_never() && stamp.thread() == self.number
    }

    /// True if the thread has depended on that epoch, or on a later one of its thread.
    pub(super) fn has_seen(&self, stamp: Stamp) -> bool {
        self.seen.borrow().get(&stamp.thread()).is_some_and(|seen| *seen >= stamp.position())
    }

    /// A new position, which starts a segment.
    pub(super) fn enter_epoch(&self) {
        self.position.set(self.position.get() + 1);
        self.segment.set(self.position.get());
        self.entered.set(self.position.get());
    }

    /// True if another thread has made the stamp, unless as the starter of this thread before the start.
    pub(super) fn is_shared_with(&self, stamp: Stamp) -> bool {
        let started = self.started.get();
        let is_before = stamp.thread() == started.thread() && stamp.position() <= started.position();
        stamp.is_foreign_to(self.number) && !is_before
    }

    /// True if this thread has joined the one that made the stamp.
    pub(super) fn has_joined(&self, stamp: Stamp) -> bool {
        self.joined.borrow().get(&stamp.thread()).is_some_and(|end| stamp.position() <= *end)
    }

    /// True if a stamp in `R` makes a read redundant.
    pub(super) fn covers(&self, stamp: Stamp) -> bool {
        self.is_mine(stamp) && stamp.position() >= self.segment.get()
    }

    /// A block is over: returns to the segment of the block around it, or of what is in no block.
    pub(super) fn return_to_segment(&self, nested: Nested) {
        let watched = if nested == Nested::Exact { self.stack.depth.get() } else { self.stack.depth.get().min(1) };
        let around = watched.checked_sub(1).and_then(|index| self.stack.entry(index));
        self.segment.set(around.map_or(0, |(begin, _)| begin).max(self.entered.get()));
    }

    /// The own entry of a table of readers, if it is remembered and of this segment.
    pub(super) fn remembered(&self, readers: &Readers) -> Option<Rc<Entry>> {
        let cache = self.shared_reads.borrow();
        let remembered = cache[readers.number as usize % cache.len()].as_ref()?;
        let covers = remembered.number == readers.number && remembered.segment >= self.segment.get();
        covers.then(|| remembered.own.clone())
    }

    /// Remembers that the table has this entry of mine, which is of this segment now.
    pub(super) fn remember(&self, readers: &Readers, own: Rc<Entry>) {
        let mut cache = self.shared_reads.borrow_mut();
        let slot = readers.number as usize % cache.len();
        cache[slot] = Some(Remembered { number: readers.number, segment: self.segment.get(), own });
    }
}
