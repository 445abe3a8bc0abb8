//! Overlapping calls of one key in forced schedules: their results show which came last, in every mode, and no call is left out.

use std::collections::BTreeSet;

use crate::machine::{Jvm, on_two_jvms, sources};
use crate::programs::{expected, reported};

/// The source names the expected findings.
fn check(jvm: &Jvm, class: &str, mode: &str) -> Result<(), String> {
    let source = sources().join(format!("{}.java", class.replace('.', "/")));
    let (run, report) = jvm.reported(&format!("exclude=schedule.*,mode={mode}"), &[class])?;
    let findings = expected(&source, "finding");
    let is_left = report["warnings"].to_string().contains("overlapped");
    let verdict = if findings.is_empty() { "serializable" } else { "non-serializable" };
    if run.code == Some(0)
        && reported(&report, "violations", true) == findings
        && report["verdict"] == verdict
        && !is_left
    {
        return Ok(());
    }
    Err(format!("{class} {mode}: expected {findings:?} {verdict}, got {run:?} {report}"))
}

#[test]
fn calls_that_overlap_are_ordered_by_what_they_returned() {
    on_two_jvms(|jvm| {
        for class in ["violating.OverlappingCalls", "atomic.OverlappingCallsOnce"] {
            let wrong: BTreeSet<String> =
                ["dependencies", "stream"].into_iter().filter_map(|mode| check(jvm, class, mode).err()).collect();
            if let Some(first) = wrong.first() {
                return Err(first.clone());
            }
        }
        Ok(())
    });
}
