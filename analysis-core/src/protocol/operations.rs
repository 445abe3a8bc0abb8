//! Operations that take time: which are recorded, and after which other ones.
//!
//! This is the specification of the agent's hooks around calls of the platform's library, as a function on executions in
//! real time. An access to a field runs while the agent has its variable locked. A call of the library can run other code,
//! or block, so no lock is held while it runs: it has a start and an end, and its effect is somewhere in between.
//!
//! - An operation that would be redundant at its start is left out, if all its accesses would be: the events that cover them
//!   have returned by then, so what they show about overlapping operations is true, and the operation itself can add nothing. If
//!   one of its accesses would not be redundant, it can bring a dependency, after which the others are not redundant.
//! - Any other operation notes the stamps of its variable at its start: the last write, and the reads since.
//! - At its end the operation locks the variable. A read is dropped if another thread's write has stamped the variable
//!   since the start; a write, if another thread's write or read has. The two overlapped, so their order is not known,
//!   unless it follows from what they returned ([`results`](super::results)).
//! - Otherwise it is an ordinary access at its end, recorded unless it is redundant (see [`protocol`](super)).
//! - A locked access is recorded before it unlocks, but after its effect: an operation that starts in between would note
//!   the stamp of an access that has yet to happen, and take it for one that is over. Hooks of plain reads do not keep to
//!   that: their stamp can come before the load. So no operation that takes time writes a variable that has plain reads;
//!   such updates count as reads.
//!
//! So of two operations with a dependency, one had returned before the other started: whatever the order of effects was
//! in truth, these two had this order. A dropped operation is in no order. Hence a violation of the recorded events is
//! one of every execution in which each operation takes effect at once, at some moment between its start and its end;
//! `tests/` holds that against the reference. Violations can be missed: where an operation was dropped, or where the
//! effect of a redundant read came after a write that has not returned yet.
//!
//! What a thread does while its operation runs (a lambda) is recorded before the operation. If the operation's effect came
//! first, what the thread has come to depend on meanwhile came after that effect: so if there is a new dependency, the
//! operation is dropped, too.
//!
//! A call of a cache that loads a key has its effect when the cache puts in what was loaded, after the loader has returned. If a hook
//! reports that, the operation starts then, and not with the call: what others did while the loader ran came before its effect.
//!
//! A step of an iterator that looks ahead is an operation that begins with the step before, since what it returns was read between that
//! start and its own end. Its variable is known only then, so the agent does not note stamps but counts writes; the same operations are
//! dropped.
//!
//! An operation can access several variables: in what threads add up, each thread has a part of its own, because additions commute, and the
//! sum reads all parts ([`parts`](super::parts)). Each access is recorded or dropped by itself, all at the same end: a new dependency of
//! one of them is no reason to drop another.
//!
//! Together the accesses are one event: what comes before one of them comes before all that follows another. So after the last access the
//! earlier ones are recorded once more, unless nothing has come to them since ([`steps`](super::steps)). The agent locks one variable at a
//! time, so another thread can come in between. If its access conflicts, it has started when this operation had returned, or it is dropped;
//! the access is not recorded again then, and is counted. Others that follow it follow the other thread's.

use super::{Recorded, Recorder};
use crate::event::{Event, Op, Stamp, ThreadId};
use crate::graph::accesses::at;

/// What a thread does at one moment of real time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// An event that takes no time and accesses no variable: the begin or the end of a block.
    Event(Op),
    /// A read or a write starts, as an operation.
    Start(Op),
    /// The operation that the thread has just started has this access, too.
    Also(Op),
    /// A read or a write locks its variable. Until it returns, no other access does so, and no operation on the
    /// variable returns.
    Lock(Op),
    /// What the thread started or locked last returns.
    Return,
}

/// A thread, and what it does. Executions are sequences of moments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The thread.
    pub thread: ThreadId,
    /// What it does.
    pub action: Action,
}

/// A recorded event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of the moment at which it started.
    pub start: usize,
    /// The event.
    pub event: Event,
    /// Its name.
    pub stamp: Stamp,
    /// What it follows, without what is implied.
    pub dependencies: Vec<Stamp>,
}

/// What the hooks make of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The events, in the order of their ends.
    pub events: Vec<Entry>,
    /// The starts of the operations that were dropped.
    pub dropped: Vec<usize>,
    /// The starts of what was redundant.
    pub covered: Vec<usize>,
}

