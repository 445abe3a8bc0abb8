//! The message of a bench after each run, with the remaining time.

use std::time::Duration;

use super::measure::{Measured, Run};

/// Formats a duration for messages.
pub(crate) fn shown_seconds(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

/// The runs so far, and the remaining ones.
pub(super) struct Progress {
    /// By column, the seconds of each run so far.
    took: Vec<Vec<f64>>,
    /// The number of runs of each column.
    planned: usize,
}

impl Progress {
    /// Creates the progress for this many columns with this many runs each.
    pub(super) fn new(columns: usize, planned: usize) -> Progress {
        Progress { took: vec![Vec::new(); columns], planned }
    }

    /// Records the end of a run of this column. Returns the message for it.
    pub(super) fn ended(&mut self, column: usize, name: &str, run: &Run, limit: Duration) -> String {
        let took = match run {
            Run::Measured(Measured { wall_s: Some(wall), cpu_s: Some(cpu), .. }) => {
                format!("{wall:.2} s, {cpu:.2} s of the processors")
            }
            Run::Measured(measured) => format!("{:.2} s", measured.wall_s.unwrap_or_default()),
            Run::TooLong => format!("killed after {} s", limit.as_secs()),
            Run::Failed(why) => format!("FAILED: {why}"),
        };
        self.took[column].push(match run {
            Run::Measured(measured) => measured.wall_s.unwrap_or_default(),
            Run::TooLong => limit.as_secs_f64(),
            Run::Failed(_) => 0.0,
        });
        let done: usize = self.took.iter().map(Vec::len).sum();
        let left = shown_seconds(self.left());
        format!("[{done} of {}] {name}: {took}; about {left} left", self.took.len() * self.planned)
    }

    /// Returns the remaining seconds, if the remaining runs take the average time of their column so far.
    fn left(&self) -> f64 {
        let mean = |runs: &[f64]| runs.iter().sum::<f64>() / runs.len() as f64;
        let all: Vec<f64> = self.took.concat();
        let of_column = |runs: &Vec<f64>| {
            let typical = if runs.is_empty() { mean(&all) } else { mean(runs) };
            typical * (self.planned - runs.len()) as f64
        };
        self.took.iter().map(of_column).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_the_runs_of_each_column() {
        let mut progress = Progress::new(2, 3);
        let run = |wall, cpu| Run::Measured(Measured { wall_s: Some(wall), cpu_s: cpu, ..Measured::default() });
        let limit = Duration::from_secs(600);
        let line = progress.ended(0, "sor", &run(2.0, None), limit);
        assert_eq!(line, "[1 of 6] sor: 2.00 s; about 10 s left");
        let line = progress.ended(1, "sor", &run(4.0, Some(7.0)), limit);
        assert_eq!(line, "[2 of 6] sor: 4.00 s, 7.00 s of the processors; about 12 s left");
        let line = progress.ended(1, "h2", &Run::TooLong, limit);
        assert_eq!(line, "[3 of 6] h2: killed after 600 s; about 5 min left");
    }
}
