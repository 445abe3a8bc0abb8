//! Well-formed and ill-formed traces, and how the checker continues.

use super::*;
use crate::event::Event;
use crate::trace::rapid::Reader;

/// Checks an STD trace whose lines have no locations. Returns the numbers of ill-formed lines, with the messages.
fn problems(operations: &str) -> Vec<(usize, String)> {
    let mut checker = Checker::default();
    problems_by(operations, |event| checker.check(event))
}

fn problems_by(operations: &str, mut check: impl FnMut(Event) -> Option<IllFormed>) -> Vec<(usize, String)> {
    let text: String = operations.split_whitespace().map(|operation| format!("{operation}|\n")).collect();
    let mut reader = Reader::new("t.std", text.as_bytes());
    let mut events = Vec::new();
    while reader.read_batch(&mut events, usize::MAX).unwrap() > 0 {}
    let symbols = reader.symbols();
    let said = |problem: IllFormed| format!("{}; expected {}", problem.reason(symbols), problem.expected(symbols));
    events.iter().enumerate().filter_map(|(i, &event)| Some((i + 1, said(check(event)?)))).collect()
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

fn assert_commits(operations: &str, expected: &[(usize, &str)]) {
    let mut buffers = Buffers::default();
    let found = problems_by(operations, |event| buffers.check(event));
    let found: Vec<(usize, &str)> = found.iter().map(|(line, text)| (*line, text.as_str())).collect();
    assert_eq!(found, expected, "in {operations}");
}

#[test]
fn what_store_buffers_do_is_well_formed() {
    for operations in [
        "A|w(x) A|w(y) A|commit(x) B|w(x) A|commit(y) A|fence B|commit(x)",
        "A|w(x) A|r(x) A|commit(x) A|acq(l) A|w(x) A|commit(x) A|rel(l)",
        // Without a commit it is a trace that leaves the times of commits open.
        "A|w(x) A|fence A|w(y) B|join(A)",
        // The end drains nothing.
        "A|w(x) A|commit(x) A|w(y)",
        "A|begin A|w(x) A|end A|commit(x) A|dummy(-) B|fence",
    ] {
        assert_commits(operations, &[]);
    }
}

#[test]
fn a_commit_needs_a_write_of_its_thread_before_it() {
    let said = |thread, var| {
        format!(
            "commit of {var} by {thread}, which has no uncommitted write of it; \
             expected a write of {var} by {thread} before it"
        )
    };
    assert_commits(
        "A|w(x) B|commit(x) A|commit(y) A|commit(x) A|commit(x)",
        &[(2, &said("B", "x")), (3, &said("A", "y")), (5, &said("A", "x"))],
    );
}

#[test]
fn commits_come_in_the_order_of_their_writes() {
    assert_commits(
        "A|w(x) A|w(y) A|commit(y) A|w(z) A|commit(z)",
        &[(
            3,
            "commit of y by A, whose oldest uncommitted write is of x; \
             expected commit(x) by A before it, as a store buffer is a queue",
        )],
    );
}

#[test]
fn no_write_is_uncommitted_at_a_fence() {
    let said = "fence of A with its write of x uncommitted; \
                expected commit(x) by A before it; acquires, releases, forks and joins are fences too";
    for fence in ["A|fence", "A|acq(l)", "A|rel(l)", "A|fork(C)", "A|join(C)", "B|join(A)"] {
        assert_commits(&format!("B|w(z) B|commit(z) A|w(x) A|w(y) {fence} A|fence"), &[(5, said)]);
    }
}

#[test]
fn a_fence_before_the_first_commit_is_judged_at_that_commit() {
    let said = "fence of A with its write of x uncommitted; \
                expected commit(x) by A before it; acquires, releases, forks and joins are fences too";
    assert_commits("A|w(x) A|fence A|w(y) B|w(z) B|commit(z) A|commit(y) A|fence", &[(5, said)]);
}
