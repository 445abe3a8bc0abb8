//! What reads the output may go, fill up, or be slow: broken pipes are no error, and nothing is held back.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use crate::runner::{CLEAN, Folder, VIOLATED};

/// A trace whose results are longer than any pipe's buffer.
fn large() -> String {
    (0..20_000).map(|n| VIOLATED.replace("a.B.c", &format!("a.B.m{n}"))).collect()
}

fn spawn(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = folder.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs")
}

/// Reads one line, closes the pipe, and gives the line, the exit code and the messages.
fn read_one_line(folder: &Folder, arguments: &[&str]) -> (String, Option<i32>, String) {
    let mut child = spawn(folder, arguments);
    let mut line = Vec::new();
    let mut stdout = BufReader::with_capacity(16, child.stdout.take().expect("piped"));
    stdout.read_until(b'\n', &mut line).expect("read");
    drop(stdout);
    let mut messages = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut messages).expect("read");
    (String::from_utf8(line).expect("UTF-8"), child.wait().expect("ended").code(), messages)
}

#[test]
fn a_reader_that_closes_early_changes_neither_the_answer_nor_says_anything() {
    let folder = Folder::new().with("a.std", large()).with("bad.std", "T0|what|\n");
    let (line, code, messages) = read_one_line(&folder, &["check", "--max-reports", "20000", "a.std"]);
    assert_eq!((line.as_str(), code, messages.as_str()), ("a.std: non-serializable from event 4 on\n", Some(1), ""));
    let (_, code, messages) = read_one_line(&folder, &["check", "--format", "json", "a.std", "a.std"]);
    assert_eq!((code, messages.as_str()), (Some(1), ""));
    // What goes wrong later is still said.
    let (_, code, messages) = read_one_line(&folder, &["check", "--format", "json", "a.std", "bad.std"]);
    assert!(messages.starts_with("regiontrack: bad.std:1: ") && messages.lines().count() == 1, "{messages}");
    assert_eq!(code, Some(2));
}

#[test]
fn help_and_lists_end_well_for_a_reader_that_closes_early() {
    let folder = Folder::new();
    for arguments in [&["engines"][..], &["spec", "--default"], &["--help"], &["check", "--help"]] {
        let mut child = spawn(&folder, arguments);
        drop(child.stdout.take());
        let mut messages = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut messages).expect("read");
        assert_eq!((child.wait().expect("ended").code(), messages.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn an_error_that_nobody_reads_is_still_an_exit_code() {
    let folder = Folder::new();
    for arguments in [&["check", "missing.std"][..], &["check", "--engine", "zzz", "a.std"]] {
        let mut child = spawn(&folder, arguments);
        drop(child.stderr.take());
        assert_eq!(child.wait().expect("ended").code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn the_result_of_a_trace_is_there_before_the_next_is_read() {
    let folder = Folder::new().with("a.std", CLEAN);
    let mut child = spawn(&folder, &["check", "--format", "json", "a.std", "-"]);
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    // Standard input is still open: the second trace has no end yet.
    stdout.read_line(&mut line).expect("read");
    assert!(line.contains("\"trace\":\"a.std\""), "{line}");
    child.stdin.take().expect("piped").write_all(VIOLATED.as_bytes()).expect("written");
    line.clear();
    stdout.read_line(&mut line).expect("read");
    assert!(line.contains("\"trace\":\"<stdin>\""), "{line}");
    assert_eq!(child.wait().expect("ended").code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = Folder::new().with("a.std", CLEAN);
    for arguments in [&["check", "a.std"][..], &["engines"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is always there");
        let output = folder.command(arguments).stdout(full).output().expect("the command runs");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(said.starts_with("regiontrack: standard output: ") && said.lines().count() == 1, "{said}");
        assert_eq!(output.status.code(), Some(2));
    }
}
