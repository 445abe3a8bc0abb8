//! Builds an execution of a trace in which given orders hold: every write is committed as early as they allow.

use std::collections::VecDeque;

use super::history::{Act, History};
use super::points::{Assumption, Point};
use crate::event::{Event, Op, VarId};

/// A trace with a commit for each write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The events, commits among them.
    pub events: Vec<Event>,
    /// For each event its number in the trace; for a commit, that of the write's issue.
    pub origins: Vec<u32>,
}

impl Execution {
    /// Returns the trace itself as an execution, if it has commits already.
    pub fn itself(events: &[Event]) -> Execution {
        Execution { events: events.to_vec(), origins: (1..=events.len() as u32).collect() }
    }

    /// Commits each write of `trace`, which has no commits, at once.
    pub fn at_once(trace: &[Event]) -> Execution {
        let mut execution = Execution { events: Vec::with_capacity(trace.len() * 2), origins: vec![] };
        for (number, event) in (1..).zip(trace) {
            execution.push(*event, number);
            if let Op::Write(x) = event.op {
                execution.push(Event::new(event.thread, Op::Commit(x)), number);
            }
        }
        execution
    }

    /// Places the commits of `trace`, which has none. `history` must be that of `trace`; the assumptions must be
    /// consistent.
    pub fn of(trace: &[Event], history: &History, assumptions: &[Assumption]) -> Execution {
        let execution = Execution { events: Vec::with_capacity(trace.len() * 2), origins: vec![] };
        let mut scheduler = Scheduler {
            execution,
            history,
            assumptions,
            committed: assumptions.iter().map(|_| false).collect(),
            buffers: vec![VecDeque::new(); history.threads],
            waiting: vec![],
            now: 0,
        };
        let mut next = 0;
        for (number, event) in (1..).zip(trace) {
            scheduler.execution.push(*event, number);
            scheduler.now = number;
            if history.nodes.get(next).is_some_and(|node| node.event == number) {
                if let Act::Write(x) = history.nodes[next].act {
                    scheduler.issue(next as u32, x);
                }
                next += 1;
            }
            scheduler.commit_all();
        }
        scheduler.now = u32::MAX;
        scheduler.commit_all();
        scheduler.execution
    }

    fn push(&mut self, event: Event, origin: u32) {
        self.events.push(event);
        self.origins.push(origin);
    }
}

struct Scheduler<'a> {
    execution: Execution,
    history: &'a History,
    assumptions: &'a [Assumption],
    /// For each assumption that something comes after a commit, whether that commit has happened.
    committed: Vec<bool>,
    buffers: Vec<VecDeque<(u32, VarId)>>,
    /// The threads whose buffers are not empty.
    waiting: Vec<usize>,
    /// The last event that has happened.
    now: u32,
}

impl Scheduler<'_> {
    fn issue(&mut self, write: u32, x: VarId) {
        let thread = self.history.node(write).thread.index();
        self.buffers[thread].push_back((write, x));
        if !self.waiting.contains(&thread) {
            self.waiting.push(thread);
        }
    }

    /// Commits until every buffer is empty or must wait.
    fn commit_all(&mut self) {
        let mut has_changed = true;
        while has_changed && !self.waiting.is_empty() {
            has_changed = false;
            for thread in self.waiting.clone() {
                while let Some((write, x)) = self.buffers[thread].front().copied().filter(|(write, _)| self.may(*write))
                {
                    self.buffers[thread].pop_front();
                    let node = self.history.node(write);
                    self.execution.push(Event::new(node.thread, Op::Commit(x)), node.event);
                    for (done, (before, _)) in self.committed.iter_mut().zip(self.assumptions) {
                        *done |= *before == Point::Commit(write);
                    }
                    has_changed = true;
                }
            }
            self.waiting.retain(|thread| !self.buffers[*thread].is_empty());
        }
    }

    fn may(&self, write: u32) -> bool {
        let relevant =
            self.assumptions.iter().zip(&self.committed).filter(|((_, after), _)| *after == Point::Commit(write));
        relevant.into_iter().all(|((before, _), is_committed)| match before {
            Point::Event(event) => *event <= self.now,
            Point::Commit(_) => *is_committed,
        })
    }
}
