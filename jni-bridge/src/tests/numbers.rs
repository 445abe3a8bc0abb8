//! Numbers that several threads have, one after the other: each is a separate thread, in findings and in traces.

use std::collections::HashSet;

use analysis_core::event::{Event, Op, ThreadId};
use analysis_core::protocol::record;
use analysis_core::report::Verdict;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use regiontrack_tests::generate;

use super::program::{Numbers, describe, expected, name, options, play_numbered, reported, verdict_on};
use crate::codes;
use crate::observed::What;
use crate::rings::Record;
use crate::session::Session;
use crate::shared::Sizes;

/// Room for everything, so that no thread waits.
const LARGE: Sizes = Sizes { smallest: 1 << 12, largest: 1 << 12, budget: 1 << 30 };

/// What a thread did, with the names of other threads; without releases, because the trace can have more of them.
fn deeds(trace: &[Event], thread: ThreadId, name: impl Fn(ThreadId) -> Option<String>) -> Vec<String> {
    let deed = |event: &Event| match event.op {
        Op::Release(_) => None,
        Op::Fork(u) => Some(format!("fork {:?}", name(u))),
        // The join of a thread that did nothing is left out.
        Op::Join(u) => name(u).map(|name| format!("join {name}")),
        Op::Begin(_) => Some("begin".to_owned()),
        Op::End => Some("end".to_owned()),
        Op::Read(_) => Some("read".to_owned()),
        Op::Write(_) => Some("write".to_owned()),
        _ => Some("acquire".to_owned()),
    };
    trace.iter().filter(|event| event.thread == thread).filter_map(deed).collect()
}

#[test]
fn runs_whose_threads_share_numbers_have_the_answer_of_the_reference_and_are_recorded_thread_by_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, file) = (folder.path().join("report.json"), folder.path().join("run.std"));
    let family = generate::find("fork-join").expect("the family");
    let (mut again, engines) = (0, ["reach", "regiontrack"]);
    for seed in 0..400 {
        let trace = family.trace(seed);
        let recording = record(&trace);
        let numbers = Numbers::reused(&trace, &recording);
        again += numbers.again();
        let engine = engines[seed as usize % engines.len()];
        let agent = format!("engine={engine},format=json,report={},record={}", report.display(), file.display());
        let session = Session::start_sized(options(&agent), LARGE).expect("it starts");
        describe(&session);
        play_numbered(&session, &recording, &numbers);
        let verdict = session.finish().expect("the first finish").verdict;
        let (is_non_serializable, counts) = expected(&trace);
        let right = verdict_on(&trace, is_non_serializable);
        assert_eq!(verdict, right, "{engine}, seed {seed}");
        assert_eq!(reported(&report).1, counts, "{engine}, seed {seed}");
        is_recorded(&trace, &recording.numbers, &file, seed);
    }
    assert!(again > 100, "only {again} threads had a number again");
}

/// Asserts that the recorded trace has each thread under its name, with what it did.
fn is_recorded(trace: &[Event], numbers: &[Vec<u64>], file: &std::path::Path, seed: u64) {
    let input = Input::open(file).expect("a trace");
    let mut reader = TraceReader::open(&input, Mode::Strict).expect("a trace");
    let (mut events, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1 << 10).unwrap_or_else(|error| panic!("seed {seed}: {error}")) > 0 {
        events.append(&mut batch);
    }
    // The trace marks that a thread waits where it joins one that did nothing.
    events.retain(|event| event.op != Op::Nop);
    let symbols = reader.symbols();
    let was_recorded = |number: usize, event: &Event| {
        let number = number as u64 + 1;
        numbers.get(event.thread.index()).is_some_and(|numbers| numbers.contains(&number))
    };
    let recorded: Vec<Event> = trace
        .iter()
        .enumerate()
        .filter(|(number, event)| was_recorded(*number, event))
        .map(|(_, event)| *event)
        .collect();
    let has_events = |thread: ThreadId| recorded.iter().any(|event| event.thread == thread);
    let active: HashSet<String> =
        (0..).map(ThreadId).take(numbers.len()).filter(|u| has_events(*u)).map(name).collect();
    let called = |name: String| active.contains(&name).then_some(name);
    for thread in (0..).map(ThreadId).take(numbers.len()) {
        let own = name(thread);
        let in_file = (0..).map(ThreadId).take(symbols.threads.len()).find(|u| symbols.thread(*u) == own);
        let done = in_file.map_or(Vec::new(), |u| deeds(&events, u, |other| called(symbols.thread(other).into())));
        assert_eq!(done, deeds(&recorded, thread, |other| called(name(other))), "seed {seed}, {own}");
    }
}

/// A record without a site.
fn bare(code: u8, extra: u32, word: u64) -> Record {
    Record { code, site: 0, extra, word }
}

#[test]
fn a_thread_is_joined_before_its_number_is_anothers_although_the_other_was_seen_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.std");
    let session = Session::start(options(&format!("report=/dev/null,record={}", file.display()))).expect("it starts");
    describe(&session);
    session.describe(What::Thread, 1, "first");
    session.describe(What::Thread, 2, "second");
    let depend = |thread: u64, position: u64| bare(codes::DEPEND, 0, thread << 43 | position);
    // Both threads with the number 2 are read before any event of the main thread, which joins the first.
    for (name, position, fork) in [("first", 0, 1), ("second", 1, 3)] {
        let ring = session.open(2, position, name);
        session.ring(ring).write(&[depend(1, fork), bare(codes::WRITE, 0, 17)]);
        session.close(ring);
    }
    let main = session.open(1, 0, "main");
    session.ring(main).write(&[
        bare(codes::FORK, 1, 2),
        depend(2, 1),
        bare(codes::JOIN, 0, 2),
        bare(codes::FORK, 2, 2),
        depend(2, 2),
        bare(codes::JOIN, 0, 2),
    ]);
    assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Undecided, "there is no block");
    let text = std::fs::read_to_string(&file).expect("a trace");
    let steps: Vec<&str> = text.lines().skip(1).map(|line| line.rsplit_once('|').expect("a place").0).collect();
    let expected = [
        "main|fork(first)",
        "first|w(array@17[0])",
        "main|join(first)",
        "main|fork(second)",
        "second|w(array@17[0])",
        "main|join(second)",
    ];
    assert_eq!(steps, expected);
}

#[test]
fn a_fork_has_the_name_of_the_thread_that_it_forks_although_a_newer_one_was_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.std");
    let session = Session::start(options(&format!("report=/dev/null,record={}", file.display()))).expect("it starts");
    // Neither thread ever makes an event.
    session.describe(What::Thread, 1, "older");
    session.describe(What::Thread, 2, "newer");
    let main = session.open(1, 0, "main");
    session.ring(main).write(&[bare(codes::FORK, 1, 2), bare(codes::JOIN, 1, 2), bare(codes::FORK, 2, 2)]);
    session.finish();
    let text = std::fs::read_to_string(&file).expect("a trace");
    assert_eq!(text, "# regiontrack: specification=default\nmain|fork(older)|\nmain|dummy(-)|\nmain|fork(newer)|\n");
}
