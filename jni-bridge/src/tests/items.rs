//! Dependency mode: the answers equal the reference's, whatever the threads hand over at the same time, wherever the run
//! ends, and whatever fails.

use std::collections::BTreeMap;
use std::path::Path;

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use analysis_core::protocol::record;
use analysis_core::report::Verdict;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use regiontrack_tests::generate::{self, CONFORMANCE};
use serde_json::{Value, json};

use super::hooks::{World, play_items};
use super::program::{Numbers, READ, WRITE, describe, expected, method, options, play, reported};
use crate::codes;
use crate::observed::What;
use crate::report::Ending;
use crate::rings::Record;
use crate::session::Session;

fn start(agent: &str, report: &Path) -> Session {
    let agent = format!("{agent},mode=dependencies,format=json,report={}", report.display());
    let session = Session::start(options(&agent)).expect("it starts");
    describe(&session);
    session
}

/// Ends the run, and closes its files.
fn finish(session: Session) -> Ending {
    session.finish().expect("the first finish")
}

/// The number of blocks of each method.
fn instances(trace: &[Event]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for event in trace {
        if let Op::Begin(label) = event.op {
            *counts.entry(method(label)).or_default() += 1;
        }
    }
    counts
}

/// Asserts that the report has the verdict, the violated methods and the instances of the reference. Returns the
/// report.
fn is_right(session: Session, trace: &[Event], report: &Path, which: &str) -> Value {
    let verdict = finish(session).verdict;
    let (is_non_serializable, counts) = expected(trace);
    let (report, found) = reported(report);
    // The end may come after the begin of a block and before its first event.
    let has_blocks = report["stats"]["blocks"] != 0;
    let right = match is_non_serializable {
        true => Verdict::NonSerializable,
        false if has_blocks => Verdict::Serializable,
        false => Verdict::Undecided,
    };
    assert_eq!(verdict, right, "{which}: {report}");
    assert_eq!(found, counts, "{which}");
    let warnings = usize::from(!has_blocks);
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(warnings), "{which}: {report}");
    report
}

fn own(thread: ThreadId) -> u64 {
    u64::from(thread.0) + 1
}

fn traces(seeds: u64) -> impl Iterator<Item = (String, Vec<Event>)> {
    CONFORMANCE
        .iter()
        .flat_map(move |family| (0..seeds).map(|seed| (format!("{} {seed}", family.name), family.trace(seed))))
}

#[test]
fn a_run_gets_the_verdict_the_violated_methods_and_the_instances_of_the_reference() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for (which, trace) in traces(200) {
        let session = start("", &file);
        let asked = play_items(&session, &trace, own, which.len() % 2 == 0, None);
        let report = is_right(session, &trace, &file, &which);
        let all = instances(&trace);
        for finding in ["violations", "waits_inside"].iter().flat_map(|list| report[list].as_array().expect("a list")) {
            let method = finding["method"].as_str().expect("a name");
            assert_eq!(finding["instances"].as_u64(), all.get(method).copied(), "{which}: {method}");
        }
        assert_eq!(report["stats"]["blocks"], all.values().sum::<u64>(), "{which}");
        let counted = report["violations"].as_array().expect("a list");
        assert!(counted.iter().all(|finding| finding["stack"].as_array().is_some_and(|frames| frames.len() == 2)));
        assert!(asked > 0 || counted.is_empty(), "{which}");
    }
}

/// The methods of a list: where they begin, how many instances are violated, and how many there are. The number of causes
/// depends on the mode: an implied dependency shows none of its own.
fn told(report: &Value, list: &str) -> BTreeMap<(String, String), (u64, u64)> {
    let mut all: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for entry in report[list].as_array().expect("a list") {
        let text = |key: &str| entry[key].as_str().expect("a text").to_owned();
        let number = |key: &str| entry[key].as_u64().expect("a number");
        let (count, instances) = all.entry((text("method"), text("begin"))).or_default();
        *count += number("count") - entry["again"].as_u64().unwrap_or(0);
        *instances = number("instances");
    }
    all
}

