//! Checks the promises of the stamp protocol (`analysis_core::protocol`) on a trace.
//!
//! | promise | checked in |
//! |---|---|
//! | every event is recorded once or covered; the merge respects happens-before | [`order`] |
//! | the verdicts follow from program order and recorded dependencies alone | [`verdict`] |
//! | the omitted accesses are exactly those that the definition calls redundant | [`filter`] |
//! | a merge of growing streams advances as far as it can, and names what is missing | [`pieces`] |
//!
//! Nothing here knows how the recorder works: definitions are evaluated on the trace.

use std::collections::HashMap;

use analysis_core::event::{Event, Op, Stamp, ThreadId};
use analysis_core::protocol::merge::Merge;
use analysis_core::protocol::{self, Item, Recording};

use crate::{shrink, text};

pub mod epochs;
pub mod filter;
pub mod order;
pub mod pieces;
pub mod verdict;

/// A trace, what the protocol recorded of it, and the streams merged again.
pub struct Recorded<'a> {
    /// What happened.
    pub trace: &'a [Event],
    /// The recording of the trace.
    pub recording: Recording,
    /// By thread: the recorded events with their dependencies, as in the stream.
    pub threads: Vec<Vec<Entry>>,
    /// All recorded events in the order of the merge.
    pub merged: Vec<Entry>,
}

/// A recorded event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The stamp that names it.
    pub stamp: Stamp,
    /// Its operation.
    pub op: Op,
    /// Its recorded dependencies, in order.
    pub dependencies: Vec<Stamp>,
}

impl<'a> Recorded<'a> {
    /// Records a trace and merges the streams.
    pub fn of(trace: &'a [Event]) -> Recorded<'a> {
        let recording = protocol::record(trace);
        let threads = (0..).map(ThreadId).zip(&recording.streams).map(|(thread, stream)| entries(thread, stream));
        let threads = threads.collect();
        let mut recorded = Recorded { trace, recording, threads, merged: Vec::new() };
        let mut items: Vec<_> = recorded.recording.streams.iter().map(|stream| stream.iter()).collect();
        let mut merged = Vec::new();
        run(&mut Merge::default(), items.len(), |thread| items[thread.index()].next().copied(), &mut merged);
        recorded.merged = merged;
        recorded
    }

    /// Returns the number in the trace of a recorded event.
    pub fn number(&self, stamp: Stamp) -> Option<u64> {
        let numbers = self.recording.numbers.get(stamp.thread().index())?;
        numbers.get(usize::try_from(stamp.position()).ok()?.checked_sub(1)?).copied()
    }

    /// Returns each recorded event by its number in the trace.
    fn by_number(&self) -> HashMap<u64, &Entry> {
        let entries = self.threads.iter().flatten();
        entries.filter_map(|entry| Some((self.number(entry.stamp)?, entry))).collect()
    }
}

/// Calls [`Merge::run`] once, and appends what it emits as entries.
fn run(merge: &mut Merge, threads: usize, pull: impl FnMut(ThreadId) -> Option<Item>, merged: &mut Vec<Entry>) {
    let threads = (0..).map(ThreadId).take(threads);
    merge.run(threads, pull, |stamp, op, dependencies: &[Stamp]| {
        merged.push(Entry { stamp, op, dependencies: dependencies.to_vec() });
    });
}

/// Converts a stream to entries. Positions count events.
fn entries(thread: ThreadId, stream: &[Item]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut dependencies = Vec::new();
    for item in stream {
        match *item {
            Item::Depend(stamp) => dependencies.push(stamp),
            Item::Event(op) => {
                let stamp = Stamp::new(thread, entries.len() as u64 + 1);
                entries.push(Entry { stamp, op, dependencies: std::mem::take(&mut dependencies) });
            }
        }
    }
    entries
}

/// Checks all promises of the protocol on one trace. `seed` decides how the streams grow.
pub fn check(trace: &[Event], seed: u64) -> Result<(), String> {
    let recorded = Recorded::of(trace);
    order::check(&recorded)?;
    filter::check(&recorded)?;
    verdict::check(&recorded)?;
    verdict::check_engines(&recorded)?;
    pieces::check_growing(&recorded, seed)?;
    pieces::check_withheld(&recorded, seed)
}

/// Returns what `check` says about the smallest trace that shows the fault of `trace`, together with that trace.
pub fn explain(trace: &[Event], check: impl Fn(&[Event]) -> Result<(), String>) -> String {
    let smallest = shrink::shrink(trace, |candidate| check(candidate).is_err());
    let fault = check(&smallest).expect_err("the shrinker keeps the failure");
    let streams = Recorded::of(&smallest).recording.streams;
    let streams = (0..).zip(streams).map(|(thread, stream)| format!("T{thread} {stream:?}\n")).collect::<String>();
    format!("{fault}\nsmallest trace that shows it:\n{}its streams:\n{streams}", text::to_std(&smallest))
}
