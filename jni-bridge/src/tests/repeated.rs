//! Repeated tests: what a test shows of itself, and not of others, and what its next repetition is steered to.

use analysis_core::event::Stamp;

use super::program::{BLOCKS, READ, WRITE, describe, options};
use crate::codes;
use crate::observed::What;
use crate::rings::Record;
use crate::session::Session;

const BEGIN: u32 = 0;
const NEXT: u32 = 1;
const OVER: u32 = 2;
const END: u32 = 3;

fn record(code: u8, site: u32, word: u64) -> Record {
    Record { code, site, extra: 0, word }
}

fn depend(thread: u64, position: u64) -> Record {
    record(codes::DEPEND, READ, thread << Stamp::POSITION_BITS | position)
}

fn session() -> Session {
    let session = Session::start(options("report=/dev/null,provoke=tests")).expect("it starts");
    describe(&session);
    session
}

/// A thread that works for a scope reads the variable in a block, and writes it. Returns its ring; its block stays
/// open.
fn takes(session: &Session, thread: u32, scope: u32, variable: u64) -> usize {
    let ring = session.open(thread, 0, "taker");
    let accesses = [record(codes::READ, READ, variable), record(codes::WRITE, WRITE, variable)];
    session.ring(ring).write(&[record(codes::SCOPE, 0, scope.into()), record(codes::BEGIN, BLOCKS, 0)]);
    session.ring(ring).write(&accesses);
    ring
}

/// Another thread writes the variable afterwards.
fn writes(session: &Session, thread: u32, scope: u32, (other, variable): (u64, u64)) {
    let ring = session.open(thread, 0, "writer");
    session.ring(ring).write(&[record(codes::SCOPE, 0, scope.into()), depend(other, 3)]);
    session.ring(ring).write(&[record(codes::WRITE, WRITE, variable)]);
}

/// A learning repetition, in which threads of its own scope and of another one do the same to different variables.
fn learns(session: &Session, is_own: bool) -> String {
    let (scope, other) = (session.begin_scope(0), session.begin_scope(0));
    assert_eq!(session.repeat(NEXT, scope), "learn");
    let of = if is_own { scope } else { other };
    takes(session, 1, of, 1000);
    writes(session, 2, of, (1, 1000));
    session.end_scope(scope);
    assert_eq!(session.repeat(OVER, 0), "");
    session.repeat(NEXT, session.begin_scope(0))
}

const BOX: &str = "com.example.Box";

#[test]
fn what_threads_of_the_test_show_is_what_its_next_repetition_is_steered_to() {
    let session = session();
    assert_eq!(session.repeat(BEGIN, 0), "");
    let (get, set) = (format!("{BOX}.get:11 read value"), format!("{BOX}.set:12 write value"));
    // A thread that comes too early does not wait in this repetition, and may in another one.
    let plan = format!("0\t{BOX}.m0()\t{get}\t{get}\t{set}\t{set}\t?{set}\t10\t0\t0\n");
    assert_eq!(learns(&session, true), plan);
    // A violation while a thread is held was provoked.
    session.describe(What::Held, 7, "0\t2500\t1\t2");
    let scope = session.begin_scope(0);
    let ring = session.open(7, 0, "held");
    session.ring(ring).write(&[record(codes::SCOPE, 0, scope.into()), record(codes::BEGIN, BLOCKS, 0)]);
    session.ring(ring).write(&[record(codes::READ, READ, 2000)]);
    let other = session.open(8, 0, "other");
    session.ring(other).write(&[depend(7, 2), record(codes::WRITE, WRITE, 2000)]);
    session.ring(ring).write(&[depend(8, 1), record(codes::WRITE, WRITE, 2000)]);
    let told = session.end_scope(scope);
    assert!(told.contains("provoked: held 3 ms at Box.java:11 until Box.java:12 was passed"), "{told}");
    assert_eq!(session.repeat(OVER, 0), "");
    // The candidate is confirmed, so that nothing is left but to learn again.
    assert_eq!(session.repeat(NEXT, scope), "learn");
    assert_eq!(session.repeat(END, 0), "");
}

#[test]
fn what_threads_do_for_other_tests_shows_nothing() {
    let session = session();
    assert_eq!(session.repeat(BEGIN, 0), "");
    assert_eq!(learns(&session, false), "learn");
}

#[test]
fn without_the_option_a_line_says_what_to_add() {
    let session = Session::start(options("report=/dev/null")).expect("it starts");
    assert_eq!(session.repeat(BEGIN, 0), "add provoke=tests to the options of the agent");
}

#[test]
fn when_the_analysis_has_ended_no_test_is_repeated() {
    let session = session();
    session.end();
    assert_eq!(session.repeat(BEGIN, 0), "the analysis has failed or ended");
}
