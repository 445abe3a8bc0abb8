//! Checks runs that are guided by what earlier runs have learnt ([`analysis_core::filter::guided`]): every finding is true of the
//! whole execution; a run guided by its own execution finds everything; and what is learnt is what the rules say, by brute force.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use analysis_core::event::{Event, LabelId, Op, ThreadId, VarId};
use analysis_core::filter::guided::{Shared, guided};
use analysis_core::filter::sampling::Kept;
use analysis_core::protocol::epochs::{Nested, Setup};

use crate::compare::{Answer, Blame};
use crate::generate::dice::Dice;
use crate::happens_before::HappensBefore;
use crate::protocol::epochs::interleaved::interleave;
use crate::protocol::epochs::{self, NESTED};
use crate::sampled::{by_seed, check_truth};
use crate::world::World;
use crate::{shrink, text, world};

/// Gives each block a label of its own, so that one block can be kept without the others.
pub fn labelled(trace: &[Event]) -> Vec<Event> {
    let mut labels = 0..;
    let label = |event: &Event| match event.op {
        Op::Begin(_) => Event::new(event.thread, Op::Begin(LabelId(labels.next().expect("one more")))),
        _ => *event,
    };
    trace.iter().map(label).collect()
}

/// Chooses variables, locks and blocks by a seed, whether threads share them or not.
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

/// Checks on a well-formed trace that nothing is invented, whatever is kept and whichever accesses have hooks.
pub fn check_truth_of_any(trace: &[Event], seed: u64) -> Result<(), String> {
    check_truth_of(trace, &anything(trace, seed), seed)
}

/// Checks that nothing is invented if `shared` is kept.
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

/// Checks that a run guided by what was learnt from the same trace finds everything, also if it keeps `more`.
pub fn check_completeness(trace: &[Event], more: &Shared) -> Result<(), String> {
    NESTED.into_iter().try_for_each(|nested| {
        let mut shared = Shared::learn(trace, nested);
        shared.vars.extend(&more.vars);
        shared.locks.extend(&more.locks);
        shared.blocks.extend(&more.blocks);
        check_all_found(trace, &shared, nested != Nested::Outermost)
    })
}

/// Checks that the verdict and the violated blocks, with inner ones if `with_inner`, are those of the trace without the threads
/// that are not watched at all.
fn check_all_found(trace: &[Event], shared: &Shared, with_inner: bool) -> Result<(), String> {
    let kept = guided(trace, shared, |_| true);
    let expected = found(&without_unwatched_threads(trace, &kept), with_inner);
    let got = found(&kept, with_inner);
    if got == expected { Ok(()) } else { Err(format!("found {got:?}\nexpected {expected:?}\nshared: {shared:?}")) }
}

/// Removes the events of threads of which no event is kept.
fn without_unwatched_threads(trace: &[Event], kept: &[Kept]) -> Vec<Kept> {
    let watched: BTreeSet<ThreadId> = kept.iter().map(|kept| kept.event.thread).collect();
    let numbered = (1..).zip(trace).filter(|(_, event)| watched.contains(&event.thread));
    numbered.map(|(number, event)| Kept { event: *event, number }).collect()
}

/// Returns the verdict, and the violated blocks by the numbers of their begins.
fn found(kept: &[Kept], with_inner: bool) -> (bool, BTreeSet<u64>) {
    let answer = Answer::of_reference(&events_of(kept));
    let is_asked = |blame: &&Blame| with_inner || blame.depth == 0;
    let number = |blame: &Blame| kept[blame.begin as usize - 1].number;
    (answer.first_event.is_some(), answer.violated.iter().filter(is_asked).map(number).collect())
}

/// Checks what is learnt as shared, for each way of treating inner blocks.
pub fn check_learning(trace: &[Event]) -> Result<(), String> {
    let bounds = Bounds::of(trace);
    let mut each = NESTED.into_iter();
    each.try_for_each(|nested| {
        bounds.check(&Shared::learn(trace, nested)).map_err(|fault| format!("{nested:?}: {fault}"))
    })
}

/// Checks learning and completeness on the trace of what happened when the steps of hooks interleave. With [`Nested::Fast`] an
/// inner block may be missed there, as without a profile.
pub fn check_interleaved(trace: &[Event], seed: u64) -> Result<(), String> {
    NESTED.into_iter().try_for_each(|nested| {
        let setup = Setup { nested, shared_reads: 1, shows: false, interleaves: true, learns: true };
        let run = interleave(trace, setup, seed);
        let happened: Vec<Event> = run.happened.iter().map(|happened| happened.event).collect();
        let shared = Shared::of(&happened, &run.shared);
        Bounds::of(&happened)
            .check(&shared)
            .and_then(|()| check_all_found(&happened, &shared, nested == Nested::Exact))
            .map_err(|fault| format!("{nested:?}: {fault}\nwhat happened:\n{}", text::to_std(&happened)))
    })
}

