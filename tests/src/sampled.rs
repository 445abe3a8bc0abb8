//! Checks executions that are watched in part ([`analysis_core::filter::sampling`]): what is found in the watched part is true
//! of the whole execution, and the hooks find all of it.

use analysis_core::event::Event;
use analysis_core::filter::attempts::used;
use analysis_core::filter::initializers::aside;
use analysis_core::filter::sampling::{Kept, sampled};
use analysis_core::filter::sections;

use rayon::prelude::*;

use crate::compare::Answer;
use crate::protocol::epochs;
use crate::{generate, shrink, text, world};

/// Chooses events by their numbers.
pub type Choice = dyn Fn(u64) -> bool + Sync;

/// Returns a choice by a seed: some events in a thousand, in bursts whose length depends on the seed.
pub fn by_seed(seed: u64) -> impl Fn(u64) -> bool + Sync {
    let (length, share) = ([1, 2, 5, 20][seed as usize % 4], [100, 300, 500, 800, 950][seed as usize % 5]);
    move |number| {
        let x = (seed << 20 ^ (number / length)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (x ^ x >> 32) % 1000 < share
    }
}

/// Checks a choice on a well-formed trace.
pub fn check(trace: &[Event], choice: &Choice, seed: u64) -> Result<(), String> {
    check_kept(trace, &sampled(trace, choice), seed)
}

/// The same for reads that are used or not ([`analysis_core::filter::attempts`]): what is found is true of the whole trace, and is what the
/// reference finds in the events that are left.
pub fn check_used(trace: &[Event], is_used: &Choice, seed: u64) -> Result<(), String> {
    check_kept(trace, &used(trace, is_used), seed)
}

/// The same for class initializers that run in blocks ([`analysis_core::filter::initializers`]).
pub fn check_aside(trace: &[Event], is_inside: &Choice, seed: u64) -> Result<(), String> {
    check_kept(trace, &aside(trace, is_inside), seed)
}

/// Returns what is left of a trace if only events for which `may_write` holds may write
/// ([`analysis_core::filter::sections`]).
pub fn sections_of(trace: &[Event], may_write: &Choice) -> Vec<Kept> {
    let variables = trace.iter().filter_map(|event| event.op.variable()).map(|variable| variable.0 + 1).max();
    sections::read(trace, variables.unwrap_or(0), may_write)
}

/// Checks [`sections_of`] a trace as [`check_used`] does. Reports the smallest faulty trace.
pub fn check_sections_or_explain(trace: &[Event], may_write: &Choice, seed: u64) -> Result<(), String> {
    explain(trace, may_write, seed, |trace, may_write, seed| check_kept(trace, &sections_of(trace, may_write), seed))
}

fn check_kept(trace: &[Event], kept: &[Kept], seed: u64) -> Result<(), String> {
    let events: Vec<Event> = kept.iter().map(|kept| kept.event).collect();
    let told = |fault: String| format!("{fault}\nwatched:\n{}", text::to_std(&events));
    if !world::is_well_formed(&events) {
        return Err(told("what is watched is not well-formed".to_owned()));
    }
    check_truth(trace, kept, &events).and_then(|()| epochs::check(&events, seed)).map_err(told)
}

/// Checks that what is found is true, of the trace as a whole and of each block.
pub(crate) fn check_truth(trace: &[Event], kept: &[Kept], events: &[Event]) -> Result<(), String> {
    let (found, right) = (Answer::of_reference(events), Answer::of_reference(trace));
    let number = |position: u64| kept[position as usize - 1].number;
    if let Some(event) = found.first_event.map(number)
        && right.first_event.is_none_or(|right| right > event)
    {
        return Err(format!("non-serializable at {event}, but {:?}", right.first_event));
    }
    // In the engine's numbers: an event of a thread, and how many it had before.
    for blame in &found.violated {
        let (begin, event) = (number(blame.begin), number(blame.event));
        let is_true = right
            .violated
            .iter()
            .any(|right| right.begin == begin && right.event <= event && right.depth >= blame.depth);
        if !is_true {
            return Err(format!("{blame} is event {begin} of the whole, which is not violated by event {event}"));
        }
    }
    Ok(())
}

/// Returns how many blocks are violated, and how many of them are seen to be.
pub fn seen(trace: &[Event], choice: &Choice) -> (usize, usize) {
    let events: Vec<Event> = sampled(trace, choice).iter().map(|kept| kept.event).collect();
    (Answer::of_reference(trace).violated.len(), Answer::of_reference(&events).violated.len())
}

/// Checks a choice. Shrinks the trace if that fails.
pub fn check_or_explain(trace: &[Event], choice: &Choice, seed: u64) -> Result<(), String> {
    explain(trace, choice, seed, check)
}

/// [`check_used`], reporting the smallest faulty trace.
pub fn check_used_or_explain(trace: &[Event], is_used: &Choice, seed: u64) -> Result<(), String> {
    explain(trace, is_used, seed, check_used)
}

/// [`check_aside`], reporting the smallest faulty trace.
pub fn check_aside_or_explain(trace: &[Event], is_inside: &Choice, seed: u64) -> Result<(), String> {
    explain(trace, is_inside, seed, check_aside)
}

/// Applies one of these checks to random traces of each family, each with a choice by its seed.
///
/// # Panics
/// At the first faulty trace, with its family and seed.
pub fn on_random_traces(count: u64, check_or_explain: fn(&[Event], &Choice, u64) -> Result<(), String>) {
    for family in generate::FAMILIES.iter().filter(|family| family.is_well_formed()) {
        let failure = (0..count).into_par_iter().find_map_first(|seed| {
            let told = check_or_explain(&family.trace(seed), &by_seed(seed), seed).err()?;
            Some(format!("family `{}`, seed {seed}: {told}", family.name))
        });
        if let Some(failure) = failure {
            panic!("{failure}");
        }
    }
}

type Check = fn(&[Event], &Choice, u64) -> Result<(), String>;

fn explain(trace: &[Event], choice: &Choice, seed: u64, check: Check) -> Result<(), String> {
    check(trace, choice, seed).map_err(|_| {
        let small = shrink::shrink(trace, |trace| check(trace, choice, seed).is_err());
        let told = check(&small, choice, seed).expect_err("it is faulty");
        let chosen: Vec<u64> = (1..=small.len() as u64).filter(|number| choice(*number)).collect();
        format!("{told}\nof\n{}chosen: {chosen:?}", text::to_std(&small))
    })
}
