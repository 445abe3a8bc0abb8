//! `regiontrack bench`: measures how the cost of engines grows: with events, with threads, and with what they keep of
//! an execution.
//!
//! It measures on generated executions ([`analysis_core::workload`]), which are generated piece by piece while the
//! clock is stopped, so that they may be larger than memory; and on recorded traces, which are read before the clock
//! starts. An engine's memory is the most that it holds at a time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use analysis_core::engine::{Engine, EngineSpec};
use analysis_core::engines::ENGINES;
use analysis_core::event::Event;
use analysis_core::workload::{self, Mixed};
use anyhow::{Result, bail};
use serde::Serialize;

use crate::output::{Format, Output};
use crate::reading::{Pass, Reading};
use crate::table::bytes;
use crate::{Outcome, heap};

/// The number of events that an engine gets at once.
const PIECE: usize = 1 << 16;

/// The arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The engines to measure, by name, separated by commas; by default all that take traces of any length.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    engine: Vec<String>,
    /// The lengths of the generated executions, in events.
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "1000000,10000000")]
    events: Vec<u64>,
    /// The numbers of threads of the generated executions.
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "2,8,32,64")]
    threads: Vec<u32>,
    /// The number of times each measurement is made; the shortest time counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Measure instead what an engine keeps: for a variable, for a running thread, for a thread that has ended.
    #[arg(long, conflicts_with_all = ["events", "threads", "traces"])]
    memory: bool,
    /// How to print: a table, or one JSON object per line for each measurement.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
    /// Recorded traces to measure on, instead of generated executions.
    #[arg(value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// One measurement.
#[derive(Serialize)]
struct Row {
    execution: String,
    engine: &'static str,
    events: u64,
    seconds: f64,
    nanoseconds_per_event: f64,
    million_events_per_second: f64,
    peak_bytes: usize,
}

/// The memory that an engine keeps.
#[derive(Serialize)]
struct Kept {
    engine: &'static str,
    /// For each of a million variables that one thread has written and another has read.
    bytes_per_variable: f64,
    /// For each of 64 threads in blocks that reach each other.
    bytes_per_running_thread: f64,
    /// For each of 100 000 threads that were started and joined.
    bytes_per_passed_thread: f64,
}

/// Measures the engines.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let asked = arguments.engine.iter().map(|name| crate::engines::find(name)).collect::<Result<Vec<_>>>()?;
    let any_length = || ENGINES.iter().filter(|spec| spec.most_events.is_none()).collect();
    let engines = if asked.is_empty() { any_length() } else { asked };
    if let Some(spec) = engines.iter().find(|spec| spec.most_events.is_some()) {
        bail!("engine {} takes no long traces; expected others", spec.name);
    }
    if arguments.memory {
        return memory(arguments, &engines, output);
    }
    let bench = Bench { arguments, engines: &engines };
    if arguments.format == Format::Text {
        output.print(&format!(
            "{:<34} {:<18} {:>12} {:>9} {:>9} {:>8} {:>9}\n",
            "execution", "engine", "events", "seconds", "ns/event", "Mev/s", "memory"
        ));
    }
    if arguments.traces.is_empty() {
        bench.generated(output)?;
    } else {
        bench.recorded(output)?;
    }
    Ok(Outcome::Clean)
}

struct Bench<'a> {
    arguments: &'a Arguments,
    engines: &'a [&'static EngineSpec],
}

