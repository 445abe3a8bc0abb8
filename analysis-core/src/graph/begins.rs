//! E: the first event of each thread that a begin of a running block happens before.
//!
//! Deeper blocks begin later and reach less, so for one thread `u` the first events that the open blocks of `a` reach
//! form a staircase of pairs (begins, first event reached). A step holds the *position* of the deepest begin that
//! reaches that far; it represents every open block that began at or before it, so a step stays right when inner blocks
//! end, and blocks that begin later never count as reached. Steps that no longer distinguish open blocks are merged, so
//! there are at most as many as there are open blocks, however many inner blocks have come and gone.

use crate::engine::{Edge, Sites};
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::rows::{NONE, Row, Thresholds};

/// A staircase of this length or more is compacted each time its length has doubled.
const LONG: usize = 16;

/// The matrix E, with the edge behind each entry.
#[derive(Default)]
pub(crate) struct Begins {
    /// The first step of each staircase.
    first: Thresholds,
    /// By thread reached, then by row: the staircase, ascending in both fields.
    steps: Vec<Vec<Vec<Step>>>,
    /// The threads that each row reaches.
    reached: Vec<Vec<ThreadId>>,
}

#[derive(Clone, Copy)]
struct Step {
    /// The deepest begin that happens before the event.
    begin: u64,
    /// The event, by an edge from `from`.
    at: u64,
    from: Stamp,
    sites: Sites,
}

impl Begins {
    /// Returns the deepest begin of `row` that happens before `event`, an event of a thread other than the row's.
    pub(crate) fn before(&self, row: Row, event: Stamp) -> Option<u64> {
        if self.first.get(row, event.thread()) > event.position() {
            return None;
        }
        let steps = &self.steps[event.thread().index()][row.index()];
        let reaching = steps.partition_point(|step| step.at <= event.position());
        Some(steps[reaching - 1].begin)
    }

    /// Adds to `rows` those with a begin that happens before `event`.
    pub(crate) fn reaching(&self, event: Stamp, rows: &mut Vec<Row>) {
        self.first.reaching(event.thread(), event.position(), rows);
    }

    /// Records that the begin at `begin` of `row`, and every earlier one, happens before `edge.to`, because of `edge`.
    /// `deepest_open(b)` is the begin of the deepest open block of the row that began at or before `b`.
    pub(crate) fn extend(&mut self, row: Row, begin: u64, edge: Edge, deepest_open: impl Fn(u64) -> u64) {
        let thread = edge.to.thread();
        let begin = deepest_open(begin);
        let now = edge.to.position();
        let staircase = self.staircase(row, thread);
        while let [.., lower, upper] = &staircase[..] {
            if deepest_open(lower.begin) != deepest_open(upper.begin) {
                break;
            }
            staircase.pop();
        }
        // If blocks close without notice, steps for one block may be below two for different blocks.
        if staircase.len() >= LONG && staircase.len().is_power_of_two() {
            staircase.dedup_by(|upper, lower| deepest_open(lower.begin) == deepest_open(upper.begin));
        }
        match staircase.last() {
            Some(top) if top.begin >= begin => return,
            _ => staircase.push(Step { begin, at: now, from: edge.from, sites: edge.sites }),
        }
        if self.first.get(row, thread) == NONE {
            self.first.set(row, thread, now);
            at(&mut self.reached, row.index()).push(thread);
        }
    }

    /// Returns the edges of a path from the block of `home` that began at `begin` to the end of `last`. The block must
    /// reach the start of `last`.
    pub(crate) fn path(&self, row: Row, home: ThreadId, begin: u64, last: Edge) -> Vec<Edge> {
        let mut walk = vec![last];
        let mut at = last.from;
        while at.thread() != home {
            let steps = &self.steps[at.thread().index()][row.index()];
            let step = steps[steps.partition_point(|step| step.begin < begin)];
            debug_assert!(step.at <= at.position(), "the path back to a begin goes back in time");
            walk.push(Edge { from: step.from, to: Stamp::new(at.thread(), step.at), sites: step.sites });
            at = step.from;
        }
        walk.reverse();
        walk
    }

    /// Clears a row whose transaction has ended.
    pub(crate) fn clear(&mut self, row: Row) {
        let Some(reached) = self.reached.get_mut(row.index()) else { return };
        for thread in reached.drain(..) {
            self.first.set(row, thread, NONE);
            self.steps[thread.index()][row.index()].clear();
        }
    }

    /// Frees the state of a thread that no begin reaches. Returns false if one does.
    pub(crate) fn forget(&mut self, thread: ThreadId) -> bool {
        let is_unreached = self.first.forget(thread);
        if is_unreached && let Some(steps) = self.steps.get_mut(thread.index()) {
            *steps = Vec::new();
        }
        is_unreached
    }

    /// The number of steps.
    #[cfg(test)]
    pub(crate) fn steps_in_all(&self) -> usize {
        self.steps.iter().flatten().map(Vec::len).sum()
    }

    fn staircase(&mut self, row: Row, thread: ThreadId) -> &mut Vec<Step> {
        at(at(&mut self.steps, thread.index()), row.index())
    }
}
