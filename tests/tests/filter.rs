//! Every filter of events, alone and in a row, against the reference: what is left gives the same answer.
//!
//! The answer must be the same in both ways in which events are left out: gone, or without effect in their place.
//! `REGIONTRACK_RANDOM=N` asks for N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` for all traces up to N events. A
//! failure prints the filters, what they dropped, and the smallest trace that still shows the difference.

use analysis_core::event::{Event, Op};
use analysis_core::filter::{Chain, FILTERS, FilterSpec};
use regiontrack_tests::compare::{Answer, Blame};
use regiontrack_tests::generate::{self, Family};
use regiontrack_tests::{enumerate, parallel, shrink, text};

const DEFAULT_TRACES: u64 = 2_500;
const DEFAULT_LENGTH: u64 = 5;

fn asked(variable: &str, default: u64) -> u64 {
    let Ok(asked) = std::env::var(variable) else { return default };
    asked.parse().unwrap_or_else(|_| panic!("{variable} is {asked}; give it a number"))
}

/// Each filter alone, and all of them in both orders.
fn rows() -> Vec<Vec<&'static FilterSpec>> {
    let mut rows: Vec<Vec<_>> = FILTERS.iter().map(|spec| vec![spec]).collect();
    rows.push(FILTERS.iter().collect());
    rows.push(FILTERS.iter().rev().collect());
    rows
}

fn chain(row: &[&FilterSpec], trace: &[Event]) -> Chain {
    let mut chain = Chain::new(row.iter().copied());
    chain.foresee(trace);
    chain
}

/// The answer about `trace` without what the filters drop, in the numbers of `trace`.
fn answer_without(row: &[&FilterSpec], trace: &[Event]) -> Answer {
    let mut chain = chain(row, trace);
    let numbered = (1..).zip(trace).filter(|(_, event)| chain.needs(**event));
    let (numbers, left): (Vec<u64>, Vec<Event>) = numbered.map(|(number, event)| (number, *event)).unzip();
    let number = |position: u64| numbers[position as usize - 1];
    let answer = Answer::of_reference(&left);
    let blame = |blame: &Blame| Blame { begin: number(blame.begin), event: number(blame.event), ..*blame };
    Answer { first_event: answer.first_event.map(number), violated: answer.violated.iter().map(blame).collect() }
}

fn check(trace: &[Event], right: &Answer) -> Result<(), String> {
    for row in rows() {
        let names = || row.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", then ");
        let mut replaced = trace.to_vec();
        chain(&row, trace).apply(&mut replaced);
        let answers = [("gone", answer_without(&row, trace)), ("without effect", Answer::of_reference(&replaced))];
        for (how, answer) in answers {
            if answer != *right {
                let dropped = (1..).zip(trace.iter().zip(&replaced)).filter(|(_, (before, after))| before != after);
                let dropped: Vec<u64> = dropped.map(|(number, _)| number).collect();
                return Err(format!(
                    "filter {}, events {how}: {answer:?}\nexpected {right:?}; dropped {dropped:?}",
                    names()
                ));
            }
        }
    }
    Ok(())
}

fn check_or_explain(trace: &[Event]) -> Result<(), String> {
    check(trace, &Answer::of_reference(trace)).map_err(|_| {
        let is_faulty = |trace: &[Event]| check(trace, &Answer::of_reference(trace)).is_err();
        let small = shrink::shrink(trace, is_faulty);
        let told = check(&small, &Answer::of_reference(&small)).expect_err("it is faulty");
        format!("{told}\n{}", text::to_std(&small))
    })
}

fn filters_keep_the_answers(family: &Family) {
    let outcome = parallel::try_for_each(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), |seed| {
        check_or_explain(&family.trace(seed)).map_err(|told| format!("family `{}`, seed {seed}: {told}", family.name))
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
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
    let trace = text::read("T0|w(x)|1\nT0|w(x)|2\nT0|w(y)|3\nT1|w(y)|4\n").expect("a trace").events;
    let mut chain = chain(&FILTERS.iter().collect::<Vec<_>>(), &trace);
    let mut left = trace.clone();
    chain.apply(&mut left);
    let kept: Vec<bool> = left.iter().map(|event| event.op != Op::Nop).collect();
    assert_eq!(kept, [false, false, true, true]);
    let dropped: Vec<(&str, u64)> = chain.saved().iter().map(|saved| (saved.filter, saved.dropped.accesses)).collect();
    assert_eq!(dropped, [("segment", 1), ("local", 1)]);
}
