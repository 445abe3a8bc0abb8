//! The paper's traces, event by event, and behaviour specific to the plain form. `tests/` checks that the answers are
//! correct.

use super::*;
use crate::engine::Engine;
use crate::event::{Event, LockId, Op, VarId};

const BEGIN: Op = Op::Begin(LabelId::NONE);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const Z: VarId = VarId(2);

/// Returns the event at which the engine notices a cycle in the trace of (thread, operation).
fn first_event(trace: &[(u32, Op)]) -> Option<u64> {
    let mut engine = Shell::<AeroDrome>::default();
    for (thread, op) in trace {
        engine.step(Event::new(ThreadId(*thread), *op));
    }
    engine.findings().cycle.as_ref().map(|cycle| cycle.event.position())
}

#[test]
fn figure_1_is_serializable_although_its_order_is_found_backwards() {
    let rho_1 = [
        (1, BEGIN),
        (1, Op::Write(X)),
        (2, BEGIN),
        (2, Op::Read(X)),
        (2, Op::End),
        (3, BEGIN),
        (3, Op::Write(Z)),
        (3, Op::End),
        (1, Op::Read(Z)),
        (1, Op::End),
    ];
    assert_eq!(first_event(&rho_1), None);
}

#[test]
fn figure_2_is_noticed_at_the_read_that_comes_back() {
    // Figure 5.
    let rho_2 = [(1, BEGIN), (2, BEGIN), (1, Op::Write(X)), (2, Op::Read(X)), (2, Op::Write(Y)), (1, Op::Read(Y))];
    assert_eq!(first_event(&rho_2), Some(6));
}

#[test]
fn figure_3_is_noticed_at_the_first_end() {
    // Figure 6.
    let rho_3 = [
        (1, BEGIN),
        (2, BEGIN),
        (1, Op::Write(X)),
        (2, Op::Write(Y)),
        (1, Op::Read(Y)),
        (2, Op::Read(X)),
        (1, Op::End),
        (2, Op::End),
    ];
    assert_eq!(first_event(&rho_3), Some(7));
}

#[test]
fn figure_4_is_noticed_through_two_transactions_that_are_over() {
    // Figure 7: t2 passes the begin of t1 to y at its end, t3 passes it on to z.
    let rho_1_primed = [
        (1, BEGIN),
        (1, Op::Write(X)),
        (2, BEGIN),
        (2, Op::Write(Y)),
        (2, Op::Read(X)),
        (2, Op::End),
        (3, BEGIN),
        (3, Op::Read(Y)),
        (3, Op::Write(Z)),
        (3, Op::End),
        (1, Op::Read(Z)),
        (1, Op::End),
    ];
    assert_eq!(first_event(&rho_1_primed), Some(11));
}

#[test]
fn a_child_without_events_carries_nothing_from_its_fork_to_its_join() {
    let child = ThreadId(2);
    assert_eq!(first_event(&[(1, BEGIN), (1, Op::Fork(child)), (1, Op::Join(child)), (1, Op::End)]), None);
    let with_event = [(1, BEGIN), (1, Op::Fork(child)), (2, Op::Nop), (1, Op::Join(child))];
    assert_eq!(first_event(&with_event), Some(4));
}

#[test]
fn threads_that_come_and_go_leave_neither_components_nor_clocks_behind() {
    let mut engine = Shell::<AeroDrome>::default();
    let lock = LockId(0);
    for t in 1..=3000 {
        let child = ThreadId(t);
        let events = [
            (ThreadId(0), Op::Fork(child)),
            (child, BEGIN),
            (child, Op::Acquire(lock)),
            (child, Op::Write(X)),
            (child, Op::Release(lock)),
            (child, Op::End),
            (ThreadId(0), Op::Join(child)),
        ];
        engine.feed(&events.map(|(thread, op)| Event::new(thread, op)));
    }
    assert!(!engine.findings().is_non_serializable());
    assert_eq!(engine.rules().slots.len(), 1);
}
