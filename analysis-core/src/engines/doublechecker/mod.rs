//! doublechecker: an imprecise graph of transactions first, a precise look at its components second.
//!
//! Paper: Biswas, Huang, Sengupta, Bond, "DoubleChecker: efficient sound and precise atomicity checking", PLDI 2014, in
//! its single-run mode; the states of objects are those of Octet (Bond et al., OOPSLA 2013).
//!
//! # Idea
//! *Imprecise phase.* An object knows its owner, but not its last event (`states.rs`). When it changes hands, an edge
//! goes from the current transaction of the old owner to that of the new one (`graph.rs`). Each dependency of the
//! program is a path of such edges and of program order, so all transactions on a cycle lie in one strongly connected
//! component (`components.rs`). *Precise phase.* Every transaction has logged its accesses; those of a component are
//! replayed, and each cycle that appears blames the transaction that completes it (`replay.rs`).
//!
//! # Where we differ
//! 1. An object is a variable or a lock: a trace does not say which fields belong together, and names, which might,
//!    never reach an engine. So the states are finer than the paper's, and there are fewer false components.
//! 2. The start of a thread is an object too: fork gives it to the child's first event. Join is an edge from the
//!    child's current node.
//! 3. The recorded order of the trace is compatible with the edges; logs are replayed in that order.
//! 4. Components are not searched for at every end of a transaction, but only when as many events have passed as the
//!    last search took steps, and when no block is open any more. The same cycles are found a little later, and the
//!    search stays linear even if the whole trace is one growing component.
//! 5. An edge from the last thread that made something read-shared starts, like all others, at that thread's current
//!    node.
//! 6. Events outside blocks are their own transactions. A run of them without an edge into or out of its middle is one
//!    node with one log, replayed event by event; no node is made for a run that no running transaction reaches.
//! 7. An access is not logged if the last access to its object was by the same transaction and as strong: it adds no
//!    edge between transactions.
//! 8. Finished transactions that no running one reaches are freed; in the paper the garbage collector of the virtual
//!    machine does that. Once the trace is known to be non-serializable, only paths that go forward from a begin
//!    matter, so what ended before every transaction that may still be blamed is freed too.
//!
//! # Never reports, can miss, cost
//! It finds a cycle when all its transactions have ended, so it misses cycles with a block that never ends. It blames
//! transactions that complete a cycle backwards in time, which are not violated. Inner blocks are not judged. O(1) for
//! an event whose object stays with its thread; a write of a variable that several threads read waits for all threads.
//! The logs of everything that running transactions reach are kept.

mod components;
mod graph;
mod replay;
mod states;
#[cfg(test)]
mod tests;

use crate::engine::{BlameClaim, Claim, Cycle, Engine, EngineSpec, Findings, Online, VerdictClaim, Violation};
use crate::event::{Event, LabelId, Op, ThreadId, VarId};
use crate::graph::accesses::at;
use crate::graph::prefetch::{is_large, prefetch};
use graph::{Entry, Graph, NodeId, Phase};
use replay::Closing;
use states::{Packed, Wait};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "doublechecker",
    summary: "components of an imprecise graph of transactions, then their logs, replayed",
    source: "Biswas, Huang, Sengupta, Bond, \"DoubleChecker\", PLDI 2014, single run",
    claim: Claim { verdict: VerdictClaim::OnceBlocksClose, blame: BlameClaim::Superset },
    most_events: None,
    build: || Box::new(DoubleChecker::default()),
    online: Online::Events,
};

/// The graph is swept when it has doubled since the last sweep, from this size on.
const LEAST_SWEPT: usize = 256;

/// A write or a release was logged.
const STRONG: u64 = 1;
/// A read or an acquire was logged.
const WEAK: u64 = 2;

/// The engine.
#[derive(Default)]
pub struct DoubleChecker {
    events: u64,
    vars: Vec<Object>,
    locks: Vec<Object>,
    threads: Vec<Thread>,
    /// Every thread that is in a node, and possibly others.
    present: Vec<ThreadId>,
    graph: Graph,
    /// The number of running transactions.
    running: usize,
    /// The number of transactions so far; the number of a transaction is its key in [`Object::logged`].
    transactions: u64,
    /// `gRdShCnt`: how often an object became read-shared.
    shared: u64,
    /// `gLastRdSh`: the thread that did so last.
    last_shared: Option<ThreadId>,
    /// A transaction has ended that may be the last of its component.
    is_pending: bool,
    /// The next search is not done before this event (4).
    next_search: u64,
    /// The graph is swept when it has this many nodes.
    most_nodes: usize,
    findings: Findings,
    /// The threads that the current event waits for; kept to reuse its memory.
    waits: Vec<ThreadId>,
}

/// A variable or a lock (1).
#[derive(Clone, Copy, Default)]
struct Object {
    state: Packed,
    /// The transaction that made the last access, shifted left by two bits for what it has logged: [`STRONG`],
    /// [`WEAK`].
    logged: u64,
}

