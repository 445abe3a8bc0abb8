//! What the families promise.

use std::collections::HashMap;

use analysis_core::event::Op;

use super::*;
use crate::compare::Answer;
use crate::world;

const SAMPLE: u64 = 1000;

/// Returns how many of the first [`SAMPLE`] traces of a family are counted.
fn count(family: &Family, is_counted: impl Fn(&[Event]) -> bool) -> u64 {
    (0..SAMPLE).filter(|&seed| is_counted(&family.trace(seed))).count() as u64
}

#[test]
fn a_seed_gives_one_trace_and_another_seed_another() {
    for family in FAMILIES {
        assert_eq!(family.trace(5), family.trace(5));
        assert_ne!(family.trace(5), family.trace(6));
    }
}

#[test]
fn every_family_but_the_ill_formed_is_well_formed() {
    for family in FAMILIES {
        let well_formed = count(family, world::is_well_formed);
        let expected = if family.is_well_formed() { SAMPLE..=SAMPLE } else { 0..=SAMPLE / 5 };
        assert!(expected.contains(&well_formed), "{}: {well_formed} of {SAMPLE}", family.name);
    }
}

#[test]
fn a_quarter_to_three_quarters_of_each_family_are_non_serializable() {
    for family in FAMILIES {
        let share = count(family, |trace| Answer::of_reference(trace).first_event.is_some()) * 100 / SAMPLE;
        assert!((25..=75).contains(&share), "{}: {share} %", family.name);
    }
}

#[test]
fn many_sparse_traces_are_non_serializable_and_blame_nobody() {
    let sparse = find("sparse").expect("a family");
    let share = count(sparse, |trace| {
        let answer = Answer::of_reference(trace);
        answer.first_event.is_some() && answer.violated.is_empty()
    });
    assert!(share * 100 > 15 * SAMPLE, "{share} of {SAMPLE}");
}

#[test]
fn blocks_stay_open_in_some_traces_of_each_family_and_close_in_others() {
    for family in FAMILIES {
        let quiet = count(family, |trace| world::after(trace).is_quiet());
        assert!((SAMPLE / 10..=9 * SAMPLE / 10).contains(&quiet), "{}: {quiet} of {SAMPLE}", family.name);
    }
}

#[test]
fn inner_blocks_are_violated_where_blocks_nest() {
    let nested = find("nested").expect("a family");
    for depth in 1..4 {
        let share = count(nested, |trace| Answer::of_reference(trace).violated.iter().any(|v| v.depth == depth));
        assert!(share > SAMPLE / 20, "depth {depth}: {share} of {SAMPLE}");
    }
}

#[test]
fn fork_join_has_idle_threads_and_forks_and_joins_inside_blocks_and_outside() {
    let mut seen: HashMap<(&str, bool), u64> = HashMap::new();
    for seed in 0..SAMPLE {
        let trace = find("fork-join").expect("a family").trace(seed);
        let mut world = world::World::default();
        for event in &trace {
            let is_inside = world.open_blocks(event.thread) > 0;
            match event.op {
                Op::Fork(_) => *seen.entry(("fork", is_inside)).or_default() += 1,
                Op::Join(child) => {
                    let is_idle = trace.iter().all(|event| event.thread != child);
                    *seen.entry((if is_idle { "join of an idle thread" } else { "join" }, is_inside)).or_default() += 1;
                }
                _ => {}
            }
            world.take(*event);
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|&times| times > SAMPLE / 10), "{seen:?}");
}

#[test]
fn repeated_accesses_are_frequent_in_the_family_for_filters() {
    let repeats = count(find("repeated").expect("a family"), |trace| {
        let is_repeat = |pair: &[Event]| pair[0] == pair[1] && matches!(pair[0].op, Op::Read(_) | Op::Write(_));
        trace.windows(2).filter(|pair| is_repeat(pair)).count() >= 3
    });
    assert!(repeats > SAMPLE / 2, "{repeats} of {SAMPLE}");
}
