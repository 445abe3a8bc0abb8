//! The predictive algorithms against the enumeration of all interleavings: each theorem of the two reports is a test.
//!
//! `REGIONTRACK_PREDICT=N` runs N random sets of units of each kind instead of the default. A failure prints the kind, the
//! seed and the trace.

use std::collections::BTreeSet;

use analysis_core::event::{Event, LockId, Op};
use analysis_core::predict::Execution;
use analysis_core::predict::algorithm::{AlgorithmSpec, Atomicity, Claim, Condition, Limits, Worth};
use analysis_core::predict::algorithms::{self, ALGORITHMS};
use analysis_core::predict::budget::Budget;
use analysis_core::predict::deadlock::deadlocks;
use analysis_core::predict::forest::{Communication, Forest, Interaction, Thrift};
use analysis_core::predict::ids::UnitId;
use rayon::prelude::*;
use regiontrack_tests::predict::Interleavings;
use regiontrack_tests::predict::small::{self, KINDS, Kind};
use regiontrack_tests::text;

const DEFAULT: u64 = 1_000;

fn sets_per_kind() -> u64 {
    let Ok(asked) = std::env::var("REGIONTRACK_PREDICT") else { return DEFAULT };
    asked.parse().unwrap_or_else(|_| panic!("REGIONTRACK_PREDICT is {asked}; give it a number of sets"))
}

/// A random set of units with the definitions' answer about it.
struct Set {
    kind: Kind,
    seed: u64,
    trace: Vec<Event>,
    execution: Execution,
    right: Interleavings,
}

impl Set {
    fn of(kind: Kind, seed: u64) -> Option<Set> {
        let trace = kind.trace(seed);
        let right = Interleavings::of(&trace)?;
        let execution = Execution::new(trace.clone());
        Some(Set { kind, seed, trace, execution, right })
    }

    fn can_deadlock(&self) -> bool {
        !deadlocks(&self.execution, &mut Budget::unlimited()).expect("no limit").is_empty()
    }

    fn is_atomic(&self, about: Atomicity) -> bool {
        match about {
            Atomicity::Conflict => self.right.are_conflict_atomic,
            Atomicity::View => self.right.are_view_atomic,
        }
    }

    fn meets(&self, condition: Condition) -> bool {
        let units = &self.execution.units;
        let only_transactions = units.iter().all(|(_, unit)| unit.is_transaction());
        match condition {
            Condition::TransactionsOnly => only_transactions,
            Condition::TwoTransactions => only_transactions && units.len() == 2,
            Condition::Concurrent => {
                let all: Vec<_> = units.iter().map(|(_, unit)| unit.period).collect();
                let rest = |index: usize| all[index + 1..].iter();
                let concurrent = |a, b| self.execution.periods.are_concurrent(a, b);
                (0..all.len()).all(|index| rest(index).all(|other| concurrent(all[index], *other)))
            }
            Condition::OneVariable => {
                let mut vars = self.execution.accesses.iter().map(|access| access.var);
                vars.next().is_none_or(|first| vars.all(|var| var == first))
            }
            Condition::NestedLocks => self.execution.holds.iter().all(|(_, hold)| hold.is_nested),
        }
    }

    fn tell(&self, what: &str) -> String {
        format!(
            "{what}: kind `{}`, seed {}, {:?}\n{}",
            self.kind.name,
            self.seed,
            self.right,
            text::to_std(&self.trace)
        )
    }
}

/// Fails with the first random set of these kinds that has no potential for deadlock and for which `wrong` reports something.
fn check(kinds: &[Kind], wrong: impl Fn(&Set) -> Option<String> + Sync) {
    for kind in kinds {
        let one = |seed| {
            let set = Set::of(*kind, seed).filter(|set| !set.can_deadlock())?;
            wrong(&set).map(|what| set.tell(&what))
        };
        let failure = (0..sets_per_kind()).into_par_iter().find_map_first(one);
        assert!(failure.is_none(), "{}", failure.unwrap_or_default());
    }
}

/// Returns the difference between a claim and the definitions, if any.
fn breach(set: &Set, claim: &Claim, warns: bool) -> Option<String> {
    if !claim.when.iter().all(|condition| set.meets(*condition)) {
        return None;
    }
    let is_right = match claim.worth {
        Worth::Exact => warns != set.is_atomic(claim.about),
        Worth::Sufficient => warns || set.is_atomic(claim.about),
    };
    (!is_right).then(|| format!("{claim}: it {}", if warns { "warns" } else { "does not warn" }))
}

