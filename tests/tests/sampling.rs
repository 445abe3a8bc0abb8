//! Watching a part of an execution, checked against the reference: what is found in the part is true of the whole.
//!
//! `REGIONTRACK_RANDOM=N` runs N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events, each with
//! every choice of events. A failure prints the choice, what was watched, and the smallest trace that still shows it.

use analysis_core::event::Event;
use analysis_core::filter::sampling::sampled;
use rayon::prelude::*;
use regiontrack_tests::sampled::{by_seed, check_or_explain, on_random_traces, seen};
use regiontrack_tests::{asked, enumerate, generate, text};

const DEFAULT_TRACES: u64 = 400;
const DEFAULT_LENGTH: u64 = 4;

#[test]
fn what_is_found_in_a_part_is_true_of_the_whole_on_random_traces() {
    on_random_traces(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), check_or_explain);
}

#[test]
fn what_is_found_in_any_part_is_true_of_the_whole_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            (0..1_u64 << length)
                .try_for_each(|mask| check_or_explain(trace, &move |number| mask >> (number - 1) & 1 != 0, mask))
        });
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

#[test]
fn violations_are_seen_in_a_part() {
    let family = generate::find("nested").expect("a family of that name");
    let counts = (0..1_000).into_par_iter().map(|seed| seen(&family.trace(seed), &by_seed(seed)));
    let (violated, found) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!("{found} of {violated} violated blocks are seen");
    assert!(found > 50 && found < violated);
}

fn events(text: &str) -> Vec<Event> {
    text::read(text).expect("a readable trace").events
}

/// Returns what is left of a trace if these events are not chosen.
fn without(trace: &str, left_out: &[u64]) -> String {
    let kept = sampled(&events(trace), |number| !left_out.contains(&number));
    text::to_std(&kept.iter().map(|kept| kept.event).collect::<Vec<_>>())
}

fn assert_left(trace: &str, left_out: &[u64], expected: &str) {
    assert_eq!(without(trace, left_out), text::to_std(&events(expected)));
}

#[test]
fn what_is_chosen_as_a_whole_is_kept_as_a_whole() {
    let trace = "T0|begin T0|acq(l) T0|w(x) T0|rel(l) T0|fork(T1) T1|r(x) T0|join(T1) T0|end";
    assert_left(trace, &[], trace);
}

#[test]
fn an_end_goes_with_its_begin() {
    let trace = "T0|begin T0|begin T0|w(x) T0|end T0|w(x) T0|end";
    assert_left(trace, &[2], "T0|begin T0|w(x) T0|w(x) T0|end");
    assert_left(trace, &[1], "T0|begin T0|w(x) T0|end T0|w(x)");
}

#[test]
fn a_release_that_was_missed_follows_its_acquire() {
    let trace = "T0|acq(l) T0|w(x) T0|rel(l) T0|w(y) T1|acq(l) T1|rel(l)";
    assert_left(trace, &[3], "T0|acq(l) T0|rel(l) T0|w(x) T0|w(y) T1|acq(l) T1|rel(l)");
}

#[test]
fn a_release_whose_acquire_was_missed_is_left_out() {
    assert_left("T0|acq(l) T0|w(x) T0|rel(l)", &[1], "T0|w(x)");
}

#[test]
fn who_seems_to_have_a_lock_takes_it_once_more() {
    let trace = "T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l) T1|acq(l) T1|rel(l)";
    assert_left(trace, &[2], "T0|acq(l) T0|rel(l) T1|acq(l) T1|rel(l)");
}
