//! block: view-atomicity by pairs of blocks, and beyond pairs by enumeration.
//!
//! Paper: the reduction report, section 4 (IEEE TSE 2006, "Runtime Analysis of Atomicity for Multi-threaded Programs").
//!
//! # Idea
//! A *block* is two accesses of a transaction to one variable, with the locks around and between them; it is violated
//! if an access of another unit fits in between and makes an unserializable pattern (section 4.1, `variable.rs`). A
//! *2-block* is two accesses to two variables (section 4.2, `pairs.rs`). Violations that take three or more
//! transactions appear in the interleavings of uninitialized reads and final writes (Theorem 4.4, `interleavings.rs`),
//! which are enumerated up to a limit.
//!
//! # Where we differ
//! 1. `W [R'] W` is no pattern if `R'` reads what its own unit wrote under a lock that keeps the first `W` out. Taken
//!    literally, Lemma 4.1 calls `{W W, acq W' R' rel}` non-atomic even if the writes hold that lock, too.
//! 2. By Theorem 5.1 of the commit-node report, if all pairs are atomic the interleavings of uninitialized reads and
//!    final writes are view-serializable iff they are conflict-serializable: so each prefix is searched for a cycle.
//! 3. Only interleavings of transactions that the commit-node algorithm (Theorem 4.6) does not clear are enumerated,
//!    with what these can reach.
//! 4. An access outside transactions is a unit of its own.
//! 5. If program order, a start or a join orders two units, Theorems 4.2 and 4.4 are only sufficient: a final write is
//!    never the last of all if a unit that always comes later writes the variable, too, and then its place among the
//!    writes of others is free.
//! 6. The theorems cover only transactions. A loose lock ([`crate::predict::locks`]) also keeps a transaction out of
//!    what another thread does outside transactions, so in the interleavings its holds are ordered like writes.

mod interleavings;
mod pairs;
#[cfg(test)]
mod tests;
mod variable;

use crate::event::LockId;
use crate::predict::Execution;
use crate::predict::algorithm::{AlgorithmSpec, Atomicity, Claim, Condition, Limits, Outcome, Worth};
use crate::predict::budget::{Budget, Exhausted};
use crate::predict::escape::Access;
use crate::predict::ids::UnitId;

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "block",
    summary: "two accesses of a transaction that other threads' accesses fit between; names the pattern",
    source: "Wang, Stoller, IEEE TSE 2006, section 4",
    claims: &[
        Claim {
            about: Atomicity::View,
            worth: Worth::Exact,
            when: &[Condition::TransactionsOnly, Condition::Concurrent, Condition::OneVariable],
            theorem: "Theorem 4.2",
        },
        Claim {
            about: Atomicity::View,
            worth: Worth::Exact,
            when: &[Condition::TwoTransactions],
            theorem: "Theorem 4.3",
        },
        Claim {
            about: Atomicity::View,
            worth: Worth::Exact,
            when: &[Condition::TransactionsOnly, Condition::Concurrent],
            theorem: "Theorem 4.4",
        },
        Claim { about: Atomicity::View, worth: Worth::Sufficient, when: &[], theorem: "Theorem 4.4" },
    ],
    run,
};

fn run(execution: &Execution, limits: &Limits) -> Outcome {
    let mut outcome = Outcome::default();
    let mut budget = Budget::of(limits.steps);
    if let Err(Exhausted) = fill(execution, limits, &mut budget, &mut outcome) {
        outcome.unfinished = Some(format!("{} steps were not enough", limits.steps));
    }
    outcome.warnings.sort_by_key(|warning| warning.unit);
    outcome
}

fn fill(execution: &Execution, limits: &Limits, budget: &mut Budget, outcome: &mut Outcome) -> Result<(), Exhausted> {
    let mut accesses = execution.accesses.clone();
    accesses.sort_by_key(|access| (access.unit, access.at));
    variable::warn(execution, &accesses, budget, outcome)?;
    pairs::warn(execution, &accesses, budget, outcome)?;
    if limits.interleavings > 0 && !limits.pairs {
        interleavings::warn(execution, &accesses, limits, budget, outcome)?;
    }
    Ok(())
}

/// Returns the locks that are held at an access.
fn held(access: &Access, execution: &Execution) -> Vec<LockId> {
    execution.holds.locks(access.context).collect()
}

/// Returns the locks that are held all the time from one access to a later one of the same thread.
fn held_throughout(one: &Access, other: &Access, execution: &Execution) -> Vec<LockId> {
    let later = execution.holds.in_context(other.context);
    let both = execution.holds.in_context(one.context).iter().filter(|hold| later.contains(hold));
    both.map(|hold| execution.holds.get(*hold).lock).collect()
}

fn meet(one: &[LockId], other: &[LockId]) -> bool {
    one.iter().any(|lock| other.contains(lock))
}

/// Returns the accesses of each unit; those outside transactions one by one (4).
fn units<'a>(accesses: &'a [Access], execution: &'a Execution) -> impl Iterator<Item = (UnitId, &'a [Access])> {
    let is_together = |a: &Access, b: &Access| a.unit == b.unit && execution.units.get(a.unit).is_transaction();
    accesses.chunk_by(is_together).map(|of_unit| (of_unit[0].unit, of_unit))
}

/// Returns the uninitialized reads and the final writes of a unit, in program order: `UR(t)` and `FW(t)`.
fn boundary(of_unit: &[Access]) -> impl Iterator<Item = &Access> {
    let mut written = rustc_hash::FxHashSet::default();
    let mut last = rustc_hash::FxHashMap::default();
    for access in of_unit.iter().filter(|access| access.is_write) {
        last.insert(access.var, access.at);
    }
    of_unit.iter().filter(move |access| {
        if !access.is_write {
            return !written.contains(&access.var);
        }
        written.insert(access.var);
        last[&access.var] == access.at
    })
}
