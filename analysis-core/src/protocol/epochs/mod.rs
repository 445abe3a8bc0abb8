//! The epoch protocol: nothing but dependencies leaves a thread. This is what the agent's hooks do if the accesses are not
//! needed, as a function on traces ([`record`]) and, step by step, on threads that interleave ([`Machine`]).
//!
//! # Positions
//! A thread's *position* grows at each begin that is watched and at each event with a dependency that is not implied by
//! earlier ones; at nothing else. A stamp (thread, position) names an *epoch*, not an event. Within an epoch a thread has no
//! begin and no incoming edge, so all that it does there is reached from the same events and is in the same blocks, except
//! those that have ended: as sources of edges these events are one. A cycle is closed, and a block violated, by an
//! edge *into* a running block only, and that is an item, which names the blocks that are open. So ends need no record.
//! A number's next thread starts one above the last position, at least at 1. "Did nothing" is a flag, not a position.
//!
//! # Words
//! Of a variable: `W`, the last write, with the lock; `R`, the last access that covers a read, or `SHARED` with a table
//! of the readers since the last write; `L` ([`Nested::Fast`] alone), a later read by the thread of `R`. Of a lock: the
//! last release. Of a thread, for others: its open blocks. See `memory.rs`.
//!
//! # Rules
//! - *begin*: position + 1; push (position, label); an outermost begin starts a segment, and with [`Nested::Exact`] an inner
//!   one too. The depth is stored after the entry. *end*: pop, and back to the segment of the block around it: to that block's begin
//!   or, if that is later, to the last item. Neither calls the engine. So a segment is what the thread has done since the
//!   last edge into it and since the begins of all blocks that are open. Blocks in between are over: nobody can violate them any
//!   more, so as a source of edges an access before them is as good as one after them.
//! - *covered read*: `R` is mine and not before the segment. No lock. The value is loaded before `R` is looked
//!   at. With [`Nested::Fast`], if `R` is not the current stamp, that is left in `L`, by a plain store. A reader in a table
//!   is covered if its thread remembers the table as one that it read in this segment; with `Fast` it renews its entry.
//!   Except with `Fast`, a read is covered too if `W`, looked at after `R`, is mine, of this segment and not locked.
//! - *renewal*: where `R` is mine, at any position, or a reader finds itself in the table, there is no new dependency. Except with `Fast`,
//!   a read then replaces the stamp by the current one, by an exchange and without the lock. A thread that has the lock also takes a stamp
//!   by an exchange, which marks it, before the stamp becomes a dependency: then a renewal fails, and cannot be lost.
//! - *every other access* locks `W`, and loads its value again. A renewal under the lock stores the current stamp. Otherwise a read depends
//!   on `W`, a write on `W` and all readers. **`R` means the later of `R` and `L` where both are of one thread**: when it is compared with
//!   `W` to see whether any thread has read, when it goes into a table, and as a dependency. A first reader since the write needs no table,
//!   nor does one that has depended on the epoch of the only other reader: whatever follows it follows that one. A write changes `R`, then
//!   its value, then `W`, which unlocks; also if it needs no new stamp (`R` and `W` are one of mine, of this segment; not with `Fast`),
//!   since a reader may just have looked at `R`.
//! - *a dependency* on (u, p) is implied if the thread has depended on u at p or later. If one is not: for each source, u's
//!   open blocks are read, those that began not after p (the outermost is `o`); position + 1, which starts a segment; the
//!   engine is called with the item; only then are stamps stored that name the new position, and the variable unlocked.
//! - *release* stamps the lock's word, *acquire* depends on it; both while the lock is held. *fork* leaves its stamp to the
//!   child, *join* depends on the child's last position, if the child has had an event.
//! - A fork is *settled* by the child: at the latest before it gives out a stamp or has another dependency. Until
//!   then no shortcut holds. A begin need not settle it: nothing enters a block through the fork, since it came before.
//! - An *item* has the position, how many blocks that were named before are closed, those that are open and not named
//!   yet, and the sources with their `o` ([`ItemStep`]). For an analysis that takes the items from
//!   rings instead of being called, it also has for each source how many items u had handed over (`c`), read after u's
//!   blocks: the item waits until that many of u's have been taken ([`Handed::counts`]).
//!
//! # Learning
//! A run that learns for a profile reports which variables and locks threads share ([`crate::filter::guided`]): where a
//! dependency is not implied, and where a write finds an access by another thread, implied or not, unless that access came before
//! the start of the writing thread: in its starter, not after the *fork*. Three rules serve this alone. A fork starts an epoch
//! and a segment, so that what the starter does next is not taken for what it did before. A reader always enters the table if
//! another thread has read, even if it has depended on the other's epoch: else the other would be forgotten. And a write also
//! looks at `W` and all readers where `R` is its own: after a read in the same block it always is.
//!
//! # What it promises
//! The verdict, and the set of violated blocks with their depths, are those of the trace; the function on traces names the
//! same events. With [`Nested::Fast`] that holds for the function on traces, and in interleaved executions for the verdict
//! and outermost blocks; nothing is blamed falsely, but where a covered read overlaps a locked access by another thread,
//! the epoch that it leaves in `L` can be lost, so an inner block is missed. With [`Nested::Outermost`] inner blocks are not
//! watched. `tests/` compares all this with the reference, on the trace of what happened: reads and writes in the order
//! in which values were loaded and stored. Weak memory is not modelled: the agent's stress tests look for that.

