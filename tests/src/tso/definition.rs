//! Conflict under TSO and the graphs that it induces, literally from the definitions.

use analysis_core::event::{Event, Op, ThreadId, VarId};

/// Which program order is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// The part that TSO keeps.
    Tso,
    /// All of it, between events other than commits.
    Full,
}

/// An execution with the facts that the definitions need about its events. These facts stay true in every longer execution.
#[derive(Default)]
pub struct Execution {
    events: Vec<Event>,
    /// For a commit, its issue; for an issue, its commit.
    partner: Vec<Option<usize>>,
    /// For a read that the store buffer serves, the issue of the write.
    served_by: Vec<Option<usize>>,
    /// For a read: whether its thread has written its variable before it without a fence in between.
    is_buffered: Vec<bool>,
    /// The transaction of each event. A commit is in that of its issue.
    transaction: Vec<usize>,
    /// The number of blocks of its thread that are open after the event.
    depth: Vec<u32>,
}

impl Execution {
    /// Creates the execution of events that store buffers can produce.
    pub fn new(events: &[Event]) -> Execution {
        let mut execution = Execution::default();
        events.iter().for_each(|event| execution.push(*event));
        execution
    }

    /// Appends an event.
    pub fn push(&mut self, event: Event) {
        let at = self.events.len();
        self.events.push(event);
        self.depth.push(0);
        self.partner.push(matches!(event.op, Op::Commit(_)).then(|| self.issue_of(at)));
        if let Some(issue) = self.partner[at] {
            self.partner[issue] = Some(at);
        }
        let (is_buffered, served_by) = self.look_at_read(at);
        self.is_buffered.push(is_buffered);
        self.served_by.push(served_by);
        let transaction = self.find_transaction(at);
        self.transaction.push(transaction);
    }

    /// Removes the last event.
    pub fn pop(&mut self) {
        self.events.pop();
        if let Some(issue) = self.partner.pop().flatten() {
            self.partner[issue] = None;
        }
        self.is_buffered.pop();
        self.served_by.pop();
        self.transaction.pop();
        self.depth.pop();
    }

    /// Returns the number of an event, or of the next one, in the trace without commits.
    pub fn in_trace(&self, at: usize) -> usize {
        self.events[..at].iter().filter(|event| !matches!(event.op, Op::Commit(_))).count()
    }

