//! The roles of locks: locks that only one thread uses, locks that another lock protects, and locks that are used not
//! only by transactions.
//!
//! The reduction report, section 3.5. It assumes that synchronization happens in transactions ("synchronized blocks are
//! considered to be transactions"). In a trace it may not. A lock that is acquired or released outside transactions, or
//! held from one unit into another, is called *loose* here, and the algorithms treat its holds as conflicting with each
//! other.

use super::Sections;
use super::escape::Access;
use super::holds::{Hold, Holds};
use super::ids::{At, HoldId, UnitId};
use super::units::Units;
use crate::event::{LockId, VarId};
use crate::graph::accesses::at;

/// What is known about one lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Role {
    user: Option<crate::event::ThreadId>,
    is_shared: bool,
    /// The locks that were held around every hold so far; `None` before the first.
    around: Option<Vec<LockId>>,
    /// Whether it is acquired or released outside transactions, or held from one unit into another, or its critical
    /// sections count as accesses.
    pub is_loose: bool,
}

impl Role {
    /// Returns whether only one thread uses it.
    pub fn is_thread_local(&self) -> bool {
        !self.is_shared
    }

    /// Returns whether every hold of it is inside a hold of another lock, always the same one.
    pub fn is_protected(&self) -> bool {
        self.around.as_ref().is_some_and(|around| !around.is_empty())
    }
}

/// The roles of all locks.
#[derive(Debug, Default)]
pub struct Locks(Vec<Role>);

impl Locks {
    /// Determines the roles from the holds of a whole execution.
    pub fn new(holds: &Holds, units: &Units, sections: Sections) -> Locks {
        let mut roles: Vec<Role> = Vec::new();
        for (_, hold) in holds.iter() {
            let role = at(&mut roles, hold.lock.index());
            role.is_shared |= *role.user.get_or_insert(hold.thread) != hold.thread;
            role.is_loose |= !hold.is_within_unit || !units.get(hold.unit).is_transaction();
            let around = locks_around(hold, holds);
            match &mut role.around {
                Some(known) => known.retain(|lock| around.contains(lock)),
                unknown => *unknown = Some(around),
            }
        }
        if sections == Sections::Conflict {
            roles.iter_mut().for_each(|role| role.is_loose |= role.is_shared);
        }
        Locks(roles)
    }

    /// Returns the role of a lock.
    pub fn of(&self, lock: LockId) -> &Role {
        &self.0[lock.index()]
    }

    /// Returns one more than the largest lock number.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no locks.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the holds of loose locks as accesses: each hold is a write of a variable that stands for the lock, numbered
/// after the real ones, in each unit that it extends into.
pub(super) fn loose_holds(vars: u32, locks: &Locks, holds: &mut Holds, units: &Units) -> Vec<Access> {
    let loose: Vec<(HoldId, Hold)> =
        holds.iter().filter(|(_, hold)| locks.of(hold.lock).is_loose).map(|(id, hold)| (id, *hold)).collect();
    let mut uses = Vec::new();
    for (id, hold) in loose {
        let context = holds.context_of(&[id]);
        let all = units.of_thread(hold.thread);
        let from = all.partition_point(|unit| *unit < hold.unit);
        let is_reached = |unit: &&UnitId| hold.release.is_none_or(|release| units.get(**unit).first <= release);
        for &unit in all[from..].iter().take_while(is_reached) {
            let at = hold.acquire.max(units.get(unit).first);
            uses.push(Access { at, unit, var: VarId(vars + hold.lock.0), is_write: true, context });
        }
    }
    uses
}

/// Returns the locks that are held throughout the hold.
fn locks_around(hold: &Hold, holds: &Holds) -> Vec<LockId> {
    let end = |hold: &Hold| hold.release.unwrap_or(At(u32::MAX));
    let outer = holds.in_context(hold.around).iter().map(|outer| holds.get(*outer));
    outer.filter(|outer| end(outer) >= end(hold)).map(|outer| outer.lock).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::execution;

    fn role(trace: &str, lock: u32) -> Role {
        execution(trace).locks.of(LockId(lock)).clone()
    }

    #[test]
    fn a_lock_of_one_thread_is_thread_local() {
        assert!(role("0:[ 0:a0 0:l0 0:] 0:[ 0:a0 0:l0 0:]", 0).is_thread_local());
        assert!(!role("0:[ 0:a0 0:l0 0:] 1:[ 1:a0 1:l0 1:]", 0).is_thread_local());
    }

    #[test]
    fn a_lock_is_protected_if_the_same_other_lock_is_held_around_every_hold() {
        let trace = "0:[ 0:a0 0:a1 0:l1 0:l0 0:] 1:[ 1:a2 1:a0 1:a1 1:l1 1:l0 1:l2 1:]";
        assert!(role(trace, 1).is_protected());
        assert!(!role(trace, 0).is_protected() && !role(trace, 2).is_protected());
        assert!(!role("0:[ 0:a0 0:a1 0:l1 0:l0 0:] 1:[ 1:a2 1:a1 1:l1 1:l2 1:]", 1).is_protected());
    }

    #[test]
    fn a_lock_that_is_released_first_protects_nothing() {
        assert!(!role("0:[ 0:a0 0:a1 0:l0 0:l1 0:]", 1).is_protected());
    }

    #[test]
    fn shared_locks_are_loose_where_critical_sections_count() {
        let trace = "0:[ 0:a0 0:l0 0:a1 0:l1 0:] 1:[ 1:a0 1:l0 1:]";
        let execution = crate::predict::Execution::with(crate::predict::testing::events(trace), Sections::Conflict);
        assert!(execution.locks.of(LockId(0)).is_loose && !execution.locks.of(LockId(1)).is_loose);
    }

    #[test]
    fn a_lock_that_leaves_transactions_is_loose() {
        assert!(!role("0:[ 0:a0 0:l0 0:]", 0).is_loose);
        assert!(role("0:a0 0:l0", 0).is_loose);
        assert!(role("0:[ 0:a0 0:] 0:l0", 0).is_loose);
        assert!(role("0:[ 0:a0 0:f1 0:l0 0:]", 0).is_loose);
    }
}
