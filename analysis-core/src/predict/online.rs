//! The online reduction algorithm: Atomizer.
//!
//! C. Flanagan, S. N. Freund, "Atomizer", POPL 2004, as used by section 8 of the reduction report: the lockset
//! algorithm of von Praun and Gross, the form `R* N? L*` (Theorem 3.2), re-entrant, thread-local and protected locks.
//! Everything is classified from the events so far, so it both misses violations and warns falsely; but it keeps no
//! events.

use crate::event::{Event, LabelId, LockId, Op, ThreadId};
use crate::graph::accesses::at;
use crate::predict::races::Ownership;

/// A transaction that does not have the form `R* N? L*`, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its thread.
    pub thread: ThreadId,
    /// Its label.
    pub label: LabelId,
    /// The number of its begin.
    pub begin: u64,
    /// The number of the first event that only moves left, or does not move.
    pub commit: u64,
    /// The number of the event that does not move left after it.
    pub event: u64,
}

/// The state of the algorithm.
#[derive(Default)]
pub struct Atomizer {
    events: u64,
    vars: Vec<Ownership>,
    locks: Vec<Lock>,
    threads: Vec<Thread>,
}

#[derive(Default)]
struct Lock {
    user: Option<ThreadId>,
    is_shared: bool,
    /// The locks held around it at all acquires so far.
    around: Option<Vec<LockId>>,
}

impl Lock {
    /// Returns whether its operations move both ways, as far as is known.
    fn moves(&self) -> bool {
        !self.is_shared || self.around.as_ref().is_some_and(|around| !around.is_empty())
    }
}

#[derive(Default)]
struct Thread {
    depth: u32,
    begin: u64,
    label: Option<LabelId>,
    commit: Option<u64>,
    is_warned: bool,
    /// The next access belongs to the same step as the last one.
    goes_on: bool,
    /// An access of the step does not move.
    is_fixed: bool,
    /// The held locks, each with the number of acquires.
    held: Vec<(LockId, u32)>,
}

impl Atomizer {
    /// Processes the next event. Returns the transaction that it shows not to have the form, once for each transaction.
    pub fn step(&mut self, event: Event) -> Option<Mismatch> {
        self.events += 1;
        at(&mut self.threads, event.thread.index());
        match event.op {
            Op::Begin(label) => self.begin(event.thread, label),
            Op::End => self.end(event.thread),
            Op::Acquire(lock) => return self.acquire(event.thread, lock),
            Op::Release(lock) => self.release(event.thread, lock),
            Op::Read(x) | Op::Write(x) => {
                let thread = &mut self.threads[event.thread.index()];
                thread.is_fixed &= std::mem::take(&mut thread.goes_on);
                let held: Vec<LockId> = thread.held.iter().map(|(lock, _)| *lock).collect();
                let is_write = matches!(event.op, Op::Write(_));
                if at(&mut self.vars, x.index()).access(event.thread, is_write, &held)
                    && !std::mem::replace(&mut self.threads[event.thread.index()].is_fixed, true)
                {
                    return self.non_mover(event.thread);
                }
            }
            Op::Together => self.threads[event.thread.index()].goes_on = true,
            _ => {}
        }
        None
    }

    fn begin(&mut self, thread: ThreadId, label: LabelId) {
        let now = self.events;
        let thread = &mut self.threads[thread.index()];
        thread.depth += 1;
        if thread.depth == 1 {
            (thread.begin, thread.label, thread.commit, thread.is_warned) = (now, Some(label), None, false);
        }
    }

    fn end(&mut self, thread: ThreadId) {
        let thread = &mut self.threads[thread.index()];
        thread.depth = thread.depth.saturating_sub(1);
        if thread.depth == 0 {
            thread.label = None;
        }
    }

