//! `predict=`: a run in which nothing goes wrong, and its report's predictions for other schedules.

use std::collections::BTreeSet;
use std::path::Path;

use analysis_core::predict::algorithms::ALGORITHMS;
use serde_json::Value;

use crate::machine::{Jvm, Run, command, finish, on_newest_jvm, on_two_jvms};

const CLASS: &str = "lucky.Deposits";

fn run(jvm: &Jvm, options: &str, kind: &str) -> Run {
    jvm.run_small(Some(&format!("exclude=schedule.*,{options}")), &[CLASS, kind])
}

fn json(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("no report: {e}"))?;
    serde_json::from_str(&text).map_err(|e| format!("{e} in {text}"))
}

/// Checks that output and exit code are the program's own, that the run is serializable, and that these methods are
/// predicted, with schedules.
fn check(jvm: &Jvm, kind: &str, methods: &[&str]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let report = folder.path().join("report.json");
    let options = format!("predict={},format=json,report={}", ALGORITHMS[0].name, report.display());
    let (watched, plain) = (run(jvm, &options, kind), jvm.run_small(None, &[CLASS, kind]));
    if (watched.code, &watched.out) != (Some(0), &plain.out) {
        return Err(format!("{watched:?}, without the agent {plain:?}"));
    }
    let report = json(&report)?;
    let told = &report["predicted"][0];
    let verdict = if methods.is_empty() { "nothing-predicted" } else { "violations-predicted" };
    let found: Vec<&Value> = told["predictions"].as_array().into_iter().flatten().collect();
    let named: Vec<&str> = found.iter().filter_map(|prediction| prediction["method"].as_str()).collect();
    let are_confirmed = found.iter().all(|prediction| prediction["confirmed"] == true);
    if report["verdict"] != "serializable" || told["verdict"] != verdict || named != methods || !are_confirmed {
        return Err(format!("{report}"));
    }
    let code = run(jvm, &(options + ",exitcode=3"), kind).code;
    let expected = if methods.is_empty() { 0 } else { 3 };
    if code == Some(expected) { Ok(()) } else { Err(format!("{kind}: exit code {code:?} with exitcode=3")) }
}

#[test]
fn what_luck_alone_has_kept_apart_is_predicted_and_what_a_lock_keeps_apart_is_not() {
    on_two_jvms(|jvm| {
        // Whether a method is called under the lock or not, only what is inside it counts.
        check(jvm, "lucky", &["lucky.Deposits.pay(int,boolean)"])?;
        check(jvm, "locked", &[])
    });
}

/// Returns the methods with a predicted violation and a schedule that shows it.
fn confirmed(told: &Value) -> BTreeSet<String> {
    let all = told["predictions"].as_array().into_iter().flatten();
    let confirmed = all.filter(|prediction| prediction["confirmed"] == true);
    confirmed.filter_map(|prediction| Some(prediction["method"].as_str()?.to_owned())).collect()
}

#[test]
fn what_a_compare_and_set_has_found_it_finds_in_every_schedule() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [report, trace] = ["report.json", "run.rtb"].map(|name| folder.path().join(name));
        let algorithm = ALGORITHMS[0].name;
        let files = format!("report={},record={}", report.display(), trace.display());
        let options = format!("exclude=schedule.*,predict={algorithm},format=json,{files}");
        jvm.run_small(Some(&options), &["lucky.Takes"]);
        let report = json(&report)?;
        let mut predict = std::process::Command::new(command());
        predict.args(["predict", "--format", "json", "--algorithm", algorithm]).arg(&trace);
        let said = finish(predict);
        let line: Value = serde_json::from_str(&said.out).map_err(|e| format!("{e} in {said:?}"))?;
        let expected = ["looks", "puts", "setsBlindly"].map(|method| format!("lucky.Takes.{method}()"));
        let (run, recorded) = (confirmed(&report["predicted"][0]), confirmed(&line));
        if report["verdict"] != "serializable" || run != expected.clone().into() || recorded != expected.into() {
            return Err(format!("{run:?} {recorded:?} of {report}"));
        }
        Ok(())
    });
}

#[test]
fn the_text_has_the_run_first_and_then_the_prediction_with_its_schedule() {
    on_newest_jvm(|jvm| {
        let run = run(jvm, &format!("predict={}", ALGORITHMS[0].name), "lucky");
        let place = |part: &str| run.err.find(part).ok_or_else(|| format!("`{part}` is missing in {}", run.err));
        let first = place("regiontrack: serializable\n")?;
        let second = place("regiontrack: 1 violation predicted, 1 confirmed by a schedule\n")?;
        place("1. lucky.Deposits.pay(int,boolean): lost update (predicted)")?;
        place("the schedule: as observed up to event ")?;
        place("read of lucky.Deposits.balance")?;
        if run.code == Some(0) && first < second { Ok(()) } else { Err(format!("{run:?}")) }
    });
}

#[test]
fn all_algorithms_say_what_the_command_says_of_the_recorded_run() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [report, trace] = ["report.json", "run.rtb"].map(|name| folder.path().join(name));
        let names: Vec<&str> = ALGORITHMS.iter().map(|spec| spec.name).collect();
        let all = names.join(",");
        let files = format!("report={},record={}", report.display(), trace.display());
        run(jvm, &format!("predict={all},format=json,{files}"), "lucky");
        let report = json(&report)?;
        let mut predict = std::process::Command::new(command());
        predict.args(["predict", "--format", "json", "--algorithm", &all]).arg(&trace);
        let said = finish(predict);
        let lines: Vec<Value> = said.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let told = report["predicted"].as_array().ok_or("no predictions")?;
        let same = ["algorithm", "events", "threads", "transactions", "verdict", "predictions", "deadlocks", "storage"];
        let is_same = |(told, line): (&Value, &Value)| same.iter().all(|key| told[key] == line[key]);
        if lines.len() != names.len() || told.len() != names.len() || !told.iter().zip(&lines).all(is_same) {
            return Err(format!("the report: {told:?}\nthe command: {said:?}"));
        }
        Ok(())
    });
}
