//! The examples of the two reports by Wang and Stoller, as traces. If a figure is lost, the trace has all properties
//! that the text gives.

use std::collections::BTreeSet;

use analysis_core::event::{Event, Op};
use analysis_core::predict::Execution;
use analysis_core::predict::algorithm::{Limits, Outcome};
use analysis_core::predict::algorithms::{self, ALGORITHMS};
use analysis_core::predict::budget::Budget;
use analysis_core::predict::deadlock::deadlocks;
use analysis_core::predict::forest::{Forest, Interaction, Thrift};
use analysis_core::predict::schedule::{Confirmer, Status};
use analysis_core::predict::units::Kind;
use regiontrack_tests::predict::Interleavings;
use regiontrack_tests::text;

fn events(trace: &str) -> Vec<Event> {
    text::read(trace).expect("a readable trace").events
}

fn outcome(trace: &str, algorithm: &str) -> Outcome {
    let spec = algorithms::find(algorithm).expect("an algorithm");
    let outcome = (spec.run)(&Execution::new(events(trace)), &Limits::default());
    assert_eq!(outcome.unfinished, None);
    outcome
}

/// Returns the labels of the transactions that an algorithm warns of.
fn warned(trace: &str, algorithm: &str) -> BTreeSet<String> {
    let read = text::read(trace).expect("a readable trace");
    let execution = Execution::new(read.events.clone());
    let label = |unit| match execution.units.get(unit).kind {
        Kind::Transaction { label, .. } => read.symbols.label(label).expect("a label").into_owned(),
        Kind::Outside => panic!("it is no transaction"),
    };
    outcome(trace, algorithm).warnings.iter().map(|warning| label(warning.unit)).collect()
}

/// Returns the algorithms that warn of something.
fn warning_algorithms(trace: &str) -> Vec<&'static str> {
    ALGORITHMS.iter().map(|spec| spec.name).filter(|name| !outcome(trace, name).warnings.is_empty()).collect()
}

/// Whether each transaction has at most one commit node, by conflicts and by view.
fn have_one_commit_node(trace: &str) -> [bool; 2] {
    let execution = Execution::new(events(trace));
    [Interaction::Conflict, Interaction::View].map(|interaction| {
        let budget = &mut Budget::unlimited();
        let forest = Forest::new(&execution, interaction, Thrift::MOST, budget).expect("no limit");
        let mut units = forest.transactions();
        units.all(|unit| Forest::has_one_commit_node(&forest.communications(unit, budget).expect("no limit")))
    })
}

/// The definitions' answer: conflict-atomic, view-atomic.
fn is_atomic(trace: &str) -> [bool; 2] {
    let all = Interleavings::of(&events(trace)).expect("few interleavings");
    [all.are_conflict_atomic, all.are_view_atomic]
}

fn block(thread: u32, label: &str, ops: &str) -> String {
    let ops: Vec<String> = ops.split(' ').map(|op| format!("T{thread}|{op}")).collect();
    format!("T{thread}|begin({label}) {} T{thread}|end ", ops.join(" "))
}

/// `Vector(Collection)` of JDK 1.4.2 and what another thread does to the collection.
fn vector(other: &str) -> String {
    block(0, "Vector(Collection)", "acq(v1) r(count) rel(v1) acq(v1) r(count) r(data) rel(v1)") + other
}

#[test]
fn figure_1_the_constructor_of_vector_is_predicted_and_confirmed_by_every_offline_algorithm() {
    let clear = block(1, "removeAllElements", "acq(v1) r(count) w(data) w(count) rel(v1)");
    let trace = vector(&clear);
    for name in ["commit-node-conflict", "commit-node-view", "block", "reduction"] {
        assert_eq!(warned(&trace, name), BTreeSet::from(["Vector(Collection)".to_owned()]), "{name}");
        let execution = Execution::new(events(&trace));
        let predictions = Confirmer::new(&execution, Budget::unlimited()).confirm(&outcome(&trace, name).warnings);
        let is_confirmed = predictions.iter().all(|prediction| match &prediction.status {
            Status::Confirmed(schedule) => schedule.violation.is_some(),
            Status::Open(_) => false,
        });
        assert!(is_confirmed, "{name}: {predictions:?}");
    }
    // The observed run violates nothing.
    let mut reach = (analysis_core::engines::default().build)();
    reach.feed(&events(&trace));
    assert!(reach.findings().violations.is_empty());
}