/// Applies the rules to an execution.
pub fn record(moments: &[Moment]) -> Recording {
    let mut hooks = Hooks::default();
    for (number, moment) in moments.iter().enumerate() {
        hooks.step(number, *moment);
    }
    hooks.recording
}

#[derive(Default)]
struct Hooks {
    recorder: Recorder,
    vars: Vec<Stamps>,
    /// By thread: what runs, innermost last.
    running: Vec<Vec<Running>>,
    /// By thread: how many dependencies its events have, without those that are implied.
    had: Vec<usize>,
    recording: Recording,
}

struct Running {
    start: usize,
    /// Its accesses, and the stamps that each noted; `None` if it has the variable's lock.
    accesses: Vec<(Op, Option<Stamps>)>,
    /// Whether it is an operation all of whose accesses were redundant at its start.
    is_covered: bool,
    /// How many dependencies its thread had at that time.
    had: usize,
}

/// The stamps of a variable: `W`, and the readers since.
#[derive(Clone, Default)]
struct Stamps {
    write: Stamp,
    reads: Vec<Stamp>,
}

impl Hooks {
    fn step(&mut self, number: usize, Moment { thread, action }: Moment) {
        match action {
            Action::Event(op) => self.put(number, Event::new(thread, op)),
            Action::Start(op) => {
                self.run(thread, number).is_covered = true;
                self.start(thread, op);
            }
            Action::Also(op) => self.start(thread, op),
            Action::Lock(op) => self.run(thread, number).accesses.push((op, None)),
            Action::Return => {
                let running = at(&mut self.running, thread.index()).pop();
                self.end(thread, running.expect("something that returns"));
            }
        }
    }

    fn run(&mut self, thread: ThreadId, start: usize) -> &mut Running {
        let had = *at(&mut self.had, thread.index());
        let running = at(&mut self.running, thread.index());
        running.push(Running { start, accesses: Vec::new(), is_covered: false, had });
        running.last_mut().expect("it has just been pushed")
    }

    /// Starts an access of the operation that the thread started last.
    fn start(&mut self, thread: ThreadId, op: Op) {
        let is_covered = self.recorder.cover(Event::new(thread, op)).is_some();
        let noted = Some(self.stamps(op).clone());
        let running = at(&mut self.running, thread.index()).last_mut().expect("an operation that has started");
        running.accesses.push((op, noted));
        running.is_covered &= is_covered;
    }

    fn end(&mut self, thread: ThreadId, Running { start, accesses, is_covered, had }: Running) {
        if is_covered {
            self.recording.covered.push(start);
            return;
        }
        let before = *at(&mut self.had, thread.index());
        let mut recorded = Vec::new();
        for (op, noted) in accesses {
            let now = self.stamps(op);
            if noted.is_some_and(|then| before != had || now.is_overlapped(op, &then, thread)) {
                self.recording.dropped.push(start);
            } else {
                self.put(start, Event::new(thread, op));
                recorded.push(op);
            }
        }
        if self.had[thread.index()] != before {
            // What is in the segment of the last dependency is redundant.
            let again = recorded.split_last().map_or(&[][..], |(_, before_last)| before_last);
            for &op in again {
                self.put(start, Event::new(thread, op));
            }
        }
    }

    /// An ordinary event.
    fn put(&mut self, start: usize, event: Event) {
        let Recorded::Event(stamp) = self.recorder.event(event) else {
            self.recording.covered.push(start);
            return;
        };
        match event.op {
            Op::Read(_) => self.stamps(event.op).reads.push(stamp),
            Op::Write(_) => *self.stamps(event.op) = Stamps { write: stamp, reads: Vec::new() },
            _ => {}
        }
        let dependencies = self.recorder.dependencies().to_vec();
        *at(&mut self.had, event.thread.index()) += dependencies.len();
        self.recording.events.push(Entry { start, event, stamp, dependencies });
    }

    fn stamps(&mut self, op: Op) -> &mut Stamps {
        let (Op::Read(x) | Op::Write(x)) = op else { panic!("{op:?} is no access") };
        at(&mut self.vars, x.index())
    }
}

impl Stamps {
    /// True if another thread's access that conflicts with `op` has stamped the variable since `then`.
    fn is_overlapped(&self, op: Op, then: &Stamps, thread: ThreadId) -> bool {
        let is_written = self.write.is_foreign_to(thread) && self.write != then.write;
        let is_read = self.reads.iter().any(|read| read.is_foreign_to(thread) && !then.reads.contains(read));
        is_written || matches!(op, Op::Write(_)) && is_read
    }
}