    /// Whether the store buffer served the read and still contains its write.
    pub fn is_served_by_a_waiting_write(&self, at: usize) -> bool {
        self.served_by[at].is_some_and(|write| self.partner[write].is_none())
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the oldest uncommitted write of the thread of the commit `at`.
    fn issue_of(&self, at: usize) -> usize {
        let is_issue = |&issue: &usize| {
            self.events[issue].thread == self.events[at].thread
                && matches!(self.events[issue].op, Op::Write(_))
                && self.partner[issue].is_none()
        };
        (0..at).find(is_issue).expect("a commit has an issue")
    }

    fn look_at_read(&self, at: usize) -> (bool, Option<usize>) {
        let Op::Read(x) = self.events[at].op else { return (false, None) };
        let thread = self.events[at].thread;
        let own = |before: &usize| self.events[*before].thread == thread;
        let is_fence = |before: &usize| own(before) && is_fence(self.events[*before].op);
        let is_write = |before: &usize| own(before) && self.events[*before].op == Op::Write(x);
        let write = (0..at).rev().find(is_write);
        let is_buffered = write.is_some_and(|write| !(write..at).any(|before| is_fence(&before)));
        (is_buffered, write.filter(|write| self.partner[*write].is_none()))
    }

    fn find_transaction(&mut self, at: usize) -> usize {
        let event = self.events[at];
        if let Op::Commit(_) = event.op {
            return self.transaction[self.partner[at].expect("its issue")];
        }
        let is_own = |&before: &usize| {
            self.events[before].thread == event.thread && !matches!(self.events[before].op, Op::Commit(_))
        };
        let last = (0..at).rev().find(is_own);
        let (depth, open) = last.map_or((0, at), |last| (self.depth[last], self.transaction[last]));
        self.depth[at] = match event.op {
            Op::Begin(_) => depth + 1,
            Op::End => depth.saturating_sub(1),
            _ => depth,
        };
        if depth == 0 { at } else { open }
    }

    /// Whether two events conflict, `a` being before `b`.
    pub fn conflict(&self, a: usize, b: usize, program: Program) -> bool {
        let (first, second) = (self.events[a], self.events[b]);
        if is_inert(first.op) || is_inert(second.op) {
            return false;
        }
        if first.thread == second.thread { self.conflict_inside(a, b, program) } else { self.conflict_across(a, b) }
    }

    /// Rule (2) of the relation, with its exceptions (ii) and (iii).
    fn conflict_inside(&self, a: usize, b: usize, program: Program) -> bool {
        let is_commit = |at: usize| matches!(self.events[at].op, Op::Commit(_));
        match (is_commit(a), is_commit(b)) {
            (true, true) => true,
            (true, false) => self.partner[a] == Some(b) || is_fence(self.events[b].op),
            (false, true) => self.partner[b] == Some(a) || is_fence(self.events[a].op),
            (false, false) if program == Program::Full => true,
            (false, false) => match (self.events[a].op, self.events[b].op) {
                (Op::Write(x), Op::Read(y)) => x == y,
                (Op::Read(x), Op::Read(y)) => x == y || !self.is_buffered[a],
                _ => true,
            },
        }
    }

    /// Rule (1), with its exception (i); and the other orders between threads.
    fn conflict_across(&self, a: usize, b: usize) -> bool {
        let (first, second) = (self.events[a], self.events[b]);
        match (first.op, second.op) {
            (Op::Commit(x), Op::Commit(y)) => x == y,
            (Op::Read(x), Op::Commit(y)) => x == y && !self.is_parallel(a, b),
            (Op::Commit(x), Op::Read(y)) => x == y && !self.is_parallel(b, a),
            (Op::Release(l), Op::Acquire(k)) => l == k,
            (Op::Fork(child), _) => child == second.thread,
            (_, Op::Join(child)) => child == first.thread,
            _ => false,
        }
    }

    /// Whether the store buffer serves the read and another thread commits while the write is still in the buffer.
    fn is_parallel(&self, read: usize, commit: usize) -> bool {
        let is_in_buffer =
            |write: usize| write < commit && self.partner[write].is_none_or(|committed| commit < committed);
        self.served_by[read].is_some_and(is_in_buffer)
    }

    /// Returns a number that identifies the transaction of an event.
    pub fn transaction(&self, event: usize) -> usize {
        self.transaction[event]
    }

    /// Whether the thread has written the variable before the read without a fence in between.
    pub fn is_buffered(&self, read: usize) -> bool {
        self.is_buffered[read]
    }

    /// Definition 2 and Theorem 1: no cycle of transactions.
    pub fn is_serializable(&self) -> bool {
        let edges = self.edges(Program::Tso);
        is_acyclic(self.events.len(), edges.map(|(a, b)| (self.transaction[a], self.transaction[b])))
    }

    /// The write-contraction with full program order has no cycle.
    pub fn is_robust(&self) -> bool {
        is_acyclic(self.events.len(), self.edges(Program::Full).map(|(a, b)| (self.issue(a), self.issue(b))))
    }

    /// Returns the node of an event in the write-contraction.
    pub fn issue(&self, at: usize) -> usize {
        match self.events[at].op {
            Op::Commit(_) => self.partner[at].expect("its issue"),
            _ => at,
        }
    }

    /// Returns the edges of the event graph (Definition 1).
    pub fn edges(&self, program: Program) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = (0..self.events.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.filter(move |&(a, b)| self.conflict(a, b, program))
    }

    /// Returns, for each read, the issue of the write whose value it gets; `None` for the initial value.
    pub fn sources(&self) -> Vec<(usize, Option<usize>)> {
        let reads = self.events.iter().enumerate().filter_map(|(at, event)| match event.op {
            Op::Read(x) => Some((at, x)),
            _ => None,
        });
        reads.map(|(at, x)| (at, self.served_by[at].or_else(|| self.in_memory(at, x)))).collect()
    }

    fn in_memory(&self, at: usize, x: VarId) -> Option<usize> {
        let commit = (0..at).rev().find(|before| self.events[*before].op == Op::Commit(x))?;
        self.partner[commit]
    }
}

/// Whether store buffers can produce these events: commits follow their issues in the same order, and buffers are empty at fences.
pub fn is_feasible(events: &[Event]) -> bool {
    let threads = events.iter().map(|event| event.thread.index()).max().map_or(0, |most| most + 1);
    let mut buffers: Vec<Vec<VarId>> = vec![vec![]; threads];
    let is_empty = |buffers: &[Vec<VarId>], thread: ThreadId| buffers.get(thread.index()).is_none_or(Vec::is_empty);
    events.iter().all(|event| {
        let buffer = event.thread.index();
        match event.op {
            Op::Write(x) => {
                buffers[buffer].push(x);
                true
            }
            Op::Commit(x) => buffers[buffer].first() == Some(&x) && buffers[buffer].remove(0) == x,
            Op::Join(child) => is_empty(&buffers, event.thread) && is_empty(&buffers, child),
            op => !is_fence(op) || is_empty(&buffers, event.thread),
        }
    })
}

/// Whether the operation drains the store buffer.
pub fn is_fence(op: Op) -> bool {
    matches!(op, Op::Fence | Op::Acquire(_) | Op::Release(_) | Op::Fork(_) | Op::Join(_))
}

/// Whether the operation conflicts with nothing and waits for nothing.
pub fn is_inert(op: Op) -> bool {
    matches!(op, Op::Begin(_) | Op::End | Op::Nop)
}

/// Whether the graph with these edges, except loops, has no cycle.
pub fn is_acyclic(nodes: usize, edges: impl Iterator<Item = (usize, usize)>) -> bool {
    let mut reaches = vec![0u128; nodes];
    assert!(nodes <= 128, "{nodes} events are too many for the reference");
    edges.filter(|(from, to)| from != to).for_each(|(from, to)| reaches[from] |= 1 << to);
    for middle in 0..nodes {
        for from in 0..nodes {
            if reaches[from] >> middle & 1 == 1 {
                reaches[from] |= reaches[middle];
            }
        }
    }
    (0..nodes).all(|node| reaches[node] >> node & 1 == 0)
}

/// A graph of up to 32 nodes whose edges are added one by one.
#[derive(Clone, Default)]
pub struct Closure {
    /// The nodes that each node reaches; empty if there is a cycle.
    reaches: Vec<u32>,
    is_cyclic: bool,
}

impl Closure {
    /// Adds an edge. Loops are ignored.
    pub fn add(&mut self, (from, to): (usize, usize)) {
        if from == to || self.is_cyclic {
            return;
        }
        let nodes = self.reaches.len().max(from + 1).max(to + 1);
        assert!(nodes <= 32, "{nodes} events are too many for this reference");
        self.reaches.resize(nodes, 0);
        if self.reaches[to] >> from & 1 == 1 {
            *self = Closure { reaches: vec![], is_cyclic: true };
            return;
        }
        let added = self.reaches[to] | 1 << to;
        for (node, reaches) in self.reaches.iter_mut().enumerate() {
            if node == from || *reaches >> from & 1 == 1 {
                *reaches |= added;
            }
        }
    }

    /// Whether the graph has a cycle.
    pub fn is_cyclic(&self) -> bool {
        self.is_cyclic
    }

    /// Returns for each node the bits of the nodes that it reaches. Empty if there is a cycle.
    pub fn rows(&self) -> &[u32] {
        &self.reaches
    }
}
