//! One finding of one trace: what `explain` and `minimize` have in common.

use std::path::{Path, PathBuf};

use analysis_core::engine::{Engine, EngineSpec, VerdictClaim};
use analysis_core::engines;
use analysis_core::event::{Event, Stamp};
use analysis_core::report::{Details, Found, Instances, Summary};
use analysis_core::spec::{Specification, TraceFilter};
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use anyhow::{Result, bail};

/// How many events are read at once.
const BATCH: usize = 1 << 14;

/// Which finding of which trace.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// A trace in a format that `check` reads; - is standard input.
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// The number of the finding, as `check` numbers them.
    #[arg(value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Blocks are atomic only where this specification says so; their labels are methods. Without it, all are.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The engine that finds it, one that knows the event at which each finding shows; see `regiontrack engines`.
    #[arg(long, value_name = "NAME", default_value = engines::default().name)]
    engine: String,
}

/// A trace that can be read again and again.
pub(crate) struct Trace {
    pub(crate) input: Input,
    pub(crate) engine: &'static EngineSpec,
    spec: Option<Specification>,
    mode: Mode,
}

/// What the engine made of it.
pub(crate) struct Analysed {
    pub(crate) reader: TraceReader,
    pub(crate) warnings: Vec<String>,
    instances: Instances,
    running: Box<dyn Engine>,
}

impl Choice {
    /// Opens the trace.
    pub(crate) fn open(&self, mode: Mode) -> Result<Trace> {
        let engine = crate::engines::find(&self.engine)?;
        if engine.claim.verdict != VerdictClaim::AtEveryPrefix {
            let (name, better) = (engine.name, engines::default().name);
            bail!("engine {name} does not know at which event a finding shows; use engine {better}");
        }
        let spec = self.spec.as_deref().map(crate::spec::read).transpose()?;
        Ok(Trace { input: Input::open(&self.trace)?, engine, spec, mode })
    }

    /// The trace as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.trace
    }

    /// The finding that was asked for, with its number and how many there are; none if nothing was found at all.
    pub(crate) fn found(&self, summary: &Summary) -> Result<Option<(Found, usize, usize)>> {
        let mut all = Found::all(summary);
        let (number, total) = (self.number as usize, all.len());
        if total == 0 {
            return Ok(None);
        }
        if number > total {
            let are = if total == 1 { "is 1 finding".to_owned() } else { format!("are {total} findings") };
            bail!("{}: there {are}, no number {number}; see regiontrack check", summary.trace);
        }
        Ok(Some((all.swap_remove(number - 1), number, total)))
    }
}

impl Trace {
    /// Gives the trace to the engine.
    pub(crate) fn analyse(&self) -> Result<Analysed> {
        let mut running = (self.engine.build)();
        let mut instances = Instances::default();
        let reader = self.read(|_, batch| {
            instances.count(batch);
            running.feed(batch);
            true
        })?;
        let warnings = reader.diagnostics().warnings();
        Ok(Analysed { reader, warnings, instances, running })
    }

    /// Gives every event with its number to `take`, until that says that it has enough.
    pub(crate) fn each(&self, mut take: impl FnMut(u64, Event) -> bool) -> Result<()> {
        self.read(|before, batch| (before + 1..).zip(batch).all(|(number, event)| take(number, *event)))?;
        Ok(())
    }

    /// Puts the shortest witness in the place of the engine's.
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

    /// Reads the events of the witness for what the trace says of them.
    pub(crate) fn details(&self, found: &Found) -> Result<Details> {
        let mut filter = self.spec.as_ref().map(TraceFilter::new);
        let blocks = |batch: &mut Vec<Event>, reader: &TraceReader| apply(&mut filter, batch, reader);
        Ok(Details::read(&self.input, &found.events(), blocks)?)
    }

    /// Gives the events to `take`, a batch at a time with how many came before it, until it returns false.
    fn read(&self, mut take: impl FnMut(u64, &[Event]) -> bool) -> Result<TraceReader> {
        let mut reader = TraceReader::open(&self.input, self.mode)?;
        let mut filter = self.spec.as_ref().map(TraceFilter::new);
        let most = self.engine.most_events.unwrap_or(Stamp::MAX_POSITION);
        let (mut batch, mut before) = (Vec::new(), 0);
        while reader.read_batch(&mut batch, BATCH)? > 0 {
            if reader.events() > most {
                bail!("{}: too many events for engine {}, which takes {most}", self.input.name(), self.engine.name);
            }
            apply(&mut filter, &mut batch, &reader);
            if !take(before, &batch) {
                break;
            }
            before += batch.len() as u64;
        }
        Ok(reader)
    }
}

impl Analysed {
    /// What the engine says.
    pub(crate) fn summary<'a>(&'a self, trace: &'a Trace) -> Summary<'a> {
        Summary {
            trace: trace.input.name(),
            engine: trace.engine.name,
            events: self.reader.events(),
            threads: self.reader.symbols().threads.len() as u64,
            is_incomplete: self.reader.diagnostics().is_incomplete(),
            findings: self.running.findings(),
            instances: &self.instances,
            warnings: &self.warnings,
        }
    }
}

fn apply(filter: &mut Option<TraceFilter>, batch: &mut [Event], reader: &TraceReader) {
    if let Some(filter) = filter {
        filter.apply(batch, reader.symbols());
    }
}
