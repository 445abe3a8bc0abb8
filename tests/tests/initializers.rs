//! Class initializers that run in blocks ([`analysis_core::filter::initializers`]), checked against the reference: exactly what is violated in the
//! rest of the trace is reported, and nothing that is not violated in the whole trace.
//!
//! `REGIONTRACK_RANDOM=N` runs N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events, each with every choice of events. A
//! failure prints the choice, what was left, and the smallest trace that still shows it.

use analysis_core::event::Event;
use analysis_core::filter::initializers::aside;
use regiontrack_tests::compare::Answer;
use regiontrack_tests::sampled::{check_aside_or_explain, on_random_traces};
use regiontrack_tests::{asked, enumerate, text};

const DEFAULT_TRACES: u64 = 400;
const DEFAULT_LENGTH: u64 = 4;

#[test]
fn what_is_reported_is_violated_in_the_whole_on_random_traces() {
    on_random_traces(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), check_aside_or_explain);
}

#[test]
fn what_is_reported_is_violated_in_the_whole_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            for mask in 0..1_u64 << length {
                check_aside_or_explain(trace, &move |number: u64| mask >> (number - 1) & 1 != 0, mask)?;
            }
            Ok::<(), String>(())
        });
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

/// Returns how many blocks are violated in a trace in which the events with these numbers belong to initializers.
fn violated(trace: &str, inside: &[u64]) -> usize {
    let events: Vec<Event> = text::read(trace).expect("a readable trace").events;
    let kept: Vec<Event> = aside(&events, |number| inside.contains(&number)).iter().map(|kept| kept.event).collect();
    Answer::of_reference(&kept).violated.len()
}

#[test]
fn what_an_initializer_writes_is_not_of_the_block() {
    let trace = "T0|begin T0|w(x) T1|r(x) T1|w(y) T0|r(y) T0|end";
    assert_eq!(violated(trace, &[]), 1);
    assert_eq!(violated(trace, &[2]), 0);
}

#[test]
fn what_an_initializer_reads_comes_before_what_follows() {
    let trace = "T0|begin T0|w(x) T1|r(x) T1|w(y) T0|r(y) T0|w(z) T0|end";
    assert_eq!(violated(trace, &[5]), 1);
}

#[test]
fn an_initializer_leaves_alone_what_its_block_has_written() {
    let trace = "T0|begin T0|w(x) T0|r(x) T0|w(x) T0|r(x) T0|end";
    assert_eq!(violated(trace, &[3, 4]), 0);
}

#[test]
fn the_order_of_the_blocks_own_access_stays_where_the_initializer_leaves_it_alone() {
    let trace = "T0|begin T0|w(x) T0|w(x) T1|r(x) T1|w(y) T0|r(y) T0|end";
    assert_eq!(violated(trace, &[3]), 1);
}

#[test]
fn a_lock_that_the_block_has_had_is_left_alone() {
    let trace = "T0|begin T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l) T1|acq(l) T1|rel(l) T0|acq(l) T0|rel(l) T0|end";
    assert_eq!(violated(trace, &[4, 5]), 1);
}

#[test]
fn a_block_in_an_initializer_is_one() {
    let trace = "T0|begin T0|begin T0|r(x) T1|w(x) T0|w(x) T0|end T0|end";
    assert_eq!(violated(trace, &[2, 3, 5, 6]), 1);
    assert_eq!(violated(trace, &[]), 2);
}
