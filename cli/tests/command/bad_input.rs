//! Bad input: one clear line on standard error, exit code 2, no result for it, and the rest is still read.

use crate::runner::{CLEAN, Folder, VIOLATED, gzip};

#[test]
fn an_unknown_engine_is_named_with_the_nearest() {
    let folder = Folder::new().with("a.std", CLEAN);
    let ran = folder.run(&["check", "--engine", "reech", "a.std"]);
    let engines = analysis_core::engines::ENGINES.iter().map(|engine| engine.name).collect::<Vec<_>>().join(", ");
    ran.failed_with(&format!("regiontrack: unknown engine 'reech'; did you mean reach? (engines: {engines})"));
    let ran = folder.run(&["check", "--engine", "reach,zzz", "a.std"]);
    ran.failed_with(&format!("regiontrack: unknown engine 'zzz' (engines: {engines})"));
    let ran = folder.run(&["check", "--engine", "reach,", "a.std"]);
    ran.failed_with(&format!("regiontrack: unknown engine '' (engines: {engines})"));
}

#[test]
fn a_path_that_is_no_trace_is_named() {
    let folder = Folder::new();
    folder
        .json(&["missing.std"])
        .failed_with("regiontrack: missing.std: no such file; expected a trace, or - for standard input");
    folder.json(&["."]).failed_with("regiontrack: .: is a folder; expected a file with a trace");
    folder
        .json(&["a\nb\u{1b}.std"])
        .failed_with("regiontrack: a\\nb\\u{1b}.std: no such file; expected a trace, or - for standard input");
}

#[test]
fn each_kind_of_malformed_line_is_named_with_its_place() {
    let operations =
        "r(x), w(x), begin, end, acq(l), rel(l), fork(t), join(t), fence, commit(x), dummy(x), together, update"
            .to_owned();
    for (line, message) in [
        ("what", "1 field in 'what'; expected THREAD|OPERATION|LOCATION"),
        ("T0|r(x)", "2 fields in 'T0|r(x)'; expected THREAD|OPERATION|LOCATION"),
        ("|r(x)|1", "no thread before the first '|'; expected THREAD|OPERATION|LOCATION"),
        ("T0||1", &format!("no operation between the first two '|'; expected one of {operations}")),
        ("T0|raed(x)|1", &format!("unknown operation 'raed'; expected one of {operations}; nearest is r(x)")),
        ("T0|r|1", "no operand in 'r'; expected r(NAME)"),
        ("T0|w()|1", "empty operand in 'w()'; expected a name in the parentheses of 'w()'"),
        ("T0|acq(l|1", "no ')' in 'acq(l'; expected a ')' at the end of the operation"),
        ("T0|rel(l)x|1", "text after the last ')' in 'rel(l)x'; expected '|' right after the last ')'"),
        ("T0|fence()|1", "an operand in 'fence()', which takes none; expected fence"),
        (
            "T0|r(\u{1b}[31m\u{7})|1|\u{0}\u{85}\nT0|r(\u{1b})x|1",
            "text after the last ')' in 'r(\\u{1b})x'; expected '|' right after the last ')'",
        ),
    ] {
        let folder = Folder::new().with("a.std", format!("# comment\n\nT0|w(x)|1\n{line}\nT0|w(x)|2\n"));
        let at = 4 + line.matches('\n').count();
        folder.json(&["a.std"]).failed_with(&format!("regiontrack: a.std:{at}: {message}"));
        folder.run(&["check", "a.std"]).failed_with(&format!("regiontrack: a.std:{at}: {message}"));
    }
}

#[test]
fn text_that_is_not_utf_8_is_named_with_its_place() {
    let folder = Folder::new().with("a.std", b"T0|w(x)|1\nT0|r(\xff)|2\n");
    folder.json(&["a.std"]).failed_with("regiontrack: a.std:2: not UTF-8; expected a trace in UTF-8");
}

#[test]
fn a_line_without_end_is_refused() {
    let folder = Folder::new().with("a.std", format!("T0|w(x)|1\nT0|r({})|2\n", "x".repeat(1 << 24)));
    folder
        .json(&["a.std"])
        .failed_with("regiontrack: a.std:2: a line of more than 16777216 bytes; expected one event a line");
}

