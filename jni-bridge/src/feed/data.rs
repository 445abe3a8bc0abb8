//! Dependency mode: the data of a finding that rests on a lock, as the block's thread reports them.
//!
//! In the critical section that shows the violation, the accesses to what other threads have changed depend on these threads. The lock
//! implies these dependencies, so no item names them. The thread reports what it accesses there, whose access that follows, and which of
//! its own accesses the other one has replaced. Only what happened is reported: the other access lies on the path that leaves the block and
//! returns to it, and the block's own access before the path leaves it.

use analysis_core::engine::{Edge, Violation};
use analysis_core::event::{Op, Stamp, ThreadId};
use analysis_core::report::{Data, Datum, Did, Ends, EventDetail, Places, Witness};

use super::Feed;
use crate::provoke::Shown;
use crate::rings::Record;

/// What a path passes between leaving the block and returning to it.
#[derive(Clone)]
pub(crate) struct Path {
    /// The block's thread, its begin, and where the path leaves it.
    block: (ThreadId, u64, u64),
    /// The position of the event that shows the violation.
    event: u64,
    /// The other threads: where the path enters each, and where it leaves it.
    others: Vec<(ThreadId, u64, u64)>,
}

impl Path {
    /// The path of a violation whose data are to be reported; `None` if the violation does not rest on a lock.
    pub(super) fn of(violation: &Violation, witness: &Witness) -> Option<Path> {
        let (Data::Unknown, Some(out)) = (&witness.data, violation.edges.first()) else { return None };
        let steps = violation.edges.windows(2);
        let others = steps.map(|pair| (pair[0].to.thread(), pair[0].to.position(), pair[1].from.position()));
        Some(Path {
            block: (violation.thread, violation.begin, out.from.position()),
            event: violation.event,
            others: others.filter(|(thread, ..)| *thread != violation.thread).collect(),
        })
    }

    fn passes(&self, stamp: Stamp) -> bool {
        self.others.iter().any(|stretch| is_in(*stretch, stamp))
    }
}

fn is_in((thread, from, to): (ThreadId, u64, u64), stamp: Stamp) -> bool {
    stamp.thread() == thread && (from..=to).contains(&stamp.position())
}

/// An access of a block, and what it follows.
struct Told {
    record: Record,
    /// The stamp and the site of another thread's access.
    other: (Stamp, u32),
    /// Those of an earlier access of the block's thread, if known.
    own: Option<(Stamp, u32)>,
}

impl Told {
    /// Parses a line of [`crate::observed::What::Data`].
    fn parse(line: &str) -> Option<Told> {
        let numbers: Vec<u64> = line.split('\t').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [code, site, extra, word, other, other_site, own, own_site] = numbers[..] else { return None };
        let small = |number: u64| u32::try_from(number).ok();
        let stamp = |word| Record { code: 0, site: 0, extra: 0, word }.stamp();
        let record = Record { code: u8::try_from(code).ok()?, site: small(site)?, extra: small(extra)?, word };
        let own = if own == 0 { None } else { Some((stamp(own), small(own_site)?)) };
        Some(Told { record, other: (stamp(other), small(other_site)?), own })
    }
}

impl Feed {
    /// Takes the accesses of the thread whose blocks were just violated: one on each line.
    pub(super) fn data(&mut self, thread: ThreadId, text: &str) {
        for told in text.lines().filter_map(Told::parse) {
            let now = Stamp::new(thread, Stamp::MAX_POSITION);
            let [between, last] = self.both(told.other, told.record, now);
            let first = told.own.map(|(stamp, site)| (stamp, self.both((stamp, site), told.record, now)[0].clone()));
            let Feed { states, labels, shared, .. } = self;
            for open in states.open_mut(thread) {
                let label = open.label;
                for frozen in open.shown().filter_map(|violated| violated.frozen.as_mut()) {
                    let Some(path) = frozen.path.as_ref().filter(|path| path.passes(told.other.0)) else { continue };
                    let first = first.as_ref().filter(|(stamp, _)| is_in(path.block, *stamp)).map(|(_, first)| first);
                    add(&mut frozen.witness.data, datum(first, &between, &last));
                    if let Some(provoked) = &mut frozen.provoked {
                        let ends = [between.clone(), last.clone()];
                        let (&Path { block: (thread, begin, _), event, .. }, method) = (path, &*labels.name(label.0));
                        let shown = Shown { thread, begin, event, method, path: &ends };
                        shared.steered(|steered| steered.explain(provoked, shown));
                    }
                }
            }
        }
    }

    /// The ends of an edge from an event at a site to an access.
    fn both(&mut self, (stamp, site): (Stamp, u32), record: Record, now: Stamp) -> [EventDetail; 2] {
        let sites = self.pairs.sites(site, record, None, &mut self.lookup);
        let edge = Edge { from: stamp, to: now, sites };
        let nowhere = self.lookup.site(0);
        let view = self.view(&nowhere);
        [view.from(&edge), view.to(&edge)]
    }
}

fn datum(first: Option<&EventDetail>, between: &EventDetail, last: &EventDetail) -> Datum {
    let place = |detail: &EventDetail| Some(detail.location.clone()).filter(|place| !place.is_empty());
    let call = [Some(last), Some(between), first].into_iter().flatten().find_map(|detail| detail.call.as_ref());
    let words = last.access.split_once(' ').map_or("", |(_, subject)| subject);
    Datum {
        variable: call.map_or_else(|| words.to_owned(), |call| call.subject()),
        first: first.map(did),
        between: did(between),
        last: Some(did(last)),
        at: Places { first: first.and_then(place), between: place(between), last: place(last) },
    }
}

fn did(detail: &EventDetail) -> Did {
    let writes = matches!(detail.op, Op::Write(_));
    Did { reads: !writes, writes }
}

/// Adds a datum. If a write follows both a write and a read, the write says more.
fn add(data: &mut Data, datum: Datum) {
    if !matches!(data, Data::Known(_)) {
        *data = Data::Known(Vec::new());
    }
    let Data::Known(all) = data else { return };
    let is_same = |known: &&mut Datum| known.variable == datum.variable && known.at.last == datum.at.last;
    let Some(known) = all.iter_mut().find(is_same) else {
        all.push(datum);
        return;
    };
    if datum.between.writes && !known.between.writes {
        known.at.between = datum.at.between;
    }
    known.between = known.between.and(datum.between);
    if known.first.is_none() {
        known.first = datum.first;
        known.at.first = datum.at.first;
    }
}
