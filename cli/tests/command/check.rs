//! `regiontrack check`: the output contract, exit codes, standard input, leniency, specifications, limits.

use crate::runner::{BLAMELESS, CLEAN, Folder, VIOLATED, gzip};
use serde_json::{Value, json};

#[test]
fn a_line_of_json_is_the_contract_to_the_letter() {
    let folder = Folder::new().with("v.std", VIOLATED).with("c.std", CLEAN).with("b.std", BLAMELESS);
    for (trace, expected, code) in [
        (
            "v.std",
            r#"{"schema":1,"trace":"v.std","engine":"reach","events":5,"threads":2,"verdict":"non-serializable","first_event":4,"violations":[{"begin":1,"event":4,"method":"a.B.c","thread":"T0","depth":0,"other_event":3}],"findings":[{"id":"bf1faf9a700b","method":"a.B.c","kind":"lost update","variables":["x"],"count":1,"instances":1}],"warnings":[]}"#,
            1,
        ),
        (
            "c.std",
            r#"{"schema":1,"trace":"c.std","engine":"reach","events":4,"threads":2,"verdict":"serializable","first_event":null,"violations":[],"warnings":[]}"#,
            0,
        ),
        (
            "b.std",
            r#"{"schema":1,"trace":"b.std","engine":"reach","events":6,"threads":2,"verdict":"non-serializable","first_event":6,"violations":[],"findings":[{"id":"667bacd748e5","method":null,"kind":"a cycle of transactions, and no block to blame","variables":["x","y"],"count":1,"instances":1}],"warnings":[]}"#,
            1,
        ),
    ] {
        assert_eq!(folder.json(&["--engine", "reach", trace]).ended(code).stdout, format!("{expected}\n"));
    }
}

#[test]
fn results_come_trace_by_trace_engines_as_listed() {
    let folder = Folder::new().with("v.std", VIOLATED).with("c.std.gz", gzip(CLEAN)).with("d.std", "T|begin|");
    let ran = folder.json(&["--engine", "regiontrack,oracle,reach", "v.std", "c.std.gz", "d.std"]);
    let order = |line: &Value| (line["trace"].clone(), line["engine"].clone(), line["events"].clone());
    let order: Vec<_> = ran.ended(1).lines().iter().map(order).collect();
    let of = |trace: &str, events: u64| {
        ["regiontrack", "oracle", "reach"].map(|engine| (json!(trace), json!(engine), json!(events)))
    };
    assert_eq!(order, [of("v.std", 5), of("c.std.gz", 4), of("d.std", 1)].concat());
}

#[test]
fn events_are_numbered_with_begins_and_ends_and_without_comments_and_blank_lines() {
    let trace = "# RAPID\n\nT0|begin|1\r\nT0|end|2\nT0|begin|3\n\n# more\nT0|r(x)|4\nT1|w(x)|5\nT0|w(x)|6";
    let line = Folder::new().with("a.std", trace).json(&["a.std"]).ended(1).line();
    assert_eq!((&line["events"], &line["first_event"]), (&json!(6), &json!(6)));
    let expected = json!({"begin": 3, "event": 6, "method": null, "thread": "T0", "depth": 0, "other_event": 5});
    assert_eq!(line["violations"], json!([expected]));
}

#[test]
fn inner_blocks_stand_after_outer_ones_at_the_same_event() {
    let trace = "T0|begin(a)|\nT0|begin(b)|\nT0|r(x)|\nT0|begin(c)|\nT1|w(x)|\nT0|w(x)|\nT0|end|\nT0|end|\nT0|end|\n";
    let line = Folder::new().with("a.std", trace).json(&["a.std"]).ended(1).line();
    let violated: Vec<_> = line["violations"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|v| json!([v["method"], v["depth"], v["event"]]))
        .collect();
    assert_eq!(violated, [json!(["a", 0, 6]), json!(["b", 1, 6])]);
}

#[test]
fn the_exit_code_is_that_of_the_worst_trace() {
    let folder = Folder::new()
        .with("clean.std", CLEAN)
        .with("violated.std", VIOLATED)
        .with("blameless.std", BLAMELESS)
        .with("bad.std", "T0|what|\n");
    for format in ["text", "json"] {
        for (traces, code) in [
            (&["clean.std"][..], 0),
            (&["blameless.std"], 1),
            (&["violated.std", "clean.std"], 1),
            (&["clean.std", "violated.std"], 1),
            (&["bad.std", "violated.std"], 2),
            (&["violated.std", "bad.std"], 2),
            (&["bad.std", "clean.std"], 2),
        ] {
            let ran = folder.run(&[&["check", "--format", format], traces].concat());
            assert_eq!(ran.code, code, "{format} {traces:?}");
        }
    }
}