/// Bounds of the variables that the rules call shared, computed from every pair of accesses.
///
/// Only the last accesses are kept, so an access before the start of the starter's starter is forgiven too. Hence forgiving
/// everything that happens before the start or the join gives a lower bound; forgiving only the starter and the joined threads, and
/// adding what may have given an order, gives an upper bound.
struct Bounds {
    least: BTreeSet<VarId>,
    most: BTreeSet<VarId>,
}

impl Bounds {
    fn of(trace: &[Event]) -> Bounds {
        let order = HappensBefore::of(trace);
        let least = written_after(trace, &|access, write| {
            by_start_or_join(trace, access, write).any(|(at, _)| order.holds(access as u64 + 1, at as u64 + 1))
        });
        let mut most = written_after(trace, &|access, write| {
            by_start_or_join(trace, access, write).any(|(at, other)| access < at && trace[access].thread == other)
        });
        // A read after another thread's write may have given an order.
        for (r, read) in trace.iter().enumerate() {
            let Op::Read(x) = read.op else { continue };
            if trace[..r].iter().any(|write| write.op == Op::Write(x) && write.thread != read.thread) {
                most.insert(x);
            }
        }
        Bounds { least, most }
    }

    fn check(&self, shared: &Shared) -> Result<(), String> {
        let missing = self.least.iter().find(|x| !shared.vars.contains(x));
        let odd = shared.vars.iter().find(|x| !self.most.contains(x));
        match (missing, odd) {
            (Some(x), _) => Err(format!("{x:?} is written after another thread's access, and not learnt")),
            (_, Some(x)) => Err(format!("{x:?} is learnt, and is not shared")),
            _ => Ok(()),
        }
    }
}

/// Returns what can order an access before a write so that it is forgiven: the start of the writing thread, with its starter, and,
/// for a read, the writer's joins before the write, with the joined threads.
fn by_start_or_join(trace: &[Event], access: usize, write: usize) -> impl Iterator<Item = (usize, ThreadId)> + '_ {
    let writer = trace[write].thread;
    let is_read = matches!(trace[access].op, Op::Read(_));
    (0..write).filter_map(move |at| match trace[at].op {
        Op::Fork(child) if child == writer => Some((at, trace[at].thread)),
        Op::Join(child) if is_read && trace[at].thread == writer => Some((at, child)),
        _ => None,
    })
}

/// Returns the variables that are written after an unforgiven access by another thread. `forgives` gets the indices of the
/// access and of the write.
fn written_after(trace: &[Event], forgives: &dyn Fn(usize, usize) -> bool) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for (w, write) in trace.iter().enumerate() {
        let Op::Write(x) = write.op else { continue };
        let is_others = |access: &Event| access.op.variable() == Some(x) && access.thread != write.thread;
        if (0..w).any(|access| is_others(&trace[access]) && !forgives(access, w)) {
            found.insert(x);
        }
    }
    found
}

/// Plays the threads of the trace in another order: each event is the next one of a thread that the seed chooses. The result
/// is shorter if threads wait for each other.
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

/// Returns the thread that the event forks, or the one that it joins.
fn child_of(event: &Event, is_fork: bool) -> Option<ThreadId> {
    match event.op {
        Op::Fork(child) if is_fork => Some(child),
        Op::Join(child) if !is_fork => Some(child),
        _ => None,
    }
}

/// Returns how many blocks of a trace are violated, and how many of these violations are seen if `shared` is kept.
pub fn seen(trace: &[Event], shared: &Shared) -> (usize, usize) {
    let events = events_of(&guided(trace, shared, |_| true));
    (Answer::of_reference(trace).violated.len(), Answer::of_reference(&events).violated.len())
}

/// Runs `check` on a trace, and shrinks the trace if that fails.
pub fn explained(trace: &[Event], check: impl Fn(&[Event]) -> Result<(), String>) -> Result<(), String> {
    check(trace).map_err(|_| {
        let small = shrink::shrink(trace, |trace| check(trace).is_err());
        let told = check(&small).expect_err("it is faulty");
        format!("{told}\nof\n{}", text::to_std(&small))
    })
}
