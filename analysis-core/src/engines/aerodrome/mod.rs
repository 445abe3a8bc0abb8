//! aerodrome: the verdict on the trace from vector clocks of events, in the plain form.
//!
//! Paper: U. Mathur, M. Viswanathan, "Atomicity Checking in Linear Time using Vector Clocks", ASPLOS 2020, Algorithm 1.
//!
//! # Idea
//! Each event has a vector clock. It records the begins of the running transactions that are known to reach the event.
//! A running transaction that follows an event which has seen its begin closes a cycle. That something reaches a
//! transaction may become known only after others have followed the transaction; so at its end all clocks that have
//! seen its begin are raised to its own. Two running transactions that reach each other are noticed at the first end of
//! the two: the verdict is exact once blocks close.
//!
//! # State, in the paper's letters
//! `C(t)` is `Thread::clock`; of `C▷(t)` only the thread's own component is kept, `Thread::begin`; `W(x)`, `R(t, x)`
//! and `L(l)` are tags of [`Accesses`](crate::graph::accesses::Accesses), which omits the events of the thread itself
//! (`lastWThr`, `lastRelThr`).
//!
//! # Where we differ
//! 1. An event outside any block is its own transaction, which ends at once; nothing is checked at it (section 4.1.4).
//!    An `end` without a begin is such an event.
//! 2. The child takes the clock of the fork at its next event, not at the fork (line 20): a child without events
//!    carries nothing back to the join. The child checks the clock (line 11), since it may be inside a block if the
//!    trace is not well-formed.
//! 3. Clocks have a component for each running transaction, not for each thread: nothing else is ever compared. Times
//!    are event numbers, so those of earlier holders of a component are below the begin of the present one.
//! 4. `C▷ ⊑ clk` compares only the own component (lines 10, 39, 42 to 46): a clock that has it got it from an event of
//!    the transaction, together with everything that the begin had seen.
//! 5. `R(t, x)` is forgotten at a write of `x`, which follows it.
//! 6. A lock remembers every release that no later one follows, not only the last, so that ill-formed traces are judged
//!    by the law, too.
//! 7. Events with equal clock values share a clock; the end walks each existing clock once (lines 41 to 46).
//! 8. Nothing is computed after the first cycle: the verdict is final.
//! 9. From time to time, clocks that have seen no running transaction are dropped: by (3) they are never compared
//!    again, and no end raises them.
//!
//! # Cost
//! O(k) for an event, for k running transactions, times the number of readers for a write; at the end of a transaction
//! O(k) for each existing clock.

#[cfg(test)]
mod tests;

use crate::clock::{ClockId, Clocks};
use crate::engine::{BlameClaim, Claim, Cycle, EngineSpec, Findings, Online, VerdictClaim};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::{Access, at};
use crate::graph::rows::Rows;
use crate::graph::shell::{Rules, Shell};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "aerodrome",
    summary: "verdict on the trace from vector clocks, where each end raises every clock that has seen its begin",
    source: "AeroDrome, Algorithm 1",
    claim: Claim { verdict: VerdictClaim::OnceBlocksClose, blame: BlameClaim::Silent },
    most_events: None,
    build: || Box::new(Shell::<AeroDrome>::default()),
    online: Online::Events,
};

/// The rules, with their state.
#[derive(Default)]
struct AeroDrome {
    clocks: Clocks,
    threads: Vec<Thread>,
    /// The component of each running transaction.
    slots: Rows,
    findings: Findings,
}

#[derive(Default)]
struct Thread {
    clock: ClockId,
    /// The time of the begin of the running transaction.
    begin: u64,
    /// How many blocks are open.
    depth: u32,
}

impl AeroDrome {
    /// Lines 9 to 12.
    fn check_and_get(&mut self, clock: ClockId, me: Stamp) {
        let thread = &mut self.threads[me.thread().index()];
        if let Some(slot) = self.slots.of(me.thread())
            && self.clocks.get(clock, slot.index()) >= thread.begin
        {
            self.declare_violation(me);
            return;
        }
        thread.clock = self.clocks.join(thread.clock, clock);
    }

    /// Lines 38 to 40 with line 10: whether some other running transaction has seen the begin of this one, and vice
    /// versa.
    fn is_reached_by_what_it_reaches(&self, thread: ThreadId, slot: usize) -> bool {
        let Thread { clock, begin, .. } = self.threads[thread.index()];
        let mut reaching = self.clocks.slots(clock).filter_map(|(other, seen)| {
            let (_, owner) = self.slots.holder(other)?;
            Some((&self.threads[owner.index()], seen))
        });
        reaching.any(|(other, seen)| seen >= other.begin && self.clocks.get(other.clock, slot) >= begin)
    }

    fn declare_violation(&mut self, me: Stamp) {
        self.findings.cycle.get_or_insert(Cycle { event: me, edges: Vec::new() });
    }
}

impl Rules for AeroDrome {
    type Tag = ClockId;

    /// (8)
    const STOPS_AT_CYCLE: bool = true;

    #[inline]
    fn meet(&mut self, thread: ThreadId) {
        at(&mut self.threads, thread.index());
    }

    /// Lines 34 to 36. An inner block is part of the outermost (section 4.1.4).
    fn begin(&mut self, me: Stamp, _label: LabelId) {
        let thread = &mut self.threads[me.thread().index()];
        thread.depth += 1;
        if thread.depth == 1 {
            let slot = self.slots.give(me.thread());
            thread.begin = me.position();
            thread.clock = self.clocks.with(thread.clock, slot.index(), thread.begin);
        }
    }

    fn follow(&mut self, me: Stamp, sources: &[Access<ClockId>]) {
        for source in sources {
            self.check_and_get(source.tag, me);
        }
    }

    /// Lines 37 to 46.
    fn end(&mut self, me: Stamp) {
        let thread = &mut self.threads[me.thread().index()];
        if thread.depth > 1 {
            thread.depth -= 1;
            return;
        }
        let Some(slot) = self.slots.take_back(me.thread()) else { return };
        thread.depth = 0;
        let (clock, begin) = (thread.clock, thread.begin);
        if self.is_reached_by_what_it_reaches(me.thread(), slot.index()) {
            self.declare_violation(me);
            return;
        }
        self.clocks.raise(slot.index(), begin, clock);
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
        let starts = self.slots.starts(|thread| self.threads[thread.index()].begin);
        let of_accesses = tags.map(|tag| -> &mut ClockId { tag });
        let of_threads = self.threads.iter_mut().map(|thread| &mut thread.clock);
        self.clocks.collect(of_accesses.chain(of_threads), &starts);
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }
}
