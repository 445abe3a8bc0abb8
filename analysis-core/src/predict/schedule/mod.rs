//! Predictions as schedules: for a warning, an order of the observed events that shows it, judged by the default
//! engine.
//!
//! An algorithm says in which order some accesses would have to come. Here that order is built from the observed one
//! ([`runner`]): as observed up to the first transaction that takes part, then each thread as far as it must go. By
//! construction it respects program order, locks, starts and joins, and keeps steps together; a successful
//! compare-and-set still finds the value that it found in the run. Whether the order violates the transaction is not
//! for the algorithm to say: the order is given to the default engine, like a trace.
//!
//! If an algorithm names no order (reduction), the conflict-forest provides pairs of accesses to try.

pub mod runner;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::Execution;
use super::algorithm::{Pattern, Warning};
use super::budget::{Budget, Exhausted};
use super::forest::{Forest, Interaction, Thrift, verdict::in_order};
use super::ids::{At, UnitId};
use super::units::Kind;
use crate::engine::{Cycle, Edge, Findings, Violation};
use crate::engines;
use crate::event::{LabelId, Stamp};
use runner::{Obstacle, Programs, Runner};

/// How many warnings of one method and pattern are tried until one is confirmed.
const MOST_WARNINGS: usize = 8;
/// How many orders are tried for one warning.
const MOST_ORDERS: usize = 24;

/// The warnings of one method and pattern.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The method.
    pub label: LabelId,
    /// The transaction that is described: the first confirmed one, or else the first.
    pub unit: UnitId,
    /// How it may be violated.
    pub pattern: Pattern,
    /// The number of transactions with this warning.
    pub count: u64,
    /// Whether a schedule shows it.
    pub status: Status,
}

/// Whether a schedule shows a prediction.
#[derive(Clone, Debug)]
pub enum Status {
    /// This schedule shows it.
    Confirmed(Box<Schedule>),
    /// No schedule was found that shows it.
    Open(Reason),
}

/// Why no schedule was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Synchronization prevents each order that was tried; this obstacle prevented the first.
    Blocked(Obstacle),
    /// An order was found, but the engine finds it serializable.
    Serializable,
    /// An order was found, but in it this write, which depends on the value it found, would find another value than in
    /// the run.
    Updated(At),
    /// No two accesses of the transaction conflict with accesses of others that could come in between.
    NoConflict,
    /// The search took too long.
    Unfinished,
}

/// An order of events in which a transaction is violated.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The events before this one stay in the observed order.
    pub start: At,
    /// The events from `start` on, as far as needed.
    pub order: Vec<At>,
    /// The violated transaction, with the event numbers of the trace; `None` if no block is to blame.
    pub violation: Option<Violation>,
    /// The cycle of transactions.
    pub cycle: Option<Cycle>,
}

/// The schedules that show a warning.
#[derive(Debug)]
pub struct Shown {
    /// The schedules.
    pub schedules: Vec<Schedule>,
    /// The number of orders that were tried.
    pub tried: u64,
    /// False if the budget was not enough to look for all schedules.
    pub are_all: bool,
}

/// Groups warnings and looks for a schedule for each group.
pub struct Confirmer<'a> {
    execution: &'a Execution,
    programs: Programs,
    /// Built when the first warning needs it.
    forest: Option<Forest<'a>>,
    budget: Budget,
}

