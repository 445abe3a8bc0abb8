//! The examples of section 4.

use super::SPEC;
use crate::predict::algorithm::Limits;
use crate::predict::testing::execution;

/// Returns the pattern and the numbers of its events, for each warning.
fn warnings(trace: &str) -> Vec<(&'static str, Vec<u64>)> {
    let outcome = (SPEC.run)(&execution(trace), &Limits::default());
    assert_eq!(outcome.unfinished, None);
    let told = |events: &[crate::predict::ids::At]| events.iter().map(|at| at.number()).collect();
    outcome.warnings.iter().map(|warning| (warning.pattern.name, told(&warning.pattern.events))).collect()
}

#[test]
fn the_four_patterns_of_section_4_1_are_found_with_their_accesses() {
    for (ops, other, name) in [
        (["w", "w"], "r", "a read between two writes"),
        (["r", "r"], "w", "a write between two reads"),
        (["w", "r"], "w", "a write between a write and a read of it"),
        (["r", "w"], "w", "a write between a read and a write"),
    ] {
        let trace = format!("0:[ 0:{}0 0:{}0 0:] 1:[ 1:{other}0 1:]", ops[0], ops[1]);
        assert_eq!(warnings(&trace), [(name, vec![2, 6, 3])], "{trace}");
    }
    for (ops, other) in [(["w", "w"], "w"), (["r", "w"], "r"), (["r", "r"], "r"), (["w", "r"], "r")] {
        let trace = format!("0:[ 0:{}0 0:{}0 0:] 1:[ 1:{other}0 1:]", ops[0], ops[1]);
        assert!(warnings(&trace).is_empty(), "{trace}");
    }
}

#[test]
fn a_read_that_sees_its_own_units_write_under_a_lock_makes_no_pattern() {
    let writes = "0:[ 0:a0 0:w0 0:l0 0:a0 0:w0 0:l0 0:] ";
    assert!(warnings(&(writes.to_owned() + "1:[ 1:a0 1:w0 1:r0 1:l0 1:]")).is_empty());
    assert!(!warnings(&(writes.to_owned() + "1:[ 1:w0 1:a0 1:r0 1:l0 1:]")).is_empty());
}

#[test]
fn example_5_takes_uninitialized_reads_and_final_writes_of_two_variables() {
    let five = "0:[ 0:r0 0:w1 0:w0 0:w1 0:r0 0:] ";
    assert!(warnings(&(five.to_owned() + "1:[ 1:w0 1:r1 1:]")).iter().any(|(_, events)| events.len() == 4));
}

#[test]
fn example_6_takes_three_transactions() {
    let trace = "0:[ 0:w0 0:w1 0:] 1:[ 1:r0 1:w2 1:] 2:[ 2:r2 2:r1 2:]";
    let found = warnings(trace);
    assert_eq!(found[0].0, "a cycle of several transactions");
    assert_eq!((SPEC.run)(&execution(trace), &Limits { interleavings: 0, ..Limits::default() }).warnings.len(), 0);
    let few = Limits { interleavings: 1, ..Limits::default() };
    assert!((SPEC.run)(&execution("0:[ 0:r0 0:r1 0:] 1:w0 2:w1 1:[ 1:w2 1:] 2:[ 2:w2 2:]"), &few).unfinished.is_none());
}

#[test]
fn beginnings_of_interleavings_that_end_in_a_cycle_cost_steps_too() {
    let trace = execution("0:[ 0:w0 0:w1 0:] 1:[ 1:r0 1:w2 1:] 2:[ 2:r2 2:r1 2:]");
    let few = Limits { steps: 100, ..Limits::default() };
    assert_eq!((SPEC.run)(&trace, &few).unfinished.as_deref(), Some("100 steps were not enough"));
    assert_eq!((SPEC.run)(&trace, &Limits { interleavings: 0, ..few }).unfinished, None);
}
