//! Threads whose reads are tentative for a while: at random places they begin a round, and settle it as used or withdrawn.
//! The reference gets what happened without the reads that were withdrawn.

use analysis_core::engines::reach::Items;
use analysis_core::event::{Event, Op, ThreadId};
use analysis_core::protocol::epochs::{Machine, Nested, Run, Setup};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::interleaved::{self, Play};
use super::{WithoutEvents, expect, setup, threads, watched};
use crate::compare::Answer;
use crate::{text, world};

/// Interleaves the threads of a trace as `seed` says, with rounds, and checks the answers.
pub fn check(trace: &[Event], seed: u64) -> Result<(), String> {
    [Nested::Exact, Nested::Outermost].into_iter().try_for_each(|nested| {
        let setup = Setup { learns: false, ..setup(nested, seed, true) };
        let run = interleave(trace, setup, seed);
        let happened: Vec<Event> = run.happened.iter().map(|happened| happened.event).collect();
        check_run(&run, &happened, setup)
            .map_err(|fault| format!("{fault}\nwhat happened:\n{}", text::to_std(&happened)))
    })
}

fn check_run(run: &Run, happened: &[Event], setup: Setup) -> Result<(), String> {
    if !world::is_well_formed(happened) {
        return Err("no program can do that".to_owned());
    }
    let right = Answer::of_reference(happened);
    let right = Answer { violated: watched(&right.violated, setup.nested), ..right }.without_events();
    expect(&right, &super::answer(run)?.without_events(), setup)
}

fn interleave(trace: &[Event], setup: Setup, seed: u64) -> Run {
    let machine = Machine::new(setup, Box::new(Items::default()));
    let is_forked = |thread| trace.iter().any(|event| event.op == Op::Fork(thread));
    let script = |thread| trace.iter().filter(|event| event.thread == thread).map(|event| event.op).collect();
    let start =
        |thread: ThreadId| -> Play<'_> { Box::pin(play(&machine, thread, script(thread), is_forked(thread), seed)) };
    interleaved::run(&machine, threads(trace).map(start).collect(), seed)
}

/// Plays the life of a thread. Most reads are in rounds, which are short or long.
async fn play(machine: &Machine, thread: ThreadId, ops: Vec<Op>, is_forked: bool, seed: u64) {
    let mut chance = Pcg32::seed_from_u64(seed ^ u64::from(thread.0) << 32);
    let mut any = |bound: u32| chance.next_u32() % bound == 0;
    let length = if seed.is_multiple_of(2) { 1 } else { 4 };
    machine.start(thread, is_forked).await;
    for op in ops {
        if matches!(op, Op::Read(_)) && any(2 * length) {
            machine.begin_round(thread).await;
        }
        machine.perform(Event::new(thread, op)).await;
        machine.step().await;
        if any(3 * length) {
            if any(2) {
                machine.withdraw(thread).await;
            } else {
                machine.use_reads(thread).await;
            }
        }
    }
    machine.finish(thread).await;
}