#[test]
fn more_threads_than_can_be_numbered_are_refused() {
    let trace: String = (0..=1 << 20).map(|thread| format!("{thread}|w(x)|\n")).collect();
    let folder = Folder::new().with("a.std", trace);
    folder
        .json(&["a.std"])
        .failed_with("regiontrack: a.std:1048577: more than 1048576 threads; expected no more threads than that");
}

#[test]
fn each_kind_of_ill_formed_event_is_named_with_its_place() {
    for (trace, message) in [
        (
            "A|rel(l)|",
            "1: release of l by A, which does not hold it (held by nobody); expected an acquire of l by A before it",
        ),
        (
            "A|acq(l)|\nB|rel(l)|",
            "2: release of l by B, which does not hold it (held by A); expected an acquire of l by B before it",
        ),
        ("A|acq(l)|\nB|acq(l)|", "2: acquire of l by B, held by A; expected a release of l by A before it"),
        ("A|begin|\nA|end|\nA|end|", "3: end by A, which has no open block; expected a begin by A before it"),
        ("A|fork(A)|", "1: fork of A by itself; expected another thread"),
        ("A|join(A)|", "1: join of A by itself; expected another thread"),
        (
            "B|w(x)|\nA|fork(B)|",
            "2: fork of B by A, but it already has events; expected the fork before the first event of B",
        ),
        ("A|fork(B)|\nA|fork(B)|", "2: fork of B by A, but it was already forked; expected one fork of B"),
        (
            "A|join(B)|\nA|fork(B)|",
            "2: fork of B by A, but it was already joined; expected another name for another thread",
        ),
        ("A|join(B)|\nB|w(x)|", "2: event of B after its join; expected the join after the last event of B"),
    ] {
        let folder = Folder::new().with("a.std", format!("{trace}\nA|w(y)|\n"));
        folder.json(&["a.std"]).failed_with(&format!("regiontrack: a.std:{message}"));
    }
}

#[test]
fn damaged_gzip_is_said_to_be() {
    let trace: String = (0..5000).map(|n| format!("T0|w(x{})|{n}\n", n * 7919 % 5003)).collect();
    let whole = gzip(&trace);
    let folder = Folder::new().with("cut.std.gz", &whole[..whole.len() / 2]).with("head.std.gz", &whole[..5]);
    for name in ["cut.std.gz", "head.std.gz"] {
        let ran = folder.json(&[name]);
        assert!(ran.stderr.starts_with(&format!("regiontrack: {name}: ")), "{}", ran.stderr);
        assert!(ran.stderr.ends_with("truncated gzip; expected the rest of the compressed data\n"), "{}", ran.stderr);
        assert_eq!((ran.stderr.lines().count(), ran.code, ran.stdout.as_str()), (1, 2, ""));
    }
    let mut sum = whole.clone();
    let checksum = sum.len() - 8;
    sum[checksum] ^= 1;
    let mut method = whole.clone();
    method[2] = 99;
    let folder = folder.with("sum.std.gz", sum).with("method.std.gz", method);
    for name in ["sum.std.gz", "method.std.gz"] {
        let ran = folder.json(&[name]);
        assert!(ran.stderr.starts_with(&format!("regiontrack: {name}: ")), "{}", ran.stderr);
        assert!(ran.stderr.contains("corrupt gzip ("), "{}", ran.stderr);
        assert_eq!((ran.stderr.lines().count(), ran.code, ran.stdout.as_str()), (1, 2, ""));
    }
    let folder = folder.with("more.std.gz", [&whole[..], b"T0|w(x)|1\n"].concat());
    let ran = folder.json(&["more.std.gz"]);
    assert!(ran.stderr.contains("data that is not gzip after the end of the gzip data"), "{}", ran.stderr);
    assert_eq!((ran.stderr.lines().count(), ran.code, ran.stdout.as_str()), (1, 2, ""));
}

