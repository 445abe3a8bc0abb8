//! Accesses without consequence ([`analysis_core::filter::attempts`]), checked against the reference: exactly what is violated in the trace without
//! these accesses is reported, and nothing that is not violated in the whole trace.
//!
//! `REGIONTRACK_RANDOM=N` runs N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events, each with every choice of accesses. A
//! failure prints the choice, what was left, and the smallest trace that still shows it.

use analysis_core::event::{Event, Op};
use analysis_core::filter::attempts::used;
use regiontrack_tests::compare::Answer;
use regiontrack_tests::sampled::{check_used_or_explain, on_random_traces};
use regiontrack_tests::{asked, enumerate, text};

const DEFAULT_TRACES: u64 = 400;
const DEFAULT_LENGTH: u64 = 4;

#[test]
fn what_is_reported_is_what_is_violated_without_these_accesses_on_random_traces() {
    on_random_traces(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), check_used_or_explain);
}

#[test]
fn what_is_reported_is_what_is_violated_without_any_accesses_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            let accesses: u64 = (0..length)
                .filter(|i| matches!(trace[*i as usize].op, Op::Read(_) | Op::Write(_)))
                .map(|i| 1 << i)
                .sum();
            // Every subset of the accesses, including all of them.
            let mut mask = accesses;
            loop {
                let chosen = mask;
                check_used_or_explain(trace, &move |number: u64| chosen >> (number - 1) & 1 != 0, chosen)?;
                if mask == 0 {
                    return Ok::<(), String>(());
                }
                mask = (mask - 1) & accesses;
            }
        });
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

fn violated(trace: &str, unused: &[u64]) -> usize {
    let events: Vec<Event> = text::read(trace).expect("a readable trace").events;
    let kept: Vec<Event> = used(&events, |number| !unused.contains(&number)).iter().map(|kept| kept.event).collect();
    Answer::of_reference(&kept).violated.len()
}

#[test]
fn an_attempt_that_fails_is_no_interference() {
    let trace = "T0|begin T0|r(x) T1|w(x) T0|r(x) T0|w(x) T0|end";
    assert_eq!(violated(trace, &[]), 1);
    assert_eq!(violated(trace, &[2]), 0);
}

#[test]
fn a_lost_update_stays_one() {
    let trace = "T0|begin T0|r(x) T0|r(x) T1|w(x) T0|w(x) T0|end";
    assert_eq!(violated(trace, &[2]), 1);
}

#[test]
fn other_reads_of_the_attempt_count() {
    let trace = "T0|begin T0|r(y) T0|r(x) T1|w(y) T1|w(x) T0|r(x) T0|w(x) T0|end";
    assert_eq!(violated(trace, &[3]), 1);
    assert_eq!(violated(trace, &[2, 3]), 0);
}

#[test]
fn who_fills_a_field_with_what_is_there_is_no_interference() {
    let trace = "T0|begin T0|r(x) T1|w(x) T0|w(x) T0|r(x) T0|end";
    assert_eq!(violated(trace, &[]), 1);
    assert_eq!(violated(trace, &[4, 5]), 0);
}

#[test]
fn who_fills_a_field_with_something_else_has_lost_an_update() {
    let trace = "T0|begin T0|r(x) T1|w(x) T0|w(x) T0|r(x) T0|end";
    assert_eq!(violated(trace, &[5]), 1);
}

#[test]
fn a_value_that_was_found_orders_nothing() {
    let trace = "T0|begin T0|w(x) T1|begin T1|r(x) T1|w(y) T1|end T0|r(y) T0|end";
    assert_eq!(violated(trace, &[]), 1);
    assert_eq!(violated(trace, &[4]), 0);
    assert_eq!(violated(trace, &[7]), 0);
}
