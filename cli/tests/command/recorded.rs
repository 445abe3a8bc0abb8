//! Traces that a run was recorded in: what counts, what waits inside, what was lost, and advice that can be followed.

use std::collections::BTreeSet;

use serde_json::json;

use crate::runner::{BLAMELESS, Folder, VIOLATED};

/// A thread is started and joined inside of a block, and another block loses an update, or not.
fn recorded(notes: &str, loses: bool) -> String {
    let lost =
        if loses { VIOLATED.replace("T0", "T5").replace("T1", "T6").replace("(x)", "(y)") } else { String::new() };
    format!(
        "{notes}T0|begin(a.B.outer())|1\nT0|begin(a.B.starts())|1\nT0|fork(T1)|2\nT1|w(x)|3\nT0|join(T1)|4\n\
         T0|end|5\nT0|end|6\n{lost}"
    )
}

const BY_DEFAULT: &str = "# regiontrack: specification=default\n";

#[test]
fn blocks_that_wait_inside_count_unless_the_default_specification_called_them_atomic() {
    let named = format!("{BY_DEFAULT}# regiontrack: named=a.B.starts()\n");
    let folder = Folder::new()
        .with("plain.std", recorded("", false))
        .with("default.std", recorded(BY_DEFAULT, false))
        .with("named.std", recorded(&named, false))
        .with("both.std", recorded(BY_DEFAULT, true))
        .with("own.spec", "+ **\n")
        .with("default.spec", "default\n");
    let waits = |arguments: &[&str], code: i32| -> Vec<bool> {
        let line = folder.json(arguments).ended(code).line();
        assert_eq!(line["verdict"], "non-serializable", "{arguments:?}");
        let list = line["violations"].as_array().expect("a list");
        list.iter().map(|violation| violation["waits"] == json!(true)).collect()
    };
    assert_eq!(waits(&["plain.std"], 1), [false, false]);
    assert_eq!(waits(&["default.std"], 0), [true, true]);
    assert_eq!(waits(&["named.std"], 1), [true, false]);
    assert_eq!(waits(&["both.std"], 1), [true, true, false]);
    assert_eq!(waits(&["--spec", "own.spec", "default.std"], 1), [false, false]);
    assert_eq!(waits(&["--spec", "default.spec", "plain.std"], 0), [true, true]);
    assert_eq!(waits(&["--exclude-method", "a.B.outer()", "default.std"], 0), [true]);
    let text = folder.run(&["check", "default.std"]).ended(0).stdout.clone();
    let said = "nothing counts here: all 2 violated blocks wait inside for other threads, so they are listed apart and change no exit code\n";
    assert!(text.contains(said) && text.contains("  0 of 2 blocks violated;"), "{text}");
    assert!(text.contains("\nwaits inside: ") && text.contains("   a.B.starts(): 1 of 1 instance\n"), "{text}");
    let text = folder.run(&["check", "both.std"]).ended(1).stdout.clone();
    assert!(text.contains("  1 of 3 blocks violated;") && !text.contains("the exit code"), "{text}");
}

#[test]
fn a_trace_without_a_block_to_blame_says_that_it_counts() {
    let text = Folder::new().with("a.std", BLAMELESS).run(&["check", "a.std"]).ended(1).stdout.clone();
    assert!(text.contains("no block is to blame, and the exit code still counts it"), "{text}");
}

#[test]
fn an_event_without_effect_marks_a_wait_in_a_recorded_trace_alone() {
    let waits = "T0|begin(a.B.m())|\nT0|acq(l)|\nT0|r(x)|\nT0|dummy(-)|\nT0|rel(l)|\nT1|acq(l)|\nT1|w(x)|\nT1|rel(l)|\n\
        T0|acq(l)|\nT0|r(x)|\nT0|rel(l)|\nT0|end|\n";
    let folder = Folder::new().with("plain.std", waits).with("recorded.std", format!("{BY_DEFAULT}{waits}"));
    folder.run(&["check", "plain.std"]).ended(1);
    folder.run(&["check", "recorded.std"]).ended(0);
    folder.run(&["convert", "recorded.std", "b.rtb"]).ended(0);
    folder.run(&["convert", "b.rtb", "c.std"]).ended(0);
    folder.run(&["check", "b.rtb", "c.std"]).ended(0);
    folder.run(&["refine", "--trace", "recorded.std"]).ended(0);
}

