//! regiontrack: both verdicts from vector clocks of subregions and transactional vector clocks.
//!
//! Paper: RegionTrack, Algorithms 1, 3 and 4 (sections 4.2 and 4.3): "a trace-based sound and complete checker for
//! transactional atomicity violations and non-serializable traces".
//!
//! # Idea
//! A transaction is cut into *subregions*: runs of its events without a new incoming edge, which share one vector
//! clock. The running transaction is violated when one of its events joins a clock that has seen its begin (Algorithm
//! 4, line 7). For cycles that only close backwards in time, each running transaction has a *transactional vector
//! clock*: for each thread, the first transaction that it `⇝` reaches, kept closed by forward and back propagation
//! (Algorithm 3). The trace is non-serializable when a transaction joins from one that it reaches (Algorithm 4, line
//! 9).
//!
//! # State, in the paper's letters
//! `V(t)` is `Thread::clock`, and so is `currVC`, since clocks are shared and never change; `C(t)` is `Thread::blocks`;
//! `W(x)`, `R(t, x)` and `L(m)` are tags of [`Accesses`](crate::graph::accesses::Accesses); `TV(t)` is a row of
//! `Transactional`.
//!
//! # Where we differ
//! 1. An event outside any block has its own timestamp. (The paper merges adjacent ones, section 4.2, and gives them
//!    none, which causes false alarms and misses.) Timestamps are the numbers of events.
//! 2. Fork and join are treated like release and acquire between threads; the paper has neither.
//! 3. In a transactional vector clock "no edge" is infinity, not 0 (Algorithm 3 compares 0 as if it were an edge at
//!    lines 5, 20 and 32).
//! 4. Clocks have a component, and transactional clocks a row, for running transactions only: nothing else is ever
//!    compared (Algorithm 4 asks for `C(t).begin` alone, and only a running transaction can be the end of a cycle).
//!    So neither grows with the square of the threads ever seen.
//! 5. Back propagation does not recurse (Algorithm 3, line 25): rows are closed, so a transaction that reaches one that
//!    reaches the source reaches the source itself. It forwards the sink's row, not the source's (line 24), because the
//!    source's transaction may be over.
//! 6. An inner block has a timestamp at its begin too, and the begins on the stack are compared with what was seen.
//! 7. A lock remembers every release that no later one follows, not only the last, so that ill-formed traces are judged
//!    by the law, too.
//! 8. After the first cycle the transactional clocks are no longer updated, so that one cause is not reported
//!    repeatedly.
//! 9. From time to time, variables drop their clocks that have seen no running transaction: by (4) those are never
//!    compared again. So memory follows what runs, not the number of accesses.
//!
//! # Cost
//! O(1) for an event without an edge from another thread; O(k) to join clocks and at worst O(k²) to propagate, for k
//! running transactions.

#[cfg(test)]
mod tests;

use crate::clock::transactional::Transactional;
use crate::clock::{ClockId, Clocks};
use crate::engine::{Claim, Cycle, Edge, EngineSpec, Findings, Online};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::{Access, at};
use crate::graph::begins::Begins;
use crate::graph::blocks::Blocks;
use crate::graph::rows::{NONE, Rows};
use crate::graph::shell::{Rules, Shell};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "regiontrack",
    summary: "both verdicts at the earliest event, from vector clocks of subregions and of transactions",
    source: "RegionTrack, Algorithms 1, 3 and 4",
    claim: Claim::EXACT,
    most_events: None,
    build: || Box::new(Shell::<RegionTrack>::default()),
    online: Online::Events,
};

/// The rules, with their state.
#[derive(Default)]
struct RegionTrack {
    clocks: Clocks,
    threads: Vec<Thread>,
    /// The slot of each running transaction, which is also its row.
    slots: Rows,
    transactional: Transactional,
    /// The edges by which each begin has reached each thread. Only for witnesses: the clocks decide.
    trail: Begins,
    findings: Findings,
}

#[derive(Default)]
struct Thread {
    clock: ClockId,
    blocks: Blocks,
}

