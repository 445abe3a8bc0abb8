//! Section 4.2: two transactions, two variables. 2-blocks, and their unserializable interleavings.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{boundary, held, held_throughout, meet, units};
use crate::event::{LabelId, LockId, VarId};
use crate::predict::Execution;
use crate::predict::algorithm::{Outcome, Pattern, Warning};
use crate::predict::budget::{Budget, Exhausted};
use crate::predict::escape::Access;
use crate::predict::holds::Hold;
use crate::predict::ids::{At, PeriodId, UnitId};
use crate::predict::units::Kind;

/// Two uninitialized reads or final writes of a transaction, of different variables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct TwoBlock {
    period: PeriodId,
    label: LabelId,
    vars: (VarId, VarId),
    writes: (bool, bool),
    /// `held(e1)`, `held(e2)`
    held: (Vec<LockId>, Vec<LockId>),
    /// `held(e1, e2)`
    throughout: Vec<LockId>,
    /// `heldmid(e1, e2)`
    mid: Vec<LockId>,
}

/// Where a 2-block was first seen.
#[derive(Clone, Copy)]
struct Seen {
    unit: UnitId,
    first: At,
    second: At,
}

/// Warns about each transaction with a 2-block that is not atomic together with one of another transaction.
pub(super) fn warn(
    execution: &Execution,
    accesses: &[Access],
    budget: &mut Budget,
    outcome: &mut Outcome,
) -> Result<(), Exhausted> {
    let mut by_vars: FxHashMap<(VarId, VarId), Vec<(TwoBlock, Seen)>> = FxHashMap::default();
    let mut known: FxHashSet<TwoBlock> = FxHashSet::default();
    let holds = by_unit(execution);
    for (unit, of_unit) in units(accesses, execution) {
        let Kind::Transaction { label, .. } = execution.units.get(unit).kind else { continue };
        let boundary: Vec<&Access> = boundary(of_unit).collect();
        budget.spend((boundary.len() * boundary.len()) as u64)?;
        for (index, first) in boundary.iter().enumerate() {
            for second in boundary[index + 1..].iter().filter(|second| second.var != first.var) {
                let inner = holds.get(&unit).map_or(&[][..], Vec::as_slice);
                let block = TwoBlock::new(label, first, second, inner, execution);
                if known.insert(block.clone()) {
                    let key = (first.var.min(second.var), first.var.max(second.var));
                    by_vars.entry(key).or_default().push((block, Seen { unit, first: first.at, second: second.at }));
                }
            }
        }
    }
    outcome.storage += known.len() as u64;
    let mut warned: FxHashSet<UnitId> = FxHashSet::default();
    let mut sorted: Vec<_> = by_vars.into_iter().collect();
    sorted.sort_unstable_by_key(|(vars, _)| *vars);
    for (_, blocks) in sorted {
        budget.spend((blocks.len() * blocks.len()) as u64)?;
        for (one, seen) in &blocks {
            let others = blocks.iter().filter(|(other, _)| execution.periods.are_concurrent(one.period, other.period));
            let found = others.filter_map(|(other, there)| violation(one, *seen, other, *there)).next();
            if let Some(events) = found.filter(|_| warned.insert(seen.unit)) {
                let pattern = Pattern { name: "accesses to two variables in opposite orders", events, is_order: true };
                outcome.warnings.push(Warning { unit: seen.unit, pattern });
            }
        }
    }
    Ok(())
}

/// Returns, for each unit, the holds that it begins and ends, in the order of acquisition.
fn by_unit(execution: &Execution) -> FxHashMap<UnitId, Vec<Hold>> {
    let mut holds: FxHashMap<UnitId, Vec<Hold>> = FxHashMap::default();
    for (_, hold) in execution.holds.iter().filter(|(_, hold)| hold.is_within_unit) {
        holds.entry(hold.unit).or_default().push(*hold);
    }
    holds
}

impl TwoBlock {
    fn new(label: LabelId, first: &Access, second: &Access, holds: &[Hold], execution: &Execution) -> TwoBlock {
        let held = (held(first, execution), held(second, execution));
        let from = holds.partition_point(|hold| hold.acquire < first.at);
        let between = holds[from..].iter().take_while(|hold| hold.acquire < second.at);
        let over = between.filter(|hold| hold.release.is_some_and(|release| release < second.at));
        let mut mid: Vec<LockId> = over.map(|hold| hold.lock).collect();
        mid.sort_unstable();
        mid.dedup();
        TwoBlock {
            period: execution.units.get(first.unit).period,
            label,
            vars: (first.var, second.var),
            writes: (first.is_write, second.is_write),
            throughout: held_throughout(first, second, execution),
            held,
            mid,
        }
    }

    /// Returns whether the two accesses of `inner` can come between those of this one.
    fn encloses(&self, inner: &TwoBlock) -> bool {
        ![&inner.held.0, &inner.held.1, &inner.mid].into_iter().any(|held| meet(&self.throughout, held))
    }

    /// Returns whether the first access of `other` can come between those of this one, and the second of this one
    /// between those of `other`.
    fn overlaps(&self, other: &TwoBlock) -> bool {
        !meet(&self.throughout, &other.held.0) && !meet(&other.throughout, &self.held.1)
    }
}

/// Returns the events of an unserializable interleaving in order: the conflicting pairs point in opposite directions.
fn violation(one: &TwoBlock, here: Seen, other: &TwoBlock, there: Seen) -> Option<Vec<At>> {
    let other_writes = if one.vars == other.vars { other.writes } else { (other.writes.1, other.writes.0) };
    if !(one.writes.0 || other_writes.0) || !(one.writes.1 || other_writes.1) {
        return None;
    }
    if one.encloses(other) {
        return Some(vec![here.first, there.first, there.second, here.second]);
    }
    // If the other one encloses this one, the other is violated, and is warned about when the two are compared the
    // other way round: so nothing is lost. Orders in which they overlap are as wrong if the variables come in opposite
    // orders.
    if one.vars == other.vars || other.encloses(one) {
        return None;
    }
    if one.overlaps(other) {
        return Some(vec![here.first, there.first, here.second, there.second]);
    }
    other.overlaps(one).then(|| vec![there.first, here.first, there.second, here.second])
}
