//! Existing orders are found, and obstacles to others are named.

use super::*;
use crate::predict::algorithm::Limits;
use crate::predict::algorithms;
use crate::predict::testing::execution;

fn predictions(trace: &str, algorithm: &str) -> Vec<Prediction> {
    let execution = execution(trace);
    let outcome = (algorithms::find(algorithm).expect("an algorithm").run)(&execution, &Limits::default());
    Confirmer::new(&execution, Budget::unlimited()).confirm(&outcome.warnings)
}

/// Returns the numbers of the events of the first confirmed schedule.
fn schedule(trace: &str, algorithm: &str) -> Vec<u64> {
    let confirmed = predictions(trace, algorithm).into_iter().find_map(|prediction| match prediction.status {
        Status::Confirmed(schedule) => Some(schedule.order.iter().map(|at| at.number()).collect()),
        Status::Open(_) => None,
    });
    confirmed.unwrap_or_default()
}

const LOST_UPDATE: &str = "0:[ 0:r0 0:w0 0:] 1:[ 1:r0 1:w0 1:]";

#[test]
fn two_threads_that_ran_one_after_the_other_are_interleaved() {
    let order = schedule(LOST_UPDATE, "commit-node-conflict");
    assert_eq!(order.iter().filter(|number| **number <= 4).count(), 3, "{order:?}");
    assert!(order.iter().position(|n| *n == 3) > order.iter().position(|n| *n == 7), "{order:?}");
}

#[test]
fn an_algorithm_that_names_no_order_is_confirmed_by_the_pairs_of_the_forest() {
    let all = predictions(LOST_UPDATE, "reduction");
    assert!(!all.is_empty() && all.iter().all(|p| matches!(p.status, Status::Confirmed(_))), "{all:?}");
}

#[test]
fn locks_are_released_before_another_thread_takes_them() {
    let half = |t: u32| format!("{t}:a0 {t}:r0 {t}:l0 {t}:a0 {t}:w0 {t}:l0");
    let trace = format!("0:[ {} 0:] 1:[ {} 1:]", half(0), half(1));
    let order = schedule(&trace, "commit-node-conflict");
    let events = execution(&trace).events;
    let mut holder = None;
    for number in &order {
        let event = events[*number as usize - 1];
        match event.op {
            crate::event::Op::Acquire(_) => assert_eq!(holder.replace(event.thread), None),
            crate::event::Op::Release(_) => assert_eq!(holder.take(), Some(event.thread)),
            _ => {}
        }
    }
    assert!(!order.is_empty());
}

#[test]
fn a_thread_is_started_before_its_first_event() {
    let order = schedule("0:w1 0:f1 0:[ 0:r0 0:w0 0:] 1:[ 1:w0 1:]", "commit-node-conflict");
    assert!(!order.contains(&2) && order.contains(&8));
}

#[test]
fn a_false_alarm_of_reduction_has_no_schedule() {
    let count = "0:[ 0:r0 0:w0 0:] 1:[ 1:r0 1:]";
    let all = predictions(count, "reduction");
    assert_eq!(all.len(), 1);
    assert!(matches!(all[0].status, Status::Open(Reason::NoConflict | Reason::Serializable)), "{all:?}");
}

#[test]
fn what_a_thread_does_at_once_is_not_taken_apart() {
    // The other thread would have to come between the two writes: between two steps, or within one.
    let apart = "0:[ 0:w0 0:w1 0:] 1:[ 1:r0 1:r1 1:]";
    assert!(matches!(predictions(apart, "commit-node-conflict")[0].status, Status::Confirmed(_)));
    let together = "0:[ 0:w0 0:+ 0:w1 0:] 1:[ 1:r0 1:+ 1:r1 1:]";
    let all = predictions(together, "commit-node-conflict");
    assert!(all.iter().all(|p| matches!(p.status, Status::Open(Reason::Blocked(_) | Reason::Serializable))), "{all:?}");
    // Accesses that are repeated in their step are one.
    assert!(predictions("0:[ 0:w0 0:+ 0:w1 0:+ 0:w0 0:] 1:[ 1:w0 1:]", "commit-node-conflict").is_empty());
    // A step is entered as a whole, even if only its last access is a goal.
    let order = schedule("0:[ 0:r1 0:w0 0:] 1:[ 1:w2 1:+ 1:w0 1:+ 1:w1 1:]", "commit-node-conflict");
    let step: Vec<u64> = (6..=10).filter(|number| order.contains(number)).collect();
    assert_eq!(step, [6, 7, 8, 9, 10], "{order:?}");
}

#[test]
fn a_step_that_the_observed_part_has_begun_comes_to_its_end_first() {
    let execution = execution("0:w0 1:w2 0:+ 0:w1 1:r1");
    let programs = Programs::new(&execution);
    let order = Runner::new(&execution, &programs, At(1), &[At(4)]).run().expect("nothing is in the way");
    assert_eq!(order, [At(2), At(3), At(1), At(4)]);
}

#[test]
fn a_compare_and_set_finds_what_it_has_found() {
    // Thread 0 reads and then updates the value that it has read; thread 1 updates it, too, before or after.
    let blind = "0:[ 0:r0 0:w0 0:] 1:[ 1:w0 1:]";
    assert!(matches!(predictions(blind, "commit-node-conflict")[0].status, Status::Confirmed(_)));
    for (trace, update) in [("0:[ 0:r0 0:! 0:w0 0:] 1:[ 1:w0 1:]", 4), ("1:[ 1:w0 1:] 0:[ 0:r0 0:! 0:w0 0:]", 7)] {
        let all = predictions(trace, "commit-node-conflict");
        let [Prediction { status: Status::Open(Reason::Updated(at)), .. }] = all[..] else { panic!("{all:?}") };
        assert_eq!(at.number(), update);
    }
    // It did not read the value that it found, which was the other thread's.
    let unasked = "1:[ 1:w0 1:] 0:[ 0:w0 0:! 0:w0 0:]";
    assert!(matches!(predictions(unasked, "commit-node-conflict")[0].status, Status::Open(Reason::Updated(_))));
    let other = "1:[ 1:w0 1:] 0:[ 0:r1 0:! 0:w0 0:] 2:[ 2:w1 2:w1 2:]";
    assert!(predictions(other, "commit-node-conflict").iter().all(|p| matches!(p.status, Status::Confirmed(_))));
}

#[test]
fn an_order_that_a_lock_forbids_names_the_lock() {
    let execution = execution("0:[ 0:a0 0:w0 0:w0 0:l0 0:] 1:[ 1:a0 1:r0 1:l0 1:]");
    let programs = Programs::new(&execution);
    let goals = [At(2), At(8), At(3)];
    let obstacle = Runner::new(&execution, &programs, At(0), &goals).run().expect_err("the lock is in the way");
    assert_eq!(obstacle, Obstacle::Lock { waiting: At(7), lock: crate::event::LockId(0), holder: At(3) });
}
