//! Would the delay of one thread's unfenced writes close a cycle? One event at a time.

use rustc_hash::FxHashMap;

use crate::event::{Event, LockId, Op, ThreadId, VarId};
use crate::graph::prefetch::{is_large, prefetch};
use crate::tso::history::{Act, History, NONE};
use crate::tso::points::{Assumption, Point};

/// What an event shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A read with an unfenced write of an earlier transaction before it.
    Unfenced {
        /// The write's event.
        write: u32,
        /// The read's.
        read: u32,
    },
    /// If the write is delayed past the access, there is a cycle.
    Late {
        /// The write's event.
        write: u32,
        /// The access's.
        access: u32,
    },
}

/// The reads of threads with unfenced writes that come before something, by a path that does not leave the thread at an
/// unfenced write; without those that another one of the thread replaces.
pub(super) type Clock = Vec<Departure>;

/// A read from which such a path starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    thread: ThreadId,
    /// Its event.
    read: u32,
    /// The last unfenced write of its variable before it in its thread; 0 without. While that is delayed, it serves the read,
    /// and nothing comes after the read because of what it read.
    own: u32,
}

/// The state after some events.
#[derive(Default)]
pub(super) struct Delays {
    threads: Vec<Thread>,
    vars: Vec<Var>,
    locks: FxHashMap<LockId, Clock>,
}

#[derive(Clone, Default)]
struct Thread {
    open_blocks: u32,
    /// The transaction it is in; grows.
    transaction: u32,
    /// The first unfenced write and its transaction, if there is one.
    unfenced: Option<(u32, u32)>,
    clock: Clock,
    /// Its last read.
    last_read: u32,
}

/// What is known of a variable: mostly one write and one read, without a list of its own.
#[derive(Clone, Default)]
struct Var {
    /// An unfenced write, which may have been fenced since.
    write: Write,
    /// A read since the last write, which may not matter any more.
    read: Departure,
    rest: Option<Box<Rest>>,
}

/// A write.
#[derive(Clone, Copy)]
struct Write {
    thread: ThreadId,
    /// Its event; 0 is before every unfenced write.
    number: u32,
}

#[derive(Clone, Default)]
struct Rest {
    /// Up to the last write, and up to the reads since.
    write: Clock,
    reads: Clock,
    /// The other unfenced writes, some of which may have been fenced since.
    unfenced: Vec<Write>,
    /// With so many of them those that are fenced are dropped: twice as many as were left the last time.
    most: usize,
}

impl Default for Departure {
    /// None.
    fn default() -> Departure {
        Departure { thread: ThreadId(0), read: 0, own: 0 }
    }
}

impl Default for Write {
    /// None.
    fn default() -> Write {
        Write { thread: ThreadId(0), number: 0 }
    }
}

impl Delays {
    /// True if [`Delays::prefetch`] pays.
    pub(super) fn is_large(&self) -> bool {
        is_large(&self.vars)
    }

    /// Has what is known of an access's variable in the cache soon.
    #[inline]
    pub(super) fn prefetch(&self, event: Event) {
        if let Op::Read(x) | Op::Write(x) = event.op {
            prefetch(&self.vars, x.index());
        }
    }

    /// Takes the next event, with its number.
    pub(super) fn take(&mut self, number: u32, event: Event) -> Result<(), Fault> {
        let thread = event.thread;
        let state = entry(&mut self.threads, thread.index());
        if state.open_blocks == 0 {
            state.transaction += 1;
        }
        match event.op {
            Op::Begin(_) => state.open_blocks += 1,
            Op::End => state.open_blocks = state.open_blocks.saturating_sub(1),
            Op::Nop | Op::Commit(_) => {}
            Op::Fence => state.unfenced = None,
            Op::Read(x) => return self.read(number, thread, x),
            Op::Write(x) => return self.write(number, thread, x),
            Op::Acquire(lock) => {
                state.unfenced = None;
                if let Some(clock) = self.locks.get(&lock) {
                    join(&mut self.threads, thread, clock);
                }
            }
            Op::Release(lock) => {
                state.unfenced = None;
                self.locks.insert(lock, state.clock.clone());
            }
            Op::Fork(child) => {
                state.unfenced = None;
                let clock = state.clock.clone();
                entry(&mut self.threads, child.index());
                join(&mut self.threads, child, &clock);
            }
            Op::Join(child) => {
                state.unfenced = None;
                let child = entry(&mut self.threads, child.index());
                child.unfenced = None;
                let clock = child.clock.clone();
                join(&mut self.threads, thread, &clock);
            }
        }
        Ok(())
    }

    fn read(&mut self, number: u32, thread: ThreadId, x: VarId) -> Result<(), Fault> {
        let state = &mut self.threads[thread.index()];
        if let Some((write, transaction)) = state.unfenced
            && transaction != state.transaction
        {
            return Err(Fault::Unfenced { write, read: number });
        }
        state.last_read = number;
        let var = entry(&mut self.vars, x.index());
        if state.unfenced.is_none() && state.clock.is_empty() && var.rest.is_none() {
            return Ok(());
        }
        let threads = &mut self.threads;
        if let Some(rest) = &var.rest {
            join(threads, thread, &rest.write);
        }
        let state = &threads[thread.index()];
        if !state.clock.is_empty() {
            add(&mut var.rest().reads, &state.clock, threads);
        }
        if state.unfenced.is_some() {
            let own = var.last_unfenced_of(thread, threads);
            var.depart(Departure { thread, read: number, own }, threads);
        }
        self.judge(number, thread, x)
    }

