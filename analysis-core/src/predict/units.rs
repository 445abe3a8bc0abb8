//! Units and transactions: the pieces of an execution whose interleavings are judged.
//!
//! The commit-node report, section 2. A *transaction* is an outermost block. What a thread does outside transactions
//! forms *non-transactional units*, which need not be contiguous. A start or a join belongs to no unit and ends the
//! unit that is open; a block around it becomes two transactions.

use super::ids::{At, PeriodId, UnitId};
use crate::event::{Event, LabelId, Op, ThreadId};
use crate::graph::accesses::at as slot;

/// A unit.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its thread.
    pub thread: ThreadId,
    /// The period of its thread in which it happens.
    pub period: PeriodId,
    /// Whether it is meant to be atomic.
    pub kind: Kind,
    /// Its first event: an access, an acquire or a release.
    pub first: At,
    /// Its last event.
    pub last: At,
}

/// Whether a unit is meant to be atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is: an outermost block, or a part of one that a start or a join has split off.
    Transaction {
        /// The begin of the block.
        begin: At,
        /// The label of the block.
        label: LabelId,
    },
    /// It is not.
    Outside,
}

impl Unit {
    /// Returns whether it is meant to be atomic.
    pub fn is_transaction(&self) -> bool {
        self.kind != Kind::Outside
    }
}

/// The units of an execution.
#[derive(Default)]
pub struct Units {
    list: Vec<Unit>,
    threads: Vec<Thread>,
    /// For each unit, the units that come next: in program order, and by starts and joins.
    successors: Vec<Vec<UnitId>>,
}

#[derive(Default)]
struct Thread {
    depth: u32,
    block: Option<(At, LabelId)>,
    open: Option<UnitId>,
    /// The units of other threads that end before the next unit of the thread begins.
    sources: Vec<UnitId>,
    /// Its units in program order.
    units: Vec<UnitId>,
}

impl Units {
    /// Processes the next event, which its thread does in this period. Returns the unit that it belongs to, if any.
    pub fn step(&mut self, place: At, event: Event, period: PeriodId) -> Option<UnitId> {
        let thread = slot(&mut self.threads, event.thread.index());
        match event.op {
            Op::Begin(label) => {
                thread.depth += 1;
                if thread.depth == 1 {
                    thread.block = Some((place, label));
                    thread.open = None;
                }
                None
            }
            Op::End => {
                thread.depth = thread.depth.saturating_sub(1);
                if thread.depth == 0 && thread.block.take().is_some() {
                    thread.open = None;
                }
                None
            }
            Op::Fork(child) => {
                thread.open = None;
                let sources = thread.all_sources();
                slot(&mut self.threads, child.index()).sources.extend(sources);
                None
            }
            Op::Join(child) => {
                thread.open = None;
                let sources = slot(&mut self.threads, child.index()).all_sources();
                self.threads[event.thread.index()].sources.extend(sources);
                None
            }
            Op::Read(_) | Op::Write(_) | Op::Acquire(_) | Op::Release(_) => {
                let unit = thread.open.unwrap_or_else(|| self.open(place, event.thread, period));
                self.list[unit.index()].last = place;
                Some(unit)
            }
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => None,
        }
    }

    fn open(&mut self, place: At, name: ThreadId, period: PeriodId) -> UnitId {
        let unit = UnitId::of(self.list.len());
        let thread = &mut self.threads[name.index()];
        let kind = thread.block.map_or(Kind::Outside, |(begin, label)| Kind::Transaction { begin, label });
        self.list.push(Unit { thread: name, period, kind, first: place, last: place });
        self.successors.push(Vec::new());
        thread.open = Some(unit);
        for source in thread.units.last().copied().into_iter().chain(std::mem::take(&mut thread.sources)) {
            let successors = &mut self.successors[source.index()];
            if !successors.contains(&unit) {
                successors.push(unit);
            }
        }
        thread.units.push(unit);
        unit
    }

    /// Returns the unit with this id.
    pub fn get(&self, unit: UnitId) -> &Unit {
        &self.list[unit.index()]
    }

    /// Returns each unit with its id, in the order in which they began.
    pub fn iter(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.list.iter().enumerate().map(|(index, unit)| (UnitId::of(index), unit))
    }

    /// Returns the units that come next in program order, or because a start or a join orders them.
    pub fn successors(&self, unit: UnitId) -> &[UnitId] {
        &self.successors[unit.index()]
    }

    /// Returns the units of a thread in program order.
    pub fn of_thread(&self, thread: ThreadId) -> &[UnitId] {
        self.threads.get(thread.index()).map_or(&[], |thread| &thread.units)
    }

    /// Returns the unit of a thread that contains an event of it; the event must belong to a unit.
    pub fn containing(&self, thread: ThreadId, place: At) -> UnitId {
        let all = self.of_thread(thread);
        all[all.partition_point(|unit| self.get(*unit).first <= place) - 1]
    }

    /// Returns the number of units.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Thread {
    /// Returns the units that have ended when everything that the thread has done so far has ended.
    fn all_sources(&self) -> Vec<UnitId> {
        // The last unit follows all earlier sources, but not those that came after it.
        self.units.last().into_iter().chain(&self.sources).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::execution;

    /// Returns each unit as its thread, the numbers of its first and last event, and whether it is a transaction.
    fn cut(trace: &str) -> Vec<(u32, u64, u64, bool)> {
        let execution = execution(trace);
        let units = execution.units.iter();
        units.map(|(_, u)| (u.thread.0, u.first.number(), u.last.number(), u.is_transaction())).collect()
    }

    #[test]
    fn an_outermost_block_is_a_transaction_and_what_lies_between_blocks_a_unit() {
        let units = cut("0:r0 0:[ 0:w0 0:[ 0:w1 0:] 0:w2 0:] 0:r0 0:r1");
        assert_eq!(units, [(0, 1, 1, false), (0, 3, 7, true), (0, 9, 10, false)]);
    }

    #[test]
    fn a_start_and_a_join_end_a_unit_inside_a_block_too() {
        let units = cut("0:[ 0:w0 0:f1 0:w1 1:w0 0:j1 0:w2 0:]");
        assert_eq!(units, [(0, 2, 2, true), (0, 4, 4, true), (1, 5, 5, false), (0, 7, 7, true)]);
    }

    #[test]
    fn an_end_without_a_begin_ends_nothing() {
        assert_eq!(cut("0:w0 0:] 0:w1"), [(0, 1, 3, false)]);
    }

    #[test]
    fn units_follow_each_other_by_program_order_starts_and_joins_through_threads_without_units() {
        let execution = execution("0:w0 0:f1 1:f2 2:w0 1:j2 0:j1 0:w1");
        let after = |unit| execution.units.successors(UnitId(unit)).to_vec();
        assert_eq!(after(0), [UnitId(1), UnitId(2)]);
        assert_eq!(after(1), [UnitId(2)]);
    }
}
