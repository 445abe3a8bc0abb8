//! What is left of an execution of which only a part is watched.
//!
//! Each call of a method runs one of two bodies, the program's own or one with hooks, and stays in it. So begin and end of a block
//! are both watched or neither is; every other event is watched or not, whatever block it is in: methods that are no blocks have two
//! bodies as well. This is a function on traces and a choice for each event; it is the specification of the agent's `Sampling`,
//! `Monitor` and `Wait`. Unlike the filters it changes answers, so it has no place in [`FILTERS`](super::FILTERS).
//!
//! # What is kept
//! - A *begin* if it is chosen; the *end* of a block if its begin was kept. A block inside one that is not watched is then an
//!   outermost one.
//! - *Reads* and *writes* that are chosen.
//! - *Forks* and *joins*, always: they are rare, and their hooks are in the platform.
//! - An *acquire* that is chosen, unless its thread seems to have the lock: the release of a lock whose acquire was watched may not be,
//!   because a library's lock can be taken and left in different methods. If another thread seems to have it, that thread's release
//!   was missed. It has come after the acquire, and it is not known when; so it counts as if it had followed at once.
//! - A *release* that is chosen, if it ends what an acquire that was kept began.
//!
//! A hand-over through a queue ([`handovers`](crate::protocol::handovers)) is none of these and is not kept: what is received is
//! known by identity, and the same object could have been given again where nobody watched.
//!
//! # Why nothing is invented
//! Two events that conflict here conflict in the execution, in the same order, with one exception: the release that was put after
//! its acquire. What it leads to is an acquire by another thread, which the acquire before it comes before in the execution as well,
//! by way of the true release. So happens-before here is a part of happens-before there. Each block here is a block there, with the
//! same begin, and has no event that it does not have there: `begin → e → m` in one is `begin → e → m` in the other. And a
//! transaction here lies in one transaction there, events outside blocks among them, so a cycle here is a cycle there: it has
//! events of two threads at least, which no transaction has.
//!
//! What is missed is every violation of which an event is missing.

use crate::event::{Event, LockId, Op, ThreadId};
use crate::graph::accesses::at;

/// An event that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The event.
    pub event: Event,
    /// Its number in the whole trace, from 1. A release that was missed has the number of its acquire.
    pub number: u64,
}

/// What is left of a trace. `chooses` is asked for each event but ends, forks and joins, by its number.
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
    /// By thread: of each open block, whether it is watched.
    blocks: Vec<Vec<bool>>,
    locks: Vec<Lock>,
}

/// A lock as it seems to be.
#[derive(Clone, Default)]
struct Lock {
    owner: Option<ThreadId>,
    /// How often the owner has it.
    depth: u64,
    /// The index of its acquire among what is kept.
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
            // An end without a begin is none of a block.
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
