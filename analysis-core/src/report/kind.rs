//! Names for what happened to a block, by its accesses where the path leaves it and where it comes back.

use super::call::Call;
use super::details::{Ends, EventDetail};
use super::model::is_one_object;
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
    /// It asked a collection and then acted on the answer, by two calls.
    StaleCollectionCheck,
    /// The same of an atomic variable.
    StaleAtomicCheck,
    /// It got a value from a collection and put another one in its place, by two calls.
    LostPut,
    /// The same of an atomic variable, or of an element of a list.
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

/// Calls that only ask: whether something is there, how much, or where.
const CHECKS: [&str; 22] = [
    "allMatch",
    "anyMatch",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "count",
    "empty",
    "hasMoreElements",
    "hasNext",
    "hasPrevious",
    "indexOf",
    "isEmpty",
    "lastIndexOf",
    "mappingCount",
    "noneMatch",
    "peek",
    "peekFirst",
    "peekLast",
    "remainingCapacity",
    "search",
    "size",
];
/// Calls that get one value, those that put one, and those that set one.
const GETS: [&str; 15] = [
    "elementAt",
    "firstElement",
    "get",
    "getAcquire",
    "getFirst",
    "getLast",
    "getOpaque",
    "getOrDefault",
    "getPlain",
    "getProperty",
    "getReference",
    "getStamp",
    "getVolatile",
    "isMarked",
    "lastElement",
];
const PUTS: [&str; 2] = ["put", "setProperty"];
const SETS: [&str; 7] = ["lazySet", "set", "setElementAt", "setOpaque", "setPlain", "setRelease", "setVolatile"];

impl Kind {
    /// The kind of a violation, if its engine gives a witness.
    pub fn of_violation(violation: &Violation, ends: &impl Ends) -> Kind {
        Kind::by(violation, ends, |out, back| Kind::of_calls(out, back).unwrap_or_else(|| Kind::of(out.op, back.op)))
    }

    /// The same by the operations alone, as if calls of the library were accesses to fields.
    pub(super) fn of_operations(violation: &Violation, ends: &impl Ends) -> Kind {
        Kind::by(violation, ends, |out, back| Kind::of(out.op, back.op))
    }

    fn by(violation: &Violation, ends: &impl Ends, of: impl Fn(&EventDetail, &EventDetail) -> Kind) -> Kind {
        match (violation.edges.first(), violation.edges.last()) {
            _ if violation.is_warning() => Kind::Suspicion,
            (Some(out), Some(back)) => of(&ends.from(out), &ends.to(back)),
            _ => Kind::Interference,
        }
    }

    /// The kind where both are calls on one object of the library, and it has a name of its own.
    fn of_calls(out: &EventDetail, back: &EventDetail) -> Option<Kind> {
        let (first, last) = (out.call.as_ref()?, back.call.as_ref()?);
        if !is_one_object(out, back) {
            return None;
        }
        if first.is_step() && last.is_step() {
            return Some(Kind::NonAtomicIteration);
        }
        if !matches!(out.op, Op::Read(_)) {
            return None;
        }
        let acts = matches!(back.op, Op::Write(_));
        if first.is_of_atomic() {
            return acts.then(|| Kind::update(first, last).unwrap_or(Kind::StaleAtomicCheck));
        }
        let asks = |call: &Call| CHECKS.contains(&call.method.as_str());
        let is_check = acts || asks(first) && !asks(last);
        (first.is_of_collection() && is_check).then(|| {
            Kind::update(first, last)
                .filter(|_| out.op.variable() == back.op.variable())
                .unwrap_or(Kind::StaleCollectionCheck)
        })
    }

    /// The kind of a new value in the place of one that was got.
    fn update(first: &Call, last: &Call) -> Option<Kind> {
        let is_in = |methods: &[&str], call: &Call| methods.contains(&call.method.as_str());
        match is_in(&GETS, first) {
            true if is_in(&PUTS, last) => Some(Kind::LostPut),
            true if is_in(&SETS, last) => Some(Kind::LostSet),
            _ => None,
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
            | Kind::StaleCheckThenAct
            | Kind::StaleCollectionCheck
            | Kind::StaleAtomicCheck
            | Kind::LostPut
            | Kind::LostSet
            | Kind::NonAtomicIteration => true,
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
            Kind::StaleCollectionCheck => {
                "another thread changed the collection between a call that asked it and one that relied on the answer"
            }
            Kind::StaleAtomicCheck => {
                "another thread changed the variable between a call that read it and one that relied on what was read"
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
