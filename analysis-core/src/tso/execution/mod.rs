//! tso-execution: is this execution, with its commits, serializable under TSO?
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016, section 4.
//!
//! # Idea
//! Two events conflict if they touch the same variable and one of them is a commit, unless one is a read served by its
//! own thread's store buffer and the other a commit that happens while it is buffered; or if they belong to one thread,
//! except a write and a later read of another variable, a buffered read and a later read of another variable, and a
//! commit and anything but its issue, other commits and fences. The execution is serializable iff the graph of its
//! transactions, with an edge wherever an event conflicts with a later one, is acyclic (Theorem 1).
//!
//! Enough of these edges are kept to imply the others: for each variable, which access read which commit, which commit
//! came next, and which accesses read before it ([`History`] has them). A read that the buffer serves is placed at its
//! write.
//!
//! # Cost
//! Linear in the number of events, with about four edges per event.

use super::history::Units;
use super::schedule::Execution;
use super::witness::Witness;
use super::{Algorithm, Answer, Claim, Input};

pub(super) const SPEC: Algorithm = Algorithm {
    name: "tso-execution",
    summary: "is this execution, with its commits, serializable under TSO",
    source: "Enea, Farzan, \"On Atomicity in Presence of Non-atomic Writes\", TACAS 2016, section 4",
    claim: Claim::Exact,
    clean: "serializable",
    violated: "not serializable",
    is_of_transactions: true,
    run,
};

fn run<'a>(input: &Input<'a>) -> Answer<'a> {
    if !input.has_commits {
        return Answer::unsuitable("the trace has no commits, so it leaves its executions open; use tso-trace");
    }
    Answer::of(Witness::of(Execution::itself(input.events), Units::Transactions))
}
