//! Section 4.1: one variable. Blocks of a transaction, single accesses of other units, and the four patterns.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{held, held_throughout, meet, units};
use crate::event::{LockId, VarId};
use crate::predict::Execution;
use crate::predict::algorithm::{Outcome, Pattern, Warning};
use crate::predict::budget::{Budget, Exhausted};
use crate::predict::escape::Access;
use crate::predict::ids::{At, PeriodId, UnitId};

/// Two accesses of a transaction. Equal blocks are kept once for each label.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Block {
    period: PeriodId,
    /// `op(e1)`, `op(e2)`: true for a write.
    writes: (bool, bool),
    /// `held(e1)`, compared with the own write of a read that comes in between (1).
    held_first: Vec<LockId>,
    /// `held(e1, e2)`.
    held: Vec<LockId>,
    label: Option<crate::event::LabelId>,
}

/// One access that may come in between.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Single {
    period: PeriodId,
    is_write: bool,
    /// `fw(e)`
    is_final: bool,
    held: Vec<LockId>,
    /// For a read, the locks held ever since its unit last wrote the variable; `None` if it did not.
    since_own_write: Option<Vec<LockId>>,
}

/// The blocks and single accesses of one variable. Each entry has the events with which it was first seen.
#[derive(Default)]
struct Shapes {
    blocks: FxHashMap<Block, (UnitId, At, At)>,
    singles: FxHashMap<Single, At>,
}

/// Warns about each transaction with a block that is not atomic.
pub(super) fn warn(
    execution: &Execution,
    accesses: &[Access],
    budget: &mut Budget,
    outcome: &mut Outcome,
) -> Result<(), Exhausted> {
    let mut vars: FxHashMap<VarId, Shapes> = FxHashMap::default();
    for (unit, of_unit) in units(accesses, execution) {
        let mut by_var: FxHashMap<VarId, Vec<&Access>> = FxHashMap::default();
        of_unit.iter().for_each(|access| by_var.entry(access.var).or_default().push(access));
        for (var, of_var) in by_var {
            budget.spend(of_var.len() as u64)?;
            vars.entry(var).or_default().add(unit, &of_var, execution);
        }
    }
    let mut sorted: Vec<_> = vars.into_iter().collect();
    sorted.sort_unstable_by_key(|(var, _)| *var);
    let mut known: FxHashSet<(UnitId, &'static str)> = FxHashSet::default();
    for (_, shapes) in &sorted {
        outcome.storage += shapes.blocks.len() as u64;
        budget.spend(shapes.blocks.len() as u64 * shapes.singles.len() as u64)?;
        for warning in shapes.warnings(execution) {
            if known.insert((warning.unit, warning.pattern.name)) {
                outcome.warnings.push(warning);
            }
        }
    }
    Ok(())
}

impl Shapes {
    /// Adds the accesses of a unit to the variable: rules A and B.
    fn add(&mut self, unit: UnitId, of_var: &[&Access], execution: &Execution) {
        let (mut write, mut read): (Option<&Access>, Option<&Access>) = (None, None);
        let last_write = of_var.iter().rposition(|access| access.is_write);
        let mut uninitialized: Vec<&Access> = Vec::new();
        for (index, access) in of_var.iter().copied().enumerate() {
            let is_final = last_write == Some(index);
            let own = write.filter(|_| !access.is_write);
            self.add_single(access, is_final, own, execution);
            if let Some(first) = write.or(read) {
                self.add_block(unit, first, access, execution);
            }
            if is_final {
                uninitialized.iter().for_each(|first| self.add_block(unit, first, access, execution));
            }
            if access.is_write {
                write = Some(access);
            } else {
                read = Some(access);
                if write.is_none() && uninitialized.last().is_none_or(|last| last.context != access.context) {
                    uninitialized.push(access);
                }
            }
        }
    }

    fn add_single(&mut self, access: &Access, is_final: bool, own: Option<&Access>, execution: &Execution) {
        let single = Single {
            period: execution.units.get(access.unit).period,
            is_write: access.is_write,
            is_final,
            held: held(access, execution),
            since_own_write: own.map(|write| held_throughout(write, access, execution)),
        };
        self.singles.entry(single).or_insert(access.at);
    }

    fn add_block(&mut self, unit: UnitId, first: &Access, second: &Access, execution: &Execution) {
        use crate::predict::units::Kind;
        let of = execution.units.get(unit);
        let Kind::Transaction { label, .. } = of.kind else { return };
        let block = Block {
            period: of.period,
            writes: (first.is_write, second.is_write),
            held_first: held(first, execution),
            held: held_throughout(first, second, execution),
            label: Some(label),
        };
        self.blocks.entry(block).or_insert((unit, first.at, second.at));
    }

    fn warnings(&self, execution: &Execution) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (block, (unit, first, second)) in &self.blocks {
            let concurrent =
                self.singles.iter().filter(|(single, _)| execution.periods.are_concurrent(block.period, single.period));
            let between = concurrent.filter_map(|(single, at)| Some((*at, pattern(block, single)?)));
            // The same access is reported whatever the order of the tables.
            if let Some((at, name)) = between.min_by_key(|(at, _)| *at) {
                let pattern = Pattern { name, events: vec![*first, at, *second], is_order: true };
                warnings.push(Warning { unit: *unit, pattern });
            }
        }
        warnings.sort_by_key(|warning| (warning.unit, warning.pattern.events.clone()));
        warnings
    }
}

/// Returns the unserializable pattern that an access makes between the two of a block, if it fits there.
fn pattern(block: &Block, single: &Single) -> Option<&'static str> {
    if meet(&single.held, &block.held) {
        return None;
    }
    // (1)
    let sees_own = single.since_own_write.as_ref().is_some_and(|since| meet(since, &block.held_first));
    match (block.writes.0, single.is_write, block.writes.1) {
        (true, false, true) if !sees_own => Some("a read between two writes"),
        (false, true, false) => Some("a write between two reads"),
        (true, true, false) => Some("a write between a write and a read of it"),
        (false, true, true) if single.is_final => Some("a write between a read and a write"),
        _ => None,
    }
}
