//! The warnings of the engine, its misses, its false alarms.

use super::*;
use crate::engines;
use crate::predict::testing::events;

/// Returns the begin and the two events of each warning.
fn warnings(trace: &str) -> Vec<(u64, u64, u64)> {
    let mut engine = (SPEC.build)();
    engine.feed(&events(trace));
    let findings = engine.findings();
    assert_eq!(findings.cycle, None);
    assert!(findings.violations.iter().all(|warning| warning.is_warning() && warning.depth == 0));
    findings.violations.iter().map(|warning| (warning.begin, warning.other.position(), warning.event)).collect()
}

fn is_violated(trace: &str) -> bool {
    let mut engine = (engines::default().build)();
    engine.feed(&events(trace));
    !engine.findings().violations.is_empty()
}

#[test]
fn it_warns_of_a_transaction_that_went_well() {
    let lucky = "0:[ 0:a0 0:w0 0:l0 0:] 1:[ 1:a0 1:r0 1:l0 1:a0 1:w0 1:l0 1:]";
    assert_eq!(warnings(lucky), [(6, 9, 10)]);
    assert!(!is_violated(lucky));
}

#[test]
fn it_misses_a_violated_transaction() {
    let violated = "0:[ 0:r0 1:w0 0:w0 0:]";
    assert_eq!(warnings(violated), []);
    assert!(is_violated(violated));
}

#[test]
fn it_warns_of_a_transaction_that_is_atomic_in_every_schedule() {
    // What the other thread reads comes before or after both accesses, or in between without an order to the first.
    assert_eq!(warnings("0:w0 1:r0 0:w0 0:[ 0:r0 0:w0 0:]"), [(4, 5, 6)]);
}
