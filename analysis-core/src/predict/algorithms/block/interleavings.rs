//! Theorem 4.4: violations that take three or more transactions, by enumeration of uninitialized reads and final writes.
//! Cycles of two transactions are left to the pairs (`pairs.rs`), unless holds of loose locks are part of them (6).

use rustc_hash::{FxHashMap, FxHashSet};

use super::{boundary, units};
use crate::event::{LockId, Op, ThreadId, VarId};
use crate::predict::Execution;
use crate::predict::algorithm::{Limits, Outcome, Pattern, Warning};
use crate::predict::budget::{Budget, Exhausted};
use crate::predict::escape::Access;
use crate::predict::forest::{Forest, Interaction, Thrift, span_of};
use crate::predict::ids::{At, UnitId};

/// Warns about the transactions on a cycle of some interleaving.
pub(super) fn warn(
    execution: &Execution,
    accesses: &[Access],
    limits: &Limits,
    budget: &mut Budget,
    outcome: &mut Outcome,
) -> Result<(), Exhausted> {
    let known: FxHashSet<UnitId> = outcome.warnings.iter().map(|warning| warning.unit).collect();
    let open = undecided(execution, &known, budget)?;
    if open.is_empty() {
        return Ok(());
    }
    let mut enumeration = Enumeration::new(execution, accesses, open);
    if enumeration.nodes.len() > MOST_NODES {
        outcome.unfinished = Some(format!(
            "{} units are too many for the interleavings of Theorem 4.4, which takes {MOST_NODES}; \
             --interleavings 0 leaves that part out",
            enumeration.nodes.len()
        ));
        return Ok(());
    }
    let mut left = Left { interleavings: Budget::of(limits.interleavings), steps: *budget };
    let end = enumeration.extend(&mut State::new(&enumeration), &mut left);
    *budget = left.steps;
    outcome.unfinished = end.err().map(|bound| match bound {
        Bound::Interleavings => format!("{} interleavings were not enough", limits.interleavings),
        Bound::Steps => format!("{} steps were not enough", limits.steps),
    });
    let mut found: Vec<_> = enumeration.found.into_iter().collect();
    found.sort_unstable();
    for (unit, events) in found {
        let pattern = Pattern { name: "a cycle of several transactions", events, is_order: true };
        outcome.warnings.push(Warning { unit, pattern });
    }
    Ok(())
}

/// Returns the transactions that neither pairs have shown to be violated nor Theorem 4.6 clears (3).
fn undecided(
    execution: &Execution,
    known: &FxHashSet<UnitId>,
    budget: &mut Budget,
) -> Result<FxHashSet<UnitId>, Exhausted> {
    let forest = Forest::new(execution, Interaction::View, Thrift::MOST, budget)?;
    let mut open = FxHashSet::default();
    for unit in forest.transactions().filter(|unit| !known.contains(unit)) {
        let nodes = forest.communications(unit, budget)?;
        if !Forest::has_one_commit_node(&nodes) && forest.split(unit, &nodes, budget)?.is_some() {
            open.insert(unit);
        }
    }
    Ok(open)
}

/// How much may still be enumerated. Most prefixes of an interleaving can end in a cycle or a deadlock, so counting
/// only complete interleavings would bound nothing.
struct Left {
    interleavings: Budget,
    steps: Budget,
}

/// The limit that ended an enumeration early.
#[derive(Debug, PartialEq, Eq)]
enum Bound {
    Interleavings,
    Steps,
}

/// The search for cycles uses words of this many bits.
const MOST_NODES: usize = 128;

/// The next action of a thread.
#[derive(Clone, Copy, Debug)]
enum Step {
    Acquire(LockId),
    Release(LockId),
    Access { var: VarId, is_write: bool },
}

/// A transaction, or one event outside transactions.
struct Node {
    unit: UnitId,
    is_transaction: bool,
}

struct Enumeration<'a> {
    execution: &'a Execution,
    nodes: Vec<Node>,
    /// The steps of each thread, with their events and nodes.
    threads: Vec<Vec<(At, usize, Step)>>,
    open: FxHashSet<UnitId>,
    found: FxHashMap<UnitId, Vec<At>>,
}

