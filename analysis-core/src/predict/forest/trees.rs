//! Access trees: the accesses of each unit to variables that have escaped, with the synchronized blocks around them.
//!
//! The commit-node report, sections 3.1 and 7.2. A leaf is an access with the holds around it, outermost first; its
//! ancestors are those holds. Trees are *trimmed* (Theorem 7.1), and only a few of several identical ones are kept.
//!
//! # Where we differ
//! 1. The order of the units of a thread counts, so of the identical trees of one period the first and the last are
//!    kept: a path that comes along program order enters the last, one that leaves along it leaves the first.
//! 2. Events outside transactions need not stay together, so their order counts, too: of their accesses the first and
//!    the last of a kind are kept, not the first two.
//! 3. A hold of a loose lock is a leaf of its own ([`crate::predict::locks`]).

use rustc_hash::FxHashMap;

use crate::event::LabelId;
use crate::predict::Execution;
use crate::predict::escape::Access;
use crate::predict::ids::{At, HoldId, PeriodId, UnitId};
use crate::predict::units::Kind;

/// How trees are reduced.
#[derive(Clone, Copy, Debug)]
pub struct Thrift {
    /// Whether trees are trimmed (Theorem 7.1).
    pub trims: bool,
    /// Whether only two of the identical trees are kept.
    pub merges: bool,
}

impl Thrift {
    /// All reductions.
    pub const MOST: Thrift = Thrift { trims: true, merges: true };
    /// No reduction.
    pub const NONE: Thrift = Thrift { trims: false, merges: false };
}

/// The part of a unit from one of its events to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Its first event.
    pub first: At,
    /// Its last event.
    pub last: At,
}

/// The leaves of the kept trees, by unit; the leaves of a unit are in program order.
pub struct Trees {
    leaves: Vec<Access>,
    /// Each unit that has a tree, with the index of its first leaf.
    units: Vec<(UnitId, usize)>,
    /// By unit, the one whose tree represents its own.
    stands_for: FxHashMap<UnitId, UnitId>,
}

impl Trees {
    /// Builds the trees of an execution.
    pub fn new(execution: &Execution, thrift: Thrift) -> Trees {
        let mut leaves: Vec<Access> = execution.accesses.iter().chain(&execution.loose).copied().collect();
        leaves.sort_by_key(|leaf| (leaf.unit, leaf.at, leaf.var));
        if thrift.trims {
            leaves = trim(leaves, execution);
        }
        let mut trees = Trees { leaves, units: Vec::new(), stands_for: FxHashMap::default() };
        trees.index();
        if thrift.merges {
            trees.merge(execution);
        }
        trees
    }

    fn index(&mut self) {
        self.units.clear();
        for (index, leaf) in self.leaves.iter().enumerate() {
            if self.units.last().is_none_or(|(unit, _)| *unit != leaf.unit) {
                self.units.push((leaf.unit, index));
            }
        }
    }

    /// Keeps the first and the last of the identical trees of a period (1).
    fn merge(&mut self, execution: &Execution) {
        let mut copies: FxHashMap<Shape, (UnitId, UnitId)> = FxHashMap::default();
        let mut shapes: Vec<(UnitId, (UnitId, UnitId))> = Vec::new();
        for index in 0..self.units.len() {
            let unit = self.units[index].0;
            let shape = Shape::of(unit, self.of(index), execution);
            let kept = copies.entry(shape).or_insert((unit, unit));
            kept.1 = unit;
            shapes.push((unit, *kept));
        }
        let first_of: FxHashMap<UnitId, UnitId> = shapes.iter().map(|(unit, (first, _))| (*unit, *first)).collect();
        let kept: FxHashMap<UnitId, UnitId> = copies.into_values().collect();
        let stays = |unit: UnitId| {
            let first = first_of[&unit];
            unit == first || kept[&first] == unit
        };
        self.leaves.retain(|leaf| stays(leaf.unit));
        self.index();
        self.stands_for = first_of.into_iter().filter(|(unit, first)| unit != first).collect();
    }

    /// Returns each unit that has a tree.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.units.iter().map(|(unit, _)| *unit)
    }

    /// Returns all leaves.
    pub fn leaves(&self) -> &[Access] {
        &self.leaves
    }

    /// Returns the index range of the leaves of a unit.
    pub fn range(&self, unit: UnitId) -> std::ops::Range<usize> {
        let Ok(index) = self.units.binary_search_by_key(&unit, |(unit, _)| *unit) else { return 0..0 };
        self.bounds(index)
    }

    /// Returns the units whose trees are not kept, each with the unit that represents it.
    pub fn merged(&self) -> impl Iterator<Item = (UnitId, UnitId)> + '_ {
        let absent = self.stands_for.iter().filter(|(unit, _)| self.range(**unit).is_empty());
        absent.map(|(unit, first)| (*unit, *first))
    }

    fn bounds(&self, index: usize) -> std::ops::Range<usize> {
        let end = self.units.get(index + 1).map_or(self.leaves.len(), |(_, next)| *next);
        self.units[index].1..end
    }

    fn of(&self, index: usize) -> &[Access] {
        &self.leaves[self.bounds(index)]
    }
}

