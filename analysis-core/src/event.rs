//! Events of an execution and the identities that they name.
//!
//! An [`Event`] is a thread and an operation. Names (of threads, variables, locks, methods) never reach an engine: a
//! reader interns them once (`trace::symbols`), and everything after it works on dense numbers. Each kind of number has
//! its own type, so that a lock can never be looked up among the variables.
//!
//! The alphabet is that of the law: `r(x) w(x) acq(l) rel(l) fork(u) join(u) begin(m) end(m)`, and `fence`, `commit(x)`
//! for the TSO monitor. `together` and `update` mark events for analyses that consider other orders of the events. Two
//! events *conflict* if they belong to the same thread, or touch the same variable and at least one of them writes it,
//! or are a release and a later acquire of the same lock, or are a fork (join) and an event of the child after (before)
//! it. *Happens-before* is the transitive closure of conflict in trace order.
//! after (before) it. *Happens-before* is the transitive closure of conflict in trace order.

use std::fmt;

/// A type of dense numbers that name things of one kind.
macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a dense table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The number of the element at `index` of a dense table.
            #[inline]
            pub fn of(index: usize) -> $name {
                $name(u32::try_from(index).expect("fewer than 2^32 of a kind"))
            }
        }
    };
}

pub(crate) use dense_id;

dense_id! {
    /// A thread of the execution. Numbers are dense, in order of first appearance, and at most [`ThreadId::MAX`].
    ThreadId
}
dense_id! {
    /// A variable: a field of one object, a static field, or an array element.
    VarId
}
dense_id! {
    /// A lock: the monitor of one object.
    LockId
}
dense_id! {
    /// The label of a block: its method. [`LabelId::NONE`] for a block without a label.
    LabelId
}

impl ThreadId {
    /// The largest thread number that a [`Stamp`] can hold.
    pub const MAX: ThreadId = ThreadId((1 << Stamp::THREAD_BITS) - 1);
}

impl LabelId {
    /// The label of a block that has none.
    pub const NONE: LabelId = LabelId(u32::MAX);
}

/// What a thread did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// `r(x)`: a read of a variable.
    Read(VarId),
    /// `w(x)`: a write of a variable.
    Write(VarId),
    /// `acq(l)`: an acquire of a lock.
    Acquire(LockId),
    /// `rel(l)`: a release of a lock.
    Release(LockId),
    /// `fork(u)`: the start of a thread.
    Fork(ThreadId),
    /// `join(u)`: the end of a thread was observed.
    Join(ThreadId),
    /// `begin(m)`: entry into a block that the specification calls atomic. Blocks nest; the outermost is the transaction.
    Begin(LabelId),
    /// `end(m)`: exit, by return or by exception, from the innermost open block. If no block is open, it is an event
    /// outside any block, like any other.
    End,
    /// `fence`: the store buffer of the thread is drained (TSO only).
    Fence,
    /// `commit(x)`: the oldest buffered write of the thread, to this variable, reaches memory (TSO only).
    Commit(VarId),
    /// An event that conflicts with nothing outside its thread.
    Nop,
    /// `together`: the thread's events before and after this one form one step ([`crate::protocol::steps`]), so in no
    /// order of the events does another thread come in between. Otherwise like [`Op::Nop`].
    Together,
    /// `update`: the thread's next event is a write that took place because of the value found in the variable, such as
    /// a successful compare-and-set: in any order of the events it overwrites the same write. Otherwise like
    /// [`Op::Nop`].
    Update,
}

impl Op {
    /// The names of the kinds, in the order of [`Op::kind`].
    pub const KINDS: [&str; 13] = [
        "read", "write", "acquire", "release", "fork", "join", "begin", "end", "fence", "commit", "dummy", "together",
        "update",
    ];

    /// Returns the variable that the operation reads or writes.
    pub fn variable(self) -> Option<VarId> {
        match self {
            Op::Read(variable) | Op::Write(variable) => Some(variable),
            _ => None,
        }
    }

    /// Returns the kind, as an index into [`Op::KINDS`].
    #[inline]
    pub fn kind(self) -> usize {
        match self {
            Op::Read(_) => 0,
            Op::Write(_) => 1,
            Op::Acquire(_) => 2,
            Op::Release(_) => 3,
            Op::Fork(_) => 4,
            Op::Join(_) => 5,
            Op::Begin(_) => 6,
            Op::End => 7,
            Op::Fence => 8,
            Op::Commit(_) => 9,
            Op::Nop => 10,
            Op::Together => 11,
            Op::Update => 12,
        }
    }
}

/// One event: a thread and what it did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// Its thread.
    pub thread: ThreadId,
    /// What the thread did.
    pub op: Op,
}

impl Event {
    /// The event `op` of thread `thread`.
    pub fn new(thread: ThreadId, op: Op) -> Event {
        Event { thread, op }
    }
}

/// One event, as a thread and a *position* in the thread, packed into one word.
///
/// Positions start at 1 and grow along the thread; nothing else is assumed about them. In a trace read from a file, the
/// position of an event is its number in the whole trace; in the agent it is the count of the thread's recorded events
/// (`protocol`). The top bit is always 0 here: the agent's hooks use it as the lock of a variable. Stamps are ordered
/// by thread first; compare positions only between stamps of one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stamp(u64);

impl Stamp {
    /// No event.
    pub const NEVER: Stamp = Stamp(0);
    /// Bits for the thread.
    pub const THREAD_BITS: u32 = 20;
    /// Bits for the position.
    pub const POSITION_BITS: u32 = 43;
    /// The largest position.
    pub const MAX_POSITION: u64 = (1 << Self::POSITION_BITS) - 1;

    /// The event of `thread` at `position` (1 to [`Stamp::MAX_POSITION`]).
    #[inline]
    pub fn new(thread: ThreadId, position: u64) -> Stamp {
        debug_assert!((1..=Self::MAX_POSITION).contains(&position), "position {position} out of range");
        debug_assert!(thread <= ThreadId::MAX, "{thread:?} out of range");
        Stamp(u64::from(thread.0) << Self::POSITION_BITS | position)
    }

    /// The thread of the event. Meaningless for [`Stamp::NEVER`].
    #[inline]
    pub fn thread(self) -> ThreadId {
        ThreadId((self.0 >> Self::POSITION_BITS) as u32)
    }

    /// The position in its thread.
    #[inline]
    pub fn position(self) -> u64 {
        self.0 & Self::MAX_POSITION
    }

    /// Returns whether this is [`Stamp::NEVER`].
    #[inline]
    pub fn is_never(self) -> bool {
        self.0 == 0
    }

    /// Returns whether this names an event of a thread other than `thread`.
    #[inline]
    pub fn is_foreign_to(self, thread: ThreadId) -> bool {
        !self.is_never() && self.thread() != thread
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_never() {
            return f.write_str("never");
        }
        write!(f, "t{}@{}", self.thread().0, self.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_gives_back_what_it_was_made_of() {
        for thread in [ThreadId(0), ThreadId(1), ThreadId::MAX] {
            for position in [1, 2, Stamp::MAX_POSITION] {
                let stamp = Stamp::new(thread, position);
                assert_eq!((stamp.thread(), stamp.position()), (thread, position));
                assert!(!stamp.is_never());
                assert!(!stamp.is_foreign_to(thread) && stamp.is_foreign_to(ThreadId(7)));
            }
        }
        assert!(Stamp::NEVER.is_never() && !Stamp::NEVER.is_foreign_to(ThreadId(1)));
    }

    #[test]
    fn an_event_is_three_words_of_four_bytes() {
        assert_eq!(size_of::<Event>(), 12);
    }
}
