//! Programs that contain their verdict as comments: `finding: METHOD KIND` or `waits inside: METHOD`, and `violated: METHOD COUNT` if the
//! number of the method's violated instances matters.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::machine::{
    Jvm, NEWER, SEQUENCED, class_of, compile_sequenced, is_full, machine, on_all_jvms, on_newest_jvm, on_two_jvms,
    programs, sources,
};
use crate::recorded::of_methods;

/// What forces the schedule.
const EXCLUDED: &str = "schedule.*";

/// Returns the lines of a source after `// <word>: `.
pub(crate) fn expected(source: &Path, word: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(source).expect("a source");
    let mark = format!("// {word}: ");
    text.lines().filter_map(|line| line.trim().strip_prefix(&mark)).map(str::to_owned).collect()
}

/// Returns the entries of a list of the report by method or, with `with_kind`, by method and kind.
pub(crate) fn reported(report: &Value, list: &str, with_kind: bool) -> BTreeSet<String> {
    let entries = report[list].as_array().map_or(&[][..], Vec::as_slice);
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().to_owned();
    let entry = |entry| {
        if with_kind { format!("{} {}", text(entry, "method"), text(entry, "kind")) } else { text(entry, "method") }
    };
    entries.iter().map(entry).collect()
}

/// Returns the first entry with more violated instances than instances.
fn overcounted(report: &Value) -> Option<&Value> {
    let lists = ["violations", "waits_inside"].into_iter().filter_map(|list| report[list].as_array());
    lists.flatten().find(|entry| entry["count"].as_u64() > entry["instances"].as_u64())
}

/// Returns how many instances of each method were violated.
fn counts(report: &Value) -> BTreeSet<String> {
    let lists = ["violations", "waits_inside"].map(|list| of_methods(&report[list]));
    lists.into_iter().flatten().map(|(method, [count, _])| format!("{method} {count}")).collect()
}

/// The same with the flags of a small program.
pub(crate) fn check(jvm: &Jvm, source: &Path) -> Result<(), String> {
    check_with(jvm, source, &[jvm.flags_of_small(), &[&class_of(source)]].concat())
}

/// Runs a program, called with these JVM arguments, without the agent and with it. Output and exit code must be the
/// same, the findings those that the source names, every class that is meant to be watched must be, and nothing may be lost.
pub(crate) fn check_with(jvm: &Jvm, source: &Path, arguments: &[&str]) -> Result<(), String> {
    check_excluding(jvm, source, EXCLUDED, arguments)
}

/// The same without these classes.
pub(crate) fn check_excluding(jvm: &Jvm, source: &Path, excluded: &str, arguments: &[&str]) -> Result<(), String> {
    let class = class_of(source);
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("report.json");
    let plain = jvm.run(None, arguments);
    let watched = jvm.run(Some(&format!("exclude={excluded},format=json,report={}", path.display())), arguments);
    if (plain.code, &plain.out) != (watched.code, &watched.out) {
        return Err(format!("{class}: plain {plain:?}, watched {watched:?}"));
    }
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{class}: no report: {e}; {}", watched.err))?;
    let report: Value = serde_json::from_str(&text).map_err(|e| format!("{class}: {e} in {text}"))?;
    let findings = (expected(source, "finding"), reported(&report, "violations", true));
    let waits = (expected(source, "waits inside"), reported(&report, "waits_inside", false));
    if findings.0 != findings.1 || waits.0 != waits.1 {
        return Err(format!("{class}: expected {:?} {:?}, got {text}", findings.0, waits.0));
    }
    let counted = counts(&report);
    if let Some(wrong) = expected(source, "violated").difference(&counted).next() {
        return Err(format!("{class}: expected {wrong}, got {counted:?}"));
    }
    if let Some(entry) = overcounted(&report) {
        return Err(format!("{class}: more than all instances: {entry}"));
    }
    let [lost, failed] = [&report["stats"]["events"]["lost"], &report["stats"]["classes"]["failed"]];
    if [lost, failed].iter().any(|count| count.as_u64() != Some(0)) || report["verdict"] == "incomplete" {
        return Err(format!("{class}: not complete: {text}"));
    }
    Ok(())
}

/// Every program on the newest JVM, and a quarter of them on one of the others; in a full run, all on all of them.
fn check_folder(folder: &str) {
    check_programs(folder, check);
}

/// The same with another check.
pub(crate) fn check_programs(folder: &str, check: fn(&Jvm, &Path) -> Result<(), String>) {
    let mut older: Vec<u32> = machine().jvms.iter().map(Jvm::feature).collect();
    older.sort_unstable();
    older.pop();
    on_all_jvms(|jvm| {
        let turn = older.iter().position(|feature| *feature == jvm.feature());
        let is_mine = |at: usize| is_full() || turn.is_none_or(|turn| at % (4 * older.len()) == turn);
        let sources = programs(folder).into_iter().enumerate().filter(|(at, _)| is_mine(*at));
        let wrong: Vec<String> = sources.filter_map(|(_, source)| check(jvm, &source).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn atomic_programs_have_no_findings() {
    check_folder("atomic");
}

/// The JVM calls a class loader wherever a class is first needed.
#[test]
fn what_a_class_loader_does_belongs_to_no_block_around_it() {
    on_two_jvms(|jvm| {
        let program = [jvm.flags_of_small(), &["life.WhileClassesLoad"]].concat();
        for (options, expected) in [("", None), ("reads=all,", Some("life.WhileClassesLoad$LoadedWork.work()"))] {
            let (run, report) = jvm.reported(&format!("{options}exclude={EXCLUDED}"), &program)?;
            let found = reported(&report, "violations", false);
            let is_right = found == expected.into_iter().map(str::to_owned).collect();
            if !is_right || run.out != "6\n" || report["verdict"] == "incomplete" {
                return Err(format!("{options} {run:?} {report}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_report_tells_the_end_of_loading_a_class_from_that_of_its_initializer() {
    on_newest_jvm(|jvm| {
        let program = [jvm.flags_of_small(), &["life.LoadersInBetween"]].concat();
        let (run, report) = jvm.reported(&format!("exclude={EXCLUDED}"), &program)?;
        let back = |method: &str| {
            let mut all = report["violations"].as_array().into_iter().flatten();
            let finding = all.find(|finding| finding["method"].as_str().is_some_and(|name| name.contains(method)))?;
            finding["edges"].as_array()?.last()?["to"]["access"].as_str()
        };
        let told = [back(".loads("), back(".initializes(")];
        let expected = ["read end of loading a class", "read end of a class initializer"].map(Some);
        if run.out == "3\n" && told == expected { Ok(()) } else { Err(format!("{told:?} {run:?} {report}")) }
    });
}

#[test]
fn programs_for_newer_versions_have_exactly_the_findings_that_they_name() {
    on_two_jvms(|jvm| {
        let sources = if jvm.feature() < NEWER { Vec::new() } else { programs("newer") };
        sources.iter().try_for_each(|source| check(jvm, source))
    });
}

#[test]
fn programs_with_sequenced_collections_have_exactly_the_findings_that_they_name() {
    if !compile_sequenced() {
        eprintln!("no JDK {SEQUENCED} or newer to compile them");
        return;
    }
    on_two_jvms(|jvm| {
        let is_new = jvm.feature() >= SEQUENCED;
        if is_new { check(jvm, &sources().join("sequenced/EverySequencedCall.java")) } else { Ok(()) }
    });
}

#[test]
fn violating_programs_have_exactly_the_findings_that_they_name() {
    check_folder("violating");
}
