//! Checks runs that are guided by what others have learnt ([`analysis_core::filter::guided`]): what is found is true of the whole
//! execution; of the one that was learnt from all is found; and what is learnt is what the rules say, by brute force.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use analysis_core::event::{Event, LabelId, Op, ThreadId, VarId};
use analysis_core::filter::guided::{Shared, guided};
use analysis_core::filter::sampling::Kept;
use analysis_core::protocol::epochs::Nested;

use crate::compare::{Answer, Blame};
use crate::generate::dice::Dice;
use crate::happens_before::HappensBefore;
use crate::protocol::epochs::{self, NESTED};
use crate::sampled::{by_seed, check_truth};
use crate::world::World;
use crate::{shrink, text, world};

/// The trace with a label for each block, so that one can be kept without the others.
pub fn labelled(trace: &[Event]) -> Vec<Event> {
    let mut labels = 0..;
    let label = |event: &Event| match event.op {
        Op::Begin(_) => Event::new(event.thread, Op::Begin(LabelId(labels.next().expect("one more")))),
        _ => *event,
    };
    trace.iter().map(label).collect()
}

/// Something by a seed, whether threads share it or not.
pub fn anything(trace: &[Event], seed: u64) -> Shared {
    let chooses = by_seed(seed);
    let mut shared = Shared::default();
    for event in trace {
        match event.op {
            Op::Read(x) | Op::Write(x) if chooses(100 + 20 * u64::from(x.0)) => _ = shared.vars.insert(x),
            Op::Acquire(l) if chooses(2_000 + 20 * u64::from(l.0)) => _ = shared.locks.insert(l),
            Op::Begin(label) if chooses(9_000 + 20 * u64::from(label.0)) => _ = shared.blocks.insert(label),
            _ => {}
        }
    }
    shared
}

/// Checks that nothing is invented, whatever is kept and whichever accesses have hooks, on a well-formed trace.
pub fn check_truth_of_any(trace: &[Event], seed: u64) -> Result<(), String> {
    check_truth_of(trace, &anything(trace, seed), seed)
}

/// Checks that nothing is invented if this is kept.
pub fn check_truth_of(trace: &[Event], shared: &Shared, seed: u64) -> Result<(), String> {
    let chooses = by_seed(seed + 1);
    let (all, some) = (guided(trace, shared, |_| true), guided(trace, shared, chooses));
    [all, some].iter().try_for_each(|kept| {
        let events = events_of(kept);
        let told = |fault: String| format!("{fault}\nkept: {shared:?}\nwatched:\n{}", text::to_std(&events));
        if !world::is_well_formed(&events) {
            return Err(told("what is watched is not well-formed".to_owned()));
        }
        check_truth(trace, kept, &events).and_then(|()| epochs::check(&events, seed)).map_err(told)
    })
}

fn events_of(kept: &[Kept]) -> Vec<Event> {
    kept.iter().map(|kept| kept.event).collect()
}

/// Checks that a run that is guided by what was learnt from itself finds all: the same blocks, inner ones too, and the
/// same verdict as the trace without the threads that are not watched at all. With more than what was learnt, too.
pub fn check_completeness(trace: &[Event], more: &Shared) -> Result<(), String> {
    NESTED.into_iter().try_for_each(|nested| {
        let mut shared = Shared::learn(trace, nested);
        shared.vars.extend(&more.vars);
        shared.locks.extend(&more.locks);
        shared.blocks.extend(&more.blocks);
        let kept = guided(trace, &shared, |_| true);
        let expected = found(&without_unwatched_threads(trace, &kept), nested);
        let got = found(&kept, nested);
        let told = || format!("{nested:?}: found {got:?}\nexpected {expected:?}\nshared: {shared:?}");
        if got == expected { Ok(()) } else { Err(told()) }
    })
}

/// The trace without the events of threads of which none is kept.
fn without_unwatched_threads(trace: &[Event], kept: &[Kept]) -> Vec<Kept> {
    let watched: BTreeSet<ThreadId> = kept.iter().map(|kept| kept.event.thread).collect();
    let numbered = (1..).zip(trace).filter(|(_, event)| watched.contains(&event.thread));
    numbered.map(|(number, event)| Kept { event: *event, number }).collect()
}

/// Verdict and violated blocks by the numbers of their begins; outermost ones alone if others are not watched.
fn found(kept: &[Kept], nested: Nested) -> (bool, BTreeSet<u64>) {
    let answer = Answer::of_reference(&events_of(kept));
    let is_watched = |blame: &&Blame| nested != Nested::Outermost || blame.depth == 0;
    let number = |blame: &Blame| kept[blame.begin as usize - 1].number;
    (answer.first_event.is_some(), answer.violated.iter().filter(is_watched).map(number).collect())
}