#[test]
fn both_modes_list_the_same_methods_and_the_same_that_wait_inside() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let mut waits = 0;
    for (which, trace) in traces(60) {
        let session = start("", &file);
        play_items(&session, &trace, own, true, None);
        finish(session);
        let items = reported(&file).0;
        let session = start("mode=stream", &file);
        play(&session, &record(&trace));
        finish(session);
        let stream = reported(&file).0;
        for list in ["violations", "waits_inside"] {
            assert_eq!(told(&items, list), told(&stream, list), "{which}: {list}");
        }
        waits += told(&items, "waits_inside").len();
    }
    assert!(waits > 30, "only {waits} methods wait inside");
}

#[test]
fn a_block_that_is_violated_for_two_causes_is_one_instance_of_two_findings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let (one, two, x, lock) = (ThreadId(0), ThreadId(1), VarId(0), LockId(0));
    let locked = |thread| [Op::Acquire(lock), Op::Release(lock)].map(|op| Event::new(thread, op));
    let mut trace = vec![Event::new(one, Op::Begin(LabelId(1))), Event::new(one, Op::Read(x))];
    trace.extend([Event::new(two, Op::Write(x)), Event::new(one, Op::Write(x))]);
    trace.extend([one, two, one].into_iter().flat_map(locked));
    trace.push(Event::new(one, Op::End));
    for agent in ["", "mode=stream"] {
        let session = start(agent, &file);
        match agent {
            "" => _ = play_items(&session, &trace, own, true, None),
            _ => play(&session, &record(&trace)),
        }
        finish(session);
        let report = reported(&file).0;
        let of =
            |finding: &Value| (finding["variables"][0].clone(), finding["count"].clone(), finding["again"].clone());
        let mut findings: Vec<_> = report["violations"].as_array().expect("a list").iter().map(of).collect();
        findings.sort_by_key(|(variable, ..)| variable.to_string());
        let right = [("Box.value".into(), 1.into(), Value::Null), ("lock Box".into(), 1.into(), 1.into())];
        assert_eq!((findings, &report["violated"]), (right.to_vec(), &1.into()), "{agent}: {report}");
    }
}

#[test]
fn threads_that_share_numbers_are_distinguished() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let family = generate::find("fork-join").expect("the family");
    let mut again = 0;
    for seed in 0..600 {
        let trace = family.trace(seed);
        let recording = record(&trace);
        let numbers = Numbers::reused(&trace, &recording);
        again += numbers.again();
        let session = start("", &file);
        play_items(&session, &trace, |thread| numbers.of(thread), true, None);
        is_right(session, &trace, &file, &format!("seed {seed}"));
    }
    assert!(again > 100, "only {again} threads had a number again");
}

#[test]
fn wherever_the_run_ends_the_answer_is_that_of_what_came_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for (which, trace) in traces(60) {
        let cut = Pcg64::seed_from_u64(which.len() as u64).random_range(0..trace.len());
        let session = start("", &file);
        play_items(&session, &trace, own, true, Some(cut));
        is_right(session, &trace[..cut], &file, &format!("{which}, cut at {cut}"));
    }
}

/// A random script for a thread: blocks, accesses and critical sections.
fn script(random: &mut Pcg64, length: usize) -> Vec<Op> {
    let (mut ops, mut depth, mut held) = (Vec::new(), 0, None);
    for _ in 0..length {
        let x = VarId(random.random_range(0..6));
        match random.random_range(0..10) {
            0 if depth < 3 => {
                depth += 1;
                ops.push(Op::Begin(LabelId(random.random_range(0..8))));
            }
            1 if depth > 0 => {
                depth -= 1;
                ops.push(Op::End);
            }
            2 => match held.take() {
                Some(lock) => ops.push(Op::Release(lock)),
                None => {
                    let lock = LockId(random.random_range(0..2));
                    held = Some(lock);
                    ops.push(Op::Acquire(lock));
                }
            },
            3..=5 => ops.push(Op::Write(x)),
            _ => ops.push(Op::Read(x)),
        }
    }
    ops.extend(held.map(Op::Release));
    ops
}