impl RegionTrack {
    /// Algorithm 4, lines 6 to 12.
    fn check_hb(&mut self, source: &Access<ClockId>, me: Stamp) {
        let Some(slot) = self.slots.of(me.thread()) else { return };
        let edge = Edge::new(source.stamp, me);
        if self.findings.cycle.is_none() {
            let begin = self.threads[me.thread().index()].blocks.transaction().expect("one that has a slot");
            let edges = self.transactional.cycle(slot, begin, edge);
            self.findings.cycle = edges.map(|edges| Cycle { event: me, edges });
        }
        let seen = self.clocks.get(source.tag, slot.index());
        let path = |begin| self.trail.path(slot, me.thread(), begin, edge);
        self.threads[me.thread().index()].blocks.violate(seen, edge, &mut self.findings, path);
    }

    /// Algorithm 3, with the timestamps of the two transactions: the source event lies between the begin and end of its
    /// transaction, so the event itself serves as a threshold.
    fn update_tvc(&mut self, edge: Edge) {
        let source_thread = &self.threads[edge.from.thread().index()];
        let is_running = source_thread.blocks.transaction().is_some_and(|begin| begin <= edge.from.position());
        let source_row = if is_running { self.slots.of(edge.from.thread()) } else { None };
        let sink_thread = &self.threads[edge.to.thread().index()];
        let sink = sink_thread.blocks.transaction().unwrap_or(edge.to.position());
        let sink_row = self.slots.of(edge.to.thread());
        self.transactional.update(edge, sink, source_row, sink_row);
    }

    /// Propagates what `clock` has seen of running transactions to the thread of `edge.to`.
    fn extend_trail(&mut self, clock: ClockId, edge: Edge) {
        for (slot, begin) in self.clocks.slots(clock) {
            let Some((row, owner)) = self.slots.holder(slot) else { continue };
            let home = &self.threads[owner.index()].blocks;
            let is_of_holder = home.transaction().is_some_and(|start| start <= begin);
            if is_of_holder && owner != edge.to.thread() {
                self.trail.extend(row, begin, edge, |b| home.deepest(b));
            }
        }
    }
}

impl Rules for RegionTrack {
    type Tag = ClockId;

    #[inline]
    fn meet(&mut self, thread: ThreadId) {
        at(&mut self.threads, thread.index());
    }

    /// Algorithm 1, lines 1 to 6; inner blocks alike (6).
    fn begin(&mut self, me: Stamp, label: LabelId) {
        let slot = self.slots.give(me.thread());
        let thread = &mut self.threads[me.thread().index()];
        thread.blocks.begin(me.position(), label);
        thread.clock = self.clocks.with(thread.clock, slot.index(), me.position());
    }

    /// Algorithm 4, lines 1 to 5, for all sources of an event.
    fn follow(&mut self, me: Stamp, sources: &[Access<ClockId>]) {
        for source in sources {
            self.check_hb(source, me);
        }
        for source in sources {
            let edge = Edge::new(source.stamp, me);
            if self.findings.cycle.is_none() {
                self.update_tvc(edge);
            }
            let thread = &mut self.threads[me.thread().index()];
            let joined = self.clocks.join(thread.clock, source.tag);
            if joined != thread.clock {
                thread.clock = joined;
                self.extend_trail(source.tag, edge);
            }
        }
    }

    /// Algorithm 1, lines 7 to 9.
    fn end(&mut self, me: Stamp) {
        let thread = me.thread();
        if self.threads[thread.index()].blocks.end()
            && let Some(row) = self.slots.take_back(thread)
        {
            self.trail.clear(row);
            self.transactional.clear(row);
        }
    }

    #[inline]
    fn tag(&self, thread: ThreadId) -> ClockId {
        self.threads[thread.index()].clock
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.clocks.is_full()
    }

    /// (9)
    #[cold]
    fn collect<'a>(&mut self, tags: impl Iterator<Item = &'a mut ClockId>) {
        let start = |thread: ThreadId| self.threads[thread.index()].blocks.transaction().unwrap_or(NONE);
        let starts = self.slots.starts(start);
        let of_accesses = tags.map(|tag| -> &mut ClockId { tag });
        let of_threads = self.threads.iter_mut().map(|thread| &mut thread.clock);
        self.clocks.collect(of_accesses.chain(of_threads), &starts);
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }
}
