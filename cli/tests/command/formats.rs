//! `regiontrack convert`, `regiontrack info`, and `check` on every format.

use crate::runner::{CLEAN, Folder, VIOLATED, gzip};
use serde_json::json;

/// A lost update as RoadRunner prints it.
const PRINTED: &str = "[main: start]\n@  Enter(0,a/B.c()V)  null  B.java:1\n@  Rd(0,@01.x_I)  null  B.java:2\n\
    @  Wr(1,@01.x_I)  null  B.java:9\n@  Wr(0,@01.x_I)  null  B.java:3\n@  Exit(0,a/B.c()V)  null  B.java:4\n";

#[test]
fn a_trace_says_the_same_in_every_format() {
    let folder = Folder::new().with("a.std", VIOLATED);
    for name in ["b.rr", "c.rtr", "d.txt.gz", "e.rtr.gz", "f.std.gz"] {
        folder.run(&["convert", "a.std", name]).ended(0);
        let line = folder.json(&[name]).ended(1).line();
        assert_eq!((&line["events"], &line["first_event"]), (&json!(5), &json!(4)), "{name}");
        folder.run(&["check", name]).ended(1);
    }
    folder.run(&["convert", "b.rr", "back.std"]).ended(0);
    assert_eq!(std::fs::read_to_string(folder.path().join("back.std")).expect("written"), VIOLATED);
}

#[test]
fn a_report_on_a_print_of_roadrunner_has_its_locations() {
    let folder = Folder::new().with("run.log", PRINTED);
    let text = folder.run(&["check", "run.log"]).ended(1).stdout.clone();
    assert!(text.contains("B.java:9") && text.contains("write of @01.x_I"), "{text}");
}

#[test]
fn standard_input_and_output_are_a_dash() {
    let folder = Folder::new();
    let ran = folder.run_with(&["convert", "-", "-", "--to", "std"], PRINTED);
    let expected = "0|begin(a/B.c()V)|B.java:1\n0|r(@01.x_I)|B.java:2\n1|w(@01.x_I)|B.java:9\n\
        0|w(@01.x_I)|B.java:3\n0|end|B.java:4\n";
    assert_eq!(ran.ended(0).stdout, expected);
}

#[test]
fn a_format_that_no_name_tells_must_be_named() {
    let folder = Folder::new().with("a.std", CLEAN).with("odd", "what\n");
    let known = "std, roadrunner, records, rtb";
    for to in ["-", "b", "b.csv"] {
        folder
            .run(&["convert", "a.std", to])
            .failed_with(&format!("regiontrack: {to}: its name tells no format; expected --to with one of {known}"));
    }
    let said = format!(
        "regiontrack: odd: is in no known format; expected a trace in one of {known}, or the format named with --from"
    );
    folder.run(&["check", "odd"]).failed_with(&said);
    folder.run(&["info", "odd"]).failed_with(&said);
    folder.run(&["convert", "odd", "b.std"]).failed_with(&said);
    assert!(!folder.path().join("b.std").exists());
    let said = "regiontrack: odd:1: 1 field in 'what'; expected THREAD|OPERATION|LOCATION";
    folder.run(&["check", "--from", "std", "odd"]).failed_with(said);
}

#[test]
fn the_trace_that_is_read_is_not_overwritten() {
    let folder = Folder::new().with("a.std", CLEAN);
    std::fs::hard_link(folder.path().join("a.std"), folder.path().join("b.std")).expect("linked");
    for to in ["a.std", "./a.std", "b.std"] {
        let said = format!("regiontrack: {to}: is the trace to read; expected another file to write");
        folder.run(&["convert", "a.std", to]).failed_with(&said);
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("a.std")).expect("kept"), CLEAN);
}

#[test]
fn what_a_format_lacks_is_an_error_or_left_out_and_counted() {
    let folder = Folder::new().with("a.std", "T0|fork(T1)|1\nT1|w(x)|2\nT0|join(T1)|3\n");
    folder.run(&["convert", "a.std", "b.rtr"]).failed_with(
        "regiontrack: b.rtr: the event fork(T1) of T0 cannot be written in RegionTrack's records, which has no such \
         events; expected another format, or --lossy to leave such events out\nregiontrack: b.rtr: holds only \
         what comes before that",
    );
    let ran = folder.run(&["convert", "--lossy", "a.std", "b.rtr"]);
    let said = "regiontrack: b.rtr: 2 events left out, for which records has no form\n";
    assert_eq!((ran.stderr.as_str(), ran.code), (said, 0));
    let expected = [0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 0];
    assert_eq!(std::fs::read(folder.path().join("b.rtr")).expect("written"), expected);
}

