//! Class initializers that run in a block.
//!
//! The JVM runs the initializer of a class in the thread that first needs the class, in the middle of whatever the
//! thread does, and lets no other thread use the class until the initializer has ended. So what an initializer does
//! belongs to no block around it: it is treated as done by a thread of its own, which ends before the block continues.
//! The same holds for what a class loader does to load a class, which the JVM asks for there; below, it is an
//! initializer, too. A trace does not say which events belong to initializers, so this is a function on traces *with marks*. It is the
//! specification of the agent's `Initializers`. Unlike the filters it changes answers, so it is not one of the
//! [`FILTERS`](super::FILTERS).
//!
//! # The rule
//! - The initializers that run in an open block of a thread are events of a second thread, one for each thread. When an
//!   initializer ends, it writes a variable of its own, which the thread then reads: so the initializer comes before
//!   the rest of the block. It does not come after the earlier part of the block.
//! - Whatever the open blocks have accessed since they began is ignored: an initializer's read of what they wrote last,
//!   its write of what they have written or have read since the last write, and its use of a lock that they hold or
//!   were the last to release, are no events. Otherwise a block would come before its own initializer, which comes
//!   before the rest of the block.
//! - Blocks in the initializer are blocks of that second thread.
//!
//! # Why nothing is invented
//! Take a path in the remaining trace from an event of a block to a later one of the same block, through other threads.
//! Each of its steps is a step of the whole trace: two events that conflict, in the same order; two of one thread, or
//! of the second thread; or from the end of an initializer to its thread. If all events of the second thread are taken
//! for events of the thread, it is a path of the whole trace, from the block back to it. It leaves the thread, because
//! no step leads from the block to its initializer.

use std::collections::HashMap;

use super::sampling::Kept;
use crate::event::{Event, LockId, Op, ThreadId, VarId};

/// Returns the remaining trace. `is_inside` is called for each event with its number in the trace, from 1. An
/// initializer runs from an event inside, while a block is open, to the first event that is not inside, where the same
/// blocks and locks are open and held as at its start. If others would be, it is not an initializer: the JVM runs no
/// such thing. An added event has the number of the next one of its thread.
pub fn aside(trace: &[Event], is_inside: impl Fn(u64) -> bool) -> Vec<Kept> {
    let number = |id: Option<usize>| id.map_or(0, |id| id as u32 + 1);
    let threads =
        number(trace.iter().map(|event| event.thread.max(other(event.op).unwrap_or(event.thread)).index()).max());
    let variables = number(trace.iter().filter_map(|event| event.op.variable()).map(|variable| variable.index()).max());
    let mut state = State { second: threads, next: variables, ..State::default() };
    let initializers = initializers(trace, is_inside);
    for (number, event) in (1..).zip(trace) {
        let start = initializers[number as usize - 1];
        state.take(number, *event, start);
    }
    state.kept
}

