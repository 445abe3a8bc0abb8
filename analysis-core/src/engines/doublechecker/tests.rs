//! Specific to DoubleChecker: when it finds, which transactions it blames, what it keeps. `tests/` checks the answers.

use super::*;
use crate::event::{LockId, VarId};

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const C: ThreadId = ThreadId(2);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const BEGIN: Op = Op::Begin(LabelId::NONE);

fn feed(engine: &mut DoubleChecker, trace: &[(ThreadId, Op)]) {
    for &(thread, op) in trace {
        engine.step(Event::new(thread, op));
    }
}

#[test]
fn a_violation_is_found_when_its_transactions_have_ended() {
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Write(X))]);
    assert_eq!(engine.findings(), &Findings::default());
    feed(&mut engine, &[(A, Op::End)]);
    let [violation] = &engine.findings().violations[..] else { panic!("one violation") };
    let ends: Vec<(u64, u64)> = violation.edges.iter().map(|e| (e.from.position(), e.to.position())).collect();
    assert_eq!((violation.begin, violation.event, ends), (1, 4, vec![(2, 3), (3, 4)]));
}

#[test]
fn a_closing_edge_that_repeats_an_earlier_one_blames_too() {
    let z = VarId(2);
    let mut engine = DoubleChecker::default();
    // 3→4 leads from b to a, 5→6 from a to b; then 7→8 leads from b to a again.
    feed(&mut engine, &[(A, BEGIN), (B, BEGIN), (B, Op::Write(X)), (A, Op::Read(X)), (A, Op::Write(Y))]);
    feed(&mut engine, &[(B, Op::Read(Y)), (B, Op::Write(z)), (A, Op::Read(z)), (A, Op::End), (B, Op::End)]);
    let blamed: Vec<(u64, u64)> = engine.findings().violations.iter().map(|v| (v.begin, v.event)).collect();
    assert_eq!(blamed, [(2, 6), (1, 8)]);
}

#[test]
fn a_false_component_is_no_finding() {
    let l = LockId(0);
    let mut engine = DoubleChecker::default();
    // Each holds the lock once. The lock comes from A's current node, then from B's: a component, but no cycle.
    feed(&mut engine, &[(A, Op::Acquire(l)), (A, Op::Release(l)), (A, BEGIN), (B, BEGIN)]);
    feed(&mut engine, &[(B, Op::Acquire(l)), (B, Op::Release(l)), (A, Op::Acquire(l)), (A, Op::Release(l))]);
    feed(&mut engine, &[(A, Op::End), (B, Op::End)]);
    assert_eq!(engine.findings(), &Findings::default());
}

#[test]
fn nothing_is_kept_when_no_block_is_open() {
    let mut engine = DoubleChecker::default();
    for round in 0..1000 {
        let x = VarId(round % 10);
        feed(&mut engine, &[(A, BEGIN), (A, Op::Write(x)), (B, BEGIN), (B, Op::Write(x)), (B, Op::End)]);
        feed(&mut engine, &[(A, Op::Read(x)), (A, Op::End), (B, Op::Write(x))]);
        assert_eq!(engine.graph.len(), 0);
    }
    assert_eq!(engine.findings().violations.len(), 1000);
}

#[test]
fn what_no_running_transaction_reaches_is_freed_though_some_always_run() {
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN)]);
    for round in 0..20_000 {
        let (old, new) = if round % 2 == 0 { (A, B) } else { (B, A) };
        feed(
            &mut engine,
            &[(old, Op::Write(X)), (new, BEGIN), (new, Op::Read(X)), (new, Op::Write(Y)), (old, Op::End)],
        );
        assert!(engine.graph.len() <= 2 * LEAST_SWEPT, "{} nodes", engine.graph.len());
    }
    assert!(!engine.findings().is_non_serializable());
}

#[test]
fn a_repeated_access_is_logged_once() {
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN)]);
    for _ in 0..1000 {
        feed(&mut engine, &[(A, Op::Write(X)), (A, Op::Read(X)), (A, Op::Nop)]);
    }
    let node = engine.threads[0].node.expect("its block is open");
    assert_eq!(engine.graph.node(node).log.len(), 1);
}

/// Returns begin and event of each blamed block.
fn blamed(engine: &DoubleChecker) -> Vec<(u64, u64)> {
    engine.findings().violations.iter().map(|v| (v.begin, v.event)).collect()
}

#[test]
fn a_fork_leads_to_the_first_event_of_the_child_though_the_child_had_the_lock_released_before() {
    let l = LockId(0);
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN), (A, Op::Fork(B)), (B, Op::Release(l)), (A, Op::Release(l)), (A, Op::Acquire(l))]);
    feed(&mut engine, &[(A, Op::End)]);
    assert_eq!(blamed(&engine), [(1, 5)]);
}

