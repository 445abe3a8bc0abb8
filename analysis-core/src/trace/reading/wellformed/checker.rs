//! The check of threads, blocks and locks, which needs only the trace itself ([`super`] has the list of errors).

use crate::event::{Event, LockId, Op, ThreadId};
use crate::trace::vocabulary::ill_formed::IllFormed;

/// Checks a trace, one event at a time, with at most two table look-ups for each.
#[derive(Default)]
pub struct Checker {
    threads: Vec<Thread>,
    locks: Vec<Lock>,
}

#[derive(Clone, Copy, Default)]
struct Thread {
    phase: Phase,
    forked: bool,
    open_blocks: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    WithoutEvents,
    Running,
    Joined,
}

#[derive(Clone, Copy, Default)]
struct Lock {
    holder: Option<ThreadId>,
    /// The number of releases that free the lock. 0 if and only if it is free.
    depth: u64,
}

impl Checker {
    /// Processes the next event and returns what is wrong with it: the first problem if there are two.
    #[inline]
    pub fn check(&mut self, event: Event) -> Option<IllFormed> {
        let thread = event.thread;
        let late = match self.threads.get(thread.index()) {
            Some(state) if state.phase == Phase::Running => None,
            _ => self.appear(thread),
        };
        let problem = match event.op {
            Op::Read(_) | Op::Write(_) | Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => None,
            Op::Begin(_) => {
                self.threads[thread.index()].open_blocks += 1;
                None
            }
            Op::End => self.end(thread),
            Op::Acquire(lock) => self.acquire(thread, lock),
            Op::Release(lock) => self.release(thread, lock),
            Op::Fork(child) => self.fork(thread, child),
            Op::Join(child) => self.join(thread, child),
        };
        late.or(problem)
    }

    /// Checks the first event of a thread, or one after its join.
    #[cold]
    fn appear(&mut self, thread: ThreadId) -> Option<IllFormed> {
        let state = entry(&mut self.threads, thread.index());
        if state.phase == Phase::Joined {
            return Some(IllFormed::EventAfterJoin { thread });
        }
        state.phase = Phase::Running;
        None
    }

    fn end(&mut self, thread: ThreadId) -> Option<IllFormed> {
        let open = &mut self.threads[thread.index()].open_blocks;
        if *open == 0 {
            return Some(IllFormed::EndWithoutBegin { thread });
        }
        *open -= 1;
        None
    }

    fn acquire(&mut self, thread: ThreadId, lock: LockId) -> Option<IllFormed> {
        let state = entry(&mut self.locks, lock.index());
        match state.holder {
            Some(holder) if holder == thread => {
                state.depth += 1;
                None
            }
            before => {
                *state = Lock { holder: Some(thread), depth: 1 };
                before.map(|holder| IllFormed::AcquireOfHeldLock { thread, lock, holder })
            }
        }
    }

    fn release(&mut self, thread: ThreadId, lock: LockId) -> Option<IllFormed> {
        let state = entry(&mut self.locks, lock.index());
        if state.holder != Some(thread) {
            return Some(IllFormed::ReleaseOfLockNotHeld { thread, lock, holder: state.holder });
        }
        state.depth -= 1;
        if state.depth == 0 {
            state.holder = None;
        }
        None
    }

    fn fork(&mut self, thread: ThreadId, child: ThreadId) -> Option<IllFormed> {
        if thread == child {
            return Some(IllFormed::ForkOfItself { thread });
        }
        let state = entry(&mut self.threads, child.index());
        let before = *state;
        state.forked = true;
        if before.phase == Phase::Joined {
            *state = Thread { forked: true, ..Thread::default() };
            Some(IllFormed::ForkAfterJoin { thread, child })
        } else if before.forked {
            Some(IllFormed::ForkAfterFork { thread, child })
        } else if before.phase == Phase::Running {
            Some(IllFormed::ForkAfterEvents { thread, child })
        } else {
            None
        }
    }

    fn join(&mut self, thread: ThreadId, child: ThreadId) -> Option<IllFormed> {
        if thread == child {
            return Some(IllFormed::JoinOfItself { thread });
        }
        entry(&mut self.threads, child.index()).phase = Phase::Joined;
        None
    }
}

/// Returns the state at `index` of a table that grows on demand.
#[inline]
pub(super) fn entry<T: Clone + Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}
