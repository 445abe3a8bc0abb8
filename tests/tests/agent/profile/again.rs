//! Second runs: of programs that force their schedule, of classes that have changed, and of programs that inspect themselves.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{Profiled, is_guided};
use crate::machine::{Jvm, by_turn, is_full, machine, on_newest_jvm, scripted, sources, tool, utf8};
use crate::programs::reported;
use crate::recorded::violated;

/// In these programs the number of violated blocks does not depend on the schedule alone.
const FREE: [&str; 7] = [
    "violating.BarrierInside",
    "violating.BulkTasksInside",
    "violating.ScopeOfPlatformThreads",
    "violating.TerminationInside",
    "violating.ThreadBuilders",
    "violating.VirtualThreads",
    "violating.YesterdaysLooks",
];

/// In these programs a guided run may find less. A thread of which no event is left counts as one that has done nothing, so no thread
/// waits for it; and an iterator that is passed to another method is not known to belong to its map.
const LESS: [&str; 4] = [
    "violating.EveryCall",
    "violating.ScopeOfPlatformThreads",
    "violating.StructuredTasks",
    "violating.ThreadThatFills",
];

/// Programs whose profile must contain more than variables: where threads wait inside blocks, which views are of one
/// object, what queues hand over, and which sections may write by calls that are left out.
const SPECIAL: [&str; 9] = [
    "atomic.SectionsThatRead",
    "violating.ArrayForReceiver",
    "violating.BarrierInside",
    "violating.LatchesInside",
    "violating.OwnClasses",
    "violating.QueuesThereAndBack",
    "violating.SectionsThatWrite",
    "violating.StampedLockViews",
    "violating.ViewsHandedOn",
];

/// Returns the violated methods of a report, with their numbers if the schedule alone determines these.
fn said(class: &str, report: &Value) -> BTreeMap<String, u64> {
    let count = |count| if FREE.contains(&class) { 1 } else { count };
    violated(report).into_iter().map(|(method, times)| (method, count(times))).collect()
}

/// Without a slice and with one.
const WAYS: [&str; 2] = ["slice=0", ""];

/// Runs a program unguided, then guided by what that run has learnt, in each of these ways.
fn check(jvm: &Jvm, class: &str, ways: &[&str]) -> Result<(), String> {
    let profiled = Profiled::new()?;
    let plain = jvm.run_small(None, &[class]);
    let (first, whole) = profiled.run(jvm, "", &[class])?;
    if is_guided(&whole) || whole["verdict"] == "incomplete" {
        return Err(format!("{class}: {first:?} {whole}"));
    }
    for more in ways {
        let (run, report) = profiled.run(jvm, more, &[class])?;
        let told = || format!("{class} {more}: {run:?} {report}\nwhole: {whole}\n{}", profiled.text());
        if (plain.code, &plain.out) != (run.code, &run.out) || !is_guided(&report) {
            return Err(told());
        }
        let (found, expected) = (said(class, &report), said(class, &whole));
        if LESS.contains(&class) {
            let is_true = found.iter().all(|(method, count)| expected.get(method).is_some_and(|most| count <= most));
            if is_true && report["verdict"] != "serializable" {
                continue;
            }
            return Err(told());
        }
        let verdict = if expected.is_empty() { "undecided" } else { "non-serializable" };
        // A block that waits may be the only violated one.
        let is_right = report["verdict"] == verdict || whole["verdict"] == report["verdict"];
        if found != expected || !is_right || report["verdict"] == "serializable" {
            return Err(told());
        }
    }
    Ok(())
}

