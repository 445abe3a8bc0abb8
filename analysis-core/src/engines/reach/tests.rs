//! Specific to reach: memory follows live state, and edges alone suffice. `tests/` checks that the answers are correct.

use super::*;
use crate::engine::{Engine, ItemEngine, ItemStep, Push, Sites, Source};
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
    assert_eq!(engine.rules().matrices().rows_in_all(), 0, "no edge ever left a block that was still running");
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
    assert_eq!(engine.rules().matrices().rows_in_all(), 1);
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
    assert!(engine.rules().matrices().steps_in_all() <= 2, "{} steps", engine.rules().matrices().steps_in_all());
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

fn stamp(thread: u32, position: u64) -> Stamp {
    Stamp::new(ThreadId(thread), position)
}

fn source(on: Stamp, open: Option<u64>) -> Source {
    Source { on, open, sites: Sites::default() }
}

/// Takes an item of a thread that closes `pops` of the named blocks and opens `pushes`. Returns the begins of violated
/// blocks.
fn item(items: &mut Items, now: Stamp, pops: u32, pushes: &[u64], sources: &[Source]) -> Vec<u64> {
    let pushes: Vec<Push> = pushes.iter().map(|begin| Push { begin: *begin, label: LabelId(*begin as u32) }).collect();
    items.item(&ItemStep { now, pops, pushes: &pushes, sources });
    items.take_violations().iter().map(|violation| violation.begin).collect()
}

#[test]
fn an_item_names_the_violated_blocks_of_which_another_thread_has_read_the_outermost() {
    let mut items = Items::default();
    // T0 begins at 1, 2, 3 and writes in between; T1 reads what was written at 2, outside any block.
    assert!(item(&mut items, stamp(1, 1), 0, &[], &[source(stamp(0, 2), Some(1))]).is_empty());
    let violated = item(&mut items, stamp(0, 4), 0, &[1, 2, 3], &[source(stamp(1, 1), None)]);
    assert_eq!(violated, [1, 2], "the block that began at 3 began after T1 looked");
    assert_eq!(items.findings().cycle.as_ref().map(|cycle| cycle.event), Some(stamp(0, 4)));
    let pairs: Vec<_> = items.findings().cycle.as_ref().unwrap().edges.iter().map(|e| (e.from, e.to)).collect();
    assert_eq!(pairs, [(stamp(0, 2), stamp(1, 1)), (stamp(1, 1), stamp(0, 4))]);
    assert!(
        item(&mut items, stamp(0, 5), 1, &[], &[source(stamp(1, 1), None)]).is_empty(),
        "each block is blamed once"
    );
}

#[test]
fn a_row_ends_with_its_transaction_whoever_names_the_next_one() {
    for is_named_by_another in [false, true] {
        let mut items = Items::default();
        item(&mut items, stamp(1, 1), 0, &[], &[source(stamp(0, 1), Some(1))]);
        if is_named_by_another {
            item(&mut items, stamp(2, 1), 0, &[], &[source(stamp(0, 3), Some(3))]);
        }
        let violated = item(&mut items, stamp(0, 4), 0, &[3], &[source(stamp(1, 1), None)]);
        assert!(violated.is_empty() && items.findings().cycle.is_none(), "T1 follows the transaction before");
    }
}

#[test]
fn what_a_thread_has_said_itself_is_newer_than_what_was_read_there() {
    let mut items = Items::default();
    // T0's block that began at 1 is over when its item comes; T1 has read it before.
    item(&mut items, stamp(0, 2), 0, &[], &[source(stamp(2, 1), None)]);
    item(&mut items, stamp(1, 1), 0, &[], &[source(stamp(0, 1), Some(1))]);
    assert_eq!(items.matrices().rows_in_all(), 0);
    // The same if another has read a later begin there.
    item(&mut items, stamp(2, 2), 0, &[], &[source(stamp(0, 5), Some(5))]);
    item(&mut items, stamp(1, 2), 0, &[], &[source(stamp(0, 4), Some(3))]);
    let violated = item(&mut items, stamp(0, 6), 0, &[5], &[source(stamp(1, 2), None)]);
    assert!(violated.is_empty(), "T1 has not followed the block that began at 5");
    assert_eq!(item(&mut items, stamp(0, 7), 0, &[], &[source(stamp(2, 2), None)]), [5]);
}

#[test]
fn a_number_that_is_used_again_inherits_no_block() {
    let mut items = Items::default();
    let follow = |items: &mut Items, now, open| item(items, now, 0, &[], &[source(stamp(0, open), Some(open))]);
    item(&mut items, stamp(0, 2), 0, &[1], &[source(stamp(2, 1), None)]);
    follow(&mut items, stamp(1, 1), 1);
    items.forget(ThreadId(0));
    follow(&mut items, stamp(1, 2), 1);
    assert_eq!(items.matrices().steps_in_all(), 0, "an ended thread has no open block, whatever was read before");
    items.opened(stamp(0, 3));
    follow(&mut items, stamp(1, 3), 1);
    assert_eq!(items.matrices().rows_in_all(), 1, "what was read in the old thread gives no row to the new one");
    assert!(item(&mut items, stamp(0, 5), 0, &[4], &[source(stamp(1, 1), None)]).is_empty());
    follow(&mut items, stamp(1, 4), 4);
    assert_eq!(item(&mut items, stamp(0, 6), 0, &[], &[source(stamp(1, 4), None)]), [4]);
}

#[test]
fn a_long_block_that_only_gives_leaves_few_steps_if_it_is_shown_what_is_open() {
    for is_shown in [false, true] {
        let mut items = Items::default();
        for begin in 2..1000 {
            let on = stamp(0, begin);
            if is_shown {
                items.shown(on, &[1, begin]);
            }
            item(&mut items, stamp(1, begin), 0, &[], &[source(on, Some(1))]);
        }
        let steps = items.matrices().steps_in_all();
        assert!(if is_shown { steps <= 3 } else { steps == 998 }, "{steps} steps, shown: {is_shown}");
    }
}

#[test]
fn steps_below_a_block_that_opens_and_closes_do_not_pile_up() {
    let mut items = Items::default();
    for round in 0..1000 {
        let at = 2 + 10 * round;
        // T1 follows two inner blocks; then T0 names only the second as open.
        for begin in [at, at + 1] {
            item(&mut items, stamp(1, begin), 0, &[], &[source(stamp(0, begin), Some(1))]);
        }
        let named: &[u64] = if round == 0 { &[1, 3] } else { &[at + 1] };
        let pops = u32::from(round > 0);
        item(&mut items, stamp(0, at + 2), pops, named, &[source(stamp(2, at), None)]);
    }
    assert!(items.matrices().steps_in_all() <= 40, "{} steps", items.matrices().steps_in_all());
}