#[test]
fn what_a_run_has_lost_is_lost_to_whoever_checks_its_trace() {
    let lossy = format!("{}# regiontrack: incomplete=2 records discarded\n", VIOLATED);
    let folder = Folder::new().with("v.std", lossy.as_str()).with("c.std", lossy.replace("T1|w(x)", "T1|w(y)"));
    let ran = folder.run(&["check", "v.std", "c.std"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
    assert!(ran.stdout.starts_with("v.std: non-serializable from event 4 on\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  warning: incomplete: 2 records discarded\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nc.std: no violation found, incomplete: 2 records discarded\n"), "{}", ran.stdout);
}

/// The violated methods of a trace.
fn violated(folder: &Folder, arguments: &[&str]) -> BTreeSet<String> {
    let ran = folder.json(arguments);
    let line = ran.line();
    let list = line["violations"].as_array().expect("a list").iter();
    list.filter(|v| v["waits"] != json!(true)).map(|v| v["method"].to_string()).collect()
}

#[test]
fn following_the_advice_of_any_finding_or_of_all_brings_no_new_finding() {
    let inside =
        "T0|begin(a.Main.main(java.lang.String[]))|\nT0|begin(a.Task.run())|\nT0|begin(a.B.outer(int,long))|\n";
    let trace = format!("{inside}{VIOLATED}{}T0|end|\nT0|end|\nT0|end|\n", VIOLATED.replace("a.B.c", "a.B.d(int)"));
    let folder = Folder::new().with("a.std", trace.as_str()).with("start.spec", "default\n");
    let base = violated(&folder, &["--spec", "start.spec", "a.std"]);
    assert_eq!(base.len(), 3, "{base:?}");
    let report = folder.run(&["check", "--spec", "start.spec", "a.std"]).ended(1).stdout.clone();
    let asked: Vec<String> = report
        .lines()
        .filter_map(|line| Some(line.split_once("--exclude-method '")?.1.split_once('\'')?.0.to_owned()))
        .collect();
    assert!(!asked.is_empty(), "{report}");
    let mut all = "default\n".to_owned();
    for method in &asked {
        // As an option, with and without a file, and as the lines of a new file.
        let with = ["--spec", "start.spec", "--exclude-method", method, "a.std"];
        let left = violated(&folder, &with);
        assert!(left.is_subset(&base) && left.len() < base.len(), "{method}: {left:?}");
        let mine = format!("default\n- {method}\n");
        let folder = Folder::new().with("a.std", trace.as_str()).with("mine.spec", mine);
        assert_eq!(violated(&folder, &["--spec", "mine.spec", "a.std"]), left, "{method}");
        all += &format!("- {method}\n");
    }
    let refined = folder.run(&["refine", "--trace", "a.std"]).ended(0).stdout.clone();
    let folder = folder.with("all.spec", all).with("refined.spec", refined);
    assert!(violated(&folder, &["--spec", "all.spec", "a.std"]).is_subset(&base));
    // It takes out every block, which leaves no question.
    folder.run(&["check", "--spec", "refined.spec", "a.std"]).ended(2);
    assert!(violated(&folder, &["--spec", "refined.spec", "a.std"]).is_empty());
}

#[test]
fn the_line_of_the_default_that_decides_is_named() {
    let folder = Folder::new().with("app.spec", "# mine\ndefault\n- a.B.c\n");
    let says = |method: &str| folder.run(&["spec", "--match", "app.spec", method]).ended(0).stdout.clone();
    assert_eq!(says("a.B.run()"), "not atomic: app.spec:2: default, line 13: - **.run()\n");
    assert_eq!(says("a.B.c()"), "not atomic: app.spec:3: - a.B.c\n");
    assert_eq!(says("a.B.d()"), "atomic: app.spec:2: default, line 5: + **\n");
    let checked = folder.run(&["spec", "--check", "app.spec"]).ended(0).stdout.clone();
    assert_eq!(checked, "app.spec: 1 rule and the default specification\n");
}
