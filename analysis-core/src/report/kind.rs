//! Names for what happened to a block, by its accesses where the path leaves it and where it comes back.

use super::details::Ends;
use crate::engine::Violation;
use crate::event::Op;

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
    /// The kind of a violation, if its engine gives a witness.
    pub fn of_violation(violation: &Violation, ends: &impl Ends) -> Kind {
        match (violation.edges.first(), violation.edges.last()) {
            _ if violation.is_warning() => Kind::Suspicion,
            (Some(out), Some(back)) => Kind::of(ends.from(out).op, ends.to(back).op),
            _ => Kind::Interference,
        }
    }

    /// The kind of a violation whose witness leaves the block at `out` and comes back at `back`.
    pub fn of(out: Op, back: Op) -> Kind {
        match (out, back) {
            (Op::Release(_), Op::Acquire(_)) => Kind::StaleCheckThenAct,
            (Op::Fork(u), Op::Join(v)) if u == v => Kind::WaitsForChild,
            (Op::Read(x), Op::Write(y)) if x == y => Kind::LostUpdate,
            (Op::Read(x), Op::Read(y)) if x == y => Kind::UnrepeatableRead,
            (Op::Write(x), Op::Read(y)) if x == y => Kind::OverwrittenWrite,
            (Op::Write(_), Op::Write(_)) => Kind::TornUpdate,
            (Op::Read(_), Op::Read(_) | Op::Write(_)) => Kind::InconsistentView,
            _ => Kind::Interference,
        }
    }

    /// True if it names a pattern of accesses to one variable or lock, or of writes that belong together. The others say
    /// only that something came in between.
    pub fn is_pattern(self) -> bool {
        match self {
            Kind::LostUpdate
            | Kind::UnrepeatableRead
            | Kind::TornUpdate
            | Kind::OverwrittenWrite
            | Kind::StaleCheckThenAct => true,
            Kind::InconsistentView | Kind::WaitsForChild | Kind::Interference | Kind::Suspicion => false,
        }
    }

    /// Its name, as a person would call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::LostUpdate => "lost update",
            Kind::UnrepeatableRead => "unrepeatable read",
            Kind::TornUpdate => "torn update",
            Kind::OverwrittenWrite => "overwritten write",
            Kind::StaleCheckThenAct => "stale check-then-act across critical sections",
            Kind::InconsistentView => "inconsistent view",
            Kind::WaitsForChild => "waits for a thread that it started",
            Kind::Interference => "interference",
            Kind::Suspicion => "may not be atomic",
        }
    }

    /// What it means, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Kind::LostUpdate => "another thread's write came between its read and its write, which overwrote it",
            Kind::UnrepeatableRead => "another thread's write came between two of its reads",
            Kind::TornUpdate => "another thread got in between two of its writes",
            Kind::OverwrittenWrite => "another thread's write came between its write and its read",
            Kind::StaleCheckThenAct => {
                "other threads ran between two of its critical sections, so what it saw in the first may no longer hold"
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
