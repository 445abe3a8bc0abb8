//! tso-trace: is every execution of a trace serializable under TSO?
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016, sections 5 and 6.
//!
//! # Idea
//! A trace says when writes were issued and leaves open when they were committed. It is serializable iff each placement
//! of the commits that store buffers can make is (Definition 3). [`search`] looks for one that is not. Commits in the
//! trace are ignored: a trace is not serializable if it is not serializable as an execution (Proposition 2).
//!
//! Longer and longer prefixes are searched: a non-serializable execution of a prefix extends to one of the whole trace,
//! and a short prefix takes little work.
//!
//! # Where we differ
//! `search.rs` describes how the search differs from that of the paper's Figure 3.

use super::history::{History, Units};
use super::schedule::Execution;
use super::search::{Outcome, search};
use super::witness::Witness;
use super::{Algorithm, Answer, Claim, Input};
use crate::event::Event;

/// The length of the first prefix, and the factor by which each next one is longer.
const FIRST_PREFIX: usize = 4096;
const GROWTH: usize = 4;

pub(super) const SPEC: Algorithm = Algorithm {
    name: "tso-trace",
    summary: "is every execution that a trace leaves open serializable under TSO",
    source: "Enea, Farzan, \"On Atomicity in Presence of Non-atomic Writes\", TACAS 2016, sections 5 and 6",
    claim: Claim::ExactWithinBound,
    clean: "serializable",
    violated: "not serializable",
    is_of_transactions: true,
    run: |input| of_all_executions(input, Units::Transactions),
};

/// Decides whether some execution of the trace has a cycle of such units.
pub(super) fn of_all_executions<'a>(input: &Input<'a>, units: Units) -> Answer<'a> {
    let trace = input.without_commits();
    let mut work = input.work;
    let mut length = FIRST_PREFIX;
    loop {
        let prefix: &[Event] = &trace[..length.min(trace.len())];
        let history = History::of(prefix, units);
        match search(&history, &mut work) {
            Outcome::Found(assumptions) => {
                let mut execution = Execution::of(prefix, &history, &assumptions);
                input.number_with_commits(&mut execution);
                return Answer::of(Some(Witness::of(execution, units).expect("what was found is a cycle")));
            }
            Outcome::Exhausted => {
                return Answer::Undecided(format!(
                    "{} steps of search did not decide the first {} events; allow more with --work, or add fences: \
                     the more writes are unfenced at a time, the more executions there are",
                    input.work,
                    prefix.len()
                ));
            }
            Outcome::None if prefix.len() == trace.len() => return Answer::Clean,
            Outcome::None => length *= GROWTH,
        }
    }
}
