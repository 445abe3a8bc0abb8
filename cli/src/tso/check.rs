//! `regiontrack tso check`: what store buffers can make of recorded traces.

use std::path::{Path, PathBuf};

use analysis_core::engine::Findings;
use analysis_core::event::Event;
use analysis_core::report::delays::{self, Delayed, Step, Told};
use analysis_core::report::{Details, Explanation, svg};
use analysis_core::spec::TraceFilter;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Format as TraceFormat, TraceReader, TraceWriter};
use analysis_core::tso::witness::Witness;
use analysis_core::tso::{self, ALGORITHMS, Algorithm, Answer, WORK};
use anyhow::{Context, Result};
use serde::Serialize;

use crate::Outcome;
use crate::engines::among;
use crate::output::{Format, Output};
use crate::reading::{Blocks, Jobs, Pass, Reading, Restriction, each, restrict};

/// The version of the JSON output.
const SCHEMA: u32 = 1;

/// The arguments of `tso check`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to decide, by name, separated by commas: tso-execution (is this execution, with its commits, serializable),
    /// tso-trace (is every execution that the trace leaves open serializable), robustness (is each equivalent to one
    /// without store buffers), tso-fenced (the cheap monitor for transactions that end with a fence). By default
    /// tso-execution for traces with commits and tso-trace for others.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    algorithm: Vec<String>,
    #[command(flatten)]
    blocks: Blocks,
    /// How to print: for a person, or one JSON object per line for each trace and algorithm.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
    /// The most steps that the search may take for each trace before it is undecided.
    #[arg(long, value_name = "STEPS", default_value_t = WORK)]
    work: u64,
    /// Draw the finding to this file; of several findings, the last.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the execution that is found, with its commits, to this file; of several, the last.
    #[arg(long, value_name = "FILE")]
    execution: Option<PathBuf>,
    /// Traces in a format with commits and fences (STD, binary) or without, plain or gzip; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// Checks each trace in turn.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let algorithms: Vec<&Algorithm> = arguments
        .algorithm
        .iter()
        .map(|name| among(ALGORITHMS, |spec| spec.name, "algorithm", name))
        .collect::<Result<_>>()?;
    let restriction = arguments.blocks.read()?;
    let check = Check { arguments, algorithms: &algorithms, restriction: &restriction };
    Ok(each(&arguments.traces, &Jobs::ONE, output, |path, output| check.trace(path, output)))
}

struct Check<'a> {
    arguments: &'a Arguments,
    algorithms: &'a [&'static Algorithm],
    restriction: &'a Restriction,
}

/// A trace that was read to its end.
struct Read<'a> {
    input: &'a Input,
    reader: &'a TraceReader,
    events: Vec<Event>,
    warnings: Vec<String>,
    is_incomplete: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    trace: &'a str,
    algorithm: &'a str,
    events: usize,
    threads: usize,
    verdict: &'a str,
    why: Option<&'a str>,
    cycle: &'a [Step],
    delays: &'a [Told],
    warnings: &'a [String],
}

