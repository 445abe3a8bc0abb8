//! Builds an order of events in which given goals come in a given order, as far as synchronization allows.
//!
//! The runner runs towards one goal after the other: it takes the next event of the goal's thread, and before it
//! whatever that event has to wait for (the release of a lock, the start of its thread, the end of a thread that it
//! joins). No thread passes a goal before that goal's turn. So each thread runs only as far as it must, and holds no
//! lock longer than it must. The events of a step ([`Op::Together`]) come without anything in between.

use rustc_hash::FxHashMap;

use crate::event::{Event, LockId, Op, ThreadId, VarId};
use crate::predict::Execution;
use crate::predict::ids::At;

/// The events of each thread, in program order.
#[derive(Default)]
pub struct Programs {
    threads: Vec<Vec<At>>,
    /// By event, the number of earlier events of its thread.
    places: Vec<u32>,
    /// By thread, the event that starts it.
    starts: FxHashMap<ThreadId, At>,
    /// By write that is an update: the write that it found.
    updates: FxHashMap<At, Found>,
}

impl Programs {
    /// Collects the events of an execution.
    pub fn new(execution: &Execution) -> Programs {
        let mut programs = Programs::default();
        let mut values = Values::default();
        let mut is_update = Vec::new();
        for (index, event) in execution.events.iter().enumerate() {
            let of_thread = crate::graph::accesses::at(&mut programs.threads, event.thread.index());
            programs.places.push(u32::try_from(of_thread.len()).expect("fewer than 2^32 events"));
            of_thread.push(At::of(index));
            if let Op::Fork(child) = event.op
                && child != event.thread
            {
                programs.starts.entry(child).or_insert(At::of(index));
            }
            let marked = std::mem::replace(
                crate::graph::accesses::at(&mut is_update, event.thread.index()),
                event.op == Op::Update,
            );
            if let Some(found) = values.take(At::of(index), *event).filter(|_| marked) {
                programs.updates.insert(At::of(index), found);
            }
        }
        programs
    }

    fn of(&self, thread: ThreadId) -> &[At] {
        self.threads.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns the first update in an order that would not take place, after what was observed up to `start`: one that
    /// would find another write than in the run, or a write other than its thread has read before, if the two were the
    /// same in the run.
    pub fn failed_update(&self, execution: &Execution, start: At, order: &[At]) -> Option<At> {
        if !order.iter().any(|at| self.updates.contains_key(at)) {
            return None;
        }
        let mut values = Values::default();
        for (index, event) in execution.events[..start.index()].iter().enumerate() {
            values.take(At::of(index), *event);
        }
        order.iter().copied().find(|at| {
            let (found, observed) = (values.take(*at, execution.events[at.index()]), self.updates.get(at));
            let is_as_observed =
                |found: Found, observed: &Found| found.write == observed.write && found.is_known >= observed.is_known;
            found.zip(observed).is_some_and(|(found, observed)| !is_as_observed(found, observed))
        })
    }
}

/// What an update finds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    /// The write that it overwrites, if there was one.
    write: Option<At>,
    /// Whether its thread has read that write before: it is the value that the update expects.
    is_known: bool,
}

/// The last writes and reads.
#[derive(Default)]
struct Values {
    /// By variable, the last write.
    writes: FxHashMap<VarId, At>,
    /// By thread and variable, the write that the last read has seen.
    reads: FxHashMap<(ThreadId, VarId), Option<At>>,
}

impl Values {
    /// Processes the next event. If it is a write, returns what it finds.
    fn take(&mut self, at: At, Event { thread, op }: Event) -> Option<Found> {
        match op {
            Op::Read(var) => {
                self.reads.insert((thread, var), self.writes.get(&var).copied());
                None
            }
            Op::Write(var) => {
                let write = self.writes.insert(var, at);
                Some(Found { write, is_known: self.reads.get(&(thread, var)) == Some(&write) })
            }
            _ => None,
        }
    }
}

/// Why no such order was found, as far as was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A thread would have to pass a goal too early, to free a lock.
    Lock {
        /// The acquire that waits.
        waiting: At,
        /// The lock.
        lock: LockId,
        /// The goal in the way.
        holder: At,
    },
    /// Like [`Obstacle::Lock`], for an event that starts or ends a thread, or simply comes first.
    Order {
        /// The event that waits.
        waiting: At,
        /// The goal in the way.
        before: At,
    },
    /// Threads wait for each other.
    Deadlock {
        /// The event that waits.
        waiting: At,
    },
}

/// A partial order of events that is being extended.
pub struct Runner<'a> {
    execution: &'a Execution,
    programs: &'a Programs,
    /// By thread, the number of its events that have come.
    places: Vec<u32>,
    holders: FxHashMap<LockId, (ThreadId, u32)>,
    goals: Vec<At>,
    order: Vec<At>,
    /// The threads that wait for another to continue.
    waiting: Vec<ThreadId>,
}

