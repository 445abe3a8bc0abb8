//! atomizer: guesses online, from this schedule, what could go wrong in others.
//!
//! Paper: C. Flanagan, S. N. Freund, "Atomizer: A Dynamic Atomicity Checker for Multithreaded Programs", POPL 2004, as
//! used by section 8 of L. Wang, S. D. Stoller, "Runtime Analysis of Atomicity for Multi-threaded Programs" (IEEE TSE
//! 2006). The algorithm is [`Atomizer`], which `regiontrack predict` uses too.
//!
//! # Idea
//! A transaction whose events can be moved together in every schedule has the form `R* N? L*`: acquires move right,
//! releases move left, accesses under the lock of their variable move both ways, and at most one event does not move.
//! The lock of each variable, and which locks are shared at all, are learned from the events so far.
//!
//! # Where we differ
//! 1. As in the report, not as in the original: variables are classified by the algorithm of von Praun and Gross, and
//!    re-entrant, thread-local and protected locks move both ways.
//! 2. Only transactions are judged, and each is warned about once.
//!
//! # Never reports, can miss, cost
//! It never says that the trace is non-serializable. A warning is not a violation, neither of this run nor of another:
//! a transaction may be atomic for reasons other than locks. It misses errors not caused by missing locks, and whatever
//! happened before a variable or a lock was known to be shared. Time: a few comparisons of locks for an event; memory:
//! a set of locks for each variable and each lock.

#[cfg(test)]
mod tests;

use crate::engine::{Claim, Engine, EngineSpec, Findings, Online, Violation};
use crate::event::{Event, Stamp};
use crate::predict::online::{Atomizer, Mismatch};

/// The name of the engine, and of the predictive algorithm.
pub const NAME: &str = "atomizer";

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: NAME,
    summary: "reduction on line: which transactions may not be atomic, by the locks held so far; for comparison",
    source: "Flanagan, Freund, \"Atomizer\", POPL 2004, as Wang, Stoller, IEEE TSE 2006, section 8 use it",
    claim: Claim::WARNINGS,
    most_events: None,
    build: || Box::new(Warner::default()),
    online: Online::Events,
};

/// The algorithm, with its warnings reported as findings.
#[derive(Default)]
struct Warner {
    atomizer: Atomizer,
    findings: Findings,
}

impl Engine for Warner {
    fn step(&mut self, event: Event) {
        if let Some(mismatch) = self.atomizer.step(event) {
            self.findings.violations.push(warning(mismatch));
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }
}

fn warning(Mismatch { thread, label, begin, commit, event }: Mismatch) -> Violation {
    Violation { thread, label, begin, event, depth: 0, other: Stamp::new(thread, commit), edges: Vec::new() }
}
