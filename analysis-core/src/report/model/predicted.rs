//! What one algorithm predicts of one trace, in the names that a report needs.

use std::collections::BTreeSet;

use serde::Serialize;

use super::report::Source;
use crate::event::ThreadId;
use crate::predict::Execution;
use crate::predict::algorithm::AlgorithmSpec;
use crate::predict::deadlock::Deadlock;
use crate::predict::ids::At;
use crate::predict::schedule::runner::Obstacle;
use crate::predict::schedule::{Prediction, Reason, Schedule, Status};
use crate::predict::units::Kind as UnitKind;
use crate::trace::one_line;
use crate::trace::symbols::Symbols;

/// What one algorithm predicts of one trace.
pub struct Predicted<'a> {
    /// The trace as the user named it.
    pub trace: &'a str,
    /// How the trace was observed.
    pub source: Source,
    /// The algorithm.
    pub algorithm: &'a AlgorithmSpec,
    /// The execution.
    pub execution: &'a Execution,
    /// The names of the execution.
    pub symbols: &'a Symbols,
    /// What is predicted, one for each method and pattern.
    pub predictions: &'a [Prediction],
    /// The potential deadlocks; with some, no theorem holds.
    pub deadlocks: &'a [Deadlock],
    /// How much the algorithm stored.
    pub storage: u64,
    /// How long it took, without reading.
    pub seconds: f64,
    /// Which limits were reached.
    pub unfinished: &'a [String],
    /// What else is to be said.
    pub warnings: &'a [String],
    /// Whether only confirmed predictions are printed.
    pub confirmed_only: bool,
}

impl Predicted<'_> {
    /// The numbers of the events that the text names.
    pub fn events(&self) -> BTreeSet<u64> {
        let mut events = BTreeSet::new();
        for prediction in self.predictions {
            events.insert(self.begin(prediction).number());
            events.extend(prediction.pattern.events.iter().map(|at| at.number()));
            match &prediction.status {
                Status::Confirmed(schedule) => events.extend(schedule_ends(schedule)),
                Status::Open(Reason::Blocked(obstacle)) => events.extend(at_obstacle(obstacle).map(At::number)),
                Status::Open(Reason::Updated(update)) => _ = events.insert(update.number()),
                Status::Open(_) => {}
            }
        }
        events.extend(self.deadlocks.iter().flat_map(|deadlock| &deadlock.waits).map(|at| at.number()));
        events
    }

    /// How many predictions count.
    pub fn counted(&self) -> usize {
        self.predictions.iter().filter(|prediction| self.counts(prediction)).count()
    }

    pub(in crate::report) fn counts(&self, prediction: &Prediction) -> bool {
        !self.confirmed_only || matches!(prediction.status, Status::Confirmed(_))
    }

    pub(in crate::report) fn begin(&self, prediction: &Prediction) -> At {
        let unit = self.execution.units.get(prediction.unit);
        match unit.kind {
            UnitKind::Transaction { begin, .. } => begin,
            UnitKind::Outside => unit.first,
        }
    }

    pub(in crate::report) fn method(&self, prediction: &Prediction) -> Option<String> {
        self.symbols.label(prediction.label).map(|label| one_line(&label))
    }
}

fn schedule_ends(schedule: &Schedule) -> impl Iterator<Item = u64> + '_ {
    let of_violation = schedule.violation.iter().flat_map(|violation| &violation.edges);
    let of_cycle = schedule.cycle.iter().filter(|_| schedule.violation.is_none()).flat_map(|cycle| &cycle.edges);
    of_violation.chain(of_cycle).flat_map(|edge| [edge.from.position(), edge.to.position()])
}

fn at_obstacle(obstacle: &Obstacle) -> impl Iterator<Item = At> + use<> {
    let events = match *obstacle {
        Obstacle::Lock { waiting, holder, .. } => [Some(waiting), Some(holder)],
        Obstacle::Order { waiting, before } => [Some(waiting), Some(before)],
        Obstacle::Deadlock { waiting } => [Some(waiting), None],
    };
    events.into_iter().flatten()
}

/// Part of a schedule: one thread runs from one event to another.
#[derive(Serialize)]
pub(in crate::report) struct Stretch {
    pub(in crate::report) thread: String,
    pub(in crate::report) from: u64,
    pub(in crate::report) to: u64,
    pub(in crate::report) events: usize,
}

pub(in crate::report) fn stretches(schedule: &Schedule, predicted: &Predicted) -> Vec<Stretch> {
    let thread = |at: At| -> ThreadId { predicted.execution.events[at.index()].thread };
    let runs = schedule.order.chunk_by(|a, b| thread(*a) == thread(*b));
    let stretch = |run: &[At]| Stretch {
        thread: one_line(&predicted.symbols.thread(thread(run[0]))),
        from: run[0].number(),
        to: run[run.len() - 1].number(),
        events: run.len(),
    };
    runs.map(stretch).collect()
}
