//! The reference on traces small enough to be judged by hand.

use super::*;
use crate::event::{LabelId, LockId, ThreadId, VarId};

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const C: ThreadId = ThreadId(2);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const L: LockId = LockId(0);
const BEGIN: Op = Op::Begin(LabelId::NONE);

/// Returns the first event, and (begin, event, depth) of each violation.
fn judge(trace: &[(ThreadId, Op)]) -> (Option<u64>, Vec<(u64, u64, u32)>) {
    let mut oracle = Oracle::default();
    for &(thread, op) in trace {
        oracle.step(Event::new(thread, op));
    }
    let findings = oracle.findings();
    let violations = findings.violations.iter().map(|v| (v.begin, v.event, v.depth)).collect();
    (findings.cycle.as_ref().map(|cycle| cycle.event.position()), violations)
}

#[test]
fn a_lost_update_violates_the_block() {
    let trace = [(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Write(X)), (A, Op::End)];
    assert_eq!(judge(&trace), (Some(4), vec![(1, 4, 0)]));
}

#[test]
fn two_blocks_that_each_follow_the_other_backwards_in_time_blame_nobody() {
    let trace = [
        (A, BEGIN),
        (B, BEGIN),
        (A, Op::Write(X)),
        (B, Op::Write(Y)),
        (A, Op::Read(Y)),
        (B, Op::Read(X)),
        (A, Op::End),
        (B, Op::End),
    ];
    assert_eq!(judge(&trace), (Some(6), vec![]));
}

#[test]
fn only_the_blocks_that_began_before_the_way_out_are_violated() {
    let trace = [
        (A, BEGIN),
        (A, BEGIN),
        (A, Op::Read(X)),
        (A, BEGIN),
        (B, Op::Write(X)),
        (A, Op::Read(X)),
        (A, Op::End),
        (A, Op::End),
        (A, Op::End),
    ];
    assert_eq!(judge(&trace), (Some(6), vec![(1, 6, 0), (2, 6, 1)]));
}

#[test]
fn a_block_that_has_ended_is_not_violated_by_what_its_thread_does_next() {
    let trace = [(A, BEGIN), (A, Op::Read(X)), (A, Op::End), (B, Op::Write(X)), (A, Op::Write(X))];
    assert_eq!(judge(&trace), (None, vec![]));
}

#[test]
fn a_release_orders_every_later_acquire() {
    let trace = [
        (A, BEGIN),
        (A, Op::Acquire(L)),
        (A, Op::Release(L)),
        (B, Op::Acquire(L)),
        (B, Op::Release(L)),
        (A, Op::Acquire(L)),
    ];
    assert_eq!(judge(&trace), (Some(6), vec![(1, 6, 0)]));
}

#[test]
fn a_block_that_joins_what_it_forked_is_violated_if_the_child_did_something() {
    let idle = [(A, BEGIN), (A, Op::Fork(B)), (A, Op::Join(B)), (A, Op::End)];
    assert_eq!(judge(&idle), (None, vec![]));
    let busy = [(A, BEGIN), (A, Op::Fork(B)), (B, Op::Nop), (A, Op::Join(B)), (A, Op::End)];
    assert_eq!(judge(&busy), (Some(4), vec![(1, 4, 0)]));
}

#[test]
fn an_event_outside_any_block_is_a_transaction_of_its_own() {
    // B's three accesses are three transactions: A's block fits between the first two.
    let trace = [
        (A, BEGIN),
        (B, Op::Write(X)),
        (A, Op::Read(X)),
        (C, Op::Nop),
        (A, Op::Write(Y)),
        (A, Op::End),
        (B, Op::Read(Y)),
        (B, Op::End),
        (B, Op::Write(X)),
    ];
    assert_eq!(judge(&trace), (None, vec![]));
}

#[test]
fn the_witness_names_both_ends_of_each_edge() {
    let mut oracle = Oracle::default();
    for (thread, op) in [(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (B, Op::Write(Y)), (C, Op::Read(Y))] {
        oracle.step(Event::new(thread, op));
    }
    for (thread, op) in [(C, Op::Write(VarId(2))), (A, Op::Read(VarId(2)))] {
        oracle.step(Event::new(thread, op));
    }
    let violation = &oracle.findings().violations[0];
    let ends: Vec<(u64, u64)> = violation.edges.iter().map(|e| (e.from.position(), e.to.position())).collect();
    assert_eq!(ends, [(2, 3), (4, 5), (6, 7)]);
    assert_eq!(oracle.findings().cycle.as_ref().map(|cycle| cycle.edges.len()), Some(3));
}