#[test]
fn a_bad_trace_is_converted_up_to_its_fault_or_leniently_without_it() {
    let folder = Folder::new().with("a.std", "T0|w(x)|1\nT0|what|2\nT0|end|3\n");
    let ran = folder.run(&["convert", "a.std", "b.rr"]);
    assert!(ran.stderr.starts_with("regiontrack: a.std:2: unknown operation 'what'"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("\nregiontrack: b.rr: holds only what comes before that\n"), "{}", ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(std::fs::read_to_string(folder.path().join("b.rr")).expect("written"), "@  Wr(T0,x)  null  1\n");
    let ran = folder.run(&["convert", "--lenient", "a.std", "b.rr"]);
    let said = "regiontrack: a.std: 1 line skipped: unknown operation 'what' (line 2)\n\
        regiontrack: a.std: 1 ill-formed event kept: end by T0, which has no open block (line 3)\n";
    assert_eq!((ran.stderr.as_str(), ran.code), (said, 2));
    let expected = "@  Wr(T0,x)  null  1\n@  Exit(T0)  null  3\n";
    assert_eq!(std::fs::read_to_string(folder.path().join("b.rr")).expect("written"), expected);
}

#[test]
fn info_counts_what_is_in_a_trace() {
    let trace = "A|fork(B)|1\nA|begin(m)|2\nA|begin(n)|3\nA|acq(l)|4\nA|r(x)|5\nA|rel(l)|6\nA|end|7\nB|w(x)|8\nA|r(y)|9\n\
        A|end|10\nB|begin|11\nA|join(B)|12\nA|fence|13\nA|dummy(x)|14\n";
    let folder = Folder::new().with("a.std", trace).with("m.spec", "- m\n+ a.n\n");
    let line = folder.run(&["info", "--format", "json", "a.std"]).ended(0).line();
    let expected = json!({
        "schema": 1, "trace": "a.std", "format": "std", "events": 14,
        "kinds": {"read": 2, "write": 1, "acquire": 1, "release": 1, "fork": 1, "join": 1, "begin": 3, "end": 2,
                  "fence": 1, "commit": 0, "dummy": 1, "together": 0, "update": 0},
        "threads": 2, "variables": 2, "locks": 1, "labels": 2,
        "blocks": {"all": 3, "outermost": 2, "deepest": 2, "open_at_end": 1},
        "transactions": {"blocks": 2, "unary": 4},
        "accesses": {"in_blocks": 2, "outside": 1},
        "regiontrack_table_1":
            {"# of Threads": 2, "# of Transaction Nodes": 6, "# of Read": 2, "# of Write": 1, "# of Locks": 1},
        "aerodrome_table_1": {"Events": 14, "Threads": 2, "Locks": 1, "Variables": 2, "Transactions": 2},
        "warnings": [],
    });
    assert_eq!(line, expected);
    let text = "a.std: std
  events        14 (read 2, write 1, acquire 1, release 1, fork 1, join 1, begin 3, end 2, fence 1, dummy 1)
  threads       2
  variables     2
  locks         1
  labels        2
  blocks        3 (outermost 2, at most 2 nested, 1 open at the end)
  transactions  6 (2 blocks, 4 unary)
  accesses      3 (2 in blocks, 1 outside)
  Table 1 of RegionTrack: # of Threads, # of Transaction Nodes, # of Read, # of Write, # of Locks
    2, 6, 2, 1, 1
  Table 1 of AeroDrome: Events, Threads, Locks, Variables, Transactions
    14, 2, 1, 2, 2
";
    assert_eq!(folder.run(&["info", "a.std"]).ended(0).stdout, text);
}

#[test]
fn info_goes_by_the_specification_and_goes_on_after_a_bad_trace() {
    let folder = Folder::new().with("a.std.gz", gzip(VIOLATED)).with("no.spec", "- **\n").with("bad.std", "A|end|\n");
    let ran = folder.run(&["info", "--format", "json", "--spec", "no.spec", "bad.std", "a.std.gz"]);
    let line = ran.line();
    assert_eq!((&line["transactions"], &line["events"]), (&json!({"blocks": 0, "unary": 3}), &json!(5)));
    assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1));
    let ran = folder.run(&["info", "--lenient", "bad.std"]);
    assert!(
        ran.ended(0)
            .stdout
            .ends_with("  warning: 1 ill-formed event kept: end by A, which has no open block (line 1)\n")
    );
}