#[test]
fn standard_input_is_a_trace_plain_or_gzip_as_text_or_as_json() {
    let folder = Folder::new();
    for stdin in [VIOLATED.as_bytes().to_vec(), gzip(VIOLATED)] {
        let line = folder.run_with(&["check", "--format", "json", "-"], &stdin).ended(1).line();
        assert_eq!((&line["trace"], &line["first_event"]), (&json!("<stdin>"), &json!(4)));
        // The report reads it a second time.
        let text = folder.run_with(&["check", "-"], &stdin).ended(1).stdout.clone();
        assert!(text.starts_with("<stdin>: non-serializable from event 4 on\n"), "{text}");
        assert!(text.contains("event 3: T1 at location 3: write of x"), "{text}");
    }
    folder
        .run_with(&["check", "--format", "json", "-"], "T0|end|\n")
        .failed_with("regiontrack: <stdin>:1: end by T0, which has no open block; expected a begin by T0 before it");
}

#[test]
fn standard_input_is_not_taken_twice() {
    let ran = Folder::new().with("c.std", CLEAN).run_with(&["check", "--format", "json", "-", "c.std", "-"], VIOLATED);
    let verdicts: Vec<_> = ran.lines().iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!(verdicts, [json!("non-serializable"), json!("serializable")]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("regiontrack: <stdin>: was read already; give - once\n", 2));
}

#[test]
fn a_lenient_reading_counts_ill_formed_events_and_keeps_them() {
    let folder = Folder::new().with("a.std", "T0|rel(l)|\nT0|w(x)|\nT1|end|\nT1|rel(l)|\n");
    let line = folder.json(&["--lenient", "a.std"]).ended(2).line();
    assert_eq!((&line["verdict"], &line["events"]), (&json!("undecided"), &json!(4)));
    assert_eq!(
        line["warnings"],
        json!([
            "2 ill-formed events kept: release of l by T0, which does not hold it (held by nobody) (lines 1, 4)",
            "1 ill-formed event kept: end by T1, which has no open block (line 3)",
            "the trace has no block",
        ])
    );
}

#[test]
fn a_lenient_reading_with_skipped_lines_is_incomplete_whatever_was_found() {
    let folder = Folder::new()
        .with("clean.std", format!("{CLEAN}what\n"))
        .with("violated.std", format!("what\n{VIOLATED}T0|w()|\n"));
    let ran = folder.json(&["--lenient", "clean.std", "violated.std"]);
    let lines = ran.ended(2).lines();
    for (line, first) in lines.iter().zip([Value::Null, json!(4)]) {
        assert_eq!((&line["verdict"], &line["first_event"]), (&json!("incomplete"), &first));
    }
    assert_eq!(lines[0]["warnings"], json!(["1 line skipped: 1 field in 'what' (line 5)"]));
    let warnings = ["1 line skipped: 1 field in 'what' (line 1)", "1 line skipped: empty operand in 'w()' (line 7)"];
    assert_eq!((&lines[1]["warnings"], &lines[1]["violations"][0]["begin"]), (&json!(warnings), &json!(1)));
    let text = folder.run(&["check", "--lenient", "violated.std"]);
    let head = "violated.std: incomplete, and non-serializable from event 4 on\n";
    assert!(text.ended(2).stdout.starts_with(head), "{}", text.stdout);
    for warning in warnings {
        assert!(text.stdout.contains(&format!("\n  warning: {warning}\n")), "{}", text.stdout);
    }
}

/// A method with an inner one, both violated by one write.
const NESTED: &str = "\
T0|begin(a.Outer.run())|1
T0|r(x)|2
T0|begin(a.Inner.add(int))|3
T0|r(x)|4
T1|w(x)|5
T0|w(x)|6
T0|end|7
T0|end|8
";

/// What is violated under a specification, as method, depth and begin.
fn violated(spec: &str, trace: &str) -> Vec<Value> {
    let folder = Folder::new().with("s", spec).with("a.std", trace);
    let line = folder.json(&["--engine", "reach", "--spec", "s", "a.std"]).line();
    assert_eq!(line["events"], trace.lines().count());
    let violations = line["violations"].as_array().expect("a list");
    violations.iter().map(|v| json!([v["method"], v["depth"], v["begin"], v["event"]])).collect()
}