/// Runs a script in each of some threads at the same time; if `ends`, the end begins while they run. Returns the events
/// that count, in an order that respects the order of conflicting ones.
fn race(session: &Session, seed: u64, ends: bool) -> Vec<Event> {
    let world = World::new(session, 4);
    let mut events: Vec<(u64, Event)> = std::thread::scope(|scope| {
        let threads = (0..4).map(ThreadId).map(|thread| {
            let world = &world;
            scope.spawn(move || {
                let mut random = Pcg64::seed_from_u64(seed << 8 | u64::from(thread.0));
                let mut actor = world.actor(thread, thread.0 + 1);
                let mut events = Vec::new();
                for op in script(&mut random, 120) {
                    if let Op::Acquire(lock) = op {
                        actor.hold(lock.index());
                    }
                    let place = actor.act(op, own);
                    if let Op::Release(lock) = op {
                        actor.let_go(lock.index());
                    }
                    if !actor.is_cut {
                        events.push((place, Event::new(thread, op)));
                    }
                    if random.random_range(0..8) == 0 {
                        std::thread::yield_now();
                    }
                }
                actor.close();
                events
            })
        });
        let threads: Vec<_> = threads.collect();
        if ends {
            std::thread::yield_now();
            session.end();
        }
        threads.into_iter().flat_map(|thread| thread.join().expect("no assertion failed")).collect()
    });
    events.sort_by_key(|(place, _)| *place);
    events.into_iter().map(|(_, event)| event).collect()
}

#[test]
fn threads_that_call_at_the_same_time_get_the_answer_of_what_happened() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for seed in 0..150 {
        let session = start("", &file);
        let trace = race(&session, seed, false);
        let report = is_right(session, &trace, &file, &format!("seed {seed}"));
        assert_eq!(report["stats"]["blocks"], instances(&trace).values().sum::<u64>(), "seed {seed}");
    }
}

#[test]
fn an_end_among_running_threads_leaves_a_prefix_of_what_happened() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for seed in 0..150 {
        let session = start("", &file);
        let trace = race(&session, seed, true);
        is_right(session, &trace, &file, &format!("seed {seed}"));
    }
}

#[test]
fn an_engine_that_fails_is_switched_off_and_the_run_is_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let mut failed = 0;
    for (which, trace) in traces(10) {
        let session = start("fail_after=3", &file);
        play_items(&session, &trace, own, true, None);
        let verdict = finish(session).verdict;
        let (report, _) = reported(&file);
        let warnings = report["warnings"].to_string();
        if report["stats"]["events"]["recorded"].as_u64() >= Some(3) {
            failed += 1;
            // What was found before stays true.
            assert_ne!(verdict, Verdict::Serializable, "{which}");
            assert!(warnings.contains("the analysis failed: asked to fail after 3 events"), "{warnings}");
        } else {
            assert_eq!(warnings, "[]", "{which}");
        }
    }
    assert!(failed > 30, "{failed}");
}

/// An access of the only field.
fn access(code: u8) -> Record {
    Record { code, site: 0, extra: 0, word: 1000 }
}

fn record_of(code: u8, word: u64) -> Record {
    Record { code, site: 0, extra: 0, word }
}

