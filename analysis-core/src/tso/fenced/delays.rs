//! Would the delay of one thread's unfenced writes close a cycle? One event at a time.

use rustc_hash::FxHashMap;

use crate::event::{Event, LockId, Op, ThreadId, VarId};
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
}

#[derive(Clone, Default)]
struct Var {
    /// Up to the last write, and up to the reads since.
    write: Clock,
    reads: Clock,
    /// The unfenced writes, those of each thread in order, and possibly some that have been fenced since.
    unfenced: Vec<(ThreadId, u32)>,
}

impl Delays {
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
        let state = &self.threads[thread.index()];
        if let Some((write, transaction)) = state.unfenced
            && transaction != state.transaction
        {
            return Err(Fault::Unfenced { write, read: number });
        }
        let var = entry(&mut self.vars, x.index());
        join(&mut self.threads, thread, &var.write);
        let state = &self.threads[thread.index()];
        add(&mut var.reads, &state.clock, &self.threads);
        if state.unfenced.is_some() {
            let unfenced = var.unfenced.iter().rev().find(|(writer, _)| *writer == thread);
            let own =
                unfenced.filter(|(_, write)| is_open(&self.threads, thread, *write)).map_or(0, |(_, write)| *write);
            set(&mut var.reads, Departure { thread, read: number, own });
        }
        self.judge(number, thread, x)
    }

    fn write(&mut self, number: u32, thread: ThreadId, x: VarId) -> Result<(), Fault> {
        let var = entry(&mut self.vars, x.index());
        join(&mut self.threads, thread, &var.write);
        join(&mut self.threads, thread, &var.reads);
        let outcome = self.judge(number, thread, x);
        let state = &mut self.threads[thread.index()];
        let transaction = state.transaction;
        state.unfenced.get_or_insert((number, transaction));
        let var = &mut self.vars[x.index()];
        var.reads.clear();
        var.write.clone_from(&state.clock);
        var.unfenced.push((thread, number));
        outcome
    }

    /// Looks for a thread whose unfenced write of `x`, delayed past this access, comes after it and before it.
    fn judge(&mut self, number: u32, thread: ThreadId, x: VarId) -> Result<(), Fault> {
        let threads = &self.threads;
        let unfenced = &mut self.vars[x.index()].unfenced;
        unfenced.retain(|(writer, write)| is_open(threads, *writer, *write));
        let clock = &threads[thread.index()].clock;
        let is_followed = |&&(writer, write): &&(ThreadId, u32)| {
            writer != thread && clock.iter().any(|from| from.thread == writer && from.own < write && write < from.read)
        };
        match unfenced.iter().find(is_followed) {
            Some(&(_, write)) => Err(Fault::Late { write, access: number }),
            None => Ok(()),
        }
    }
}

/// True if `event` of `thread` is not before its first unfenced write.
fn is_open(threads: &[Thread], thread: ThreadId, event: u32) -> bool {
    threads[thread.index()].unfenced.is_some_and(|(first, _)| event >= first)
}

/// Lets the clock of `thread` follow `other`, but for what the thread itself has done: it does not leave by that.
fn join(threads: &mut [Thread], thread: ThreadId, other: &Clock) {
    let mut clock = std::mem::take(&mut threads[thread.index()].clock);
    clock.retain(|from| is_open(threads, from.thread, from.read));
    add(&mut clock, other, threads);
    clock.retain(|from| from.thread != thread);
    threads[thread.index()].clock = clock;
}

/// Adds what still matters of `other`.
fn add(clock: &mut Clock, other: &Clock, threads: &[Thread]) {
    other.iter().filter(|from| is_open(threads, from.thread, from.read)).for_each(|from| set(clock, *from));
}

/// A later read that an earlier write serves, or none, replaces another of its thread.
fn set(clock: &mut Clock, new: Departure) {
    let replaces = |a: &Departure, b: &Departure| a.thread == b.thread && a.own <= b.own && a.read >= b.read;
    if !clock.iter().any(|known| replaces(known, &new)) {
        clock.retain(|known| !replaces(&new, known));
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

fn entry<T: Clone + Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}
