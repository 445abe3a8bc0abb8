//! Scopes: each gets what was violated in it, before the run has ended.

use std::fs;

use analysis_core::event::Stamp;

use serde_json::Value;

use super::program::{BLOCKS, READ, WRITE, describe, options};
use crate::codes;
use crate::observed::What;
use crate::rings::Record;
use crate::session::Session;

fn record(code: u8, site: u32, word: u64) -> Record {
    Record { code, site, extra: 0, word }
}

fn depend(thread: u64, position: u64) -> Record {
    // The first thread has read before the second one writes.
    record(codes::DEPEND, if thread == 1 { READ } else { WRITE }, thread << Stamp::POSITION_BITS | position)
}

/// A session in stream mode, and its first thread, which works for a scope inside another one, has begun a block, and has read the
/// variable.
fn reading(agent: &str) -> (Session, usize, [u32; 2]) {
    let session = Session::start(options(&format!("report=/dev/null,{agent}"))).expect("it starts");
    describe(&session);
    let outer = session.begin_scope(0);
    let scope = session.begin_scope(outer);
    let one = session.open(1, 0, "one");
    session.ring(one).write(&[record(codes::SCOPE, 0, scope.into()), record(codes::BEGIN, BLOCKS, 0)]);
    session.ring(one).write(&[record(codes::READ, READ, 1000)]);
    (session, one, [outer, scope])
}

/// Another thread, which works for no scope, writes the variable.
fn interfere(session: &Session) {
    let two = session.open(2, 0, "two");
    session.ring(two).write(&[depend(1, 2), record(codes::WRITE, WRITE, 1000)]);
}

/// Ends a scope. Returns the parts of each finding, and why there may be more findings.
fn all_told(session: &Session, scope: u32) -> (Vec<Vec<String>>, String) {
    let text = session.end_scope(scope);
    let mut findings = text.split('\u{1e}');
    let incomplete = findings.next().expect("the first part").to_owned();
    (findings.map(|finding| finding.split('\u{1f}').map(str::to_owned).collect()).collect(), incomplete)
}

/// Ends a scope. Returns the methods of the findings that count, and why there may be more.
fn told(session: &Session, scope: u32) -> (Vec<String>, String) {
    let (findings, incomplete) = all_told(session, scope);
    (findings.into_iter().filter(|parts| parts[1] == "counts").map(|mut parts| parts.remove(2)).collect(), incomplete)
}

fn found(methods: &[&str]) -> (Vec<String>, String) {
    (methods.iter().map(|&method| method.to_owned()).collect(), String::new())
}

const VIOLATED: &str = "com.example.Box.m0()";

#[test]
fn a_block_that_is_still_open_counts_once_for_its_own_scope() {
    let (session, one, [outer, scope]) = reading("");
    interfere(&session);
    session.ring(one).write(&[depend(2, 1), record(codes::WRITE, WRITE, 1000)]);
    assert_eq!(told(&session, scope), found(&[VIOLATED]));
    session.ring(one).write(&[record(codes::END, 0, 0)]);
    assert_eq!(told(&session, outer), found(&[]));
}

/// After many calls that have waited after they were violated, no witness is kept any more. An open block that has not waited is
/// reported all the same.
#[test]
fn a_block_that_has_not_waited_counts_after_many_that_have() {
    let (session, one, [_, scope]) = reading("");
    let two = session.open(2, 0, "two");
    let lost = |round: u64| {
        // Of five events in each round, the second one reads.
        session.ring(two).write(&[depend(1, 5 * round + 2), record(codes::WRITE, WRITE, 1000)]);
        session.ring(one).write(&[depend(2, round + 1), record(codes::WRITE, WRITE, 1000)]);
    };
    for round in 0..70 {
        lost(round);
        session.ring(one).write(&[record(codes::FORK, 0, 3 + round), record(codes::END, 0, 0)]);
        session.ring(one).write(&[record(codes::BEGIN, BLOCKS, 0), record(codes::READ, READ, 1000)]);
    }
    lost(70);
    assert_eq!(told(&session, scope), found(&[VIOLATED]));
}

#[test]
fn what_happens_after_the_end_of_a_scope_counts_for_the_one_around_it() {
    let (session, one, [outer, scope]) = reading("");
    interfere(&session);
    assert_eq!(told(&session, scope), found(&[]));
    session.ring(one).write(&[depend(2, 1), record(codes::WRITE, WRITE, 1000), record(codes::END, 0, 0)]);
    assert_eq!(told(&session, outer), found(&[VIOLATED]));
}

#[test]
fn a_finding_has_what_the_report_says_and_where_both_threads_were() {
    let (session, one, [_, scope]) = reading("");
    interfere(&session);
    session.ring(one).write(&[depend(2, 1), record(codes::WRITE, WRITE, 1000), record(codes::END, 0, 0)]);
    let text = session.end_scope(scope);
    let parts: Vec<&str> = text.split(['\u{1e}', '\u{1f}']).collect();
    let [incomplete, cause, counts, method, kind, told, thread, stack, other, place] = parts[..] else {
        panic!("{parts:?}")
    };
    assert_eq!([incomplete, cause, counts], ["", "0", "counts"]);
    assert_eq!([method, kind, thread, other], [VIOLATED, "lost update", "one", "two"]);
    assert_eq!(stack, "com.example.Box.set(Box.java:12)\ncom.example.Box.get(Box.java:11)");
    assert_eq!(place, "com.example.Box.set(Box.java:12)");
    let first = "com.example.Box.m0(): lost update\n   another thread's write came between its read and its write";
    assert!(told.starts_with(first) && told.contains("violated in 1 of 1 instance, first in one at"), "{told}");
}