    fn acquire(&mut self, name: ThreadId, lock: LockId) -> Option<Mismatch> {
        let thread = &mut self.threads[name.index()];
        if let Some((_, count)) = thread.held.iter_mut().find(|(held, _)| *held == lock) {
            *count += 1;
            return None;
        }
        let state = at(&mut self.locks, lock.index());
        state.is_shared |= *state.user.get_or_insert(name) != name;
        let held = |lock: &LockId| thread.held.iter().any(|(held, _)| held == lock);
        match &mut state.around {
            Some(around) => around.retain(held),
            around => *around = Some(thread.held.iter().map(|(held, _)| *held).collect()),
        }
        thread.held.push((lock, 1));
        if self.locks[lock.index()].moves() { None } else { self.right_mover(name) }
    }

    fn release(&mut self, name: ThreadId, lock: LockId) {
        let now = self.events;
        let thread = &mut self.threads[name.index()];
        let Some(index) = thread.held.iter().position(|(held, _)| *held == lock) else { return };
        thread.held[index].1 -= 1;
        if thread.held[index].1 > 0 {
            return;
        }
        thread.held.remove(index);
        if !self.locks[lock.index()].moves() {
            thread.commit.get_or_insert(now);
        }
    }

    fn right_mover(&mut self, name: ThreadId) -> Option<Mismatch> {
        let event = self.events;
        let thread = &mut self.threads[name.index()];
        let (label, commit) = (thread.label?, thread.commit?);
        let is_new = !std::mem::replace(&mut thread.is_warned, true);
        is_new.then_some(Mismatch { thread: name, label, begin: thread.begin, commit, event })
    }

    fn non_mover(&mut self, name: ThreadId) -> Option<Mismatch> {
        let mismatch = self.right_mover(name);
        self.threads[name.index()].commit.get_or_insert(self.events);
        mismatch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::events;

    /// Returns the begin, the commit and the event of each warning.
    fn warnings(trace: &str) -> Vec<(u64, u64, u64)> {
        let mut atomizer = Atomizer::default();
        let found = events(trace).into_iter().filter_map(|event| atomizer.step(event));
        found.map(|found| (found.begin, found.commit, found.event)).collect()
    }

    #[test]
    fn two_blocks_of_a_shared_lock_are_warned_of_once() {
        let first = "0:[ 0:a0 0:w0 0:l0 0:] ";
        assert_eq!(warnings(&(first.to_owned() + "1:[ 1:a0 1:l0 1:a0 1:l0 1:a0 1:l0 1:]")), [(6, 8, 9)]);
    }

    #[test]
    fn what_is_shared_only_later_is_missed() {
        assert!(warnings("0:[ 0:a0 0:w0 0:l0 0:a0 0:w0 0:l0 0:] 1:[ 1:a0 1:w0 1:l0 1:]").is_empty());
        assert!(warnings("0:[ 0:r0 0:w0 0:] 1:[ 1:r0 1:w0 1:]").is_empty());
    }

    #[test]
    fn two_accesses_without_a_lock_to_a_variable_of_three_owners_are_warned_of() {
        assert_eq!(warnings("0:w0 1:w0 0:w0 0:[ 0:r0 0:w0 0:]"), [(4, 5, 6)]);
    }

    #[test]
    fn accesses_of_one_step_are_one_event() {
        assert_eq!(warnings("0:w0 1:w0 0:w0 0:w1 1:w1 0:w1 0:[ 0:w0 0:w1 0:]"), [(7, 8, 9)]);
        assert!(warnings("0:w0 1:w0 0:w0 0:w1 1:w1 0:w1 0:[ 0:w0 0:+ 0:w1 0:+ 0:w0 0:]").is_empty());
        assert_eq!(warnings("0:w0 1:w0 0:w0 0:w1 1:w1 0:w1 0:[ 0:w0 0:+ 0:w1 0:w0 0:]"), [(7, 8, 11)]);
    }

    #[test]
    fn nested_and_protected_blocks_and_events_outside_of_blocks_are_no_warning() {
        let protected = |t: u32| format!("{t}:[ {t}:a0 {t}:a1 {t}:l1 {t}:a1 {t}:l1 {t}:l0 {t}:] ");
        assert!(warnings(&(protected(0) + &protected(1))).is_empty());
        assert!(warnings("0:a0 0:l0 1:a0 1:l0 1:a0 1:l0 0:a0 0:a0 0:l0 0:l0").is_empty());
    }
}
