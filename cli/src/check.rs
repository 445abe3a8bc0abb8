//! `regiontrack check`: reads each recorded trace once and gives it to every requested engine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis_core::engine::{Engine, EngineSpec};
use analysis_core::engines;
use analysis_core::event::Event;
use analysis_core::filter::{Chain, FILTERS, FilterSpec, Saved};
use analysis_core::report::text::{self, DETAILS, Layout};
use analysis_core::report::{Details, Format, Instances, OpenBlocks, Report, Sieve, Summary, json};
use analysis_core::spec::TraceFilter;
use analysis_core::trace::TraceReader;
use analysis_core::trace::input::Input;
use anyhow::{Result, bail};

use crate::Outcome;
use crate::engines::among;
use crate::output::{Output, report_format_parser};
use crate::reading::{Blocks, Jobs, Pass, Reading, Restriction, each, restrict};
use crate::written::{refuse_inputs, write};

/// The arguments of `check`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The engines to run, by name, separated by commas; see `regiontrack engines`.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', default_value = engines::default().name)]
    engine: Vec<String>,
    #[command(flatten)]
    blocks: Blocks,
    /// How to print: text for a person, json with one object per line for each trace and engine, html for a page, sarif
    /// for code scanning, junit for build servers, markdown for a comment, github for annotations of a workflow.
    #[arg(long, value_name = "NAME", value_parser = report_format_parser(), default_value = "text")]
    format: Format,
    /// Also write the report to this file, in the format of the name's ending (.html, .sarif, .xml for JUnit, .md,
    /// .json), otherwise in that of --format; repeatable.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    #[command(flatten)]
    sieve: crate::sieve::Known,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    jobs: Jobs,
    /// Drop events that cannot change the answer, by these filters in this order, and report what each has saved:
    /// segment (repeated accesses, as the agent's hooks do), local (what only one thread uses; the trace is read
    /// twice), edges (accesses and uses of locks without an edge to or from another thread; the trace is read twice).
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    filter: Vec<String>,
    /// The most findings to list for each trace and engine (text only; JSON has them all).
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_reports: usize,
    /// The most findings to describe in detail (text only); `regiontrack explain TRACE N` describes the others.
    #[arg(long, value_name = "N", default_value_t = DETAILS)]
    details: usize,
    /// Traces in any format, plain or gzip; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// Checks each trace in turn. A trace that cannot be read yields an error message, and the others are still read.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    refuse_inputs("--report", &arguments.report, &arguments.traces)?;
    let engines: Vec<&EngineSpec> =
        arguments.engine.iter().map(|name| crate::engines::find(name)).collect::<Result<_>>()?;
    let restriction = arguments.blocks.read()?;
    let filters: Vec<&FilterSpec> =
        arguments.filter.iter().map(|name| among(FILTERS, |spec| spec.name, "filter", name)).collect::<Result<_>>()?;
    if let Some(engine) = engines.iter().find(|engine| engine.claim.only_warns() && !filters.is_empty()) {
        let name = engine.name;
        bail!("engine {name} guesses from every event, also from those that --filter leaves out; use one of the two");
    }
    let sieve = arguments.sieve.read()?;
    let check = Check { arguments, engines: &engines, filters: &filters, restriction: &restriction, sieve: &sieve };
    let outcome = each(&arguments.traces, &arguments.jobs, output, |path, output| {
        let outcome = check.trace(path, output);
        if let Err(error) = &outcome {
            check.miss(&path.display().to_string(), &format!("{error:#}"), output);
        }
        outcome
    });
    if let Format::Document(document) = arguments.format {
        let whole = document.whole(&output.parts(arguments.format));
        output.print(&whole);
    }
    for path in &arguments.report {
        let format = arguments.format_of(path);
        let parts = output.parts(format);
        let whole = if let Format::Document(document) = format { document.whole(&parts) } else { parts.concat() };
        write(path, &whole)?;
    }
    Ok(outcome)
}

impl Arguments {
    /// The format of the report in this file.
    fn format_of(&self, path: &Path) -> Format {
        Format::of_file(path).unwrap_or(self.format)
    }

    /// The formats whose parts are kept until all traces are read, each once.
    fn kept(&self) -> BTreeSet<Format> {
        let of_output = matches!(self.format, Format::Document(_)).then_some(self.format);
        of_output.into_iter().chain(self.report.iter().map(|path| self.format_of(path))).collect()
    }
}

struct Check<'a> {
    arguments: &'a Arguments,
    engines: &'a [&'static EngineSpec],
    filters: &'a [&'static FilterSpec],
    restriction: &'a Restriction,
    sieve: &'a Sieve,
}

/// A trace that was read to its end, with the results of the engines.
struct Checked<'a> {
    pass: Pass<'a>,
    instances: Instances,
    open: OpenBlocks,
    engines: Vec<Box<dyn Engine>>,
    saved: Vec<Saved>,
}

