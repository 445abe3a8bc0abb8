//! The epoch protocol on random traces of every well-formed family, and on all small ones.
//!
//! The promises and their checks are in `src/protocol/epochs`. `REGIONTRACK_RANDOM=N` runs N traces of each family,
//! `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events. A failure prints the family, the seed, what is wrong, and the
//! smallest trace that still shows it.

use analysis_core::event::Event;
use analysis_core::protocol::epochs::Nested;
use rayon::prelude::*;
use regiontrack_tests::asked;
use regiontrack_tests::enumerate;
use regiontrack_tests::generate::{self, Family};
use regiontrack_tests::protocol::epochs::{self, interleaved, rounds};
use regiontrack_tests::text;

const DEFAULT_TRACES: u64 = 500;
const DEFAULT_LENGTH: u64 = 5;

type Check = fn(&[Event], u64) -> Result<(), String>;

fn for_every_family(check: Check) {
    let families = generate::FAMILIES.iter().filter(|family| family.is_well_formed());
    for family in families {
        let traces = asked("REGIONTRACK_RANDOM", DEFAULT_TRACES);
        let failure = (0..traces).into_par_iter().find_map_first(|seed| check_seed(family, seed, check).err());
        if let Some(failure) = failure {
            panic!("{failure}");
        }
    }
}

fn check_seed(family: &Family, seed: u64, check: Check) -> Result<(), String> {
    let trace = family.trace(seed);
    let explain = |_| {
        let fault = epochs::explain(&trace, |candidate| check(candidate, seed));
        format!("family `{}`, seed {seed}: {fault}", family.name)
    };
    check(&trace, seed).map_err(explain)
}

#[test]
fn the_answers_follow_from_the_items_on_random_traces() {
    for_every_family(epochs::check);
}

#[test]
fn the_answers_follow_from_the_items_where_the_steps_of_hooks_interleave() {
    for_every_family(interleaved::check);
}

#[test]
fn the_answers_follow_from_the_items_where_reads_are_tentative() {
    for_every_family(rounds::check);
}

#[test]
fn a_withdrawn_round_that_has_read_a_variable_twice_leaves_what_was_read_before_it() {
    // Few random traces show this.
    let family = generate::find("nested").expect("a family of that name");
    check_seed(family, 14_861, rounds::check).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn the_answers_follow_from_the_items_on_every_small_trace() {
    let check = |trace: &[Event]| epochs::check(trace, trace.len() as u64);
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome =
            enumerate::for_all_traces(length as usize, |trace| check(trace).map_err(|_| epochs::explain(trace, check)));
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

#[test]
fn a_thread_that_did_nothing_is_not_followed_although_its_number_was_used_before() {
    // T3 has the number of T1, whose end T2 has seen. T0 follows nothing that T1 did.
    let trace = "T0|begin T0|w(x) T1|r(x) T2|join(T1) T2|fork(T3) T0|join(T3) T0|w(x) T0|end";
    let trace = text::read(trace).expect("a readable trace").events;
    epochs::check(&trace[..6], 0).unwrap_or_else(|fault| panic!("{fault}"));
    epochs::check(&trace, 0).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_racing_covered_read_loses_inner_blocks_with_fast_alone() {
    let family = generate::find("nested").expect("a family of that name");
    for nested in [Nested::Exact, Nested::Fast] {
        let counts =
            (0..2_000).into_par_iter().map(|seed| interleaved::missed_inner_blocks(&family.trace(seed), nested, seed));
        let (violated, missed) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        println!("{nested:?}: {missed} of {violated} violated inner blocks missed");
        assert!(violated > 500);
        assert!(nested == Nested::Fast || missed == 0);
    }
}
