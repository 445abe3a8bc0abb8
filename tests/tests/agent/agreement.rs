//! The agent's answer for a run equals that of `regiontrack check` for its trace: verdict, exit code, counts, methods.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::machine::{Jvm, by_turn, command, is_full, on_newest_jvm, on_two_jvms, scripted, shared_out};
use crate::recorded::of_methods;

/// The exit code if a violation counts.
const EXIT_CODE: i32 = 66;

/// The answer for a run, from the agent or from `regiontrack check`.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    verdict: String,
    is_violation: bool,
    /// The violated methods that count, each with its number of violated instances; then those that wait inside.
    counted: BTreeMap<String, u64>,
    waits: BTreeMap<String, u64>,
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("{e} in {text:?}"))
}

fn methods(list: &Value) -> BTreeMap<String, u64> {
    of_methods(list).into_iter().map(|(method, [count, _])| (method, count)).collect()
}

/// Runs a program under the agent and records it.
fn run(jvm: &Jvm, class: &str, options: &str, trace: &Path) -> Result<Said, String> {
    let options = format!("exclude=schedule.*,record={},exitcode={EXIT_CODE},{options}", trace.display());
    let (run, report) = jvm.reported(&options, &[class])?;
    Ok(Said {
        verdict: report["verdict"].as_str().unwrap_or_default().to_owned(),
        is_violation: run.code == Some(EXIT_CODE),
        counted: methods(&report["violations"]),
        waits: methods(&report["waits_inside"]),
    })
}

fn check(trace: &Path) -> Result<Said, String> {
    let output = Command::new(command()).args(["check", "--format", "json"]).arg(trace).output();
    let output = output.map_err(|e| e.to_string())?;
    let line = json(&String::from_utf8_lossy(&output.stdout)).map_err(|e| format!("{e}: {output:?}"))?;
    let (mut counted, mut waits) = (BTreeMap::new(), BTreeMap::new());
    for violation in line["violations"].as_array().map_or(&[][..], Vec::as_slice) {
        let list = if violation["waits"] == true { &mut waits } else { &mut counted };
        *list.entry(violation["method"].as_str().unwrap_or_default().to_owned()).or_insert(0) += 1;
    }
    let verdict = line["verdict"].as_str().unwrap_or_default().to_owned();
    let is_violation = match output.status.code() {
        Some(0) => false,
        Some(1) => true,
        // The advice may take out all blocks, so that no question is left; the run says the same.
        Some(2) if verdict == "undecided" => false,
        _ => return Err(format!("{output:?}")),
    };
    Ok(Said { verdict, is_violation, counted, waits })
}

/// The formats, which store notes differently.
const FORMATS: [&str; 2] = ["run.std", "run.rtb"];

/// Checks the agreement in these formats.
fn agree(jvm: &Jvm, class: &str, options: &str, formats: &[&str]) -> Result<Said, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut last = None;
    for name in formats {
        let trace = folder.path().join(name);
        let (said, checked) = (run(jvm, class, options, &trace)?, check(&trace)?);
        if said != checked {
            return Err(format!("{class} with {options:?}: the agent says {said:?}, check of {name} {checked:?}"));
        }
        last = Some(said);
    }
    last.ok_or_else(|| "no format".to_owned())
}

#[test]
fn the_command_gives_the_agents_answer_for_a_recorded_run() {
    on_newest_jvm(|jvm| {
        let programs = scripted(8, 2);
        let agreed = |(number, class): (usize, &String)| agree(jvm, class, "", by_turn(number, &FORMATS));
        let wrong: Vec<String> = programs.iter().enumerate().map(agreed).filter_map(Result::err).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn a_block_that_waits_counts_for_both_or_for_neither() {
    const CLASS: &str = "atomic.WaitNotify";
    const TAKE: &str = "atomic.WaitNotify.take()";
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [all, named] = ["all.spec", "named.spec"].map(|name| folder.path().join(name));
        std::fs::write(&all, "+ **\n").map_err(|e| e.to_string())?;
        std::fs::write(&named, format!("default\n+ {TAKE}\n")).map_err(|e| e.to_string())?;
        let formats: Vec<&str> = shared_out(jvm, &FORMATS).copied().collect();
        let by_default = agree(jvm, CLASS, "", &formats)?;
        let by_all = agree(jvm, CLASS, &format!("spec={}", all.display()), &formats)?;
        let by_name = agree(jvm, CLASS, &format!("spec={}", named.display()), &formats)?;
        let excluded = agree(jvm, CLASS, &format!("exclude-method={TAKE}"), &formats)?;
        let is_apart = |said: &Said| said.waits.contains_key(TAKE) && !said.is_violation && said.counted.is_empty();
        let counts = |said: &Said| said.counted.contains_key(TAKE) && said.is_violation;
        let is_gone = excluded.counted.is_empty() && !excluded.waits.contains_key(TAKE);
        if is_apart(&by_default) && counts(&by_all) && counts(&by_name) && is_gone {
            Ok(())
        } else {
            Err(format!("default {by_default:?}, all {by_all:?}, named {by_name:?}, excluded {excluded:?}"))
        }
    });
}

#[test]
fn following_the_advice_of_each_finding_brings_no_new_one() {
    on_newest_jvm(|jvm| {
        let mut wrong = Vec::new();
        for class in scripted(8, 3) {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let before = run(jvm, &class, "", &folder.path().join("before.std"))?;
            // Some programs have a finding of one kind for each of twenty methods.
            let most = if is_full() { usize::MAX } else { 2 };
            for (number, method) in before.counted.keys().take(most).enumerate() {
                let after = agree(jvm, &class, &format!("exclude-method={method}"), by_turn(number, &FORMATS))?;
                let is_new = |found: &&String| !before.counted.contains_key(*found);
                let new: Vec<&String> = after.counted.keys().filter(is_new).collect();
                if !new.is_empty() || after.counted.contains_key(method) {
                    wrong.push(format!("{class} without {method}: {after:?}, before {before:?}"));
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}
