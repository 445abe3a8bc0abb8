//! A program's side for tests: plays the streams of a trace, a thread each.

use std::collections::BTreeMap;
use std::path::Path;

use analysis_core::event::{Event, LabelId, Op, Stamp};
use analysis_core::protocol::{Item, Recording};
use serde_json::Value;

use crate::codes;
use crate::options::Options;
use crate::rings::Record;
use crate::session::{Session, What};

/// Sites of blocks are their label and this.
const BLOCKS: u32 = 100;
/// Sites of everything else.
const READ: u32 = 1;
const WRITE: u32 = 2;
const LOCK: u32 = 3;
const FORK: u32 = 4;
const JOIN: u32 = 5;
/// Most labels of generated traces.
const LABELS: u32 = 16;

/// Options from the agent's string.
pub(super) fn options(agent: &str) -> Options {
    Options::parse(agent, &[]).expect("good options")
}

/// What the program's side tells before it runs.
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
}

/// The name of a block's method.
pub(super) fn method(label: LabelId) -> String {
    if label == LabelId::NONE { String::new() } else { format!("com.example.Box.m{}()", label.0) }
}

/// Writes each thread's stream from a thread of its own.
pub(super) fn play(session: &Session, recording: &Recording) {
    std::thread::scope(|scope| {
        for (thread, stream) in (1u32..).zip(&recording.streams) {
            scope.spawn(move || write(session, thread, records(stream, recording)));
        }
    });
}

fn write(session: &Session, thread: u32, stream: Vec<Vec<Record>>) {
    if stream.is_empty() {
        return;
    }
    let is_access = |record: &&Record| matches!(record.code, codes::READ | codes::WRITE);
    let accesses = stream.iter().flatten().filter(is_access).count() as u64;
    let mut address = session.open(thread, 0, &format!("worker-{thread}"));
    for records in stream {
        let ring = session.ring(address);
        if ring.free() < records.len() as u64 {
            address = session.full(address, records.len() as u64);
        }
        session.ring(address).write(&records);
    }
    // As if three more of each had been redundant.
    session.ring(address).count(accesses, 3 * accesses);
    session.close(address);
}

/// Each event with what goes before it.
fn records(stream: &[Item], recording: &Recording) -> Vec<Vec<Record>> {
    let mut all = vec![Vec::new()];
    for item in stream {
        let last = all.last_mut().expect("never empty");
        match item {
            Item::Depend(on) => {
                let site = record(event(recording, *on)).site;
                last.push(Record { code: codes::DEPEND, site, extra: 0, word: word(*on) });
            }
            Item::Event(op) => {
                last.push(record(*op));
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

fn word(stamp: Stamp) -> u64 {
    u64::from(stamp.thread().0 + 1) << Stamp::POSITION_BITS | stamp.position()
}

fn record(op: Op) -> Record {
    let (code, site, extra, word) = match op {
        Op::Read(x) => (codes::READ, READ, x.0, 1000),
        Op::Write(x) => (codes::WRITE, WRITE, x.0, 1000),
        Op::Acquire(l) => (codes::ACQUIRE, LOCK, 7, 2000 + u64::from(l.0)),
        Op::Release(l) => (codes::RELEASE, LOCK, 7, 2000 + u64::from(l.0)),
        Op::Fork(u) => (codes::FORK, FORK, 0, u64::from(u.0) + 1),
        Op::Join(u) => (codes::JOIN, JOIN, 0, u64::from(u.0) + 1),
        Op::Begin(LabelId::NONE) => (codes::BEGIN, 0, 0, 0),
        Op::Begin(label) => (codes::BEGIN, BLOCKS + label.0, 0, 0),
        Op::End => (codes::END, 0, 0, 0),
        Op::Fence | Op::Commit(_) | Op::Nop => panic!("no hook records {op:?}"),
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

/// The same, as a JSON report says it.
pub(super) fn reported(file: &Path) -> (Value, BTreeMap<String, u64>) {
    let text = std::fs::read_to_string(file).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let mut counts = BTreeMap::new();
    for list in ["violations", "waits_inside"] {
        for entry in report[list].as_array().expect("a list") {
            let method = entry["method"].as_str().expect("a name").to_owned();
            *counts.entry(method).or_default() += entry["count"].as_u64().expect("a count");
        }
    }
    (report, counts)
}