#[test]
fn an_item_that_breaks_the_contract_makes_the_run_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let depend = [record_of(codes::DEPEND, 2 << 43 | 1), record_of(codes::OPEN, 0)];
    let good = [depend[0], depend[1], access(codes::READ)];
    let cases: [(&[Record], u64, &str); 7] = [
        (&good, 1, "a position that is not after 1"),
        (&[access(99)], 2, "unknown code 99"),
        (&[access(codes::READ), access(codes::READ)], 2, "unknown code 2"),
        (&[record_of(codes::POP, 0), access(codes::READ)], 2, "a block ends that no item has named"),
        (&[record_of(codes::OPEN, 0), access(codes::READ)], 2, "OPEN follows DEPEND"),
        (&depend, 2, "an item without an event"),
        (&[], 2, "an item of 0 records"),
    ];
    for (records, position, says) in cases {
        let session = start("", &file);
        let buffer = session.open(1, 1, "main");
        session.ring(buffer).put(records);
        assert_eq!(session.item(buffer, records.len() as u64, position), None, "{says}");
        assert_eq!(session.item(buffer, 3, 7), None, "{says}: switched off");
        session.close(buffer);
        assert_eq!(finish(session).verdict, Verdict::Incomplete, "{says}");
        let warnings = reported(&file).0["warnings"].to_string();
        assert!(warnings.contains(says), "{warnings} but not {says}");
    }
}

#[test]
fn two_threads_with_one_number_and_unknown_buffers_make_the_run_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let session = start("", &file);
    let first = session.open(1, 1, "first");
    let second = session.open(1, 1, "second");
    session.ring(second).put(&[access(codes::READ)]);
    assert_eq!(session.item(second, 1, 2), None);
    session.close(second);
    session.ring(first).put(&[access(codes::READ)]);
    assert_eq!(session.item(first, 1, 2), Some(false));
    // Memory that can be written, for callers that get no further answer.
    assert!(session.full(17, 1000) > 0 && session.counters(17, 1000) > 0);
    assert_eq!(finish(session).verdict, Verdict::Incomplete);
    let warnings = reported(&file).0["warnings"].to_string();
    for says in ["the number of another one (1)", "an unknown buffer (1)", "an unknown thread (1)"] {
        assert!(warnings.contains(says), "{warnings}");
    }
}

#[test]
fn a_larger_buffer_keeps_the_thread_and_its_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let session = start("verbose", &file);
    let small = session.open(1, 1, "main");
    session.ring(small).count(2, 5);
    let large = session.full(small, 1000);
    assert_eq!((session.ring(large).capacity(), session.full(large, 1000)), (1024, large));
    let mut records = vec![record_of(codes::PUSH, 2); 400];
    records.iter_mut().zip(2..).for_each(|(record, begin)| record.word = begin);
    records.push(access(codes::READ));
    session.ring(large).put(&records);
    assert_eq!(session.item(large, 401, 500), Some(false));
    session.ring(large).count(3, 7);
    session.close(large);
    finish(session);
    assert_eq!(reported(&file).0["stats"]["events"]["accesses"], 10);
}

#[test]
fn a_run_that_is_to_stop_at_a_violation_stops_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    // A lost update, which the second write of the first thread shows; then another one.
    let (x, label) = (VarId(0), LabelId(1));
    let thread = |thread, op| Event::new(ThreadId(thread), op);
    let lost = [
        thread(0, Op::Begin(label)),
        thread(0, Op::Read(x)),
        thread(1, Op::Write(x)),
        thread(0, Op::Write(x)),
        thread(0, Op::End),
    ];
    let trace = [&lost[..], &lost[..]].concat();
    for agent in ["halt_on_violation", "halt_on_violation,exitcode=3", "mode=stream,halt_on_violation"] {
        let session = start(agent, &file);
        if agent.contains("stream") {
            play(&session, &record(&trace));
        } else {
            assert_eq!(play_items(&session, &trace, own, true, None), 1, "the first alone is asked for its stack");
        }
        let code = if agent.contains('3') { 3 } else { 66 };
        if !agent.contains("stream") {
            assert_eq!(session.exit_code(), Some(code), "also if there will be no report");
        }
        let [ending, again] = [(); 2].map(|()| session.finish());
        assert_eq!(ending, again, "the later one can be what ends the VM");
        drop(session);
        let ending = ending.expect("a report");
        assert_eq!((ending.verdict, ending.exit_code), (Verdict::NonSerializable, Some(code)));
        let (report, counts) = reported(&file);
        assert_eq!(counts, BTreeMap::from([(method(label), 1)]), "{agent}: {report}");
        let stack = report["violations"][0]["stack"].as_array().map(Vec::len);
        assert_eq!(stack, (!agent.contains("stream")).then_some(2), "{agent}");
    }
}

