//! A run that is steered by a file of candidates: what the file has when the run is over.

use std::path::Path;

use analysis_core::event::Stamp;
use analysis_core::provoke::{self, Candidate, Candidates, State};

use super::program::{BLOCKS, FORK, READ, WRITE, describe, options};
use crate::codes;
use crate::observed::What;
use crate::rings::Record;
use crate::session::Session;

fn record(code: u8, site: u32, word: u64) -> Record {
    Record { code, site, extra: 0, word }
}

/// What became of the only candidate of a file, and how many schedules there are, after a run in which a thread was held in its block until
/// another one came, and the block was violated. Before its end the block makes these records.
fn after(behind: &[Record]) -> (State, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, schedules] = ["candidates", "schedules"].map(|name| folder.path().join(name));
    let place = |text: &str| text.parse().expect("a place");
    let [read, write] = ["com.example.Box.get:11 read value", "com.example.Box.set:12 write value"];
    let candidate = Candidate {
        block: "com.example.Box.m0()".to_owned(),
        variable: "Box.value".to_owned(),
        first: place(read),
        hold: place(read),
        last: place(write),
        other: place(write),
        enter: None,
        steps: Vec::new(),
    };
    let mut all = Candidates::new();
    all.add(candidate);
    provoke::write(&file, || Ok::<_, provoke::Error>(all)).expect("written");

    let given = format!("report=/dev/null,provoke={},schedules={}", file.display(), schedules.display());
    let session = Session::start(options(&given)).expect("it starts");
    describe(&session);
    session.describe(What::Found, 0, read);
    session.describe(What::Held, 1, "0\t2500\t1\t2");
    let [held, other] = [(1, "held"), (2, "other")].map(|(number, name)| session.open(number, 0, name));
    let depend = |thread: u64, position: u64| record(codes::DEPEND, READ, thread << Stamp::POSITION_BITS | position);
    session.ring(held).write(&[record(codes::BEGIN, BLOCKS, 0), record(codes::READ, READ, 2000)]);
    session.ring(other).write(&[depend(1, 2), record(codes::WRITE, WRITE, 2000)]);
    session.ring(held).write(&[depend(2, 1), record(codes::WRITE, WRITE, 2000)]);
    session.ring(held).write(behind);
    session.ring(held).write(&[record(codes::END, 0, 0)]);
    [held, other].into_iter().for_each(|ring| session.close(ring));
    session.finish().expect("it ends once");
    let candidates = provoke::read(&file).expect("it is one").expect("it is there");
    let state = candidates.in_order()[0].1.state();
    (state, written(&schedules))
}

fn written(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn a_violation_of_a_call_that_waits_for_other_threads_confirms_nothing() {
    assert_eq!(after(&[]), (State::Confirmed, 1));
    assert_eq!(after(&[record(codes::FORK, FORK, 3)]), (State::New, 0));
}