impl<'a> Confirmer<'a> {
    /// Creates a confirmer for the warnings about an execution.
    pub fn new(execution: &'a Execution, budget: Budget) -> Confirmer<'a> {
        Confirmer { execution, programs: Programs::new(execution), forest: None, budget }
    }

    /// Returns one prediction for each method and pattern, in the order of the warnings.
    pub fn confirm(&mut self, warnings: &[Warning]) -> Vec<Prediction> {
        let mut groups: Vec<Vec<&Warning>> = Vec::new();
        let mut known: FxHashMap<(LabelId, &'static str), usize> = FxHashMap::default();
        for warning in warnings {
            let index = *known.entry((self.label(warning.unit), warning.pattern.name)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[index].push(warning);
        }
        groups.into_iter().map(|group| self.group(&group)).collect()
    }

    /// Returns the schedules in which the transaction of a warning is violated: from the order that the algorithm
    /// names, and from those that the conflict-forest suggests.
    pub fn schedules(&mut self, warning: &Warning) -> Shown {
        let mut orders: Vec<Vec<At>> =
            warning.pattern.is_order.then(|| warning.pattern.events.clone()).into_iter().collect();
        let others = self.orders(warning.unit);
        let are_all = others.is_ok();
        orders.extend(others.unwrap_or_default());
        let tried = orders.iter().filter_map(|order| self.try_order(warning.unit, order).ok());
        let schedules = tried.filter(|schedule| schedule.violation.is_some()).collect();
        Shown { schedules, tried: orders.len() as u64, are_all }
    }

    /// Returns the label of a transaction's block.
    pub fn label(&self, unit: UnitId) -> LabelId {
        match self.execution.units.get(unit).kind {
            Kind::Transaction { label, .. } => label,
            Kind::Outside => LabelId::NONE,
        }
    }

    fn group(&mut self, warnings: &[&Warning]) -> Prediction {
        let mut first = None;
        for warning in warnings.iter().take(MOST_WARNINGS) {
            let status = self.one(warning);
            let is_confirmed = matches!(status, Status::Confirmed(_));
            if is_confirmed || first.is_none() {
                first = Some((*warning, status));
            }
            if is_confirmed {
                break;
            }
        }
        let (warning, status) = first.expect("a group has a warning");
        let units: rustc_hash::FxHashSet<UnitId> = warnings.iter().map(|warning| warning.unit).collect();
        let pattern = warning.pattern.clone();
        Prediction { label: self.label(warning.unit), unit: warning.unit, pattern, count: units.len() as u64, status }
    }

    /// Tries the order of a warning, then those that the conflict-forest suggests. An order that violates the
    /// transaction is preferred to one that only closes a cycle.
    fn one(&mut self, warning: &Warning) -> Status {
        let mut tried = Tried::default();
        if warning.pattern.is_order {
            tried.add(self.try_order(warning.unit, &warning.pattern.events));
        }
        if tried.violation.is_none() {
            match self.orders(warning.unit) {
                Ok(orders) => {
                    for order in orders {
                        tried.add(self.try_order(warning.unit, &order));
                        if tried.violation.is_some() {
                            break;
                        }
                    }
                }
                Err(Exhausted) => _ = tried.reason.get_or_insert(Reason::Unfinished),
            }
        }
        tried.status()
    }

    /// Returns orders that may violate a transaction: two disjoint nodes, and accesses of another unit in between.
    fn orders(&mut self, unit: UnitId) -> Result<Vec<Vec<At>>, Exhausted> {
        if self.forest.is_none() {
            let thrift = Thrift { trims: true, merges: false };
            self.forest = Some(Forest::new(self.execution, Interaction::Conflict, thrift, &mut self.budget)?);
        }
        let forest = self.forest.as_ref().expect("it was built");
        let nodes = forest.communications(unit, &mut self.budget)?;
        let mut orders: Vec<Vec<At>> = Vec::new();
        for pairs in forest.splits(&nodes, MOST_ORDERS, &mut self.budget)? {
            orders.push(in_order(&pairs, self.execution));
        }
        if let (true, Some(split)) = (orders.is_empty(), forest.split(unit, &nodes, &mut self.budget)?) {
            orders.push(in_order(&split.path, self.execution));
        }
        Ok(orders)
    }

    fn try_order(&self, unit: UnitId, goals: &[At]) -> Result<Schedule, Reason> {
        let start = self.start(unit, goals);
        let runner = Runner::new(self.execution, &self.programs, start, goals);
        let order = runner.run().map_err(Reason::Blocked)?;
        if let Some(update) = self.programs.failed_update(self.execution, start, &order) {
            return Err(Reason::Updated(update));
        }
        self.judge(unit, start, order).ok_or(Reason::Serializable)
    }

    /// Returns where the schedule leaves the observed order: at the begin of the first transaction that contains a
    /// goal.
    fn start(&self, unit: UnitId, goals: &[At]) -> At {
        let units = &self.execution.units;
        let of_goals = goals.iter().map(|goal| units.containing(self.execution.events[goal.index()].thread, *goal));
        let begins = of_goals.chain([unit]).map(|unit| match units.get(unit).kind {
            Kind::Transaction { begin, .. } => begin,
            Kind::Outside => units.get(unit).first,
        });
        begins.chain(goals.iter().copied()).min().expect("a transaction begins")
    }

    /// Feeds the order to the default engine. Returns the schedule if the transaction is violated, or if there is a
    /// cycle that the observed part does not have.
    fn judge(&self, unit: UnitId, start: At, order: Vec<At>) -> Option<Schedule> {
        let events = &self.execution.events;
        let mut engine = (engines::default().build)();
        engine.feed(&events[..start.index()]);
        let had_cycle = engine.findings().is_non_serializable();
        let judged = self.execution.steps.expanded(&order);
        judged.iter().for_each(|at| engine.step(events[at.index()]));
        let original = Original { start, order: &judged };
        let findings = engine.findings();
        let violation = self.violation_of(unit, findings, &original).map(|violation| original.violation(violation));
        let cycle = findings.cycle.as_ref().filter(|_| !had_cycle).map(|cycle| original.cycle(cycle));
        if violation.is_none() && cycle.is_none() {
            return None;
        }
        Some(Schedule { start, order, violation, cycle })
    }

    /// Returns the violation of the block of a transaction.
    fn violation_of<'f>(&self, unit: UnitId, findings: &'f Findings, original: &Original) -> Option<&'f Violation> {
        let unit = self.execution.units.get(unit);
        let Kind::Transaction { begin, .. } = unit.kind else { return None };
        findings.violations.iter().find(|violation| {
            violation.depth == 0
                && violation.thread == unit.thread
                && original.number(violation.begin) == begin.number()
        })
    }
}

/// The outcome of the orders that were tried for one warning.
#[derive(Default)]
struct Tried {
    /// A schedule that violates the transaction.
    violation: Option<Schedule>,
    /// A schedule that closes a cycle without violating the transaction.
    cycle: Option<Schedule>,
    /// Why the first of the other orders failed.
    reason: Option<Reason>,
}

impl Tried {
    fn add(&mut self, outcome: Result<Schedule, Reason>) {
        match outcome {
            Ok(schedule) if schedule.violation.is_some() => _ = self.violation.get_or_insert(schedule),
            Ok(schedule) => _ = self.cycle.get_or_insert(schedule),
            Err(reason) => _ = self.reason.get_or_insert(reason),
        }
    }

