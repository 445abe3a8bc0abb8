//! Whole runs: the answers equal the reference's for every size of rings, and nothing hangs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use analysis_core::event::{Event, Op};
use analysis_core::protocol::record;
use analysis_core::report::Verdict;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use regiontrack_tests::generate::CONFORMANCE;

use super::program::{describe, expected, method, options, play, reported, verdict_on};
use crate::codes;
use crate::rings::Record;
use crate::session::Session;
use crate::shared::Sizes;

pub(super) const TINY: Sizes = Sizes { smallest: 4, largest: 16, budget: 1 << 20 };

fn run(agent: &str, sizes: Sizes, trace: &[Event]) -> Verdict {
    let session = Session::start_sized(options(agent), sizes).expect("it starts");
    describe(&session);
    play(&session, &record(trace));
    session.finish().expect("the first finish").verdict
}

pub(super) fn traces(seeds: u64) -> impl Iterator<Item = (String, Vec<Event>)> {
    CONFORMANCE
        .iter()
        .flat_map(move |family| (0..seeds).map(|seed| (format!("{} {seed}", family.name), family.trace(seed))))
}

#[test]
fn a_run_gets_the_verdict_and_the_violated_methods_of_the_reference() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    for (name, trace) in traces(60) {
        for sizes in [TINY, Sizes::default()] {
            let verdict = run(&format!("format=json,report={}", report.display()), sizes, &trace);
            let (is_non_serializable, counts) = expected(&trace);
            let right = verdict_on(&trace, is_non_serializable);
            assert_eq!(verdict, right, "{name}");
            assert_eq!(reported(&report).1, counts, "{name}");
        }
    }
}

#[test]
fn each_engine_says_of_a_run_what_it_says_of_the_recorded_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, file) = (folder.path().join("report.json"), folder.path().join("run.rtb"));
    for spec in regiontrack_tests::compare::engines_on_trial() {
        for (name, trace) in traces(10) {
            let paths = format!("report={},record={}", report.display(), file.display());
            let verdict = run(&format!("engine={},format=json,{paths}", spec.name), TINY, &trace);
            let (events, labels) = read(&file);
            let mut engine = (spec.build)();
            engine.feed(&events);
            let is_non_serializable = engine.findings().is_non_serializable();
            let right = match (is_non_serializable, spec.claim.only_warns()) {
                (_, true) => Verdict::Undecided,
                (true, false) => Verdict::NonSerializable,
                (false, false) => verdict_on(&events, false),
            };
            assert_eq!(verdict, right, "{} on {name}", spec.name);
            let mut counts = BTreeMap::new();
            for violation in &engine.findings().violations {
                *counts.entry(labels[violation.label.index()].clone()).or_default() += 1;
            }
            assert_eq!(reported(&report).1, counts, "{} on {name}", spec.name);
        }
    }
}

#[test]
fn a_recorded_trace_passes_the_strict_reader_and_has_the_same_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, file) = (folder.path().join("report.json"), folder.path().join("run.std.gz"));
    for (name, trace) in traces(30) {
        run(&format!("format=json,report={},record={}", report.display(), file.display()), TINY, &trace);
        let (events, labels) = read(&file);
        // A thread that is joined while it holds a lock releases it.
        let recorded = reported(&report).0["stats"]["events"]["recorded"].as_u64().expect("a count");
        let releases = |events: &[Event]| events.iter().filter(|event| matches!(event.op, Op::Release(_))).count();
        let put_in = (releases(&events) - releases(&trace)) as u64;
        // The join of a thread that did nothing leaves an event that shows a wait.
        let does_nothing =
            |event: &&Event| matches!(event.op, Op::Join(u) if trace.iter().all(|event| event.thread != u));
        let waits = events.iter().filter(|event| event.op == Op::Nop).count();
        assert_eq!(waits, trace.iter().filter(does_nothing).count(), "{name}");
        assert_eq!(events.len() as u64, recorded + put_in, "{name}");
        let mut engine = (regiontrack_tests::compare::reference().build)();
        engine.feed(&events);
        let (is_non_serializable, counts) = expected(&trace);
        assert_eq!(engine.findings().is_non_serializable(), is_non_serializable, "{name}");
        assert_eq!(engine.findings().violations.len() as u64, counts.values().sum::<u64>(), "{name}");
        assert!(labels.iter().all(|label| label.starts_with("com.example.Box.m")), "{labels:?}");
    }
}

#[test]
fn fences_are_in_the_recorded_trace_and_change_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, file) = (folder.path().join("report.json"), folder.path().join("run.rtb"));
    let fences = |events: &[Event]| events.iter().filter(|event| event.op == Op::Fence).count();
    for (name, trace) in traces(10) {
        let after = |event: &Event| matches!(event.op, Op::Write(_)).then(|| Event::new(event.thread, Op::Fence));
        let fenced: Vec<Event> = trace.iter().flat_map(|event| [Some(*event), after(event)]).flatten().collect();
        for engine in ["reach", "velodrome"] {
            let paths = format!("report={},record={}", report.display(), file.display());
            let verdict = run(&format!("engine={engine},format=json,{paths}"), TINY, &fenced);
            let (is_non_serializable, counts) = expected(&trace);
            let right = verdict_on(&trace, is_non_serializable);
            assert_eq!(verdict, right, "{engine} on {name}");
            assert!(engine == "velodrome" || reported(&report).1 == counts, "{engine} on {name}");
            assert_eq!(fences(&read(&file).0), fences(&fenced), "{name}");
        }
    }
}