/// Checks what counts as shared against the rules, which are evaluated for each two accesses.
///
/// By stamps a thread that has taken over the number of an ended one cannot be told from it, nor can accesses that come
/// before the start of the starter's starter. Both come before the start of the writing thread, so a rule that forgives all that
/// happens before it is a lower bound; and the one that forgives the starter alone, with what is not implied, an upper one.
pub fn check_learning(trace: &[Event]) -> Result<(), String> {
    let order = HappensBefore::of(trace);
    let written_after = |forgives: &dyn Fn(usize, usize, ThreadId) -> bool| -> BTreeSet<VarId> {
        let mut shared = BTreeSet::new();
        for (w, write) in trace.iter().enumerate() {
            let Op::Write(x) = write.op else { continue };
            let start = trace[..w].iter().position(|event| event.op == Op::Fork(write.thread));
            let meets = |a: usize| {
                let access = trace[a];
                let is_other = access.op.variable() == Some(x) && access.thread != write.thread;
                is_other && !start.is_some_and(|start| forgives(a, start, trace[start].thread))
            };
            if (0..w).any(meets) {
                shared.insert(x);
            }
        }
        shared
    };
    let least = written_after(&|a, start, _| order.holds(a as u64 + 1, start as u64 + 1));
    let most = written_after(&|a, start, starter| a < start && trace[a].thread == starter);
    NESTED.into_iter().try_for_each(|nested| {
        let learnt = Shared::learn(trace, nested).vars;
        let users = |x: VarId| {
            let users = trace.iter().filter(|event| event.op.variable() == Some(x)).map(|event| event.thread);
            users.collect::<BTreeSet<_>>().len()
        };
        let is_written = |x: VarId| trace.iter().any(|event| event.op == Op::Write(x));
        if let Some(x) = least.iter().find(|x| !learnt.contains(x)) {
            return Err(format!("{nested:?}: {x:?} is written after another thread's access, and not learnt"));
        }
        // What else is learnt has given an order: from a write to a read.
        match learnt.iter().find(|x| !most.contains(x) && (users(**x) < 2 || !is_written(**x))) {
            Some(x) => Err(format!("{nested:?}: {x:?} is learnt, and is not shared")),
            None => Ok(()),
        }
    })
}

/// What each thread does in the trace, in another order: each event is the next one of a thread that the seed chooses. It is
/// shorter where threads wait for each other.
pub fn other_schedule(trace: &[Event], seed: u64) -> Vec<Event> {
    let mut dice = Dice::new(seed);
    let mut left: BTreeMap<ThreadId, VecDeque<Event>> = BTreeMap::new();
    for event in trace {
        left.entry(event.thread).or_default().push_back(*event);
    }
    let forked: BTreeSet<ThreadId> = trace.iter().filter_map(|event| child_of(event, true)).collect();
    let joined = |event: &Event| child_of(event, false);
    let mut world = World::default();
    let mut played = Vec::new();
    loop {
        let is_next = |event: &Event| {
            let is_started = !forked.contains(&event.thread) || world.is_born(event.thread);
            let is_over = |child: ThreadId| left.get(&child).is_none_or(VecDeque::is_empty);
            is_started && joined(event).is_none_or(is_over) && world.allows(*event)
        };
        let next: Vec<Event> =
            left.values().filter_map(VecDeque::front).filter(|event| is_next(event)).copied().collect();
        if next.is_empty() {
            return played;
        }
        let event = next[dice.below(next.len() as u32) as usize];
        left.get_mut(&event.thread).expect("a thread of the trace").pop_front();
        world.take(event);
        played.push(event);
    }
}

/// The thread that the event forks, or the one that it joins.
fn child_of(event: &Event, is_fork: bool) -> Option<ThreadId> {
    match event.op {
        Op::Fork(child) if is_fork => Some(child),
        Op::Join(child) if !is_fork => Some(child),
        _ => None,
    }
}

/// How many blocks of a trace are violated, and of how many that is seen if this is kept.
pub fn seen(trace: &[Event], shared: &Shared) -> (usize, usize) {
    let events = events_of(&guided(trace, shared, |_| true));
    (Answer::of_reference(trace).violated.len(), Answer::of_reference(&events).violated.len())
}

/// Checks a trace with `check`, and shrinks it if that fails.
pub fn explained(trace: &[Event], check: impl Fn(&[Event]) -> Result<(), String>) -> Result<(), String> {
    check(trace).map_err(|_| {
        let small = shrink::shrink(trace, |trace| check(trace).is_err());
        let told = check(&small).expect_err("it is faulty");
        format!("{told}\nof\n{}", text::to_std(&small))
    })
}
