//! The commit-node algorithm: the theorems applied to each transaction of a forest.

use rustc_hash::FxHashMap;

use super::{Forest, Interaction, Split, Thrift};
use crate::predict::Execution;
use crate::predict::algorithm::{Limits, Outcome, Pattern, Warning};
use crate::predict::budget::{Budget, Exhausted};
use crate::predict::ids::{At, UnitId};

/// Warns about each transaction that no theorem shows to be atomic.
pub fn judge(execution: &Execution, interaction: Interaction, limits: &Limits) -> Outcome {
    let mut outcome = Outcome::default();
    let mut budget = Budget::of(limits.steps);
    if let Err(Exhausted) = fill(execution, interaction, limits, &mut budget, &mut outcome) {
        outcome.unfinished = Some(format!("{} steps were not enough", limits.steps));
    }
    outcome
}

fn fill(
    execution: &Execution,
    interaction: Interaction,
    limits: &Limits,
    budget: &mut Budget,
    outcome: &mut Outcome,
) -> Result<(), Exhausted> {
    let forest = Forest::new(execution, interaction, Thrift::MOST, budget)?;
    outcome.storage = forest.size();
    for unit in forest.transactions() {
        let nodes = forest.communications(unit, budget)?;
        if Forest::has_one_commit_node(&nodes) {
            continue;
        }
        let split =
            if limits.pairs { forest.split_by_one(&nodes, budget)? } else { forest.split(unit, &nodes, budget)? };
        if let Some(split) = split {
            outcome.warnings.push(Warning { unit, pattern: pattern(&split, execution) });
        }
    }
    add_copies(&forest, &mut outcome.warnings);
    Ok(())
}

/// Adds a warning for each transaction whose tree is identical to that of a warned one.
fn add_copies(forest: &Forest, warnings: &mut Vec<Warning>) {
    let known: FxHashMap<UnitId, Pattern> = warnings.iter().map(|w| (w.unit, w.pattern.clone())).collect();
    let copies = forest.trees().merged().filter_map(|(unit, first)| Some((unit, known.get(&first)?.clone())));
    warnings.extend(copies.map(|(unit, pattern)| Warning { unit, pattern: Pattern { is_order: false, ..pattern } }));
    warnings.sort_by_key(|warning| warning.unit);
}

fn pattern(split: &Split, execution: &Execution) -> Pattern {
    let is_same = split.path.len() == 2;
    let name = if is_same { "accesses of another thread fit in between" } else { "a cycle of several transactions" };
    Pattern { name, events: in_order(&split.path, execution), is_order: true }
}

/// Returns the events of a path in an order that respects each pair and program order. Events of a step are adjacent.
pub fn in_order(pairs: &[(At, At)], execution: &Execution) -> Vec<At> {
    let mut left: Vec<At> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    left.sort_unstable();
    left.dedup();
    let thread = |at: At| execution.events[at.index()].thread;
    let step = |at: At| execution.steps.first(at);
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |at: At| {
            let is_before = |(before, after): &(At, At)| step(*after) == step(at) && step(*before) != step(at);
            left.iter().any(|other| thread(*other) == thread(at) && step(*other) < step(at))
                || pairs.iter().any(|pair| is_before(pair) && left.contains(&pair.0))
        };
        // If a path goes back in time inside a unit, every remaining event may be waiting.
        let next = left.iter().position(|at| !waits(*at)).unwrap_or(0);
        let of = step(left[next]);
        order.extend(left.extract_if(.., |at| step(*at) == of));
    }
    order
}