/// Returns, for each event, the number of the first event of its initializer, or 0.
fn initializers(trace: &[Event], is_inside: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut result = vec![0; trace.len()];
    let mut depths: HashMap<ThreadId, usize> = HashMap::new();
    for first in 0..trace.len() {
        let depth = depths.entry(trace[first].thread).or_default();
        if result[first] == 0 && *depth > 0 && is_inside(first as u64 + 1) {
            for event in extent(trace, first, &is_inside).unwrap_or_default() {
                result[event] = first as u64 + 1;
            }
        }
        match trace[first].op {
            Op::Begin(_) => *depth += 1,
            Op::End => *depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    result
}

/// Returns the events of the initializer that begins with the one at `first`; `None` if it would end with other blocks
/// or locks.
fn extent(trace: &[Event], first: usize, is_inside: impl Fn(u64) -> bool) -> Option<Vec<usize>> {
    let mut events = Vec::new();
    let mut open = Vec::new();
    for (at, event) in trace.iter().enumerate().skip(first).filter(|(_, event)| event.thread == trace[first].thread) {
        if open.is_empty() && (!is_inside(at as u64 + 1) || matches!(event.op, Op::End | Op::Release(_))) {
            break;
        }
        match event.op {
            Op::Begin(_) => open.push(None),
            Op::Acquire(lock) => open.push(Some(lock)),
            Op::End if open.pop() != Some(None) => return None,
            Op::Release(lock) if open.pop() != Some(Some(lock)) => return None,
            _ => {}
        }
        events.push(at);
    }
    Some(events)
}

fn other(op: Op) -> Option<ThreadId> {
    match op {
        Op::Fork(thread) | Op::Join(thread) => Some(thread),
        _ => None,
    }
}

#[derive(Default)]
struct State {
    /// The number of the first of the second threads.
    second: u32,
    /// A variable that is not in the trace.
    next: u32,
    threads: HashMap<ThreadId, Thread>,
    /// The last write of each variable, and the reads since.
    writes: HashMap<VarId, Place>,
    reads: HashMap<VarId, Vec<Place>>,
    /// The last release of each lock.
    releases: HashMap<LockId, Place>,
    kept: Vec<Kept>,
}

/// A remaining event: its thread, and its number in the trace.
#[derive(Clone, Copy)]
struct Place {
    thread: ThreadId,
    number: u64,
}

#[derive(Default)]
struct Thread {
    depth: usize,
    /// The number of the begin of the outermost open block.
    begun: u64,
    /// The locks that the thread holds, in order of acquisition.
    held: Vec<LockId>,
    initializer: Option<Initializer>,
}

/// A running initializer.
#[derive(Default)]
struct Initializer {
    /// The number of its first event in the trace.
    start: u64,
    /// The locks that it has taken, in order, and for each whether the acquire remained.
    held: Vec<(LockId, bool)>,
    /// At least one of its events remains.
    has_events: bool,
}

impl State {
    /// Processes an event of the initializer whose first event has the number `start`, or of none if that is 0.
    fn take(&mut self, number: u64, event: Event, start: u64) {
        let thread = self.threads.entry(event.thread).or_default();
        if thread.initializer.as_ref().is_some_and(|it| it.start != start) {
            self.end(event.thread, number);
        }
        if start == 0 {
            self.run(number, event);
        } else {
            let thread = self.threads.entry(event.thread).or_default();
            thread.initializer.get_or_insert_with(|| Initializer { start, ..Initializer::default() });
            self.initialize(number, event);
        }
    }

    fn keep(&mut self, number: u64, thread: ThreadId, op: Op) {
        let place = Place { thread, number };
        match op {
            Op::Read(x) => self.reads.entry(x).or_default().push(place),
            Op::Write(x) => {
                self.writes.insert(x, place);
                self.reads.remove(&x);
            }
            Op::Release(lock) => {
                self.releases.insert(lock, place);
            }
            _ => {}
        }
        self.kept.push(Kept { event: Event::new(thread, op), number });
    }

    /// Processes an event outside any initializer.
    fn run(&mut self, number: u64, event: Event) {
        let thread = self.threads.entry(event.thread).or_default();
        match event.op {
            Op::Begin(_) => {
                if thread.depth == 0 {
                    thread.begun = number;
                }
                thread.depth += 1;
            }
            Op::End => thread.depth = thread.depth.saturating_sub(1),
            Op::Acquire(lock) => thread.held.push(lock),
            Op::Release(lock) => {
                let at = thread.held.iter().rposition(|held| *held == lock);
                at.map(|at| thread.held.remove(at));
            }
            _ => {}
        }
        self.keep(number, event.thread, event.op);
    }

    /// Processes an event of an initializer.
    fn initialize(&mut self, number: u64, event: Event) {
        let thread = &self.threads[&event.thread];
        let is_of_block = |place: &Place| place.thread == event.thread && place.number >= thread.begun;
        let is_left = match event.op {
            Op::Read(x) => !self.writes.get(&x).is_some_and(is_of_block),
            Op::Write(x) => {
                !self.writes.get(&x).is_some_and(is_of_block)
                    && !self.reads.get(&x).is_some_and(|reads| reads.iter().any(is_of_block))
            }
            Op::Acquire(lock) => !thread.held.contains(&lock) && !self.releases.get(&lock).is_some_and(is_of_block),
            Op::Release(_) => {
                thread.initializer.as_ref().and_then(|it| it.held.last()).is_some_and(|(_, is_event)| *is_event)
            }
            _ => true,
        };
        let initializer =
            self.threads.get_mut(&event.thread).and_then(|thread| thread.initializer.as_mut()).expect("one that runs");
        match event.op {
            Op::Acquire(lock) => initializer.held.push((lock, is_left)),
            Op::Release(_) => {
                initializer.held.pop();
            }
            _ => {}
        }
        if is_left {
            initializer.has_events = true;
            self.keep(number, self.second(event.thread), event.op);
        }
    }

    /// Ends the initializer of the thread; `number` is that of the thread's next event.
    fn end(&mut self, thread: ThreadId, number: u64) {
        let initializer = self.threads.get_mut(&thread).and_then(|thread| thread.initializer.take());
        if initializer.is_some_and(|it| it.has_events) {
            let variable = VarId(self.next);
            self.next += 1;
            self.keep(number, self.second(thread), Op::Write(variable));
            self.keep(number, thread, Op::Read(variable));
        }
    }

    fn second(&self, thread: ThreadId) -> ThreadId {
        ThreadId(self.second + thread.index() as u32)
    }
}
