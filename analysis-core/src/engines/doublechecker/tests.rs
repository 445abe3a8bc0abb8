//! What is particular to DoubleChecker: when it finds, whom it blames, what it keeps. Right answers are held by `tests/`.

use super::*;
use crate::event::{LockId, VarId};

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
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
    // Each holds the lock once. The lock comes from where A is, then from where B is: a component, but no cycle.
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

#[test]
fn a_fork_leads_to_whatever_its_thread_does_next_in_its_block() {
    // A is started while it is in its block, and B joins it: 4→5→6 violates the block of B.
    for next in [Op::End, Op::Nop, BEGIN] {
        let mut engine = DoubleChecker::default();
        feed(&mut engine, &[(A, BEGIN), (A, BEGIN), (B, BEGIN), (B, Op::Fork(A)), (A, next), (B, Op::Join(A))]);
        feed(&mut engine, &[(A, Op::End), (A, Op::End), (A, Op::End), (B, Op::End)]);
        let blamed: Vec<u64> = engine.findings().violations.iter().map(|violation| violation.begin).collect();
        assert!(blamed.contains(&3), "{next:?}: {blamed:?}");
    }
}