#[test]
fn a_fork_leads_to_an_event_of_a_running_block_that_touches_nothing() {
    for started in [Op::Nop, BEGIN, Op::End] {
        let mut engine = DoubleChecker::default();
        feed(&mut engine, &[(A, BEGIN), (A, BEGIN), (B, BEGIN), (B, Op::Fork(A)), (A, started), (B, Op::Join(A))]);
        feed(&mut engine, &[(A, Op::End), (A, Op::End), (A, Op::End), (B, Op::End)]);
        assert!(blamed(&engine).contains(&(3, 6)), "after {started:?}");
    }
}

#[test]
fn a_fork_leads_to_an_access_that_repeats_one_from_before_it() {
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN), (A, Op::Write(X)), (B, BEGIN), (B, Op::Fork(A)), (A, Op::Write(X))]);
    feed(&mut engine, &[(B, Op::Join(A)), (A, Op::End), (B, Op::End)]);
    assert!(blamed(&engine).contains(&(3, 6)), "{:?}", blamed(&engine));
}

#[test]
fn a_cycle_that_goes_back_in_time_blames_who_completes_it() {
    // Figure 1(a) of the RegionTrack paper: 2→5, 4→7, 13→15. No block is violated; section 3 there.
    let (u, z) = (VarId(2), VarId(3));
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN), (A, Op::Read(X)), (B, BEGIN), (B, Op::Write(Y)), (B, Op::Write(X)), (C, BEGIN)]);
    feed(&mut engine, &[(C, Op::Read(Y)), (C, Op::Write(u)), (B, Op::End), (B, BEGIN), (C, Op::End), (C, BEGIN)]);
    feed(&mut engine, &[(C, Op::Write(z)), (C, Op::End), (A, Op::Read(z)), (A, Op::End)]);
    assert_eq!(blamed(&engine), [(1, 15)]);
}

#[test]
fn an_edge_leaves_a_transaction_that_has_ended() {
    let z = VarId(2);
    let mut engine = DoubleChecker::default();
    // 2→4 reaches the block of B, which has ended when A reads what it wrote.
    feed(&mut engine, &[(A, BEGIN), (A, Op::Write(X)), (B, BEGIN), (B, Op::Read(X)), (B, Op::Write(z)), (B, Op::End)]);
    feed(&mut engine, &[(A, Op::Read(z)), (A, Op::End)]);
    assert_eq!(blamed(&engine), [(1, 7)]);
}

/// Blocks of different threads, each of which overlaps the next and reaches the previous one.
fn overlap(engine: &mut DoubleChecker, rounds: u32, mut each: impl FnMut(&DoubleChecker)) {
    let (thread, var) = (|round| ThreadId(100 + round), |round| VarId(100 + round));
    feed(engine, &[(thread(0), BEGIN)]);
    for round in 1..=rounds {
        let (old, new) = (thread(round - 1), thread(round));
        feed(engine, &[(new, BEGIN), (new, Op::Write(var(round))), (old, Op::Read(var(round))), (old, Op::End)]);
        each(engine);
    }
    feed(engine, &[(thread(rounds), Op::End)]);
}

#[test]
fn after_the_first_cycle_what_ended_before_every_transaction_to_judge_is_freed() {
    const LOST_UPDATE: [(ThreadId, Op); 5] =
        [(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Write(X)), (A, Op::End)];
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &LOST_UPDATE);
    overlap(&mut engine, 20_000, |engine| {
        assert!(engine.graph.len() <= 2 * LEAST_SWEPT, "{} nodes", engine.graph.len());
    });
    let now = engine.events;
    feed(&mut engine, &LOST_UPDATE);
    assert_eq!(blamed(&engine), [(1, 4), (now + 1, now + 4)]);

    // Before it, each of them may be in a cycle backwards in time, so each is kept.
    let (mut engine, mut most) = (DoubleChecker::default(), 0);
    overlap(&mut engine, 2_000, |engine| most = most.max(engine.graph.len()));
    assert!(most >= 2_000 && engine.graph.len() == 0, "{most} nodes");
}

#[test]
fn a_finished_block_is_judged_with_what_ended_before_those_that_still_run() {
    let (b, c) = (VarId(2), VarId(3));
    let mut engine = DoubleChecker::default();
    feed(&mut engine, &[(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Write(X)), (A, Op::End)]);
    // 7→9 and 10→13 lead from A's block by B's, which ends before C's begins, to C's, and 14→15 back.
    feed(&mut engine, &[(A, BEGIN), (A, Op::Write(Y)), (B, BEGIN), (B, Op::Read(Y)), (B, Op::Write(b)), (B, Op::End)]);
    feed(&mut engine, &[(C, BEGIN), (C, Op::Read(b)), (C, Op::Write(c)), (A, Op::Read(c)), (A, Op::End)]);
    overlap(&mut engine, 1_000, |_| {});
    feed(&mut engine, &[(C, Op::End)]);
    assert_eq!(blamed(&engine), [(1, 4), (6, 15)]);
}
