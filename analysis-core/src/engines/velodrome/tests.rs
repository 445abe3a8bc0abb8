//! Specific to velodrome: what it blames and what it misses, and that memory follows live nodes. `tests/` checks the
//! verdict and that it never blames wrongly.

use super::*;
use crate::engine::Engine;
use crate::event::{Event, LockId, Op, VarId};

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const C: ThreadId = ThreadId(2);
const D: ThreadId = ThreadId(3);
const U: VarId = VarId(0);
const X: VarId = VarId(1);
const Y: VarId = VarId(2);
const Z: VarId = VarId(3);
const M: LockId = LockId(0);
const BEGIN: Op = Op::Begin(LabelId::NONE);

fn run(trace: &[(ThreadId, Op)]) -> Shell<Velodrome> {
    let mut engine = Shell::<Velodrome>::default();
    feed(&mut engine, trace);
    engine
}

fn feed(engine: &mut Shell<Velodrome>, trace: &[(ThreadId, Op)]) {
    for &(thread, op) in trace {
        engine.step(Event::new(thread, op));
    }
}

/// Returns the first event, and (begin, event) of each blamed block.
fn judge(trace: &[(ThreadId, Op)]) -> (Option<u64>, Vec<(u64, u64)>) {
    let engine = run(trace);
    let findings = engine.findings();
    let blamed = findings.violations.iter().map(|v| (v.begin, v.event)).collect();
    (findings.cycle.as_ref().map(|cycle| cycle.event.position()), blamed)
}

fn ends(edges: &[Edge]) -> Vec<(u64, u64)> {
    edges.iter().map(|edge| (edge.from.position(), edge.to.position())).collect()
}

/// Figures 1(a) and 1(c) of the RegionTrack paper, which differ in the second access of tx3.
fn figure_1(second_of_tx3: Op) -> Vec<(ThreadId, Op)> {
    let (t1, t2, t3) = (A, B, C);
    let tx2 = [(t1, BEGIN), (t1, Op::Read(X)), (t2, BEGIN), (t2, Op::Write(Y)), (t2, Op::Write(X))];
    let tx3 = [(t3, BEGIN), (t3, Op::Read(Y)), (t3, second_of_tx3), (t2, Op::End), (t2, BEGIN), (t3, Op::End)];
    let tx5 = [(t3, BEGIN), (t3, Op::Write(Z)), (t3, Op::End), (t1, Op::Read(Z)), (t1, Op::End)];
    [&tx2[..], &tx3, &tx5].concat()
}

#[test]
fn a_cycle_that_goes_back_in_time_blames_nobody_and_is_shown() {
    let engine = run(&figure_1(Op::Write(U)));
    let findings = engine.findings();
    assert_eq!(ends(&findings.cycle.as_ref().expect("a cycle").edges), [(2, 5), (4, 7), (13, 15)]);
    assert_eq!(findings.violations, []);
}

#[test]
fn a_second_edge_between_two_transactions_is_not_kept_so_blame_is_missed() {
    // Section 3 of the RegionTrack paper: 5→8 would make the cycle increasing, but 4→7 is there already.
    assert_eq!(judge(&figure_1(Op::Read(X))), (Some(15), vec![]));
}

#[test]
fn an_increasing_cycle_through_a_lock_and_variables_blames_the_transaction_that_completes_it() {
    let trace = [
        (A, BEGIN),
        (A, Op::Acquire(M)),
        (A, Op::Release(M)),
        (B, BEGIN),
        (B, Op::Acquire(M)),
        (B, Op::Write(Y)),
        (B, Op::End),
        (C, BEGIN),
        (C, Op::Read(Y)),
        (C, Op::Write(X)),
        (A, Op::Read(X)),
    ];
    let engine = run(&trace);
    let [violation] = &engine.findings().violations[..] else { panic!("one is blamed") };
    assert_eq!((violation.begin, violation.event, violation.depth, violation.other), (1, 11, 0, Stamp::new(C, 10)));
    assert_eq!(ends(&violation.edges), [(3, 5), (6, 9), (10, 11)]);
}

