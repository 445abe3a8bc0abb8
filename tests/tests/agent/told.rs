//! What reports say about library calls: programs in `modelled` name, in addition to their findings, the accesses of each
//! (`access: METHOD ACCESS`, with `N` for the number of a key without a name) and what the advice contains (`advice: METHOD
//! TEXT`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::machine::{Jvm, class_of, command, finish, on_newest_jvm, on_two_jvms, sources};
use crate::programs::{expected, reported};

const PROGRAMS: [&str; 3] = ["KeysOfMaps", "StepsOfAtomics", "StepsOfIterations"];

/// Replaces the numbers of keys without a name, which the agent assigns.
fn unnumbered(text: &str) -> String {
    let mut parts = text.split("Point@");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "Point@N" + part.trim_start_matches(|char: char| char.is_ascii_digit()))
}

/// Returns the accesses of both ends of every edge of the findings, with the method.
pub(crate) fn accesses(report: &Value) -> BTreeSet<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut told = BTreeSet::new();
    for finding in list(&report["violations"]) {
        let method = finding["method"].as_str().unwrap_or_default().to_owned();
        for edge in list(&finding["edges"]) {
            let access = |end: &str| unnumbered(edge[end]["access"].as_str().unwrap_or_default());
            told.extend([access("from"), access("to")].map(|access| format!("{method} {access}")));
        }
    }
    told
}

/// Returns the section of a text report about one method.
pub(crate) fn section<'a>(report: &'a str, method: &str) -> &'a str {
    let mut sections = report.split("\n\n").skip_while(|part| !part.contains(&format!(". {method}: ")));
    let Some(first) = sections.next() else { return "" };
    let start = first.as_ptr() as usize - report.as_ptr() as usize;
    let rest = &report[start..];
    let end = rest.find("if it is not: take it out").unwrap_or(rest.len());
    &rest[..end]
}

/// Returns what a text report should say and does not. Variables outside the library have other names in a trace, also where a
/// handle accesses them.
fn missing(report: &str, source: &Path) -> Vec<String> {
    let calls = expected(source, "access")
        .into_iter()
        .filter(|line| line.split(" by ").nth(1).is_some_and(|method| !method.contains('.')));
    calls
        .chain(expected(source, "advice"))
        .filter(|line| {
            let (method, text) = line.split_once(' ').expect("a method and a text");
            !unnumbered(section(report, method)).contains(text)
        })
        .collect()
}

fn check(jvm: &Jvm, source: &Path) -> Result<(), String> {
    let class = class_of(source);
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let trace = folder.path().join("trace.std");
    let exclude = "exclude=schedule.*";
    let record = format!("{exclude},record={}", trace.display());
    let findings = expected(source, "finding");
    for options in [exclude, &record] {
        let (_, report) = jvm.reported(options, &[&class])?;
        let found = reported(&report, "violations", true);
        if found != findings {
            return Err(format!("{class}, {options}: expected {findings:?}, found {found:?}"));
        }
        let (told, wanted) = (accesses(&report), expected(source, "access"));
        if told != wanted {
            let wrong: Vec<_> = told.symmetric_difference(&wanted).collect();
            return Err(format!("{class}, {options}: only told or only expected: {wrong:#?}"));
        }
    }
    let run = jvm.run_small(Some(&format!("{exclude},max_reports=100,details=100")), &[&class]);
    let mut check = std::process::Command::new(command());
    check.args(["check", "--max-reports", "100", "--details", "100"]).arg(&trace);
    let checked = finish(check);
    for (what, said) in [("the agent", &run.err), ("check", &checked.out)] {
        let missing = missing(said, source);
        if !missing.is_empty() {
            return Err(format!("{class}: {what} does not say {missing:#?}: {said}"));
        }
    }
    Ok(())
}

#[test]
fn reports_name_keys_fields_and_calls_and_what_does_both_in_one_step() {
    on_two_jvms(|jvm| {
        let source = |name: &&str| -> PathBuf { sources().join("modelled").join(format!("{name}.java")) };
        let wrong: Vec<String> = PROGRAMS.iter().map(source).filter_map(|source| check(jvm, &source).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// As plain accesses name it; `Unsafe` says only where it is in the object.
#[test]
fn a_field_that_unsafe_accesses_has_its_name() {
    on_newest_jvm(|jvm| {
        let (run, report) = jvm.reported("exclude=schedule.*", &["violating.UnsafeGetThenPut"])?;
        let told = accesses(&report);
        let missing = [
            "inField() read of violating.UnsafeGetThenPut.count by Unsafe.getInt",
            "inField() write violating.UnsafeGetThenPut.count",
            "inStatic() write of violating.UnsafeGetThenPut.total by Unsafe.putOrderedLong",
        ]
        .into_iter()
        .find(|access| !told.contains(&format!("violating.UnsafeGetThenPut.{access}")));
        missing.map_or(Ok(()), |missing| Err(format!("{missing} is not in {told:#?}; {run:?}")))
    });
}

#[test]
fn keys_that_get_no_name_are_counted() {
    on_newest_jvm(|jvm| {
        let (run, report) = jvm.reported("exclude=schedule.*", &["modelled.ManyKeys"])?;
        let warnings = report["warnings"].as_array().map_or(&[][..], Vec::as_slice);
        let left_out = warnings.iter().filter_map(Value::as_str).find_map(|warning| {
            let (_, rest) =
                warning.split_once("names of keys, left out of the report because there were more than 65536 (")?;
            rest.strip_suffix("): the answer is exact all the same")?.parse::<u64>().ok()
        });
        // 80 000 keys, and the shares of the number of keys.
        match left_out {
            Some(14_464..15_000) if report["verdict"] == "serializable" && run.out == "4\n" => Ok(()),
            _ => Err(format!("{left_out:?}: {report}, {run:?}")),
        }
    });
}

#[test]
fn keys_are_left_out_of_reports_and_traces_on_request() {
    const KEYS: [&str; 2] = ["longer", "Colour.RED"];
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let told = |options: &str| -> Result<Vec<String>, String> {
            let trace = folder.path().join("keys.std");
            let class = ["modelled.KeysOfMaps"];
            let text =
                jvm.run_small(Some(&format!("exclude=schedule.*,max_reports=100,details=100{options}")), &class).err;
            let (_, json) = jvm
                .reported(&format!("exclude=schedule.*{options},record={},overwrite=true", trace.display()), &class)?;
            let trace = std::fs::read_to_string(&trace).map_err(|e| e.to_string())?;
            Ok(vec![text, json.to_string(), trace])
        };
        let (shown, hidden) = (told("")?, told(",keys=false")?);
        let has = |texts: &[String], key: &str| texts.iter().map(|text| text.contains(key)).collect::<Vec<_>>();
        for key in KEYS {
            let (with, without) = (has(&shown, key), has(&hidden, key));
            if with != [true; 3] || without != [false; 3] {
                return Err(format!("{key}: {with:?} and {without:?} in {hidden:?}"));
            }
        }
        if has(&hidden, "String@") == [true; 3] { Ok(()) } else { Err(format!("no number of a key in {hidden:?}")) }
    });
}
