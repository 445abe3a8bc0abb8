//! The end of a run whose threads are still running: what was published, closed under dependencies, gives the answer.

use analysis_core::event::{Event, Op, Stamp, ThreadId, VarId};
use analysis_core::protocol::{Item, Recording, record};
use analysis_core::report::Verdict;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use regiontrack_tests::generate::CONFORMANCE;

use super::program::{BLOCKS, READ, WRITE, describe, expected, has_block, options, play_cut, reported, verdict_on};
use crate::codes;
use crate::rings::Record;
use crate::session::Session;
use crate::shared::Sizes;

/// Room for everything, so that no thread waits.
const LARGE: Sizes = Sizes { smallest: 1 << 12, largest: 1 << 12, budget: 1 << 30 };

/// The recorded events that are among the first `cut` of their threads, and whose dependencies are also in the set.
fn closed(trace: &[Event], recording: &Recording, cut: &[usize]) -> Vec<Event> {
    let mut streams: Vec<_> = recording.streams.iter().map(|stream| stream.iter()).collect();
    let mut taken = vec![0u64; cut.len()];
    let mut is_stuck = vec![false; cut.len()];
    let mut events = Vec::new();
    for (number, event) in (1..).zip(trace) {
        let thread = event.thread.index();
        if !recording.numbers.get(thread).is_some_and(|numbers| numbers.contains(&number)) {
            continue;
        }
        let depends_on = streams[thread].by_ref().map_while(|item| match item {
            Item::Depend(on) => Some(*on),
            Item::Event(_) => None,
        });
        let depends_on: Vec<Stamp> = depends_on.collect();
        let is_missing = depends_on.iter().any(|on| taken[on.thread().index()] < on.position());
        is_stuck[thread] |= is_missing || taken[thread] as usize == cut[thread];
        if !is_stuck[thread] {
            taken[thread] += 1;
            events.push(*event);
        }
    }
    events
}

#[test]
fn wherever_threads_are_cut_the_answer_is_that_of_what_is_closed_under_dependencies() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let agent = format!("format=json,report={}", report.display());
    let mut dropped = 0;
    for family in CONFORMANCE {
        for seed in 0..60 {
            let trace = family.trace(seed);
            let recording = record(&trace);
            let mut random = Pcg64::seed_from_u64(seed);
            let lengths = recording
                .streams
                .iter()
                .map(|stream| stream.iter().filter(|item| matches!(item, Item::Event(_))).count());
            let cut: Vec<usize> = lengths.map(|length| random.random_range(0..=length)).collect();
            let session = Session::start_sized(options(&agent), LARGE).expect("it starts");
            describe(&session);
            play_cut(&session, &recording, &cut);
            let verdict = session.finish().expect("the first finish").verdict;
            let prefix = closed(&trace, &recording, &cut);
            dropped += cut.iter().sum::<usize>() - prefix.len();
            let (is_non_serializable, counts) = expected(&prefix);
            let right = verdict_on(&prefix, is_non_serializable);
            let which = format!("{} {seed}, cut at {cut:?}", family.name);
            assert_eq!(verdict, right, "{which}");
            let (report, found) = reported(&report);
            assert_eq!(found, counts, "{which}");
            assert_eq!(report["stats"]["events"]["recorded"], prefix.len(), "{which}");
            let warnings = usize::from(!has_block(&prefix));
            assert_eq!(report["warnings"].as_array().map(Vec::len), Some(warnings), "{which}: {report}");
        }
    }
    assert!(dropped > 500, "only {dropped} events came after an end");
}

/// A read that depends on an event of another thread.
fn read_after(thread: u64, position: u64) -> [Record; 2] {
    let depend = Record { code: codes::DEPEND, site: 0, extra: 0, word: thread << 43 | position };
    [depend, Record { code: codes::READ, site: 0, extra: 0, word: 1 }]
}

#[test]
fn what_waits_for_a_thread_that_first_appears_after_the_end_is_no_loss() {
    let session = Session::start(options("report=/dev/null")).expect("it starts");
    let main = session.open(1, 0, "main");
    let other = session.open(3, 0, "other");
    session.ring(main).write(&read_after(2, 1));
    session.ring(other).write(&read_after(1, 1));
    session.end();
    session.open(2, 0, "late");
    assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Undecided, "there is no block");
}

#[test]
fn what_waits_for_a_thread_that_ended_before_the_end_is_a_loss_though_others_are_cut() {
    let session = Session::start(options("report=/dev/null")).expect("it starts");
    let main = session.open(1, 0, "main");
    let ended = session.open(2, 0, "ended");
    let cut = session.open(3, 0, "cut");
    session.ring(main).write(&read_after(2, 1));
    session.close(ended);
    session.end();
    session.full(cut, 1);
    assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Incomplete);
}

#[test]
fn a_run_that_stops_at_a_violation_reads_nothing_after_it_and_misses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let agent = format!("halt_on_violation,format=json,report={}", file.display());
    let session = Session::start_sized(options(&agent), LARGE).expect("it starts");
    describe(&session);
    let [main, other, late] = [1, 2, 3].map(|thread| session.open(thread, 0, "worker"));
    let plain = |code, site| Record { code, site, extra: 0, word: 1 };
    // One thread waits for an event behind the violation, and another one is busy as long as the analysis reads.
    session.ring(late).write(&read_after(1, 100));
    let begin = plain(codes::BEGIN, BLOCKS);
    let write = plain(codes::WRITE, WRITE);
    let after_the_other = Record { code: codes::DEPEND, site: WRITE, extra: 0, word: 2 << 43 | 1 };
    let busy = [plain(codes::READ, READ); 500];
    session.ring(main).write(&[&[begin, plain(codes::READ, READ), after_the_other, write][..], &busy].concat());
    let after_the_read = Record { code: codes::DEPEND, site: READ, extra: 0, word: 1 << 43 | 2 };
    session.ring(other).write(&[after_the_read, write]);
    let ending = session.finish().expect("the first finish");
    assert_eq!((ending.verdict, ending.exit_code), (Verdict::NonSerializable, Some(66)));
    let (report, _) = reported(&file);
    assert_eq!(report["stats"]["events"]["recorded"], 4, "{report}");
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(0), "{report}");
}

#[test]
fn what_was_published_just_before_an_event_that_depends_on_it_is_read_at_the_end() {
    // Many rings, so that one is read long before the other.
    let (x, threads) = (VarId(0), 40);
    let writes = (0..threads).rev().map(|thread| Event::new(ThreadId(thread), Op::Write(x)));
    let trace: Vec<Event> = writes.collect();
    let recording = record(&trace);
    for _ in 0..20 {
        let session = Session::start_sized(options("report=/dev/null"), LARGE).expect("it starts");
        describe(&session);
        play_cut(&session, &recording, &[1; 40]);
        assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Undecided, "there is no block");
    }
}