pub(super) fn read(file: &Path) -> (Vec<Event>, Vec<String>) {
    let input = Input::open(file).expect("a trace");
    let mut reader = TraceReader::open(&input, Mode::Strict).expect("a trace");
    let (mut events, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1 << 10).expect("a well-formed trace") > 0 {
        events.append(&mut batch);
    }
    let labels = &reader.symbols().labels;
    (events, (0..labels.len()).map(|number| labels.name(number as u32).into_owned()).collect())
}

#[test]
fn an_analysis_that_fails_leaves_the_program_alone_and_says_that_the_run_is_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    for (name, trace) in traces(10) {
        let verdict = run(&format!("format=json,fail_after=3,report={}", report.display()), TINY, &trace);
        assert_eq!(verdict, Verdict::Incomplete, "{name}");
        let (report, _) = reported(&report);
        let warnings = report["warnings"].to_string();
        assert!(warnings.contains("the analysis failed: asked to fail after 3 events"), "{warnings}");
    }
}

#[test]
fn the_run_ends_although_a_thread_never_stops_writing() {
    let session = Session::start_sized(options("report=/dev/null"), TINY).expect("it starts");
    let is_stopped = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut address = session.open(1, 0, "endless");
            while !is_stopped.load(Ordering::Relaxed) {
                if session.ring(address).free() < 1 {
                    address = session.full(address, 1);
                }
                session.ring(address).write(&[Record { code: codes::READ, site: 0, extra: 0, word: 1 }]);
            }
            session.close(address);
        });
        std::thread::sleep(Duration::from_millis(20));
        let started = Instant::now();
        let ending = session.finish().expect("the first finish");
        is_stopped.store(true, Ordering::Relaxed);
        assert!(started.elapsed() < Duration::from_secs(5));
        assert_eq!(ending.verdict, Verdict::Undecided, "there is no block");
        assert_eq!(session.finish(), Some(ending), "the later one can be what ends the VM");
    });
}

#[test]
fn an_event_whose_dependency_never_comes_makes_the_run_incomplete() {
    let session = Session::start(options("report=/dev/null")).expect("it starts");
    let address = session.open(1, 0, "main");
    let ring = session.ring(address);
    ring.write(&[
        Record { code: codes::DEPEND, site: 0, extra: 0, word: 2 << 43 | 5 },
        Record { code: codes::READ, site: 0, extra: 0, word: 1 },
    ]);
    assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Incomplete);
}

#[test]
fn a_reused_number_continues_where_it_stopped_and_gets_another_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.std");
    let session = Session::start(options(&format!("report=/dev/null,record={}", file.display()))).expect("it starts");
    describe(&session);
    let begin = Record { code: codes::BEGIN, site: 100, extra: 0, word: 0 };
    let end = Record { code: codes::END, ..begin };
    for (position, name) in [(0, "first"), (2, "second"), (4, "first")] {
        let address = session.open(1, position, name);
        session.ring(address).write(&[begin, end]);
        session.close(address);
    }
    // Two threads cannot have the same number at the same time.
    let open = session.open(1, 6, "third");
    let other = session.open(1, 6, "fourth");
    session.ring(open).write(&[begin]);
    session.ring(other).write(&[begin]);
    assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Incomplete);
    let text = std::fs::read_to_string(&file).expect("a trace");
    let label = method(analysis_core::event::LabelId(0));
    let place = "com.example.Box.m0:20";
    let block = |name: &str| format!("{name}|begin({label})|{place}\n{name}|end|{place}\n");
    let expected = "# regiontrack: specification=default\n".to_owned()
        + &block("first")
        + &block("second")
        + &block("first#2")
        + &format!("third|begin({label})|{place}\n")
        + "# regiontrack: incomplete=not observed: a thread that has the number of another one (1)\n";
    assert_eq!(text, expected);
}

#[test]
fn blocks_that_a_dead_thread_left_open_do_not_pass_to_the_next_thread_of_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let session = Session::start(options(&format!("format=json,report={}", report.display()))).expect("it starts");
    describe(&session);
    let record = |code, site, word| Record { code, site, extra: 0, word };
    let stamp = |thread: u64, position: u64| thread << 43 | position;
    // 2 dies inside a block; 1 joins it and starts another thread with its number, which only begins and ends a block.
    let main = session.open(1, 0, "main");
    session.ring(main).write(&[record(codes::FORK, 0, 2)]);
    let first = session.open(2, 0, "first");
    let begin = [record(codes::DEPEND, 0, stamp(1, 1)), record(codes::BEGIN, 100, 0)];
    session.ring(first).write(&begin);
    session.close(first);
    session.ring(main).write(&[
        record(codes::DEPEND, 0, stamp(2, 1)),
        record(codes::JOIN, 0, 2),
        record(codes::FORK, 0, 2),
    ]);
    let next = session.open(2, 1, "next");
    let depend = record(codes::DEPEND, 0, stamp(1, 3));
    session.ring(next).write(&[depend, record(codes::BEGIN, 100, 0), record(codes::END, 100, 0)]);
    assert_eq!(session.finish().expect("the first finish").verdict, Verdict::Serializable);
}