mod hooks;
mod machine;
mod memory;
mod rounds;

pub use machine::Machine;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::engine::{Findings, ItemEngine, ItemStep, Push, Source};
use crate::event::{Event, Op, Stamp};

/// How inner blocks are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nested {
    /// They are watched exactly: each begin starts a segment.
    Exact,
    /// They are watched, but only outermost begins start a segment; `L` keeps the epoch of a covered read.
    Fast,
    /// They are not watched.
    Outermost,
}

/// How the protocol runs.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How inner blocks are treated.
    pub nested: Nested,
    /// How many tables of readers a thread remembers; at least 1.
    pub shared_reads: usize,
    /// Whether the engine gets what was read of the sources' stacks beyond the outermost begin.
    pub shows: bool,
    /// Whether other threads may come in between the steps of a hook.
    pub interleaves: bool,
    /// Whether the run reports what threads share ([`Run::shared`]).
    pub learns: bool,
}

/// An event that took effect.
#[derive(Clone, Copy, Debug)]
pub struct Happened {
    /// The event, with its thread as named in the trace.
    pub event: Event,
    /// The thread's number, and its position at that moment; a begin's is the begin's own.
    pub stamp: Stamp,
}

/// An item, as it was handed over.
#[derive(Clone, Debug)]
pub struct Handed {
    /// The thread's number, and its new position.
    pub now: Stamp,
    /// How many events had begun, in all threads, with that of the item.
    pub event: u64,
    /// See [`crate::engine::ItemStep::pops`].
    pub pops: u32,
    /// See [`crate::engine::ItemStep::pushes`].
    pub pushes: Vec<Push>,
    /// See [`crate::engine::ItemStep::sources`].
    pub sources: Vec<Source>,
    /// Of each source: how many items its number had handed over, read after its blocks (`c`).
    pub counts: Vec<u64>,
}

impl Handed {
    /// What the engine gets.
    pub fn step(&self) -> ItemStep<'_> {
        ItemStep { now: self.now, pops: self.pops, pushes: &self.pushes, sources: &self.sources }
    }
}

/// What the protocol makes of an execution.
#[derive(Clone, Debug)]
pub struct Run {
    /// The events, in the order in which they took effect.
    pub happened: Vec<Happened>,
    /// The items, in the order in which the engine was called.
    pub handed: Vec<Handed>,
    /// The threads in the order in which they came: number and first position.
    pub opened: Vec<Stamp>,
    /// What the engine found. Threads are numbers, and positions are epochs.
    pub findings: Findings,
    /// If the run learns: the accesses and acquires that showed that threads share a variable or a lock.
    pub shared: Vec<Event>,
}

/// Applies the protocol to a well-formed trace: each hook at once, in the order of the events. A thread that is joined ends
/// there; the others go on.
///
/// # Panics
/// If the trace is not well-formed.
pub fn record(trace: &[Event], setup: Setup, engine: Box<dyn ItemEngine>) -> Run {
    let machine = Machine::new(Setup { interleaves: false, ..setup }, engine);
    for event in trace {
        if let Op::Join(child) = event.op {
            at_once(machine.finish(child));
        }
        at_once(machine.perform(*event));
    }
    machine.run()
}

/// A future that has nothing to wait for.
fn at_once(future: impl Future<Output = ()>) {
    let outcome = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(outcome, Poll::Ready(()), "an event of a well-formed trace waits for nobody");
}