#[test]
fn figure_3_block_names_the_pattern_and_the_accesses_and_reduction_the_two_blocks() {
    let trace = vector(&block(1, "removeAllElements", "acq(v1) w(count) rel(v1)"));
    let pattern = &outcome(&trace, "block").warnings[0].pattern;
    assert_eq!(pattern.name, "a write between two reads");
    assert_eq!(pattern.events.iter().map(|at| at.number()).collect::<Vec<_>>(), [3, 12, 6]);
    let pattern = &outcome(&trace, "reduction").warnings[0].pattern;
    assert_eq!(pattern.name, "two synchronized blocks, one after the other");
    assert_eq!(pattern.events.iter().map(|at| at.number()).collect::<Vec<_>>(), [2, 5]);
}

#[test]
fn figure_2_of_the_reduction_report_is_atomic_and_with_an_unlocked_read_a_false_alarm_of_reduction() {
    let readers = block(1, "t2", "acq(o2) r(x) rel(o2)") + &block(2, "t3", "acq(o1) r(x) rel(o1)");
    let first = block(0, "t1", "acq(o1) acq(o2) w(x) w(x) rel(o2) rel(o1)") + &readers;
    assert_eq!(warning_algorithms(&first), [] as [&str; 0]);
    let other = block(0, "t1'", "r(x) acq(o1) acq(o2) w(x) rel(o2) rel(o1)") + &readers;
    assert_eq!(is_atomic(&other), [true, true]);
    assert_eq!(warning_algorithms(&other), ["reduction"]);
}

#[test]
fn figure_2_of_the_commit_node_report_a_tree_has_a_leaf_for_each_access_below_its_blocks() {
    let unit = block(0, "u", "r(x) acq(l) w(x) acq(m) r(y) rel(m) w(y) rel(l) r(y)") + "T1|w(x) T1|w(y)";
    let execution = Execution::new(events(&unit));
    let budget = &mut Budget::unlimited();
    let forest = Forest::new(&execution, Interaction::Conflict, Thrift::NONE, budget).expect("no limit");
    let transaction = forest.transactions().next().expect("a transaction");
    let leaves = &forest.trees().leaves()[forest.trees().range(transaction)];
    let depths: Vec<usize> = leaves.iter().map(|leaf| execution.holds.in_context(leaf.context).len()).collect();
    assert_eq!(depths, [0, 1, 2, 1, 0]);
}

/// Figures 4 and 6: three units.
const T1: &str = "acq(l) w(x) w(x) rel(l)";
const T2: &str = "w(x)";
const T3: &str = "acq(l) r(x) w(x) rel(l)";

#[test]
fn figures_4_and_6_two_of_the_units_are_view_atomic_and_not_conflict_atomic_and_others_neither() {
    let [t1, t2, t3] = [block(0, "t1", T1), block(1, "t2", T2), block(2, "t3", T3)];
    assert_eq!(have_one_commit_node(&(t1.clone() + &t2)), [false, true]);
    assert_eq!(is_atomic(&(t1.clone() + &t2)), [false, true]);
    assert_eq!(have_one_commit_node(&(t2.clone() + &t3)), [false, false]);
    assert_eq!(is_atomic(&(t2 + &t3)), [false, false]);
    // One inter-edge between the blocks of t1 and t3 stands for two relationships.
    assert_eq!(have_one_commit_node(&(t1 + &t3)), [true, true]);
}

#[test]
fn figure_7_two_commit_nodes_that_lie_on_no_cycle_are_no_warning() {
    let trace = block(0, "t1", "w(x) w(y)") + &block(1, "t2", "r(x)") + &block(2, "t3", "r(y)");
    assert_eq!(have_one_commit_node(&trace), [false, false]);
    assert_eq!(is_atomic(&trace), [true, true]);
    assert_eq!(warning_algorithms(&trace), ["reduction"]);
}

