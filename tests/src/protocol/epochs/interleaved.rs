//! Hooks whose steps interleave: each thread performs its events of a trace, and a random scheduler chooses whose step is
//! next, regardless of the trace's order. The reference gets what really happened.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

use analysis_core::engines::reach::Items;
use analysis_core::event::{Event, Op, ThreadId};
use analysis_core::protocol::epochs::{Machine, Nested, Run, Setup};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::{WithoutEvents, deferred, expect, setup, threads, watched};
use crate::compare::Answer;
use crate::{text, world};

/// Interleaves the threads of a trace as `seed` says, for each way of treating inner blocks, and checks the answers.
pub fn check(trace: &[Event], seed: u64) -> Result<(), String> {
    super::NESTED.into_iter().try_for_each(|nested| {
        let setup = setup(nested, seed, true);
        let run = interleave(trace, setup, seed);
        let happened: Vec<Event> = run.happened.iter().map(|happened| happened.event).collect();
        check_run(&run, &happened, setup, seed)
            .map_err(|fault| format!("{fault}\nwhat happened:\n{}", text::to_std(&happened)))
    })
}

fn check_run(run: &Run, happened: &[Event], setup: Setup, seed: u64) -> Result<(), String> {
    if !world::is_well_formed(happened) {
        return Err("no program can do that".to_owned());
    }
    let right = Answer::of_reference(happened);
    let right = Answer { violated: watched(&right.violated, setup.nested), ..right }.without_events();
    for got in [super::answer(run)?, deferred::answer(run, seed)?] {
        let got = got.without_events();
        if setup.nested == Nested::Fast {
            if let Some(falsely) = got.violated.iter().find(|blame| !right.violated.contains(blame)) {
                return Err(format!("{setup:?}: {falsely} is blamed falsely"));
            }
            let outermost =
                |answer: &Answer| Answer { violated: watched(&answer.violated, Nested::Outermost), ..*answer };
            expect(&outermost(&right), &outermost(&got), setup)?;
        } else {
            expect(&right, &got, setup)?;
        }
    }
    Ok(())
}

/// Returns how many inner blocks an interleaving violates, and how many of them are missed.
pub fn missed_inner_blocks(trace: &[Event], nested: Nested, seed: u64) -> (usize, usize) {
    let run = interleave(trace, setup(nested, seed, true), seed);
    let happened: Vec<Event> = run.happened.iter().map(|happened| happened.event).collect();
    let inner = |answer: &Answer| answer.violated.iter().filter(|blame| blame.depth > 0).count();
    let right = inner(&Answer::of_reference(&happened));
    (right, right - inner(&super::answer(&run).expect("begins are blamed")))
}

pub(super) type Play<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Runs the threads until they have ended, or all that have not wait for each other.
pub(crate) fn interleave(trace: &[Event], setup: Setup, seed: u64) -> Run {
    let machine = Machine::new(setup, Box::new(Items::default()));
    let mut scripts: HashMap<ThreadId, Vec<Op>> = HashMap::new();
    trace.iter().for_each(|event| scripts.entry(event.thread).or_default().push(event.op));
    let is_forked = |thread| trace.iter().any(|event| event.op == Op::Fork(thread));
    let play = |thread: ThreadId| -> Play<'_> {
        Box::pin(machine.play(thread, scripts.get(&thread).cloned().unwrap_or_default(), is_forked(thread)))
    };
    run(&machine, threads(trace).map(play).collect(), seed)
}

/// Runs these threads of a machine.
pub(super) fn run(machine: &Machine, mut plays: Vec<Play<'_>>, seed: u64) -> Run {
    let mut schedule = Schedule::of(seed);
    while !plays.is_empty() {
        let before = machine.steps();
        let (index, turns) = schedule.next(plays.len());
        if (0..turns).any(|_| has_ended(&mut plays[index])) {
            drop(plays.swap_remove(index));
        } else if machine.steps() == before {
            // The thread waits. If all threads wait, nothing more happens.
            let many = plays.len();
            plays.retain_mut(|play| !has_ended(play));
            if machine.steps() == before && plays.len() == many {
                break;
            }
        }
    }
    machine.run()
}

fn has_ended(play: &mut Play<'_>) -> bool {
    play.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

/// Chooses whose step is next, and for how many steps. Some seeds leave a thread alone for long, some only for a step.
/// A thread may be frozen for a while anywhere.
struct Schedule {
    chance: Pcg32,
    burst: u32,
    frozen: Option<usize>,
}

impl Schedule {
    fn of(seed: u64) -> Schedule {
        let mut chance = Pcg32::seed_from_u64(seed);
        let burst = 1 << (chance.next_u32() % 6);
        Schedule { chance, burst, frozen: None }
    }

    fn next(&mut self, threads: usize) -> (usize, u32) {
        let mut any = |bound: u32| self.chance.next_u32() % bound;
        if any(16) == 0 {
            self.frozen = (any(2) == 0).then(|| any(threads as u32) as usize);
        }
        let index = any(threads as u32) as usize;
        let index = if self.frozen == Some(index) { (index + 1) % threads } else { index };
        (index, 1 + any(self.burst))
    }
}
