//! Well-formedness: could an execution have made this sequence of events?
//!
//! Ill-formed are
//! 1. an acquire of a lock that another thread holds;
//! 2. a release of a lock that the thread does not hold;
//! 3. an `end` of a thread that has no block open;
//! 4. a fork or join of a thread in that thread;
//! 5. a fork of a thread that has events already, was forked already, or was joined already;
//! 6. an event of a thread that was joined.
//!
//! Well-formed are: an acquire by the holder (Java's monitors are re-entrant; it takes as many releases to give the
//! lock up), locks held and blocks open at the end, threads that appear without a fork, a join of a thread that has no
//! events, and joins of a thread by several others.
//!
//! # After an ill-formed event
//! The checker continues with what most likely happened, so that one slip is not reported many times: an acquire of a
//! held lock takes it from its holder; a release of a lock that is not the thread's, an `end` without a block and a fork
//! or join of itself do nothing; a fork of a joined thread starts another of that name. Events of a joined thread are
//! each reported.
//!
//! Commits of buffered writes are checked by [`Buffers`], for analyses that ask for it.

use crate::event::{Event, LockId, Op, ThreadId, VarId};
use crate::trace::error::one_line;
use crate::trace::symbols::Symbols;

mod buffers;
#[cfg(test)]
mod tests;

pub use buffers::Buffers;

/// Checks a trace, one event at a time: two table look-ups at most for each.
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
    /// How many releases it takes to free the lock. 0 if and only if it is free.
    depth: u64,
}

/// Why an event is ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllFormed {
    /// `thread` acquires `lock`, which `holder` holds.
    AcquireOfHeldLock {
        /// Who acquires.
        thread: ThreadId,
        /// What.
        lock: LockId,
        /// Who holds it.
        holder: ThreadId,
    },
    /// `thread` releases `lock`, which it does not hold.
    ReleaseOfLockNotHeld {
        /// Who releases.
        thread: ThreadId,
        /// What.
        lock: LockId,
        /// Who holds it.
        holder: Option<ThreadId>,
    },
    /// `thread` ends a block and has none open.
    EndWithoutBegin {
        /// Who.
        thread: ThreadId,
    },
    /// `thread` forks itself.
    ForkOfItself {
        /// Who.
        thread: ThreadId,
    },
    /// `thread` joins itself.
    JoinOfItself {
        /// Who.
        thread: ThreadId,
    },
    /// `thread` forks `child`, which has events.
    ForkAfterEvents {
        /// Who forks.
        thread: ThreadId,
        /// Whom.
        child: ThreadId,
    },
    /// `thread` forks `child`, which was forked before.
    ForkAfterFork {
        /// Who forks.
        thread: ThreadId,
        /// Whom.
        child: ThreadId,
    },
    /// `thread` forks `child`, which was joined.
    ForkAfterJoin {
        /// Who forks.
        thread: ThreadId,
        /// Whom.
        child: ThreadId,
    },
    /// An event of `thread`, which was joined.
    EventAfterJoin {
        /// Whose.
        thread: ThreadId,
    },
    /// A commit by `thread`, which has no uncommitted write of `var`.
    CommitWithoutWrite {
        /// Who.
        thread: ThreadId,
        /// Of what.
        var: VarId,
    },
    /// A commit by `thread` of `var`, before that of an older write.
    CommitOutOfOrder {
        /// Who.
        thread: ThreadId,
        /// Of what.
        var: VarId,
        /// What the oldest uncommitted write is of.
        oldest: VarId,
    },
    /// A fence of `thread`, in an execution, with an uncommitted write.
    UncommittedAtFence {
        /// Whose store buffer.
        thread: ThreadId,
        /// What the oldest uncommitted write is of.
        var: VarId,
    },
}

