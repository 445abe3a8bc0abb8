//! The shortest path from a block's begin to the event that shows its violation.
//!
//! A dynamic program in the order of the trace. For each event that the begin happens before, the cheapest path to it
//! comes by program order from its transaction (free), from an earlier transaction of its thread (one transaction
//! more), or from a conflicting event of another thread (one transaction and one edge more). Of all earlier events that
//! an event may come from, only the cheapest matters; of those of other threads, the cheapest of two different threads,
//! since one of them may be its own. Of two equally short paths the first stays.

use std::collections::HashMap;

use super::{Cost, Transactions};
use crate::engine::Edge;
use crate::event::{Event, LockId, Op, Stamp, ThreadId, VarId};
use crate::graph::accesses::at;

/// The state of the search at some point in the trace.
pub(super) struct Path {
    home: ThreadId,
    begin: u64,
    end: u64,
    transactions: Transactions,
    /// The events of paths that were the shortest to something.
    steps: Vec<Step>,
    threads: Vec<Thread>,
    vars: HashMap<VarId, Variable>,
    releases: HashMap<LockId, Sources>,
    found: Option<Source>,
}

/// An event on a path, and the previous one.
struct Step {
    event: Stamp,
    before: Option<usize>,
}

/// The end of a path, as an index into the steps.
#[derive(Clone, Copy)]
struct Source {
    cost: Cost,
    step: usize,
}

#[derive(Default)]
struct Thread {
    transaction: u64,
    /// The cheapest event of the running transaction, and of earlier ones.
    inside: Option<Source>,
    earlier: Option<Source>,
    /// Forks of the thread.
    forks: Sources,
}

#[derive(Default)]
struct Variable {
    reads: Sources,
    writes: Sources,
}

/// The cheapest events of two different threads, the cheaper first.
#[derive(Clone, Copy, Default)]
struct Sources([Option<(ThreadId, Source)>; 2]);

impl Sources {
    /// Returns the cheapest source of a thread other than `thread`.
    fn foreign_to(&self, thread: ThreadId) -> Option<Source> {
        self.0.iter().flatten().find(|(other, _)| *other != thread).map(|(_, source)| *source)
    }

    /// Returns whether an event of `thread` at this cost belongs among the two.
    fn wants(&self, thread: ThreadId, cost: Cost) -> bool {
        let own = self.0.iter().flatten().find(|(other, _)| *other == thread);
        own.or(self.0[1].as_ref()).is_none_or(|(_, source)| cost < source.cost)
    }

    /// Adds a source for which [`Sources::wants`] returned true.
    fn put(&mut self, thread: ThreadId, source: Source) {
        let own = self.0.iter().position(|slot| slot.is_none_or(|(other, _)| other == thread));
        self.0[own.unwrap_or(1)] = Some((thread, source));
        if let [Some((_, first)), Some((_, second))] = self.0
            && second.cost < first.cost
        {
            self.0.swap(0, 1);
        }
    }
}

impl Path {
    pub(super) fn new(home: ThreadId, begin: u64, end: u64) -> Path {
        Path {
            home,
            begin,
            end,
            transactions: Transactions::default(),
            steps: Vec::new(),
            threads: Vec::new(),
            vars: HashMap::new(),
            releases: HashMap::new(),
            found: None,
        }
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn step(&mut self, number: u64, event: Event) {
        if number > self.end {
            return;
        }
        let transaction = self.transactions.of(number, event);
        if number < self.begin {
            return;
        }
        self.enter(event.thread, transaction);
        let across = self.across(event).map(|source| Source { cost: source.cost.next_thread(), ..source });
        if number == self.end {
            // The first event that shows the violation is itself the end of an edge.
            self.found = across;
            return;
        }
        let along = if number == self.begin { None } else { self.along(event.thread) };
        let before = match (along, across) {
            (Some(along), Some(across)) => Some(if across.cost < along.cost { across } else { along }),
            (along, across) => along.or(across),
        };
        match before {
            _ if number == self.begin => self.reach(number, event, Cost::START, None),
            Some(source) => self.reach(number, event, source.cost, Some(source.step)),
            None => {}
        }
    }

    pub(super) fn edges(self) -> Option<Vec<Edge>> {
        let mut to = Stamp::new(self.home, self.end);
        let mut edges = Vec::new();
        let mut at = Some(self.found?.step);
        while let Some(Step { event, before }) = at.map(|step| &self.steps[step]) {
            if event.thread() != to.thread() {
                edges.push(Edge::new(*event, to));
            }
            to = *event;
            at = *before;
        }
        edges.reverse();
        Some(edges)
    }

    /// Takes note of the transaction that `thread` is in now.
    fn enter(&mut self, thread: ThreadId, transaction: u64) {
        let state = at(&mut self.threads, thread.index());
        if state.transaction != transaction {
            state.transaction = transaction;
            state.earlier = cheapest(state.earlier, state.inside.take());
        }
    }

    /// The cheapest way that comes along the thread.
    fn along(&self, thread: ThreadId) -> Option<Source> {
        let state = &self.threads[thread.index()];
        let earlier = state.earlier.map(|source| Source { cost: source.cost.next_transaction(), ..source });
        cheapest(state.inside, earlier)
    }

    /// The cheapest event of another thread that conflicts with this one.
    fn across(&mut self, event: Event) -> Option<Source> {
        let me = event.thread;
        let forked = self.threads[me.index()].forks.foreign_to(me);
        let source = match event.op {
            Op::Read(x) => self.vars.get(&x).and_then(|var| var.writes.foreign_to(me)),
            Op::Write(x) => {
                self.vars.get(&x).and_then(|var| cheapest(var.reads.foreign_to(me), var.writes.foreign_to(me)))
            }
            Op::Acquire(l) => self.releases.get(&l).and_then(|releases| releases.foreign_to(me)),
            Op::Join(u) if u != me => {
                let child = at(&mut self.threads, u.index());
                cheapest(child.earlier, child.inside)
            }
            _ => None,
        };
        cheapest(forked, source)
    }

    /// The event is reached at this cost: it stays if it is the cheapest of anything.
    fn reach(&mut self, number: u64, event: Event, cost: Cost, before: Option<usize>) {
        let me = event.thread;
        let source = Source { cost, step: self.steps.len() };
        let state = &mut self.threads[me.index()];
        let mut is_kept = false;
        if state.inside.is_none_or(|inside| cost < inside.cost) {
            state.inside = Some(source);
            is_kept = true;
        }
        let sources = match event.op {
            Op::Read(x) => Some(&mut self.vars.entry(x).or_default().reads),
            Op::Write(x) => Some(&mut self.vars.entry(x).or_default().writes),
            Op::Release(l) => Some(self.releases.entry(l).or_default()),
            Op::Fork(u) => Some(&mut at(&mut self.threads, u.index()).forks),
            _ => None,
        };
        if let Some(sources) = sources.filter(|sources| sources.wants(me, cost)) {
            sources.put(me, source);
            is_kept = true;
        }
        if is_kept {
            self.steps.push(Step { event: Stamp::new(me, number), before });
        }
    }
}

/// The cheaper of two, the first if they cost the same.
fn cheapest(first: Option<Source>, second: Option<Source>) -> Option<Source> {
    match (first, second) {
        (Some(a), Some(b)) => Some(if b.cost < a.cost { b } else { a }),
        (a, b) => a.or(b),
    }
}
