//! Steps that access several variables: the trace in which they are written out has the law's answers about the steps.
//!
//! `REGIONTRACK_RANDOM=N` runs 4 N random executions.

use analysis_core::event::Op;
use analysis_core::protocol::steps;
use rayon::prelude::*;
use regiontrack_tests::compare::{self, Answer};
use regiontrack_tests::protocol::{self, epochs};
use regiontrack_tests::steps::{by_the_law, of_a_trace, random};

const DEFAULT_TRACES: u64 = 2_500;

#[test]
fn the_trace_of_steps_has_the_answers_of_the_law_on_steps() {
    let all = 0..4 * std::env::var("REGIONTRACK_RANDOM").ok().map_or(DEFAULT_TRACES, |n| n.parse().expect("a number"));
    let differences = all.into_par_iter().map(|seed| {
        let steps = random(seed);
        let right = by_the_law(&steps);
        let got = of_a_trace(&steps, |ops| steps::accesses(ops).collect());
        assert_eq!(got, right, "seed {seed}: {steps:?}");
        let trace = steps::expand(&steps);
        protocol::check(&trace, seed).unwrap_or_else(|fault| panic!("seed {seed}, recorded: {fault}"));
        epochs::check(&trace, seed).unwrap_or_else(|fault| panic!("seed {seed}, dependencies alone: {fault}"));
        let once = of_a_trace(&steps, <[Op]>::to_vec);
        assert!(once.violated.is_subset(&right.violated), "seed {seed}: {steps:?}");
        usize::from(once != right)
    });
    // If the accesses of a step were written once, something would be missed.
    let differences: usize = differences.sum();
    println!("{differences} differ if accesses are written once");
    assert!(differences > 0);
}

#[test]
fn every_engine_keeps_its_claim_on_traces_of_steps() {
    (0..500).into_par_iter().for_each(|seed| {
        let trace = steps::expand(&random(seed));
        let answer = Answer::of_reference(&trace);
        for engine in compare::engines_on_trial() {
            let checked = compare::check(engine, &trace, &answer);
            checked.unwrap_or_else(|fault| panic!("{}, seed {seed}: {fault:?}", engine.name));
        }
    });
}
