//! `regiontrack check`: recorded traces, read once each, given to every engine that was asked for.

use std::path::{Path, PathBuf};

use analysis_core::engine::{Engine, EngineSpec};
use analysis_core::engines;
use analysis_core::event::Event;
use analysis_core::report::{Details, Instances, Report, Summary, json, text};
use analysis_core::spec::{Specification, TraceFilter};
use analysis_core::trace::TraceReader;
use analysis_core::trace::input::Input;
use anyhow::{Result, bail};

use crate::Outcome;
use crate::output::{Format, Output, complain};
use crate::reading::{BATCH, Reading, each, restrict};

/// Which traces, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The engines to run, by name, with commas between; see `regiontrack engines`.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', default_value = engines::default().name)]
    engine: Vec<String>,
    /// Blocks are atomic only where this specification says so; their labels are methods. Without it, all are.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// How to print: for a person, or one JSON object a line for each trace and engine.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
    /// The most findings to print for each trace and engine (text only; JSON has them all).
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_reports: usize,
    /// Traces in any format, plain or gzip; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// Checks each trace in turn. A trace that cannot be read is an error message, and the others go on.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let engines: Vec<&EngineSpec> =
        arguments.engine.iter().map(|name| crate::engines::find(name)).collect::<Result<_>>()?;
    let spec = arguments.spec.as_deref().map(crate::spec::read).transpose()?;
    let check = Check { arguments, engines: &engines, spec: spec.as_ref() };
    Ok(each(&arguments.traces, output, |path, output| check.trace(path, output)))
}

struct Check<'a> {
    arguments: &'a Arguments,
    engines: &'a [&'static EngineSpec],
    spec: Option<&'a Specification>,
}

/// A trace that was read to its end, with what the engines made of it.
struct Checked {
    reader: TraceReader,
    instances: Instances,
    engines: Vec<Box<dyn Engine>>,
}

impl Check<'_> {
    fn trace(&self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let input = self.arguments.reading.open(path)?;
        let checked = self.analyse(&input)?;
        let diagnostics = checked.reader.diagnostics();
        let warnings = diagnostics.warnings();
        let mut worst = if diagnostics.is_incomplete() { Outcome::Failed } else { Outcome::Clean };
        for (spec, engine) in self.engines.iter().zip(&checked.engines) {
            if spec.most_events.is_some_and(|most| checked.reader.events() > most) {
                let (name, most) = (spec.name, spec.most_events.unwrap_or(0));
                output.flush();
                complain(&format!(
                    "{}: {} events are too many for engine {name}, which takes {most}; use engine {}",
                    input.name(),
                    checked.reader.events(),
                    engines::default().name
                ));
                worst = Outcome::Failed;
                continue;
            }
            let summary = Summary {
                trace: input.name(),
                engine: spec.name,
                events: checked.reader.events(),
                threads: checked.reader.symbols().threads.len() as u64,
                is_incomplete: diagnostics.is_incomplete(),
                findings: engine.findings(),
                instances: &checked.instances,
                warnings: &warnings,
            };
            self.print(&summary, &input, &checked.reader, output)?;
            worst = worst.max(if engine.findings().is_non_serializable() { Outcome::Violated } else { Outcome::Clean });
        }
        Ok(worst)
    }

    /// Reads the trace once, for all engines.
    fn analyse(&self, input: &Input) -> Result<Checked> {
        let mut reader = TraceReader::open(input, self.arguments.reading.mode())?;
        let mut filter = self.spec.map(TraceFilter::new);
        let mut engines: Vec<Box<dyn Engine>> = self.engines.iter().map(|spec| (spec.build)()).collect();
        let mut instances = Instances::default();
        let mut batch = Vec::new();
        while reader.read_batch(&mut batch, BATCH)? > 0 {
            restrict(&mut filter, &mut batch, &reader);
            instances.count(&batch);
            for (spec, engine) in self.engines.iter().zip(&mut engines) {
                // An engine that takes no more is not asked for its findings either.
                if spec.most_events.is_none_or(|most| reader.events() <= most) {
                    engine.feed(&batch);
                }
            }
        }
        if reader.events() > analysis_core::event::Stamp::MAX_POSITION {
            bail!("{}: more events than can be numbered", input.name());
        }
        Ok(Checked { reader, instances, engines })
    }

    fn print(&self, summary: &Summary, input: &Input, reader: &TraceReader, output: &mut Output) -> Result<()> {
        if self.arguments.format == Format::Json {
            output.print(&json::line(summary, reader.symbols()));
            output.print("\n");
            return Ok(());
        }
        let most = self.arguments.max_reports;
        let mut filter = self.spec.map(TraceFilter::new);
        let blocks = |batch: &mut Vec<Event>, reader: &TraceReader| restrict(&mut filter, batch, reader);
        let details = Details::read(input, &Report::events(summary, most), blocks)?;
        let report = Report::new(summary, reader.symbols(), &details, most);
        output.print(&text::render(summary, &report));
        Ok(())
    }
}
