//! Compares an engine's answer with the right one, at every prefix of a trace, as the engine's [`Claim`] demands.
//!
//! The right answer is the reference engine's ([`Answer::of_reference`]) or worked out by hand (`case`). One answer for
//! the whole trace is enough: a violation is found at its first event, so the answer for a prefix is the part up to its
//! end ([`Answer::up_to`]).
//!
//! # What a claim promises
//! - *verdict exact at every event*: non-serializable from the same event on.
//! - *verdict exact once all blocks are closed*: never non-serializable before the trace is, and non-serializable at the
//!   latest when all blocks are closed. Blocks that the trace leaves open are closed at its end for another check.
//! - *blames nobody*: no violations.
//! - *violated blocks exact*: the same blocks, inner ones too, at the same events, in the same order.
//! - *blames only violated blocks*: each blamed block is violated, at or before the event at which the engine blames it.
//! - *blames every violated transaction*: each is blamed once all blocks are closed.
//! - *no verdict*: never non-serializable.
//! - *warns of transactions*: each at most once. Whether that transaction or another is violated is not checked. The
//!   contract says what a warning must be.

use std::borrow::Cow;
use std::fmt;

use analysis_core::engine::{BlameClaim, Claim, EngineSpec, Findings, VerdictClaim, Violation};
use analysis_core::engines;
use analysis_core::event::{Event, Op, ThreadId};

use crate::contract::Contract;
use crate::text;
use crate::world::{self, World};

#[cfg(test)]
mod tests;

/// Returns the engine that decides what is right.
pub fn reference() -> &'static EngineSpec {
    engines::find("oracle").expect("the reference engine is in the registry")
}

/// Returns every engine except the reference.
pub fn engines_on_trial() -> impl Iterator<Item = &'static EngineSpec> {
    engines::ENGINES.iter().filter(|spec| spec.name != reference().name)
}

/// The answer about one trace: the event from which on it is non-serializable, and the violated blocks in order of
/// detection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The first event whose prefix is non-serializable.
    pub first_event: Option<u64>,
    /// The violated blocks, by event, outer before inner.
    pub violated: Vec<Blame>,
}

/// One violated block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blame {
    /// The thread of the block.
    pub thread: ThreadId,
    /// The position of its begin, which together with the thread identifies the block.
    pub begin: u64,
    /// The first event that shows the violation.
    pub event: u64,
    /// 0 for a transaction.
    pub depth: u32,
}

/// An answer about a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerRef<'a> {
    /// See [`Answer::first_event`].
    pub first_event: Option<u64>,
    /// See [`Answer::violated`].
    pub violated: &'a [Blame],
}

impl Answer {
    /// Computes the right answer by brute force.
    pub fn of_reference(trace: &[Event]) -> Answer {
        let mut engine = (reference().build)();
        engine.feed(trace);
        let mut answer = Answer::default();
        answer.copy_from(engine.findings());
        answer
    }

    /// Replaces the answer with what an engine has found so far.
    pub fn copy_from(&mut self, findings: &Findings) {
        self.first_event = findings.cycle.as_ref().map(|cycle| cycle.event.position());
        self.violated.clear();
        self.violated.extend(findings.violations.iter().map(Blame::from));
    }

    /// Returns the right answer about the first `length` events.
    pub fn up_to(&self, length: u64) -> AnswerRef<'_> {
        AnswerRef {
            first_event: self.first_event.filter(|&event| event <= length),
            violated: &self.violated[..self.violated.partition_point(|blame| blame.event <= length)],
        }
    }

    /// Returns the answer about the whole trace.
    pub fn whole(&self) -> AnswerRef<'_> {
        AnswerRef { first_event: self.first_event, violated: &self.violated }
    }
}

impl From<&Violation> for Blame {
    fn from(violation: &Violation) -> Blame {
        let &Violation { thread, begin, event, depth, .. } = violation;
        Blame { thread, begin, event, depth }
    }
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blame { thread, begin, event, depth } = self;
        write!(f, "the block that T{} began at {begin} (depth {depth}), violated at {event}", thread.0)
    }
}

/// How an engine broke its claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The engine's name.
    pub engine: &'static str,
    /// The number of events that it had seen.
    pub seen: u64,
    /// What is wrong, one line per fault.
    pub faults: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is wrong after event {}:", self.engine, self.seen)?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
    }
}

/// Runs an engine over a trace and checks its claim and the contract of its witnesses at every prefix. `right` is the
/// right answer about the whole trace.
pub fn check(spec: &EngineSpec, trace: &[Event], right: &Answer) -> Result<(), Difference> {
    let is_asked_when_quiet = speaks_of_closed_blocks(spec.claim);
    let closed = if is_asked_when_quiet { with_blocks_closed(trace) } else { Cow::Borrowed(trace) };
    let right = &*right_when_closed(trace, &closed, right);
    let trace = &*closed;
    let mut engine = (spec.build)();
    let mut world = World::default();
    let mut answer = Answer::default();
    let mut contract = Contract::new(spec.claim, trace);
    for (seen, event) in (1u64..).zip(trace) {
        engine.step(*event);
        if is_asked_when_quiet {
            world.take(*event);
        }
        answer.copy_from(engine.findings());
        let mut faults = broken_promises(spec.claim, answer.whole(), right.up_to(seen), world.is_quiet());
        contract.check_news(engine.findings(), &mut faults);
        if !faults.is_empty() {
            return Err(Difference { engine: spec.name, seen, faults });
        }
    }
    Ok(())
}