/// The state of an interleaving.
#[derive(Clone)]
struct State {
    places: Vec<usize>,
    holders: FxHashMap<LockId, usize>,
    /// By node, the nodes that come after it: by conflicts, and by program order, starts and joins.
    after: Vec<u128>,
    /// The accesses, and the acquires and releases of loose locks.
    order: Vec<(At, usize)>,
    /// Whether the order of two holds is part of `after`.
    orders_holds: bool,
}

impl State {
    fn new(enumeration: &Enumeration) -> State {
        let nodes = &enumeration.nodes;
        let (units, periods) = (&enumeration.execution.units, &enumeration.execution.periods);
        let mut after = vec![0; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            for (later, other) in nodes.iter().enumerate().filter(|(later, _)| *later != index) {
                let (a, b) = (units.get(node.unit), units.get(other.unit));
                let is_before = if a.thread == b.thread { index < later } else { periods.precedes(a.period, b.period) };
                after[index] |= u128::from(is_before) << later;
            }
        }
        let places = vec![0; enumeration.threads.len()];
        State { places, holders: FxHashMap::default(), after, order: Vec::new(), orders_holds: false }
    }

    /// Orders `before` before `node`. Returns whether that closes a cycle.
    fn order(&mut self, before: usize, node: usize) -> bool {
        if before == node || self.after[before] >> node & 1 == 1 {
            return false;
        }
        let reached = self.after[node] | 1 << node;
        let is_cycle = reached >> before & 1 == 1;
        for index in 0..self.after.len() {
            if index == before || self.after[index] >> before & 1 == 1 {
                self.after[index] |= reached;
            }
        }
        is_cycle
    }
}

impl<'a> Enumeration<'a> {
    /// Collects what the undecided transactions can reach: everything except events that are neither uninitialized
    /// reads, final writes, nor synchronization of units with such events.
    fn new(execution: &'a Execution, accesses: &[Access], open: FxHashSet<UnitId>) -> Enumeration<'a> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut threads: FxHashMap<ThreadId, Vec<(At, usize, Step)>> = FxHashMap::default();
        let mut node_of: FxHashMap<UnitId, usize> = FxHashMap::default();
        for (unit, at, step) in ordered_steps(execution, accesses) {
            let is_transaction = execution.units.get(unit).is_transaction();
            if !is_transaction || nodes.last().is_none_or(|last| last.unit != unit) {
                node_of.insert(unit, nodes.len());
                nodes.push(Node { unit, is_transaction });
            }
            threads.entry(execution.units.get(unit).thread).or_default().push((at, nodes.len() - 1, step));
        }
        for (_, hold) in execution.holds.iter().filter(|(_, hold)| !execution.locks.of(hold.lock).is_loose) {
            let Some(node) = node_of.get(&hold.unit) else { continue };
            let steps = threads.entry(hold.thread).or_default();
            steps.push((hold.acquire, *node, Step::Acquire(hold.lock)));
            steps.extend(hold.release.map(|release| (release, *node, Step::Release(hold.lock))));
        }
        let mut threads: Vec<_> = threads.into_iter().collect();
        threads.sort_unstable_by_key(|(thread, _)| *thread);
        let mut threads: Vec<Vec<_>> = threads.into_iter().map(|(_, steps)| steps).collect();
        threads.iter_mut().for_each(|steps| steps.sort_unstable_by_key(|(at, ..)| *at));
        Enumeration { execution, nodes, threads, open, found: FxHashMap::default() }
    }

    /// Extends an interleaving by each possible next step.
    fn extend(&mut self, state: &mut State, left: &mut Left) -> Result<(), Bound> {
        let mut is_over = true;
        for thread in 0..self.threads.len() {
            let Some(&(at, node, step)) = self.threads[thread].get(state.places[thread]) else { continue };
            is_over = false;
            if self.open.iter().all(|unit| self.found.contains_key(unit)) {
                return Ok(());
            }
            if !self.may_come(state, thread, node, step) {
                continue;
            }
            let work = self.nodes.len() + state.order.len();
            left.steps.spend(work as u64).map_err(|Exhausted| Bound::Steps)?;
            let mut next = state.clone();
            next.places[thread] += 1;
            match step {
                Step::Acquire(lock) => _ = next.holders.insert(lock, thread),
                Step::Release(lock) => _ = next.holders.remove(&lock),
                Step::Access { .. } => {}
            }
            if self.is_ordered(step) && self.take(&mut next, (at, node), step) {
                // Every continuation of this interleaving has the cycle.
                continue;
            }
            self.extend(&mut next, left)?;
        }
        if is_over { left.interleavings.spend(1).map_err(|Exhausted| Bound::Interleavings) } else { Ok(()) }
    }

