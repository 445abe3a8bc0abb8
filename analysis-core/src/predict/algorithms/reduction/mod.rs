//! reduction: atomicity by Lipton's reduction, offline.
//!
//! Paper: the reduction report, section 3 (IEEE TSE 2006, "Runtime Analysis of Atomicity for Multi-threaded Programs").
//!
//! # Idea
//! Acquires are right-movers, releases left-movers, accesses that cannot race both-movers, others non-movers. A
//! transaction of the form `(R + Acq A* Rel)* N? (L + Acq A* Rel)*` can be moved together in any interleaving (Theorem
//! 3.4). `A` is an access that no other thread can interfere with: of a variable that is read-only or thread-local, or
//! ordered by starts and joins.
//!
//! The improvements: re-entrant, thread-local and protected locks move both ways; races are found by the multi-lockset
//! algorithm ([`crate::predict::races`]); read-only and thread-local refer to the whole execution
//! ([`crate::predict::escape`]).
//!
//! # Where we differ
//! 1. `Acq A* Rel` inside `Acq A* Rel` counts as `A`: the inner pair can be dropped first.
//! 2. `Acq A* Rel` of a loose lock is not dropped. The proof assumes that the lock is free when a serial trace comes to
//!    the transaction; another thread may hold it outside transactions.

use rustc_hash::FxHashSet;

use crate::predict::Execution;
use crate::predict::algorithm::{AlgorithmSpec, Atomicity, Claim, Limits, Outcome, Pattern, Warning, Worth};
use crate::predict::holds::Hold;
use crate::predict::ids::{At, UnitId};
use crate::predict::races::multi_lockset;

#[cfg(test)]
mod tests;

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "reduction",
    summary: "transactions that cannot be moved together, by which locks protect which variables",
    source: "Wang, Stoller, IEEE TSE 2006, section 3",
    claims: &[
        Claim { about: Atomicity::Conflict, worth: Worth::Sufficient, when: &[], theorem: "Theorem 3.4" },
        Claim { about: Atomicity::View, worth: Worth::Sufficient, when: &[], theorem: "Theorem 3.4" },
    ],
    run,
};

/// How an event commutes with those of other threads. Both-movers are not represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Right,
    Non,
    Left,
}

/// An event that does not move both ways, with the event that represents it: for a release, the acquire.
type Step = (At, Mover, At);

fn run(execution: &Execution, _limits: &Limits) -> Outcome {
    let races = multi_lockset(&execution.accesses, &execution.holds);
    let mut steps: Vec<(UnitId, Step)> = Vec::new();
    for access in execution.accesses.iter().filter(|access| races.are_on(access.var)) {
        steps.push((access.unit, (access.at, Mover::Non, access.at)));
    }
    for hold in blocks_that_count(execution) {
        steps.push((hold.unit, (hold.acquire, Mover::Right, hold.acquire)));
        if let Some(release) = hold.release {
            let unit = execution.units.containing(hold.thread, release);
            steps.push((unit, (release, Mover::Left, hold.acquire)));
        }
    }
    steps.sort_unstable_by_key(|(unit, (at, ..))| (*unit, *at));
    let mut warnings = Vec::new();
    for of_unit in steps.chunk_by(|a, b| a.0 == b.0) {
        let unit = of_unit[0].0;
        if execution.units.get(unit).is_transaction()
            && let Some(pattern) = mismatch(of_unit.iter().map(|(_, step)| *step), execution)
        {
            warnings.push(Warning { unit, pattern });
        }
    }
    Outcome { warnings, storage: races.size + periods_by_variable(execution), unfinished: None }
}

/// Returns the size of the thread-sets.
fn periods_by_variable(execution: &Execution) -> u64 {
    let key = |access: &crate::predict::escape::Access| (access.var, execution.units.get(access.unit).period);
    execution.accesses.iter().map(key).collect::<FxHashSet<_>>().len() as u64
}

/// Returns the holds whose acquire and release do not move both ways, and that are not `Acq A* Rel`.
fn blocks_that_count(execution: &Execution) -> impl Iterator<Item = &Hold> {
    let Execution { holds, locks, accesses, .. } = execution;
    let mut has_shared = vec![false; holds.iter().count()];
    for access in accesses {
        holds.in_context(access.context).iter().for_each(|hold| has_shared[hold.index()] = true);
    }
    let is_left_out = |hold: &Hold, has_shared: bool| {
        !has_shared && hold.is_nested && hold.is_within_unit && !locks.of(hold.lock).is_loose
    };
    // Inner holds come after outer ones.
    let all: Vec<_> = holds.iter().collect();
    for (id, hold) in all.into_iter().rev() {
        let moves = locks.of(hold.lock).is_thread_local();
        if !moves && !is_left_out(hold, has_shared[id.index()]) {
            holds.in_context(hold.around).iter().for_each(|outer| has_shared[outer.index()] = true);
        }
    }
    holds.iter().filter_map(move |(id, hold)| {
        let role = locks.of(hold.lock);
        let moves = role.is_thread_local() || role.is_protected() || is_left_out(hold, has_shared[id.index()]);
        (!moves).then_some(hold)
    })
}

/// Returns where the steps of a transaction do not have the form `R* N? L*`.
fn mismatch(steps: impl Iterator<Item = Step>, execution: &Execution) -> Option<Pattern> {
    let mut committed: Option<At> = None;
    for (_, mover, shown) in steps {
        match (mover, committed) {
            (Mover::Right, None) => {}
            (Mover::Non | Mover::Left, None) => committed = Some(shown),
            (Mover::Left, Some(_)) => {}
            (Mover::Right | Mover::Non, Some(commit)) => {
                return Some(Pattern {
                    name: name(commit, shown, execution),
                    events: vec![commit, shown],
                    is_order: false,
                });
            }
        }
    }
    None
}

fn name(commit: At, other: At, execution: &Execution) -> &'static str {
    use crate::event::Op::Acquire;
    let is_block = |at: At| matches!(execution.events[at.index()].op, Acquire(_));
    match (is_block(commit), is_block(other)) {
        (true, true) => "two synchronized blocks, one after the other",
        (false, false) => "two accesses that may race",
        (true, false) => "an access that may race after a synchronized block",
        (false, true) => "a synchronized block after an access that may race",
    }
}