fn speaks_of_closed_blocks(claim: Claim) -> bool {
    claim.verdict == VerdictClaim::OnceBlocksClose || claim.blame == BlameClaim::Superset
}

/// Appends the ends of all open blocks, so that claims about closed blocks are checked once more.
fn with_blocks_closed(trace: &[Event]) -> Cow<'_, [Event]> {
    Cow::Owned(trace.iter().copied().chain(world::after(trace).missing_ends()).collect())
}

/// Returns the right answer about `closed`, the trace with ends added, given the answer about the trace. Closing a
/// block makes no cycle, unless its thread was forked since its last event, which only ill-formed traces do.
fn right_when_closed<'a>(trace: &[Event], closed: &[Event], right: &'a Answer) -> Cow<'a, Answer> {
    let is_forked_anew = |end: &Event| {
        let is_fork = |event: &&Event| event.op == Op::Fork(end.thread);
        let last = trace.iter().rev().find(|event| event.thread == end.thread || is_fork(event));
        last.is_some_and(|event| is_fork(&event) && event.thread != end.thread)
    };
    let may_differ = closed[trace.len()..].iter().any(is_forked_anew);
    if may_differ { Cow::Owned(Answer::of_reference(closed)) } else { Cow::Borrowed(right) }
}

/// Returns which parts of `claim` the answer `got` breaks for a prefix whose right answer is `right`. `is_quiet`: no
/// block is open at the end of the prefix.
pub fn broken_promises(claim: Claim, got: AnswerRef<'_>, right: AnswerRef<'_>, is_quiet: bool) -> Vec<String> {
    let mut faults = Vec::new();
    verdict_faults(claim.verdict, got.first_event, right.first_event, is_quiet, &mut faults);
    blame_faults(claim.blame, got.violated, right.violated, is_quiet, &mut faults);
    faults
}

fn verdict_faults(claim: VerdictClaim, got: Option<u64>, right: Option<u64>, is_quiet: bool, faults: &mut Vec<String>) {
    let is_kept = match (claim, got, right) {
        (VerdictClaim::AtEveryPrefix, got, right) => got == right,
        (VerdictClaim::OnceBlocksClose, Some(got), Some(right)) => got >= right,
        (VerdictClaim::OnceBlocksClose, None, Some(_)) => !is_quiet,
        (VerdictClaim::OnceBlocksClose, got, None) => got.is_none(),
        (VerdictClaim::Silent, got, _) => got.is_none(),
    };
    if !is_kept {
        let say = |answer: Option<u64>| {
            answer.map_or("serializable".to_owned(), |event| format!("non-serializable from event {event} on"))
        };
        faults.push(format!("verdict: {}, but it is {}", say(got), say(right)));
    }
}

fn blame_faults(claim: BlameClaim, got: &[Blame], right: &[Blame], is_quiet: bool, faults: &mut Vec<String>) {
    let find = |among: &[Blame], block: &Blame| {
        among.iter().find(|other| (other.thread, other.begin) == (block.thread, block.begin)).copied()
    };
    match claim {
        BlameClaim::Silent => {
            faults.extend(got.iter().map(|blame| format!("blames, but claims to be silent: {blame}")))
        }
        BlameClaim::Exact => exact_faults(got, right, faults),
        BlameClaim::Subset => {
            let is_true = |blame: &Blame| {
                find(right, blame).is_some_and(|truth| truth.event <= blame.event && truth.depth == blame.depth)
            };
            faults.extend(got.iter().filter(|blame| !is_true(blame)).map(|blame| format!("falsely blamed: {blame}")));
        }
        BlameClaim::Superset => {
            let is_missed = |blame: &&Blame| is_quiet && blame.depth == 0 && find(got, blame).is_none();
            faults.extend(right.iter().filter(is_missed).map(|blame| format!("missed: {blame}")));
        }
        BlameClaim::Warnings => {
            let is_again = |(index, blame): &(usize, &Blame)| find(&got[..*index], blame).is_some();
            let again = got.iter().enumerate().filter(is_again);
            faults.extend(again.map(|(_, blame)| format!("warned of again: {blame}")));
        }
    }
}

fn exact_faults(got: &[Blame], right: &[Blame], faults: &mut Vec<String>) {
    if got == right {
        return;
    }
    let before = faults.len();
    faults.extend(right.iter().filter(|blame| !got.contains(blame)).map(|blame| format!("missed: {blame}")));
    faults.extend(got.iter().filter(|blame| !right.contains(blame)).map(|blame| format!("falsely blamed: {blame}")));
    if faults.len() == before {
        let blocks =
            |of: &[Blame]| of.iter().map(|b| format!("T{}@{}", b.thread.0, b.begin)).collect::<Vec<_>>().join(" ");
        faults.push(format!("order of blame (thread@begin): {}, but it is {}", blocks(got), blocks(right)));
    }
}

/// Checks an engine on a trace against the reference. Shrinks the trace of a failure and reports it in full.
pub fn check_or_explain(spec: &EngineSpec, trace: &[Event]) -> Result<(), String> {
    let difference = |trace: &[Event]| check(spec, trace, &Answer::of_reference(trace)).err();
    if difference(trace).is_none() {
        return Ok(());
    }
    let smallest = crate::shrink::shrink(trace, |candidate| difference(candidate).is_some());
    let told = difference(&smallest).expect("the shrinker keeps the failure");
    Err(format!("{told}\nsmallest trace that shows it:\n{}", text::to_std(&smallest)))
}
