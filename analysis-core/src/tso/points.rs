//! When writes reach memory, as far as this is known or assumed.
//!
//! Events other than commits happen at the times that the trace gives them. A commit happens at some time after its
//! issue, after the commits that its thread issued before it, and before the next fence of its thread. Assumptions add
//! further orders between points. All of them can hold together iff the whole is acyclic: then any order of the points
//! that respects it is an execution of the trace.

use super::history::{Act, History, NONE};

/// Something that happens at one time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// The event with this number, which is not a commit.
    Event(u32),
    /// The commit of the write with this node.
    Commit(u32),
}

/// The first point is before the second.
pub type Assumption = (Point, Point);

/// Assumptions about one trace that can all hold at once.
pub struct Assumptions<'a> {
    history: &'a History,
    all: Vec<Assumption>,
}

impl<'a> Assumptions<'a> {
    /// Creates an empty set of assumptions.
    pub fn new(history: &'a History) -> Assumptions<'a> {
        Assumptions { history, all: vec![] }
    }

    /// Returns the number of assumptions, as a mark for [`Assumptions::back_to`].
    pub fn mark(&self) -> usize {
        self.all.len()
    }

    /// Removes the assumptions added since the mark.
    pub fn back_to(&mut self, mark: usize) {
        self.all.truncate(mark);
    }

    /// Returns all assumptions.
    pub fn into_all(self) -> Vec<Assumption> {
        self.all
    }

    /// Adds an assumption unless it contradicts the others.
    pub fn add(&mut self, assumption @ (before, after): Assumption) -> bool {
        if self.is_before(after, before) {
            return false;
        }
        if !is_certain(self.history, before, after) {
            self.all.push(assumption);
        }
        true
    }

    /// Returns whether `a` is `b` or before it, by the trace and the assumptions.
    fn is_before(&self, a: Point, b: Point) -> bool {
        let mut is_used = vec![false; self.all.len()];
        let mut reached = vec![a];
        while let Some(at) = reached.pop() {
            if is_certain(self.history, at, b) {
                return true;
            }
            for (index, &(before, after)) in self.all.iter().enumerate() {
                if !is_used[index] && is_certain(self.history, at, before) {
                    is_used[index] = true;
                    reached.push(after);
                }
            }
        }
        false
    }
}

/// Returns whether `a` is `b` or before it in every execution of the trace.
pub fn is_certain(history: &History, a: Point, b: Point) -> bool {
    match (a, b) {
        (Point::Event(a), Point::Event(b)) => a <= b,
        (Point::Event(a), Point::Commit(b)) => a <= history.node(b).event,
        (Point::Commit(a), Point::Event(b)) => is_fenced_by(history, a, b),
        (Point::Commit(a), Point::Commit(b)) => {
            let (first, second) = (history.node(a), history.node(b));
            (first.thread == second.thread && a <= b) || is_fenced_by(history, a, second.event)
        }
    }
}

fn is_fenced_by(history: &History, write: u32, event: u32) -> bool {
    let fence = history.node(write).fence;
    fence != NONE && fence <= event
}

/// Returns what must hold so that the unit of `from` comes before that of `to`, two accesses of one variable by two
/// threads of which one is a write: one or two assumptions.
///
/// A write before a write: its commit is first. A write before a read: it is committed before the read; if the read is
/// nevertheless served by its own thread's buffer, that write comes after and carries the order on. A read before a
/// write: the read is before the commit, and so is the commit of the write that may serve the read: until then no other
/// thread's commit matters to the read.
pub fn conditions(history: &History, from: u32, to: u32) -> [Option<Assumption>; 2] {
    let (first, second) = (history.node(from), history.node(to));
    match (first.act, second.act) {
        (Act::Write(_), Act::Write(_)) => [Some((Point::Commit(from), Point::Commit(to))), None],
        (Act::Write(_), _) => [Some((Point::Commit(from), Point::Event(second.event))), None],
        _ => {
            let own = (first.own != NONE).then_some((Point::Commit(first.own), Point::Commit(to)));
            [Some((Point::Event(first.event), Point::Commit(to))), own]
        }
    }
}
