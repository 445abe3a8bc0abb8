//! The patterns of section 3, one by one.

use super::SPEC;
use crate::predict::algorithm::Limits;
use crate::predict::testing::execution;

/// Returns the name of the pattern for which the first transaction is warned about.
fn warning(trace: &str) -> Option<&'static str> {
    let execution = execution(trace);
    let outcome = (SPEC.run)(&execution, &Limits::default());
    outcome.warnings.first().map(|warning| warning.pattern.name)
}

#[test]
fn two_synchronized_blocks_are_warned_of() {
    let block = "a0 w0 l0";
    let twice = |t: u32| format!("{t}:[ {} {} {t}:]", words(t, block), words(t, block));
    assert_eq!(warning(&(twice(0) + " " + &twice(1))), Some("two synchronized blocks, one after the other"));
}

#[test]
fn one_synchronized_block_and_nested_ones_are_atomic() {
    let nested = |t: u32| format!("{t}:[ {} {t}:]", words(t, "a0 r0 a1 w1 l1 w0 l0"));
    assert_eq!(warning(&(nested(0) + " " + &nested(1))), None);
}

#[test]
fn two_accesses_that_may_race_are_warned_of_and_one_is_not() {
    assert_eq!(warning("0:[ 0:r0 0:w0 0:] 1:[ 1:w0 1:]"), Some("two accesses that may race"));
    assert_eq!(warning("0:[ 0:w0 0:] 1:[ 1:w0 1:]"), None);
}

#[test]
fn blocks_around_read_only_and_thread_local_variables_are_left_out() {
    let blocks = |t: u32| format!("{t}:[ {} {t}:]", words(t, "a0 r0 l0 a0 a1 r0 l1 l0 a0 w1 l0"));
    assert_eq!(warning(&(blocks(0) + " " + &blocks(1))), None);
}

#[test]
fn a_block_of_a_lock_that_is_taken_outside_of_transactions_is_not_left_out() {
    let trace = "0:[ 0:w0 0:a0 0:l0 0:] 1:a0 1:w0 1:w0 1:l0";
    assert_eq!(warning(trace), Some("a synchronized block after an access that may race"));
}

#[test]
fn thread_local_and_protected_locks_move_both_ways() {
    let protected = |t: u32| format!("{t}:[ {} {t}:]", words(t, "a0 a1 w0 l1 a1 w0 l1 l0"));
    assert_eq!(warning(&(protected(0) + " " + &protected(1))), None);
    assert_eq!(warning("0:[ 0:a2 0:l2 0:a2 0:w0 0:l2 0:] 1:[ 1:w0 1:]"), None);
}

fn words(thread: u32, ops: &str) -> String {
    ops.split(' ').map(|op| format!("{thread}:{op}")).collect::<Vec<_>>().join(" ")
}