impl Check<'_> {
    fn trace(&self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let input = self.arguments.reading.open(path)?;
        let mut pass = Pass::open(&input, self.arguments.reading.mode(), self.restriction.spec())?;
        let events = pass.buffered()?;
        let context = self.restriction.context(&pass, &Findings::default());
        let diagnostics = pass.reader().diagnostics();
        // What store buffers make of events that no execution has is not defined, so a kept ill-formed event counts as
        // a missing one.
        let has_ill_formed = diagnostics.ill_formed_events() > 0;
        let is_incomplete = diagnostics.is_incomplete() || has_ill_formed || !context.reasons.is_empty();
        let warnings = diagnostics.warnings().into_iter().chain(context.reasons).collect();
        let read = Read { input: &input, reader: pass.reader(), events, warnings, is_incomplete };
        let default = [tso::default_for(&read.events)];
        let algorithms = if self.algorithms.is_empty() { &default } else { self.algorithms };
        let mut worst = Outcome::Clean;
        for algorithm in algorithms {
            worst = worst.max(self.decide(algorithm, &read, output)?);
        }
        Ok(worst)
    }

    fn decide(&self, algorithm: &Algorithm, read: &Read, output: &mut Output) -> Result<Outcome> {
        let answer = algorithm.check(&read.events, self.arguments.work);
        let delayed = match &answer {
            Answer::Violation(found) => Some(self.told(found.witness(), algorithm, read)?),
            _ => None,
        };
        let (outcome, verdict) = match &answer {
            Answer::Violation(_) if read.is_incomplete => (Outcome::Failed, algorithm.violated),
            Answer::Violation(_) => (Outcome::Violated, algorithm.violated),
            Answer::Clean if read.is_incomplete => (Outcome::Failed, "incomplete"),
            Answer::Clean => (Outcome::Clean, algorithm.clean),
            Answer::Undecided(_) => (Outcome::Failed, "undecided"),
            Answer::Unsuitable(_) => (Outcome::Failed, "not applicable"),
        };
        let why = match &answer {
            Answer::Undecided(why) | Answer::Unsuitable(why) => Some(why.as_str()),
            _ => None,
        };
        match self.arguments.format {
            Format::Text => output.print(&text(algorithm, read, verdict, why, delayed.as_ref())),
            Format::Json => {
                let line = Line {
                    schema: SCHEMA,
                    trace: read.input.name(),
                    algorithm: algorithm.name,
                    events: read.events.len(),
                    threads: read.reader.symbols().threads.len(),
                    verdict,
                    why,
                    cycle: delayed.as_ref().map_or(&[], |delayed| &delayed.steps),
                    delays: delayed.as_ref().map_or(&[], |delayed| &delayed.delays),
                    warnings: &read.warnings,
                };
                output.print(&(serde_json::to_string(&line)? + "\n"));
            }
        }
        if let (Some(path), Some(delayed)) = (&self.arguments.svg, delayed) {
            let picture = svg::render(read.input.name(), &Explanation::from(delayed));
            std::fs::write(path, picture).with_context(|| format!("{}: cannot be written", path.display()))?;
        }
        if let (Some(path), Answer::Violation(found)) = (&self.arguments.execution, &answer) {
            write(path, &found.witness().execution.events, read.reader)?;
        }
        Ok(outcome)
    }

    /// Reads the trace again for the details of the events of the cycle.
    fn told(&self, witness: &Witness, algorithm: &Algorithm, read: &Read) -> Result<Delayed> {
        let mut blocks = self.restriction.spec().map(TraceFilter::new);
        let restricted = |batch: &mut Vec<Event>, reader: &TraceReader| restrict(&mut blocks, batch, reader);
        let details = Details::read(read.input, &Delayed::events(witness), restricted)?;
        Ok(Delayed::new(witness, &details, algorithm.is_of_transactions))
    }
}

fn text(algorithm: &Algorithm, read: &Read, verdict: &str, why: Option<&str>, delayed: Option<&Delayed>) -> String {
    let (events, threads) = (read.events.len(), read.reader.symbols().threads.len());
    let under = if [algorithm.clean, algorithm.violated].contains(&verdict) { " under TSO" } else { "" };
    let mut text =
        format!("{}: {verdict}{under} ({}: {events} events, {threads} threads)\n", read.input.name(), algorithm.name);
    for line in why.into_iter().chain(read.warnings.iter().map(String::as_str)) {
        text += &format!("  {line}\n");
    }
    if let Some(delayed) = delayed {
        text = text + "\n" + &delays::text(delayed, crate::table::width()) + "\n";
    }
    text
}

/// Writes events in the format of the file's name, or else in STD.
fn write(path: &Path, events: &[Event], reader: &TraceReader) -> Result<()> {
    let format = TraceFormat::of_path(path).unwrap_or(TraceFormat::fallback());
    let mut writer = TraceWriter::create(path, format)?;
    for event in events {
        writer.write(*event, reader.symbols(), "")?;
    }
    Ok(writer.finish()?)
}