#[test]
fn a_block_that_waits_inside_stops_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    // The thread forks another one, and sees what that one did.
    let (x, child) = (VarId(0), ThreadId(1));
    let thread = |thread, op| Event::new(ThreadId(thread), op);
    let trace = [
        thread(0, Op::Begin(LabelId(1))),
        thread(0, Op::Fork(child)),
        thread(1, Op::Write(x)),
        thread(0, Op::Read(x)),
        thread(0, Op::End),
    ];
    let session = start("halt_on_violation", &file);
    assert_eq!(play_items(&session, &trace, own, true, None), 0);
    assert_eq!(finish(session).exit_code, None);
    let report = reported(&file).0;
    assert_eq!((told(&report, "violations").len(), told(&report, "waits_inside").len()), (0, 1), "{report}");
}

/// A variable that another thread writes between a read and a write of the first one.
fn lost_update_by_two() -> [Event; 3] {
    let x = VarId(0);
    [(0, Op::Read(x)), (1, Op::Write(x)), (0, Op::Write(x))].map(|(thread, op)| Event::new(ThreadId(thread), op))
}

/// A block of the first thread with these events.
fn block(parts: &[&[Event]]) -> Vec<Event> {
    let end = |op| [Event::new(ThreadId(0), op)];
    [&end(Op::Begin(LabelId(1)))[..], &parts.concat(), &end(Op::End)].concat()
}

#[test]
fn a_block_that_waits_after_it_was_violated_is_no_suspicion_and_a_later_one_is_shown() {
    let (lost, fork) = (lost_update_by_two(), |child| Event::new(ThreadId(0), Op::Fork(ThreadId(child))));
    // Only the first violation of a method is shown, and the second one turns out to belong to another list.
    let twice = [block(&[&lost]), block(&[&lost, &[fork(2)]])].concat();
    let thrice = [&twice[..], &block(&[&[fork(3)], &lost])].concat();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for (trace, kind, edges) in [(twice, "interference", 0), (thrice, "lost update", 2)] {
        let session = start("", &file);
        play_items(&session, &trace, own, true, None);
        finish(session);
        let report = reported(&file).0;
        let waits = &report["waits_inside"][0];
        assert_eq!((&waits["kind"], waits.get("pair")), (&kind.into(), None), "{report}");
        assert_eq!(waits["edges"].as_array().map(Vec::len), Some(edges), "{report}");
        assert_eq!(told(&report, "violations").len(), 1);
    }
}

#[test]
fn where_many_have_waited_one_that_has_not_is_told_by_their_path() {
    let (lost, fork) = (lost_update_by_two(), |child| Event::new(ThreadId(0), Op::Fork(ThreadId(child))));
    let mut trace: Vec<Event> = (0..70).flat_map(|child| block(&[&lost, &[fork(2 + child)]])).collect();
    trace.extend(block(&[&lost]));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let session = start("", &file);
    // Only the first of them are shown as they happen.
    let shown = play_items(&session, &trace, own, true, None);
    finish(session);
    let report = reported(&file).0;
    let counted = |list: &str| (report[list][0]["count"].clone(), report[list][0]["edges"].as_array().map(Vec::len));
    assert_eq!(counted("violations"), (1.into(), Some(2)), "{report}");
    assert_eq!(counted("waits_inside"), (70.into(), Some(2)), "{report}");
    assert!(shown < 71, "{shown}");
}