impl Check<'_> {
    fn trace(&self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let input = self.arguments.reading.open(path)?;
        let checked = self.analyse(&input)?;
        let reader = checked.pass.reader();
        let diagnostics = reader.diagnostics();
        let mut worst = Outcome::Clean;
        for (spec, engine) in self.engines.iter().zip(&checked.engines) {
            if spec.most_events.is_some_and(|most| reader.events() > most) {
                let why = too_long(&input, reader.events(), spec);
                output.complain(&why);
                self.miss(input.name(), &why, output);
                worst = Outcome::Failed;
                continue;
            }
            let mut warnings = diagnostics.warnings();
            warnings.extend(checked.open.warning(spec, engine.findings()));
            if checked.instances.total() == 0 && !diagnostics.is_incomplete() {
                let by = if self.restriction.spec().is_some() { " that is atomic by the specification" } else { "" };
                warnings.push(format!("the trace has no block{by}"));
            }
            let context = self.restriction.context(&checked.pass, engine.findings());
            let unseen = |what: &String| format!("not seen in the run: {what}: a violation can be hidden");
            warnings.extend(context.unseen.iter().map(unseen));
            let summary = Summary {
                trace: input.name(),
                engine: spec,
                events: reader.events(),
                threads: reader.symbols().threads.len() as u64,
                is_incomplete: diagnostics.is_incomplete(),
                context: &context,
                findings: engine.findings(),
                instances: &checked.instances,
                saved: &checked.saved,
                warnings: &warnings,
            };
            worst = worst.max(self.print(&summary, &input, reader, output)?);
        }
        Ok(worst)
    }

    /// Reads the trace once, for all engines, and before that once for each filter that looks ahead.
    fn analyse(&self, input: &Input) -> Result<Checked<'_>> {
        let mut filters = Chain::new(self.filters.iter().copied());
        while filters.looks_ahead() {
            let mut pass = Pass::open(input, self.arguments.reading.mode(), self.restriction.spec())?;
            while let Some(batch) = pass.next()? {
                filters.foresee(batch);
            }
            filters.foreseen();
        }
        let mut pass = Pass::open(input, self.arguments.reading.mode(), self.restriction.spec())?;
        let mut engines: Vec<Box<dyn Engine>> = self.engines.iter().map(|spec| (spec.build)()).collect();
        let (mut instances, mut open) = (Instances::default(), OpenBlocks::default());
        let open_blocks_matter = OpenBlocks::matter_to(self.engines.iter().copied());
        let mut events = 0;
        while let Some(batch) = pass.next()? {
            instances.count(batch);
            if open_blocks_matter {
                open.count(batch);
            }
            events += batch.len() as u64;
            if !self.filters.is_empty() {
                filters.apply(batch);
            }
            for (spec, engine) in self.engines.iter().zip(&mut engines) {
                // An engine that takes no more events is not asked for its findings either.
                if spec.most_events.is_none_or(|most| events <= most) {
                    engine.feed(batch);
                }
            }
        }
        let saved = filters.saved();
        Ok(Checked { pass, instances, open, engines, saved })
    }

    /// Prints the findings of an engine, and returns their outcome.
    fn print(&self, summary: &Summary, input: &Input, reader: &TraceReader, output: &mut Output) -> Result<Outcome> {
        let (format, kept) = (self.arguments.format, self.arguments.kept());
        let most = self.arguments.max_reports;
        let mut blocks = self.restriction.spec().map(TraceFilter::new);
        let restricted = |batch: &mut Vec<Event>, reader: &TraceReader| restrict(&mut blocks, batch, reader);
        let details = Details::of_findings(input, summary, restricted)?;
        let mut report = Report::new(summary, reader.symbols(), &details, most);
        self.sieve.apply(&mut report, &crate::sieve::methods(summary.instances, reader.symbols()));
        if format == Format::Json || kept.contains(&Format::Json) {
            let line = json::line(summary, reader.symbols(), &report) + "\n";
            if format == Format::Json {
                output.print(&line);
            }
            output.keep_part(&kept, Format::Json, || line);
        }
        if format == Format::Text {
            output.print(&text::render(&report, &crate::table::layout(self.arguments.details)));
        }
        output.keep_part(&kept, Format::Text, || text::render(&report, &Layout::of_file(self.arguments.details)));
        for format in Format::ALL {
            if let Format::Document(document) = format {
                output.keep_part(&kept, format, || document.part(&report, &[]));
            }
        }
        Ok(Outcome::of(&report.head.answer))
    }

    /// Keeps the reason for a missing report, in the formats that can state it. JSON has a line for each answer.
    fn miss(&self, subject: &str, why: &str, output: &mut Output) {
        let kept = self.arguments.kept();
        output.keep_part(&kept, Format::Text, || text::missing(subject, why));
        for format in Format::ALL {
            if let Format::Document(document) = format {
                output.keep_part(&kept, format, || document.missing(subject, why));
            }
        }
    }
}

/// The message about a trace that is too long for an engine.
pub(crate) fn too_long(input: &Input, events: u64, spec: &EngineSpec) -> String {
    let most = spec.most_events.unwrap_or(u64::MAX);
    let (trace, name, other) = (input.name(), spec.name, engines::default().name);
    format!("{trace}: {events} events are too many for engine {name}, which takes {most}; use engine {other}")
}
