//! A stand-in for the Java side: replays the streams of a trace, each in a thread.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId};
use analysis_core::protocol::{Item, Recording};
use analysis_core::report::Verdict;
use regiontrack_tests::happens_before::HappensBefore;
use serde_json::Value;

use crate::codes;
use crate::observed::What;
use crate::options::Options;
use crate::rings::Record;
use crate::session::Session;

/// The site of a block is its label plus this.
pub(super) const BLOCKS: u32 = 100;
/// Sites of everything else.
pub(super) const READ: u32 = 1;
pub(super) const WRITE: u32 = 2;
pub(super) const LOCK: u32 = 3;
pub(super) const FORK: u32 = 4;
pub(super) const JOIN: u32 = 5;
/// The most labels of generated traces.
pub(super) const LABELS: u32 = 16;
/// More than the threads of generated traces.
const THREADS: u32 = 64;

/// Options from the agent's string; stream mode, unless it says otherwise.
pub(super) fn options(agent: &str) -> Options {
    // Of an option that is given twice, the first value counts.
    Options::parse(&format!("{agent},mode=stream,overwrite=true"), &[]).expect("good options")
}

/// True if there is a block.
pub(super) fn has_block(trace: &[Event]) -> bool {
    trace.iter().any(|event| matches!(event.op, Op::Begin(_)))
}

/// The verdict on a trace of which nothing was lost.
pub(super) fn verdict_on(trace: &[Event], is_non_serializable: bool) -> Verdict {
    match is_non_serializable {
        true => Verdict::NonSerializable,
        false if has_block(trace) => Verdict::Serializable,
        false => Verdict::Undecided,
    }
}

/// What the Java side describes before the program runs.
pub(super) fn describe(session: &Session) {
    let site = |number, text: &str| session.describe(What::Site, number, &text.replace(' ', "\t"));
    site(READ, "read com.example.Box get ()I Box.java 11 com.example.Box.value");
    site(WRITE, "write com.example.Box set (I)V Box.java 12 com.example.Box.value");
    site(LOCK, "monitor com.example.Box lock ()V Box.java 13 ");
    site(FORK, "fork java.lang.Thread start ()V Thread.java 0 ");
    site(JOIN, "join java.lang.Thread join (J)V Thread.java 0 ");
    for label in 0..LABELS {
        site(BLOCKS + label, &format!("method com.example.Box m{label} ()V Box.java {} ", 20 + label));
    }
    session.describe(What::Type, 7, "com.example.Box");
    for thread in (0..THREADS).map(ThreadId) {
        session.describe(What::Thread, thread.0 + 1, &name(thread));
    }
}

/// The name of a block's method.
pub(super) fn method(label: LabelId) -> String {
    if label == LabelId::NONE { String::new() } else { format!("com.example.Box.m{}()", label.0) }
}

/// The number of each thread of a trace, and how many events of that number precede it. Threads can share a number.
pub(super) struct Numbers {
    numbers: Vec<(u32, u64)>,
    has_events: Vec<bool>,
}

impl Numbers {
    fn new(numbers: Vec<(u32, u64)>, recording: &Recording) -> Numbers {
        Numbers { numbers, has_events: recording.streams.iter().map(|stream| !stream.is_empty()).collect() }
    }

    fn has_events(&self, thread: ThreadId) -> bool {
        self.has_events.get(thread.index()).is_some_and(|has_events| *has_events)
    }

    /// A different number for each thread.
    pub(super) fn own(recording: &Recording) -> Numbers {
        Numbers::new((1..).zip(&recording.streams).map(|(number, _)| (number, 0)).collect(), recording)
    }