#[test]
fn program_order_is_part_of_a_cycle() {
    let trace = [
        (A, BEGIN),
        (A, Op::Write(X)),
        (B, BEGIN),
        (B, Op::Read(X)),
        (B, Op::End),
        (B, BEGIN),
        (B, Op::Write(Y)),
        (B, Op::End),
        (A, Op::Read(Y)),
    ];
    assert_eq!(judge(&trace), (Some(9), vec![(1, 9)]));
    assert_eq!(ends(&run(&trace).findings().violations[0].edges), [(2, 4), (7, 9)]);
}

#[test]
fn of_nested_blocks_those_are_blamed_that_began_before_the_way_out() {
    let trace = [
        (A, BEGIN),
        (A, BEGIN),
        (A, Op::Read(X)),
        (A, BEGIN),
        (B, Op::Write(X)),
        (A, Op::Read(X)),
        (A, Op::End),
        (A, Op::End),
    ];
    assert_eq!(judge(&trace), (Some(6), vec![(1, 6), (2, 6)]));
}

#[test]
fn an_inner_block_is_missed_if_its_transaction_has_left_before_by_an_edge_to_the_same_one() {
    let before = [(A, BEGIN), (A, Op::Write(X)), (B, BEGIN), (B, Op::Read(X))];
    let inner = [(A, BEGIN), (A, Op::Write(Y)), (B, Op::Read(Y)), (B, Op::Write(Z)), (A, Op::Read(Z))];
    assert_eq!(judge(&[&before[..], &inner].concat()), (Some(9), vec![(1, 9)]));
}

#[test]
fn an_inner_block_is_blamed_after_its_outer_one() {
    let outer = [(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Read(X))];
    let inner = [(A, BEGIN), (A, Op::Read(Y)), (C, Op::Write(Y)), (A, Op::Read(Y)), (A, Op::Read(Y))];
    assert_eq!(judge(&[&outer[..], &inner].concat()), (Some(4), vec![(1, 4), (5, 8)]));
}

#[test]
fn of_two_ways_back_the_increasing_one_is_taken() {
    // C leads back to A by B1 and by B2. Into B1 the edge from A (8) comes after the exit (5).
    let trace = [
        (A, BEGIN),
        (A, Op::Write(X)),
        (B, BEGIN),
        (C, BEGIN),
        (B, Op::Write(Y)),
        (C, Op::Read(Y)),
        (D, BEGIN),
        (B, Op::Read(X)),
        (D, Op::Read(X)),
        (D, Op::Write(U)),
        (C, Op::Read(U)),
        (C, Op::Write(Z)),
        (A, Op::Read(Z)),
    ];
    assert_eq!(ends(&run(&trace).findings().violations[0].edges), [(2, 9), (10, 11), (12, 13)]);
}

#[test]
fn what_follows_a_block_outside_any_is_not_the_block() {
    // 5→6 leaves B's block, 8→9 what comes after it: that edge is kept beside the first, so the cycle is increasing.
    let trace = [
        (A, BEGIN),
        (A, Op::Write(X)),
        (C, BEGIN),
        (B, BEGIN),
        (B, Op::Write(Y)),
        (C, Op::Read(Y)),
        (B, Op::Read(X)),
        (B, Op::End),
        (B, Op::Write(U)),
        (C, Op::Read(U)),
        (C, Op::Write(Z)),
        (A, Op::Read(Z)),
    ];
    assert_eq!(judge(&trace), (Some(12), vec![(1, 12)]));
    assert_eq!(ends(&run(&trace).findings().violations[0].edges), [(2, 7), (9, 10), (11, 12)]);
}

// RAPID's Velodrome.

#[test]
fn a_chain_of_forks_outside_blocks_leads_back() {
    let trace = [(A, BEGIN), (A, Op::Fork(B)), (B, Op::Fork(C)), (C, Op::Fork(D)), (D, Op::Write(X)), (A, Op::Join(D))];
    assert_eq!(judge(&trace), (Some(6), vec![(1, 6)]));
}