    fn status(self) -> Status {
        match self.violation.or(self.cycle) {
            Some(schedule) => Status::Confirmed(Box::new(schedule)),
            None => Status::Open(self.reason.unwrap_or(Reason::NoConflict)),
        }
    }
}

/// The event numbers that the events of a schedule have in the trace.
struct Original<'a> {
    start: At,
    order: &'a [At],
}

impl Original<'_> {
    fn number(&self, position: u64) -> u64 {
        let observed = self.start.index() as u64;
        match position.checked_sub(observed + 1) {
            Some(index) => self.order[usize::try_from(index).expect("an event of the schedule")].number(),
            None => position,
        }
    }

    fn stamp(&self, stamp: Stamp) -> Stamp {
        Stamp::new(stamp.thread(), self.number(stamp.position()))
    }

    fn edges(&self, edges: &[Edge]) -> Vec<Edge> {
        edges.iter().map(|edge| Edge { from: self.stamp(edge.from), to: self.stamp(edge.to), ..*edge }).collect()
    }

    fn violation(&self, violation: &Violation) -> Violation {
        Violation {
            begin: self.number(violation.begin),
            event: self.number(violation.event),
            other: self.stamp(violation.other),
            edges: self.edges(&violation.edges),
            ..*violation
        }
    }

    fn cycle(&self, cycle: &Cycle) -> Cycle {
        Cycle { event: self.stamp(cycle.event), edges: self.edges(&cycle.edges) }
    }
}
