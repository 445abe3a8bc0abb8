//! Arrays and objects that have not left the method that allocated them, and fields that only constructors write: without hooks the findings are
//! the same, with fewer records.
//!
//! `FilledArray`, `ArrayForReceiver` and `FilledObject`, with a method for each way of leaving, `ThreadThatFills` and `FieldsOfConstructors` name
//! their findings, which `programs` checks. Here the findings are compared with a run in which every access has a hook (by a property for tests).

use std::collections::BTreeSet;

use serde_json::Value;

use crate::machine::{Jvm, by_turn, on_newest_jvm, on_two_jvms};
use crate::recorded::{self, violated};

const PROGRAMS: [&str; 9] = [
    "violating.FilledArray",
    "violating.ArrayForReceiver",
    "violating.FilledObject",
    "violating.ThreadThatFills",
    "violating.FieldsOfConstructors",
    "atomic.OwnArrays",
    "atomic.OwnObjects",
    "atomic.OwnCollections",
    "atomic.FieldsOfConstructorsRead",
];
const ALL_HOOKED: [&str; 2] = ["-Dregiontrack.test.temporaries=false", "-Dregiontrack.test.constructed=false"];
/// Calls that lend arrays are linked to copies of the methods at their first execution, not once they are frequent.
const LINKED: &str = "-Dregiontrack.test.rare=1";

/// The findings and the output of a run.
struct Outcome {
    report: Value,
    out: BTreeSet<String>,
}

fn outcome(jvm: &Jvm, class: &str, mode: &str, properties: &[&str]) -> Result<Outcome, String> {
    let options = format!("mode={mode},arrays=all,exclude=schedule.*");
    let (run, report) = jvm.reported(&options, &[&Jvm::COMPILED[..], properties, &[class]].concat())?;
    if run.code == Some(0) && !report.to_string().contains("incomplete") {
        Ok(Outcome { report, out: run.out.lines().map(str::to_owned).collect() })
    } else {
        Err(format!("{class}: {run:?}: {report}"))
    }
}

/// Checks each program, with its number.
fn on_every_program(check: impl Fn(&Jvm, usize, &str) -> Result<(), String>) {
    on_newest_jvm(|jvm| {
        let checked = PROGRAMS.iter().enumerate().map(|(number, class)| check(jvm, number, class));
        let wrong: Vec<String> = checked.filter_map(Result::err).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn the_findings_are_those_of_a_run_in_which_every_access_has_a_hook() {
    on_every_program(|jvm, number, class| {
        for mode in by_turn(number, &["dependencies", "stream"]) {
            let all = outcome(jvm, class, mode, &ALL_HOOKED)?;
            let expected = violated(&all.report);
            for properties in [&[][..], &[LINKED][..]] {
                let some = outcome(jvm, class, mode, properties)?;
                let found = violated(&some.report);
                if found != expected || some.report["verdict"] != all.report["verdict"] || some.out != all.out {
                    return Err(format!(
                        "{class} {properties:?}: found {found:?} in {}, expected {expected:?}",
                        some.report
                    ));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_recorded_trace_has_the_findings_of_the_run() {
    let engine = analysis_core::engines::find("reach").expect("the default engine");
    on_every_program(|jvm, _, class| {
        let run = recorded::run(jvm, class, "arrays=all")?;
        let (verdict, blamed) = run.trace.judged_by(engine);
        if run.report["verdict"] != verdict || blamed != run.violated() {
            return Err(format!("{class}: the trace is {verdict}, {blamed:?}; the run {}", run.report));
        }
        Ok(())
    });
}

fn leaves_no_record(class: &str) {
    on_two_jvms(|jvm| {
        let recorded = |properties: &[&str]| {
            let Outcome { report, .. } = outcome(jvm, class, "stream", properties)?;
            report["stats"]["events"]["recorded"].as_u64().ok_or_else(|| format!("no number of events in {report}"))
        };
        let [some, all] = [recorded(&[])?, recorded(&ALL_HOOKED)?];
        if some < 30_000 && all > 1_000_000 {
            Ok(())
        } else {
            Err(format!("{some} events recorded, {all} with every hook"))
        }
    });
}

#[test]
fn arrays_that_stay_in_their_methods_leave_no_record() {
    leaves_no_record("atomic.OwnArrays");
}

#[test]
fn objects_that_stay_in_their_methods_leave_no_record() {
    leaves_no_record("atomic.OwnObjects");
}

#[test]
fn collections_that_stay_in_their_methods_leave_no_record() {
    leaves_no_record("atomic.OwnCollections");
}

#[test]
fn fields_that_constructors_alone_write_leave_no_record() {
    leaves_no_record("atomic.FieldsOfConstructorsRead");
}

#[test]
fn a_handle_that_writes_such_a_field_after_all_makes_the_run_incomplete() {
    on_two_jvms(|jvm| {
        let (run, report) = jvm.reported("exclude=schedule.*", &["life.HandleFromElsewhere"])?;
        let is_said = report.to_string().contains("writes by handles to life.Constant.value");
        if run.out != "value 2\n" || report["verdict"] != "incomplete" || !is_said {
            return Err(format!("{run:?}: {report}"));
        }
        // Reads of it miss nothing.
        let (run, report) = jvm.reported("exclude=schedule.*", &["life.UnsafeReadsElsewhere"])?;
        if run.out == "value 1\n" && report["stats"]["events"]["lost"] == 0 {
            Ok(())
        } else {
            Err(format!("{run:?}: {report}"))
        }
    });
}
