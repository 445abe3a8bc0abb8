//! `regiontrack compare`: engines side by side on the same traces, as in Tables 2, 3 and 6 of the RegionTrack paper.
//!
//! Each engine reads each trace in a pass of its own, so that its time and memory are its own: the time is what it
//! spends on events, without reading; the memory is the most it holds at a time, above what reading alone holds. Blame
//! is compared transaction by transaction with the engine of the paper, for which this is exact; inner blocks are
//! ignored, because most engines do not judge them. With `--predict`, the predictive algorithms are compared instead.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analysis_core::engine::{BlameClaim, EngineSpec, Findings};
use analysis_core::engines::{ENGINES, default};
use analysis_core::event::{LabelId, ThreadId};
use analysis_core::report::{Answer, Loss, Verdict};
use analysis_core::spec::Specification;
use analysis_core::trace::input::Input;
use anyhow::{Result, bail};
use serde::Serialize;

use crate::Outcome;
use crate::heap::Meter;
use crate::output::{Format, Output};
use crate::predict::Bounds;
use crate::predictions::Comparison;
use crate::reading::{Blocks, Jobs, Pass, Reading, each};
use crate::table::bytes;

/// The arguments of `compare`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The engines to compare, by name, separated by commas; by default all. Engines that do not take traces of this
    /// length are skipped.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    engine: Vec<String>,
    /// Compare the predictive algorithms instead: their warnings, storage, time and memory.
    #[arg(long, conflicts_with = "engine")]
    predict: bool,
    #[command(flatten)]
    bounds: Bounds,
    /// The engine that the other engines' blame is measured against.
    #[arg(long, value_name = "NAME", default_value = "regiontrack")]
    against: String,
    #[command(flatten)]
    blocks: Blocks,
    /// The number of times each engine analyses each trace; the shortest time counts.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// How to print: a table, or one JSON object per line for each trace and engine.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
    /// Traces in any format, plain or gzip; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// The results of one engine on one trace.
#[derive(Serialize)]
struct Row {
    trace: String,
    engine: &'static str,
    events: u64,
    verdict: Verdict,
    first_event: Option<u64>,
    /// The number of violated transactions, or of those that the engine warns of; `None` for engines that blame nobody.
    dynamic_violations: Option<usize>,
    /// The number of their methods.
    distinct_violations: Option<usize>,
    /// The number of violated transactions that the `--against` engine reports and this one does not.
    missed: Option<usize>,
    /// The number of violated transactions that only this engine reports.
    extra: Option<usize>,
    seconds: f64,
    events_per_second: f64,
    peak_bytes: usize,
}

/// Compares trace by trace.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let asked = arguments.engine.iter().map(|name| crate::engines::find(name)).collect::<Result<Vec<_>>>()?;
    let engines = if asked.is_empty() { ENGINES.iter().collect() } else { asked };
    let against = crate::engines::find(&arguments.against)?;
    if against.claim.only_warns() {
        bail!("engine {} only warns, so nothing can be measured by it; use engine {}", against.name, default().name);
    }
    let restriction = arguments.blocks.read()?;
    if arguments.predict {
        return Ok(predictions(arguments, restriction.spec(), output));
    }
    let compare = Compare { arguments, engines: &engines, against, spec: restriction.spec() };
    if arguments.format == Format::Text {
        output.print(&heading());
    }
    // One at a time: anything that runs beside an engine would take time from it.
    Ok(each(&arguments.traces, &Jobs::ONE, output, |path, output| compare.trace(path, output)))
}

/// Compares the predictive algorithms.
fn predictions(arguments: &Arguments, spec: Option<&Specification>, output: &mut Output) -> Outcome {
    let Arguments { reading, bounds, format, repeat, .. } = arguments;
    let comparison = Comparison { reading, bounds, spec, format: *format, repeat: *repeat };
    if *format == Format::Text {
        output.print(&Comparison::heading());
    }
    each(&arguments.traces, &Jobs::ONE, output, |path, output| comparison.trace(path, output))
}

struct Compare<'a> {
    arguments: &'a Arguments,
    engines: &'a [&'static EngineSpec],
    against: &'static EngineSpec,
    spec: Option<&'a Specification>,
}

/// One engine's run.
struct Run {
    findings: Findings,
    events: u64,
    is_incomplete: bool,
    warnings: Vec<String>,
    time: Duration,
    /// The most bytes that the engine held.
    peak: usize,
}

impl Run {
    fn verdict(&self, spec: &EngineSpec) -> Verdict {
        let loss = if self.is_incomplete { Loss::Misleads } else { Loss::Nothing };
        let (is_non_serializable, only_warns) = (self.findings.is_non_serializable(), spec.claim.only_warns());
        Answer { is_non_serializable, loss, only_warns, ..Answer::default() }.verdict()
    }
}