#[test]
fn where_many_have_waited_one_that_has_not_stops_the_run() {
    let (lost, fork) = (lost_update_by_two(), |child| Event::new(ThreadId(0), Op::Fork(ThreadId(child))));
    let mut trace: Vec<Event> = (0..70).flat_map(|child| block(&[&[fork(2 + child)], &lost])).collect();
    trace.extend([block(&[&lost]), block(&[&lost])].concat());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let session = start("halt_on_violation", &file);
    // Its thread stops the run when it is asked for its stack.
    let asked = play_items(&session, &trace, own, true, None);
    assert_eq!((asked, finish(session).exit_code), (1, Some(66)));
    let report = reported(&file).0;
    let counted = |list: &str| report[list][0]["count"].clone();
    assert_eq!((counted("violations"), counted("waits_inside")), (1.into(), 70.into()), "{report}");
}

#[test]
fn a_text_report_shows_the_stack_and_every_event_of_an_epoch() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report");
    let session = Session::start(options(&format!("mode=dependencies,report={}", file.display()))).expect("it starts");
    describe(&session);
    let x = VarId(0);
    let thread = |thread, op| Event::new(ThreadId(thread), op);
    let trace = [
        thread(0, Op::Begin(LabelId(0))),
        thread(0, Op::Read(x)),
        thread(1, Op::Write(x)),
        thread(0, Op::Write(x)),
        thread(0, Op::End),
    ];
    play_items(&session, &trace, own, true, None);
    session.describe(What::Instrumented, 3, "com.example.Box");
    finish(session);
    let text = std::fs::read_to_string(&file).expect("a report");
    let table = "
   -----------------------------+-----------------------------
   begin(Box.m0)  Box.java:20   |
   read Box.value  Box.java:11  |
                                | write Box.value  Box.java:12
   write Box.value  Box.java:12 |
";
    let stack = "

   where worker-1 was then
     com.example.Box.set(Box.java:12)
     Main.main(Main.java:3)

   what to do next
";
    for says in ["1 of 1 block violated; 2 dependencies between threads, 2 threads", table, stack] {
        assert!(text.contains(says), "{text}");
    }
}

/// The main thread forks a thread, waits for it, and reads what it wrote, again and again; with `again` all threads use
/// one number, otherwise each has its own and is joined if `joins`. A block is open all the time if `around`. Returns
/// the numbers of known threads, of threads for which the feed keeps more than a name, and of names.
fn kept(count: u32, joins: bool, again: bool, around: bool) -> [usize; 3] {
    let (main, x) = (ThreadId(0), VarId(0));
    let mut trace = if around { vec![Event::new(ThreadId(1), Op::Begin(LabelId(7)))] } else { Vec::new() };
    for thread in (2..count + 2).map(ThreadId) {
        let block = |thread, op| [Op::Begin(LabelId(0)), op, Op::End].map(|op| Event::new(thread, op));
        trace.extend(block(main, Op::Fork(thread)));
        trace.extend(block(thread, Op::Write(x)));
        trace.extend(block(main, if joins { Op::Join(thread) } else { Op::Read(x) }));
    }
    // Both are still running at the end.
    trace.extend([Event::new(main, Op::Write(x)), Event::new(ThreadId(1), Op::Write(VarId(1)))]);
    let session = Session::start(options("mode=dependencies,report=/dev/null")).expect("it starts");
    describe(&session);
    let number = |thread: ThreadId| if again && thread.0 > 1 { 3 } else { own(thread) };
    play_items(&session, &trace, number, true, None);
    session.kept()
}

#[test]
fn threads_that_have_ended_leave_nothing_that_grows() {
    for (joins, around) in [(false, false), (true, false), (true, true)] {
        let (few, many) = (kept(300, joins, false, around), kept(3000, joins, false, around));
        assert_eq!(many, few, "writers, states, names");
        let [writers, states, names] = many;
        assert!(writers == 0 && states <= 66 && names <= 66, "{many:?}");
    }
    assert_eq!(kept(300, true, true, false), kept(3000, true, true, false));
}

