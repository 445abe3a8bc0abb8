//! The form in which the TSO analyses see a trace: accesses and fences, their units, and the orders that are certain.
//!
//! # Idea
//! A write is one [`Node`], issue and commit together: the commit belongs to the transaction of the issue, so what
//! comes before or after either is before or after the transaction of both (the paper's write contraction). Acquires,
//! releases, forks and joins are fences of their thread, since the instructions behind them drain the store buffer; a
//! join is also a fence of the thread that has ended. They also order threads, as in the law.
//!
//! Two events of one thread are ordered, except a write and a later read of another variable, and a *buffered* read
//! (one with a write of its variable before it and no fence between them) and a later read of another variable. Only
//! orders that do not follow from others are kept: at most three for each event, counting the order of each read before
//! the next write as the read's.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::graph::{Edge, Why};
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

/// No node, or no event.
pub const NONE: u32 = u32::MAX;

/// The units of which cycles consist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Units {
    /// Transactions, with the program order that TSO keeps.
    Transactions,
    /// Single events, in full program order: a cycle of them is what no interleaving explains.
    Events,
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// It reads a variable.
    Read(VarId),
    /// It writes a variable: the issue and the commit.
    Write(VarId),
    /// It drains the store buffer.
    Fence,
}

/// An access or a fence.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The number of its event in the trace, from 1; for a write, that of the issue. Numbers are times.
    pub event: u32,
    /// Its thread.
    pub thread: ThreadId,
    /// Its transaction, or the node itself, depending on [`Units`].
    pub unit: u32,
    /// Its action.
    pub act: Act,
    /// The event by which it has certainly reached memory: for a write, the next fence of its thread; for a buffered
    /// read, that of the write that may serve it; for any other read, the read itself. [`NONE`] if there is no such
    /// fence.
    pub fence: u32,
    /// For a buffered read, the last write of its variable before it in its thread; else [`NONE`].
    pub own: u32,
    /// For a committed write in an execution, the event of its commit; else [`NONE`].
    pub commit: u32,
}

/// A transaction: an outermost block, or one event outside any.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its thread.
    pub thread: ThreadId,
    /// The event that begins its block; `None` for an event outside any.
    pub begin: Option<u32>,
    /// The label of its block.
    pub label: LabelId,
}

/// The nodes of a trace and the orders that hold in each of its executions.
pub struct History {
    /// The nodes, in the order of the trace.
    pub nodes: Vec<Node>,
    /// The units, by number.
    pub units: Vec<Unit>,
    /// Program order depending on [`Units`], and synchronization. In an execution, also which read reads which write
    /// from memory, and the order of commits.
    pub edges: Vec<Edge>,
    /// The number of threads.
    pub threads: usize,
    /// The number of variables.
    pub vars: usize,
    /// Whether the trace is an execution: it has commits.
    pub has_commits: bool,
}

impl History {
    /// Builds the history of a trace with fewer than 2^32 - 1 events.
    pub fn of(events: &[Event], units: Units) -> History {
        let has_commits = events.iter().any(|event| matches!(event.op, Op::Commit(_)));
        let history = History { nodes: vec![], units: vec![], edges: vec![], threads: 0, vars: 0, has_commits };
        let mut builder =
            Builder { history, kind: units, threads: vec![], memory: vec![], locks: FxHashMap::default() };
        for (number, event) in (1..).zip(events) {
            builder.take(number, *event);
        }
        let mut history = builder.history;
        history.threads = builder.threads.len();
        history.vars = builder.memory.len();
        history.settle_buffered_reads();
        history
    }

    /// Returns the node with this number.
    pub fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// Until its write has reached memory, a buffered read is, for other threads, where its write is.
    fn settle_buffered_reads(&mut self) {
        for index in 0..self.nodes.len() {
            if let Node { act: Act::Read(_), own, .. } = self.nodes[index]
                && own != NONE
            {
                self.nodes[index].fence = self.node(own).fence;
            }
        }
    }
}

struct Builder {
    history: History,
    kind: Units,
    threads: Vec<Thread>,
    memory: Vec<Cell>,
    /// The last release of each lock by each thread.
    locks: FxHashMap<LockId, Vec<u32>>,
}

/// The events of a thread since its last fence, as far as later events follow them.
struct Thread {
    open: u32,
    unit: u32,
    /// Its last event, and its last fence: one of its own, or the fork that started it.
    last: u32,
    fence: u32,
    last_write: u32,
    /// The reads since the last write.
    reads: Vec<u32>,
    /// The last read that is not buffered.
    last_unbuffered: u32,
    /// The last write, and the last read, of each variable.
    writes_of: FxHashMap<VarId, u32>,
    reads_of: FxHashMap<VarId, u32>,
    /// The writes since the last fence.
    unfenced: Vec<u32>,
    /// The uncommitted writes, the oldest first, each with the reads that it has served.
    buffer: VecDeque<(u32, Vec<u32>)>,
}