#[derive(Default)]
struct Thread {
    /// The node that the thread is in, or was in last, unless that node was freed.
    node: Option<NodeId>,
    /// The number of open blocks.
    open: usize,
    /// The number of the running transaction; 0 for none.
    transaction: u64,
    /// `rdShCnt`: the counter when the thread last waited for a read-shared object.
    seen: u64,
    /// The thread that started this one since its last event.
    starter: Option<ThreadId>,
    is_present: bool,
}

/// What an event does to an object.
#[derive(Clone, Copy)]
enum Touch {
    Read,
    /// A write, or a release.
    Write,
    /// An acquire, which waits like a write. A release of its own transaction does not cover an acquire as it covers a
    /// read: the release waits for no thread.
    Acquire,
}

impl DoubleChecker {
    #[inline]
    fn take(&mut self, Event { thread, op }: Event) {
        self.events += 1;
        match op {
            Op::Read(x) => self.touch(thread, op, Touch::Read, |engine| at(&mut engine.vars, x.index())),
            Op::Write(x) => self.touch(thread, op, Touch::Write, |engine| at(&mut engine.vars, x.index())),
            Op::Acquire(l) => self.touch(thread, op, Touch::Acquire, |engine| at(&mut engine.locks, l.index())),
            Op::Release(l) => self.touch(thread, op, Touch::Write, |engine| at(&mut engine.locks, l.index())),
            Op::Fork(u) => self.fork(thread, u),
            Op::Join(u) => {
                self.waits.push(u);
                self.record(thread, op);
            }
            Op::Begin(label) => self.begin(thread, label),
            Op::End => self.end(thread),
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => self.record(thread, op),
        }
    }

    #[inline]
    fn touch(&mut self, thread: ThreadId, op: Op, touch: Touch, object: impl Fn(&mut Self) -> &mut Object) {
        let shared = self.shared;
        let Thread { transaction, starter, seen, .. } = *at(&mut self.threads, thread.index());
        let object = object(self);
        let known = if transaction != 0 && object.logged >> 2 == transaction { object.logged & 3 } else { 0 };
        let (covering, log) = match touch {
            Touch::Read => (STRONG | WEAK, WEAK),
            Touch::Write => (STRONG, STRONG),
            Touch::Acquire => (WEAK, WEAK),
        };
        if known & covering != 0 && starter.is_none() {
            return; // (7)
        }
        object.logged = transaction << 2 | known | log;
        let mut state = object.state.unpack();
        let wait = match touch {
            Touch::Read => state.read(thread, seen, shared),
            Touch::Write | Touch::Acquire => state.write(thread),
        };
        object.state = state.into();
        if wait != Wait::Nobody {
            self.wait(thread, wait);
        }
        self.record(thread, op);
    }

    /// Notes which threads the new owner waits for; the counter grows if the object becomes read-shared.
    fn wait(&mut self, thread: ThreadId, wait: Wait) {
        match wait {
            Wait::Nobody => {}
            Wait::Owner(owner) => self.waits.push(owner),
            Wait::Upgrade(owner) => {
                self.waits.push(owner);
                self.waits.extend(self.last_shared);
                self.shared += 1;
                self.last_shared = Some(thread);
                self.threads[thread.index()].seen = self.shared;
            }
            Wait::Fence => {
                self.waits.extend(self.last_shared);
                self.threads[thread.index()].seen = self.shared;
            }
            Wait::Everybody => {
                let threads = &mut self.threads;
                self.present.retain(|other| {
                    let other = &mut threads[other.index()];
                    other.is_present = other.node.is_some();
                    other.is_present
                });
                self.waits.extend(&self.present);
            }
        }
    }

    /// The start of the child changes hands like an object that is written (2).
    fn fork(&mut self, thread: ThreadId, child: ThreadId) {
        if child != thread {
            let starter = &mut at(&mut self.threads, child.index()).starter;
            self.waits.extend(starter.replace(thread));
        }
        self.record(thread, Op::Fork(child));
    }

    fn begin(&mut self, thread: ThreadId, label: LabelId) {
        let open = &mut at(&mut self.threads, thread.index()).open;
        *open += 1;
        if *open > 1 {
            return self.record(thread, Op::Nop);
        }
        self.running += 1;
        self.transactions += 1;
        self.threads[thread.index()].transaction = self.transactions;
        self.move_on(thread, Phase::Running, label);
        self.enter_edges(thread);
    }

    fn end(&mut self, thread: ThreadId) {
        let open = at(&mut self.threads, thread.index()).open;
        if open == 0 {
            return self.record(thread, Op::End);
        }
        self.threads[thread.index()].open -= 1;
        if open > 1 {
            return self.record(thread, Op::Nop);
        }
        self.enter_edges(thread);
        self.finish(thread);
    }

