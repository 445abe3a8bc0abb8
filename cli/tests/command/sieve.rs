//! Suppressions and baselines: `check`, `explain` and `minimize` with them, and the command that writes them.

use crate::runner::{BLAMELESS, CLEAN, Folder, Ran, VIOLATED};
use serde_json::{Value, json};

/// Two methods, each violated once, on variables of their own.
fn two() -> String {
    VIOLATED.to_owned() + &VIOLATED.replace("a.B.c", "a.B.d").replace("(x)", "(y)")
}

/// Three, the third on another variable.
fn three() -> String {
    two() + &VIOLATED.replace("a.B.c", "a.B.e").replace("(x)", "(z)")
}

fn methods(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|finding| finding["method"].as_str().expect("a method")).collect()
}

/// `regiontrack baseline` with these arguments, which goes well.
fn baseline(folder: &Folder, arguments: &[&str]) -> String {
    folder.run(&[&["baseline"], arguments].concat()).ended(0).stdout.clone()
}

/// A folder with a trace of two findings, and a baseline of the first of them.
fn known() -> Folder {
    let folder = Folder::new().with("two.std", two()).with("three.std", three()).with("one.std", VIOLATED);
    let report = folder.json(&["one.std"]).ended(1).stdout.clone();
    let folder = folder.with("one.json", report);
    assert_eq!(
        baseline(&folder, &["update", "app.baseline", "one.json"]),
        "app.baseline: 1 finding, 1 added, 0 dropped\n"
    );
    folder
}

