//! `regiontrack predict`: predicts what could have gone wrong in other schedules of recorded traces.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use analysis_core::engine::Findings;
use analysis_core::event::{Event, LockId, VarId};
use analysis_core::filter::sections::held;
use analysis_core::predict::algorithm::{AlgorithmSpec, Limits};
use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::predict::answer::{Answer, deadlocks_within};
use analysis_core::predict::deadlock::Deadlock;
use analysis_core::predict::{Execution, Sections};
use analysis_core::report::predicted::{self, Predicted};
use analysis_core::report::{Details, Source, section};
use analysis_core::spec::{Specification, TraceFilter};
use analysis_core::trace::TraceReader;
use analysis_core::trace::input::Input;
use analysis_core::trace::symbols::Symbols;
use anyhow::{Result, bail};

use crate::Outcome;
use crate::engines::among;
use crate::output::{Format, Output};
use crate::reading::{Blocks, Jobs, Pass, Reading, Restriction, each, restrict};

/// The arguments of `predict`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The algorithms, by name, separated by commas: commit-node-conflict, commit-node-view, block, reduction,
    /// atomizer.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', default_value = ALGORITHMS[0].name)]
    algorithm: Vec<String>,
    #[command(flatten)]
    blocks: Blocks,
    /// How to print: for a person, or one JSON object per line for each trace and algorithm.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Drop predictions without a schedule that shows them, also for the exit code.
    #[arg(long)]
    confirmed_only: bool,
    /// Also count the order of critical sections, as check does, for data that is not recorded, such as that of the
    /// JDK's collections. The commit-node algorithms use it.
    #[arg(long)]
    sections: bool,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    reading: Reading,
    /// The most predictions of each sort to print for each trace and algorithm (text only; JSON has them all).
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_reports: usize,
    /// Traces in any format, plain or gzip; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// Limits for the algorithms.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Bounds {
    /// The most steps of work for an algorithm, and again for its schedules; a step takes some ten nanoseconds. An
    /// answer that reaches the limit is "not finished".
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    max_steps: u64,
    /// The most events of a trace, which are kept in memory.
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    max_events: u64,
    /// The most interleavings that the algorithm block enumerates for violations that need three or more transactions;
    /// with 0 it does not look for them.
    #[arg(long, value_name = "N", default_value_t = Limits::default().interleavings)]
    interleavings: u64,
    /// Compare transactions only in pairs.
    #[arg(long)]
    pairs: bool,
}

impl Bounds {
    /// The limits for the algorithms.
    pub(crate) fn limits(&self) -> Limits {
        Limits { steps: self.max_steps, interleavings: self.interleavings, pairs: self.pairs }
    }
}

/// The algorithms of these names.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static AlgorithmSpec>> {
    names.iter().map(|name| among(ALGORITHMS, |spec| spec.name, "algorithm", name)).collect()
}

/// Predicts for each trace in turn. A trace that cannot be read yields an error message, and the others are still read.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let algorithms = named(&arguments.algorithm)?;
    let restriction = arguments.blocks.read()?;
    let predict = Predict { arguments, algorithms: &algorithms, restriction: &restriction };
    Ok(each(&arguments.traces, &Jobs::ONE, output, |path, output| predict.trace(path, output)))
}

/// A trace that was read as a whole.
pub(crate) struct Recorded<'a> {
    pub(crate) pass: Pass<'a>,
    pub(crate) events: Vec<Event>,
}

/// Reads all events of a trace.
pub(crate) fn read<'a>(
    input: &Input,
    reading: &Reading,
    spec: Option<&'a Specification>,
    bounds: &Bounds,
) -> Result<Recorded<'a>> {
    let mut pass = Pass::open(input, reading.mode(), spec)?;
    let mut events = Vec::new();
    let most = bounds.max_events.min(Execution::MOST_EVENTS);
    while let Some(batch) = pass.next()? {
        events.extend_from_slice(batch);
        if events.len() as u64 > most {
            bail!("{}: not finished: more than {most} events; see --max-events", input.name());
        }
    }
    hold(&mut events, pass.reader().symbols());
    Ok(Recorded { pass, events })
}

