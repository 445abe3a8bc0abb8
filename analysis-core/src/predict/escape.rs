//! Dynamic escape: which accesses other threads can interfere with.
//!
//! The reports watch references to learn when an object escapes from its thread. A trace has no references, so here an
//! access has *escaped* if another thread accesses the variable concurrently, according to starts and joins, and some
//! such accesses of the variable conflict. All others commute with whatever other threads do: they are to variables
//! that only one thread uses, that no thread writes while several use them, or whose users are ordered (section 3.3 of
//! the reduction report). This is exact, since the whole execution is known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ids::{At, ContextId, PeriodId, UnitId};
use super::periods::Periods;
use super::units::Units;
use crate::event::{Event, Op, ThreadId, VarId};
use crate::graph::accesses::at;

/// An access that the algorithms consider.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The event.
    pub at: At,
    /// The unit that contains it.
    pub unit: UnitId,
    /// The accessed variable.
    pub var: VarId,
    /// Whether it is a write.
    pub is_write: bool,
    /// The locks that its thread holds.
    pub context: ContextId,
}

/// The users of a variable, regardless of starts and joins.
#[derive(Clone, Copy, Default)]
struct Users {
    first: Option<ThreadId>,
    is_shared: bool,
    is_written: bool,
}

/// Returns, for each variable, whether several threads use it and one writes it.
pub(super) fn candidates(events: &[Event]) -> Vec<bool> {
    let mut vars: Vec<Users> = Vec::new();
    for event in events {
        if let Op::Read(x) | Op::Write(x) = event.op {
            let users = at(&mut vars, x.index());
            users.is_shared |= *users.first.get_or_insert(event.thread) != event.thread;
            users.is_written |= matches!(event.op, Op::Write(_));
        }
    }
    vars.into_iter().map(|users| users.is_shared && users.is_written).collect()
}

/// Returns those of `accesses` that have escaped.
pub(super) fn escaped(accesses: Vec<Access>, units: &Units, periods: &Periods) -> Vec<Access> {
    let key = |access: &Access| (access.var, units.get(access.unit).period);
    // By variable: the periods that use it, and whether they write it.
    let mut users: FxHashMap<VarId, Vec<(PeriodId, bool)>> = FxHashMap::default();
    let mut known: FxHashMap<(VarId, PeriodId), usize> = FxHashMap::default();
    for access in &accesses {
        let (var, period) = key(access);
        let of_var = users.entry(var).or_default();
        let index = *known.entry((var, period)).or_insert_with(|| {
            of_var.push((period, false));
            of_var.len() - 1
        });
        of_var[index].1 |= access.is_write;
    }
    let mut meets: FxHashSet<(VarId, PeriodId)> = FxHashSet::default();
    for (var, users) in &users {
        let mut met: Vec<PeriodId> = Vec::new();
        let mut conflicts = false;
        for (index, (one, writes)) in users.iter().enumerate() {
            for (other, other_writes) in users[..index].iter().filter(|(other, _)| periods.are_concurrent(*one, *other))
            {
                met.extend([one, other]);
                conflicts |= writes | other_writes;
            }
        }
        if conflicts {
            meets.extend(met.into_iter().map(|period| (*var, period)));
        }
    }
    accesses.into_iter().filter(|access| meets.contains(&key(access))).collect()
}

#[cfg(test)]
mod tests {
    use crate::predict::testing::execution;

    /// Returns the numbers of the accesses that have escaped.
    fn escaped(trace: &str) -> Vec<u64> {
        execution(trace).accesses.iter().map(|access| access.at.number()).collect()
    }

    #[test]
    fn what_one_thread_alone_uses_or_nobody_writes_has_not_escaped() {
        assert!(escaped("0:w0 0:r0 1:r1 0:r1").is_empty());
    }

    #[test]
    fn what_only_starts_and_joins_separate_has_not_escaped() {
        assert!(escaped("0:w0 0:f1 1:w0 0:j1 0:w0").is_empty());
        assert_eq!(escaped("0:w0 0:f1 1:w0 0:w0 0:j1 0:w0"), [3, 4]);
    }

    #[test]
    fn reads_of_what_is_written_only_before_have_not_escaped_and_those_beside_a_write_have() {
        assert_eq!(escaped("0:w0 0:f1 0:f2 1:r0 2:r0 0:r0"), [] as [u64; 0]);
        assert_eq!(escaped("0:r0 1:r0 1:w0"), [1, 2, 3]);
    }
}
