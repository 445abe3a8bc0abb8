//! Rings: memory outside the Java heap with one writer, a thread of the program, and one reader, the analysis.
//!
//! `Ring.java` is the layout: a header of 256 bytes, then a power of two of records of 16 bytes. The writer puts records
//! at `head mod capacity` and then stores the head with release; the reader loads the head with acquire, and stores the
//! tail with release when it is done with records. All words are accessed as atomics, so that a thread that still
//! writes while the VM dies causes no undefined behaviour.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::rounds;

use crate::codes;

/// Version of the layout and of the codes' meaning; `Ring.LAYOUT` must be the same.
pub const LAYOUT: i32 = 2;
/// Bytes of a record.
const RECORD: usize = 16;
const HEAD: usize = 0;
const TAIL: usize = 64;
const CAPACITY: usize = 128;
const STATISTICS: usize = 136;
const RECORDS: usize = 256;
/// Bits of an id that number the object; `Session.ID_BITS` must be the same.
const ID_BITS: u32 = 44;
/// The bit beside the type in an acquire or release: the section has written nothing so far; `Monitor.READING` must be
/// the same.
const READING: u32 = 1 << 31;
/// How long a waiting thread sleeps before it checks again.
const NAP: Duration = Duration::from_millis(50);

/// One record, as laid out in a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its kind; see [`crate::codes`].
    pub code: u8,
    /// Its site; 0 is unknown.
    pub site: u32,
    /// Slot, index or type.
    pub extra: u32,
    /// Object, thread or stamp.
    pub word: u64,
}

impl Record {
    /// The number of the object that an access or a lock is about; no other has it.
    pub(crate) fn object(self) -> u64 {
        self.word & ((1 << ID_BITS) - 1)
    }

    /// The type of the array or of the lock's object; 0 if unknown, and for fields.
    pub(crate) fn class(self) -> u32 {
        match self.code {
            codes::ACQUIRE | codes::RELEASE => self.extra & !READING,
            codes::READ | codes::WRITE => (self.word >> ID_BITS) as u32,
            _ => 0,
        }
    }

    /// True for the acquire and the release of a section that has written nothing so far.
    pub(crate) fn is_reading(self) -> bool {
        matches!(self.code, codes::ACQUIRE | codes::RELEASE) && self.extra & READING != 0
    }

    /// Whether a method that waits can do this at its own site: release its monitor, or access what stands for the event
    /// that it waits for.
    pub(crate) fn can_wait(self) -> bool {
        matches!(self.code, codes::RELEASE | codes::READ | codes::WRITE)
    }

    /// Whether this is about tentative reads ([`analysis_core::protocol::rounds`]).
    pub(crate) fn is_of_round(self) -> bool {
        matches!(self.code, codes::TENTATIVE | codes::SETTLED | codes::FINISHED)
            || self.code == codes::DEPEND && rounds::is_tentative(self.stamp())
    }

    /// Changes the stamp that the record holds.
    pub(crate) fn set_stamp(&mut self, stamp: Stamp) {
        self.word = u64::from(stamp.thread().0) << Stamp::POSITION_BITS | stamp.position();
    }

    /// The stamp that the record holds.
    pub(crate) fn stamp(self) -> Stamp {
        Stamp::new(ThreadId((self.word >> Stamp::POSITION_BITS) as u32), self.word & Stamp::MAX_POSITION)
    }
}

/// What a thread counts about its own work.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Dependencies that were implied.
    pub implied: u64,
    /// Accesses that left the fast path.
    pub slow: u64,
    /// How many of the slow accesses were redundant.
    pub redundant: u64,
    /// How often a variable's lock was found taken.
    pub collisions: u64,
    /// Accesses that the first check found redundant, if they are counted.
    pub fast: u64,
}

impl Statistics {
    /// Adds the counts of another thread.
    pub(crate) fn add(&mut self, other: Statistics) {
        self.implied += other.implied;
        self.slow += other.slow;
        self.redundant += other.redundant;
        self.collisions += other.collisions;
        self.fast += other.fast;
    }

    /// Replaces the counts by later ones of the same thread.
    pub(crate) fn raise(&mut self, later: Statistics) {
        self.implied = self.implied.max(later.implied);
        self.slow = self.slow.max(later.slow);
        self.redundant = self.redundant.max(later.redundant);
        self.collisions = self.collisions.max(later.collisions);
        self.fast = self.fast.max(later.fast);
    }
}

/// Whether a thread still writes into a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The thread still writes.
    Open,
    /// The thread continues in another ring.
    Continued,
    /// The thread has ended.
    Last,
}

/// A ring, with the state that its two ends share outside the layout.
pub struct Ring {
    memory: NonNull<u8>,
    capacity: u64,
    /// The number of the thread that writes.
    pub thread: u32,
    /// Whether nobody reads the ring.
    pub is_waste: bool,
    /// Whether its thread has stopped writing: an [`End`].
    end: AtomicU8,
    /// Whether the thread waits for room.
    is_wanted: AtomicBool,
    lock: Mutex<()>,
    room: Condvar,
}

// SAFETY: the memory is owned by the ring and accessed only through atomics.
unsafe impl Send for Ring {}
// SAFETY: as above.
unsafe impl Sync for Ring {}

