//! The stamp protocol on random traces of every family, and on all small ones.
//!
//! The promises and their checks are in `src/protocol`. `REGIONTRACK_RANDOM=N` runs N traces of each family,
//! `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events. A failure prints the family, the seed, what is wrong, and the
//! smallest trace that still shows it, with its streams.

use analysis_core::event::{Event, Op};
use rayon::prelude::*;
use regiontrack_tests::asked;
use regiontrack_tests::enumerate;
use regiontrack_tests::generate::{self, Family};
use regiontrack_tests::protocol::{self, Recorded, verdict};

const DEFAULT_TRACES: u64 = 2_500;
const DEFAULT_LENGTH: u64 = 6;

fn check_the_promises_of_the_protocol(family: &str) {
    let family = generate::find(family).expect("a family of that name");
    let traces = asked("REGIONTRACK_RANDOM", DEFAULT_TRACES);
    let failure = (0..traces).into_par_iter().find_map_first(|seed| check_seed(family, seed).err());
    if let Some(failure) = failure {
        panic!("{failure}");
    }
}

fn check_seed(family: &Family, seed: u64) -> Result<(), String> {
    let trace = family.trace(seed);
    let check = |trace: &[Event]| protocol::check(trace, seed);
    check(&trace).map_err(|_| format!("family `{}`, seed {seed}: {}", family.name, protocol::explain(&trace, check)))
}

#[test]
fn the_protocol_keeps_its_promises_on_dense_traces() {
    check_the_promises_of_the_protocol("dense");
}

#[test]
fn the_protocol_keeps_its_promises_with_many_threads() {
    check_the_promises_of_the_protocol("many-threads");
}

#[test]
fn the_protocol_keeps_its_promises_where_cycles_blame_nobody() {
    check_the_promises_of_the_protocol("sparse");
}

#[test]
fn the_protocol_keeps_its_promises_on_trees_of_threads() {
    check_the_promises_of_the_protocol("fork-join");
}

#[test]
fn the_protocol_keeps_its_promises_on_nested_blocks() {
    check_the_promises_of_the_protocol("nested");
}

#[test]
fn the_protocol_keeps_its_promises_on_repeated_accesses() {
    check_the_promises_of_the_protocol("repeated");
}

#[test]
fn the_protocol_keeps_its_promises_on_ill_formed_traces() {
    check_the_promises_of_the_protocol("ill-formed");
}

#[test]
fn every_family_is_tried() {
    let source = include_str!("protocol.rs");
    for family in generate::FAMILIES {
        assert!(
            source.contains(&format!("check_the_promises_of_the_protocol(\"{}\")", family.name)),
            "{}",
            family.name
        );
    }
}

#[test]
fn the_verdicts_follow_from_the_dependencies_on_every_small_trace() {
    let check = |trace: &[Event]| verdict::check(&Recorded::of(trace));
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            check(trace).map_err(|_| protocol::explain(trace, check))
        });
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

#[test]
fn accesses_are_left_out_and_dependencies_implied_where_accesses_repeat() {
    let family = generate::find("repeated").expect("a family of that name");
    let (mut accesses, mut covered, mut dependencies, mut implied) = (0, 0, 0, 0);
    for seed in 0..500 {
        let trace = family.trace(seed);
        let recorded = Recorded::of(&trace);
        accesses += trace.iter().filter(|event| matches!(event.op, Op::Read(_) | Op::Write(_))).count();
        covered += recorded.recording.covered.len();
        dependencies += recorded.merged.iter().map(|entry| entry.dependencies.len()).sum::<usize>();
        implied += recorded.recording.implied;
    }
    println!("{covered} of {accesses} accesses left out; {dependencies} dependencies recorded, {implied} implied");
    assert!(covered * 4 > accesses, "{covered} of {accesses}");
    assert!(implied > 0 && dependencies > 0);
}