#[test]
fn a_guided_run_of_the_same_schedule_finds_the_same_and_never_says_serializable() {
    on_newest_jvm(|jvm| {
        let some = scripted(12, 5);
        let special = SPECIAL.into_iter().filter(|class| some.iter().all(|other| other != class));
        let classes = some.iter().map(String::as_str).chain(special);
        let checked = classes.enumerate().map(|(number, class)| check(jvm, class, by_turn(number, &WAYS)));
        let wrong: Vec<String> = checked.filter_map(Result::err).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// Compiles the changed version of a class into a folder.
fn compile_changed(to: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(sources().join("altered/Till.java")).map_err(|e| e.to_string())?;
    let changed = text.replace("// changed: ", "");
    let source = to.join("Till.java");
    std::fs::write(&source, &changed).map_err(|e| e.to_string())?;
    tool("javac", &["--release", "11", "-cp", utf8(&machine().classes), "-d", utf8(to), utf8(&source)]);
    if changed == text { Err("nothing to change".to_owned()) } else { Ok(()) }
}

#[test]
fn a_class_whose_bytes_have_changed_is_watched_whole() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        compile_changed(folder.path())?;
        let path = std::env::join_paths([folder.path(), &machine().classes]).map_err(|e| e.to_string())?;
        let path = path.to_str().ok_or("a path in UTF-8")?;
        let program = ["altered.Main", "Till"];
        let (_, before) = profiled.run(jvm, "", &program)?;
        let (_, same) = profiled.run(jvm, "slice=0", &program)?;
        let (_, changed) = profiled.run(jvm, "slice=0", &[&["-cp", path], &program[..]].concat())?;
        let (_, again) = profiled.run(jvm, "slice=0", &[&["-cp", path], &program[..]].concat())?;
        let found = |report: &Value| reported(report, "violations", true);
        let expected = ["altered.Till.first() lost update".to_owned()].into();
        let is_right = found(&before).is_empty()
            && found(&same).is_empty()
            && (&same["guided"]["new_classes"], &same["guided"]["fields"]["watched"]) == (&0.into(), &0.into())
            && changed["guided"]["new_classes"] == 1
            && again["guided"]["new_classes"] == 0
            && found(&changed) == expected
            && found(&again) == expected;
        if is_right { Ok(()) } else { Err(format!("{before}\n{same}\n{changed}\n{again}\n{}", profiled.text())) }
    });
}

#[test]
fn a_new_class_is_watched_whole_also_on_fields_of_classes_that_are_not() {
    on_newest_jvm(|jvm| {
        for new in ["Below", "Beside"] {
            let profiled = Profiled::new()?;
            profiled.run(jvm, "", &["altered.Main", "Till"])?;
            // In the third run the class is known.
            for classes in [1, 0] {
                let (_, report) = profiled.run(jvm, "slice=0", &["altered.Main", new])?;
                let expected = [format!("altered.{new}.first() lost update")].into();
                if reported(&report, "violations", true) != expected || report["guided"]["new_classes"] != classes {
                    return Err(format!("{new}: {report}\n{}", profiled.text()));
                }
            }
        }
        Ok(())
    });
}

/// Messages of exceptions, members that reflection shows, serial versions, overflows, stack traces; and an agent that redefines classes.
#[test]
fn a_program_sees_no_difference_in_a_guided_run() {
    let programs = machine().fixtures.join("programs");
    let folder = tempfile::tempdir().expect("a folder");
    let agent = folder.path().join("second.jar");
    let manifest = folder.path().join("manifest");
    let text = "Premain-Class: Changed\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n";
    std::fs::write(&manifest, text).expect("a manifest");
    tool("jar", &["--create", "--file", utf8(&agent), "--manifest", utf8(&manifest)]);
    let second = format!("-javaagent:{}", agent.display());
    let path = ["-cp", utf8(&programs)];
    let calls: &[&[&str]] = &[
        &["Behaviour"],
        &["NullMessages"],
        &["MethodReferences"],
        &[&second, "Changed", "redefine"],
        &[&second, "Changed", "change"],
        &[&second, "Changed", "retransform"],
    ];
    on_newest_jvm(|jvm| {
        for call in if is_full() { calls } else { &calls[..5] } {
            let profiled = Profiled::new()?;
            let arguments = [&path[..], call].concat();
            let plain = jvm.run(None, &arguments);
            for more in ["", "slice=0", "slice=1"] {
                let (run, report) = profiled.run(jvm, more, &arguments)?;
                let is_failed = report["stats"]["classes"]["failed"] != 0;
                if (plain.code, &plain.out) != (run.code, &run.out) || is_failed {
                    return Err(format!("{call:?} {more}: plain {plain:?}, watched {run:?}, {report}"));
                }
            }
        }
        Ok(())
    });
}
