//! Dependency mode with tentative reads: what depends on one waits for its round, and the answers are those of what happened.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::rounds::tentative;
use analysis_core::report::Verdict;
use serde_json::Value;

use super::program::{BLOCKS, READ, WRITE, describe, options, reported};
use crate::codes;
use crate::items::MOST_WAITING;
use crate::report::Ending;
use crate::rings::Record;
use crate::session::Session;

fn start(agent: &str, report: &Path) -> Session {
    let agent = format!("{agent},mode=dependencies,format=json,report={}", report.display());
    let session = Session::start(options(&agent)).expect("it starts");
    describe(&session);
    session
}

fn finish(session: Session) -> Ending {
    session.finish().expect("the first finish")
}

/// A running thread with this number.
struct Thread<'a> {
    session: &'a Session,
    number: u32,
    buffer: usize,
}

impl<'a> Thread<'a> {
    fn open(session: &'a Session, number: u32, position: u64) -> Thread<'a> {
        Thread { session, number, buffer: session.open(number, position, &format!("worker {number} from {position}")) }
    }

    /// Hands over an item, after which the thread is at `position`.
    fn hand(&self, position: u64, records: &[&[Record]]) -> Option<bool> {
        let records = records.concat();
        self.session.ring(self.buffer).put(&records);
        self.session.item(self.buffer, records.len() as u64, position)
    }

    /// Settles its tentative read at this position.
    fn settle(&self, read: u64, position: u64, is_used: bool, earlier: &[Record]) -> Option<bool> {
        let mut first = bare(codes::SETTLED, word(mark(self.number, read)));
        first.extra = u32::from(is_used);
        self.hand(position, &[&[first], earlier])
    }

    fn finish_round(&self, position: u64) -> Option<bool> {
        self.hand(position, &[&[bare(codes::FINISHED, 0)]])
    }

    fn close(self) {
        self.session.close(self.buffer);
    }
}

fn bare(code: u8, word: u64) -> Record {
    Record { code, site: 0, extra: 0, word }
}

fn stamp(number: u32, position: u64) -> Stamp {
    Stamp::new(ThreadId(number), position)
}

/// The stamp of a tentative read.
fn mark(number: u32, position: u64) -> Stamp {
    tentative(stamp(number, position))
}

fn word(stamp: Stamp) -> u64 {
    u64::from(stamp.thread().0) << Stamp::POSITION_BITS | stamp.position()
}

/// A dependency on an event whose thread has, or had, an open block that begins at `open`; 0 for none.
fn on(stamp: Stamp, open: u64) -> [Record; 2] {
    [Record { site: READ, ..bare(codes::DEPEND, word(stamp)) }, bare(codes::OPEN, open)]
}

/// The block of method `m{label}` that begins at a position.
fn push(label: u32, begin: u64) -> [Record; 1] {
    [Record { site: BLOCKS + label, ..bare(codes::PUSH, begin) }]
}

/// An access to one of several variables.
fn access(code: u8, variable: u32) -> [Record; 1] {
    let site = if code == codes::READ { READ } else { WRITE };
    [Record { code, site, extra: variable, word: 1000 }]
}

/// The methods that are violated.
fn violated(report: &Value) -> Vec<&str> {
    let list = report["violations"].as_array().expect("a list");
    let mut methods: Vec<&str> = list.iter().map(|finding| finding["method"].as_str().expect("a name")).collect();
    methods.sort_unstable();
    methods
}

/// Whether the report warns of nothing but that these threads have counted no block.
fn is_complete(report: &Value) -> bool {
    let warnings = report["warnings"].as_array().expect("a list");
    warnings.iter().all(|warning| warning.as_str().is_some_and(|text| text.starts_with("no class was watched")))
}

#[test]
fn a_write_over_a_tentative_read_depends_on_what_the_read_turns_out_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let lost = vec!["com.example.Box.m1()"];
    // The first thread has read the variable before: in its block, which begins at 3, or before that.
    let cases: [(bool, Vec<Record>, Vec<&str>); 4] = [
        (true, Vec::new(), lost.clone()),
        (false, Vec::new(), Vec::new()),
        (false, on(stamp(1, 3), 3).to_vec(), lost),
        (false, on(stamp(1, 2), 0).to_vec(), Vec::new()),
    ];
    for (is_used, earlier, expected) in cases {
        let session = start("", &file);
        let [one, two] = [1, 2].map(|number| Thread::open(&session, number, 1));
        // The block begins at 3 and reads at 4.
        assert_eq!(two.hand(2, &[&on(mark(1, 4), 3), &access(codes::WRITE, 0)]), Some(false));
        assert_eq!(one.settle(4, 4, is_used, &earlier), Some(false));
        assert_eq!(one.finish_round(4), Some(false));
        let shows = one.hand(5, &[&push(1, 3), &on(stamp(2, 2), 0), &access(codes::WRITE, 0)]);
        assert_eq!(shows, Some(!expected.is_empty()), "{is_used} {earlier:?}");
        one.close();
        two.close();
        finish(session);
        let report = reported(&file).0;
        assert_eq!(violated(&report), expected, "{is_used} {earlier:?}: {report}");
        assert!(is_complete(&report), "{report}");
    }
}

