//! regiontrack-trace: only the verdict on the trace (RT-Trace).
//!
//! Paper: RegionTrack, section 4.3 and Algorithm 3 with lines 1, 4 and 9 of Algorithm 4: the part of `regiontrack` that
//! gives the verdict on the trace.
//!
//! # Idea
//! Each running transaction has a *transactional vector clock*: for each thread, the first transaction that it `⇝`
//! reaches, kept closed by forward and back propagation. The trace is non-serializable when an edge enters a running
//! transaction from one that it reaches.
//!
//! # State, in the paper's letters
//! `W(x)`, `R(t, x)` and `L(m)` are the stamps of [`Accesses`](crate::graph::accesses::Accesses); `C(t)` and `TV(t)`
//! are in `Cycles`, which has the rules.
//!
//! # Where we differ
//! 1. There are no vector clocks. The paper compares the timestamp of the source with a transactional clock; the number
//!    of the source event itself lies between the begin and the end of its transaction, which is enough.
//! 2. As in `regiontrack`: an event outside any block is its own transaction, fork and join are edges, "no edge" is
//!    infinity, only running transactions have a row, and a lock remembers each release that no later one follows.
//! 3. The verdict is final after the first cycle, so later events are ignored.
//!
//! # Never reports, can miss, cost
//! It blames no block and misses no cycle. O(1) for an event without an edge from another thread; at worst O(k²) to
//! propagate one, for k running transactions; O(1) for a whole batch after the cycle.

#[cfg(test)]
mod tests;

use crate::clock::cycles::Cycles;
use crate::engine::{BlameClaim, Claim, Cycle, Edge, EngineSpec, Findings, Online, VerdictClaim};
use crate::event::{LabelId, Stamp, ThreadId};
use crate::graph::accesses::Access;
use crate::graph::shell::{Rules, Shell};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "regiontrack-trace",
    summary: "the verdict on the trace alone, at the earliest event, from transactional vector clocks",
    source: "RegionTrack, Algorithms 3 and 4, RT-Trace",
    claim: Claim { verdict: VerdictClaim::AtEveryPrefix, blame: BlameClaim::Silent },
    most_events: None,
    build: || Box::new(Shell::<RegionTrackTrace>::default()),
    online: Online::Events,
};

/// The rules, with their state.
#[derive(Default)]
struct RegionTrackTrace {
    cycles: Cycles,
    findings: Findings,
}

impl Rules for RegionTrackTrace {
    type Tag = ();

    /// (3)
    const STOPS_AT_CYCLE: bool = true;

    #[inline]
    fn begin(&mut self, me: Stamp, _label: LabelId) {
        self.cycles.begin(me);
    }

    /// Algorithm 4: line 9 is applied to each source before any source is entered.
    fn follow(&mut self, me: Stamp, sources: &[Access]) {
        let edge = |source: &Access| Edge::new(source.stamp, me);
        let closed = sources.iter().find_map(|source| self.cycles.closed_by(edge(source)));
        self.findings.cycle = closed.map(|edges| Cycle { event: me, edges });
        for source in sources {
            self.cycles.enter(edge(source));
        }
    }

    #[inline]
    fn end(&mut self, me: Stamp) {
        self.cycles.end(me.thread());
    }

    #[inline]
    fn tag(&self, _thread: ThreadId) {}

    fn findings(&self) -> &Findings {
        &self.findings
    }
}