fn check_claims(spec: &AlgorithmSpec) {
    check(KINDS, |set| {
        let outcome = (spec.run)(&set.execution, &Limits::NONE);
        assert_eq!(outcome.unfinished, None);
        spec.claims.iter().find_map(|claim| breach(set, claim, !outcome.warnings.is_empty()))
    });
}

#[test]
fn every_algorithm_keeps_its_claims() {
    for spec in ALGORITHMS {
        check_claims(spec);
    }
}

/// Returns the communication nodes of each transaction.
fn nodes(
    set: &Set,
    interaction: Interaction,
    thrift: Thrift,
    judge: impl Fn(&Forest, &[Communication]) -> bool,
) -> bool {
    let budget = &mut Budget::unlimited();
    let forest = Forest::new(&set.execution, interaction, thrift, budget).expect("no limit");
    let mut transactions = forest.transactions();
    transactions.all(|unit| judge(&forest, &forest.communications(unit, budget).expect("no limit")))
}

fn have_one_commit_node(set: &Set, interaction: Interaction) -> bool {
    nodes(set, interaction, Thrift::NONE, |_, nodes| Forest::has_one_commit_node(nodes))
}

fn are_on_no_cycle(set: &Set, interaction: Interaction, thrift: Thrift) -> bool {
    let budget = &mut Budget::unlimited();
    let forest = Forest::new(&set.execution, interaction, thrift, budget).expect("no limit");
    forest.transactions().all(|unit| {
        let nodes = forest.communications(unit, budget).expect("no limit");
        forest.split(unit, &nodes, budget).expect("no limit").is_none()
    })
}

fn unless(holds: bool, what: &str) -> Option<String> {
    (!holds).then(|| what.to_owned())
}

#[test]
fn theorem_4_1_of_the_commit_node_report_one_commit_node_makes_conflict_atomic() {
    check(KINDS, |set| {
        unless(!have_one_commit_node(set, Interaction::Conflict) || set.right.are_conflict_atomic, "not atomic")
    });
}

#[test]
fn theorem_4_2_of_the_commit_node_report_is_exact_for_two_transactions() {
    check(&[small::PAIRS, small::ONE_VARIABLE_PAIRS, small::LOCKED_PAIRS], |set| {
        unless(have_one_commit_node(set, Interaction::Conflict) == set.right.are_conflict_atomic, "not exact")
    });
}

#[test]
fn theorem_4_3_of_the_commit_node_report_no_cycle_makes_conflict_atomic() {
    check(KINDS, |set| {
        let is_certain = are_on_no_cycle(set, Interaction::Conflict, Thrift::NONE);
        unless(!is_certain || set.right.are_conflict_atomic, "not atomic")
    });
}

#[test]
fn theorem_4_4_of_the_commit_node_report_one_commit_node_makes_view_atomic() {
    check(KINDS, |set| {
        unless(!have_one_commit_node(set, Interaction::View) || set.right.are_view_atomic, "not atomic")
    });
}

#[test]
fn theorem_4_5_of_the_commit_node_report_is_exact_for_two_transactions() {
    check(&[small::PAIRS, small::ONE_VARIABLE_PAIRS, small::LOCKED_PAIRS], |set| {
        unless(have_one_commit_node(set, Interaction::View) == set.right.are_view_atomic, "not exact")
    });
}

#[test]
fn theorem_4_6_of_the_commit_node_report_no_cycle_makes_view_atomic() {
    check(KINDS, |set| {
        let is_certain = are_on_no_cycle(set, Interaction::View, Thrift::NONE);
        unless(!is_certain || set.right.are_view_atomic, "not atomic")
    });
}

#[test]
fn theorem_7_1_of_the_commit_node_report_trimmed_and_merged_trees_say_the_same() {
    let trims = Thrift { trims: true, merges: false };
    check(KINDS, |set| {
        [Interaction::Conflict, Interaction::View].into_iter().find_map(|interaction| {
            let one = |thrift| nodes(set, interaction, thrift, |_, nodes| Forest::has_one_commit_node(nodes));
            let cycle = |thrift| are_on_no_cycle(set, interaction, thrift);
            let same = [trims, Thrift::MOST]
                .into_iter()
                .all(|thrift| one(thrift) == one(Thrift::NONE) && cycle(thrift) == cycle(Thrift::NONE));
            unless(same, &format!("{interaction:?} trees differ"))
        })
    });
}