#[test]
fn events_outside_blocks_are_nodes() {
    let trace = [(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Write(X)), (A, Op::End)];
    assert_eq!(judge(&trace), (Some(4), vec![(1, 4)]));
}

#[test]
fn the_other_edges_of_the_event_that_closes_the_first_cycle_are_kept() {
    let trace = [
        (A, BEGIN),
        (A, Op::Write(Y)),
        (B, Op::Read(Y)),
        (B, Op::Read(X)),
        (C, BEGIN),
        (C, Op::Read(X)),
        (A, Op::Write(X)),
        (A, Op::Write(Z)),
        (C, Op::Read(Z)),
    ];
    assert_eq!(judge(&trace), (Some(7), vec![(1, 7), (5, 9)]));
}

// Memory.

#[test]
fn nothing_is_kept_of_transactions_that_no_running_one_reaches() {
    let mut engine = Shell::<Velodrome>::default();
    for t in 1..=3000 {
        let child = ThreadId(t);
        feed(&mut engine, &[(A, Op::Fork(child)), (child, BEGIN), (child, Op::Acquire(M)), (child, Op::Read(X))]);
        feed(&mut engine, &[(child, Op::Write(X)), (child, Op::Release(M)), (child, Op::End), (A, Op::Join(child))]);
    }
    assert!(!engine.findings().is_non_serializable());
    assert_eq!(engine.rules().graph.nodes(), (0, 1));
}

#[test]
fn nodes_stay_while_a_running_transaction_reaches_them_and_go_together_at_its_end() {
    let mut engine = run(&[(A, BEGIN), (A, Op::Write(X)), (B, BEGIN), (B, Op::Read(X)), (B, Op::End)]);
    for _ in 0..100 {
        // A lock goes from hand to hand.
        for thread in [C, B] {
            feed(
                &mut engine,
                &[(thread, BEGIN), (thread, Op::Acquire(M)), (thread, Op::Release(M)), (thread, Op::End)],
            );
        }
    }
    let (live, _) = engine.rules().graph.nodes();
    assert!((200..=202).contains(&live), "{live} nodes");
    feed(&mut engine, &[(A, Op::End)]);
    assert_eq!(engine.rules().graph.nodes().0, 0);
}

#[test]
fn a_reached_thread_that_goes_on_alone_keeps_one_node() {
    let mut engine = run(&[(A, BEGIN), (A, Op::Fork(B)), (B, Op::Read(X))]);
    for fresh in (10..1000).map(VarId) {
        feed(&mut engine, &[(A, Op::Write(fresh)), (B, Op::Read(fresh)), (B, BEGIN), (B, Op::Write(X)), (B, Op::End)]);
    }
    assert!(engine.rules().graph.nodes().1 <= 3, "{:?} nodes", engine.rules().graph.nodes());
    feed(&mut engine, &[(A, Op::Read(X))]);
    assert_eq!(engine.findings().violations.len(), 1);
}

#[test]
fn a_transaction_that_is_never_blamed_does_not_examine_all_its_cycles() {
    // Each cycle leads back in time through B, which C follows by 4→5 before 2→6, and is longer than the one before.
    let mut engine = run(&[(A, BEGIN), (A, Op::Write(X)), (B, BEGIN), (B, Op::Write(Y)), (C, Op::Read(Y))]);
    feed(&mut engine, &[(B, Op::Read(X)), (B, Op::End)]);
    for fresh in (10..3000).map(VarId) {
        for thread in [C, D] {
            let hand_over = [(thread, BEGIN), (thread, Op::Acquire(M)), (thread, Op::Release(M)), (thread, Op::End)];
            feed(&mut engine, &hand_over);
        }
        feed(&mut engine, &[(C, Op::Write(fresh)), (A, Op::Read(fresh))]);
    }
    assert!(engine.findings().is_non_serializable());
    assert_eq!(engine.findings().violations, []);
    let looked_at = engine.rules().threads[A.index()].looked_at;
    assert!(looked_at <= 2 * LOOKS * engine.events(), "{looked_at} edges");
}
