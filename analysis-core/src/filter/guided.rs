//! What a run watches when earlier runs have shown what its threads share: how that is learnt, and what remains of an
//! execution.
//!
//! Both are functions on traces, and the specification of the agent's `profile=`, which keeps what is learnt in a
//! [`Profile`](crate::profile::Profile). Like [`sampling`](super::sampling) this changes answers, so it is not one of
//! the [`FILTERS`](super::FILTERS).
//!
//! # What is learnt
//! A variable or lock is *shared* if
//! 1. it gives a dependency from one thread to another that earlier ones do not imply ([`epochs`]), or
//! 2. it is a variable that is written after another thread has accessed it, no matter what orders the two, unless the
//!    access came before the start of the writing thread, in its starter, or was a read of a thread that the writing
//!    one had joined; or a lock that is acquired after another thread has released it, with the same exception for the
//!    starter.
//!
//! By the first rule alone, a variable that is always locked would not be shared, as the lock orders its accesses; yet
//! the variable is what a path without the lock would break, and no run may have taken that path yet. Not shared is
//! what only one thread uses, what was written before its readers were started or after they were joined, and what is
//! published once by something that is shared. Starts and joins always remain. If a third thread starts and joins two
//! threads one after the other, what both use is shared: they may run concurrently the next time.
//!
//! A learning run does not pass the number of an ended thread on to a new one, so that the two stay two threads. (An
//! agent does, once there have been 65 536 threads.)
//!
//! A block is shared if something shared was accessed in it, or a thread was started or joined, by its own events or in
//! inner blocks. Whether an access gave an order does not matter: in a run without violations, the first of two methods
//! has only ordered the other after it, and yet it is the one that could be violated.
//!
//! # What remains
//! Forks and joins, accesses to what is shared, begins and ends of shared blocks. Acquires and releases of one lock
//! stay together. A shared block inside a block that is not shared becomes an outermost one. Some of the accesses may
//! have no hook.
//!
//! # What is found
//! Whatever is kept, nothing is invented: all events are those of the execution, in their order, so the remaining
//! happens-before is a subset of the execution's; and each remaining transaction lies in one transaction of the
//! execution.
//!
//! In the run from which the profile was learnt, everything is found, by rule 1 alone, with one exception. Let a
//! dependency on event `e` of thread `u` be implied: the thread has depended on an event `e'` of `u` before, of the
//! same epoch or a later one. Whatever leads into `e` leads into the beginning of its epoch or comes before it, so it
//! leads to `e'`, too; and no open block begins before `e'` but not before `e`. The paths over the remaining edges show
//! everything that the others showed. The exception is a thread *none* of whose events remains. It counts as one that
//! did nothing, so no order leads from its fork to its joins: the answer is that on the trace without the events of
//! such threads.
//!
//! For another run, every violation with a missing event is missed.

use std::collections::BTreeSet;

use super::sampling::Kept;
use crate::engine::{Findings, ItemEngine, ItemStep, Violation};
use crate::event::{Event, LabelId, LockId, Op, Stamp, ThreadId, VarId};
use crate::graph::accesses::at;
use crate::protocol::epochs::{self, Nested, Setup};

/// What threads share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Variables; for an agent: declarations of fields, and the like.
    pub vars: BTreeSet<VarId>,
    /// Locks.
    pub locks: BTreeSet<LockId>,
    /// Blocks, by label.
    pub blocks: BTreeSet<LabelId>,
}

impl Shared {
    /// Learns from a well-formed trace; `nested` is how the learning run treats inner blocks.
    pub fn learn(trace: &[Event], nested: Nested) -> Shared {
        let setup = Setup { nested, shared_reads: 1, shows: false, interleaves: false, learns: true };
        Shared::of(trace, &epochs::record(trace, setup, Box::new(NoEngine::default())).shared)
    }

    /// Learns from a trace and those of its accesses and acquires that show sharing
    /// ([`Run::shared`](epochs::Run::shared)).
    pub fn of(trace: &[Event], shows: &[Event]) -> Shared {
        let mut shared = Shared::default();
        for event in shows {
            match event.op {
                Op::Read(x) | Op::Write(x) => shared.vars.insert(x),
                Op::Acquire(l) => shared.locks.insert(l),
                _ => false,
            };
        }
        shared.add_blocks_of(trace);
        shared
    }

    /// Adds the blocks that contain a remaining event.
    fn add_blocks_of(&mut self, trace: &[Event]) {
        let mut open: Vec<Vec<LabelId>> = Vec::new();
        for event in trace {
            let blocks = at(&mut open, event.thread.index());
            match event.op {
                Op::Begin(label) => blocks.push(label),
                Op::End => _ = blocks.pop(),
                _ if self.keeps(event.op) => self.blocks.extend(blocks.iter()),
                _ => {}
            }
        }
    }

    /// Whether `op` remains and can give an order between threads: never true for begins and ends.
    fn keeps(&self, op: Op) -> bool {
        match op {
            Op::Read(x) | Op::Write(x) => self.vars.contains(&x),
            Op::Acquire(l) | Op::Release(l) => self.locks.contains(&l),
            Op::Fork(_) | Op::Join(_) => true,
            _ => false,
        }
    }
}

/// Returns what remains of a trace if only shared things are watched. `has_hook` is called for each access to one, with
/// its number.
pub fn guided(trace: &[Event], shared: &Shared, mut has_hook: impl FnMut(u64) -> bool) -> Vec<Kept> {
    let mut open: Vec<Vec<bool>> = Vec::new();
    let mut kept = Vec::new();
    for (number, event) in (1..).zip(trace) {
        let blocks = at(&mut open, event.thread.index());
        let is_kept = match event.op {
            Op::Begin(label) => {
                blocks.push(shared.blocks.contains(&label));
                shared.blocks.contains(&label)
            }
            Op::End => blocks.pop().unwrap_or(false),
            Op::Read(_) | Op::Write(_) => shared.keeps(event.op) && has_hook(number),
            _ => shared.keeps(event.op),
        };
        if is_kept {
            kept.push(Kept { event: *event, number });
        }
    }
    kept
}

/// An engine that ignores the items.
#[derive(Default)]
struct NoEngine(Findings);

impl ItemEngine for NoEngine {
    fn item(&mut self, _: &ItemStep<'_>) {}

    fn shown(&mut self, _: Stamp, _: &[u64]) {}

    fn opened(&mut self, _: Stamp) {}

    fn forget(&mut self, _: ThreadId) -> bool {
        true
    }

    fn take_violations(&mut self) -> Vec<Violation> {
        Vec::new()
    }

    fn findings(&self) -> &Findings {
        &self.0
    }
}
