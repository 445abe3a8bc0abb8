//! What happened to a block, by its accesses where the path leaves it and where it returns.

use crate::engine::Violation;
use crate::event::Op;
use crate::report::model::call::{Call, Hand};
use crate::report::model::details::{Ends, EventDetail, is_one_object};
use crate::report::model::kind::Kind;

/// Calls that only ask: whether something exists, how much, or where.
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
        Kind::by(violation, ends, |out, back| {
            Kind::of_calls(out, back)
                .or_else(|| Kind::of_update(out, back))
                .unwrap_or_else(|| Kind::of(out.op, back.op))
        })
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

    /// The kind if both are calls on one object of the library, or of locks, and it has a name of its own.
    fn of_calls(out: &EventDetail, back: &EventDetail) -> Option<Kind> {
        let is_shared = [out, back].map(|end| end.call.as_ref().is_some_and(Call::is_of_shared_lock));
        if is_shared.contains(&true) && out.is_of_lock() && back.is_of_lock() {
            return Some(match (is_one_object(out, back), out.op, back.op) {
                (false, _, _) => Kind::TwoLocks,
                (true, Op::Read(_), Op::Write(_)) => Kind::StaleRead,
                (true, _, _) => Kind::StaleCheckThenAct,
            });
        }
        let (first, last) = (out.call.as_ref()?, back.call.as_ref()?);
        if !is_one_object(out, back) {
            return None;
        }
        if first.hand == Some(Hand::Permits) {
            return Some(Kind::StaleCheckThenAct);
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

    /// The kind if a variable was read, and then changed by a call that itself looks at what is there: it overwrites nothing.
    fn of_update(out: &EventDetail, back: &EventDetail) -> Option<Kind> {
        let is_of_one = matches!((out.op, back.op), (Op::Read(x), Op::Write(y)) if x == y);
        (is_of_one && back.call.as_ref().is_some_and(Call::is_update)).then_some(Kind::StaleAtomicCheck)
    }

    /// The kind of replacing a value that was read by a new one.
    fn update(first: &Call, last: &Call) -> Option<Kind> {
        let is_in = |methods: &[&str], call: &Call| methods.contains(&call.method.as_str());
        match is_in(&GETS, first) {
            true if is_in(&PUTS, last) => Some(Kind::LostPut),
            true if is_in(&SETS, last) => Some(Kind::LostSet),
            _ => None,
        }
    }

    /// The kind of a violation whose witness leaves the block at `out` and returns at `back`.
    pub fn of(out: Op, back: Op) -> Kind {
        match (out, back) {
            (Op::Release(given), Op::Acquire(taken)) if given == taken => Kind::StaleCheckThenAct,
            (Op::Release(_), Op::Acquire(_)) => Kind::TwoLocks,
            (Op::Fork(u), Op::Join(v)) if u == v => Kind::WaitsForChild,
            (Op::Read(x), Op::Write(y)) if x == y => Kind::LostUpdate,
            (Op::Read(x), Op::Read(y)) if x == y => Kind::UnrepeatableRead,
            (Op::Write(x), Op::Read(y)) if x == y => Kind::OverwrittenWrite,
            (Op::Write(_), Op::Write(_)) => Kind::TornUpdate,
            (Op::Read(_), Op::Read(_) | Op::Write(_)) => Kind::InconsistentView,
            _ => Kind::Interference,
        }
    }
}