/// Returns the part of a hold that lies in a unit.
pub fn span_of(hold: HoldId, unit: UnitId, execution: &Execution) -> Span {
    let (hold, unit) = (execution.holds.get(hold), execution.units.get(unit));
    Span { first: hold.acquire.max(unit.first), last: hold.release.unwrap_or(unit.last).min(unit.last) }
}

/// The kept accesses of a kind below one parent.
#[derive(Default)]
struct Kept {
    count: u32,
    last: usize,
}

/// Theorem 7.1: below one parent, two of the reads and two of the writes of a variable are enough (2).
fn trim(leaves: Vec<Access>, execution: &Execution) -> Vec<Access> {
    let mut kept: Vec<Access> = Vec::with_capacity(leaves.len());
    let mut known: FxHashMap<(UnitId, Option<HoldId>, crate::event::VarId, bool), Kept> = FxHashMap::default();
    let mut unit = None;
    for leaf in leaves {
        if unit.replace(leaf.unit) != Some(leaf.unit) {
            known.clear();
        }
        let parent = execution.holds.in_context(leaf.context).last().copied();
        let of_kind = known.entry((leaf.unit, parent, leaf.var, leaf.is_write)).or_default();
        of_kind.count += 1;
        if of_kind.count <= 2 {
            of_kind.last = kept.len();
            kept.push(leaf);
        } else if !execution.units.get(leaf.unit).is_transaction() {
            kept[of_kind.last] = leaf;
        }
    }
    kept.sort_by_key(|leaf| (leaf.unit, leaf.at, leaf.var));
    kept
}

/// What makes two trees of a period identical.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    period: PeriodId,
    /// The label of a transaction.
    label: Option<LabelId>,
    /// Variables with the operation on each, and the locks around with the number of earlier holds of the unit.
    words: Vec<u64>,
}

impl Shape {
    fn of(unit: UnitId, leaves: &[Access], execution: &Execution) -> Shape {
        let mut holds: Vec<HoldId> = Vec::new();
        let mut words = Vec::new();
        for leaf in leaves {
            words.push(u64::from(leaf.var.0) << 1 | u64::from(leaf.is_write));
            for &hold in execution.holds.in_context(leaf.context) {
                let known = holds.iter().rposition(|known| *known == hold).unwrap_or_else(|| {
                    holds.push(hold);
                    holds.len() - 1
                });
                words.push(1 << 63 | (known as u64) << 32 | u64::from(execution.holds.get(hold).lock.0));
            }
        }
        let unit = execution.units.get(unit);
        let label = match unit.kind {
            Kind::Transaction { label, .. } => Some(label),
            Kind::Outside => None,
        };
        Shape { period: unit.period, label, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::execution;

    /// Returns the numbers of the leaves.
    fn leaves(trace: &str, thrift: Thrift) -> Vec<u64> {
        Trees::new(&execution(trace), thrift).leaves().iter().map(|leaf| leaf.at.number()).collect()
    }

    #[test]
    fn of_a_transaction_the_first_two_reads_and_writes_below_a_parent_are_kept() {
        let trace = "0:[ 0:r0 0:r0 0:r0 0:w0 0:w0 0:w0 0:a0 0:r0 0:l0 0:] 1:w0";
        assert_eq!(leaves(trace, Thrift::MOST), [2, 3, 5, 6, 9, 12]);
        assert_eq!(leaves(trace, Thrift::NONE).len(), 8);
    }

    #[test]
    fn of_other_units_the_first_and_the_last_are_kept() {
        assert_eq!(leaves("0:r0 0:r0 0:r0 0:r0 1:w0", Thrift::MOST), [1, 4, 5]);
    }

    #[test]
    fn of_identical_trees_of_a_period_the_first_and_the_last_are_kept() {
        let block = "0:[ 0:w0 0:] ";
        let others = "1:[ 1:w0 1:]";
        // The label is part of the shape, and here each block has its own.
        assert_eq!(leaves(&(block.repeat(4) + others), Thrift::MOST).len(), 5);
        assert_eq!(leaves(&("0:w0 0:f2 ".to_owned() + "0:r1 1:w1 1:w0"), Thrift::MOST).len(), 4);
    }
}
