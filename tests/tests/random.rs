//! Every engine against the reference, on random traces of every family, at every prefix.
//!
//! `REGIONTRACK_RANDOM=N` runs N traces of each family instead of the default. A failure prints the family, the seed, the
//! difference and the smallest trace that still shows it.

use rayon::prelude::*;
use regiontrack_tests::compare::{self, Answer};
use regiontrack_tests::generate::{self, Family};
use regiontrack_tests::shrink;

const DEFAULT: u64 = 10_000;

fn traces_per_family() -> u64 {
    let Ok(asked) = std::env::var("REGIONTRACK_RANDOM") else { return DEFAULT };
    asked.parse().unwrap_or_else(|_| panic!("REGIONTRACK_RANDOM is {asked}; give it a number of traces"))
}

fn check_every_claim(family: &str) {
    let family = generate::find(family).expect("a family of that name");
    let failure = (0..traces_per_family()).into_par_iter().find_map_first(|seed| check_seed(family, seed).err());
    if let Some(failure) = failure {
        panic!("{failure}");
    }
}

fn check_seed(family: &Family, seed: u64) -> Result<(), String> {
    let trace = family.trace(seed);
    let right = Answer::of_reference(&trace);
    for spec in compare::engines_on_trial() {
        if compare::check(spec, &trace, &right).is_err() {
            let told = compare::check_or_explain(spec, &trace).expect_err("it has just failed");
            return Err(format!("family `{}`, seed {seed}: {told}", family.name));
        }
    }
    Ok(())
}

#[test]
fn engines_keep_their_claims_on_dense_traces() {
    check_every_claim("dense");
}

#[test]
fn engines_keep_their_claims_with_many_threads() {
    check_every_claim("many-threads");
}

#[test]
fn engines_keep_their_claims_where_cycles_blame_nobody() {
    check_every_claim("sparse");
}

#[test]
fn engines_keep_their_claims_on_trees_of_threads() {
    check_every_claim("fork-join");
}

#[test]
fn engines_keep_their_claims_on_nested_blocks() {
    check_every_claim("nested");
}

#[test]
fn engines_keep_their_claims_on_repeated_accesses() {
    check_every_claim("repeated");
}

#[test]
fn engines_keep_their_claims_on_ill_formed_traces() {
    check_every_claim("ill-formed");
}

#[test]
fn every_family_is_tried() {
    let source = include_str!("random.rs");
    for family in generate::FAMILIES {
        assert!(source.contains(&format!("check_every_claim(\"{}\")", family.name)), "{}", family.name);
    }
}

#[test]
fn the_reference_says_the_same_of_a_prefix_as_of_the_whole_up_to_there_and_keeps_its_own_contract() {
    for family in generate::FAMILIES {
        for seed in 0..300 {
            let trace = shrink::renumbered(&family.trace(seed));
            let right = Answer::of_reference(&trace);
            let outcome = compare::check(compare::reference(), &trace, &right);
            outcome.unwrap_or_else(|difference| panic!("family `{}`, seed {seed}: {difference}", family.name));
        }
    }
}
