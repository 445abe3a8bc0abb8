//! What is well-formed, what is not, and how the checker continues.

use super::*;
use crate::trace::rapid::Reader;

/// Checks an STD trace whose lines have no locations: the numbers of ill-formed lines, with what is said of them.
fn problems(operations: &str) -> Vec<(usize, String)> {
    let text: String = operations.split_whitespace().map(|operation| format!("{operation}|\n")).collect();
    let mut reader = Reader::new("t.std", text.as_bytes());
    let mut events = Vec::new();
    while reader.read_batch(&mut events, usize::MAX).unwrap() > 0 {}
    let mut checker = Checker::default();
    let symbols = reader.symbols();
    let said = |problem: IllFormed| format!("{}; expected {}", problem.reason(symbols), problem.expected(symbols));
    events.iter().enumerate().filter_map(|(i, &event)| Some((i + 1, said(checker.check(event)?)))).collect()
}

fn assert_problems(operations: &str, expected: &[(usize, &str)]) {
    let found = problems(operations);
    let found: Vec<(usize, &str)> = found.iter().map(|(line, text)| (*line, text.as_str())).collect();
    assert_eq!(found, expected, "in {operations}");
}

#[test]
fn what_real_executions_do_is_well_formed() {
    for operations in [
        "",
        "A|acq(l) A|acq(l) A|rel(l) A|rel(l) B|acq(l) B|rel(l)",
        "A|begin A|begin A|end A|end",
        "A|begin A|acq(l)",
        "A|fork(B) B|r(x) A|join(B)",
        "A|fork(B) A|join(B)",
        "A|join(B) C|join(B) A|r(x)",
        "A|r(x) B|w(x) A|join(B)",
        "A|fence A|commit(x) A|dummy(x)",
    ] {
        assert_problems(operations, &[]);
    }
}

#[test]
fn an_acquire_of_a_held_lock_takes_it_from_its_holder() {
    assert_problems(
        "A|acq(l) B|acq(l) A|rel(l) B|rel(l) A|acq(l)",
        &[
            (2, "acquire of l by B, held by A; expected a release of l by A before it"),
            (3, "release of l by A, which does not hold it (held by B); expected an acquire of l by A before it"),
        ],
    );
}

#[test]
fn a_lock_is_held_until_it_is_released_as_often_as_it_was_acquired() {
    assert_problems(
        "A|acq(l) A|acq(l) A|rel(l) B|acq(l)",
        &[(4, "acquire of l by B, held by A; expected a release of l by A before it")],
    );
}

#[test]
fn a_release_of_a_lock_that_is_not_held_does_nothing() {
    assert_problems(
        "A|rel(l) A|acq(l) B|rel(l) A|rel(l)",
        &[
            (1, "release of l by A, which does not hold it (held by nobody); expected an acquire of l by A before it"),
            (3, "release of l by B, which does not hold it (held by A); expected an acquire of l by B before it"),
        ],
    );
}

#[test]
fn an_end_needs_an_open_block_of_its_thread() {
    assert_problems(
        "A|begin B|end A|end A|end A|begin A|end",
        &[
            (2, "end by B, which has no open block; expected a begin by B before it"),
            (4, "end by A, which has no open block; expected a begin by A before it"),
        ],
    );
}

#[test]
fn no_thread_forks_or_joins_itself() {
    assert_problems(
        "A|fork(A) A|join(A) A|r(x)",
        &[(1, "fork of A by itself; expected another thread"), (2, "join of A by itself; expected another thread")],
    );
}

#[test]
fn a_thread_is_forked_once_and_before_its_first_event() {
    assert_problems(
        "B|r(x) A|fork(B) A|fork(B) A|fork(C) D|fork(C)",
        &[
            (2, "fork of B by A, but it already has events; expected the fork before the first event of B"),
            (3, "fork of B by A, but it was already forked; expected one fork of B"),
            (5, "fork of C by D, but it was already forked; expected one fork of C"),
        ],
    );
}

#[test]
fn a_fork_of_a_joined_thread_starts_another() {
    assert_problems(
        "A|join(B) A|fork(B) B|r(x) A|join(B)",
        &[(2, "fork of B by A, but it was already joined; expected another name for another thread")],
    );
}

#[test]
fn each_event_of_a_joined_thread_is_ill_formed() {
    let said = "event of B after its join; expected the join after the last event of B";
    assert_problems("A|join(B) B|r(x) B|end A|r(x)", &[(2, said), (3, said)]);
}
