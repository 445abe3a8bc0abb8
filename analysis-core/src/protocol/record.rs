//! From a trace, in the order in which it happened, to the streams that the hooks would record.

use std::collections::HashMap;

use crate::event::{Event, Op, Stamp, ThreadId};
use crate::graph::accesses::at;

/// What a thread's stream holds, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item<O = Op, D = Stamp> {
    /// The next event of the stream has this dependency.
    Depend(D),
    /// An event. Its position is how many events the stream holds up to and with it.
    Event(O),
}

/// What the protocol makes of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// By thread: its stream.
    pub streams: Vec<Vec<Item>>,
    /// By thread, by position less one: the number of the recorded event in the trace.
    pub numbers: Vec<Vec<u64>>,
    /// Each access that was not recorded: its number in the trace, and the recorded event that covers it.
    pub covered: Vec<(u64, Stamp)>,
    /// How many dependencies were implied by earlier ones.
    pub implied: u64,
}

/// Applies the protocol to a trace.
pub fn record(trace: &[Event]) -> Recording {
    let mut recorder = Recorder::default();
    for (number, event) in (1..).zip(trace) {
        recorder.event(number, *event);
    }
    recorder.recording
}

#[derive(Default)]
struct Recorder {
    threads: Vec<Thread>,
    vars: Vec<Variable>,
    locks: Vec<Lock>,
    recording: Recording,
}

#[derive(Default)]
struct Thread {
    /// The position of the last recorded event.
    position: u64,
    /// The position of the first event of the segment.
    segment: u64,
    /// How many blocks are open.
    depth: usize,
    /// The highest position of each other thread that this one has depended on.
    known: HashMap<ThreadId, u64>,
    /// Where it was forked, until its next event.
    forks: Vec<Stamp>,
}

/// The two words of a variable.
#[derive(Default)]
struct Variable {
    /// `W`: the last write.
    write: Stamp,
    /// `R`: the last access that covers a read.
    read: Readers,
}

enum Readers {
    /// The last write, if nobody has read since, or the one reader.
    One(Stamp),
    /// `SHARED`: the last read of each thread. New after each write.
    Shared(Vec<Stamp>),
}

impl Default for Readers {
    fn default() -> Readers {
        Readers::One(Stamp::NEVER)
    }
}

#[derive(Default)]
struct Lock {
    /// The last release of each thread that no later release of the lock is known to follow.
    releases: Vec<Stamp>,
}

impl Recorder {
    fn event(&mut self, number: u64, Event { thread, op }: Event) {
        let state = at(&mut self.threads, thread.index());
        let dependencies = std::mem::take(&mut state.forks);
        match op {
            Op::Read(x) => self.read(number, thread, op, x.index(), dependencies),
            Op::Write(x) => self.write(number, thread, op, x.index(), dependencies),
            Op::Acquire(l) => self.acquire(number, thread, op, l.index(), dependencies),
            Op::Release(l) => self.release(number, thread, op, l.index(), dependencies),
            Op::Fork(u) => {
                let me = self.put(number, thread, op, dependencies);
                at(&mut self.threads, u.index()).forks.push(me);
            }
            Op::Join(u) => {
                let last = at(&mut self.threads, u.index()).position;
                let last = (last > 0).then(|| Stamp::new(u, last));
                self.put(number, thread, op, dependencies.into_iter().chain(last).collect());
            }
            Op::Begin(_) => {
                let me = self.put(number, thread, op, dependencies);
                let state = &mut self.threads[thread.index()];
                state.depth += 1;
                state.segment = me.position();
            }
            Op::End => {
                let me = self.put(number, thread, op, dependencies);
                let state = &mut self.threads[thread.index()];
                state.depth = state.depth.saturating_sub(1);
                if state.depth == 0 {
                    state.segment = me.position();
                }
            }
            Op::Fence | Op::Commit(_) | Op::Nop => {
                self.put(number, thread, op, dependencies);
            }
        }
    }

