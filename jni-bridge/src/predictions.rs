//! What other schedules of the run could have violated: `predict=`, at the end of the run.
//!
//! The run is kept in memory, up to a limit, with accesses that are redundant for its own verdicts. Memory and time are
//! bounded; what reached a bound is "not finished".

use std::collections::BTreeSet;

use analysis_core::event::Event;
use analysis_core::predict::algorithm::{AlgorithmSpec, Limits};
use analysis_core::predict::answer::{Answer, deadlocks_within};
use analysis_core::predict::deadlock::Deadlock;
use analysis_core::predict::{Execution, Sections};
use analysis_core::report::predicted::Predicted;
use analysis_core::report::{Details, EventDetail, Source};
use analysis_core::trace::symbols::Symbols;

/// How many events of a run are kept. With what the algorithms build they need some 100 bytes each.
pub(crate) const MOST_EVENTS: u64 = 1 << 22;

/// What is to be predicted.
pub(crate) struct Wanted {
    pub(crate) algorithms: Vec<&'static AlgorithmSpec>,
    pub(crate) sections: Sections,
}

/// The predictions of a run, by algorithm.
pub(crate) struct Predictions {
    execution: Execution,
    symbols: Symbols,
    details: Details,
    deadlocks: Vec<Deadlock>,
    answers: Vec<Answered>,
}

struct Answered {
    answer: Answer,
    unfinished: Vec<String>,
}

impl Predictions {
    /// Runs the algorithms on a run; `refused` more of its events were not kept. `detail` returns the details of an
    /// event by number.
    pub(crate) fn of(
        wanted: &Wanted,
        events: Vec<Event>,
        refused: u64,
        symbols: Symbols,
        detail: impl Fn(&Symbols, u64) -> EventDetail,
    ) -> Predictions {
        let limits = Limits::default();
        let mut reached = Vec::new();
        if refused > 0 {
            let kept = events.len();
            reached.push(format!(
                "of the run, {kept} events are kept, and {refused} more are not: use record=, redundant=true and regiontrack predict"
            ));
        }
        let execution = Execution::with(events, wanted.sections);
        let deadlocks = deadlocks_within(&execution, limits.steps).unwrap_or_else(|limit| {
            reached.push(limit);
            Vec::new()
        });
        let answered = |algorithm: &&'static AlgorithmSpec| {
            let answer = Answer::of(algorithm, &execution, &limits);
            let unfinished = reached.iter().chain(&answer.unfinished).cloned().collect();
            Answered { answer, unfinished }
        };
        let answers = wanted.algorithms.iter().map(answered).collect();
        let mut predictions = Predictions { execution, symbols, details: Details::default(), deadlocks, answers };
        let named: BTreeSet<u64> = predictions.parts(&[]).flat_map(|part| part.events()).collect();
        predictions.details = Details::of(named.into_iter().map(|number| detail(&predictions.symbols, number)));
        predictions
    }

    /// What is printed for each algorithm.
    pub(crate) fn parts<'a>(&'a self, warnings: &'a [String]) -> impl Iterator<Item = Predicted<'a>> {
        self.answers.iter().map(move |Answered { answer, unfinished }| Predicted {
            trace: "regiontrack",
            source: Source::Run,
            algorithm: answer.algorithm,
            execution: &self.execution,
            symbols: &self.symbols,
            predictions: &answer.predictions,
            deadlocks: &self.deadlocks,
            storage: answer.storage,
            seconds: answer.time.as_secs_f64(),
            unfinished,
            warnings,
            confirmed_only: false,
        })
    }

    /// The events that the parts name.
    pub(crate) fn details(&self) -> &Details {
        &self.details
    }

    /// True if something is predicted.
    pub(crate) fn is_violation(&self) -> bool {
        self.answers.iter().any(|answered| !answered.answer.predictions.is_empty())
    }
}