impl Ring {
    /// An empty ring with room for `capacity` records, a power of two.
    pub fn new(capacity: u64, thread: u32, is_waste: bool) -> Ring {
        assert!(capacity.is_power_of_two(), "a capacity of {capacity}");
        let layout = layout(capacity);
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc_zeroed(layout) };
        let Some(memory) = NonNull::new(memory) else { handle_alloc_error(layout) };
        let ring = Ring {
            memory,
            capacity,
            thread,
            is_waste,
            end: AtomicU8::new(End::Open as u8),
            is_wanted: AtomicBool::new(false),
            lock: Mutex::new(()),
            room: Condvar::new(),
        };
        ring.word(CAPACITY).store(capacity, Ordering::Release);
        ring
    }

    /// Reuses the memory for another thread.
    pub fn renewed(mut self, thread: u32) -> Ring {
        for offset in [HEAD, TAIL].into_iter().chain((0..5).map(|i| STATISTICS + 8 * i)) {
            self.word(offset).store(0, Ordering::Release);
        }
        self.thread = thread;
        self.end = AtomicU8::new(End::Open as u8);
        self.is_wanted = AtomicBool::new(false);
        self
    }

    /// Its address, by which the Java side names it.
    pub fn address(&self) -> usize {
        self.memory.as_ptr() as usize
    }

    /// How many records there is room for.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        layout(self.capacity).size()
    }

    /// How many records were published.
    pub fn head(&self) -> u64 {
        self.word(HEAD).load(Ordering::Acquire)
    }

    /// How many records were consumed, as far as the writer knows.
    pub fn tail(&self) -> u64 {
        self.word(TAIL).load(Ordering::Acquire)
    }

    /// The record with this number, which must be below a loaded head.
    pub fn record(&self, number: u64) -> Record {
        let offset = RECORDS + (number & (self.capacity - 1)) as usize * RECORD;
        let first = self.word(offset).load(Ordering::Relaxed);
        let word = self.word(offset + 8).load(Ordering::Relaxed);
        Record { code: first as u8, site: (first >> 8) as u32 & 0xFF_FFFF, extra: (first >> 32) as u32, word }
    }

    /// For the reader: everything before `tail` can be overwritten. Wakes the writer if it waits.
    pub fn release(&self, tail: u64) {
        self.word(TAIL).store(tail, Ordering::Release);
        // Pairs with the fence in `wait`: either this sees the flag, or the writer sees the tail.
        fence(Ordering::SeqCst);
        if self.is_wanted.load(Ordering::Relaxed) {
            self.wake();
        }
    }

    /// Wakes the writer if it waits, so that it checks again.
    pub fn wake(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.room.notify_all();
    }

    /// For the writer: waits until there is room for `records` or `is_over` is true. Calls `nudge` before each sleep.
    pub fn wait(&self, records: u64, is_over: impl Fn() -> bool, nudge: impl Fn()) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_wanted.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        while self.free() < records && !is_over() {
            nudge();
            guard = self.room.wait_timeout(guard, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
        self.is_wanted.store(false, Ordering::Relaxed);
    }

    /// How many records there is room for now.
    pub fn free(&self) -> u64 {
        self.capacity - (self.head() - self.tail())
    }

    /// For the writer: it writes no more into this ring.
    pub fn retire(&self, end: End) {
        self.end.store(end as u8, Ordering::Release);
    }

    /// Whether the head is final.
    pub fn end(&self) -> End {
        match self.end.load(Ordering::Acquire) {
            end if end == End::Open as u8 => End::Open,
            end if end == End::Continued as u8 => End::Continued,
            _ => End::Last,
        }
    }

    /// The thread's counts, as last published.
    pub fn statistics(&self) -> Statistics {
        let read = |index: usize| self.word(STATISTICS + 8 * index).load(Ordering::Relaxed);
        Statistics { implied: read(0), slow: read(1), redundant: read(2), collisions: read(3), fast: read(4) }
    }

    /// What a thread of the program does periodically: publishes how many accesses it has checked.
    #[cfg(test)]
    pub(crate) fn count(&self, slow: u64, fast: u64) {
        self.word(STATISTICS + 8).store(slow, Ordering::Relaxed);
        self.word(STATISTICS + 32).store(fast, Ordering::Relaxed);
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        debug_assert!(offset.is_multiple_of(8) && offset < self.bytes(), "offset {offset}");
        // SAFETY: inside the memory, which lives as long as `self`, aligned, and only accessed atomically from here;
        // the Java side writes whole aligned words.
        unsafe { AtomicU64::from_ptr(self.memory.as_ptr().add(offset).cast()) }
    }

    /// What a thread of the program does: writes records after the head, for which there must be room, and publishes
    /// them.
    #[cfg(test)]
    pub(crate) fn write(&self, records: &[Record]) {
        let head = self.head();
        assert!(self.free() >= records.len() as u64, "no room");
        self.place(head, records);
        self.word(HEAD).store(head + records.len() as u64, Ordering::Release);
    }

    /// What a thread of the program does in dependency mode: writes an item.
    #[cfg(test)]
    pub(crate) fn put(&self, records: &[Record]) {
        assert!(records.len() as u64 <= self.capacity, "no room");
        self.place(0, records);
    }

    #[cfg(test)]
    fn place(&self, first: u64, records: &[Record]) {
        for (number, record) in (first..).zip(records) {
            let offset = RECORDS + (number & (self.capacity - 1)) as usize * RECORD;
            let first = u64::from(record.code) | u64::from(record.site) << 8 | u64::from(record.extra) << 32;
            self.word(offset).store(first, Ordering::Relaxed);
            self.word(offset + 8).store(record.word, Ordering::Relaxed);
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.memory.as_ptr(), layout(self.capacity)) }
    }
}

/// A ring that nobody reads or frees, for a thread that can get no other.
pub(crate) fn nowhere() -> usize {
    Box::leak(Box::new(Ring::new(1 << 12, 0, true))).address()
}

fn layout(capacity: u64) -> Layout {
    let size = RECORDS + usize::try_from(capacity).expect("a capacity fits") * RECORD;
    Layout::from_size_align(size, 64).expect("a small power of two")
}