impl<'a> Runner<'a> {
    /// Starts from the observed order up to `start`, exclusive.
    pub fn new(execution: &'a Execution, programs: &'a Programs, start: At, goals: &[At]) -> Runner<'a> {
        let mut runner = Runner {
            execution,
            programs,
            places: vec![0; programs.threads.len()],
            holders: FxHashMap::default(),
            goals: execution.steps.of_goals(goals),
            order: Vec::new(),
            waiting: Vec::new(),
        };
        (0..start.index()).for_each(|index| runner.take(At::of(index)));
        runner.order.clear();
        runner
    }

    /// Returns the events after the start, in an order in which the goals come one after the other.
    pub fn run(mut self) -> Result<Vec<At>, Obstacle> {
        for thread in 0..self.programs.threads.len() {
            self.finish_step(ThreadId::of(thread));
        }
        while let Some(&goal) = self.goals.first() {
            let thread = self.execution.events[goal.index()].thread;
            while !self.has_come(goal) {
                if let Some(next) = self.next(thread)
                    && next == goal
                {
                    self.goals.remove(0);
                }
                self.step(thread)?;
            }
            if self.goals.first() == Some(&goal) {
                // The goal came before its turn, in the observed part.
                self.goals.remove(0);
            }
        }
        Ok(self.order)
    }

    fn has_come(&self, at: At) -> bool {
        let thread = self.execution.events[at.index()].thread;
        self.programs.places[at.index()] < self.places[thread.index()]
    }

    fn next(&self, thread: ThreadId) -> Option<At> {
        self.programs.of(thread).get(*self.places.get(thread.index())? as usize).copied()
    }

    /// Takes the next event of a thread, and before it what it waits for.
    fn step(&mut self, thread: ThreadId) -> Result<(), Obstacle> {
        let Some(next) = self.next(thread) else { return Ok(()) };
        if self.waiting.contains(&thread) {
            return Err(Obstacle::Deadlock { waiting: next });
        }
        if let Some(goal) = self.goals.iter().find(|goal| **goal == next) {
            return Err(Obstacle::Order { waiting: next, before: *goal });
        }
        self.waiting.push(thread);
        let ready = self.make_ready(next, thread);
        self.waiting.pop();
        ready?;
        self.take(next);
        self.finish_step(thread);
        Ok(())
    }

    /// Takes the rest of a thread's step, if the step has begun.
    fn finish_step(&mut self, thread: ThreadId) {
        let op = |execution: &Execution, at: At| execution.events[at.index()].op;
        while let Some(together) = self.next(thread).filter(|next| op(self.execution, *next) == Op::Together) {
            self.take(together);
            if let Some(update) = self.next(thread).filter(|next| op(self.execution, *next) == Op::Update) {
                self.take(update);
            }
            if let Some(access) = self.next(thread).filter(|next| op(self.execution, *next).variable().is_some()) {
                self.take(access);
            }
        }
    }

    fn make_ready(&mut self, next: At, thread: ThreadId) -> Result<(), Obstacle> {
        if let Some(&start) = self.programs.starts.get(&thread)
            && self.places[thread.index()] == 0
        {
            let parent = self.execution.events[start.index()].thread;
            while !self.has_come(start) {
                self.step(parent).map_err(|obstacle| waits(obstacle, next))?;
            }
        }
        match self.execution.events[next.index()].op {
            Op::Acquire(lock) => {
                while let Some((holder, _)) = self.holders.get(&lock).copied().filter(|(holder, _)| *holder != thread) {
                    let Some(held_at) = self.next(holder) else { return Err(Obstacle::Deadlock { waiting: next }) };
                    self.step(holder).map_err(|obstacle| match obstacle {
                        Obstacle::Order { before, .. } if before == held_at => {
                            Obstacle::Lock { waiting: next, lock, holder: before }
                        }
                        other => other,
                    })?;
                }
            }
            Op::Join(child) if child != thread => {
                while self.next(child).is_some() {
                    self.step(child).map_err(|obstacle| waits(obstacle, next))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn take(&mut self, at: At) {
        let event = self.execution.events[at.index()];
        self.places[event.thread.index()] += 1;
        match event.op {
            Op::Acquire(lock) => self.holders.entry(lock).or_insert((event.thread, 0)).1 += 1,
            Op::Release(lock) => {
                if let Some((holder, count)) = self.holders.get_mut(&lock)
                    && *holder == event.thread
                {
                    *count -= 1;
                    if *count == 0 {
                        self.holders.remove(&lock);
                    }
                }
            }
            _ => {}
        }
        self.order.push(at);
    }
}

/// Sets the event that waits in an obstacle for which only the goal in the way is known.
fn waits(obstacle: Obstacle, waiting: At) -> Obstacle {
    match obstacle {
        Obstacle::Order { before, .. } => Obstacle::Order { waiting, before },
        other => other,
    }
}
