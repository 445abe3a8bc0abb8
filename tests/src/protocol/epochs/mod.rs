//! Checks the epoch protocol (`analysis_core::protocol::epochs`) against the reference, which gets the whole trace.
//!
//! | form | what is compared |
//! |---|---|
//! | the function on traces ([`check`]) | verdict, violated blocks, depths, labels, and the events that show them |
//! | the same items, taken from rings in another order ([`deferred`]) | verdict, violated blocks, depths, labels |
//! | hooks whose steps interleave ([`interleaved`]), called and from rings | the same on the trace of what happened; with `Fast`: verdict, outermost blocks, and no false blame of inner ones |
//! | hooks whose steps interleave, with rounds of tentative reads ([`rounds`]) | the same on the trace of what happened without what was withdrawn |

use std::collections::HashMap;

use analysis_core::engine::{Findings, Violation};
use analysis_core::engines::reach::Items;
use analysis_core::event::{Event, Op, Stamp, ThreadId};
use analysis_core::protocol::epochs::{self, Nested, Run, Setup};

use crate::compare::{Answer, Blame};
use crate::{shrink, text};

pub mod deferred;
pub mod interleaved;
pub mod rounds;

/// All ways of treating inner blocks.
pub const NESTED: [Nested; 3] = [Nested::Exact, Nested::Fast, Nested::Outermost];

/// Checks the function on traces, for each way of treating inner blocks. `seed` varies what no answer may depend on.
pub fn check(trace: &[Event], seed: u64) -> Result<(), String> {
    let right = Answer::of_reference(trace);
    NESTED.into_iter().try_for_each(|nested| {
        let setup = setup(nested, seed, false);
        let run = epochs::record(trace, setup, Box::new(Items::default()));
        let right = Answer { first_event: right.first_event, violated: watched(&right.violated, nested) };
        let got = answer(&run).map_err(|fault| format!("{setup:?}: {fault}"))?;
        expect(&right, &got, setup)?;
        expect(&right.without_events(), &deferred::answer(&run, seed)?.without_events(), setup)
    })
}

/// Returns what `check` says about the smallest well-formed trace that shows the fault of `trace`.
pub fn explain(trace: &[Event], check: impl Fn(&[Event]) -> Result<(), String>) -> String {
    let smallest =
        shrink::shrink(trace, |candidate| crate::world::is_well_formed(candidate) && check(candidate).is_err());
    let fault = check(&smallest).expect_err("the shrinker keeps the failure");
    format!("{fault}\nsmallest trace that shows it:\n{}", text::to_std(&smallest))
}

/// With one or two tables of remembered readers, threads forget most of them.
fn setup(nested: Nested, seed: u64, interleaves: bool) -> Setup {
    let is_set = |bit: u32| seed >> bit & 1 != 0;
    Setup { nested, shared_reads: 1 + seed as usize % 2, shows: !is_set(1), interleaves, learns: is_set(2) }
}

/// Returns the violated blocks that are watched.
fn watched(violated: &[Blame], nested: Nested) -> Vec<Blame> {
    let is_watched = |blame: &&Blame| nested != Nested::Outermost || blame.depth == 0;
    violated.iter().filter(is_watched).copied().collect()
}

fn expect(right: &Answer, got: &Answer, setup: Setup) -> Result<(), String> {
    if right == got { Ok(()) } else { Err(format!("{setup:?}: the answer is\n{got:?}, but it should be\n{right:?}")) }
}

/// Returns the answer of a run in terms of its trace.
fn answer(run: &Run) -> Result<Answer, String> {
    answer_of(run, &run.findings)
}

/// Translates `findings` about the items of a run to its trace.
fn answer_of(run: &Run, findings: &Findings) -> Result<Answer, String> {
    let mut begins: HashMap<Stamp, (u64, Event)> = HashMap::new();
    for (number, happened) in (1..).zip(&run.happened) {
        // An inner begin that is not watched has the stamp of the outermost one.
        if matches!(happened.event.op, Op::Begin(_)) {
            begins.entry(happened.stamp).or_insert((number, happened.event));
        }
    }
    let events: HashMap<Stamp, u64> = run.handed.iter().map(|item| (item.now, item.event)).collect();
    let blame = |violation: &Violation| {
        let begin = Stamp::new(violation.thread, violation.begin);
        let (number, event) = begins.get(&begin).ok_or(format!("{begin:?} is no begin"))?;
        if event.op != Op::Begin(violation.label) {
            return Err(format!("{event:?} is blamed as {:?}", violation.label));
        }
        let event_number = events[&Stamp::new(violation.thread, violation.event)];
        Ok(Blame { thread: event.thread, begin: *number, event: event_number, depth: violation.depth })
    };
    Ok(Answer {
        first_event: findings.cycle.as_ref().map(|cycle| events[&cycle.event]),
        violated: findings.violations.iter().map(blame).collect::<Result<_, String>>()?,
    })
}

trait WithoutEvents {
    /// The verdict and the blocks, sorted, for runs with another order of events.
    fn without_events(&self) -> Answer;
}

impl WithoutEvents for Answer {
    fn without_events(&self) -> Answer {
        let mut violated: Vec<Blame> = self.violated.iter().map(|blame| Blame { event: 0, ..*blame }).collect();
        violated.sort_unstable();
        Answer { first_event: self.first_event.map(|_| 0), violated }
    }
}

/// Returns the threads that a trace names.
fn threads(trace: &[Event]) -> impl Iterator<Item = ThreadId> {
    let named = |event: &Event| match event.op {
        Op::Fork(u) | Op::Join(u) => event.thread.0.max(u.0),
        _ => event.thread.0,
    };
    (0..trace.iter().map(named).max().map_or(0, |last| last + 1)).map(ThreadId)
}
