//! One algorithm, from the execution to predictions with schedules: what `regiontrack predict` and the agent both do.

use std::time::{Duration, Instant};

use super::Execution;
use super::algorithm::{AlgorithmSpec, Limits, Outcome};
use super::budget::Budget;
use super::deadlock::{Deadlock, deadlocks};
use super::schedule::{Confirmer, Prediction};

/// What one algorithm says of an execution.
pub struct Answer {
    /// The algorithm.
    pub algorithm: &'static AlgorithmSpec,
    /// What it predicts, one for each method and pattern.
    pub predictions: Vec<Prediction>,
    /// How much it stored.
    pub storage: u64,
    /// How long it took, without its schedules.
    pub time: Duration,
    /// Which limit it reached.
    pub unfinished: Option<String>,
}

impl Answer {
    /// Runs the algorithm and looks for schedules, with as many steps for each.
    pub fn of(algorithm: &'static AlgorithmSpec, execution: &Execution, limits: &Limits) -> Answer {
        let (Outcome { warnings, storage, unfinished }, time) = timed(algorithm, execution, limits);
        let predictions = Confirmer::new(execution, Budget::of(limits.steps)).confirm(&warnings);
        Answer { algorithm, predictions, storage, time, unfinished }
    }
}

/// Runs an algorithm, and says how long it took.
pub fn timed(algorithm: &AlgorithmSpec, execution: &Execution, limits: &Limits) -> (Outcome, Duration) {
    let start = Instant::now();
    let found = (algorithm.run)(execution, limits);
    (found, start.elapsed())
}

/// The potential deadlocks, or what it says that these steps were not enough to look for them.
pub fn deadlocks_within(execution: &Execution, steps: u64) -> Result<Vec<Deadlock>, String> {
    let found = deadlocks(execution, &mut Budget::of(steps));
    found.map_err(|_| format!("{steps} steps were not enough to look for deadlocks"))
}