    /// The fewest numbers, reused as the hooks do: only if the fork of a thread happens after everything that the
    /// thread that had the number did, and after its joins.
    pub(super) fn reused(trace: &[Event], recording: &Recording) -> Numbers {
        let order = HappensBefore::of(trace);
        let mut numbers = vec![(0, 0); recording.streams.len()];
        let mut next = 0;
        // The last thread of each number.
        let mut last: Vec<ThreadId> = Vec::new();
        let is_about =
            |event: &Event, u: ThreadId| event.thread == u || matches!(event.op, Op::Fork(v) | Op::Join(v) if v == u);
        let mut threads: Vec<(Option<u64>, ThreadId)> = (0..)
            .map(ThreadId)
            .take(numbers.len())
            .map(|u| {
                let fork = (1..).zip(trace).find(|(_, event)| event.op == Op::Fork(u)).map(|(number, _)| number);
                (fork, u)
            })
            .collect();
        threads.sort();
        for (fork, thread) in threads {
            let is_over = |u: &ThreadId| {
                let all = (1..).zip(trace).filter(|(_, event)| is_about(event, *u));
                fork.is_some_and(|fork| all.into_iter().all(|(number, _)| order.holds(number, fork)))
            };
            numbers[thread.index()] = match last.iter_mut().find(|u| is_over(u)) {
                Some(former) => {
                    let (number, before) = numbers[former.index()];
                    let made = recording.numbers.get(former.index()).map_or(0, Vec::len) as u64;
                    *former = thread;
                    (number, before + made)
                }
                None => {
                    next += 1;
                    last.push(thread);
                    (next, 0)
                }
            };
        }
        Numbers::new(numbers, recording)
    }

    /// How many threads reuse a number.
    pub(super) fn again(&self) -> usize {
        let numbers: BTreeSet<u32> = self.numbers.iter().map(|(number, _)| *number).collect();
        self.numbers.len() - numbers.len()
    }

    /// The number of a thread.
    pub(super) fn of(&self, thread: ThreadId) -> u64 {
        self.numbers.get(thread.index()).map_or(u64::from(thread.0) + 1, |(number, _)| u64::from(*number))
    }

    fn word(&self, stamp: Stamp) -> u64 {
        let (number, before) = self.numbers[stamp.thread().index()];
        u64::from(number) << Stamp::POSITION_BITS | (before + stamp.position())
    }
}

/// Writes each thread's stream from a separate thread.
pub(super) fn play(session: &Session, recording: &Recording) {
    let numbers = &Numbers::own(recording);
    std::thread::scope(|scope| {
        for thread in (0..).map(ThreadId).take(recording.streams.len()) {
            scope.spawn(move || write(session, thread, records(thread, recording, numbers), numbers));
        }
    });
}

/// Writes each number's streams, one number after the other, the last first: so the threads that reuse a number are
/// known long before the threads that join their predecessors.
pub(super) fn play_numbered(session: &Session, recording: &Recording, numbers: &Numbers) {
    let mut threads: Vec<ThreadId> = (0..).map(ThreadId).take(recording.streams.len()).collect();
    threads.sort_by_key(|thread| {
        let (number, before) = numbers.numbers[thread.index()];
        (Reverse(number), before, *thread)
    });
    for thread in threads {
        write(session, thread, records(thread, recording, numbers), numbers);
    }
}

/// Writes this many events of each thread; then the end begins, and a thread with more to write finds no room.
pub(super) fn play_cut(session: &Session, recording: &Recording, cut: &[usize]) {
    let numbers = Numbers::own(recording);
    let mut goes_on = Vec::new();
    for (thread, most) in (0..).map(ThreadId).zip(cut) {
        let stream = records(thread, recording, &numbers);
        let is_cut = stream.len() > *most;
        let mut address = None;
        for records in &stream[..stream.len().min(*most)] {
            let at = *address.get_or_insert_with(|| session.open(thread.0 + 1, 0, "worker"));
            session.ring(at).write(records);
        }
        match address {
            _ if is_cut => goes_on.push((thread, address)),
            Some(address) => session.close(address),
            None => {}
        }
    }
    session.end();
    for (thread, address) in goes_on {
        match address {
            Some(address) => assert_ne!(session.full(address, 1), address, "there is room after the end"),
            None => drop(session.open(thread.0 + 1, 0, "worker")),
        }
    }
}

/// The name of a thread of a trace.
pub(super) fn name(thread: ThreadId) -> String {
    format!("worker-{}", thread.0 + 1)
}