impl Bench<'_> {
    fn generated(&self, output: &mut Output) -> Result<()> {
        for &events in &self.arguments.events {
            for &threads in &self.arguments.threads {
                if threads == 0 {
                    bail!("an execution has one thread at least; expected --threads 1 or more");
                }
                let name = format!("generated, {threads} threads");
                self.rows(&name, events, output, |engine| {
                    let (mut workload, mut piece, mut left) = (Mixed::new(1, threads), Vec::new(), events);
                    let mut time = Duration::ZERO;
                    while left > 0 {
                        piece.clear();
                        workload.fill(&mut piece, PIECE);
                        piece.truncate(usize::try_from(left).unwrap_or(usize::MAX).min(piece.len()));
                        left -= piece.len() as u64;
                        time += timed(engine, &piece);
                    }
                    time
                })?;
            }
        }
        Ok(())
    }

    fn recorded(&self, output: &mut Output) -> Result<()> {
        for path in &self.arguments.traces {
            let input = self.arguments.reading.open(path)?;
            let mut pass = Pass::open(&input, self.arguments.reading.mode(), None)?;
            let mut trace: Vec<Event> = Vec::new();
            while let Some(batch) = pass.next()? {
                trace.extend_from_slice(batch);
            }
            let name = path.file_name().map_or(input.name().to_string(), |name| name.to_string_lossy().into_owned());
            self.rows(&name, trace.len() as u64, output, |engine| timed(engine, &trace))?;
        }
        Ok(())
    }

    /// Prints a row for each engine on one execution.
    fn rows(
        &self,
        execution: &str,
        events: u64,
        output: &mut Output,
        mut feed: impl FnMut(&mut dyn Engine) -> Duration,
    ) -> Result<()> {
        for spec in self.engines {
            let (mut best, mut peak) = (Duration::MAX, 0);
            for _ in 0..self.arguments.repeat {
                let (time, bytes) = heap::peak_of(|| feed(&mut *(spec.build)()));
                (best, peak) = (best.min(time), bytes);
            }
            let seconds = best.as_secs_f64();
            let row = Row {
                execution: execution.to_owned(),
                engine: spec.name,
                events,
                seconds,
                nanoseconds_per_event: seconds * 1e9 / (events.max(1)) as f64,
                million_events_per_second: events as f64 / 1e6 / seconds.max(1e-9),
                peak_bytes: peak,
            };
            output.print(&match self.arguments.format {
                Format::Json => serde_json::to_string(&row)? + "\n",
                Format::Text => line(&row),
            });
            output.flush();
        }
        Ok(())
    }
}

fn timed(engine: &mut dyn Engine, events: &[Event]) -> Duration {
    let start = Instant::now();
    engine.feed(events);
    start.elapsed()
}

fn line(row: &Row) -> String {
    format!(
        "{:<34} {:<18} {:>12} {:>9.3} {:>9.1} {:>8.1} {:>9}\n",
        row.execution,
        row.engine,
        row.events,
        row.seconds,
        row.nanoseconds_per_event,
        row.million_events_per_second,
        bytes(row.peak_bytes)
    )
}

fn memory(arguments: &Arguments, engines: &[&'static EngineSpec], output: &mut Output) -> Result<Outcome> {
    const VARIABLES: u32 = 1_000_000;
    const RUNNING: u32 = 64;
    const PASSED: u32 = 100_000;
    if arguments.format == Format::Text {
        output.print(&format!(
            "{:<18} {:>14} {:>16} {:>15}\n",
            "bytes for a", "variable", "running thread", "passed thread"
        ));
    }
    for spec in engines {
        let kept = Kept {
            engine: spec.name,
            bytes_per_variable: peak(spec, workload::variables(VARIABLES)) / f64::from(VARIABLES),
            bytes_per_running_thread: peak(spec, workload::living(RUNNING)) / f64::from(RUNNING),
            bytes_per_passed_thread: peak(spec, workload::passing(PASSED)) / f64::from(PASSED),
        };
        output.print(&match arguments.format {
            Format::Json => serde_json::to_string(&kept)? + "\n",
            Format::Text => format!(
                "{:<18} {:>14.1} {:>16.1} {:>15.1}\n",
                kept.engine, kept.bytes_per_variable, kept.bytes_per_running_thread, kept.bytes_per_passed_thread
            ),
        });
        output.flush();
    }
    Ok(Outcome::Clean)
}

/// The most bytes that an engine holds while it gets these events.
fn peak(spec: &EngineSpec, events: impl Iterator<Item = Event>) -> f64 {
    let ((), bytes) = heap::peak_of(|| {
        let mut engine = (spec.build)();
        events.for_each(|event| engine.step(event));
    });
    bytes as f64
}