/// Checks the claims of an algorithm that rest on a theorem.
fn check_theorem(algorithm: &str, theorem: &str) {
    let spec = algorithms::find(algorithm).expect("an algorithm");
    let claims: Vec<&Claim> = spec.claims.iter().filter(|claim| claim.theorem == theorem).collect();
    assert!(!claims.is_empty());
    check(KINDS, |set| {
        let outcome = (spec.run)(&set.execution, &Limits::NONE);
        claims.iter().find_map(|claim| breach(set, claim, !outcome.warnings.is_empty()))
    });
}

#[test]
fn theorem_3_4_of_the_reduction_report_what_reduction_does_not_warn_of_is_atomic() {
    check_theorem("reduction", "Theorem 3.4");
}

#[test]
fn theorem_4_2_of_the_reduction_report_is_exact_for_one_variable() {
    check_theorem("block", "Theorem 4.2");
}

#[test]
fn theorem_4_3_of_the_reduction_report_is_exact_for_two_transactions() {
    check_theorem("block", "Theorem 4.3");
}

#[test]
fn theorem_4_4_of_the_reduction_report_is_exact_for_transactions_of_different_threads() {
    check_theorem("block", "Theorem 4.4");
}

/// Writes each read as `acq r rel` and each write as `acq r w rel`, with a lock that nothing else uses.
fn with_reads_before_writes(trace: &[Event]) -> Vec<Event> {
    let lock = LockId(9);
    let steps = trace.iter().flat_map(|event| {
        let step = |op| Event::new(event.thread, op);
        match event.op {
            Op::Read(_) => vec![step(Op::Acquire(lock)), *event, step(Op::Release(lock))],
            Op::Write(x) => {
                vec![step(Op::Acquire(lock)), step(Op::Read(x)), *event, step(Op::Release(lock))]
            }
            _ => vec![*event],
        }
    });
    steps.collect()
}

#[test]
fn theorem_5_1_of_the_commit_node_report_conflicts_become_views_with_a_read_before_each_write() {
    let warns = |trace: Vec<Event>, name| {
        let spec = algorithms::find(name).expect("an algorithm");
        !(spec.run)(&Execution::new(trace), &Limits::NONE).warnings.is_empty()
    };
    check(&[small::PAIRS, small::ONE_VARIABLE_PAIRS, small::LOCKED_PAIRS], |set| {
        let by_view = warns(with_reads_before_writes(&set.trace), "commit-node-view");
        unless(warns(set.trace.clone(), "commit-node-conflict") == by_view, "the two differ")
    });
}

#[test]
fn theorem_6_1_of_the_commit_node_report_what_reduction_accepts_has_one_commit_node() {
    let reduction = algorithms::find("reduction").expect("an algorithm");
    check(KINDS, |set| {
        let is_accepted = (reduction.run)(&set.execution, &Limits::NONE).warnings.is_empty();
        unless(!is_accepted || have_one_commit_node(set, Interaction::Conflict), "several commit nodes")
    });
}

#[test]
fn pairs_alone_are_exact_for_two_transactions_and_never_warn_of_more_than_the_whole() {
    let pairs = Limits { pairs: true, ..Limits::NONE };
    check(KINDS, |set| {
        ALGORITHMS.iter().find_map(|spec| {
            let warned = |limits| -> BTreeSet<UnitId> {
                (spec.run)(&set.execution, limits).warnings.into_iter().map(|warning| warning.unit).collect()
            };
            let (some, all) = (warned(&pairs), warned(&Limits::NONE));
            let is_exact = !set.meets(Condition::TwoTransactions) || some == all;
            unless(some.is_subset(&all) && is_exact, spec.name)
        })
    });
}

#[test]
fn goodlock_misses_no_deadlock() {
    for kind in KINDS {
        (0..sets_per_kind()).into_par_iter().for_each(|seed| {
            let Some(set) = Set::of(*kind, seed) else { return };
            assert!(!set.right.can_deadlock || set.can_deadlock(), "{}", set.tell("missed"));
        });
    }
}

#[test]
fn every_kind_of_set_has_atomic_and_other_ones_in_each_sense() {
    for kind in KINDS {
        let sets: Vec<Set> = (0..400).filter_map(|seed| Set::of(*kind, seed)).filter(|s| !s.can_deadlock()).collect();
        let share = |what: &dyn Fn(&Set) -> bool| sets.iter().filter(|set| what(set)).count() * 100 / sets.len();
        let (conflict, view) = (share(&|s| s.right.are_conflict_atomic), share(&|s| s.right.are_view_atomic));
        assert!((10..=90).contains(&conflict) && (10..=90).contains(&view), "{}: {conflict}, {view}", kind.name);
    }
}