/// Adds the holds of a run that was recorded without redundant accesses: there, sections that write nothing hold no
/// lock in the trace, but in other orders they would.
fn hold(events: &mut [Event], symbols: &Symbols) {
    let name = |lock| (symbols.lock(LockId(lock)).into_owned(), LockId(lock));
    let locks: HashMap<String, LockId> = (0..symbols.locks.len() as u32).map(name).collect();
    let of = |variable| {
        let name = symbols.var(VarId(variable));
        Some((VarId(variable), locks.get(section::lock(&name)?).copied()))
    };
    let variables: HashMap<VarId, Option<LockId>> = (0..symbols.vars.len() as u32).filter_map(of).collect();
    if !variables.is_empty() {
        held(events, |variable| variables.get(&variable).copied());
    }
}

struct Predict<'a> {
    arguments: &'a Arguments,
    algorithms: &'a [&'static AlgorithmSpec],
    restriction: &'a Restriction,
}

impl Predict<'_> {
    fn trace(&self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let Arguments { reading, bounds, .. } = self.arguments;
        let input = reading.open(path)?;
        let Recorded { pass, events } = read(&input, reading, self.restriction.spec(), bounds)?;
        let sections = if self.arguments.sections { Sections::Conflict } else { Sections::Ignored };
        let execution = Execution::with(events, sections);
        let mut limits_reached = Vec::new();
        let deadlocks = deadlocks_within(&execution, bounds.max_steps).unwrap_or_else(|limit| {
            limits_reached.push(limit);
            Vec::new()
        });
        let mut worst = Outcome::Clean;
        for spec in self.algorithms {
            let outcome = self.one(spec, &execution, (&deadlocks, &limits_reached), &pass, &input, output)?;
            worst = worst.max(outcome);
            output.flush();
        }
        Ok(worst)
    }

    fn one(
        &self,
        spec: &'static AlgorithmSpec,
        execution: &Execution,
        (deadlocks, limits_reached): (&[Deadlock], &[String]),
        pass: &Pass,
        input: &Input,
        output: &mut Output,
    ) -> Result<Outcome> {
        let bounds = &self.arguments.bounds;
        let answer = Answer::of(spec, execution, &bounds.limits());
        let diagnostics = pass.reader().diagnostics();
        let lost = self.restriction.context(pass, &Findings::default()).reasons;
        let reasons = lost.iter().map(|reason| format!("incomplete: {reason}"));
        let unfinished: Vec<String> = limits_reached.iter().cloned().chain(answer.unfinished).collect();
        let predicted = Predicted {
            trace: input.name(),
            source: Source::Trace,
            algorithm: spec,
            execution,
            symbols: pass.reader().symbols(),
            predictions: &answer.predictions,
            deadlocks,
            storage: answer.storage,
            seconds: answer.time.as_secs_f64(),
            unfinished: &unfinished,
            warnings: &reasons.chain(diagnostics.warnings()).collect::<Vec<_>>(),
            confirmed_only: self.arguments.confirmed_only,
        };
        output.print(&match self.arguments.format {
            Format::Json => predicted::json(&predicted) + "\n",
            Format::Text => self.text(&predicted, input)?,
        });
        let is_whole = unfinished.is_empty() && lost.is_empty() && !diagnostics.is_incomplete();
        Ok(match (is_whole, predicted.counted()) {
            (false, _) => Outcome::Failed,
            (true, 0) => Outcome::Clean,
            (true, _) => Outcome::Violated,
        })
    }

    fn text(&self, predicted: &Predicted, input: &Input) -> Result<String> {
        let mut blocks = self.restriction.spec().map(TraceFilter::new);
        let restricted = |batch: &mut Vec<Event>, reader: &TraceReader| restrict(&mut blocks, batch, reader);
        let details = Details::read(input, &predicted.events(), restricted)?;
        Ok(predicted::text(predicted, &details, self.arguments.max_reports, crate::table::width()))
    }
}
