//! Semaphores, barriers and phasers: what precedes a thread that has passed one.
//!
//! This is the specification of the agent's hooks inside the platform's semaphores, barriers and phasers, where the count changes.
//! The order is that of counts, so it is followed only where the counts prove it.

use crate::event::Stamp;

/// How many releases of a semaphore are kept to be followed; older ones are only counted.
pub const MOST: usize = 64;

/// A semaphore.
///
/// A release stamps before it changes the count, an acquisition is counted when it has succeeded. Permits have no names, so it is not
/// known whose release has made an acquisition possible. But if without the permits of one release there were not enough for it, in
/// addition to those that others had certainly acquired before, then this release came first.
///
/// "Before" means before the successful attempt began: an acquisition that was counted later may have taken effect
/// later. A release that was only begun counts as a possible one.
#[derive(Clone, Debug)]
pub struct Semaphore {
    /// All permits that there can have been, including those at the beginning.
    permits: u64,
    /// All permits that were acquired.
    acquired: u64,
    /// Releases whose permits can still be there, and how many permits these are; the latest last.
    releases: Vec<(Stamp, u64)>,
    is_forgotten: bool,
}

impl Semaphore {
    /// A semaphore that has this many permits at the beginning.
    pub fn of(permits: u64) -> Semaphore {
        Semaphore { permits, acquired: 0, releases: Vec::new(), is_forgotten: false }
    }

    /// A call that releases permits is about to add them.
    pub fn release(&mut self, stamp: Stamp, permits: u64) {
        self.permits += permits;
        if self.releases.len() == MOST {
            self.releases.remove(0);
        }
        self.releases.push((stamp, permits));
    }

    /// Begins an attempt to acquire. Returns what [`Semaphore::acquire`] takes.
    pub fn attempt(&self) -> u64 {
        self.acquired
    }

    /// The attempt has succeeded, and is about to return. Returns the releases before it.
    pub fn acquire(&mut self, attempt: u64, permits: u64) -> Vec<Stamp> {
        let spare = self.permits.saturating_sub(attempt + permits);
        self.acquired += permits;
        if self.is_forgotten {
            return Vec::new();
        }
        let needed = self.releases.iter().filter(|(_, released)| *released > spare).map(|(stamp, _)| *stamp).collect();
        if self.acquired == self.permits {
            // No permits are left.
            self.releases.clear();
        }
        needed
    }

    /// The count has changed in another way: from now on no order is derived from the semaphore.
    pub fn forget(&mut self) {
        self.is_forgotten = true;
    }
}

/// A cyclic barrier.
///
/// Everything here happens while the barrier's own lock is held, so its order is certain. A thread that has passed the barrier comes
/// after the thread that arrived last, which comes after all that have arrived in the same generation.
#[derive(Clone, Debug, Default)]
pub struct Barrier {
    arrivals: Vec<Stamp>,
}

impl Barrier {
    /// A thread has arrived.
    pub fn arrive(&mut self, stamp: Stamp) {
        self.arrivals.push(stamp);
    }

    /// The barrier breaks: the waiting threads do not pass.
    pub fn shatter(&mut self) {
        self.arrivals.clear();
    }

    /// The last thread has arrived, and the next generation begins. Returns the arrivals before.
    pub fn trip(&mut self) -> Vec<Stamp> {
        std::mem::take(&mut self.arrivals)
    }
}

/// A phaser, or a tree of phasers, whose phases are those of its root.
///
/// A thread stamps before it arrives, and reports the arrival afterwards. The thread that ends a phase, before it does, comes after the
/// arrivals that are known by then; a thread that has seen the next phase comes after that thread. An arrival that has not been reported
/// yet is not followed: it may be one of the next phase.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    arrivals: Vec<Stamp>,
    ends: Vec<(u64, Stamp)>,
}

impl Phases {
    /// A thread has arrived, in the current phase or an earlier one.
    pub fn arrived(&mut self, stamp: Stamp) {
        self.arrivals.push(stamp);
    }

    /// All have arrived, and one thread is about to end the phase. Returns the arrivals before.
    pub fn meet(&mut self) -> Vec<Stamp> {
        std::mem::take(&mut self.arrivals)
    }

    /// The thread ends this phase now.
    pub fn end(&mut self, phase: u64, stamp: Stamp) {
        self.ends.push((phase, stamp));
    }

    /// What comes before a thread that has waited until `phase` is over, and has seen the phase `seen`.
    pub fn pass(&self, phase: u64, seen: u64) -> Vec<Stamp> {
        self.ends.iter().filter(|(of, _)| (phase..seen).contains(of)).map(|(_, stamp)| *stamp).collect()
    }
}
