//! What the optimisations must preserve, and that they work: memory follows live state. `tests/` checks that the
//! answers are correct.

use super::*;
use crate::event::{LabelId, LockId, ThreadId, VarId};

const BEGIN: Op = Op::Begin(LabelId::NONE);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const Z: VarId = VarId(2);

fn feed(engine: &mut AeroDromeFast, trace: &[(u32, Op)]) {
    for (thread, op) in trace {
        engine.step(Event::new(ThreadId(*thread), *op));
    }
}

/// Returns the event at which the engine notices a cycle in the trace of (thread, operation).
fn first_event(trace: &[(u32, Op)]) -> Option<u64> {
    let mut engine = AeroDromeFast::default();
    feed(&mut engine, trace);
    engine.findings().cycle.as_ref().map(|cycle| cycle.event.position())
}

#[test]
fn a_transaction_entered_only_by_program_order_from_a_reachable_one_is_not_garbage() {
    // RAPID's optimised AeroDrome forgets the second block of thread 2.
    let trace = [
        (1, BEGIN),
        (1, Op::Write(X)),
        (2, BEGIN),
        (2, Op::Read(X)),
        (2, Op::End),
        (2, BEGIN),
        (2, Op::Write(Y)),
        (2, Op::End),
        (1, Op::Read(Y)),
    ];
    assert_eq!(first_event(&trace), Some(9));
}

#[test]
fn what_reaches_a_reader_after_its_read_is_checked_at_the_write() {
    // 4→6 and 1 ⇝ 3 by 2→5, which comes after the reads. Thread 3 read too, so that no single reader represents both.
    let trace = [
        (1, BEGIN),
        (1, Op::Write(Y)),
        (2, BEGIN),
        (3, BEGIN),
        (3, Op::Read(X)),
        (2, Op::Read(X)),
        (2, Op::Read(Y)),
        (2, Op::End),
        (1, Op::Write(X)),
    ];
    assert_eq!(first_event(&trace), Some(9));
}

#[test]
fn a_transaction_may_write_what_it_and_others_have_read() {
    let trace = [(1, BEGIN), (2, BEGIN), (1, Op::Read(X)), (2, Op::Read(X)), (1, Op::Write(X)), (1, Op::End)];
    assert_eq!(first_event(&trace), None);
}

#[test]
fn two_running_transactions_that_reach_each_other_are_noticed_at_the_first_end() {
    // Figure 3 of the paper, without accesses that would notice it earlier.
    let trace = [
        (1, BEGIN),
        (2, BEGIN),
        (1, Op::Release(LockId(1))),
        (2, Op::Release(LockId(2))),
        (1, Op::Acquire(LockId(2))),
        (2, Op::Acquire(LockId(1))),
        (1, Op::End),
    ];
    assert!(first_event(&trace).is_some_and(|event| event <= 7));
}

#[test]
fn more_transactions_than_bits_in_a_word_run_at_once() {
    // Thread t reaches t+1 by variable t; the last thread reaches the first.
    for threads in [2, 63, 64, 65, 200] {
        let mut engine = AeroDromeFast::default();
        for t in 0..threads {
            feed(&mut engine, &[(t, BEGIN), (t, Op::Write(VarId(t)))]);
        }
        for t in 1..threads {
            feed(&mut engine, &[(t, Op::Read(VarId(t - 1)))]);
        }
        assert!(!engine.findings().is_non_serializable());
        feed(&mut engine, &[(threads - 1, Op::Write(VarId(threads))), (0, Op::Read(VarId(threads)))]);
        assert!(engine.findings().is_non_serializable(), "{threads} threads");
    }
}

#[test]
fn threads_that_come_and_go_leave_no_clocks_behind() {
    let mut engine = AeroDromeFast::default();
    for t in 1..=100_000 {
        let child = ThreadId(t);
        feed(&mut engine, &[(0, Op::Fork(child)), (t, BEGIN), (t, Op::Acquire(LockId(0))), (t, Op::Read(X))]);
        feed(&mut engine, &[(t, Op::Write(VarId(t % 100))), (t, Op::Release(LockId(0))), (t, Op::End)]);
        feed(&mut engine, &[(0, Op::Join(child))]);
    }
    assert!(!engine.findings().is_non_serializable());
    assert_eq!(engine.clocks.alive(), 0);
    assert!(engine.clocks.places() <= 2);
}

#[test]
fn a_long_transaction_that_reaches_all_others_does_not_keep_their_clocks() {
    let mut engine = AeroDromeFast::default();
    feed(&mut engine, &[(0, BEGIN), (0, Op::Write(X))]);
    for round in 0..100_000 {
        let t = 1 + round % 3;
        feed(&mut engine, &[(t, BEGIN), (t, Op::Read(X)), (t, Op::Read(Z)), (t, Op::Write(Y)), (t, Op::End)]);
    }
    assert!(engine.clocks.places() < 10_000, "{} places", engine.clocks.places());
    feed(&mut engine, &[(0, Op::End)]);
    assert!(!engine.findings().is_non_serializable());
    assert_eq!(engine.clocks.alive(), 0);
}

#[test]
fn reads_of_several_threads_and_writes_in_turn_leave_no_clocks_behind() {
    let mut engine = AeroDromeFast::default();
    feed(&mut engine, &[(0, BEGIN), (0, Op::Write(Y)), (1, Op::Read(Y))]);
    for _ in 0..100_000 {
        feed(&mut engine, &[(2, BEGIN), (2, Op::Read(Z)), (1, Op::Read(Z)), (2, Op::End), (3, Op::Write(Z))]);
    }
    assert!(!engine.findings().is_non_serializable());
    assert!(engine.clocks.places() < 10_000, "{} places", engine.clocks.places());
}

#[test]
fn a_collection_keeps_the_clocks_that_only_a_lock_or_a_fork_to_come_names() {
    // Thread 1 passes on what it read of 0's block in its first, then goes through more blocks than are kept.
    let (lock, child) = (LockId(0), ThreadId(2));
    let by_lock = vec![(0, Op::Acquire(lock))];
    let by_fork = vec![(2, Op::Write(Z)), (0, Op::Read(Z))];
    for (hand_on, come_back) in [(Op::Release(lock), by_lock), (Op::Fork(child), by_fork)] {
        let mut engine = AeroDromeFast::default();
        feed(&mut engine, &[(0, BEGIN), (0, Op::Write(X)), (1, BEGIN), (1, Op::Read(X)), (1, hand_on), (1, Op::End)]);
        for _ in 0..10_000 {
            feed(&mut engine, &[(1, BEGIN), (1, Op::Read(X)), (1, Op::Write(Y)), (1, Op::End)]);
        }
        assert!(engine.clocks.places() < 10_000, "no clock was collected");
        assert!(!engine.findings().is_non_serializable());
        feed(&mut engine, &come_back);
        assert!(engine.findings().is_non_serializable(), "after {hand_on:?}");
    }
}