fn write(session: &Session, thread: ThreadId, stream: Vec<Vec<Record>>, numbers: &Numbers) {
    if stream.is_empty() {
        return;
    }
    let is_access = |record: &&Record| matches!(record.code, codes::READ | codes::WRITE);
    let accesses = stream.iter().flatten().filter(is_access).count() as u64;
    let (number, before) = numbers.numbers[thread.index()];
    let mut address = session.open(number, before, &name(thread));
    for records in stream {
        let ring = session.ring(address);
        if ring.free() < records.len() as u64 {
            address = session.full(address, records.len() as u64);
        }
        session.ring(address).write(&records);
    }
    // As if three more accesses for each one had been redundant.
    session.ring(address).count(accesses, 3 * accesses);
    session.close(address);
}

/// The records of each event: its dependencies, then the event.
fn records(thread: ThreadId, recording: &Recording, numbers: &Numbers) -> Vec<Vec<Record>> {
    let mut all = vec![Vec::new()];
    for item in &recording.streams[thread.index()] {
        let last = all.last_mut().expect("never empty");
        match item {
            Item::Depend(on) => {
                let site = record(event(recording, *on), numbers).site;
                last.push(Record { code: codes::DEPEND, site, extra: 0, word: numbers.word(*on) });
            }
            Item::Event(op) => {
                last.push(record(*op, numbers));
                all.push(Vec::new());
            }
        }
    }
    all.pop();
    all
}

fn event(recording: &Recording, stamp: Stamp) -> Op {
    let events = recording.streams[stamp.thread().index()].iter().filter_map(|item| match item {
        Item::Event(op) => Some(*op),
        Item::Depend(_) => None,
    });
    let mut events = events;
    events.nth(stamp.position() as usize - 1).expect("a dependency is on an event")
}

fn record(op: Op, numbers: &Numbers) -> Record {
    let (code, site, extra, word) = match op {
        Op::Read(x) => (codes::READ, READ, x.0, 1000),
        Op::Write(x) => (codes::WRITE, WRITE, x.0, 1000),
        Op::Acquire(l) => (codes::ACQUIRE, LOCK, 7, 2000 + u64::from(l.0)),
        Op::Release(l) => (codes::RELEASE, LOCK, 7, 2000 + u64::from(l.0)),
        Op::Fork(u) => (codes::FORK, FORK, u.0 + 1, numbers.of(u)),
        Op::Join(u) => (codes::JOIN, JOIN, u32::from(!numbers.has_events(u)), numbers.of(u)),
        Op::Begin(LabelId::NONE) => (codes::BEGIN, 0, 0, 0),
        Op::Begin(label) => (codes::BEGIN, BLOCKS + label.0, 0, 0),
        Op::End => (codes::END, 0, 0, 0),
        Op::Fence => (codes::FENCE, WRITE, 0, 0),
        Op::Commit(_) | Op::Nop | Op::Together | Op::Update => panic!("no hook records {op:?}"),
    };
    Record { code, site, extra, word }
}

/// How often each method is violated, by brute force.
pub(super) fn expected(trace: &[Event]) -> (bool, BTreeMap<String, u64>) {
    let mut engine = (regiontrack_tests::compare::reference().build)();
    engine.feed(trace);
    let mut counts = BTreeMap::new();
    for violation in &engine.findings().violations {
        *counts.entry(method(violation.label)).or_default() += 1;
    }
    (engine.findings().is_non_serializable(), counts)
}

/// The same, from a JSON report: an instance that is violated for several causes is counted once.
pub(super) fn reported(file: &Path) -> (Value, BTreeMap<String, u64>) {
    let text = std::fs::read_to_string(file).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let mut counts = BTreeMap::new();
    let list = if report["suspected"].is_array() { "suspected" } else { "violations" };
    for list in [list, "waits_inside"] {
        for entry in report[list].as_array().expect("a list") {
            let method = entry["method"].as_str().expect("a name").to_owned();
            *counts.entry(method).or_default() +=
                entry["count"].as_u64().expect("a count") - entry["again"].as_u64().unwrap_or(0);
        }
    }
    (report, counts)
}
