//! The advice in reports works. Programs in `advised` name the findings of their methods called `once..`, the accesses of these
//! (`access: METHOD ACCESS`) and what the advice contains (`advice: METHOD TEXT`). With the argument `fixed` they follow the advice:
//! then nothing is found, and nothing deadlocks.

use std::path::{Path, PathBuf};
use std::process::Command;

use analysis_core::report::advised;

use crate::machine::{Jvm, class_of, command, finish, on_two_jvms, shared_out, sources, utf8};
use crate::programs::{expected, reported};
use crate::told::{accesses, section};

const PROGRAMS: [&str; 4] = ["HandedOver", "OneCall", "OneStep", "Sections"];
/// Only these methods must be atomic. Without this rule, those that wait inside for others would not be reported in detail.
const SPEC: &str = "- **.*\n+ advised.*.once*\n";

fn check(jvm: &Jvm, source: &Path) -> Result<(), String> {
    let class = class_of(source);
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (spec, trace) = (folder.path().join("spec.txt"), folder.path().join("trace.std"));
    std::fs::write(&spec, SPEC).map_err(|e| e.to_string())?;
    let options = format!("exclude=schedule.*,max_reports=100,details=100,spec={}", utf8(&spec));
    let recording = format!("{options},record={},overwrite=true", utf8(&trace));
    for options in [&options, &recording] {
        let (run, report) = jvm.reported(options, &[&class])?;
        let found = reported(&report, "violations", true);
        if found != expected(source, "finding") || run.out.trim() != "done" {
            return Err(format!("{class}, {options}: found {found:?} in {run:?}"));
        }
        let told = accesses(&report);
        if let Some(missing) = expected(source, "access").iter().find(|access| !told.contains(*access)) {
            return Err(format!("{class}, {options}: {missing:?} is not told: {told:#?}"));
        }
        let (fixed, report) = jvm.reported(options, &[&class, "fixed"])?;
        if report["verdict"] != "serializable" || fixed.out.trim() != "done" {
            return Err(format!("{class}, {options}: the advice does not work: {report}, {fixed:?}"));
        }
    }
    let run = jvm.run_small(Some(&recording), &[&class]);
    let mut check = Command::new(command());
    check.args(["check", "--max-reports", "100", "--details", "100", "--spec", utf8(&spec)]).arg(&trace);
    let checked = finish(check);
    for (what, said) in [("the agent", &run.err), ("check", &checked.out)] {
        for line in expected(source, "advice") {
            let (method, text) = line.split_once(' ').expect("a method and a text");
            let section = unplaced(section(said, method));
            if !section.contains(&unplaced(text)) || section.contains("Future.java") {
                return Err(format!("{class}: {what} does not say {line:?}: {section}"));
            }
        }
    }
    Ok(())
}

/// Removes places: a trace names events instead.
fn unplaced(text: &str) -> String {
    text.split(' ').filter(|word| !word.contains(".java:")).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_advised_works() {
    on_two_jvms(|jvm| {
        let source = |name: &&str| -> PathBuf { sources().join("advised").join(format!("{name}.java")) };
        let wrong: Vec<String> =
            shared_out(jvm, &PROGRAMS).map(source).filter_map(|source| check(jvm, &source).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn every_method_that_is_advised_exists() {
    on_two_jvms(|jvm| {
        let methods: Vec<String> = advised().iter().map(|(class, method)| format!("{class}.{method}")).collect();
        let arguments: Vec<&str> = ["advised.Methods"].into_iter().chain(methods.iter().map(String::as_str)).collect();
        let run = jvm.run_small(None, &arguments);
        if methods.len() > 100 && run.code == Some(0) && run.out.is_empty() { Ok(()) } else { Err(format!("{run:?}")) }
    });
}
