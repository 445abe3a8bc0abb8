//! The recorded order is correct: under stress every read returns the last write in the order of the trace.
//!
//! The program is `stress.OrderStress` of the agent's own build: four threads read and write unique values in hot and
//! cold variables, racing. The check is `regiontrack_tests::order`. `REGIONTRACK_STRESS` is the number of operations of
//! each thread: 1600000 of them make over 5 million reads.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use regiontrack_tests::order::{Outcome, check, read_logs};

use crate::machine::{Jvm, machine, on_two_jvms, say};

/// The number of operations of each thread, unless the environment sets another.
const OPERATIONS: u64 = 100_000;
/// Kinds of variables that must have been read, with their names in the trace: each by the class at the place of the
/// first access. `Sub` and `Leaf` have other loaders than `Base`; both hide `value` and `hidden`; the flags are
/// volatile; `shared` and `sharedFlag` are statics of `Base`, accessed through `Sub`.
const KINDS: &[&str] = &[
    "Base.value",
    "Sub.value",
    "Leaf.value",
    "Base.flag",
    "Sub.boxed",
    "Sub.other",
    "Sub.count",
    "Sub.real",
    "Sub.partner",
    "Sub.shared",
    "Sub.sharedFlag",
    "Base.hidden",
    "Sub.hidden",
    "Leaf.hidden",
    "Long[]",
    "long[]",
    "int[]",
];

fn operations() -> u64 {
    std::env::var("REGIONTRACK_STRESS")
        .map_or(OPERATIONS, |number| number.parse().expect("REGIONTRACK_STRESS: a number"))
}

/// Runs the program and checks its trace against the values that it saw.
fn stress(jvm: &Jvm, hook: &str) -> Result<Outcome, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [trace, log, report] = ["trace.std", "log.tap", "report.txt"].map(|name| folder.path().join(name));
    // Library operations have no values that the probe could see. The log has every access, whether it has a
    // consequence or not.
    let options = format!("arrays=all,models=none,reads=all,record={},report={}", trace.display(), report.display());
    let programs = machine().fixtures.join("programs");
    let [programs, log_path] = [&programs, &log].map(|path| path.to_string_lossy().into_owned());
    let operations = operations().to_string();
    let boot = format!("-Xbootclasspath/a:{}", machine().fixtures.join("testing/testing.jar").display());
    let tap = ["-Xmx3g", &boot, "-Dregiontrack.test.probe=dev.regiontrack.runtime.testing.Tap", hook, "-cp", &programs];
    let arguments = [&tap[..], &["stress.OrderStress", &operations, "1", &log_path]].concat();
    let run = jvm.run(Some(&options), &arguments);
    let report = std::fs::read_to_string(&report).map_err(|e| format!("no report: {e}; {run:?}"))?;
    if run.code != Some(0) || run.err.contains("Exception") || report.contains("incomplete") {
        return Err(format!("{run:?}, {report}"));
    }
    held_together(&trace, &log).map_err(|error| format!("{error:#}"))
}

fn held_together(trace: &Path, log: &Path) -> anyhow::Result<Outcome> {
    let logs = read_logs(BufReader::with_capacity(1 << 20, File::open(log)?))?;
    check("trace.std", File::open(trace)?, &logs)
}

/// Checks that every read is right, that there are enough of them, and that no kind is missing.
fn is_right(outcome: &Outcome) -> Result<(), String> {
    let missing: Vec<&&str> = KINDS.iter().filter(|kind| !outcome.by_kind.contains_key(**kind)).collect();
    if outcome.is_right() && outcome.reads > 3 * operations() && outcome.filtered > 0 && missing.is_empty() {
        Ok(())
    } else {
        Err(format!("{outcome}; never read: {missing:?}; read: {:?}", outcome.by_kind))
    }
}

#[test]
fn every_read_returned_the_last_write_in_the_recorded_order() {
    on_two_jvms(|jvm| {
        let outcome = stress(jvm, "-Dregiontrack.test.mutant=false")?;
        say(&format!("JDK {}: recorded order: {outcome}", jvm.version));
        is_right(&outcome)
    });
}

#[test]
fn a_hook_that_checks_the_stamp_before_it_takes_the_value_is_detected() {
    on_two_jvms(|jvm| {
        let outcome = stress(jvm, "-Dregiontrack.test.mutant=true")?;
        let wrong = outcome.wrong + outcome.wrong_filtered;
        say(&format!("JDK {}: recorded order with the wrong hook: {wrong} accesses wrong", jvm.version));
        if wrong > 0 && outcome.mismatched == 0 { Ok(()) } else { Err(format!("not found out: {outcome}")) }
    });
}