    fn may_come(&self, state: &State, thread: usize, node: usize, step: Step) -> bool {
        let is_free = match step {
            Step::Acquire(lock) => state.holders.get(&lock).is_none_or(|holder| *holder == thread),
            _ => true,
        };
        let (units, periods) = (&self.execution.units, &self.execution.periods);
        let mine = units.get(self.nodes[node].unit).period;
        let waits = |other: usize| {
            let next = self.threads[other].get(state.places[other]);
            next.is_some_and(|(_, node, _)| periods.precedes(units.get(self.nodes[*node].unit).period, mine))
        };
        is_free && !(0..self.threads.len()).any(|other| other != thread && waits(other))
    }

    /// Returns whether the order of a step relative to those of other threads matters.
    fn is_ordered(&self, step: Step) -> bool {
        match step {
            Step::Acquire(lock) | Step::Release(lock) => self.execution.locks.of(lock).is_loose,
            Step::Access { .. } => true,
        }
    }

    /// Takes an ordered step. Returns whether it closes a cycle, which is then noted.
    fn take(&mut self, state: &mut State, me: (At, usize), step: Step) -> bool {
        let mut is_cycle = false;
        for index in 0..state.order.len() {
            let (at, node) = state.order[index];
            if step.comes_after(self.execution.events[at.index()].op) {
                is_cycle |= state.order(node, me.1);
                state.orders_holds |= matches!(step, Step::Acquire(_)) && node != me.1;
            }
        }
        state.order.push(me);
        if is_cycle {
            self.note(state);
        }
        is_cycle
    }

    /// Notes the undecided transactions on a cycle.
    fn note(&mut self, state: &State) {
        let on_cycle = |node: &usize| state.after[*node] >> *node & 1 == 1;
        let nodes: Vec<usize> = (0..self.nodes.len()).filter(on_cycle).collect();
        if nodes.len() == 2 && !state.orders_holds {
            return;
        }
        let order: Vec<At> = state.order.iter().filter(|(_, node)| on_cycle(node)).map(|(at, _)| *at).collect();
        for node in nodes.into_iter().map(|node| &self.nodes[node]).filter(|node| node.is_transaction) {
            if self.open.contains(&node.unit) {
                self.found.entry(node.unit).or_insert_with(|| order.clone());
            }
        }
    }
}

impl Step {
    /// Returns whether the node of this step comes after that of an earlier one in each equivalent interleaving.
    fn comes_after(self, earlier: Op) -> bool {
        match (self, earlier) {
            (Step::Access { var, .. }, Op::Write(x)) | (Step::Access { var, is_write: true }, Op::Read(x)) => x == var,
            (Step::Acquire(lock), Op::Release(other)) => other == lock,
            _ => false,
        }
    }
}

/// Returns the uninitialized reads, the final writes, and the acquires and releases of loose locks (6), by unit.
fn ordered_steps(execution: &Execution, accesses: &[Access]) -> Vec<(UnitId, At, Step)> {
    let mut steps: Vec<(UnitId, At, Step)> = Vec::new();
    for (unit, of_unit) in units(accesses, execution) {
        let step = |access: &Access| Step::Access { var: access.var, is_write: access.is_write };
        steps.extend(boundary(of_unit).map(|access| (unit, access.at, step(access))));
    }
    for access in &execution.loose {
        let name = execution.holds.in_context(access.context)[0];
        let (hold, span) = (execution.holds.get(name), span_of(name, access.unit, execution));
        if hold.acquire == span.first {
            steps.push((access.unit, hold.acquire, Step::Acquire(hold.lock)));
        }
        if hold.release == Some(span.last) {
            steps.push((access.unit, span.last, Step::Release(hold.lock)));
        }
    }
    steps.sort_unstable_by_key(|(unit, at, _)| (*unit, *at));
    steps
}