impl Checker {
    /// Takes the next event and says what is wrong with it. Of two things wrong with one event, it says the first.
    #[inline]
    pub fn check(&mut self, event: Event) -> Option<IllFormed> {
        let thread = event.thread;
        let late = match self.threads.get(thread.index()) {
            Some(state) if state.phase == Phase::Running => None,
            _ => self.appear(thread),
        };
        let problem = match event.op {
            Op::Read(_) | Op::Write(_) | Op::Fence | Op::Commit(_) | Op::Nop => None,
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

    /// The first event of a thread, or one after its join.
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

/// The state at `index` of a table that grows as it is asked.
#[inline]
fn entry<T: Clone + Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}

impl IllFormed {
    /// What is wrong, in the trace's names.
    #[cold]
    pub fn reason(&self, symbols: &Symbols) -> String {
        let name = |thread| one_line(&symbols.thread(thread));
        let variable = |var| one_line(&symbols.var(var));
        let of = |child, thread| format!("fork of {} by {}", name(child), name(thread));
        match *self {
            IllFormed::AcquireOfHeldLock { thread, lock, holder } => {
                format!("acquire of {} by {}, held by {}", lock_name(lock, symbols), name(thread), name(holder))
            }
            IllFormed::ReleaseOfLockNotHeld { thread, lock, holder } => {
                let holder = holder.map_or("nobody".into(), name);
                let (lock, thread) = (lock_name(lock, symbols), name(thread));
                format!("release of {lock} by {thread}, which does not hold it (held by {holder})")
            }
            IllFormed::EndWithoutBegin { thread } => format!("end by {}, which has no open block", name(thread)),
            IllFormed::ForkOfItself { thread } => format!("fork of {} by itself", name(thread)),
            IllFormed::JoinOfItself { thread } => format!("join of {} by itself", name(thread)),
            IllFormed::ForkAfterEvents { thread, child } => of(child, thread) + ", but it already has events",
            IllFormed::ForkAfterFork { thread, child } => of(child, thread) + ", but it was already forked",
            IllFormed::ForkAfterJoin { thread, child } => of(child, thread) + ", but it was already joined",
            IllFormed::EventAfterJoin { thread } => format!("event of {} after its join", name(thread)),
            IllFormed::CommitWithoutWrite { thread, var } => {
                format!("commit of {} by {}, which has no uncommitted write of it", variable(var), name(thread))
            }
            IllFormed::CommitOutOfOrder { thread, var, oldest } => {
                let (var, oldest) = (variable(var), variable(oldest));
                format!("commit of {var} by {}, whose oldest uncommitted write is of {oldest}", name(thread))
            }
            IllFormed::UncommittedAtFence { thread, var } => {
                format!("fence of {} with its write of {} uncommitted", name(thread), variable(var))
            }
        }
    }

    /// What was expected instead, in the trace's names.
    #[cold]
    pub fn expected(&self, symbols: &Symbols) -> String {
        let name = |thread| one_line(&symbols.thread(thread));
        let variable = |var| one_line(&symbols.var(var));
        match *self {
            IllFormed::AcquireOfHeldLock { lock, holder, .. } => {
                format!("a release of {} by {} before it", lock_name(lock, symbols), name(holder))
            }
            IllFormed::ReleaseOfLockNotHeld { thread, lock, .. } => {
                format!("an acquire of {} by {} before it", lock_name(lock, symbols), name(thread))
            }
            IllFormed::EndWithoutBegin { thread } => format!("a begin by {} before it", name(thread)),
            IllFormed::ForkOfItself { .. } | IllFormed::JoinOfItself { .. } => "another thread".into(),
            IllFormed::ForkAfterEvents { child, .. } => format!("the fork before the first event of {}", name(child)),
            IllFormed::ForkAfterFork { child, .. } => format!("one fork of {}", name(child)),
            IllFormed::ForkAfterJoin { .. } => "another name for another thread".into(),
            IllFormed::EventAfterJoin { thread } => format!("the join after the last event of {}", name(thread)),
            IllFormed::CommitWithoutWrite { thread, var } => {
                format!("a write of {} by {} before it", variable(var), name(thread))
            }
            IllFormed::CommitOutOfOrder { thread, oldest: var, .. } => {
                format!("commit({}) by {} before it, as a store buffer is a queue", variable(var), name(thread))
            }
            IllFormed::UncommittedAtFence { thread, var } => format!(
                "commit({}) by {} before it; acquires, releases, forks and joins are fences too",
                variable(var),
                name(thread)
            ),
        }
    }
}

fn lock_name(lock: LockId, symbols: &Symbols) -> String {
    one_line(&symbols.lock(lock))
}
