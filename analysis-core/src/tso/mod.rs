//! Atomicity where writes are not atomic: executions and traces under Total Store Order (TSO).
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016. On x86 a write waits in its processor's
//! store buffer: it is *issued* by its thread and *committed* to memory later, in order; a read takes the newest value
//! from the own buffer, if there is one, else from memory; a fence waits until the buffer is empty. So a run may be
//! serializable in the order in which its instructions were issued, and yet not be. `docs/tso.md` explains it by an
//! example.
//!
//! A trace with commits is an *execution*. One without leaves open when its writes were committed and stands for all
//! executions that store buffers can make of it. Acquires, releases, forks and joins are fences.
//!
//! | to see | read |
//! |---|---|
//! | what is decided, how, and what each answer is worth | the folders of [`ALGORITHMS`] |
//! | the orders that conflict leaves | [`history`] |
//! | which placements of commits there are | [`points`], [`search`] |
//! | what is reported | [`witness`] |
//! | executions of small programs, by a simulated store buffer | [`program`] |
//!
//! # To add an algorithm
//! A folder with a `mod.rs` that opens with the paper and the idea and holds one `pub(super) const SPEC: Algorithm`, and its
//! line in [`ALGORITHMS`]. Help texts and tests loop over that list.

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

/// Every algorithm, in the order in which help and tables name them.
pub const ALGORITHMS: &[Algorithm] = &[execution::SPEC, traces::SPEC, robustness::SPEC, fenced::SPEC];

/// How many steps of search a trace gets if nobody says otherwise: some seconds.
pub const WORK: u64 = 100_000_000;

/// The longest trace: times are numbers of 32 bits, and its execution has a commit for each write.
pub const MOST_EVENTS: usize = 1 << 31;

/// An algorithm in the registry.
pub struct Algorithm {
    /// The name on the command line.
    pub name: &'static str,
    /// What it decides, in one line.
    pub summary: &'static str,
    /// The paper.
    pub source: &'static str,
    /// What its answers are worth.
    pub claim: Claim,
    /// What a trace is called in which nothing is found.
    pub clean: &'static str,
    /// What one is called in which something is found.
    pub violated: &'static str,
    /// True if its cycles are of transactions, false if they are of single events.
    pub is_of_transactions: bool,
    run: for<'a> fn(&Input<'a>) -> Answer<'a>,
}

/// What an algorithm promises about its answers. Tests check each promise against an enumeration of all executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Exact.
    Exact,
    /// Exact, or undecided where the bound on work is reached.
    ExactWithinBound,
    /// What it reports is right; of one trace it may miss some, over all runs of a program without delays none.
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

/// What an algorithm says of a trace.
pub enum Answer<'a> {
    /// Nothing was found.
    Clean,
    /// Here is why not.
    Violation(Found<'a>),
    /// The bound on work was reached first: how far it came, and what to do.
    Undecided(String),
    /// The algorithm does not decide such traces: why, and which one does.
    Unsuitable(String),
}

/// What was found. The execution that shows it is made when it is asked for.
pub struct Found<'a>(LazyCell<Witness, Box<dyn FnOnce() -> Witness + 'a>>);

impl<'a> Found<'a> {
    fn new(witness: impl FnOnce() -> Witness + 'a) -> Found<'a> {
        Found(LazyCell::new(Box::new(witness)))
    }

    /// The execution, and its cycle.
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

    /// True for a violation.
    pub fn is_violation(&self) -> bool {
        matches!(self, Answer::Violation(_))
    }
}

/// The algorithm called `name`.
pub fn find(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The algorithm to use where none is named: for an execution one that takes its commits, else one that leaves them open.
pub fn default_for(events: &[Event]) -> &'static Algorithm {
    &ALGORITHMS[usize::from(!has_commits(events))]
}

/// The algorithm that looks for what no interleaving does.
pub fn robustness() -> &'static Algorithm {
    &ALGORITHMS[2]
}

/// True for an execution.
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

/// What an algorithm is given.
#[derive(Clone, Copy)]
struct Input<'a> {
    events: &'a [Event],
    has_commits: bool,
    work: u64,
}

impl<'a> Input<'a> {
    /// The trace of an execution: what is left without commits.
    fn without_commits(&self) -> Cow<'a, [Event]> {
        if self.has_commits {
            self.events.iter().copied().filter(|event| !is_commit(event)).collect()
        } else {
            self.events.into()
        }
    }

    /// The number that an event of [`Input::without_commits`] has in the whole.
    fn number(&self, number: u32) -> u32 {
        if !self.has_commits {
            return number;
        }
        let kept = (1..).zip(self.events).filter(|(_, event)| !is_commit(event));
        kept.map(|(number, _)| number).nth(number as usize - 1).expect("an event of the trace")
    }

    /// Makes the origins of an execution of [`Input::without_commits`] numbers in the whole.
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
