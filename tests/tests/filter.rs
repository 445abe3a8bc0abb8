//! Every filter of events, alone and chained, against the reference: what is left gives the same answer.
//!
//! This must hold in both ways of leaving an event out: removing it, or replacing it by an event without effect.
//! `REGIONTRACK_RANDOM=N` runs N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events. A failure
//! prints the filters, what they dropped, and the smallest trace that still shows the difference.

use analysis_core::event::Op;
use analysis_core::filter::FILTERS;
use rayon::prelude::*;
use regiontrack_tests::filtered::{chain, check_or_explain};
use regiontrack_tests::generate::{self, Family};
use regiontrack_tests::{asked, enumerate, text};

const DEFAULT_TRACES: u64 = 2_500;
const DEFAULT_LENGTH: u64 = 5;

fn filters_keep_the_answers(family: &Family) {
    let seeds = (0..asked("REGIONTRACK_RANDOM", DEFAULT_TRACES)).into_par_iter();
    let failure = seeds.find_map_first(|seed| {
        let told = check_or_explain(&family.trace(seed)).err()?;
        Some(format!("family `{}`, seed {seed}: {told}", family.name))
    });
    if let Some(failure) = failure {
        panic!("{failure}");
    }
}

#[test]
fn the_answers_are_the_same_without_what_filters_drop_on_random_traces_of_every_family() {
    generate::FAMILIES.iter().for_each(filters_keep_the_answers);
}

#[test]
fn the_answers_are_the_same_without_what_filters_drop_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, check_or_explain);
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

#[test]
fn each_filter_drops_something_where_accesses_repeat() {
    let family = generate::find("repeated").expect("a family of that name");
    for spec in FILTERS {
        let (mut accesses, mut dropped) = (0, 0);
        for seed in 0..500 {
            let trace = family.trace(seed);
            let mut chain = chain(&[spec], &trace);
            let left = trace.iter().filter(|event| chain.needs(**event)).count() as u64;
            let saved = chain.saved()[0];
            assert_eq!(left + saved.dropped.events(), trace.len() as u64, "{}", spec.name);
            assert_eq!(saved.seen.events(), trace.len() as u64, "{}", spec.name);
            accesses += saved.seen.accesses;
            dropped += saved.dropped.accesses;
        }
        println!("{}: {dropped} of {accesses} accesses dropped", spec.name);
        assert!(dropped > 0, "{}", spec.name);
    }
}

#[test]
fn what_one_filter_drops_the_next_does_not_see() {
    let trace = text::read("T0|w(x)|1\nT0|w(x)|2\nT0|r(y)|3\nT0|w(y)|4\nT1|w(y)|5\n").expect("a trace").events;
    let mut chain = chain(&FILTERS.iter().collect::<Vec<_>>(), &trace);
    let mut left = trace.clone();
    chain.apply(&mut left);
    let kept: Vec<bool> = left.iter().map(|event| event.op != Op::Nop).collect();
    assert_eq!(kept, [false, false, false, true, true]);
    let dropped: Vec<(&str, u64)> = chain.saved().iter().map(|saved| (saved.filter, saved.dropped.accesses)).collect();
    assert_eq!(dropped, [("segment", 1), ("local", 1), ("edges", 1)]);
}
