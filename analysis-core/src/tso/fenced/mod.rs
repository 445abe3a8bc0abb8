//! tso-fenced: the cheap monitor for programs whose transactions end with a fence.
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016, Theorem 3 and section 6.3; the search for
//! violations of robustness in runs without delays after Burckhardt, Musuvathi, "Effective Program Verification for Relaxed
//! Memory Models", CAV 2008, and Bouajjani, Meyer, Möhlmann, "Deciding Robustness against Total Store Ordering", ICALP 2011:
//! one thread that delays its writes is enough.
//!
//! # Idea
//! A transaction-fenced program is serializable under TSO iff it is robust and its runs are serializable under
//! sequential consistency. The trace is taken as such a run. The default engine decides the latter. For the former,
//! suppose that a thread had delayed an unfenced write w past this access a of another thread to the same variable: a
//! then comes before w. That closes a cycle iff a read of the thread after w comes before a, by a path that does not
//! leave the thread at a delayed write, and the read is not served by one. [`Delays`](delays::Delays) follows these
//! paths, and only those from threads with unfenced writes; at most events there are none.
//!
//! The engine and the paths need the same from the trace: the edges between threads. They are found once, in one pass
//! ([`Monitor`]). Omitting the edges that others imply loses nothing: if they are implied through the delayed thread
//! itself, its transaction is on a cycle without any delay.
//!
//! # Cost
//! In addition to the engine, O(1) for an event without an edge from another thread, while no path has started. The
//! writes of a thread since its last fence are kept.
//!
//! # Never reports, can miss
//! What it reports is an execution of this trace that is not serializable. It can miss executions that delay writes of
//! several threads, or that are equivalent to another interleaving. Over all runs of a program without delays it misses
//! nothing: such an execution appears in one of them.
//!
//! # Where we differ
//! 1. In the paper each transaction ends with a fence. It is enough that no thread reads while a write of one of its
//!    earlier transactions is unfenced: that orders the transactions of a thread just as well. So a write outside
//!    blocks that a fence follows is allowed.

mod delays;
mod monitor;
mod windows;

use self::monitor::{Finding, Monitor};
use super::history::{Act, History, NONE, Units};
use super::points::{Assumption, Point};
use super::schedule::Execution;
use super::witness::Witness;
use super::{Algorithm, Answer, Claim, Found, Input};
use crate::event::Event;

pub(super) const SPEC: Algorithm = Algorithm {
    name: "tso-fenced",
    summary: "is a run of a transaction-fenced program serializable under sequential consistency, and robust",
    source: "Enea, Farzan, \"On Atomicity in Presence of Non-atomic Writes\", TACAS 2016, section 6.3",
    claim: Claim::SubsetForOneTrace,
    clean: "serializable",
    violated: "not serializable",
    is_of_transactions: true,
    run,
};

fn run<'a>(input: &Input<'a>) -> Answer<'a> {
    let trace = input.without_commits();
    match Monitor::finding(&trace) {
        None => Answer::Clean,
        Some(Finding::Unfenced { write, read }) => unfenced(input, write, read),
        Some(finding) => {
            let input = *input;
            Answer::Violation(Found::new(move || witness(&input, &trace, finding)))
        }
    }
}

fn unfenced<'a>(input: &Input, write: u32, read: u32) -> Answer<'a> {
    let (write, read) = (input.number(write), input.number(read));
    Answer::unsuitable(format!(
        "the trace is not transaction-fenced: no fence between event {write}, a write, and event {read}, a read of the same \
         thread in a later transaction; use tso-trace"
    ))
}

/// Returns an execution of the trace up to the finding.
fn witness(input: &Input, trace: &[Event], finding: Finding) -> Witness {
    let mut execution = match finding {
        Finding::Late { write, access } => {
            let prefix = &trace[..access as usize];
            let history = History::of(prefix, Units::Transactions);
            Execution::of(prefix, &history, &assumptions(&history, write, access))
        }
        Finding::Cycle { event } | Finding::Unfenced { read: event, .. } => {
            Execution::at_once(&trace[..event as usize])
        }
    };
    input.number_with_commits(&mut execution);
    let witness = Witness::through_last(execution, Units::Transactions);
    witness.expect("in a transaction-fenced trace a cycle of events is one of transactions")
}

/// Returns the assumptions that the write is committed after the access.
fn assumptions(history: &History, write: u32, access: u32) -> Vec<Assumption> {
    let place =
        |event| history.nodes.binary_search_by_key(&event, |node| node.event).expect("an access is a node") as u32;
    let (write, access) = (Point::Commit(place(write)), place(access));
    let node = history.node(access);
    match node.act {
        Act::Write(_) => vec![(Point::Commit(access), write)],
        _ => {
            let own = (node.own != NONE).then_some((Point::Commit(node.own), write));
            own.into_iter().chain([(Point::Event(node.event), write)]).collect()
        }
    }
}