    /// Logs an event and adds the edges into it; no node is made for a run that nothing reaches (6).
    #[inline]
    fn record(&mut self, thread: ThreadId, op: Op) {
        let state = at(&mut self.threads, thread.index());
        if state.open == 0 && !self.is_in_run(thread) {
            return self.waits.clear();
        }
        let is_started = self.threads[thread.index()].starter.is_some();
        self.enter_edges(thread);
        let node = self.threads[thread.index()].node.expect("a transaction runs, or a run continues");
        let node = self.graph.node_mut(node);
        node.end = self.events;
        // An event that follows nothing and conflicts with nothing adds nothing to a node that already has an event.
        let is_idle = matches!(op, Op::End | Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update);
        if is_idle && !is_started && (node.phase == Phase::Running || !node.log.is_empty()) {
            return;
        }
        node.log.push(Entry { position: self.events, op });
    }

    /// Puts the thread, which has no open block, into a run for its next event, a new one if needed. Returns false if
    /// nothing reaches the event.
    fn is_in_run(&mut self, thread: ThreadId) -> bool {
        let Thread { node, starter, .. } = self.threads[thread.index()];
        let is_entered =
            self.waits.iter().copied().chain(starter).any(|other| {
                other != thread && self.threads.get(other.index()).is_some_and(|other| other.node.is_some())
            });
        let goes_on = node
            .map(|node| self.graph.node(node))
            .is_some_and(|node| node.phase == Phase::Run && node.successors.is_empty());
        if is_entered || (node.is_some() && !goes_on) {
            self.move_on(thread, Phase::Run, LabelId::NONE);
        } else if node.is_none() {
            self.threads[thread.index()].starter = None;
            return false;
        }
        true
    }

    /// Moves the thread to a new node, after its last one in program order.
    fn move_on(&mut self, thread: ThreadId, phase: Phase, label: LabelId) {
        let node = self.graph.add(phase, thread, label, self.events);
        let state = &mut self.threads[thread.index()];
        if let Some(last) = state.node.replace(node) {
            self.graph.connect(last, node);
        }
        if !std::mem::replace(&mut state.is_present, true) {
            self.present.push(thread);
        }
    }

    /// Adds an edge from the current node of each thread that is waited for.
    #[inline]
    fn enter_edges(&mut self, thread: ThreadId) {
        let state = &mut self.threads[thread.index()];
        self.waits.extend(state.starter.take());
        let node = state.node.expect("a thread with an edge into it is in a node");
        for other in self.waits.drain(..).filter(|other| *other != thread) {
            if let Some(source) = self.threads.get(other.index()).and_then(|other| other.node) {
                self.graph.connect(source, node);
            }
        }
    }

    fn finish(&mut self, thread: ThreadId) {
        self.running -= 1;
        let state = &mut self.threads[thread.index()];
        state.transaction = 0;
        let id = state.node.expect("a running transaction is a node");
        let node = self.graph.node_mut(id);
        (node.phase, node.end, node.is_fresh) = (Phase::Finished, self.events, true);
        if !node.is_reached {
            state.node = None;
            self.graph.free(id);
        } else if !node.successors.is_empty() {
            self.is_pending = true;
        }
        let is_due = self.is_pending && self.events >= self.next_search;
        let has_doubled = self.graph.len() >= self.most_nodes.max(LEAST_SWEPT);
        if (self.running == 0 && self.graph.len() > 0) || is_due || has_doubled {
            self.search();
        }
    }

    /// Searches for components, replays them, and frees what can be in no further component (4, 8).
    fn search(&mut self) {
        let mut steps = self.graph.len() + self.graph.edges();
        if std::mem::take(&mut self.is_pending) {
            for component in components::fresh(&mut self.graph) {
                steps += component.iter().map(|node| self.graph.node(*node).log.len()).sum::<usize>();
                for closing in replay::replay(&self.graph, &component) {
                    self.blame(closing);
                }
            }
        }
        let limit = if self.findings.cycle.is_some() { self.graph.least_begin_to_judge() } else { 0 };
        self.graph.sweep(limit);
        for thread in &self.present {
            let node = &mut self.threads[thread.index()].node;
            *node = node.filter(|node| self.graph.node(*node).phase != Phase::Free);
        }
        self.next_search = self.events + steps as u64;
        self.most_nodes = 2 * self.graph.len();
    }

    fn blame(&mut self, Closing { node, edges }: Closing) {
        let last = *edges.last().expect("a cycle has edges");
        if self.findings.cycle.is_none() {
            self.findings.cycle = Some(Cycle { event: last.to, edges: edges.clone() });
        }
        let node = self.graph.node_mut(node);
        if !std::mem::replace(&mut node.is_blamed, true) {
            self.findings.violations.push(Violation {
                thread: node.thread,
                label: node.label,
                begin: node.begin,
                event: last.to.position(),
                depth: 0,
                other: last.from,
                edges,
            });
        }
    }
}

impl Engine for DoubleChecker {
    #[inline]
    fn step(&mut self, event: Event) {
        self.take(event);
    }

    fn is_large(&self) -> bool {
        is_large(&self.vars)
    }

    #[inline]
    fn expect(&self, x: VarId) {
        prefetch(&self.vars, x.index());
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }
}
