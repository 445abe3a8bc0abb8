//! What the program's threads and the analysis share besides rings: the phase of the run, memory for rings, progress.
//!
//! # Phases
//! *Running*: rings are read. *Failed*: the analysis ended early; a thread that needs room gets a ring that nobody
//! reads, and what it writes there is counted as lost. *Over*: the same at the end, when nothing has to be counted.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use analysis_core::report::Size;
use crossbeam_channel::{Receiver, Sender, bounded};

use crate::progress::Reached;
use crate::provoke::Provoking;
use crate::provoke::priorities::Priorities;
use crate::provoke::repeated::Repeating;
use crate::replay::Replaying;
use crate::rings::Ring;
use crate::scopes::Scopes;

/// How many small rings are kept for reuse.
const POOLED: usize = 256;

/// Phases, as they are stored.
const RUNNING: u8 = 0;
const FAILED: u8 = 1;
const OVER: u8 = 2;

/// The sizes of rings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Capacity of a thread's first ring.
    pub(crate) smallest: u64,
    /// Capacity up to which rings grow, unless a request needs more.
    pub(crate) largest: u64,
    /// Above this many bytes in total, rings grow only if a request needs it.
    pub(crate) budget: usize,
}

impl Sizes {
    /// Rings that do not grow.
    pub(crate) fn fixed(records: u64) -> Sizes {
        let records = records.next_power_of_two().max(4);
        Sizes { smallest: records, largest: records, budget: 1 << 20 }
    }
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { smallest: 1 << 9, largest: 1 << 15, budget: 256 << 20 }
    }
}

/// The state that the program's threads and the analysis share.
pub(crate) struct Shared {
    pub(crate) sizes: Sizes,
    pub(crate) progress: Progress,
    pub(crate) scopes: Arc<Scopes>,
    /// What the run is steered to, if it is steered.
    pub(crate) provoking: Option<Provoking>,
    /// The tests that are repeated in the run, if tests can be.
    pub(crate) repeating: Option<Repeating>,
    /// The priorities of the program's threads, if they have any.
    pub(crate) priorities: Option<Priorities>,
    /// The schedule that the run replays, if there is one.
    pub(crate) replaying: Option<Replaying>,
    phase: AtomicU8,
    /// Whether the run is over because it stops at a violation.
    is_stopped: AtomicBool,
    bytes: AtomicUsize,
    /// Called to stop the run at a violation.
    at_halt: OnceLock<fn()>,
    /// Small rings for reuse: the analysis puts them in, threads take them out.
    pool: (Sender<Ring>, Receiver<Ring>),
}

/// How far the analysis has come. It is updated periodically, so it can lag.
#[derive(Default)]
pub(crate) struct Progress {
    events: AtomicU64,
    blocks: AtomicU64,
    findings: AtomicU64,
}

impl Progress {
    /// Sets how many events were analysed, how many blocks began, and how many methods are known to be violated.
    pub(crate) fn set(&self, events: u64, blocks: u64, findings: u64) {
        self.events.store(events, Ordering::Relaxed);
        self.blocks.store(blocks, Ordering::Relaxed);
        self.findings.store(findings, Ordering::Relaxed);
    }

    fn get(&self) -> Reached {
        let [events, blocks, findings] =
            [&self.events, &self.blocks, &self.findings].map(|count| count.load(Ordering::Relaxed));
        Reached { blocks, size: Size::Events(events), findings }
    }
}

impl Shared {
    pub(crate) fn new(sizes: Sizes, provoking: Option<Provoking>, replaying: Option<Replaying>) -> Shared {
        Shared {
            sizes,
            progress: Progress::default(),
            scopes: Arc::default(),
            provoking,
            repeating: None,
            priorities: None,
            replaying,
            phase: AtomicU8::new(RUNNING),
            is_stopped: AtomicBool::new(false),
            bytes: AtomicUsize::new(0),
            at_halt: OnceLock::new(),
            pool: bounded(POOLED),
        }
    }

    /// Adds the priorities of the run's threads, if they have any.
    pub(crate) fn with(self, priorities: Option<Priorities>) -> Shared {
        Shared { priorities, ..self }
    }

