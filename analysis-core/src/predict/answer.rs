//! Runs one algorithm on an execution and confirms its predictions with schedules, for `regiontrack predict` and the
//! agent.

use std::time::{Duration, Instant};

use super::Execution;
use super::algorithm::{AlgorithmSpec, Limits, Outcome};
use super::budget::Budget;
use super::deadlock::{Deadlock, deadlocks};
use super::schedule::{Confirmer, Prediction};

/// The answer of one algorithm for an execution.
pub struct Answer {
    /// The algorithm.
    pub algorithm: &'static AlgorithmSpec,
    /// The predictions, one for each method and pattern.
    pub predictions: Vec<Prediction>,
    /// The amount of stored data.
    pub storage: u64,
    /// The time it took, without the search for schedules.
    pub time: Duration,
    /// The limit that was reached, if any.
    pub unfinished: Option<String>,
}

impl Answer {
    /// Runs the algorithm and looks for schedules, each within the same step limit.
    pub fn of(algorithm: &'static AlgorithmSpec, execution: &Execution, limits: &Limits) -> Answer {
        let (Outcome { warnings, storage, unfinished }, time) = timed(algorithm, execution, limits);
        let predictions = Confirmer::new(execution, Budget::of(limits.steps)).confirm(&warnings);
        Answer { algorithm, predictions, storage, time, unfinished }
    }
}

/// Runs an algorithm and measures its time.
pub fn timed(algorithm: &AlgorithmSpec, execution: &Execution, limits: &Limits) -> (Outcome, Duration) {
    let start = Instant::now();
    let found = (algorithm.run)(execution, limits);
    (found, start.elapsed())
}

/// Returns the potential deadlocks, or a message that the given number of steps was not enough to look for them.
pub fn deadlocks_within(execution: &Execution, steps: u64) -> Result<Vec<Deadlock>, String> {
    let found = deadlocks(execution, &mut Budget::of(steps));
    found.map_err(|_| format!("{steps} steps were not enough to look for deadlocks"))
}
