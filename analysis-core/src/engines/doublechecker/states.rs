//! Octet's states of objects: who must be waited for before an access.
//!
//! A thread that loses an object is ordered before the thread that takes it, wherever it is by then: an edge from its
//! *current* transaction, not from the one that made the access. That is the imprecision, and what makes it cheap: an
//! object holds a thread or a counter, no event.

use crate::event::ThreadId;

/// The state of one object.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nobody has touched it.
    #[default]
    Untouched,
    /// `WrEx_T`: only T may read or write it.
    WriteExclusive(ThreadId),
    /// `RdEx_T`: only T may read it.
    ReadExclusive(ThreadId),
    /// `RdSh_c`: who has seen the counter at `c` or later may read it.
    ReadShared(u64),
}

/// What an access waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Nothing: the state stays or is upgraded in place.
    Nobody,
    /// The thread that loses the object.
    Owner(ThreadId),
    /// The thread that read exclusively, and the last one that made something read-shared.
    Upgrade(ThreadId),
    /// The last thread that made something read-shared.
    Fence,
    /// Every other thread: any of them may have read.
    Everybody,
}

impl State {
    /// A read by `thread`, which has seen the counter at `seen`.
    #[inline]
    pub(super) fn read(&mut self, thread: ThreadId, seen: u64, shared: u64) -> Wait {
        match *self {
            State::WriteExclusive(owner) | State::ReadExclusive(owner) if owner == thread => Wait::Nobody,
            State::Untouched => {
                *self = State::ReadExclusive(thread);
                Wait::Nobody
            }
            State::WriteExclusive(owner) => {
                *self = State::ReadExclusive(thread);
                Wait::Owner(owner)
            }
            State::ReadExclusive(owner) => {
                *self = State::ReadShared(shared + 1);
                Wait::Upgrade(owner)
            }
            State::ReadShared(count) if count > seen => Wait::Fence,
            State::ReadShared(_) => Wait::Nobody,
        }
    }

    /// A write by `thread`.
    #[inline]
    pub(super) fn write(&mut self, thread: ThreadId) -> Wait {
        match std::mem::replace(self, State::WriteExclusive(thread)) {
            State::Untouched => Wait::Nobody,
            State::WriteExclusive(owner) | State::ReadExclusive(owner) if owner == thread => Wait::Nobody,
            State::WriteExclusive(owner) | State::ReadExclusive(owner) => Wait::Owner(owner),
            State::ReadShared(_) => Wait::Everybody,
        }
    }
}
