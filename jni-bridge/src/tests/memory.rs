//! What is kept of dead threads and objects, counted in entries. The tests drive the analysis themselves, so each count
//! is exact.

use std::sync::Arc;

use crossbeam_channel::{Sender, unbounded};

use super::program::options;
use crate::analysis::{Analysis, Command};
use crate::codes;
use crate::names::Names;
use crate::rings::{End, Record, Ring};
#[cfg(target_os = "linux")]
use crate::session::Session;
use crate::shared::{Shared, Sizes};

struct Run {
    analysis: Analysis,
    commands: Sender<Command>,
    names: Arc<Names>,
    shared: Arc<Shared>,
}

impl Run {
    fn start(agent: &str) -> Run {
        let (names, shared) = (Arc::new(Names::default()), Arc::new(Shared::new(Sizes::default(), None, None)));
        let (commands, inbox) = unbounded();
        let analysis =
            Analysis::new(&options(agent), Arc::clone(&names), Arc::clone(&shared), inbox).expect("it starts");
        Run { analysis, commands, names, shared }
    }

    fn open(&self, thread: u32, position: u64, name: &str) -> Arc<Ring> {
        let ring = Arc::new(self.shared.ring(512, thread, false));
        self.commands.send(Command::Open { position, name: name.into(), ring: Arc::clone(&ring) }).expect("it listens");
        ring
    }

    fn kept(&self) -> [usize; 4] {
        let kept = self.analysis.kept();
        [kept.0, kept.1, kept.2, kept.3]
    }
}

fn record(code: u8, extra: u32, word: u64) -> Record {
    Record { code, site: 0, extra, word }
}

/// The main thread forks a thread that waits for it, reads what it wrote, and joins it if `joins`; with `again` all
/// threads use one number.
fn threads(count: u32, joins: bool, again: bool) -> Run {
    let mut run = Run::start("report=/dev/null");
    let main = run.open(1, 0, "main");
    let (mut position, mut before) = (0, 0);
    for thread in 0..count {
        let number = if again { 2 } else { thread + 2 };
        run.names.thread_name(thread + 1, &format!("worker-{thread}"));
        main.write(&[
            record(codes::BEGIN, 0, 0),
            record(codes::FORK, thread + 1, u64::from(number)),
            record(codes::END, 0, 0),
        ]);
        let ring = run.open(number, before, &format!("worker-{thread}"));
        let forked = record(codes::DEPEND, 0, 1 << 43 | (position + 2));
        ring.write(&[forked, record(codes::BEGIN, 0, 0), record(codes::WRITE, 0, 17), record(codes::END, 0, 0)]);
        ring.retire(End::Last);
        let last = record(codes::DEPEND, 0, u64::from(number) << 43 | (before + 3));
        let after = if joins { record(codes::JOIN, 0, u64::from(number)) } else { record(codes::READ, 0, 17) };
        main.write(&[record(codes::BEGIN, 0, 0), last, after, record(codes::END, 0, 0)]);
        position += 6;
        before += if again { 3 } else { 0 };
        drop(ring);
        while run.analysis.look() {}
    }
    run
}

#[test]
fn threads_that_have_ended_leave_nothing_that_grows() {
    for joins in [false, true] {
        let few = threads(300, joins, false).kept();
        let many = threads(3000, joins, false).kept();
        let [streams, merge, states, names] = many;
        assert_eq!(many, few, "streams, merge, states, names");
        assert!(streams <= 1 && merge <= 2 && states <= 66 && names <= 66, "{many:?}");
    }
}

#[test]
fn threads_that_reuse_a_number_leave_nothing() {
    assert_eq!(threads(300, true, true).kept(), threads(3000, true, true).kept());
}

#[test]
fn the_name_for_a_fork_is_dropped_with_the_fork() {
    let run = threads(300, true, false);
    assert!((1..=300).all(|number| run.names.take_thread(number).is_none()));
}

#[test]
fn no_thread_waits_for_room_once_the_analysis_reads_no_more() {
    let run = Run::start("report=/dev/null,fail_after=1");
    run.open(1, 0, "main").write(&[record(codes::READ, 0, 17)]);
    let Run { analysis, shared, .. } = run;
    assert!(analysis.run().failure.is_some_and(|why| why.contains("asked to fail")));
    assert!(!shared.is_running());
}

#[cfg(target_os = "linux")]
#[test]
fn counters_of_blocks_that_a_thread_never_enters_take_no_memory() {
    let resident = || {
        let pages = std::fs::read_to_string("/proc/self/statm").expect("it is there");
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
    };
    let session = Session::start(options("report=/dev/null,mode=dependencies")).expect("it starts");
    let address = session.open(1, 0, "main");
    let before = resident();
    // Grown once, so that known counts are kept.
    for blocks in [1 << 24, 1 << 26] {
        session.counters(address, blocks);
    }
    let more = resident().saturating_sub(before);
    assert!(more < 256 << 20, "{more} bytes of {}", (8 << 26) + (8 << 24));
}