#[test]
fn a_suppressed_finding_is_gone_and_counts_for_nothing() {
    let folder = Folder::new().with("two.std", two()).with("s", "# ours\nmethod:a.B.d  # harmless\nfield:nowhere\n");
    let line = folder.json(&["--suppressions", "s", "two.std"]).ended(1).line();
    assert_eq!((methods(&line["findings"]), &line["verdict"]), (vec!["a.B.c"], &json!("non-serializable")));
    assert_eq!(line["violations"].as_array().map(Vec::len), Some(2), "the blocks are violated all the same");
    let suppressed = &line["suppressed"][0];
    let said = (&suppressed["method"], &suppressed["by"], &suppressed["reason"], &suppressed["kind"]);
    assert_eq!(said, (&json!("a.B.d"), &json!("s:2"), &json!("harmless"), &json!("lost update")));
    let uses: Vec<&Value> = line["suppressions"].as_array().expect("lines").iter().map(|by| &by["findings"]).collect();
    assert_eq!(uses, [1, 0]);
    let text = folder.run(&["check", "--suppressions", "s", "two.std"]).ended(1).stdout.clone();
    for said in [
        "two.std: non-serializable from event 4 on\n  2 of 2 blocks violated; 10 events, 2 threads; engine reach\n",
        "\n  findings: 1 left, 1 suppressed\n",
        "\n1. a.B.c: lost update\n",
        "\n   s:2: method:a.B.d: 1 finding (harmless)\n   s:3: field:nowhere: matches nothing\n",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    assert!(!text.contains("a.B.d: lost"), "{text}");
}

#[test]
fn where_all_findings_are_suppressed_the_verdict_stays_and_the_exit_code_is_0() {
    let folder = Folder::new().with("two.std", two()).with("b.std", BLAMELESS);
    let folder = folder.with("c", "field:x\n").with("d", "class:a.B\n").with("k", "kind:a cycle of transactions*\n");
    for (arguments, said) in [
        (&["--suppressions", "d", "two.std"][..], ", but all 2 findings are suppressed\n"),
        (&["--suppressions", "c", "--suppressions", "d", "two.std"], ", but all 2 findings are suppressed\n"),
        (&["--suppressions", "k", "b.std"], ", but its only finding is suppressed\n"),
    ] {
        let text = folder.run(&[&["check"], arguments].concat()).ended(0).stdout.clone();
        let head = text.lines().next().map(|line| format!("{line}\n")).unwrap_or_default();
        assert!(head.contains(": non-serializable from event ") && head.ends_with(said), "{text}");
        let line = folder.json(arguments).ended(0).line();
        assert_eq!((&line["verdict"], &line["findings"]), (&json!("non-serializable"), &Value::Null), "{line}");
    }
}

#[test]
fn only_what_a_baseline_does_not_have_is_new_and_sets_the_exit_code() {
    let folder = known();
    let line = folder.json(&["--baseline", "app.baseline", "two.std"]).ended(1).line();
    assert_eq!(methods(&line["findings"]), ["a.B.d", "a.B.c"], "new ones come first");
    let status: Vec<&Value> = line["findings"].as_array().expect("a list").iter().map(|it| &it["status"]).collect();
    assert_eq!(status, ["new", "known"]);
    assert_eq!((&line["baseline"]["new"], &line["baseline"]["known"]), (&json!(1), &json!(1)));
    let text = folder.run(&["check", "--baseline", "app.baseline", "two.std"]).ended(1).stdout.clone();
    for said in
        ["\n  findings: 1 new, 1 known by app.baseline\n", "\n1. a.B.d: lost update\n", "\n   new: the baseline"]
    {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    let one = folder.run(&["check", "--baseline", "app.baseline", "one.std"]).ended(0).stdout.clone();
    assert!(one.starts_with("one.std: non-serializable from event 4 on, but its only finding is known\n"), "{one}");
}

#[test]
fn a_finding_that_moves_stays_the_same_one() {
    let moved = VIOLATED.replace("|1\n", "|101\n").replace("|2\n", "|102\n").replace("|4\n", "|104\n");
    let folder = known().with("moved.std", moved.replace("T1", "worker"));
    folder.run(&["check", "--baseline", "app.baseline", "moved.std"]).ended(0);
    let folder = folder.with("other.std", VIOLATED.replace("(x)", "(other)"));
    folder.run(&["check", "--baseline", "app.baseline", "other.std"]).ended(1);
}

#[test]
fn what_is_not_seen_is_told_if_its_method_ran() {
    let folder = known().with("clean.std", CLEAN).with("else.std", CLEAN.replace("a.B.c", "a.B.other"));
    let ran = folder.json(&["--baseline", "app.baseline", "clean.std"]).ended(0).line();
    assert_eq!((methods(&ran["baseline"]["not_seen"]), &ran["baseline"]["not_run"]), (vec!["a.B.c"], &json!(0)));
    let other = folder.json(&["--baseline", "app.baseline", "else.std"]).ended(0).line();
    assert_eq!((&other["baseline"]["not_seen"], &other["baseline"]["not_run"]), (&json!([]), &json!(1)));
    let text = folder.run(&["check", "--baseline", "app.baseline", "clean.std"]).ended(0).stdout.clone();
    assert!(text.starts_with("clean.std: serializable\n") && text.contains(" not seen in this run"), "{text}");
}

#[test]
fn explain_and_minimize_number_findings_as_check_does() {
    let folder = known().with("s", "method:a.B.e\n");
    let options = ["--baseline", "app.baseline", "--suppressions", "s", "three.std"];
    let checked = folder.json(&options).ended(1).line();
    assert_eq!(methods(&checked["findings"]), ["a.B.d", "a.B.c"]);
    for (number, finding) in ["1", "2"].into_iter().zip(checked["findings"].as_array().expect("a list")) {
        let line = folder.run(&[&["explain", "--format", "json"], &options[..], &[number]].concat()).ended(1).line();
        for key in ["id", "method", "status"] {
            assert_eq!(line["finding"][key], finding[key], "{key} of {number}");
        }
        assert_eq!((&line["findings"], &line["suppressed"][0]["method"]), (&json!(2), &json!("a.B.e")));
    }
    let small = folder.run(&[&["minimize"], &options[..], &["1", "-o", "small.std"]].concat()).ended(1).stdout.clone();
    assert!(small.starts_with("small.std: 5 of 15 events show finding 1 of three.std"), "{small}");
    let text = folder.run(&["explain", "--baseline", "app.baseline", "one.std"]).ended(0).stdout.clone();
    assert!(text.contains("\n   known: the baseline has it (id "), "{text}");
    let folder = folder.with("all", "kind:**\n");
    let text = folder.run(&["explain", "--suppressions", "all", "one.std"]).ended(0).stdout.clone();
    assert!(text.contains(", but its only finding is suppressed\n") && text.contains("nothing is left"), "{text}");
}

#[test]
fn an_update_adds_and_keeps_and_prunes_on_request() {
    let folder = known();
    let two = folder.json(&["two.std"]).ended(1).stdout.clone();
    let both = folder.json(&["one.std", "three.std"]).ended(1).stdout.clone();
    let folder = folder.with("two.json", two).with("both.json", both);
    let said = |arguments: &[&str]| baseline(&folder, &[&["update", "app.baseline"], arguments].concat());
    assert_eq!(said(&["both.json"]), "app.baseline: 3 findings, 2 added, 0 dropped\n");
    assert_eq!(said(&["two.json"]), "app.baseline: 3 findings, 0 added, 0 dropped\n");
    assert_eq!(said(&["--prune", "two.json"]), "app.baseline: 2 findings, 0 added, 1 dropped\n");
    let text = std::fs::read_to_string(folder.path().join("app.baseline")).expect("written");
    let shown = baseline(&folder, &["show", "app.baseline"]);
    let ids: Vec<&str> = text.lines().skip(2).map(|line| line.split('\t').next().expect("an id")).collect();
    let expected = format!(
        "app.baseline: 2 findings\n  {}  a.B.c: lost update (x)\n  {}  a.B.d: lost update (y)\n",
        ids[0], ids[1]
    );
    assert_eq!(shown, expected);
    let files = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 7, "no temporary file is left");
}

#[test]
fn a_cycle_that_blames_nobody_can_be_known() {
    let folder = Folder::new().with("b.std", BLAMELESS);
    let report = folder.json(&["b.std"]).ended(1).stdout.clone();
    let folder = folder.with("b.json", report);
    baseline(&folder, &["update", "b.baseline", "b.json"]);
    let text = folder.run(&["check", "--baseline", "b.baseline", "b.std"]).ended(0).stdout.clone();
    assert!(text.contains(", but its only finding is known\n") && text.contains("\n   known: the baseline"), "{text}");
    folder.run(&["check", "--baseline", "b.baseline", "--format", "json", "b.std"]).ended(0);
}

#[test]
fn suppressed_findings_do_not_become_known() {
    let folder = known().with("s", "method:a.B.d\n");
    let report = folder.json(&["--suppressions", "s", "two.std"]).ended(1).stdout.clone();
    let folder = folder.with("r.json", report);
    assert_eq!(
        baseline(&folder, &["update", "new.baseline", "r.json"]),
        "new.baseline: 1 finding, 1 added, 0 dropped\n"
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_report() {
    let report = "\u{feff}{\"schema\":1,\"verdict\":\"serializable\",\"engine\":\"reach\",\"violations\":[],\"waits_inside\":[],\"cycle\":[],\"stats\":{\"classes\":{\"instrumented\":1,\"skipped\":0,\"failed\":0},\"threads\":2,\"blocks\":5,\"events\":{\"accesses\":1,\"filtered\":0,\"recorded\":1,\"dependencies\":1,\"lost\":0},\"unmodelled\":0,\"seconds\":1.0},\"warnings\":[],\"violated\":0,\"suppressed\":[],\"suppressions\":[]}\n";
    let folder = Folder::new().with("r.json", report);
    for arguments in [&["merge", "r.json"][..], &["explain", "r.json"], &["baseline", "update", "b", "r.json"]] {
        folder.run(arguments).ended(0);
    }
}

#[test]
fn what_is_wrong_is_one_line_with_file_line_and_fix() {
    let folder = Folder::new()
        .with("v.std", VIOLATED)
        .with("s", "method:a.B.c\nfild:x\n")
        .with("old", "regiontrack-baseline 9\n")
        .with("no", "hello\n")
        .with("broken", "regiontrack-baseline 1\n=======\n")
        .with("no.json", "{\"schema\":1}\n")
        .with("bad.json", "{\"verdict\":\"serializable\"}\n{\n")
        .with("empty.json", "")
        .with("running.json", "{\"schema\":1,\"verdict\":\"running\",\"process\":1,\"started\":\"then\"}\n");
    let said = |ran: Ran| {
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (2, "", 1), "{}", ran.stderr);
        ran.stderr
    };
    for (arguments, words) in [
        (&["check", "--suppressions", "s", "v.std"][..], &["s:2: unknown word 'fild'", "expected method:"][..]),
        (&["check", "--suppressions", "none", "v.std"], &["none: no such file", "method:com.example"]),
        (&["check", "--baseline", "none", "v.std"], &["none: no such file", "regiontrack baseline update none"]),
        (&["check", "--baseline", "old", "v.std"], &["old:1: a baseline of version 9", "newer regiontrack"]),
        (&["check", "--baseline", "no", "v.std"], &["no:1: no baseline", "regiontrack baseline update"]),
        (&["explain", "--baseline", "broken", "v.std"], &["broken:2: '=======' is no id", "remove the line"]),
        (&["baseline", "show", "none"], &["none: no such file", "regiontrack baseline update none"]),
        (&["baseline", "update", "new", "none.json"], &["none.json: no such file", "format=json"]),
        (&["baseline", "update", "new", "no.json"], &["no.json: no report of regiontrack", "format=json"]),
        (&["baseline", "update", "new", "bad.json"], &["bad.json:3: no JSON", "format=json"]),
        (&["baseline", "update", "new", "empty.json"], &["empty.json: is empty", "format=json"]),
        (&["baseline", "update", "new", "running.json"], &["running.json: its run has not ended", "run it again"]),
        (&["baseline", "update", "old", "running.json"], &["old:1: a baseline of version 9"]),
    ] {
        let line = said(folder.run(arguments));
        assert!(words.iter().all(|word| line.contains(word)), "{arguments:?}: {line}");
    }
    assert!(!folder.path().join("new").exists(), "nothing is written after an error");
}

#[test]
fn updates_of_a_baseline_at_the_same_time_lose_nothing() {
    let report = |method: &str| {
        let folder = Folder::new().with("a.std", VIOLATED.replace("a.B.c", method));
        folder.json(&["a.std"]).ended(1).stdout.clone()
    };
    let names: Vec<String> = (0..12).map(|number| format!("a.B.m{number}")).collect();
    let folder = names.iter().fold(Folder::new(), |folder, name| folder.with(&format!("{name}.json"), report(name)));
    let updated = &folder;
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(move || baseline(updated, &["update", "all.base", &format!("{name}.json")]));
        }
    });
    let shown = baseline(&folder, &["show", "all.base"]);
    assert!(shown.starts_with("all.base: 12 findings\n"), "{shown}");
    assert!(!folder.path().join("all.base.lock").exists() || cfg!(not(unix)));
}

#[test]
fn a_merge_into_the_folder_of_the_reports_counts_each_run_once() {
    let stats = json!({"classes": {"instrumented": 3, "skipped": 0, "failed": 0}, "threads": 2, "blocks": 9,
        "events": {"accesses": 1, "filtered": 0, "recorded": 5, "dependencies": 3, "lost": 0}, "unmodelled": 0, "seconds": 1.0});
    let report = json!({"schema": 1, "verdict": "serializable", "engine": "reach", "violations": [], "stats": stats});
    let folder = Folder::new();
    let reports = folder.path().join("reports");
    std::fs::create_dir_all(reports.join("old.json")).expect("a folder");
    for name in ["one.json", "two.json"] {
        std::fs::write(reports.join(name), report.to_string()).expect("written");
    }
    for _ in 0..2 {
        folder.run(&["merge", "reports", "-o", "reports/all.json", "-o", "reports/all.sarif.json"]).ended(0);
    }
    let all: Value = serde_json::from_slice(&std::fs::read(reports.join("all.json")).expect("read")).expect("JSON");
    assert_eq!((&all["stats"]["blocks"], all["runs"].as_array().map(Vec::len)), (&json!(18), Some(2)));
}
