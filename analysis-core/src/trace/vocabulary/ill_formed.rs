//! Events that no execution could have, with numbers and with the names of the trace.

use super::one_line::one_line;
use super::symbols::Symbols;
use crate::event::{LockId, ThreadId, VarId};

/// Why an event is ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllFormed {
    /// `thread` acquires `lock`, which `holder` holds.
    AcquireOfHeldLock {
        /// The thread that acquires.
        thread: ThreadId,
        /// The lock.
        lock: LockId,
        /// The thread that holds it.
        holder: ThreadId,
    },
    /// `thread` releases `lock`, which it does not hold.
    ReleaseOfLockNotHeld {
        /// The thread that releases.
        thread: ThreadId,
        /// The lock.
        lock: LockId,
        /// The thread that holds it, if any.
        holder: Option<ThreadId>,
    },
    /// `thread` ends a block and has none open.
    EndWithoutBegin {
        /// The thread.
        thread: ThreadId,
    },
    /// `thread` forks itself.
    ForkOfItself {
        /// The thread.
        thread: ThreadId,
    },
    /// `thread` joins itself.
    JoinOfItself {
        /// The thread.
        thread: ThreadId,
    },
    /// `thread` forks `child`, which has events.
    ForkAfterEvents {
        /// The thread that forks.
        thread: ThreadId,
        /// The forked thread.
        child: ThreadId,
    },
    /// `thread` forks `child`, which was forked before.
    ForkAfterFork {
        /// The thread that forks.
        thread: ThreadId,
        /// The forked thread.
        child: ThreadId,
    },
    /// `thread` forks `child`, which was joined.
    ForkAfterJoin {
        /// The thread that forks.
        thread: ThreadId,
        /// The forked thread.
        child: ThreadId,
    },
    /// An event of `thread`, which was joined.
    EventAfterJoin {
        /// The thread of the event.
        thread: ThreadId,
    },
    /// A commit by `thread`, which has no uncommitted write of `var`.
    CommitWithoutWrite {
        /// The thread.
        thread: ThreadId,
        /// The committed variable.
        var: VarId,
    },
    /// A commit by `thread` of `var`, before the commit of an older write.
    CommitOutOfOrder {
        /// The thread.
        thread: ThreadId,
        /// The committed variable.
        var: VarId,
        /// The variable of the oldest uncommitted write.
        oldest: VarId,
    },
    /// A fence of `thread`, in an execution, with an uncommitted write.
    UncommittedAtFence {
        /// The thread with the store buffer.
        thread: ThreadId,
        /// The variable of the oldest uncommitted write.
        var: VarId,
    },
}

impl IllFormed {
    /// Returns what is wrong, with the names of the trace.
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

    /// Returns what was expected instead, with the names of the trace.
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