#[test]
fn an_item_can_depend_on_rounds_of_several_threads_and_late_on_one_that_is_settled() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let session = start("", &file);
    let threads: Vec<Thread<'_>> = (1..=4).map(|number| Thread::open(&session, number, 1)).collect();
    let [one, two, three, four] = threads.as_slice() else { panic!("four threads") };
    // Three blocks read one variable and are overtaken; the second one has withdrawn its read.
    assert_eq!(two.settle(3, 3, false, &[]), Some(false));
    assert_eq!(three.settle(3, 3, true, &[]), Some(false));
    let all = [1, 2, 3].map(|number| on(mark(number, 3), 2)).concat();
    assert_eq!(four.hand(2, &[&all, &access(codes::WRITE, 0)]), Some(false));
    assert_eq!(two.finish_round(3), Some(false));
    assert_eq!(three.finish_round(3), Some(false));
    assert_eq!(one.settle(3, 3, true, &[]), Some(false));
    assert_eq!(one.finish_round(3), Some(false));
    for (number, thread) in (1..).zip([one, two, three]) {
        let is_violated = thread.hand(4, &[&push(number, 2), &on(stamp(4, 2), 0), &access(codes::WRITE, 0)]);
        assert_eq!(is_violated, Some(number != 2), "{number}");
    }
    finish(session);
    let report = reported(&file).0;
    assert_eq!(violated(&report), ["com.example.Box.m1()", "com.example.Box.m3()"], "{report}");
}

/// The second thread's block writes `y`, which the third one reads, before it writes `x`. The first one reads `x` and `z`, tentatively; then the
/// second one writes `z`: its block is violated if those reads were events. Returns what the calls said of the second one's
/// last write, and of the end of the round.
fn overtakes(session: &Session, is_used: bool) -> [Option<bool>; 3] {
    let threads: Vec<Thread<'_>> = (1..=3).map(|number| Thread::open(session, number, 1)).collect();
    let [one, two, three] = threads.as_slice() else { panic!("three threads") };
    let (y, z) = (1, 2);
    assert_eq!(three.hand(2, &[&on(stamp(2, 2), 2), &access(codes::READ, y)]), Some(false));
    let waits = two.hand(3, &[&push(1, 2), &on(mark(1, 3), 0), &access(codes::WRITE, z)]);
    if is_used {
        let read =
            one.hand(2, &[&[bare(codes::TENTATIVE, word(mark(1, 2)))], &on(stamp(3, 2), 0), &access(codes::READ, 0)]);
        assert_eq!(read, Some(false));
    }
    let settles = [2, 3].map(|read| one.settle(read, 3, is_used, &[]));
    [waits, settles[0], settles[1]]
}

#[test]
fn what_a_round_has_read_comes_before_the_item_that_has_waited_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for (is_used, expected) in [(true, vec!["com.example.Box.m1()"]), (false, Vec::new())] {
        let session = start("", &file);
        // The thread that settles its round is not the one whose block is violated, so it is asked for nothing.
        assert_eq!(overtakes(&session, is_used), [Some(false); 3]);
        assert_eq!(finish(session).verdict == Verdict::NonSerializable, is_used);
        let report = reported(&file).0;
        assert_eq!(violated(&report), expected, "{report}");
        assert_eq!(report["violations"][0].get("stack"), None, "{report}");
    }
}

static HALTS: AtomicU64 = AtomicU64::new(0);

#[test]
fn a_violation_in_an_item_that_has_waited_stops_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for is_used in [true, false] {
        let session = start("halt_on_violation", &file);
        session.on_halt(|| _ = HALTS.fetch_add(1, Ordering::Relaxed));
        overtakes(&session, is_used);
        assert_eq!(HALTS.swap(0, Ordering::Relaxed), u64::from(is_used));
        // No item is taken any more.
        let late = Thread::open(&session, 9, 1);
        assert_eq!(late.hand(2, &[&access(codes::READ, 7)]), if is_used { None } else { Some(false) });
        late.close();
        assert_eq!(finish(session).exit_code, is_used.then_some(66));
    }
}