#[test]
fn cut_gzip_is_incomplete_to_a_lenient_reading_which_says_how_much_was_read() {
    let whole = gzip(VIOLATED);
    let folder = Folder::new().with("cut.std.gz", &whole[..whole.len() - 9]);
    let ran = folder.json(&["--lenient", "cut.std.gz"]);
    let line = ran.line();
    assert_eq!((line["verdict"].as_str(), ran.code, ran.stderr.as_str()), (Some("incomplete"), 2, ""));
    let events = line["events"].as_u64().expect("a number");
    let said = line["warnings"][0].as_str().expect("a warning").to_owned();
    assert!(said.contains("truncated gzip") && said.ends_with(&format!("({events} events read)")), "{said}");
}

#[test]
fn damaged_gzip_is_no_less_an_error_to_a_lenient_reading() {
    let mut sum = gzip(VIOLATED);
    let checksum = sum.len() - 8;
    sum[checksum] ^= 1;
    let folder = Folder::new().with("sum.std.gz", sum);
    let ran = folder.json(&["--lenient", "sum.std.gz"]);
    assert!(ran.stderr.contains("corrupt gzip"), "{}", ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn a_trace_without_events_is_an_error_and_not_serializable() {
    let folder = Folder::new().with("a.std", "").with("b.std", "# nothing happened\n\n").with("c.std.gz", gzip(""));
    for name in ["a.std", "b.std", "c.std.gz"] {
        for command in ["check", "info", "explain"] {
            let message = format!("regiontrack: {name}: no events; expected a trace with at least one");
            folder.run(&[command, name]).failed_with(&message);
        }
    }
    let ran = folder.run_with(&["check", "--from", "std", "-"], "");
    ran.failed_with("regiontrack: <stdin>: no events; expected a trace with at least one");
}

#[test]
fn the_other_files_go_on_after_a_bad_one() {
    let folder = Folder::new().with("a.std", CLEAN).with("bad.std", "T0|end|\n").with("b.std", VIOLATED);
    let ran = folder.json(&["missing.std", "a.std", "bad.std", "b.std", "."]);
    let traces: Vec<String> = ran.lines().iter().map(|line| line["trace"].to_string()).collect();
    assert_eq!(traces, ["\"a.std\"", "\"b.std\""]);
    let said: Vec<&str> = ran.stderr.lines().map(|line| line.split(": ").nth(1).expect("a place")).collect();
    assert_eq!((said, ran.code), (vec!["missing.std", "bad.std:1", "."], 2));
}

#[test]
fn a_bad_specification_stops_everything_with_a_line_for_each_bad_line() {
    let folder = Folder::new().with("a.std", CLEAN).with("bad.spec", "+ **\n+ a..b\n- a.b.c\nfoo\n");
    for arguments in [
        &["check", "--spec", "bad.spec", "a.std"][..],
        &["spec", "--check", "bad.spec"],
        &["spec", "--match", "bad.spec", "a.B.c"],
    ] {
        folder.run(arguments).failed_with(
            "regiontrack: bad.spec:2: empty segment in 'a..b': write one dot between names, none at either end\n\
             regiontrack: bad.spec:4: expected '+' or '-' before 'foo': write + for atomic, - for not atomic",
        );
    }
}

#[test]
fn a_path_that_is_no_specification_is_named() {
    let folder = Folder::new().with("a.std", CLEAN).with("latin1.spec", b"+ **\n# caf\xe9\n");
    for (file, message) in [
        ("missing.spec", "missing.spec: no such file; expected a file with an atomicity specification"),
        (".", ".: is a folder; expected a file with an atomicity specification"),
        ("latin1.spec", "latin1.spec:2: not UTF-8; save the file as UTF-8"),
    ] {
        folder.run(&["check", "--spec", file, "a.std"]).failed_with(&format!("regiontrack: {message}"));
        folder.run(&["spec", "--check", file]).failed_with(&format!("regiontrack: {message}"));
    }
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::new().with("a.std", CLEAN);
    for arguments in [
        &[][..],
        &["check"],
        &["chekc", "a.std"],
        &["check", "--fromat", "json", "a.std"],
        &["check", "--format", "xml", "a.std"],
        &["check", "--max-reports", "many", "a.std"],
        &["check", "--max-reports", "-1", "a.std"],
        &["spec"],
        &["spec", "--default", "--check", "a.spec"],
        &["spec", "--match", "a.spec"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains("Usage: regiontrack") || ran.stderr.contains("--help"), "{}", ran.stderr);
    }
}
