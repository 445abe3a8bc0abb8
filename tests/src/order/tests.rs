//! Small traces with small logs.

use super::{Access, Outcome, ThreadLog, check, read_logs};

const X: (u64, u64) = (7, 0);
const Y: (u64, u64) = (7, 1);

fn access(is_write: bool, is_recorded: bool, variable: (u64, u64), value: u64, stamp: u64) -> Access {
    Access { is_write, is_recorded, variable, value, stamp }
}

fn write(variable: (u64, u64), value: u64, stamp: u64) -> Access {
    access(true, true, variable, value, stamp)
}

fn read(variable: (u64, u64), value: u64, stamp: u64) -> Access {
    access(false, true, variable, value, stamp)
}

fn of(thread: &str, accesses: &[Access]) -> ThreadLog {
    ThreadLog { number: u32::from(thread.as_bytes()[0]), thread: thread.into(), accesses: accesses.to_vec() }
}

fn run(trace: &str, logs: &[ThreadLog]) -> Outcome {
    check("a.std", trace.as_bytes(), logs).expect("a trace that can be read")
}

#[test]
fn a_read_that_returns_the_last_write_is_right() {
    let logs = [of("A", &[write(X, 1, 1), write(X, 3, 3)]), of("B", &[read(X, 1, 2), read(X, 3, 4)])];
    let outcome = run("A|w(x)|1\nB|r(x)|2\nA|w(x)|3\nB|r(x)|4\n", &logs);
    assert!(outcome.is_right(), "{outcome}");
    assert_eq!((outcome.events, outcome.reads, outcome.filtered), (4, 2, 0));
}

#[test]
fn recorded_reads_are_counted_by_what_is_read() {
    let log = [of("A", &[read(X, 1, 1), read(Y, 2, 2), write(X, 3, 3), read((8, 0), 4, 4)])];
    let outcome = run("A|r(C.f@7)|1\nA|r(C.g@7)|2\nA|w(C.f@7)|3\nA|r(C.f@8)|4\n", &log);
    assert!(outcome.is_right(), "{outcome}");
    assert_eq!(outcome.by_kind.into_iter().collect::<Vec<_>>(), [("C.f".to_owned(), 2), ("C.g".to_owned(), 1)]);
}

#[test]
fn a_read_that_returns_an_older_write_is_wrong() {
    let logs = [of("A", &[write(X, 1, 1), write(X, 3, 3)]), of("B", &[read(X, 1, 2)])];
    let outcome = run("A|w(x)|1\nA|w(x)|3\nB|r(x)|4\n", &logs);
    assert_eq!((outcome.wrong, outcome.mismatched), (1, 0));
    assert_eq!(outcome.examples, ["a.std:3: B x: read 1, last written 3"]);
}

#[test]
fn the_first_read_tells_the_initial_value() {
    let logs = [of("A", &[read(X, 9, 1), read(X, 9, 2), read(X, 8, 3)])];
    assert_eq!(run("A|r(x)|1\nA|r(x)|2\nA|r(x)|3\n", &logs).wrong, 1);
}

#[test]
fn a_filtered_read_is_held_to_its_covering_event() {
    let trace = "A|w(x)|1\n";
    let right = [write(X, 1, 1), access(false, false, X, 1, 1)];
    assert!(run(trace, &[of("A", &right)]).is_right());
    let other_value = [write(X, 1, 1), access(false, false, X, 2, 1)];
    assert_eq!(run(trace, &[of("A", &other_value)]).wrong_filtered, 1);
    let other_stamp = [write(X, 1, 1), access(false, false, X, 1, 2)];
    assert_eq!(run(trace, &[of("A", &other_stamp)]).wrong_filtered, 1);
    let nothing_recorded = [write(X, 1, 1), access(false, false, Y, 1, 1)];
    assert_eq!(run(trace, &[of("A", &nothing_recorded)]).wrong_filtered, 1);
}

#[test]
fn a_filtered_write_takes_the_place_of_the_one_that_covers_it() {
    let a = of("A", &[write(X, 1, 1), access(true, false, X, 2, 1)]);
    let trace = "A|w(x)|1\nB|r(x)|2\n";
    assert!(run(trace, &[a.clone(), of("B", &[read(X, 2, 2)])]).is_right());
    assert_eq!(run(trace, &[a, of("B", &[read(X, 1, 2)])]).wrong, 1);
}

#[test]
fn trace_and_log_must_have_the_same_accesses() {
    let log = [of("A", &[write(X, 1, 1), read(Y, 0, 2)])];
    assert!(run("A|w(x)|1\nA|r(y)|2\n", &log).is_right());
    assert_eq!(run("A|w(x)|1\n", &log).mismatched, 1, "one is missing");
    assert_eq!(run("A|w(x)|1\nA|r(y)|2\nA|r(y)|3\n", &log).mismatched, 1, "one too many");
    assert_eq!(run("A|w(x)|1\nA|w(y)|2\n", &log).mismatched, 1, "another kind");
    assert_eq!(run("A|w(x)|1\nA|r(x)|2\n", &log).mismatched, 1, "one name for two variables");
    assert_eq!(run("A|w(x)|1\nB|r(y)|2\n", &log).mismatched, 2, "another thread");
}

#[test]
fn a_thread_without_a_name_goes_by_its_number() {
    assert!(run("T65|w(x)|1\n", &[of("A", &[write(X, 1, 1)])]).is_right());
}

#[test]
fn ill_formed_events_and_accesses_without_a_place_are_counted() {
    let outcome = run("A|rel(l)|1\nA|w(x)|\n", &[of("A", &[write(X, 1, 1)])]);
    assert_eq!((outcome.ill_formed, outcome.unplaced), (1, 1));
}

#[test]
fn threads_of_one_name_are_an_error() {
    let logs = [of("A", &[write(X, 1, 1)]), of("A", &[write(X, 1, 1)])];
    let error = check("a.std", &b""[..], &logs).expect_err("two threads are called A");
    assert_eq!(error.to_string(), "two threads of the log are called `A`; give each its own name");
}

#[test]
fn the_log_is_read_as_the_tap_writes_it() {
    let mut bytes = b"regiontrack-tap 1\n\x41\0\0\0\x01\0\0\0A\x02\0\0\0\0\0\0\0".to_vec();
    for word in [3 | 128 | 5 << 8, 17, 42, 99, 2, 17, u64::MAX, 99] {
        bytes.extend(u64::to_le_bytes(word));
    }
    let expected = of("A", &[write((17, 5), 42, 99), access(false, false, (17, 0), u64::MAX, 99)]);
    assert_eq!(read_logs(&bytes[..]).expect("a log"), [expected]);
    bytes.pop();
    let error = read_logs(&bytes[..]).expect_err("the last byte is missing");
    assert_eq!(format!("{error:#}"), "the log of thread `A`: ends early: failed to fill whole buffer");
}
