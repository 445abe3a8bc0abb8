//! All executions of a trace: every placement of the commits that store buffers can make.

use analysis_core::event::{Event, Op, ThreadId, VarId};

use rustc_hash::FxHashSet;

use super::definition::{Closure, Execution, Program, is_fence, is_inert};

/// Calls `visit` with every execution of `trace` in which every write is committed, until it returns true. Returns whether
/// it did. Placements that differ only in whether a commit comes before or after the begin or end of a block, which no
/// definition distinguishes, are visited once.
pub fn any(trace: &[Event], visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
    walk(trace, &mut Complete { events: Vec::new(), visit })
}

/// Definition 3: whether every execution is serializable.
pub fn is_serializable(trace: &[Event]) -> bool {
    !any(trace, &mut |execution| !Execution::new(execution).is_serializable())
}

/// Whether every execution is equivalent to one without store buffers.
pub fn is_robust(trace: &[Event]) -> bool {
    !any(trace, &mut |execution| !Execution::new(execution).is_robust())
}

/// Returns both [`is_serializable`] and [`is_robust`]. Executions with a common prefix share what is known of it. Of the
/// prefixes from which every continuation leads to the same cycles, only one is continued.
pub fn verdicts(trace: &[Event]) -> (bool, bool) {
    let mut judge = Judge {
        execution: Execution::default(),
        graphs: vec![Graphs::default()],
        verdicts: (true, true),
        known: FxHashSet::default(),
    };
    walk(trace, &mut judge);
    judge.verdicts
}

struct Judge {
    execution: Execution,
    /// The graphs after each prefix of the execution.
    graphs: Vec<Graphs>,
    /// The verdicts for the executions visited so far.
    verdicts: (bool, bool),
    /// The states that have been visited.
    known: FxHashSet<Vec<u32>>,
}

/// The graphs of transactions and of the write-contraction. Nodes are event numbers in the trace.
#[derive(Clone, Default)]
struct Graphs {
    transactions: Closure,
    contraction: Closure,
}

impl Judge {
    /// Returns the state on which the answers for all continuations depend. Whether two events conflict does not depend on
    /// later events, nor on when a commit happened, except for reads whose write is still in the store buffer.
    fn state(&self) -> Vec<u32> {
        let execution = &self.execution;
        let events = execution.events();
        let commits = |thread: ThreadId| {
            let is_commit = |event: &&Event| event.thread == thread && matches!(event.op, Op::Commit(_));
            events.iter().filter(is_commit).count() as u32
        };
        let threads = events.iter().map(|event| event.thread.index()).max().map_or(0, |most| most + 1);
        let served = (0..events.len()).filter(|at| execution.is_served_by_a_waiting_write(*at));
        let graphs = self.graphs.last().expect("those of the empty execution");
        let mut state: Vec<u32> = (0..threads as u32).map(|thread| commits(ThreadId(thread))).collect();
        state.push(execution.in_trace(events.len()) as u32);
        state.push(served.map(|read| 1 << execution.in_trace(read)).sum());
        for graph in [&graphs.transactions, &graphs.contraction] {
            state.push(graph.rows().len() as u32);
            state.extend(graph.rows());
        }
        state
    }
}

impl Visitor for Judge {
    fn push(&mut self, event: Event) {
        let execution = &mut self.execution;
        execution.push(event);
        let mut graphs = self.graphs.last().expect("those of the empty execution").clone();
        let b = execution.events().len() - 1;
        let edge = |a: usize, b: usize| (execution.in_trace(a), execution.in_trace(b));
        for a in 0..b {
            if execution.conflict(a, b, Program::Tso) {
                graphs.transactions.add(edge(execution.transaction(a), execution.transaction(b)));
            }
            if execution.conflict(a, b, Program::Full) {
                graphs.contraction.add(edge(execution.issue(a), execution.issue(b)));
            }
        }
        self.graphs.push(graphs);
    }

    fn pop(&mut self) {
        self.execution.pop();
        self.graphs.pop();
    }

    fn next(&mut self, _is_done: bool) -> Next {
        let graphs = self.graphs.last().expect("those of the empty execution");
        // A cycle stays in every continuation.
        self.verdicts.0 &= !graphs.transactions.is_cyclic();
        self.verdicts.1 &= !graphs.contraction.is_cyclic();
        if self.verdicts == (false, false) {
            return Next::Stop;
        }
        let state = self.state();
        if self.known.insert(state) { Next::GoOn } else { Next::Back }
    }
}

/// How a walk goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    /// Not beyond the current prefix.
    Back,
    Stop,
}

/// A visitor of a walk through all executions.
trait Visitor {
    fn push(&mut self, event: Event);
    fn pop(&mut self);
    /// Called for each prefix of an execution; `is_done` if it is complete.
    fn next(&mut self, is_done: bool) -> Next;
}

/// Visits complete executions.
struct Complete<F> {
    events: Vec<Event>,
    visit: F,
}

impl<F: FnMut(&[Event]) -> bool> Visitor for Complete<F> {
    fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    fn pop(&mut self) {
        self.events.pop();
    }

    fn next(&mut self, is_done: bool) -> Next {
        if is_done && (self.visit)(&self.events) { Next::Stop } else { Next::GoOn }
    }
}

fn walk(trace: &[Event], visitor: &mut impl Visitor) -> bool {
    let threads = trace.iter().map(|event| event.thread.index()).max().map_or(0, |most| most + 1);
    Placing { trace, buffers: vec![vec![]; threads], visitor }.go_on(0)
}

struct Placing<'a, V> {
    trace: &'a [Event],
    buffers: Vec<Vec<VarId>>,
    visitor: &'a mut V,
}

impl<V: Visitor> Placing<'_, V> {
    fn go_on(&mut self, next: usize) -> bool {
        if self.trace.get(next).is_some_and(|event| is_inert(event.op)) {
            return self.take(next);
        }
        let is_done = next == self.trace.len() && self.buffers.iter().all(Vec::is_empty);
        match self.visitor.next(is_done) {
            Next::GoOn => self.commit(next) || self.take(next),
            Next::Back => false,
            Next::Stop => true,
        }
    }

    fn commit(&mut self, next: usize) -> bool {
        for thread in 0..self.buffers.len() {
            if self.buffers[thread].is_empty() {
                continue;
            }
            let x = self.buffers[thread].remove(0);
            self.visitor.push(Event::new(ThreadId(thread as u32), Op::Commit(x)));
            let is_enough = self.go_on(next);
            self.visitor.pop();
            self.buffers[thread].insert(0, x);
            if is_enough {
                return true;
            }
        }
        false
    }

    fn take(&mut self, next: usize) -> bool {
        let Some(&event) = self.trace.get(next) else { return false };
        let thread = event.thread.index();
        let is_empty = |thread: usize| self.buffers.get(thread).is_none_or(Vec::is_empty);
        let has_to_wait = match event.op {
            Op::Join(child) => !is_empty(thread) || !is_empty(child.index()),
            op => is_fence(op) && !is_empty(thread),
        };
        if has_to_wait {
            return false;
        }
        if let Op::Write(x) = event.op {
            self.buffers[thread].push(x);
        }
        self.visitor.push(event);
        let is_enough = self.go_on(next + 1);
        self.visitor.pop();
        if let Op::Write(_) = event.op {
            self.buffers[thread].pop();
        }
        is_enough
    }
}
