//! One finding of one trace: what `explain` and `minimize` have in common.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis_core::engine::{BlameClaim, Engine, EngineSpec, VerdictClaim};
use analysis_core::engines;
use analysis_core::event::{Event, Op};
use analysis_core::report::{Context, Details, Found, Instances, Sieve, Sifted, Summary};
use analysis_core::spec::TraceFilter;
use analysis_core::trace::input::Input;
use analysis_core::trace::symbols::Symbols;
use analysis_core::trace::{Format, Mode, TraceReader};
use anyhow::{Result, bail};

use crate::reading::{Blocks, Pass, Restriction, format_parser, restrict};

/// The arguments that choose a finding of a trace.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// A trace in a format that `check` reads; - is standard input. `explain` also takes the report of a run in JSON,
    /// which the agent writes with report=FILE.json, and `run` and `merge` write to a FILE.json; and a schedule as
    /// `provoke` writes it, which is drawn.
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// The number of the finding, as `check` numbers them; 1 by default.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// The format of the trace; by default determined by its first bytes.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<&'static Format>,
    #[command(flatten)]
    blocks: Blocks,
    #[command(flatten)]
    sieve: crate::sieve::Known,
    /// The engine that finds it, which must know the event at which each finding shows; see `regiontrack engines`.
    #[arg(long, value_name = "NAME", default_value = engines::default().name)]
    engine: String,
}

/// A trace that can be read repeatedly.
pub(crate) struct Trace {
    pub(crate) input: Input,
    pub(crate) engine: &'static EngineSpec,
    restriction: Restriction,
    mode: Mode,
    sieve: Sieve,
}

/// The engine's analysis of a trace.
pub(crate) struct Analysed<'a> {
    pass: Pass<'a>,
    pub(crate) warnings: Vec<String>,
    /// Whether the trace says where store buffers are emptied.
    pub(crate) has_buffers: bool,
    instances: Instances,
    running: Box<dyn Engine>,
}

/// The finding that was asked for.
pub(crate) struct Chosen {
    /// The finding with its number and the number of all findings; `None` if nothing was found, or nothing is left.
    pub(crate) found: Option<(Found, usize, usize)>,
    /// The effect of suppressions and a baseline on all findings, if any are given.
    pub(crate) sifted: Option<Sifted>,
}

impl Choice {
    /// Opens the trace.
    pub(crate) fn open(&self, mode: Mode) -> Result<Trace> {
        let engine = crate::engines::find(&self.engine)?;
        if engine.claim.only_warns() {
            let (name, better) = (engine.name, engines::default().name);
            bail!("engine {name} only warns, so there is no violation to tell of; use engine {better}, or predict");
        }
        if engine.claim.verdict != VerdictClaim::AtEveryPrefix {
            let (name, better) = (engine.name, engines::default().name);
            bail!("engine {name} does not know at which event a finding shows; use engine {better}");
        }
        if engine.claim.blame == BlameClaim::Silent {
            bail!(
                "engine {} blames nobody, so there is nothing to tell; use engine {}",
                engine.name,
                engines::default().name
            );
        }
        let restriction = self.blocks.read()?;
        let sieve = self.sieve.read()?;
        Ok(Trace { input: Input::open(&self.trace)?.with_format(self.from), engine, restriction, mode, sieve })
    }

    /// The first given option that applies to traces only.
    pub(crate) fn of_traces(&self) -> Option<&'static str> {
        let given = [
            ("--from", self.from.is_some()),
            ("--engine", self.engine != engines::default().name),
            ("--spec or --exclude-method", self.blocks.is_given()),
            ("--suppressions or --baseline", self.sieve.is_given()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// The number of the finding, from 1.
    pub(crate) fn number(&self) -> usize {
        self.number.unwrap_or(1) as usize
    }

    /// The number of the finding, if it was given.
    pub(crate) fn given_number(&self) -> Option<u32> {
        self.number
    }

    /// The path of the trace, as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.trace
    }

    /// The finding that was asked for.
    pub(crate) fn found(&self, trace: &Trace, analysed: &Analysed, summary: &Summary) -> Result<Chosen> {
        let mut all = Found::all(summary, analysed.symbols(), &trace.read_findings(summary)?);
        let ran = crate::sieve::methods(summary.instances, analysed.symbols());
        let sifted = Found::sift(&mut all, &trace.sieve, &ran);
        let (number, total) = (self.number(), all.len());
        if total == 0 {
            return Ok(Chosen { found: None, sifted });
        }
        if number > total {
            bail!("{}", no_number(summary.trace, number, total, "check"));
        }
        Ok(Chosen { found: Some((all.swap_remove(number - 1), number, total)), sifted })
    }
}

/// The message for a number beyond the last finding.
pub(crate) fn no_number(name: &str, number: usize, total: usize, list: &str) -> String {
    let are = if total == 1 { "is 1 finding".to_owned() } else { format!("are {total} findings") };
    format!("{name}: there {are}, no number {number}; see regiontrack {list}")
}

impl Trace {
    /// Gives the trace to the engine.
    pub(crate) fn analyse(&self) -> Result<Analysed<'_>> {
        let mut running = (self.engine.build)();
        let mut instances = Instances::default();
        let mut has_buffers = false;
        let pass = self.read(|_, batch| {
            instances.count(batch);
            has_buffers = has_buffers || batch.iter().any(|event| matches!(event.op, Op::Fence | Op::Commit(_)));
            running.feed(batch);
            true
        })?;
        let warnings = pass.reader().diagnostics().warnings();
        Ok(Analysed { pass, warnings, has_buffers, instances, running })
    }

