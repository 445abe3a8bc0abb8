//! What remains of an execution that is only partly watched.
//!
//! Each call of a method runs one of two bodies, the program's own or one with hooks, and stays in it. So the begin and
//! end of a block are both watched or neither is. Every other event is watched or not independently of its block:
//! methods that are not blocks have two bodies as well. This is a function on traces and a choice for each event; it is
//! the specification of the agent's `Sampling`, `Monitor` and `Wait`. Unlike the filters it changes answers, so it is
//! not one of the [`FILTERS`](super::FILTERS).
//!
//! # What is kept
//! - A *begin* if it is chosen; the *end* of a block if its begin was kept. A watched block inside one that is not
//!   watched becomes an outermost one.
//! - *Reads* and *writes* that are chosen.
//! - *Forks* and *joins*, always: they are rare, and their hooks are in the platform.
//! - An *acquire* that is chosen, unless its thread seems to hold the lock already: the release of a lock whose acquire
//!   was watched may be unwatched, because a library's lock can be acquired and released in different methods. If
//!   another thread seems to hold it, that thread's release was missed. The release came after its acquire, at an
//!   unknown time; so it counts as if it had followed immediately.
//! - A *release* that is chosen, if it matches an acquire that was kept.
//!
//! A hand-over through a queue ([`handovers`](crate::protocol::handovers)) is none of these and is not kept: received
//! objects are recognized by identity, and the same object could have been passed again in unwatched code.
//!
//! # Why nothing is invented
//! Two events that conflict here conflict in the execution, in the same order, with one exception: the release that was
//! put after its acquire. It leads to an acquire by another thread, and in the execution its own acquire comes before
//! that one as well, through the true release. So happens-before here is a subset of the execution's. Each block here
//! is a block of the execution, with the same begin, and has no event that it does not have there: `begin → e → m` in
//! one is `begin → e → m` in the other. And a transaction here, which may be an event outside blocks, lies in one
//! transaction of the execution, so a cycle here is a cycle there: it has events of at least two threads, which no
//! transaction has.
//!
//! Every violation with a missing event is missed.

use crate::event::{Event, LockId, Op, ThreadId};
use crate::graph::accesses::at;

/// An event that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The event.
    pub event: Event,
    /// Its number in the whole trace, from 1. A missed release has the number of its acquire.
    pub number: u64,
}

/// Returns what remains of a trace. `chooses` is called for each event except ends, forks and joins, with its number.
pub fn sampled(trace: &[Event], mut chooses: impl FnMut(u64) -> bool) -> Vec<Kept> {
    let mut sampling = Sampling::default();
    for (number, event) in (1..).zip(trace) {
        let is_chosen = !matches!(event.op, Op::End | Op::Fork(_) | Op::Join(_)) && chooses(number);
        sampling.take(Kept { event: *event, number }, is_chosen);
    }
    sampling.kept
}

#[derive(Default)]
struct Sampling {
    kept: Vec<Kept>,
    /// By thread: for each open block, whether it is watched.
    blocks: Vec<Vec<bool>>,
    locks: Vec<Lock>,
}

/// The presumed state of a lock.
#[derive(Clone, Default)]
struct Lock {
    owner: Option<ThreadId>,
    /// How often the owner holds it.
    depth: u64,
    /// The index of its acquire in [`Sampling::kept`].
    acquired: usize,
}

impl Sampling {
    fn take(&mut self, next: Kept, is_chosen: bool) {
        let thread = next.event.thread;
        let is_kept = match next.event.op {
            Op::Begin(_) => {
                at(&mut self.blocks, thread.index()).push(is_chosen);
                is_chosen
            }
            // An end without a begin belongs to no block.
            Op::End => at(&mut self.blocks, thread.index()).pop().unwrap_or(true),
            Op::Fork(_) | Op::Join(_) => true,
            Op::Acquire(lock) => is_chosen && self.acquires(thread, lock),
            Op::Release(lock) => is_chosen && self.releases(thread, lock),
            _ => is_chosen,
        };
        if is_kept {
            self.kept.push(next);
        }
    }

    fn acquires(&mut self, thread: ThreadId, name: LockId) -> bool {
        let lock = at(&mut self.locks, name.index());
        if lock.owner == Some(thread) {
            lock.depth += 1;
            return false;
        }
        let missed = lock.owner.map(|owner| (owner, lock.acquired));
        if let Some((owner, acquired)) = missed {
            let event = Event { thread: owner, op: Op::Release(name) };
            let number = self.kept[acquired].number;
            self.kept.insert(acquired + 1, Kept { event, number });
            let moved = self.locks.iter_mut().filter(|lock| lock.acquired > acquired);
            moved.for_each(|lock| lock.acquired += 1);
        }
        let acquired = self.kept.len();
        *at(&mut self.locks, name.index()) = Lock { owner: Some(thread), depth: 1, acquired };
        true
    }

    fn releases(&mut self, thread: ThreadId, name: LockId) -> bool {
        let lock = at(&mut self.locks, name.index());
        if lock.owner != Some(thread) {
            return false;
        }
        lock.depth -= 1;
        if lock.depth == 0 {
            lock.owner = None;
        }
        lock.depth == 0
    }
}