    /// Adds the tests that are repeated in the run, if any are.
    pub(crate) fn repeating(self, repeating: Option<Repeating>) -> Shared {
        Shared { repeating, ..self }
    }

    /// Calls `ask` with what steers the run, or the repetition of a test that runs; returns `None` if it is not steered.
    pub(crate) fn steered<T>(&self, ask: impl FnOnce(&Provoking) -> T) -> Option<T> {
        let repetition = self.repeating.as_ref().and_then(Repeating::steered);
        self.provoking.as_ref().or(repetition.as_deref()).map(ask)
    }

    /// True once the end has begun: rings are still read, but their writers get no more room.
    pub(crate) fn is_over(&self) -> bool {
        self.phase.load(Ordering::Acquire) == OVER
    }

    pub(crate) fn is_running(&self) -> bool {
        self.phase.load(Ordering::Acquire) == RUNNING
    }

    /// The progress of the analysis, while it runs.
    pub(crate) fn reached(&self) -> Option<Reached> {
        self.is_running().then(|| self.progress.get())
    }

    /// Marks the run as over.
    pub(crate) fn end(&self) {
        self.phase.store(OVER, Ordering::Release);
    }

    /// Marks the run as over because it stops at a violation.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.end();
    }

    /// True if the run stops at a violation.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Marks the analysis as failed. If the end has begun meanwhile, the phase stays the end.
    pub(crate) fn fail(&self) {
        let _ = self.phase.compare_exchange(RUNNING, FAILED, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Sets what is called to stop the run.
    pub(crate) fn on_halt(&self, at_halt: fn()) {
        // It is set once.
        let _ = self.at_halt.set(at_halt);
    }

    /// Stops the run: the report is written, and the process ends.
    pub(crate) fn halt(&self) {
        if let Some(at_halt) = self.at_halt.get() {
            at_halt();
        }
    }

    /// True if rings may become larger than a request needs.
    pub(crate) fn may_grow(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) < self.sizes.budget
    }

    /// A ring, new or reused.
    pub(crate) fn ring(&self, capacity: u64, thread: u32, is_waste: bool) -> Ring {
        let pooled = (capacity == self.sizes.smallest && !is_waste).then(|| self.pool.1.try_recv().ok()).flatten();
        let ring = pooled.map_or_else(|| Ring::new(capacity, thread, is_waste), |ring| ring.renewed(thread));
        self.bytes.fetch_add(ring.bytes(), Ordering::Relaxed);
        ring
    }

    /// Takes back a ring that was read to its end.
    pub(crate) fn recycle(&self, ring: Arc<Ring>) {
        // Another thread can still hold it for a moment; the last owner frees it.
        if let Ok(ring) = Arc::try_unwrap(ring) {
            self.forget(&ring);
            if ring.capacity() == self.sizes.smallest {
                let _ = self.pool.0.try_send(ring);
            }
        }
    }

    /// Stops counting the memory of a ring.
    pub(crate) fn forget(&self, ring: &Ring) {
        self.bytes.fetch_sub(ring.bytes(), Ordering::Relaxed);
    }
}

/// How often [`lock_spinning`] tries before it sleeps, and how long it spins in between.
const TRIES: u32 = 128;
const SPINS: u32 = 16;

/// Counters that are all zero. Memory of zeros from the system takes no pages until they are used.
pub(crate) fn zeros(count: usize) -> Box<[AtomicU64]> {
    let zeros = Box::into_raw(vec![0_u64; count].into_boxed_slice());
    // SAFETY: the memory was a box, and an atomic number has the size of the number.
    const { assert!(align_of::<AtomicU64>() == align_of::<u64>()) };
    unsafe { Box::from_raw(zeros as *mut [AtomicU64]) }
}

/// Locks a mutex. Ignores poisoning: the locks protect counters and tables that are consistent between any two
/// statements.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Like [`lock`], but spins for a while before it sleeps: for a lock that others hold for some microseconds, where it
/// costs them something if this thread sleeps.
pub(crate) fn lock_spinning<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..TRIES {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => (0..SPINS).for_each(|_| std::hint::spin_loop()),
        }
    }
    lock(mutex)
}
