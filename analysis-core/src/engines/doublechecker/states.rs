//! Octet's states of objects: which threads an access must wait for.
//!
//! A thread that loses an object is ordered before the thread that takes it, at the point that it has reached by then:
//! the edge comes from its *current* transaction, not from the one that made the access. This makes the analysis
//! imprecise, and cheap: an object holds a thread or a counter, no event.

use crate::event::ThreadId;

/// The state of one object.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// No thread has touched the object.
    #[default]
    Untouched,
    /// `WrEx_T`: only T may read or write the object.
    WriteExclusive(ThreadId),
    /// `RdEx_T`: only T may read the object.
    ReadExclusive(ThreadId),
    /// `RdSh_c`: a thread that has seen the counter at `c` or later may read the object.
    ReadShared(u64),
}

/// A state in one word: events spend most of their time waiting for tables of objects. The kind is in the last two
/// bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Packed(u64);

impl Packed {
    #[inline]
    pub(super) fn unpack(self) -> State {
        let thread = ThreadId((self.0 >> 2) as u32);
        match self.0 & 3 {
            0 => State::Untouched,
            1 => State::WriteExclusive(thread),
            2 => State::ReadExclusive(thread),
            _ => State::ReadShared(self.0 >> 2),
        }
    }
}

impl From<State> for Packed {
    #[inline]
    fn from(state: State) -> Packed {
        Packed(match state {
            State::Untouched => 0,
            State::WriteExclusive(thread) => u64::from(thread.0) << 2 | 1,
            State::ReadExclusive(thread) => u64::from(thread.0) << 2 | 2,
            State::ReadShared(count) => count << 2 | 3,
        })
    }
}

/// What an access waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Nothing: the state stays or is upgraded in place.
    Nobody,
    /// The thread that loses the object.
    Owner(ThreadId),
    /// The thread that had the object read-exclusive, and the last thread that made something read-shared.
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

#[cfg(test)]
mod tests {
    use super::*;

    const T: ThreadId = ThreadId(0);
    const U: ThreadId = ThreadId(1);

    #[test]
    fn reads_and_writes_move_objects_as_in_octets_table() {
        use State::*;
        let shared = 5;
        let reads = [
            (Untouched, ReadExclusive(T), Wait::Nobody),
            (WriteExclusive(T), WriteExclusive(T), Wait::Nobody),
            (ReadExclusive(T), ReadExclusive(T), Wait::Nobody),
            (WriteExclusive(U), ReadExclusive(T), Wait::Owner(U)),
            (ReadExclusive(U), ReadShared(6), Wait::Upgrade(U)),
            (ReadShared(3), ReadShared(3), Wait::Nobody),
            (ReadShared(4), ReadShared(4), Wait::Fence),
        ];
        for (before, after, wait) in reads {
            let mut state = Packed::from(before).unpack();
            assert_eq!((state.read(T, 3, shared), state), (wait, after), "a read of {before:?}");
        }
        let writes = [
            (Untouched, Wait::Nobody),
            (WriteExclusive(T), Wait::Nobody),
            (ReadExclusive(T), Wait::Nobody),
            (WriteExclusive(U), Wait::Owner(U)),
            (ReadExclusive(U), Wait::Owner(U)),
            (ReadShared(3), Wait::Everybody),
        ];
        for (before, wait) in writes {
            let mut state = Packed::from(before).unpack();
            assert_eq!((state.write(T), state), (wait, WriteExclusive(T)), "a write of {before:?}");
        }
    }
}