/// What a thread reports of an access, of the access that it follows, and of its own one before that.
fn told_data(code: u8, site: u32, other: (u64, u32), own: (u64, u32)) -> String {
    let (other, own) = (format!("{}\t{}", other.0, other.1), format!("{}\t{}", own.0, own.1));
    format!("{code}\t{site}\t0\t1000\t{other}\t{own}\n")
}

#[test]
fn a_finding_of_a_lock_has_the_data_that_its_thread_tells_as_far_as_they_lie_on_its_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let (x, l) = (VarId(0), LockId(0));
    // By what is reported, with the stamps of the other thread before and in its section, and of the block's thread before and in the
    // block.
    type Tell = fn([u64; 2], [u64; 2]) -> String;
    let cases: [(&str, Tell, Value); 5] = [
        (
            "a check, a change, an act",
            |[_, other], [_, own]| told_data(codes::WRITE, WRITE, (other, WRITE), (own, READ)),
            json!([{
                "variable": "com.example.Box.value", "first": "read", "between": "written", "last": "written",
                "at": { "first": "Box.java:11", "between": "Box.java:12", "last": "Box.java:12" },
            }]),
        ),
        (
            "the block's own access was before the block",
            |[_, other], [before, _]| told_data(codes::READ, READ, (other, WRITE), (before, WRITE)),
            json!([{
                "variable": "com.example.Box.value", "between": "written", "last": "read",
                "at": { "between": "Box.java:12", "last": "Box.java:11" },
            }]),
        ),
        (
            "the other access was before the path came there",
            |[before, _], [_, own]| told_data(codes::READ, READ, (before, WRITE), (own, READ)),
            Value::Null,
        ),
        (
            "a write after a write and a read",
            |[_, other], [_, own]| {
                let read = told_data(codes::WRITE, WRITE, (other, READ), (0, 0));
                read + &told_data(codes::WRITE, WRITE, (other, WRITE), (own, READ))
            },
            json!([{
                "variable": "com.example.Box.value", "first": "read", "between": "read and written", "last": "written",
                "at": { "first": "Box.java:11", "between": "Box.java:12", "last": "Box.java:12" },
            }]),
        ),
        ("nonsense", |_, _| "1\t2\nx\n".to_owned(), Value::Null),
    ];
    for (what, tell, expected) in cases {
        let session = start("", &file);
        let world = World::new(&session, 2);
        let [mut block, mut other] = [0, 1].map(|thread| world.actor(ThreadId(thread), thread + 1));
        let section = |op| [Op::Acquire(l), op, Op::Release(l)];
        for op in section(Op::Write(x)) {
            other.act(op, own);
        }
        let others_before = other.word();
        // So that the block's thread knows of this before its block begins.
        for op in section(Op::Read(x)) {
            block.act(op, own);
        }
        let before = block.word();
        block.act(Op::Begin(LabelId(1)), own);
        for op in section(Op::Read(x)) {
            block.act(op, own);
        }
        let first = block.word();
        for op in section(Op::Write(x)) {
            other.act(op, own);
        }
        assert_eq!(block.asked, 0, "{what}");
        block.act(Op::Acquire(l), own);
        assert_eq!(block.asked, 1, "{what}");
        session.describe(What::Data, 1, &tell([others_before, other.word()], [before, first]));
        block.act(Op::Write(x), own);
        block.act(Op::End, own);
        block.close();
        other.close();
        finish(session);
        let report = reported(&file).0;
        let finding = &report["violations"][0];
        assert_eq!(finding["kind"], "stale check-then-act across critical sections", "{what}: {report}");
        assert_eq!(finding["data"], expected, "{what}: {report}");
    }
}