    fn write(&mut self, number: u32, thread: ThreadId, x: VarId) -> Result<(), Fault> {
        let threads = &mut self.threads;
        let var = entry(&mut self.vars, x.index());
        let read = std::mem::take(&mut var.read);
        if is_open(threads, read.thread, read.read) {
            join(threads, thread, &[read]);
        }
        if let Some(rest) = &mut var.rest {
            join(threads, thread, &rest.write);
            join(threads, thread, &rest.reads);
            rest.reads.clear();
        }
        let outcome = self.judge(number, thread, x);
        let state = &mut self.threads[thread.index()];
        let transaction = state.transaction;
        state.unfenced.get_or_insert((number, transaction));
        let var = &mut self.vars[x.index()];
        if var.rest.is_some() || !self.threads[thread.index()].clock.is_empty() {
            var.rest().write.clone_from(&self.threads[thread.index()].clock);
        }
        var.issue(thread, number, &self.threads);
        outcome
    }

    /// Looks for a thread whose unfenced write of `x`, delayed past this access, comes after it and before it.
    fn judge(&self, number: u32, thread: ThreadId, x: VarId) -> Result<(), Fault> {
        let clock = &self.threads[thread.index()].clock;
        if clock.is_empty() {
            return Ok(());
        }
        let is_followed = |write: &Write| {
            let (writer, write) = (write.thread, write.number);
            writer != thread
                && clock.iter().any(|from| from.thread == writer && from.own < write && write < from.read)
                && is_open(&self.threads, writer, write)
        };
        match self.vars[x.index()].writes().find(is_followed) {
            Some(write) => Err(Fault::Late { write: write.number, access: number }),
            None => Ok(()),
        }
    }
}

impl Var {
    fn rest(&mut self) -> &mut Rest {
        self.rest.get_or_insert_default()
    }

    /// The writes that may be unfenced, the last one first.
    fn writes(&self) -> impl Iterator<Item = Write> {
        let earlier = self.rest.as_ref().map_or(&[][..], |rest| &rest.unfenced);
        std::iter::once(self.write).chain(earlier.iter().rev().copied())
    }

    /// The last unfenced write of a thread that has some; 0 without.
    fn last_unfenced_of(&self, thread: ThreadId, threads: &[Thread]) -> u32 {
        let own = self.writes().find(|write| write.thread == thread).map_or(0, |write| write.number);
        if is_open(threads, thread, own) { own } else { 0 }
    }

    /// Adds a read of a thread with unfenced writes.
    fn depart(&mut self, new: Departure, threads: &[Thread]) {
        let known = self.read;
        if is_open(threads, known.thread, known.read) && !new.replaces(&known) {
            set(&mut self.rest().reads, new);
        } else {
            self.read = new;
        }
    }

    /// Adds a write. An older one of the thread, with no read of it since, can be delayed no better than the new one.
    fn issue(&mut self, thread: ThreadId, number: u32, threads: &[Thread]) {
        let last_read = threads[thread.index()].last_read;
        let matters = |write: &Write| {
            (write.thread != thread || last_read > write.number) && is_open(threads, write.thread, write.number)
        };
        let known = std::mem::replace(&mut self.write, Write { thread, number });
        if matters(&known) {
            let Rest { unfenced, most, .. } = self.rest();
            if unfenced.len() >= *most {
                unfenced.retain(matters);
                *most = 2 * unfenced.len() + 4;
            }
            unfenced.push(known);
        }
    }
}

impl Departure {
    /// True if a path from `other` can as well start here.
    fn replaces(&self, other: &Departure) -> bool {
        self.thread == other.thread && self.own <= other.own && self.read >= other.read
    }
}

/// True if `event` of `thread` is not before its first unfenced write.
fn is_open(threads: &[Thread], thread: ThreadId, event: u32) -> bool {
    threads[thread.index()].unfenced.is_some_and(|(first, _)| event >= first)
}

/// Lets the clock of `thread` follow `other`, but for what the thread itself has done: it does not leave by that.
fn join(threads: &mut [Thread], thread: ThreadId, other: &[Departure]) {
    if other.is_empty() {
        return;
    }
    let mut clock = std::mem::take(&mut threads[thread.index()].clock);
    clock.retain(|from| is_open(threads, from.thread, from.read));
    add(&mut clock, other, threads);
    clock.retain(|from| from.thread != thread);
    threads[thread.index()].clock = clock;
}

/// Adds what still matters of `other`.
fn add(clock: &mut Clock, other: &[Departure], threads: &[Thread]) {
    other.iter().filter(|from| is_open(threads, from.thread, from.read)).for_each(|from| set(clock, *from));
}

/// Adds a read unless another replaces it.
fn set(clock: &mut Clock, new: Departure) {
    if !clock.iter().any(|known| known.replaces(&new)) {
        clock.retain(|known| !new.replaces(known));
        clock.push(new);
    }
}

/// That the write is committed after the access.
pub(super) fn assumptions(history: &History, write: u32, access: u32) -> Vec<Assumption> {
    let place =
        |event| history.nodes.binary_search_by_key(&event, |node| node.event).expect("an access is a node") as u32;
    let (write, access) = (Point::Commit(place(write)), place(access));
    let node = history.node(access);
    match node.act {
        Act::Write(_) => vec![(Point::Commit(access), write)],
        _ => {
            let own = (node.own != NONE).then_some((Point::Commit(node.own), write));
            own.into_iter().chain([(Point::Event(node.event), write)]).collect()
        }
    }
}

#[inline]
fn entry<T: Clone + Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}
