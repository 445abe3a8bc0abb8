//! From a trace, in the order in which it happened, to the streams that the hooks would record.

use rustc_hash::FxHashMap;

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
    let mut recording = Recording::default();
    for (number, event) in (1..).zip(trace) {
        match recorder.event(*event) {
            Recorded::Covered(cover) => recording.covered.push((number, cover)),
            Recorded::Event(me) => {
                let stream = at(&mut recording.streams, me.thread().index());
                stream.extend(recorder.dependencies().iter().copied().map(Item::Depend));
                stream.push(Item::Event(event.op));
                at(&mut recording.numbers, me.thread().index()).push(number);
            }
        }
    }
    recording.implied = recorder.implied;
    recording
}

/// The protocol, event by event, with the state that the agent's hooks share among them.
#[derive(Default)]
pub struct Recorder {
    threads: Vec<Thread>,
    vars: Vec<Variable>,
    locks: Vec<Lock>,
    /// What the current event follows; what remains after filtering is recorded.
    dependencies: Vec<Stamp>,
    implied: u64,
}

/// What becomes of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// It is redundant: this recorded event covers it.
    Covered(Stamp),
    /// It is recorded under this name, with [`Recorder::dependencies`].
    Event(Stamp),
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
    known: FxHashMap<ThreadId, u64>,
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
    /// The last write, if there was no read since, or the one reader.
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
    /// Takes the next event of the trace.
    pub fn event(&mut self, event: Event) -> Recorded {
        self.dependencies.clear();
        if let Some(cover) = self.cover(event) {
            return Recorded::Covered(cover);
        }
        let Event { thread, op } = event;
        self.dependencies.append(&mut at(&mut self.threads, thread.index()).forks);
        match op {
            Op::Read(x) => return Recorded::Event(self.read(thread, x.index())),
            Op::Write(x) => return Recorded::Event(self.write(thread, x.index())),
            Op::Acquire(l) => self.dependencies.extend(&at(&mut self.locks, l.index()).releases),
            Op::Join(u) => {
                let last = at(&mut self.threads, u.index()).position;
                self.dependencies.extend((last > 0).then(|| Stamp::new(u, last)));
            }
            _ => {}
        }
        let me = self.put(thread);
        match op {
            Op::Release(l) => self.release(me, l.index()),
            Op::Fork(u) => at(&mut self.threads, u.index()).forks.push(me),
            Op::Begin(_) => {
                let state = &mut self.threads[thread.index()];
                state.depth += 1;
                state.segment = me.position();
            }
            Op::End => {
                let state = &mut self.threads[thread.index()];
                state.depth = state.depth.saturating_sub(1);
                if state.depth == 0 {
                    state.segment = me.position();
                }
            }
            _ => {}
        }
        Recorded::Event(me)
    }

    /// The recorded dependencies of the event taken last: on other threads, and not implied by earlier ones.
    pub fn dependencies(&self) -> &[Stamp] {
        &self.dependencies
    }

    /// The recorded event that covers an access, if that is redundant now.
    pub fn cover(&mut self, Event { thread, op }: Event) -> Option<Stamp> {
        let state = at(&mut self.threads, thread.index());
        let (Op::Read(x) | Op::Write(x)) = op else { return None };
        let variable = at(&mut self.vars, x.index());
        let is_write = matches!(op, Op::Write(_));
        let read = match &variable.read {
            Readers::One(stamp) if is_write && *stamp != variable.write => return None,
            Readers::Shared(_) if is_write => return None,
            Readers::One(stamp) => *stamp,
            Readers::Shared(readers) => entry(readers, thread),
        };
        // What others have read since does not matter to a read: my own write covers it although `R` is theirs by now.
        let mut covers = [read, variable.write].into_iter().filter(|stamp| state.is_mine(thread, *stamp));
        covers.next().filter(|_| state.forks.is_empty())
    }

    fn read(&mut self, thread: ThreadId, x: usize) -> Stamp {
        let variable = at(&mut self.vars, x);
        self.dependencies.push(variable.write);
        let me = self.put(thread);
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
        me
    }

    fn write(&mut self, thread: ThreadId, x: usize) -> Stamp {
        let variable = at(&mut self.vars, x);
        self.dependencies.push(variable.write);
        match &variable.read {
            Readers::One(stamp) => self.dependencies.push(*stamp),
            Readers::Shared(readers) => self.dependencies.extend(readers),
        }
        let me = self.put(thread);
        self.vars[x] = Variable { write: me, read: Readers::One(me) };
        me
    }

    /// The releases that the thread has depended on happen before this one, and so do its own releases.
    fn release(&mut self, me: Stamp, l: usize) {
        let thread = me.thread();
        let state = &self.threads[thread.index()];
        let releases = &mut at(&mut self.locks, l).releases;
        releases.retain(|release| release.is_foreign_to(thread) && !state.is_implied(*release));
        releases.push(me);
    }

    /// Names an event, and keeps those of its dependencies that are on other threads and not implied.
    fn put(&mut self, thread: ThreadId) -> Stamp {
        let state = at(&mut self.threads, thread.index());
        state.position += 1;
        self.dependencies.retain(|dependency| {
            if !dependency.is_foreign_to(thread) {
                return false;
            }
            if state.is_implied(*dependency) {
                self.implied += 1;
                return false;
            }
            state.known.insert(dependency.thread(), dependency.position());
            state.segment = state.position;
            true
        });
        Stamp::new(thread, state.position)
    }
}

impl Thread {
    /// True if `stamp` is in the current segment of `thread`, whose state this is.
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