/// A violated transaction.
type Blamed = (ThreadId, u64);

impl Compare<'_> {
    fn trace(&self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let input = self.arguments.reading.open(path)?;
        let measure = self.run(&input, self.against)?;
        let mut worst = if measure.is_incomplete { Outcome::Failed } else { Outcome::Clean };
        for warning in &measure.warnings {
            output.complain(&format!("{}: {warning}", input.name()));
        }
        for spec in self.engines.iter().filter(|spec| spec.most_events.is_none_or(|most| measure.events <= most)) {
            let row = self.row(&input, spec, &measure.findings)?;
            worst = worst.max(if row.first_event.is_some() { Outcome::Violated } else { Outcome::Clean });
            output.print(&match self.arguments.format {
                Format::Json => serde_json::to_string(&row)? + "\n",
                Format::Text => line(&row),
            });
            output.flush();
        }
        Ok(worst)
    }

    fn row(&self, input: &Input, spec: &'static EngineSpec, measure: &Findings) -> Result<Row> {
        let mut run = self.run(input, spec)?;
        for _ in 1..self.arguments.repeat {
            run.time = run.time.min(self.run(input, spec)?.time);
        }
        let blamed = (spec.claim.blame != BlameClaim::Silent).then(|| transactions(&run.findings));
        let right = transactions(measure);
        let labels: BTreeSet<LabelId> =
            run.findings.violations.iter().filter(|v| v.depth == 0).map(|violation| violation.label).collect();
        let seconds = run.time.as_secs_f64();
        Ok(Row {
            trace: input.name().to_string(),
            engine: spec.name,
            events: run.events,
            verdict: run.verdict(spec),
            first_event: run.findings.cycle.as_ref().map(|cycle| cycle.event.position()),
            dynamic_violations: blamed.as_ref().map(BTreeSet::len),
            distinct_violations: blamed.as_ref().map(|_| labels.len()),
            missed: blamed.as_ref().map(|blamed| right.difference(blamed).count()),
            extra: blamed.as_ref().map(|blamed| blamed.difference(&right).count()),
            seconds,
            events_per_second: if seconds > 0.0 { run.events as f64 / seconds } else { 0.0 },
            peak_bytes: run.peak,
        })
    }

    /// Runs an engine over the trace. The work of the reader, in this thread, is not measured.
    fn run(&self, input: &Input, spec: &EngineSpec) -> Result<Run> {
        let mut pass = Pass::open_along(input, self.arguments.reading.mode(), self.spec)?;
        let mut memory = Meter::default();
        let mut engine = memory.during(|| (spec.build)());
        let mut time = Duration::ZERO;
        while let Some(batch) = pass.next()? {
            let start = Instant::now();
            memory.during(|| engine.feed(batch));
            time += start.elapsed();
        }
        let diagnostics = pass.reader().diagnostics();
        Ok(Run {
            findings: engine.findings().clone(),
            events: pass.reader().events(),
            is_incomplete: diagnostics.is_incomplete(),
            warnings: diagnostics.warnings(),
            time,
            peak: memory.peak(),
        })
    }
}

fn transactions(findings: &Findings) -> BTreeSet<Blamed> {
    findings.violations.iter().filter(|v| v.depth == 0).map(|violation| (violation.thread, violation.begin)).collect()
}

fn heading() -> String {
    format!(
        "{:<28} {:<18} {:>11} {:<16} {:>11} {:>8} {:>8} {:>6} {:>6} {:>9} {:>8} {:>9}\n",
        "trace",
        "engine",
        "events",
        "verdict",
        "first event",
        "dynamic",
        "distinct",
        "missed",
        "extra",
        "seconds",
        "Mev/s",
        "memory"
    )
}

fn line(row: &Row) -> String {
    let count = |count: Option<usize>| count.map_or("-".into(), |count| count.to_string());
    let trace = Path::new(&row.trace).file_name().map_or(row.trace.clone().into(), |name| name.to_string_lossy());
    let mut text = String::new();
    _ = writeln!(
        text,
        "{trace:<28} {:<18} {:>11} {:<16} {:>11} {:>8} {:>8} {:>6} {:>6} {:>9.3} {:>8.2} {:>9}",
        row.engine,
        row.events,
        row.verdict.name(),
        row.first_event.map_or("-".into(), |event| event.to_string()),
        count(row.dynamic_violations),
        count(row.distinct_violations),
        count(row.missed),
        count(row.extra),
        row.seconds,
        row.events_per_second / 1e6,
        bytes(row.peak_bytes),
    );
    text
}
