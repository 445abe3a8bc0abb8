//! `commit-node-conflict` predicts from an observed trace what the default engine finds in it, with two exceptions.
//!
//! `REGIONTRACK_PREDICT=N` runs N random traces of each family. Each miss must have a reason; the reasons are counted,
//! and each has a test of its own.

use std::collections::BTreeSet;

use analysis_core::engine::Violation;
use analysis_core::engines;
use analysis_core::engines::oracle::conflict;
use analysis_core::event::{Event, Op, Stamp};
use analysis_core::graph::law::{Law, Role};
use analysis_core::predict::algorithm::Limits;
use analysis_core::predict::algorithms;
use analysis_core::predict::units::Kind;
use analysis_core::predict::{Execution, Sections};
use rayon::prelude::*;
use regiontrack_tests::generate::CONFORMANCE;
use regiontrack_tests::text;

const DEFAULT: u64 = 1_500;

/// Why a violated block is not predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// Starts and joins end a transaction, so a block around one is judged in pieces.
    CutByStartOrJoin,
    /// Only the order of critical sections violates it: no accesses of other threads conflict with two of its places.
    /// The reports do not count that, since it changes no value.
    LockOrderAlone,
}

/// Returns the violations of outermost blocks that the default engine finds.
fn violated(trace: &[Event]) -> Vec<Violation> {
    let mut engine = (engines::default().build)();
    engine.feed(trace);
    engine.findings().violations.iter().filter(|violation| violation.depth == 0).cloned().collect()
}

/// Returns the begins of the transactions that are warned of.
fn predicted(trace: &[Event]) -> BTreeSet<u64> {
    predicted_with(trace, Sections::Ignored)
}

fn predicted_with(trace: &[Event], sections: Sections) -> BTreeSet<u64> {
    let execution = Execution::with(trace.to_vec(), sections);
    let spec = algorithms::find("commit-node-conflict").expect("an algorithm");
    let warnings = (spec.run)(&execution, &Limits::NONE).warnings;
    let begin = |unit| match execution.units.get(unit).kind {
        Kind::Transaction { begin, .. } => begin.number(),
        Kind::Outside => panic!("it is no transaction"),
    };
    warnings.iter().map(|warning| begin(warning.unit)).collect()
}

/// Returns the misses of a trace, each with its reason; `None` if it has none.
fn misses(trace: &[Event]) -> Vec<(u64, Option<Reason>)> {
    let predicted = predicted(trace);
    let missed = violated(trace).into_iter().filter(|violation| !predicted.contains(&violation.begin));
    missed.map(|violation| (violation.begin, reason(trace, &violation))).collect()
}

fn reason(trace: &[Event], violation: &Violation) -> Option<Reason> {
    let inside = trace[violation.begin as usize..violation.event as usize].iter();
    let mut own = inside.filter(|event| event.thread == violation.thread);
    if own.any(|event| matches!(event.op, Op::Fork(_) | Op::Join(_))) {
        return Some(Reason::CutByStartOrJoin);
    }
    let mut law = Law::default();
    for (index, event) in trace.iter().enumerate() {
        let is_lock = |earlier: &Event| matches!(earlier.op, Op::Release(_)) && matches!(event.op, Op::Acquire(_));
        let counts =
            |earlier: &Event| conflict(*earlier, *event) && (earlier.thread == event.thread || !is_lock(earlier));
        let conflicts: Vec<usize> = (0..index).filter(|earlier| counts(&trace[*earlier])).collect();
        let role = match event.op {
            Op::Begin(label) => Role::Begin(label),
            Op::End => Role::End,
            _ => Role::Inside,
        };
        law.push(Stamp::new(event.thread, index as u64 + 1), role, conflicts);
    }
    let still = law.findings().violations.iter().any(|other| other.begin == violation.begin);
    (!still).then_some(Reason::LockOrderAlone)
}

fn traces_per_family() -> u64 {
    let Ok(asked) = std::env::var("REGIONTRACK_PREDICT") else { return DEFAULT };
    asked.parse().unwrap_or_else(|_| panic!("REGIONTRACK_PREDICT is {asked}; give it a number of traces"))
}

#[test]
fn every_violated_outermost_block_is_predicted_or_missed_for_a_reason() {
    for family in CONFORMANCE {
        let counts = |seed: u64| {
            let trace = family.trace(seed);
            let mut counts = [violated(&trace).len(), 0, 0];
            for (begin, reason) in misses(&trace) {
                match reason {
                    Some(Reason::CutByStartOrJoin) => counts[1] += 1,
                    Some(Reason::LockOrderAlone) => counts[2] += 1,
                    None => panic!("`{}`, seed {seed}, block at {begin}:\n{}", family.name, text::to_std(&trace)),
                }
            }
            counts
        };
        let sum = |a: [usize; 3], b: [usize; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        let [violated, cut, locks] = (0..traces_per_family()).into_par_iter().map(counts).reduce(|| [0; 3], sum);
        println!(
            "{}: {violated} violated, missed: {cut} cut by starts or joins, {locks} by lock order alone",
            family.name
        );
        assert!(violated > 100 && cut + locks < violated, "{}", family.name);
    }
}

fn reasons(trace: &str) -> Vec<Option<Reason>> {
    misses(&text::read(trace).expect("a readable trace").events).into_iter().map(|(_, reason)| reason).collect()
}

#[test]
fn with_critical_sections_as_accesses_only_starts_and_joins_are_a_reason() {
    for family in CONFORMANCE {
        (0..traces_per_family() / 3).into_par_iter().for_each(|seed| {
            let trace = family.trace(seed);
            let predicted = predicted_with(&trace, Sections::Conflict);
            for violation in violated(&trace).iter().filter(|violation| !predicted.contains(&violation.begin)) {
                let reason = reason(&trace, violation);
                assert_eq!(reason, Some(Reason::CutByStartOrJoin), "`{}`, seed {seed}", family.name);
            }
        });
    }
}

#[test]
fn a_block_that_starts_and_joins_a_thread_is_judged_in_pieces() {
    assert_eq!(reasons("T0|begin T0|fork(T1) T1|w(x) T0|join(T1) T0|r(x) T0|end"), [Some(Reason::CutByStartOrJoin)]);
}

#[test]
fn an_order_of_critical_sections_that_changes_no_value_is_not_predicted() {
    let trace = "T0|begin T0|acq(l) T0|rel(l) T1|begin T1|acq(l) T1|rel(l) T1|end T0|acq(l) T0|rel(l) T0|end";
    assert_eq!(reasons(trace), [Some(Reason::LockOrderAlone)]);
}
