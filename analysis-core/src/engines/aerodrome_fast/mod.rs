//! aerodrome-fast: AeroDrome with fewer read clocks, a lazy end, and no end work without effect.
//!
//! Paper: U. Mathur, M. Viswanathan, "Atomicity Checking in Linear Time using Vector Clocks", ASPLOS 2020: Algorithm 1
//! with section 4.3 and what that says of the long version.
//!
//! As in `aerodrome`, a clock says which running transactions reach an event, and a transaction that follows a clock
//! which has seen its own begin closes a cycle. At its end a transaction passes what reaches it to everything that it
//! reaches.
//!
//! # State, in the paper's letters
//! `C(t)` is `Thread::clock`; `W(x)`, and `R(x)` with `chR(x)`, are `Variable::write` and `Variable::reads`; `L(l)` is
//! an entry of `locks`. These are names of clocks; `clocks.rs` has their values and the rules for joins and ends.
//!
//! # The optimisations, and where we differ
//! 1. Reads: two clocks per variable (section 4.3), and only when the reads of several threads are not ordered. At an
//!    end `chR` grows if `R` has seen the transaction: a transaction has no bit there for its own reads.
//! 2. Lazy end: each running transaction has the set of clocks that have seen its begin. All accesses of a transaction
//!    share one clock, so the set is smaller than that of the variables and locks concerned.
//! 3. A transaction that no running one reaches is simply dropped at its end. "Reaches" includes program order from an
//!    earlier transaction of the thread, because a transaction begins with its thread's clock.
//! 4. Epochs: a component is one bit, since only the begins of running transactions are ever compared, and a clock that
//!    they do not reach is not stored at all.
//! 5. All accesses of a transaction share its clock while it runs, too. By the law what reaches the transaction reaches
//!    each of its events, so a cycle may be noticed earlier than by Algorithm 1, but only if it exists.
//! 6. An event outside any block belongs to no transaction: if it follows something new, it and the next events of its
//!    thread get a new clock.
//! 7. The child takes a fork's clock at its next event, not at the fork (line 20): a child without events carries
//!    nothing back to the join.
//! 8. A lock keeps unordered releases as a variable keeps unordered reads, so that ill-formed traces are judged by the
//!    law, too.
//! 9. Nothing is computed after the first cycle: the verdict is final.
//!
//! # Cost
//! O(1) for an event that follows nothing new, O(k / 64) for the others, for k running transactions; at an end the same
//! for each clock concerned. Each clock was joined once for each bit that the end clears.

mod clocks;

#[cfg(test)]
mod tests;

use crate::engine::{BlameClaim, Claim, Cycle, Engine, EngineSpec, Findings, Online, VerdictClaim};
use crate::event::{Event, Op, Stamp, VarId};
use crate::graph::accesses::at;
use crate::graph::prefetch::{is_large, prefetch};
use clocks::{Clocks, Name};

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "aerodrome-fast",
    summary: "verdict on the trace from a bit for each running transaction: two read clocks, lazy end, no dead clocks",
    source: "AeroDrome, section 4.3 and the long version's optimisations, corrected",
    claim: Claim { verdict: VerdictClaim::OnceBlocksClose, blame: BlameClaim::Silent },
    most_events: None,
    build: || Box::new(AeroDromeFast::default()),
    online: Online::Events,
};

/// The engine.
#[derive(Default)]
pub struct AeroDromeFast {
    events: u64,
    threads: Vec<Thread>,
    variables: Vec<Variable>,
    /// The releases of each lock.
    locks: Vec<Name>,
    clocks: Clocks,
    findings: Findings,
}

#[derive(Default)]
struct Thread {
    clock: Name,
    /// The forks of the thread since its last event (7).
    forks: Name,
    /// How many blocks are open.
    depth: u32,
}

#[derive(Clone, Copy, Default)]
struct Variable {
    write: Name,
    /// The reads since then.
    reads: Name,
}

impl AeroDromeFast {
    #[inline]
    fn take(&mut self, event: Event) {
        self.events += 1;
        let t = event.thread.index();
        if !self.enter(t, event.op) {
            self.findings.cycle = Some(Cycle { event: Stamp::new(event.thread, self.events), edges: Vec::new() });
        }
        if self.clocks.is_full() {
            self.collect();
        }
    }