#[test]
fn example_4_a_potential_for_deadlock_is_reported() {
    let trace = block(0, "t", "acq(l1) acq(l2) rel(l2) w(x) rel(l1)")
        + &block(1, "t'", "acq(l2) acq(l1) rel(l1) w(x) w(x) rel(l2)");
    let found = deadlocks(&Execution::new(events(&trace)), &mut Budget::unlimited()).expect("no limit");
    assert_eq!(found.len(), 1);
}

#[test]
fn example_6_three_transactions_that_are_atomic_in_pairs_make_a_cycle() {
    let trace = block(0, "t1", "w(x) w(y)") + &block(1, "t2", "r(x) w(z)") + &block(2, "t3", "r(z) r(y)");
    assert_eq!(is_atomic(&trace), [false, false]);
    for name in ["commit-node-conflict", "commit-node-view", "block"] {
        assert!(warned(&trace, name).contains("t1"), "{name}");
        let spec = algorithms::find(name).expect("an algorithm");
        let pairs = Limits { pairs: true, ..Limits::default() };
        assert!((spec.run)(&Execution::new(events(&trace)), &pairs).warnings.is_empty(), "{name}");
    }
}

#[test]
fn mod_count_is_a_false_alarm_of_reduction_alone() {
    let trace = block(0, "update", "r(modCount) w(modCount)") + &block(1, "check", "r(modCount)");
    assert_eq!(is_atomic(&trace), [true, true]);
    assert_eq!(warning_algorithms(&trace), ["reduction"]);
}

#[test]
fn blind_writes_are_a_warning_of_conflicts_and_not_of_views() {
    let trace = block(0, "t1", "w(x) w(x)") + &block(1, "t2", "w(x)");
    assert_eq!(is_atomic(&trace), [false, true]);
    assert_eq!(warning_algorithms(&trace), ["commit-node-conflict", "reduction"]);
}

#[test]
fn a_thread_with_two_transactions_makes_theorem_4_3_as_printed_wrong() {
    let trace = block(0, "t", "r(x) r(y)") + &block(1, "u", "w(x)") + &block(1, "v", "w(y)");
    assert_eq!(is_atomic(&trace), [false, false]);
    assert_eq!(warned(&trace, "commit-node-conflict"), BTreeSet::from(["t".to_owned()]));
    // In the reverse order, program order forbids the cycle.
    let trace = block(0, "t", "r(x) r(y)") + &block(1, "u", "w(y)") + &block(1, "v", "w(x)");
    assert_eq!(is_atomic(&trace), [true, true]);
    assert!(warned(&trace, "commit-node-conflict").is_empty());
}

#[test]
fn a_cycle_of_several_threads_goes_on_along_program_order() {
    let trace =
        block(0, "t", "r(x) r(y)") + &block(1, "u", "w(x)") + &block(1, "v", "w(z)") + &block(2, "s", "r(z) w(y)");
    assert_eq!(is_atomic(&trace), [false, false]);
    for name in ["commit-node-conflict", "commit-node-view", "block"] {
        assert!(warned(&trace, name).contains("t"), "{name}");
    }
}

#[test]
fn a_critical_section_outside_of_transactions_keeps_a_transaction_with_that_lock_out() {
    let trace = "T0|acq(l) T0|w(x) T0|w(x) T0|rel(l) ".to_owned() + &block(1, "t", "acq(l) rel(l) r(x)");
    assert_eq!(is_atomic(&trace), [false, false]);
    for name in ["commit-node-conflict", "commit-node-view", "block", "reduction"] {
        assert_eq!(warned(&trace, name), BTreeSet::from(["t".to_owned()]), "{name}");
    }
}

#[test]
fn a_final_write_before_a_start_is_never_the_last_so_block_is_not_exact_there() {
    let started = "T0|fork(T1) ".to_owned() + &block(1, "u", "w(x)");
    let trace = block(0, "t", "r(x) w(x)") + &started + &block(2, "v", "w(x)");
    assert_eq!(is_atomic(&trace), [false, true]);
    assert_eq!(warned(&trace, "block"), BTreeSet::from(["t".to_owned()]));
}

#[test]
fn interleavings_leave_cycles_of_two_transactions_to_the_pairs() {
    let trace = block(0, "t", "acq(l) r(x) w(y) rel(l)") + &block(1, "u", "w(y) acq(l) rel(l) w(x)");
    assert_eq!(is_atomic(&trace), [false, false]);
    assert_eq!(warned(&trace, "block"), BTreeSet::from(["u".to_owned()]));
}

