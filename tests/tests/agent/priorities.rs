//! `priorities=`: threads get random priorities. They also expose violations that take several steps of other threads, and correct programs
//! behave as before.

use std::process::Command;

use serde_json::Value;

use crate::machine::{command, machine, on_newest_jvm, on_two_jvms, shared_out, utf8};

/// The number of seeds that is enough if every delay in a method of two steps shows that the method is violated.
const ENOUGH: u64 = 8;
const THROUGH: &str = "provoked.Through";
const METHOD: &str = "provoked.Through.ask(int)";
/// Correct programs and their exit codes.
const CORRECT: [(&str, i32); 5] =
    [("FieldsLocked", 0), ("SectionsLocked", 0), ("MapsAtOnce", 0), ("TasksLocked", 0), ("Manners", 3)];

fn violations(report: &Value) -> impl Iterator<Item = &Value> {
    report["violations"].as_array().into_iter().flatten()
}

/// The violation of the method goes through two other threads.
#[test]
fn what_goes_through_a_third_thread_is_found() {
    on_two_jvms(|jvm| {
        let mut last = Value::Null;
        for seed in 1..=ENOUGH {
            let (run, report) = jvm.reported(&format!("priorities={seed}:2:5000"), &[THROUGH])?;
            let random = &report["steered"]["random"][0];
            let is_told = report["steered"].get("file").is_none()
                && random["seed"] == seed
                && random["changes"] == 2
                && random["steps"].as_u64() >= Some(4000);
            if (run.code, &*run.out) != (Some(0), "done\n")
                || !is_told
                || report["warnings"] != Value::Array(Vec::new())
            {
                return Err(format!("{run:?} {report}"));
            }
            let found = violations(&report).find(|finding| finding["method"] == METHOD);
            if let Some(finding) = found {
                let how = serde_json::json!({ "seed": seed });
                return if finding["provoked"] == how { Ok(()) } else { Err(report.to_string()) };
            }
            last = report;
        }
        Err(format!("not found by {ENOUGH} seeds: {last}"))
    });
}

#[test]
fn correct_programs_are_as_before() {
    on_two_jvms(|jvm| {
        for (class, code) in shared_out(jvm, &CORRECT) {
            let class = format!("provoked.{class}");
            let plain = jvm.run_small(None, &[&class]);
            for seed in [1, 2] {
                let (run, report) = jvm.reported(&format!("priorities={seed}:5:500,provoke-share=50"), &[&class])?;
                let is_right = (run.code, &run.out) == (Some(*code), &plain.out)
                    && report["verdict"] != "incomplete"
                    && (class == "provoked.Manners" || report["violated"] == 0);
                if !is_right {
                    return Err(format!("{class}: {plain:?} {run:?} {report}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn it_goes_with_recorded_traces_with_profiles_and_with_other_engines() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let record = format!("record={}", utf8(&folder.path().join("run-%p.rtb")));
        let profile = format!("profile={}", utf8(&folder.path().join("app.profile")));
        for more in [&*record, &profile, &profile, "engine=velodrome", "nested=false,arrays=all,reads=all"] {
            let (run, report) = jvm.reported(&format!("priorities=3,{more}"), &[THROUGH])?;
            let is_right =
                run.out == "done\n" && report["verdict"] != "incomplete" && report["steered"]["random"][0]["seed"] == 3;
            if !is_right || violations(&report).any(|finding| finding["provoked"]["seed"] != 3) {
                return Err(format!("{more}: {run:?} {report}"));
            }
        }
        Ok(())
    });
}

#[test]
fn wrong_uses_get_a_line() {
    on_newest_jvm(|jvm| {
        let form = "priorities=x: expected SEED, SEED:CHANGES or SEED:CHANGES:STEPS, numbers, at most 100 changes and at least 1 step";
        let both = "priorities=3:2:10000: sample= says otherwise which threads are held, or how much is watched; leave out one of them";
        for (options, says) in [("priorities=x", form), ("priorities=3,sample=5", both)] {
            let run = jvm.run(Some(options), &[THROUGH]);
            let said = run.said();
            if run.code != Some(2) || !run.out.is_empty() || said.len() != 1 || !said[0].contains(says) {
                return Err(format!("{options}: {run:?}"));
            }
        }
        Ok(())
    });
}

/// There is nothing to steer to: two runs learn, and the others have priorities.
#[test]
fn the_command_goes_on_with_them_where_no_candidate_is_left() {
    on_newest_jvm(|jvm| {
        let program = jvm.started(&[THROUGH]);
        let mut provoke = Command::new(command());
        let schedules = tempfile::tempdir().map_err(|error| error.to_string())?;
        provoke
            .args(["provoke", "--format", "json", "--runs", "16", "--no-minimize", "--seed", "1", "--agent"])
            .arg(&machine().jar);
        provoke.arg("--schedules").arg(schedules.path());
        let ran =
            provoke.arg("--").arg(program.get_program()).args(program.get_args()).output().expect("the command starts");
        let result: Value = serde_json::from_slice(&ran.stdout).map_err(|error| format!("{error}: {ran:?}"))?;
        let by_chance = result["random"].as_array().into_iter().flatten();
        let is_found =
            by_chance.into_iter().any(|finding| finding["method"] == METHOD && finding["seed"].as_u64() >= Some(1));
        // The candidate is confirmed or dropped first, and all remaining runs have priorities.
        let number = |key: &str| result[key].as_u64().unwrap_or(0);
        let is_left =
            result["candidates"].as_array().into_iter().flatten().any(|candidate| candidate["state"] == "new");
        let is_spent = number("runs") == 16 && number("learnt") >= 2 && number("shuffled") >= 8;
        let is_right = ran.status.code() == Some(1) && is_spent && !is_left;
        if is_found && is_right { Ok(()) } else { Err(format!("{result} {ran:?}")) }
    });
}