    /// Processes an event of thread `t`. Returns false if it closes a cycle.
    #[inline]
    fn enter(&mut self, t: usize, op: Op) -> bool {
        let thread = at(&mut self.threads, t);
        if thread.depth == 0 {
            thread.clock = self.clocks.current(thread.clock);
        }
        if let Op::Begin(_) = op {
            thread.depth += 1;
            if thread.depth == 1 {
                thread.clock = self.clocks.begin(thread.clock);
            }
        }
        let forks = std::mem::take(&mut thread.forks);
        if forks != Name::NOTHING {
            let is_serial = self.follow(t, forks);
            self.clocks.release(forks);
            if !is_serial {
                return false;
            }
        }
        match op {
            Op::Read(x) => self.read(t, x.index()),
            Op::Write(x) => self.write(t, x.index()),
            Op::Acquire(l) => {
                let releases = *at(&mut self.locks, l.index());
                self.follow(t, releases)
            }
            Op::Release(l) => {
                let releases = at(&mut self.locks, l.index());
                *releases = self.clocks.with_access(*releases, self.threads[t].clock);
                true
            }
            Op::Fork(u) => {
                self.fork(t, u.index());
                true
            }
            Op::Join(u) => {
                let last = at(&mut self.threads, u.index()).clock;
                self.follow(t, last)
            }
            Op::End => self.end(t),
            Op::Begin(_) | Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => true,
        }
    }

    /// `checkAndGet`, lines 9 to 12.
    #[inline]
    fn follow(&mut self, t: usize, source: Name) -> bool {
        let thread = &mut self.threads[t];
        if source == thread.clock {
            return true;
        }
        if self.clocks.closes_cycle(thread.clock, source) {
            return false;
        }
        thread.clock = self.clocks.join(thread.clock, source);
        true
    }

    #[inline]
    fn read(&mut self, t: usize, x: usize) -> bool {
        let mine = self.threads[t].clock;
        let Variable { write, reads } = *at(&mut self.variables, x);
        // A read under this clock has already followed the write.
        if reads == mine && mine != Name::NOTHING {
            return true;
        }
        let is_serial = self.follow(t, write);
        self.variables[x].reads = self.clocks.with_access(reads, self.threads[t].clock);
        is_serial
    }

    #[inline]
    fn write(&mut self, t: usize, x: usize) -> bool {
        let Variable { write, reads } = *at(&mut self.variables, x);
        let is_serial = self.follow(t, write) && self.follow(t, reads);
        self.clocks.release(reads);
        self.variables[x] = Variable { write: self.threads[t].clock, reads: Name::NOTHING };
        is_serial
    }

    fn fork(&mut self, t: usize, u: usize) {
        if u != t {
            let mine = self.threads[t].clock;
            let forks = &mut at(&mut self.threads, u).forks;
            *forks = self.clocks.with_access(*forks, mine);
        }
    }

    /// Lines 37 to 46.
    fn end(&mut self, t: usize) -> bool {
        let thread = &mut self.threads[t];
        // An end without a begin is an event outside any block.
        if thread.depth == 0 {
            return true;
        }
        thread.depth -= 1;
        thread.depth > 0 || !self.clocks.end(thread.clock)
    }

    #[cold]
    fn collect(&mut self) {
        let of_threads = self.threads.iter().flat_map(|thread| [thread.clock, thread.forks]);
        let of_variables = self.variables.iter().flat_map(|variable| [variable.write, variable.reads]);
        self.clocks.collect(of_threads.chain(of_variables).chain(self.locks.iter().copied()));
    }
}

impl Engine for AeroDromeFast {
    #[inline]
    fn step(&mut self, event: Event) {
        if !self.findings.is_non_serializable() {
            self.take(event);
        }
    }

    fn is_large(&self) -> bool {
        is_large(&self.variables)
    }

    #[inline]
    fn expect(&self, x: VarId) {
        prefetch(&self.variables, x.index());
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }
}