#[test]
fn a_write_between_a_write_and_a_read_of_it_counts_by_view_though_neither_write_is_the_last() {
    let trace = block(0, "t", "w(x) acq(l) r(x) w(x) rel(l)") + &block(1, "u", "acq(l) w(x) rel(l)");
    assert_eq!(is_atomic(&trace), [false, false]);
    assert_eq!(warned(&trace, "commit-node-view"), BTreeSet::from(["t".to_owned()]));
}

#[test]
fn a_read_of_the_own_write_between_two_writes_of_another_transaction_under_its_lock_is_no_pattern() {
    let trace = block(0, "t", "acq(l) w(x) rel(l) acq(l) w(x) rel(l)") + &block(1, "u", "acq(l) w(x) r(x) rel(l)");
    assert_eq!(is_atomic(&trace), [false, true]);
    assert!(warned(&trace, "block").is_empty());
}

#[test]
fn two_synchronized_blocks_without_a_race_are_a_warning_of_reduction() {
    let trace = block(0, "t", "acq(l) r(x) rel(l) acq(l) w(x) rel(l)") + &block(1, "u", "acq(l) w(x) rel(l)");
    assert_eq!(is_atomic(&trace), [false, false]);
    assert_eq!(warned(&trace, "reduction"), BTreeSet::from(["t".to_owned()]));
}

#[test]
fn hand_over_hand_a_lock_between_the_accesses_of_the_other_transaction_keeps_it_out() {
    let trace = block(0, "t", "acq(k) acq(l) r(x) rel(k) r(y) rel(l)")
        + &block(1, "u", "acq(k) w(x) acq(l) rel(l) w(y) rel(k)");
    assert_eq!(is_atomic(&trace), [true, true]);
    assert!(warned(&trace, "block").is_empty());
    // No access of u is under l, so the commit nodes know nothing of l: their theorems assume that locks nest.
    assert_eq!(warned(&trace, "commit-node-conflict"), BTreeSet::from(["t".to_owned()]));
    assert_eq!(warned(&trace, "commit-node-view"), BTreeSet::from(["t".to_owned()]));
}

#[test]
fn hand_over_hand_a_write_that_is_overwritten_later_makes_no_pattern_between_a_read_and_a_write() {
    let trace = block(0, "t", "acq(k) acq(l) r(x) rel(k) w(x) rel(l)")
        + &block(1, "u", "acq(k) w(x) acq(l) w(x) rel(l) rel(k)");
    assert_eq!(is_atomic(&trace), [false, true]);
    assert!(warned(&trace, "block").is_empty());
}

/// Whether `order` is a schedule of the trace: it has the same events, and none before those that it must wait for.
fn is_schedule_of(order: &[Event], trace: &[Event]) -> bool {
    let threads: BTreeSet<_> = trace.iter().map(|event| event.thread).collect();
    let of = |events: &[Event], thread| -> Vec<Op> {
        events.iter().filter(|event| event.thread == thread).map(|event| event.op).collect()
    };
    threads.into_iter().all(|thread| of(trace, thread).starts_with(&of(order, thread)))
        && regiontrack_tests::world::is_well_formed(order)
}

#[test]
fn a_schedule_is_a_well_formed_prefix_of_the_same_threads() {
    for kind in regiontrack_tests::predict::small::KINDS {
        for seed in 0..300 {
            let trace = kind.trace(seed);
            let execution = Execution::new(trace.clone());
            let spec = &ALGORITHMS[0];
            let warnings = (spec.run)(&execution, &Limits::default()).warnings;
            for prediction in Confirmer::new(&execution, Budget::unlimited()).confirm(&warnings) {
                if let Status::Confirmed(schedule) = prediction.status {
                    let observed = trace[..schedule.start.index()].iter();
                    let then = schedule.order.iter().map(|at| &trace[at.index()]);
                    let order: Vec<Event> = observed.chain(then).copied().collect();
                    assert!(is_schedule_of(&order, &trace), "{} {seed}: {}", kind.name, text::to_std(&order));
                }
            }
        }
    }
}