    /// Passes every event with its number to `take`, until `take` returns false.
    pub(crate) fn each(&self, mut take: impl FnMut(u64, Event) -> bool) -> Result<()> {
        self.read(|before, batch| (before + 1..).zip(batch).all(|(number, event)| take(number, *event)))?;
        Ok(())
    }

    /// Returns all events of the trace, for the store buffer algorithms.
    pub(crate) fn buffered(&self) -> Result<Vec<Event>> {
        self.open()?.buffered()
    }

    /// Replaces the engine's witness by the shortest one.
    pub(crate) fn shorten(&self, found: &mut Found) -> Result<()> {
        let mut search = found.search();
        self.each(|number, event| {
            search.step(number, event);
            !search.is_done(number)
        })?;
        if let Some(edges) = search.edges() {
            found.set_edges(edges);
        }
        Ok(())
    }

    /// Reads the details of the witness's events from the trace.
    pub(crate) fn details(&self, found: &Found) -> Result<Details> {
        self.read_details(&found.events())
    }

    /// Reads the details of the events that a report of all findings names.
    fn read_findings(&self, summary: &Summary) -> Result<Details> {
        let mut filter = self.restriction.spec().map(TraceFilter::new);
        let blocks = |batch: &mut Vec<Event>, reader: &TraceReader| restrict(&mut filter, batch, reader);
        Ok(Details::of_findings(&self.input, summary, blocks)?)
    }

    /// Reads the details of these events from the trace.
    pub(crate) fn read_details(&self, events: &BTreeSet<u64>) -> Result<Details> {
        let mut filter = self.restriction.spec().map(TraceFilter::new);
        let blocks = |batch: &mut Vec<Event>, reader: &TraceReader| restrict(&mut filter, batch, reader);
        Ok(Details::read(&self.input, events, blocks)?)
    }

    fn open(&self) -> Result<Pass<'_>> {
        Pass::open(&self.input, self.mode, self.restriction.spec())
    }

    /// Passes the events to `take` in batches, each with the number of events before it, until `take` returns false.
    fn read(&self, mut take: impl FnMut(u64, &[Event]) -> bool) -> Result<Pass<'_>> {
        let mut pass = self.open()?;
        let mut before = 0;
        while let Some(batch) = pass.next()? {
            let after = before + batch.len() as u64;
            if self.engine.most_events.is_some_and(|most| after > most) {
                bail!("{}", crate::check::too_long(&self.input, after, self.engine));
            }
            if !take(before, batch) {
                break;
            }
            before = after;
        }
        Ok(pass)
    }
}

impl Analysed<'_> {
    /// The names in the trace.
    pub(crate) fn symbols(&self) -> &Symbols {
        self.pass.reader().symbols()
    }

    /// What is known about the run.
    pub(crate) fn context(&self, trace: &Trace) -> Context {
        trace.restriction.context(&self.pass, self.running.findings())
    }

    /// The summary of the engine's results.
    pub(crate) fn summary<'a>(&'a self, trace: &'a Trace, context: &'a Context) -> Summary<'a> {
        let reader = self.pass.reader();
        Summary {
            trace: trace.input.name(),
            engine: trace.engine,
            events: reader.events(),
            threads: reader.symbols().threads.len() as u64,
            is_incomplete: reader.diagnostics().is_incomplete(),
            context,
            findings: self.running.findings(),
            instances: &self.instances,
            saved: &[],
            warnings: &self.warnings,
        }
    }
}
