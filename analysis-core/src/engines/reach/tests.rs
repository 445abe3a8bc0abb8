//! What is particular to reach: memory that follows live state, and edges alone. `tests/` checks that the answers are correct.

use super::*;
use crate::engine::{Engine, Sites};
use crate::event::{Event, LockId, Op, VarId};

const MAIN: ThreadId = ThreadId(0);
const BEGIN: Op = Op::Begin(LabelId::NONE);

fn feed(engine: &mut Shell<Edges>, thread: ThreadId, ops: &[Op]) {
    for op in ops {
        engine.step(Event::new(thread, *op));
    }
}

#[test]
fn threads_that_come_and_go_leave_no_rows_behind() {
    let mut engine = Shell::<Edges>::default();
    let (lock, shared) = (LockId(0), VarId(0));
    for t in 1..=3000 {
        let child = ThreadId(t);
        feed(&mut engine, MAIN, &[Op::Fork(child)]);
        let ops = [BEGIN, Op::Acquire(lock), Op::Read(shared), Op::Write(shared), Op::Release(lock), Op::End];
        feed(&mut engine, child, &ops);
        feed(&mut engine, MAIN, &[Op::Join(child)]);
    }
    assert!(!engine.findings().is_non_serializable());
    assert_eq!(engine.rules().rows_in_all(), 0, "no edge ever left a block that was still running");
}

#[test]
fn rows_are_given_only_to_running_transactions_that_an_edge_leaves() {
    let mut engine = Shell::<Edges>::default();
    for round in 0..1000 {
        // In each round two threads overlap: A's block is left by an edge while it runs, B's never.
        let (a, b) = (ThreadId(2 * round), ThreadId(2 * round + 1));
        feed(&mut engine, a, &[BEGIN, Op::Write(VarId(round))]);
        feed(&mut engine, b, &[BEGIN, Op::Read(VarId(round)), Op::End]);
        feed(&mut engine, a, &[Op::End]);
    }
    assert_eq!(engine.rules().rows_in_all(), 1);
}

#[test]
fn a_long_block_with_a_million_inner_ones_keeps_no_trace_of_them() {
    let mut engine = Shell::<Edges>::default();
    let (a, b, x) = (ThreadId(0), ThreadId(1), VarId(0));
    feed(&mut engine, a, &[BEGIN]);
    for _ in 0..100_000 {
        feed(&mut engine, a, &[BEGIN, Op::Write(x), Op::End]);
        feed(&mut engine, b, &[Op::Read(x)]);
    }
    assert!(engine.rules().steps_in_all() <= 2, "{} steps", engine.rules().steps_in_all());
    assert_eq!(engine.findings().violations.len(), 1, "the outer block, and no inner one");
}

#[test]
fn edges_alone_give_the_verdict_and_pass_the_sites_through() {
    let mut edges = Edges::default();
    let (a, b) = (ThreadId(0), ThreadId(1));
    let follow = |on, pair| std::iter::once(Dependency { on, sites: Sites { pair, subject: 5 } });
    edges.begin(a, 1, LabelId(7), std::iter::empty());
    edges.inside(b, 1, follow(Stamp::new(a, 2), 3));
    edges.inside(a, 3, follow(Stamp::new(b, 1), 4));
    let [violation] = &edges.findings().violations[..] else { panic!("one violation") };
    assert_eq!((violation.begin, violation.event, violation.label), (1, 3, LabelId(7)));
    let pairs: Vec<u32> = violation.edges.iter().map(|edge| edge.sites.pair).collect();
    assert_eq!(pairs, [3, 4]);
}