#[test]
fn a_specification_takes_blocks_out_and_leaves_the_numbers() {
    let (outer, inner) = ("a.Outer.run()", "a.Inner.add(int)");
    assert_eq!(violated("+ **", NESTED), [json!([outer, 0, 1, 6]), json!([inner, 1, 3, 6])]);
    assert_eq!(violated("+ **\n- **.run()", NESTED), [json!([inner, 0, 3, 6])]);
    assert_eq!(violated("+ **\n- a.Inner.*", NESTED), [json!([outer, 0, 1, 6])]);
    assert_eq!(violated("+ **\n- a.Inner.add(int)\n- a.Outer.*", NESTED), [] as [Value; 0]);
    assert_eq!(violated("# nothing is atomic\n", NESTED), [] as [Value; 0]);
}

#[test]
fn a_block_that_no_rule_can_match_stays() {
    for label in ["", "(m1)", "(not a method)", "(a..b)"] {
        let trace = VIOLATED.replace("(a.B.c)", label);
        assert_eq!(violated("- **", &trace).len(), 1, "{label}");
    }
    assert_eq!(violated("- **", VIOLATED).len(), 0);
}

#[test]
fn the_text_report_of_a_specification_speaks_of_its_blocks() {
    let folder = Folder::new().with("s", "+ **\n- **.run()\n").with("a.std", NESTED);
    let ran = folder.run(&["check", "--spec", "s", "a.std"]);
    assert!(ran.ended(1).stdout.contains("\n  1 of 1 block violated; 8 events, 2 threads;"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n1. a.Inner.add(int): lost update\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("run"), "{}", ran.stdout);
}

#[test]
fn an_engine_with_a_limit_refuses_longer_traces_and_the_others_answer() {
    let spec = analysis_core::engines::find("oracle").expect("the reference");
    let most = usize::try_from(spec.most_events.expect("it has one")).expect("small");
    let padded = |events: usize| VIOLATED.to_owned() + &"T0|dummy(0)|\n".repeat(events - VIOLATED.lines().count());
    let folder = Folder::new().with("long.std", padded(most + 1)).with("v.std", VIOLATED);
    for format in ["json", "text"] {
        let arguments = ["check", "--format", format, "--engine", "reach,oracle,regiontrack", "long.std", "v.std"];
        let ran = folder.run(&arguments);
        let said = format!(
            "regiontrack: long.std: {} events are too many for engine oracle, which takes {most}; use engine reach\n",
            most + 1
        );
        assert_eq!((ran.stderr, ran.code), (said, 2));
        let mark = if format == "json" { "\"first_event\":4" } else { "from event 4 on" };
        assert_eq!(ran.stdout.matches(mark).count(), 5);
    }
}

#[test]
fn findings_beyond_the_most_are_counted() {
    let lost_update = |method: &str| VIOLATED.replace("a.B.c", method);
    let trace: String = ["a.B.c", "a.B.d", "a.B.e"].map(lost_update).concat();
    let folder = Folder::new().with("a.std", trace);
    let findings = |most: &str| {
        let ran = folder.run(&["check", "--max-reports", most, "a.std"]);
        let more = ran.ended(1).stdout.lines().find(|line| line.contains(" more ")).unwrap_or_default().to_owned();
        (ran.stdout.matches(": lost update\n").count(), more)
    };
    assert_eq!(findings("0"), (0, "  3 more findings: see --max-reports, or --format json".to_owned()));
    assert_eq!(findings("2"), (2, "  1 more finding: see --max-reports, or --format json".to_owned()));
    assert_eq!(findings("3"), (3, String::new()));
    let ran = folder.run(&["check", "--details", "1", "a.std"]);
    assert_eq!(ran.ended(1).stdout.matches(": lost update\n").count(), 1);
    let next = "  next: the first one is told below, and another one by  regiontrack explain a.std 2\n";
    assert!(ran.stdout.contains(next), "{}", ran.stdout);
    let all = folder.json(&["--max-reports", "1", "a.std"]);
    assert_eq!(all.ended(1).line()["violations"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_trace_without_a_block_to_judge_is_no_answer() {
    let folder = Folder::new().with("a.std", "T0|w(x)|\nT1|w(x)|\n").with("v.std", VIOLATED);
    let folder = folder.with("mistyped.spec", "+ com.exmaple.**\n");
    for (arguments, said) in [
        (&["a.std"][..], "the trace has no block"),
        (&["--spec", "mistyped.spec", "v.std"], "the trace has no block that is atomic by the specification"),
    ] {
        let text = folder.run(&[&["check"], arguments].concat()).ended(2).stdout.clone();
        assert!(text.contains(": no answer, because there was no block to judge\n"), "{text}");
        assert!(text.contains(&format!("  warning: {said}\n")), "{text}");
        let line = folder.json(arguments).ended(2).line();
        assert_eq!((&line["verdict"], &line["warnings"]), (&json!("undecided"), &json!([said])));
    }
}
