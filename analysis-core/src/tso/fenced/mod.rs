//! tso-fenced: the cheap monitor for programs whose transactions end with a fence.
//!
//! Enea, Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016, Theorem 3 and section 6.3; the search for
//! violations of robustness in runs without delays after Burckhardt, Musuvathi, "Effective Program Verification for Relaxed
//! Memory Models", CAV 2008, and Bouajjani, Meyer, Möhlmann, "Deciding Robustness against Total Store Ordering", ICALP 2011:
//! one thread that delays its writes is enough.
//!
//! # Idea
//! A transaction-fenced program is serializable under TSO iff it is robust and its runs are serializable under sequential
//! consistency. The trace is taken for such a run. The default engine decides the latter. For the former, suppose
//! that a thread had delayed an unfenced write w past this access a of another thread to the same variable: a then comes
//! before w. That closes a cycle iff a read of the thread after w comes before a, by a path that does not leave the thread
//! at a delayed write, and the read is not served by one. [`Clock`](delays::Clock)s follow these paths, and only those
//! from threads with unfenced writes, which are none at most events.
//!
//! # Never reports, can miss
//! What it reports is an execution of this trace that is not serializable. It can miss those that delay writes of several
//! threads, or that are equivalent to another interleaving. Over all runs of a program without delays it misses nothing:
//! such an execution shows in one of them.
//!
//! # Where we differ
//! 1. The paper's transactions each end with a fence. It is enough that no thread reads while a write of one of its earlier
//!    transactions is unfenced: that orders the transactions of a thread just as well. So a write outside blocks that a
//!    fence follows is no obstacle.

mod delays;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use self::delays::{Delays, Fault};
use super::history::{History, Units};
use super::points::Assumption;
use super::schedule::Execution;
use super::witness::Witness;
use super::{Algorithm, Answer, Claim, Input};
use crate::engines;
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

/// How many events earlier a variable is asked for.
const AHEAD: usize = 16;
/// From this length on, the engine has a thread of its own.
const LONG: usize = 1 << 14;
/// How many events the engine takes before it looks whether anybody still wants its answer.
const BATCH: usize = 1 << 12;

fn run(input: &Input) -> Answer {
    let trace = input.without_commits();
    let is_wanted = AtomicBool::new(true);
    let (late, cycle) = thread::scope(|scope| {
        let beside = (trace.len() >= LONG).then(|| scope.spawn(|| first_cycle(&trace, &is_wanted)));
        let late = first_late(&trace);
        is_wanted.store(late.is_ok(), Ordering::Relaxed);
        let cycle = match beside {
            Some(engine) => engine.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => first_cycle(&trace, &is_wanted),
        };
        (late, cycle)
    });
    match (late, cycle) {
        (Err((write, read)), _) => unfenced(input, write, read),
        (_, Some(event)) => witness(input, &trace[..event], |_| vec![]),
        (Ok(Some((write, access))), None) => {
            witness(input, &trace[..access as usize], |history| delays::assumptions(history, write, access))
        }
        (Ok(None), None) => Answer::Clean,
    }
}

/// The first access past which the delay of a write closes a cycle: write and access. The error is an unfenced write and a read
/// of a later transaction.
fn first_late(trace: &[Event]) -> Result<Option<(u32, u32)>, (u32, u32)> {
    let mut delays = Delays::default();
    let mut first = None;
    for (number, event) in (1..).zip(trace) {
        if delays.is_large()
            && let Some(later) = trace.get(number as usize + AHEAD)
        {
            delays.prefetch(*later);
        }
        match delays.take(number, *event) {
            Ok(()) => {}
            Err(Fault::Unfenced { write, read }) => return Err((write, read)),
            Err(Fault::Late { write, access }) => first = first.or(Some((write, access))),
        }
    }
    Ok(first)
}

/// The event that closes a cycle under sequential consistency.
fn first_cycle(trace: &[Event], is_wanted: &AtomicBool) -> Option<usize> {
    let mut engine = (engines::default().build)();
    for batch in trace.chunks(BATCH) {
        if !is_wanted.load(Ordering::Relaxed) {
            return None;
        }
        engine.feed(batch);
        if let Some(cycle) = &engine.findings().cycle {
            return Some(cycle.event.position() as usize);
        }
    }
    None
}

fn unfenced(input: &Input, write: u32, read: u32) -> Answer {
    let (write, read) = (input.number(write), input.number(read));
    Answer::unsuitable(format!(
        "the trace is not transaction-fenced: no fence between event {write}, a write, and event {read}, a read of the same \
         thread in a later transaction; use tso-trace"
    ))
}

fn witness(input: &Input, prefix: &[Event], assumptions: impl FnOnce(&History) -> Vec<Assumption>) -> Answer {
    let history = History::of(prefix, Units::Transactions);
    let mut execution = Execution::of(prefix, &history, &assumptions(&history));
    input.number_with_commits(&mut execution);
    let witness = Witness::of(execution, Units::Transactions);
    Answer::of(Some(witness.expect("in a transaction-fenced trace a cycle of events is one of transactions")))
}
