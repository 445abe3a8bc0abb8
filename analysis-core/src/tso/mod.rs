//! Atomicity where writes are not atomic: executions and traces under Total Store Order (TSO).
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016. On x86 a write waits in its processor's
//! store buffer: it is *issued* by its thread and *committed* to memory later, in order; a read takes the newest value
//! from its own buffer, if there is one, else from memory; a fence waits until the buffer is empty. So a run may be
//! serializable in the order in which its instructions were issued, and yet not be. `docs/tso.md` has an example.
//!
//! A trace with commits is an *execution*. A trace without commits leaves open when its writes were committed and
//! represents all executions that store buffers can make of it. Acquires, releases, forks and joins are fences.
//!
//! | to see | read |
//! |---|---|
//! | what is decided, how, and what each answer guarantees | the folders of [`ALGORITHMS`] |
//! | the orders that conflict leaves | [`history`] |
//! | the possible placements of commits | [`points`], [`search`] |
//! | what is reported | [`witness`] |
//! | executions of small programs, with a simulated store buffer | [`program`] |
//!
//! # To add an algorithm
//! Add a folder with a `mod.rs` that opens with the paper and the idea and holds one `pub(super) const SPEC:
//! Algorithm`, and its line in [`ALGORITHMS`]. Help texts and tests iterate over that list.

pub mod chains;
mod execution;
mod fenced;
pub mod graph;
pub mod history;
pub mod points;
pub mod program;
mod robustness;
pub mod schedule;
pub mod search;
mod traces;
pub mod witness;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::fmt;

use crate::event::{Event, Op};
use schedule::Execution;
use witness::Witness;

/// Every algorithm, in the order used by help and tables.
pub const ALGORITHMS: &[Algorithm] = &[execution::SPEC, traces::SPEC, robustness::SPEC, fenced::SPEC];

/// The default number of search steps for a trace: some seconds.
pub const WORK: u64 = 100_000_000;

/// The longest trace: times are 32-bit numbers, and an execution of the trace has a commit for each write.
pub const MOST_EVENTS: usize = 1 << 31;

/// An algorithm in the registry.
pub struct Algorithm {
    /// The name on the command line.
    pub name: &'static str,
    /// What it decides, in one line.
    pub summary: &'static str,
    /// The paper.
    pub source: &'static str,
    /// What its answers guarantee.
    pub claim: Claim,
    /// The word for a trace in which nothing is found.
    pub clean: &'static str,
    /// The word for a trace in which something is found.
    pub violated: &'static str,
    /// Whether its cycles consist of transactions; otherwise they consist of single events.
    pub is_of_transactions: bool,
    run: for<'a> fn(&Input<'a>) -> Answer<'a>,
}

/// What an algorithm promises about its answers. Tests check each promise against an enumeration of all executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Exact.
    Exact,
    /// Exact, or undecided if the bound on work is reached.
    ExactWithinBound,
    /// Its findings are right; for one trace it may miss some, over all runs of a program without delays none.
    SubsetForOneTrace,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::Exact => "exact",
            Claim::ExactWithinBound => "exact, or undecided where the bound on work is reached",
            Claim::SubsetForOneTrace => {
                "what it reports is right; it may miss some in one trace, none over all runs of a program"
            }
        })
    }
}

/// The answer of an algorithm for a trace.
pub enum Answer<'a> {
    /// Nothing was found.
    Clean,
    /// The trace is violated, with the finding.
    Violation(Found<'a>),
    /// The bound on work was reached first: how far the search came, and what to do.
    Undecided(String),
    /// The algorithm does not decide such traces: the reason, and an algorithm that does.
    Unsuitable(String),
}

/// A finding. The execution that shows it is built on demand.
pub struct Found<'a>(LazyCell<Witness, Box<dyn FnOnce() -> Witness + 'a>>);

impl<'a> Found<'a> {
    fn new(witness: impl FnOnce() -> Witness + 'a) -> Found<'a> {
        Found(LazyCell::new(Box::new(witness)))
    }

    /// Returns the execution with its cycle.
    pub fn witness(&self) -> &Witness {
        &self.0
    }
}

impl<'a> Answer<'a> {
    fn of(witness: Option<Witness>) -> Answer<'a> {
        witness.map_or(Answer::Clean, |witness| Answer::Violation(Found::new(|| witness)))
    }

    fn unsuitable(why: impl Into<String>) -> Answer<'a> {
        Answer::Unsuitable(why.into())
    }

    /// Returns whether this is a violation.
    pub fn is_violation(&self) -> bool {
        matches!(self, Answer::Violation(_))
    }
}

/// Returns the algorithm called `name`.
pub fn find(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// Returns the algorithm to use if none is named: for an execution, one that uses its commits, else one that leaves
/// them open.
pub fn default_for(events: &[Event]) -> &'static Algorithm {
    &ALGORITHMS[usize::from(!has_commits(events))]
}

/// Returns the algorithm that looks for behaviour that no interleaving has.
pub fn robustness() -> &'static Algorithm {
    &ALGORITHMS[2]
}

/// Returns whether the trace is an execution.
pub fn has_commits(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.op, Op::Commit(_)))
}

impl Algorithm {
    /// Decides a trace of at most [`MOST_EVENTS`] events, with at most `work` steps of search.
    pub fn check<'a>(&self, events: &'a [Event], work: u64) -> Answer<'a> {
        assert!(events.len() <= MOST_EVENTS, "{} events are more than {MOST_EVENTS}", events.len());
        (self.run)(&Input { events, has_commits: has_commits(events), work })
    }
}

/// The input of an algorithm.
#[derive(Clone, Copy)]
struct Input<'a> {
    events: &'a [Event],
    has_commits: bool,
    work: u64,
}

impl<'a> Input<'a> {
    /// Returns the trace of an execution: the events without commits.
    fn without_commits(&self) -> Cow<'a, [Event]> {
        if self.has_commits {
            self.events.iter().copied().filter(|event| !is_commit(event)).collect()
        } else {
            self.events.into()
        }
    }

    /// Returns the number in the whole trace of an event of [`Input::without_commits`].
    fn number(&self, number: u32) -> u32 {
        if !self.has_commits {
            return number;
        }
        let kept = (1..).zip(self.events).filter(|(_, event)| !is_commit(event));
        kept.map(|(number, _)| number).nth(number as usize - 1).expect("an event of the trace")
    }

    /// Converts the origins of an execution of [`Input::without_commits`] to numbers in the whole trace.
    fn number_with_commits(&self, execution: &mut Execution) {
        if self.has_commits {
            let kept = (1..).zip(self.events).filter(|(_, event)| !is_commit(event));
            let numbers: Vec<u32> = kept.map(|(number, _)| number).collect();
            execution.origins.iter_mut().for_each(|origin| *origin = numbers[*origin as usize - 1]);
        }
    }
}

fn is_commit(event: &Event) -> bool {
    matches!(event.op, Op::Commit(_))
}
