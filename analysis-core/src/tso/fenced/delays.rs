//! Whether delaying one thread's unfenced writes would close a cycle: decided at each access, from the edges between
//! threads.

use rustc_hash::FxHashMap;

use super::windows::Windows;
use crate::event::{Stamp, ThreadId, VarId};

/// For each thread with unfenced writes, what its reads after them reach, by paths that do not leave the thread at an
/// unfenced write.
#[derive(Default)]
pub(super) struct Delays {
    /// The threads whose rows are not empty.
    owners: Vec<ThreadId>,
    rows: FxHashMap<ThreadId, Row>,
    /// Kept to reuse its memory.
    scratch: Vec<Delayable>,
}

/// By reached thread.
type Row = FxHashMap<ThreadId, Reached>;

/// The writes of a thread that come after an event of another thread if they are delayed past it.
#[derive(Clone, Copy)]
struct Delayable {
    /// The first such event of its thread.
    since: u32,
    /// Places in the window: the writes before `from` serve the read that starts the path. While they are delayed,
    /// nothing comes after that read because of what it read.
    from: u32,
    /// The writes from here on come after the read anyway.
    to: u32,
}

/// Which writes of a window come after the events of one thread if they are delayed. All `since` grow.
#[derive(Default)]
struct Reached {
    /// Entries whose `from` is 0; each contains more writes.
    all: Vec<Delayable>,
    /// Other entries, none of them part of an earlier one.
    parts: Vec<Delayable>,
}

impl Delays {
    /// Returns whether no path has started.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// The writes of `thread` have reached memory.
    #[inline]
    pub(super) fn fence(&mut self, thread: ThreadId) {
        if !self.is_empty() && self.rows.remove(&thread).is_some() {
            self.owners.retain(|owner| *owner != thread);
        }
    }

    /// Extends the paths when an event follows one of another thread.
    pub(super) fn follow(&mut self, source: Stamp, me: Stamp) {
        for owner in self.owners.iter().filter(|owner| **owner != me.thread()) {
            let row = self.rows.get_mut(owner).expect("the row of an owner");
            let Some(reached) = row.get(&source.thread()) else { continue };
            self.scratch.clear();
            self.scratch.extend(reached.by(source.position() as u32));
            if !self.scratch.is_empty() {
                let mine = row.entry(me.thread()).or_default();
                self.scratch.iter().for_each(|delayable| mine.add(me, *delayable));
            }
        }
    }

    /// Records that a write of `x` follows `read`, an access of another thread. If that is a read with unfenced writes
    /// before it, paths start there.
    pub(super) fn depart(&mut self, read: Stamp, me: Stamp, x: VarId, windows: &mut Windows) {
        let owner = read.thread();
        let window = windows.of(owner);
        let Some(to) = window.writes_before(read.position()).filter(|to| *to > 0) else { return };
        let from = window.last_of(x, 0, to).map_or(0, |own| own + 1);
        if from == to {
            return;
        }
        let row = self.rows.entry(owner).or_insert_with(|| {
            self.owners.push(owner);
            Row::default()
        });
        row.entry(me.thread()).or_default().add(me, Delayable { since: 0, from, to });
    }

    /// Returns an unfenced write of `x` by another thread that, if delayed past the event `me`, comes both after and
    /// before it.
    pub(super) fn late(&self, me: Stamp, x: VarId, windows: &mut Windows) -> Option<u32> {
        self.owners.iter().filter(|owner| **owner != me.thread()).find_map(|owner| {
            let reached = self.rows[owner].get(&me.thread())?;
            let window = windows.of(*owner);
            let late =
                reached.all.last().into_iter().chain(&reached.parts).find_map(|d| window.last_of(x, d.from, d.to));
            late.map(|place| window.number(place))
        })
    }
}

impl Reached {
    /// Returns what comes after the event at `position`: of the entries in `all`, the largest.
    fn by(&self, position: u32) -> impl Iterator<Item = &Delayable> {
        let until = |list: &[Delayable]| list.partition_point(|delayable| delayable.since <= position);
        self.all[..until(&self.all)].last().into_iter().chain(&self.parts[..until(&self.parts)])
    }

    /// Adds what comes after `me`, unless it is known.
    fn add(&mut self, me: Stamp, Delayable { from, to, .. }: Delayable) {
        let is_known = |known: &Delayable| known.from <= from && known.to >= to;
        if self.all.last().is_some_and(is_known) || self.parts.iter().any(is_known) {
            return;
        }
        let list = if from == 0 { &mut self.all } else { &mut self.parts };
        list.push(Delayable { since: me.position() as u32, from, to });
    }
}