/// A block is violated by another thread, behind an item that waits for an unrelated round.
fn behind(session: &Session) -> [Thread<'_>; 4] {
    let threads = [1, 2, 3, 4].map(|number| Thread::open(session, number, 1));
    let [_, two, three, four] = &threads;
    assert_eq!(two.hand(2, &[&on(mark(1, 2), 0), &access(codes::WRITE, 0)]), Some(false));
    assert_eq!(three.hand(2, &[&on(stamp(4, 2), 2), &access(codes::WRITE, 1)]), Some(false));
    // Nobody knows of the violation yet.
    assert_eq!(four.hand(3, &[&push(1, 2), &on(stamp(3, 2), 0), &access(codes::WRITE, 1)]), Some(false));
    threads
}

#[test]
fn all_items_wait_behind_one_and_threads_can_end_and_begin_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let mut edges = Vec::new();
    for waits in [true, false] {
        let session = start("", &file);
        let [one, two, three, four] = behind(&session);
        if !waits {
            one.settle(2, 2, false, &[]);
        }
        // Their names are others' before the items are made.
        for ended in [two, three, four] {
            ended.close();
        }
        let [third, fourth] = [3, 4].map(|number| Thread::open(&session, number, 10));
        assert_eq!(third.hand(12, &[&on(stamp(4, 11), 11), &access(codes::WRITE, 2)]), Some(false));
        let is_known = fourth.hand(12, &[&push(2, 11), &on(stamp(3, 12), 0), &access(codes::WRITE, 2)]);
        assert_eq!(is_known, Some(!waits));
        if waits {
            assert_eq!(one.settle(2, 2, false, &[]), Some(false));
        }
        assert_eq!(one.finish_round(2), Some(false));
        for thread in [one, third, fourth] {
            thread.close();
        }
        assert_eq!(session.kept()[0], 0);
        assert_eq!(finish(session).verdict, Verdict::NonSerializable);
        let report = reported(&file).0;
        assert_eq!(violated(&report), ["com.example.Box.m1()", "com.example.Box.m2()"], "{report}");
        assert!(is_complete(&report), "{report}");
        let mut all: Vec<String> = report["violations"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|finding| finding["edges"].to_string())
            .collect();
        all.sort();
        assert!(all.concat().contains("worker 4 from 10") && all.concat().contains("worker 4 from 1\""), "{report}");
        edges.push(all);
    }
    assert_eq!(edges[0], edges[1]);
}

#[test]
fn a_round_that_is_open_at_the_end_has_read_nothing_and_the_run_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    let session = start("", &file);
    behind(&session);
    // The block would be violated if its read were an event.
    let one = Thread::open(&session, 5, 1);
    let other = Thread::open(&session, 6, 1);
    assert_eq!(other.hand(2, &[&on(mark(5, 3), 2), &access(codes::WRITE, 3)]), Some(false));
    assert_eq!(one.hand(4, &[&push(3, 2), &on(stamp(6, 2), 0), &access(codes::WRITE, 3)]), Some(false));
    assert_eq!(finish(session).verdict, Verdict::NonSerializable);
    let report = reported(&file).0;
    assert_eq!((violated(&report), is_complete(&report)), (vec!["com.example.Box.m1()"], true), "{report}");
}

#[test]
fn a_round_that_is_not_settled_in_time_makes_the_run_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.json");
    for is_late in [false, true] {
        let session = start("", &file);
        let [one, two, three] = [1, 2, 3].map(|number| Thread::open(&session, number, 1));
        let all = [on(mark(1, 2), 0), on(mark(1, 3), 0)].concat();
        assert_eq!(two.hand(2, &[&all, &access(codes::WRITE, 0)]), Some(false));
        for position in (3..).take(MOST_WAITING - 1) {
            assert_eq!(three.hand(position, &[&access(codes::READ, 1)]), Some(false));
        }
        if is_late {
            assert_eq!(two.hand(3, &[&access(codes::READ, 1)]), Some(false));
        }
        for read in [2, 3] {
            assert_eq!(one.settle(read, 3, true, &[]), Some(false));
        }
        assert_eq!(one.finish_round(3), Some(false));
        assert_eq!(finish(session).verdict == Verdict::Incomplete, is_late);
        let warnings = reported(&file).0["warnings"].to_string();
        assert_eq!(warnings.contains("reads of a loop that a thread did not end in time (2)"), is_late, "{warnings}");
    }
}
