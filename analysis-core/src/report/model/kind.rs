//! Names for what can happen to a block, and their meanings. `judgement/kind.rs` decides which one applies.

/// What happened to a violated block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It read, another thread wrote, it wrote: the other write is lost.
    LostUpdate,
    /// It read twice and got another thread's write in between.
    UnrepeatableRead,
    /// Another thread saw one of its writes without the other.
    TornUpdate,
    /// What it wrote was overwritten before it read it back.
    OverwrittenWrite,
    /// It gave up its lock and took one again, and others ran in between: what it had checked may no longer hold.
    StaleCheckThenAct,
    /// The same for a lock that readers share: it read under the lock, gave it up, and took it for writing.
    StaleRead,
    /// It gave up one lock before it took another one, and others ran in between under both.
    TwoLocks,
    /// It asked a collection and then acted on the answer, by two calls.
    StaleCollectionCheck,
    /// The same for an atomic variable.
    StaleAtomicCheck,
    /// It got a value from a collection and put another one in its place, by two calls.
    LostPut,
    /// The same for an atomic variable, or for an element of a list.
    LostSet,
    /// Another thread changed a collection between two steps of an iteration.
    NonAtomicIteration,
    /// What it had read was changed before it was done.
    InconsistentView,
    /// It started a thread and waited for what that thread did.
    WaitsForChild,
    /// Other threads' events have to come after its begin and before its end.
    Interference,
    /// It is not known to be violated: an engine that only warns could not show that its events move together.
    Suspicion,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 16] = [
        Kind::LostUpdate,
        Kind::UnrepeatableRead,
        Kind::TornUpdate,
        Kind::OverwrittenWrite,
        Kind::StaleCheckThenAct,
        Kind::StaleRead,
        Kind::TwoLocks,
        Kind::StaleCollectionCheck,
        Kind::StaleAtomicCheck,
        Kind::LostPut,
        Kind::LostSet,
        Kind::NonAtomicIteration,
        Kind::InconsistentView,
        Kind::WaitsForChild,
        Kind::Interference,
        Kind::Suspicion,
    ];

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the kind is a pattern of accesses to one variable or lock, of two locks, or of writes that belong together. The other
    /// kinds say only that something came in between.
    pub fn is_pattern(self) -> bool {
        match self {
            Kind::LostUpdate
            | Kind::UnrepeatableRead
            | Kind::TornUpdate
            | Kind::OverwrittenWrite
            | Kind::StaleCheckThenAct
            | Kind::StaleRead
            | Kind::TwoLocks
            | Kind::StaleCollectionCheck
            | Kind::StaleAtomicCheck
            | Kind::LostPut
            | Kind::LostSet
            | Kind::NonAtomicIteration => true,
            Kind::InconsistentView | Kind::WaitsForChild | Kind::Interference | Kind::Suspicion => false,
        }
    }

    /// The name of the kind, for a person.
    pub fn name(self) -> &'static str {
        match self {
            Kind::LostUpdate => "lost update",
            Kind::UnrepeatableRead => "unrepeatable read",
            Kind::TornUpdate => "torn update",
            Kind::OverwrittenWrite => "overwritten write",
            Kind::StaleCheckThenAct => "stale check-then-act across critical sections",
            Kind::StaleRead => "stale check-then-act from read lock to write lock",
            Kind::TwoLocks => "interference between two locks",
            Kind::StaleCollectionCheck => "stale check-then-act on a collection",
            Kind::StaleAtomicCheck => "stale check-then-act on an atomic variable",
            Kind::LostPut => "lost update by get and put",
            Kind::LostSet => "lost update by get and set",
            Kind::NonAtomicIteration => "non-atomic iteration",
            Kind::InconsistentView => "inconsistent view",
            Kind::WaitsForChild => "waits for a thread that it started",
            Kind::Interference => "interference",
            Kind::Suspicion => "may not be atomic",
        }
    }

    /// The meaning of the kind, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Kind::LostUpdate => "another thread's write came between its read and its write, which overwrote it",
            Kind::UnrepeatableRead => "another thread's write came between two of its reads",
            Kind::TornUpdate => "another thread got in between two of its writes",
            Kind::OverwrittenWrite => "another thread's write came between its write and its read",
            Kind::StaleCheckThenAct => {
                "other threads ran between two of its critical sections, so what it saw in the first may no longer hold"
            }
            Kind::StaleRead => {
                "another thread held the lock for writing after it had read and before it could write, so what it read may \
                 no longer hold"
            }
            Kind::TwoLocks => {
                "it gave up one lock before it took the other one, and other threads ran in between under both, so nothing \
                 holds its two critical sections together"
            }
            Kind::StaleCollectionCheck => {
                "another thread changed the collection between a call that asked it and one that relied on the answer"
            }
            Kind::StaleAtomicCheck => {
                "another thread changed the variable after it was read, and before a call that relied on what was read"
            }
            Kind::LostPut => "another thread's update came between its get and its put, which may have overwritten it",
            Kind::LostSet => "another thread's update came between its get and its set, which may have overwritten it",
            Kind::NonAtomicIteration => {
                "another thread changed the collection between two steps of an iteration over it"
            }
            Kind::InconsistentView => "another thread changed what it had read before it was done",
            Kind::WaitsForChild => "what the thread did lies between its begin and its end",
            Kind::Interference => "events of other threads have to come after its begin and before its end",
            Kind::Suspicion => {
                "by the locks held so far, events of other threads could come between two of its own; whether they ever do \
                 is not known"
            }
        }
    }
}

/// The name of a cycle without blame, and its meaning.
pub(in crate::report) const CYCLE: [&str; 2] = [
    "a cycle of transactions, and no block to blame",
    "run one after the other, in no order could these have seen what they saw",
];