    fn read(&mut self, number: u64, thread: ThreadId, op: Op, x: usize, mut dependencies: Vec<Stamp>) {
        let variable = at(&mut self.vars, x);
        let read = match &variable.read {
            Readers::One(stamp) => *stamp,
            Readers::Shared(readers) => entry(readers, thread),
        };
        // What others have read since does not matter to a read: my own write covers it although `R` is theirs by now.
        let mut covers =
            [read, variable.write].into_iter().filter(|stamp| self.threads[thread.index()].is_mine(thread, *stamp));
        if dependencies.is_empty()
            && let Some(cover) = covers.next()
        {
            self.recording.covered.push((number, cover));
            return;
        }
        dependencies.push(variable.write);
        let me = self.put(number, thread, op, dependencies);
        let variable = &mut self.vars[x];
        match &mut variable.read {
            // A first reader since the write needs no array: `W` still says who wrote.
            Readers::One(stamp) if *stamp == variable.write || !stamp.is_foreign_to(thread) => *stamp = me,
            Readers::One(stamp) => variable.read = Readers::Shared(vec![*stamp, me]),
            Readers::Shared(readers) => {
                readers.retain(|reader| reader.thread() != thread);
                readers.push(me);
            }
        }
    }

    fn write(&mut self, number: u64, thread: ThreadId, op: Op, x: usize, mut dependencies: Vec<Stamp>) {
        let variable = at(&mut self.vars, x);
        let is_last = matches!(variable.read, Readers::One(stamp) if stamp == variable.write);
        if dependencies.is_empty() && is_last && self.threads[thread.index()].is_mine(thread, variable.write) {
            self.recording.covered.push((number, variable.write));
            return;
        }
        dependencies.push(variable.write);
        match &variable.read {
            Readers::One(stamp) => dependencies.push(*stamp),
            Readers::Shared(readers) => dependencies.extend(readers),
        }
        let me = self.put(number, thread, op, dependencies);
        self.vars[x] = Variable { write: me, read: Readers::One(me) };
    }

    fn acquire(&mut self, number: u64, thread: ThreadId, op: Op, l: usize, mut dependencies: Vec<Stamp>) {
        dependencies.extend(&at(&mut self.locks, l).releases);
        self.put(number, thread, op, dependencies);
    }

    /// The releases that the thread has depended on happen before this one, and so do its own.
    fn release(&mut self, number: u64, thread: ThreadId, op: Op, l: usize, dependencies: Vec<Stamp>) {
        let me = self.put(number, thread, op, dependencies);
        let state = &self.threads[thread.index()];
        let releases = &mut at(&mut self.locks, l).releases;
        releases.retain(|release| release.is_foreign_to(thread) && !state.is_implied(*release));
        releases.push(me);
    }

    /// Records an event with those of the dependencies that are on other threads and not implied.
    fn put(&mut self, number: u64, thread: ThreadId, op: Op, dependencies: Vec<Stamp>) -> Stamp {
        let state = at(&mut self.threads, thread.index());
        let stream = at(&mut self.recording.streams, thread.index());
        state.position += 1;
        let me = Stamp::new(thread, state.position);
        for dependency in dependencies.into_iter().filter(|stamp| stamp.is_foreign_to(thread)) {
            if state.is_implied(dependency) {
                self.recording.implied += 1;
                continue;
            }
            state.known.insert(dependency.thread(), dependency.position());
            state.segment = me.position();
            stream.push(Item::Depend(dependency));
        }
        stream.push(Item::Event(op));
        at(&mut self.recording.numbers, thread.index()).push(number);
        me
    }
}

impl Thread {
    /// True if `stamp` is of `thread`, which this is, and in its segment.
    fn is_mine(&self, thread: ThreadId, stamp: Stamp) -> bool {
        !stamp.is_never() && stamp.thread() == thread && stamp.position() >= self.segment
    }

    fn is_implied(&self, dependency: Stamp) -> bool {
        self.known.get(&dependency.thread()).is_some_and(|known| *known >= dependency.position())
    }
}

fn entry(readers: &[Stamp], thread: ThreadId) -> Stamp {
    readers.iter().copied().find(|reader| reader.thread() == thread).unwrap_or(Stamp::NEVER)
}
