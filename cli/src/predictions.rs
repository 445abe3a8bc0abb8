//! `regiontrack compare --predict`: the predictive algorithms side by side, as in Table 1 of the commit-node report.
//!
//! The execution is read once, and each algorithm analyses it. The time is the algorithm's own, without reading and
//! without the inputs that all algorithms share, which have their own row. The memory is the most that the algorithm
//! holds above those inputs.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use analysis_core::predict::Execution;
use analysis_core::predict::algorithm::{AlgorithmSpec, Limits};
use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::predict::answer::timed;
use analysis_core::predict::budget::Budget;
use analysis_core::predict::schedule::{Confirmer, Status};
use analysis_core::spec::Specification;
use anyhow::Result;
use serde::Serialize;

use crate::Outcome;
use crate::heap::peak_of;
use crate::output::{Format, Output};
use crate::predict::{Bounds, Recorded, read};
use crate::reading::Reading;
use crate::table::bytes;

/// The results of one algorithm on one trace.
#[derive(Serialize)]
struct Row {
    trace: String,
    algorithm: &'static str,
    events: usize,
    /// The number of transactions that it warns of.
    dynamic_warnings: usize,
    /// The number of their methods, counted once for each pattern.
    distinct_warnings: usize,
    /// The number of these that a schedule shows.
    confirmed: usize,
    storage: u64,
    seconds: f64,
    events_per_second: f64,
    peak_bytes: usize,
    is_finished: bool,
}

/// The settings of a comparison.
pub(crate) struct Comparison<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) bounds: &'a Bounds,
    pub(crate) spec: Option<&'a Specification>,
    pub(crate) format: Format,
    pub(crate) repeat: u32,
}

impl Comparison<'_> {
    /// The names of the columns.
    pub(crate) fn heading() -> String {
        format!(
            "{:<28} {:<22} {:>11} {:>8} {:>8} {:>9} {:>9} {:>9} {:>8} {:>9}\n",
            "trace", "algorithm", "events", "dynamic", "distinct", "confirmed", "storage", "seconds", "Mev/s", "memory"
        )
    }

    /// Compares all algorithms on a trace.
    pub(crate) fn trace(&self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let input = self.reading.open(path)?;
        let Recorded { pass, events } = read(&input, self.reading, self.spec, self.bounds)?;
        let diagnostics = pass.reader().diagnostics();
        for warning in diagnostics.warnings() {
            output.complain(&format!("{}: {warning}", input.name()));
        }
        let start = Instant::now();
        let (execution, held) = peak_of(|| Execution::new(events));
        self.print(&Row::of_inputs(input.name(), &execution, start.elapsed(), held), output)?;
        let mut worst = if diagnostics.is_incomplete() { Outcome::Failed } else { Outcome::Clean };
        for spec in ALGORITHMS {
            let row = self.row(input.name(), spec, &execution);
            worst = worst.max(match (row.is_finished, row.distinct_warnings) {
                (false, _) => Outcome::Failed,
                (true, 0) => Outcome::Clean,
                (true, _) => Outcome::Violated,
            });
            self.print(&row, output)?;
        }
        Ok(worst)
    }

    fn print(&self, row: &Row, output: &mut Output) -> Result<()> {
        output.print(&match self.format {
            Format::Json => serde_json::to_string(row)? + "\n",
            Format::Text => line(row),
        });
        output.flush();
        Ok(())
    }

    fn row(&self, trace: &str, spec: &'static AlgorithmSpec, execution: &Execution) -> Row {
        let limits: Limits = self.bounds.limits();
        let ((found, mut time), peak) = peak_of(|| timed(spec, execution, &limits));
        for _ in 1..self.repeat {
            time = time.min(timed(spec, execution, &limits).1);
        }
        let predictions = Confirmer::new(execution, Budget::of(limits.steps)).confirm(&found.warnings);
        let mut units: Vec<_> = found.warnings.iter().map(|warning| warning.unit).collect();
        units.dedup();
        Row {
            algorithm: spec.name,
            dynamic_warnings: units.len(),
            distinct_warnings: predictions.len(),
            confirmed: predictions.iter().filter(|p| matches!(p.status, Status::Confirmed(_))).count(),
            storage: found.storage,
            is_finished: found.unfinished.is_none(),
            ..Row::of_inputs(trace, execution, time, peak)
        }
    }
}

impl Row {
    /// The row of the inputs that all algorithms share: units, holds, accesses.
    fn of_inputs(trace: &str, execution: &Execution, time: Duration, peak: usize) -> Row {
        let (events, seconds) = (execution.events.len(), time.as_secs_f64());
        Row {
            trace: trace.to_owned(),
            algorithm: "inputs",
            events,
            dynamic_warnings: 0,
            distinct_warnings: 0,
            confirmed: 0,
            storage: execution.accesses.len() as u64,
            seconds,
            events_per_second: if seconds > 0.0 { events as f64 / seconds } else { 0.0 },
            peak_bytes: peak,
            is_finished: true,
        }
    }
}

fn line(row: &Row) -> String {
    let trace = Path::new(&row.trace).file_name().map_or(row.trace.clone().into(), |name| name.to_string_lossy());
    let mut text = String::new();
    _ = writeln!(
        text,
        "{trace:<28} {:<22} {:>11} {:>8} {:>8} {:>9} {:>9} {:>9.3} {:>8.2} {:>9}{}",
        row.algorithm,
        row.events,
        row.dynamic_warnings,
        row.distinct_warnings,
        row.confirmed,
        row.storage,
        row.seconds,
        row.events_per_second / 1e6,
        bytes(row.peak_bytes),
        if row.is_finished { "" } else { "  not finished" },
    );
    text
}
