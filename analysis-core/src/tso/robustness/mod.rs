//! robustness: does this execution, or any execution of this trace, behave as no interleaving does?
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016, section 4.2.
//!
//! # Idea
//! An execution is equivalent to one under sequential consistency iff it can be reordered, keeping conflicts and all of
//! program order, so that each write is committed at once. Contract each issue with its commit, take every event as a
//! unit of its own, and order all events of a thread: such a reordering exists iff there is no cycle (the write
//! contraction). For a trace without commits, the same search as for transactions looks for an execution with a cycle.
//!
//! A robust program whose runs are serializable under sequential consistency is serializable under TSO (Theorem 2).

use super::history::Units;
use super::schedule::Execution;
use super::traces::of_all_executions;
use super::witness::Witness;
use super::{Algorithm, Answer, Claim, Input};

pub(super) const SPEC: Algorithm = Algorithm {
    name: "robustness",
    summary: "is this execution, or each that a trace leaves open, equivalent to one without store buffers",
    source: "Enea, Farzan, \"On Atomicity in Presence of Non-atomic Writes\", TACAS 2016, section 4.2",
    claim: Claim::ExactWithinBound,
    clean: "robust",
    violated: "not robust",
    is_of_transactions: false,
    run,
};

fn run<'a>(input: &Input<'a>) -> Answer<'a> {
    if input.has_commits {
        return Answer::of(Witness::of(Execution::itself(input.events), Units::Events));
    }
    of_all_executions(input, Units::Events)
}
