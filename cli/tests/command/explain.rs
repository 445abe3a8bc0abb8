//! `regiontrack explain` and `regiontrack minimize`: what they print and write, exit codes, messages.

use crate::runner::{BLAMELESS, CLEAN, Folder, VIOLATED};
use serde_json::json;

#[test]
fn a_finding_is_explained_with_its_name_its_edges_and_its_shortest_cycle() {
    let ran = Folder::new().with("v.std", VIOLATED).run(&["explain", "v.std"]);
    let text = &ran.ended(1).stdout;
    for part in [
        "\n1. a.B.c: lost update\n",
        "     event 2: T0 in B.c at location 2: read of x\n       before event 3: T1 at location 3: write of x\n",
        "\n   the shortest cycle of transactions: 2 transactions, 2 cross-thread edges\n     T0: B.c -> T1: outside blocks -> T0: B.c\n",
        "what to do next",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn a_witness_is_shorter_than_the_engines_walk_where_the_trace_has_one() {
    // The engine remembers how each thread was reached first: T2 by way of T1. Both T1 and T2 overwrite x.
    let trace =
        "T0|begin(a)|\nT0|r(x)|\nT1|w(x)|\nT1|w(y)|\nT2|begin|\nT2|r(y)|\nT2|w(x)|\nT2|w(z)|\nT2|end|\nT0|r(z)|\n";
    let line = Folder::new().with("a.std", trace).run(&["explain", "--format", "json", "a.std"]);
    let finding = &line.ended(1).line()["finding"];
    let events = |end: &str| {
        let edges = finding["edges"].as_array().expect("a list");
        edges.iter().map(|edge| edge[end]["event"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((events("from"), events("to")), (vec![json!(2), json!(8)], vec![json!(7), json!(10)]));
    assert_eq!(finding["transactions"], json!(2));
}

#[test]
fn a_cycle_that_blames_nobody_is_explained() {
    let ran = Folder::new().with("b.std", BLAMELESS).run(&["explain", "b.std", "1"]);
    let text = &ran.ended(1).stdout;
    assert!(text.contains("a cycle of transactions, and no block to blame"), "{text}");
    assert!(text.contains("T1: block -> T0: block -> T1: block\n"), "{text}");
}

/// Two threads that each move their own index, one of them with a fence after that if wanted, and then read the other's.
fn pool(fence: &str) -> String {
    let front = format!("T0|begin(front)|1\nT0|w(head)|2\n{fence}T0|r(tail)|3\nT0|end|4\n");
    let back = "T1|begin(back)|5\nT1|w(tail)|6\nT1|r(head)|7\nT1|end|8\n";
    format!("{front}{back}T1|fence|9\n")
}

#[test]
fn what_only_store_buffers_make_is_explained_and_drawn() {
    let folder = Folder::new().with("late.std", pool("")).with("fenced.std", pool("T0|fence|0\n"));
    let ran = folder.run(&["explain", "late.std", "--svg", "late.svg"]);
    let text = &ran.ended(1).stdout;
    for part in [
        "late.std: serializable",
        "\n  not serializable where writes wait in store buffers (TSO)\n",
        "delayed writes break atomicity",
        "a fence would have helped after event 2 (location 2) and before event 3 (location 3)",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let picture = std::fs::read_to_string(folder.path().join("late.svg")).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("reaches memory"), "{picture}");
    let line = folder.run(&["explain", "--format", "json", "late.std"]).ended(1).line();
    assert_eq!((&line["store_buffers"], &line["findings"]), (&json!(true), &json!(1)));

    let ran = folder.run(&["explain", "fenced.std", "--svg", "fenced.svg"]);
    assert!(ran.ended(0).stdout.ends_with("\n  nor where writes wait in store buffers (TSO)\n"), "{}", ran.stdout);
    let line = folder.run(&["explain", "--format", "json", "fenced.std"]).ended(0).line();
    assert_eq!((&line["store_buffers"], &line["findings"]), (&json!(false), &json!(0)));
    assert!(!folder.path().join("fenced.svg").exists());
}

#[test]
fn commits_that_cannot_be_are_an_error_where_store_buffers_are_asked_for() {
    let folder = Folder::new().with("c.std", "T0|w(x)|1\nT0|commit(y)|2\n");
    assert_eq!(folder.run(&["explain", "c.std"]).code, 2);
}

#[test]
fn where_nothing_was_found_there_is_nothing_to_explain_or_to_write() {
    let folder = Folder::new().with("c.std", CLEAN);
    let ran = folder.run(&["explain", "c.std", "--svg", "c.svg"]);
    assert!(ran.ended(0).stdout.ends_with("  nothing was found, so there is nothing to explain\n"), "{}", ran.stdout);
    let line = folder.run(&["explain", "--format", "json", "c.std"]).ended(0).line();
    assert_eq!((&line["finding"], &line["findings"]), (&json!(null), &json!(0)));
    let ran = folder.run(&["minimize", "c.std", "-o", "small.std"]);
    assert_eq!(ran.ended(0).stdout, "c.std: nothing was found, so nothing was written\n");
    assert!(!folder.path().join("c.svg").exists() && !folder.path().join("small.std").exists());
}

#[test]
fn a_number_beyond_the_findings_is_an_error_that_says_how_many_there_are() {
    let folder = Folder::new().with("v.std", VIOLATED);
    let message = "regiontrack: v.std: there is 1 finding, no number 2; see regiontrack check";
    folder.run(&["explain", "v.std", "2"]).failed_with(message);
    folder.run(&["minimize", "v.std", "2", "-o", "small.std"]).failed_with(message);
    assert_eq!(folder.run(&["explain", "v.std", "0"]).code, 2);
}

#[test]
fn a_skipped_line_makes_the_explanation_incomplete() {
    let folder = Folder::new().with("a.std", format!("what\n{VIOLATED}"));
    let ran = folder.run(&["explain", "--lenient", "a.std"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("incomplete") && ran.stdout.contains("lost update"), "{}", ran.stdout);
}

#[test]
fn the_picture_names_both_ends_of_each_edge() {
    let folder = Folder::new().with("v.std", VIOLATED);
    folder.run(&["explain", "v.std", "--svg", "v.svg"]).ended(1);
    let picture = std::fs::read_to_string(folder.path().join("v.svg")).expect("a picture");
    for part in [
        "lost update",
        "a.B.c",
        "1. event 2: T0 in B.c at location 2: read of x",
        "before event 3: T1 at location 3: write of x",
    ] {
        assert!(picture.contains(part), "{part} is missing in\n{picture}");
    }
    let ran = folder.run(&["explain", "v.std", "--svg", "none/v.svg"]);
    assert!(ran.stderr.starts_with("regiontrack: none/v.svg: cannot be written: "), "{}", ran.stderr);
    assert_eq!(ran.code, 2);
}

#[test]
fn a_minimized_trace_keeps_names_places_and_the_finding() {
    let noise = "main|acq(l)|A.java:1\nmain|r(other)|A.java:2\nmain|rel(l)|A.java:3\n";
    let trace = VIOLATED.replace("T1|", &format!("{noise}T1|"));
    let folder = Folder::new().with("a.std", trace);
    let ran = folder.run(&["minimize", "a.std", "-o", "small.std"]);
    assert_eq!(ran.ended(1).stdout, "small.std: 5 of 8 events show finding 1 of a.std\n");
    assert_eq!(std::fs::read_to_string(folder.path().join("small.std")).expect("a trace"), VIOLATED);
    let again = folder.run(&["check", "small.std"]);
    assert!(again.ended(1).stdout.contains("\n1. a.B.c: lost update\n"), "{}", again.stdout);
}

#[test]
fn a_minimized_trace_has_only_the_blocks_that_the_specification_calls_atomic() {
    let trace = format!("T0|begin(a.B.run)|0\n{VIOLATED}T0|end|9\n");
    let folder = Folder::new().with("s", "+ **\n- **.run\n").with("a.std", trace);
    folder.run(&["minimize", "--spec", "s", "a.std", "-o", "small.std"]).ended(1);
    assert_eq!(std::fs::read_to_string(folder.path().join("small.std")).expect("a trace"), VIOLATED);
}

#[test]
fn a_trace_is_not_overwritten_by_its_own_smallest_part() {
    let folder = Folder::new().with("v.std", VIOLATED);
    std::fs::hard_link(folder.path().join("v.std"), folder.path().join("w.std")).expect("linked");
    let refused = |option: &str, file: &str| {
        format!("regiontrack: {option} {file}: this file is to be read; name another one to write")
    };
    folder.run(&["minimize", "v.std", "-o", "./v.std"]).failed_with(&refused("-o", "./v.std"));
    folder.run(&["minimize", "v.std", "-o", "w.std"]).failed_with(&refused("-o", "w.std"));
    folder.run(&["explain", "--svg", "v.std", "v.std"]).failed_with(&refused("--svg", "v.std"));
    folder.run(&["check", "--report", "w.std", "v.std"]).failed_with(&refused("--report", "w.std"));
    assert_eq!(std::fs::read_to_string(folder.path().join("v.std")).expect("a trace"), VIOLATED);
}

#[test]
fn minimize_has_the_exit_codes_of_check() {
    let folder = Folder::new().with("v.std", VIOLATED).with("c.std", CLEAN).with("n.std", "T0|r(x)|1\n");
    let report = folder.json(&["v.std"]).ended(1).stdout.clone();
    let folder = folder.with("v.json", report);
    folder.run(&["baseline", "update", "v.base", "v.json"]).ended(0);
    for (trace, options, code) in
        [("v.std", &[][..], 1), ("c.std", &[], 0), ("n.std", &[], 2), ("v.std", &["--baseline", "v.base"], 0)]
    {
        folder.run(&[&["check", trace], options].concat()).ended(code);
        folder.run(&[&["minimize", trace, "-o", "small.std"], options].concat()).ended(code);
    }
}

#[test]
fn an_engine_that_cannot_tell_a_finding_is_refused() {
    let folder = Folder::new().with("a.std", VIOLATED);
    let silent = "regiontrack: engine regiontrack-trace blames nobody, so there is nothing to tell; use engine reach";
    folder.run(&["explain", "--engine", "regiontrack-trace", "a.std"]).failed_with(silent);
    let late = "regiontrack: engine doublechecker does not know at which event a finding shows; use engine reach";
    folder.run(&["minimize", "--engine", "doublechecker", "a.std", "-o", "b.std"]).failed_with(late);
}
