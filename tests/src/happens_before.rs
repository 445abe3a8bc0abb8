//! Happens-before over a trace, computed a second time.
//!
//! The reference engine keeps sets of events; here each event has a vector clock, filled from the definition of conflict
//! alone, so that a slip in one is not repeated in the other.

use analysis_core::event::{Event, Op, Stamp};

/// For each event of a trace, how much of each thread happens before it.
pub struct HappensBefore<'a> {
    trace: &'a [Event],
    /// `clocks[e][t]` is the position of the last event of thread `t` that is `e` or happens before it, 0 for none.
    clocks: Vec<Vec<usize>>,
}

impl<'a> HappensBefore<'a> {
    /// Compares every pair of events: quadratic in the length of the trace.
    pub fn of(trace: &'a [Event]) -> Self {
        let threads = trace.iter().map(|event| event.thread.index() + 1).max().unwrap_or(0);
        let mut clocks: Vec<Vec<usize>> = Vec::with_capacity(trace.len());
        for (later, event) in trace.iter().enumerate() {
            let mut clock = vec![0; threads];
            for earlier in (0..later).filter(|&earlier| conflict(trace[earlier], *event)) {
                for (mine, theirs) in clock.iter_mut().zip(&clocks[earlier]) {
                    *mine = (*mine).max(*theirs);
                }
            }
            clock[event.thread.index()] = later + 1;
            clocks.push(clock);
        }
        Self { trace, clocks }
    }

    /// Whether the event at position `earlier` happens before the one at `later`. Positions start at 1.
    pub fn holds(&self, earlier: u64, later: u64) -> bool {
        let (Some(first), Some(clock)) = (self.event(earlier), later.checked_sub(1)) else { return false };
        earlier < later
            && self.clocks.get(clock as usize).is_some_and(|clock| clock[first.thread.index()] as u64 >= earlier)
    }

    /// Whether the two events are of different threads, in this order in the trace, and conflict.
    pub fn is_edge(&self, from: Stamp, to: Stamp) -> bool {
        match (self.at(from), self.at(to)) {
            (Some(earlier), Some(later)) => {
                earlier.thread != later.thread && from.position() < to.position() && conflict(earlier, later)
            }
            _ => false,
        }
    }

    /// Returns the event that a stamp names, if its thread has an event at that position.
    pub fn at(&self, stamp: Stamp) -> Option<Event> {
        self.event(stamp.position()).filter(|event| event.thread == stamp.thread())
    }

    /// Returns the event at a position.
    pub fn event(&self, position: u64) -> Option<Event> {
        self.trace.get(usize::try_from(position.checked_sub(1)?).ok()?).copied()
    }
}

/// Conflict, by the definition in ARCHITECTURE.md.
pub fn conflict(earlier: Event, later: Event) -> bool {
    if earlier.thread == later.thread {
        return true;
    }
    match (earlier.op, later.op) {
        (Op::Fork(child), _) if child == later.thread => true,
        (_, Op::Join(child)) if child == earlier.thread => true,
        (Op::Release(l), Op::Acquire(k)) => l == k,
        (Op::Read(x), Op::Write(y)) | (Op::Write(x), Op::Read(y) | Op::Write(y)) => x == y,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn pairs(trace: &str) -> Vec<(u64, u64)> {
        let events = text::read(trace).expect("a readable trace").events;
        let order = HappensBefore::of(&events);
        let n = events.len() as u64;
        (1..=n).flat_map(|i| (1..=n).map(move |j| (i, j))).filter(|&(i, j)| order.holds(i, j)).collect()
    }

    #[test]
    fn two_reads_are_not_ordered() {
        assert_eq!(pairs("T0|r(x) T1|r(x) T2|w(x)"), [(1, 3), (2, 3)]);
    }

    #[test]
    fn a_release_is_ordered_before_acquires_but_not_an_acquire_before_releases() {
        assert_eq!(pairs("T0|rel(l) T1|acq(l) T2|acq(l) T3|rel(l)"), [(1, 2), (1, 3)]);
    }

    #[test]
    fn a_fork_comes_before_and_a_join_after_every_event_of_the_child() {
        assert_eq!(pairs("T0|fork(T1) T1|w(x) T1|w(y) T2|join(T1)"), [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]);
    }

    #[test]
    fn the_order_is_transitive() {
        assert_eq!(pairs("T0|w(x) T1|r(x) T1|w(y) T2|r(y)").len(), 6);
    }
}