#[test]
fn what_is_suppressed_does_not_count_and_can_be_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("known");
    fs::write(&file, "method:com.example.Box.m0\n").expect("written");
    let (session, one, [_, scope]) = reading(&format!("suppressions={}", file.display()));
    interfere(&session);
    session.ring(one).write(&[depend(2, 1), record(codes::WRITE, WRITE, 1000)]);
    let (findings, _) = all_told(&session, scope);
    assert_eq!(findings.iter().map(|parts| [&*parts[1], &*parts[2]]).collect::<Vec<_>>(), [["", VIOLATED]]);
}

/// A test in a run in which another thread's write is lost in every test.
enum Test {
    /// In the scope of the test with this name, which expects it.
    Expects(&'static str),
    /// In a scope that does not expect it.
    Fails,
    /// In no scope.
    Outside,
}

/// Makes such a run. Returns its exit code and its report.
fn judged(agent: &str, tests: &[Test]) -> (Option<u8>, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let agent = format!("report={},exitcode=66,{agent}", file.display());
    let session = Session::start(options(&agent)).expect("it starts");
    describe(&session);
    let (one, two) = (session.open(1, 0, "one"), session.open(2, 0, "two"));
    for (round, test) in (0..).zip(tests) {
        let scope = if matches!(test, Test::Outside) { 0 } else { session.begin_scope(0) };
        session.ring(one).write(&[record(codes::SCOPE, 0, scope.into()), record(codes::BEGIN, BLOCKS, 0)]);
        session.ring(one).write(&[record(codes::READ, READ, 1000)]);
        // Of four events in each round, the second one reads.
        session.ring(two).write(&[depend(1, 4 * round + 2), record(codes::WRITE, WRITE, 1000)]);
        session.ring(one).write(&[depend(2, round + 1), record(codes::WRITE, WRITE, 1000)]);
        let end = [record(codes::END, 0, 0)];
        // Whether the block has ended does not matter.
        if round % 2 == 0 {
            session.ring(one).write(&end);
        }
        if scope != 0 {
            let (findings, _) = all_told(&session, scope);
            if let Test::Expects(name) = test {
                session.describe(What::Expected, scope, &format!("{} 77\n{name}", findings[0][0]));
            }
        }
        if round % 2 == 1 {
            session.ring(one).write(&end);
        }
    }
    let code = session.finish().expect("the first finish").exit_code;
    let text = fs::read_to_string(&file).expect("a report");
    (code, serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn what_is_violated_only_in_tests_that_expect_it_does_not_count() {
    use Test::{Expects, Fails, Outside};
    let (code, report) = judged("", &[Expects("a.ATest.g()"), Expects("a.ATest.f()"), Expects("a.ATest.f()")]);
    assert_eq!((code, &report["violations"]), (None, &Value::Array(Vec::new())), "{report}");
    assert_eq!((&report["violated"], &report["verdict"]), (&3.into(), &"non-serializable".into()));
    let one = &report["suppressed"][0];
    assert_eq!([&one["method"], &one["by"]], [&Value::from(VIOLATED), &"@ExpectViolation".into()]);
    assert_eq!((&one["count"], &one["reason"]), (&3.into(), &"expected by a.ATest.f(), a.ATest.g()".into()));
    for other in [Fails, Outside] {
        let (code, report) = judged("", &[Expects("a.ATest.f()"), other, Expects("a.ATest.f()")]);
        assert_eq!((code, &report["violations"][0]["count"]), (Some(66), &3.into()), "{report}");
        assert!(report["suppressed"].is_null(), "{report}");
    }
}

/// A line that suppresses it has matched something, and a baseline does not miss it.
#[test]
fn what_is_expected_and_also_suppressed_or_known_is_said_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let [lines, known] = ["lines", "known"].map(|name| folder.path().join(name));
    fs::write(&lines, "method:com.example.Box.m0\n").expect("written");
    let expects = || [Test::Expects("a.ATest.f()")];
    let (code, report) = judged(&format!("suppressions={}", lines.display()), &expects());
    assert_eq!((code, &report["suppressions"][0]["findings"]), (None, &1.into()), "{report}");
    assert!(report["suppressed"][0]["expected_by"].is_null(), "{report}");
    let id = report["suppressed"][0]["id"].as_str().expect("an id");
    fs::write(&known, format!("regiontrack-baseline 1\n{id}\t{VIOLATED}\tBox.value\tlost update\n")).expect("written");
    let (code, report) = judged(&format!("baseline={}", known.display()), &expects());
    assert_eq!((code, &report["suppressed"][0]["expected_by"][0]), (None, &"a.ATest.f()".into()), "{report}");
    let baseline = &report["baseline"];
    assert_eq!([&baseline["known"], &baseline["not_seen"]], [&Value::from(0), &Value::Array(Vec::new())], "{report}");
}

#[test]
fn an_answer_that_lacks_what_others_have_not_recorded_says_so() {
    let (session, one, [_, scope]) = reading("");
    session.ring(one).write(&[depend(2, 1), record(codes::WRITE, WRITE, 1000)]);
    let (methods, incomplete) = told(&session, scope);
    assert!(methods.is_empty() && incomplete.contains("waits for"), "{incomplete}");
}

#[test]
fn an_engine_that_judges_at_the_end_and_a_run_that_has_ended_say_so() {
    let session = Session::start(options("report=/dev/null,engine=velodrome")).expect("it starts");
    let scope = session.begin_scope(0);
    assert!(told(&session, scope).1.contains("engine velodrome says what is violated only when the JVM ends"));
    let (session, _, [_, scope]) = reading("");
    session.finish().expect("the first finish");
    assert!(told(&session, scope).1.contains("the analysis has failed or ended"));
}
