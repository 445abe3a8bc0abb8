//! Sources of events in traces that are not well-formed.

use super::*;
use crate::event::LockId;

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const C: ThreadId = ThreadId(2);
const ACQUIRE: Op = Op::Acquire(LockId(0));
const RELEASE: Op = Op::Release(LockId(0));

/// Returns the positions of the events that the last event must follow.
fn sources_of_last(trace: &[(ThreadId, Op)]) -> Vec<u64> {
    let mut accesses = Accesses::<()>::default();
    let mut sources = Vec::new();
    for (position, &(thread, op)) in (1..).zip(trace) {
        sources.clear();
        accesses.event(Stamp::new(thread, position), op, &mut sources);
    }
    let mut positions: Vec<u64> = sources.iter().map(|source| source.stamp.position()).collect();
    positions.sort_unstable();
    positions
}

#[test]
fn a_release_without_an_acquire_does_not_stand_for_what_another_thread_acquired() {
    assert_eq!(sources_of_last(&[(A, RELEASE), (B, ACQUIRE), (C, RELEASE), (C, ACQUIRE)]), [1]);
    assert_eq!(sources_of_last(&[(A, RELEASE), (B, ACQUIRE), (B, RELEASE), (C, ACQUIRE)]), [3]);
}

#[test]
fn a_thread_that_was_forked_twice_follows_both_forks() {
    assert_eq!(sources_of_last(&[(A, Op::Fork(C)), (B, Op::Fork(C)), (C, Op::Nop)]), [1, 2]);
}