impl Default for Thread {
    fn default() -> Thread {
        Thread {
            open: 0,
            unit: NONE,
            last: NONE,
            fence: NONE,
            last_write: NONE,
            reads: vec![],
            last_unbuffered: NONE,
            writes_of: FxHashMap::default(),
            reads_of: FxHashMap::default(),
            unfenced: vec![],
            buffer: VecDeque::new(),
        }
    }
}

/// The memory of one variable in an execution.
#[derive(Clone)]
struct Cell {
    /// The write that was committed last.
    write: u32,
    /// The reads since then.
    reads: Vec<u32>,
}

impl Builder {
    fn take(&mut self, number: u32, event: Event) {
        let thread = event.thread.index();
        if thread >= self.threads.len() {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        match event.op {
            Op::Begin(label) => self.begin(number, event.thread, label),
            Op::End => self.threads[thread].open = self.threads[thread].open.saturating_sub(1),
            Op::Nop | Op::Together | Op::Update => {}
            Op::Commit(x) => self.commit(number, thread, x),
            Op::Read(x) => self.read(number, event.thread, x),
            Op::Write(x) => self.write(number, event.thread, x),
            Op::Fence => drop(self.fence(number, event.thread)),
            Op::Acquire(lock) => self.acquire(number, event.thread, lock),
            Op::Release(lock) => self.release(number, event.thread, lock),
            Op::Fork(child) => self.fork(number, event.thread, child),
            Op::Join(child) => self.join(number, event.thread, child),
        }
    }

    fn begin(&mut self, number: u32, thread: ThreadId, label: LabelId) {
        let unit = self.history.units.len() as u32;
        let state = &mut self.threads[thread.index()];
        state.open += 1;
        if state.open == 1 && self.kind == Units::Transactions {
            state.unit = unit;
            self.history.units.push(Unit { thread, begin: Some(number), label });
        }
    }

    /// Adds a node, and its place in full program order if that is required.
    fn node(&mut self, event: u32, thread: ThreadId, act: Act) -> u32 {
        let index = self.history.nodes.len() as u32;
        let state = &mut self.threads[thread.index()];
        let mut unit = state.unit;
        if state.open == 0 || self.kind == Units::Events {
            unit = self.history.units.len() as u32;
            self.history.units.push(Unit { thread, begin: None, label: LabelId::NONE });
        }
        self.history.nodes.push(Node { event, thread, unit, act, fence: event, own: NONE, commit: NONE });
        let last = std::mem::replace(&mut state.last, index);
        if self.kind == Units::Events {
            self.edge(last, index);
        }
        index
    }

    /// Adds an edge of program order, or from another thread's fence.
    fn edge(&mut self, from: u32, to: u32) {
        if from != NONE {
            let is_own = self.history.node(from).thread == self.history.node(to).thread;
            self.history.edges.push(Edge {
                from,
                to,
                why: if is_own { Why::ProgramOrder } else { Why::Synchronization },
            });
        }
    }

    /// Like [`Builder::edge`], only if not all of program order is required.
    fn kept(&mut self, from: u32, to: u32) {
        if self.kind == Units::Transactions {
            self.edge(from, to);
        }
    }

    fn read(&mut self, number: u32, thread: ThreadId, x: VarId) {
        let node = self.node(number, thread, Act::Read(x));
        let state = &mut self.threads[thread.index()];
        let own = state.writes_of.get(&x).copied().unwrap_or(NONE);
        let same = state.reads_of.insert(x, node).unwrap_or(NONE);
        let before = if state.last_unbuffered == NONE { state.fence } else { state.last_unbuffered };
        state.reads.push(node);
        if own == NONE {
            state.last_unbuffered = node;
        }
        self.history.nodes[node as usize].own = own;
        self.cell(x);
        self.kept(before, node);
        self.kept(own, node);
        if same != NONE && (own == NONE || same > own) && same != before {
            self.kept(same, node);
        }
        if self.history.has_commits {
            self.read_memory(thread, x, node);
        }
    }

    fn write(&mut self, number: u32, thread: ThreadId, x: VarId) {
        let node = self.node(number, thread, Act::Write(x));
        self.history.nodes[node as usize].fence = NONE;
        self.after_all(thread, node);
        let state = &mut self.threads[thread.index()];
        state.last_write = node;
        state.writes_of.insert(x, node);
        state.unfenced.push(node);
        self.cell(x);
        if self.history.has_commits {
            self.threads[thread.index()].buffer.push_back((node, vec![]));
        }
    }

    /// Orders `node` after everything that `thread` has done. What precedes its last write or fence comes before that.
    fn after_all(&mut self, thread: ThreadId, node: u32) {
        let state = &mut self.threads[thread.index()];
        let reads = std::mem::take(&mut state.reads);
        let before = if state.last_write == NONE { state.fence } else { state.last_write };
        if reads.is_empty() || state.last_write != NONE {
            self.kept(before, node);
        }
        reads.into_iter().for_each(|read| self.kept(read, node));
    }

    fn fence(&mut self, number: u32, thread: ThreadId) -> u32 {
        let node = self.node(number, thread, Act::Fence);
        self.after_all(thread, node);
        self.drain(number, thread);
        let state = &mut self.threads[thread.index()];
        state.fence = node;
        state.last_write = NONE;
        state.last_unbuffered = NONE;
        state.writes_of.clear();
        state.reads_of.clear();
        node
    }

    /// Records that the writes of `thread` have reached memory by now.
    fn drain(&mut self, number: u32, thread: ThreadId) {
        let unfenced = std::mem::take(&mut self.threads[thread.index()].unfenced);
        for write in unfenced {
            self.history.nodes[write as usize].fence = number;
        }
        while !self.threads[thread.index()].buffer.is_empty() {
            self.commit_oldest(number, thread.index());
        }
    }

    fn acquire(&mut self, number: u32, thread: ThreadId, lock: LockId) {
        let node = self.fence(number, thread);
        for release in self.locks.get(&lock).cloned().unwrap_or_default() {
            if self.history.node(release).thread != thread {
                self.edge(release, node);
            }
        }
    }

    fn release(&mut self, number: u32, thread: ThreadId, lock: LockId) {
        let node = self.fence(number, thread);
        let history = &self.history;
        let releases = self.locks.entry(lock).or_default();
        releases.retain(|&release| history.node(release).thread != thread);
        releases.push(node);
    }

    fn fork(&mut self, number: u32, thread: ThreadId, child: ThreadId) {
        let node = self.fence(number, thread);
        if child != thread {
            let state = self.state(child);
            state.fence = node;
            state.last = node;
        }
    }

    fn join(&mut self, number: u32, thread: ThreadId, child: ThreadId) {
        let node = self.fence(number, thread);
        if child != thread {
            self.state(child);
            self.drain(number, child);
            self.after_ended(child, node);
        }
    }

    /// Orders `node` after everything that `child` has done; other joins may follow `child` too. The fork that started
    /// the child is not its own event, so it does not count.
    fn after_ended(&mut self, child: ThreadId, node: u32) {
        let Thread { reads, last_write, fence, last, .. } = &self.threads[child.index()];
        let (reads, last) = (reads.clone(), *last);
        let write_or_fence = if *last_write == NONE { *fence } else { *last_write };
        for before in reads.into_iter().chain([write_or_fence]) {
            if self.is_of(before, child) {
                self.kept(before, node);
            }
        }
        if self.kind == Units::Events && self.is_of(last, child) {
            self.edge(last, node);
        }
    }

    fn is_of(&self, node: u32, thread: ThreadId) -> bool {
        node != NONE && self.history.node(node).thread == thread
    }

    fn state(&mut self, thread: ThreadId) -> &mut Thread {
        if thread.index() >= self.threads.len() {
            self.threads.resize_with(thread.index() + 1, Thread::default);
        }
        &mut self.threads[thread.index()]
    }

    fn cell(&mut self, x: VarId) -> &mut Cell {
        if x.index() >= self.memory.len() {
            self.memory.resize(x.index() + 1, Cell { write: NONE, reads: vec![] });
        }
        &mut self.memory[x.index()]
    }

    /// Reads from the newest write of the variable in the thread's buffer, else from memory.
    fn read_memory(&mut self, thread: ThreadId, x: VarId, node: u32) {
        let nodes = &self.history.nodes;
        let buffer = &mut self.threads[thread.index()].buffer;
        let newest = buffer.iter_mut().rev().find(|(write, _)| nodes[*write as usize].act == Act::Write(x));
        if let Some((_, served)) = newest {
            served.push(node);
            return;
        }
        let cell = self.cell(x);
        cell.reads.push(node);
        let write = cell.write;
        self.memory_edge(write, node, Why::ReadsFrom);
    }

    fn commit(&mut self, number: u32, thread: usize, x: VarId) {
        let nodes = &self.history.nodes;
        let place =
            self.threads[thread].buffer.iter().position(|(write, _)| nodes[*write as usize].act == Act::Write(x));
        for _ in 0..place.map_or(0, |place| place + 1) {
            self.commit_oldest(number, thread);
        }
    }

    fn commit_oldest(&mut self, number: u32, thread: usize) {
        let (write, served) = self.threads[thread].buffer.pop_front().expect("a write to commit");
        let node = &mut self.history.nodes[write as usize];
        node.commit = number;
        let Act::Write(x) = node.act else { return };
        let cell = self.cell(x);
        let before = std::mem::replace(&mut cell.write, write);
        let readers = std::mem::replace(&mut cell.reads, served);
        self.memory_edge(before, write, Why::WriteOrder);
        readers.into_iter().for_each(|read| self.memory_edge(read, write, Why::ReadsBefore));
    }

    /// Adds an edge between accesses of two threads. Accesses of one thread are in program order.
    fn memory_edge(&mut self, from: u32, to: u32, why: Why) {
        if from != NONE && self.history.node(from).thread != self.history.node(to).thread {
            self.history.edges.push(Edge { from, to, why });
        }
    }
}
