//! What all commands that read traces share: options, formats, the rule for standard input, specifications, several
//! traces at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use analysis_core::engine::{Findings, Violation};
use analysis_core::event::{Event, Stamp};
use analysis_core::report::{Application, Context, Waits};
use analysis_core::spec::{Specification, TraceFilter};
use analysis_core::trace::input::Input;
use analysis_core::trace::notes::{self, Notes};
use analysis_core::trace::{FORMATS, Format, Mode, Pace, TraceError, TraceReader};
use analysis_core::tso::MOST_EVENTS;
use anyhow::{Result, anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::Outcome;
use crate::output::Output;
use crate::progress::Progress;

/// The number of events per batch.
pub(crate) const BATCH: usize = 1 << 14;

/// Options for reading traces.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// The format of the traces; by default determined by their first bytes.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<&'static Format>,
    /// Skip lines and records that cannot be read, keep ill-formed events, and count both; skipping makes the result
    /// "incomplete".
    #[arg(long)]
    lenient: bool,
}

/// The parser of a format's name.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(FORMATS.each_ref().map(|format| format.name))
        .map(|name| Format::named(&name).expect("clap takes the names of formats alone"))
}

impl Reading {
    /// Opens the trace at `path`.
    pub(crate) fn open(&self, path: &Path) -> Result<Input, TraceError> {
        Ok(Input::open(path)?.with_format(self.from))
    }

    /// How to treat errors in a trace.
    pub(crate) fn mode(&self) -> Mode {
        if self.lenient { Mode::Lenient } else { Mode::Strict }
    }
}

/// Options that say which blocks are atomic.
#[derive(clap::Args)]
pub(crate) struct Blocks {
    /// The specification that says which blocks are atomic; their labels are methods. Without it, all blocks are.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Remove this method from the specification in effect, like a line with `-`; can be repeated.
    #[arg(long, value_name = "METHOD")]
    exclude_method: Vec<String>,
}

impl Blocks {
    /// Whether any of these options is given.
    pub(crate) fn is_given(&self) -> bool {
        self.spec.is_some() || !self.exclude_method.is_empty()
    }

    /// Reads the specification, without the excluded methods.
    pub(crate) fn read(&self) -> Result<Restriction> {
        let mut spec = self.spec.as_deref().map(crate::spec::read).transpose()?;
        let has_own = spec.is_some();
        if !self.exclude_method.is_empty() {
            let spec = spec.get_or_insert_with(Specification::everything);
            exclude(spec, &self.exclude_method)?;
        }
        Ok(Restriction { spec, has_own })
    }
}

/// Excludes methods from a specification.
pub(crate) fn exclude(spec: &mut Specification, methods: &[String]) -> Result<()> {
    for method in methods {
        spec.exclude(method).map_err(|error| anyhow!("--exclude-method '{method}': {error}"))?;
    }
    Ok(())
}

/// Which blocks of a trace are judged, and which of them count.
#[derive(Default)]
pub(crate) struct Restriction {
    spec: Option<Specification>,
    has_own: bool,
}

impl Restriction {
    /// The restriction to the blocks of a specification.
    pub(crate) fn of(spec: Specification) -> Restriction {
        Restriction { spec: Some(spec), has_own: true }
    }

    /// The specification of the blocks that are judged; `None` if all are.
    pub(crate) fn spec(&self) -> Option<&Specification> {
        self.spec.as_ref()
    }

    /// What is known about the run whose trace `pass` has read, and which violated blocks of `findings` do not count.
    pub(crate) fn context(&self, pass: &Pass, findings: &Findings) -> Context {
        let symbols = pass.reader().symbols();
        let notes = &symbols.notes;
        let is_apart = |violation: &&Violation| {
            pass.waits.contains(violation.begin)
                && self.keeps_by_default(symbols.label(violation.label).as_deref(), notes)
        };
        let apart = findings.violations.iter().filter(is_apart).map(|violation| violation.begin).collect();
        let application = notes.values(notes::APPLICATION).next().map(Application::parse).unwrap_or_default();
        let reasons = notes.values(notes::INCOMPLETE).map(str::to_owned).collect();
        let unseen = notes.values(notes::UNSEEN).map(str::to_owned).collect();
        Context { apart, application, reasons, unseen }
    }

    /// Whether only the default specification calls such blocks atomic. If none is given here, the recorded run's
    /// specification decides.
    fn keeps_by_default(&self, label: Option<&str>, notes: &Notes) -> bool {
        match &self.spec {
            Some(spec) if self.has_own => spec.keeps_by_default(label),
            _ => {
                notes.has_default_specification() && !label.is_some_and(|l| notes.values(notes::NAMED).any(|n| n == l))
            }
        }
    }
}

/// The option for parallel analysis.
#[derive(clap::Args)]
pub(crate) struct Jobs {
    /// The number of traces to analyse at once; 0 means one per processor. Results come in the order of the traces.
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    jobs: usize,
}

impl Jobs {
    /// One trace at a time.
    pub(crate) const ONE: Jobs = Jobs { jobs: 1 };

    /// The number of threads to use for this many traces.
    fn threads(&self, traces: usize) -> usize {
        let asked = match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            asked => asked,
        };
        asked.min(traces)
    }
}

/// Runs `what` for each trace, and prints the results in the order of the traces. A trace that cannot be read yields an
/// error message, and the others are still read.
pub(crate) fn each(
    traces: &[PathBuf],
    jobs: &Jobs,
    output: &mut Output,
    what: impl Fn(&Path, &mut Output) -> Result<Outcome> + Sync,
) -> Outcome {
    let one = |index: usize, output: &mut Output| {
        let outcome = first_reading(&traces[index], &traces[..index]).and_then(|()| what(&traces[index], output));
        outcome.unwrap_or_else(|error| {
            output.complain(&format!("{error:#}"));
            Outcome::Failed
        })
    };
    let threads = jobs.threads(traces.len());
    if threads > 1 {
        return at_once(traces.len(), threads, output, one);
    }
    let mut worst = Outcome::Clean;
    for index in 0..traces.len() {
        worst = worst.max(one(index, output));
        // The next trace may take long.
        output.flush();
    }
    worst
}

/// Runs `one` for each number below `count`, several at once, and prints the kept outputs in the order of the numbers.
fn at_once(
    count: usize,
    threads: usize,
    output: &mut Output,
    one: impl Fn(usize, &mut Output) -> Outcome + Sync,
) -> Outcome {
    let next = AtomicUsize::new(0);
    let (send, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next, one) = (send.clone(), &next, &one);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let mut kept = Output::kept();
                    let outcome = one(index, &mut kept);
                    // Sending fails only if the printing thread has panicked.
                    _ = send.send((index, outcome, kept));
                }
            });
        }
        drop(send);
        let (mut worst, mut turn, mut early) = (Outcome::Clean, 0, BTreeMap::new());
        for (index, outcome, kept) in results {
            worst = worst.max(outcome);
            early.insert(index, kept);
            while let Some(kept) = early.remove(&turn) {
                output.append(kept);
                output.flush();
                turn += 1;
            }
        }
        worst
    })
}

/// Refuses to read standard input twice: the second time it is empty.
fn first_reading(path: &Path, before: &[PathBuf]) -> Result<()> {
    if path.as_os_str() == "-" && before.iter().any(|known| known == path) {
        bail!("<stdin>: was read already; give - once");
    }
    Ok(())
}

/// One pass over a trace: the events for the engines, batch by batch.
pub(crate) struct Pass<'a> {
    name: Arc<str>,
    reader: TraceReader,
    blocks: Option<TraceFilter<'a>>,
    batch: Vec<Event>,
    waits: Waits,
    progress: Progress,
}

impl<'a> Pass<'a> {
    /// Starts at the first event. `spec` says which blocks are atomic; without it, all are.
    pub(crate) fn open(input: &Input, mode: Mode, spec: Option<&'a Specification>) -> Result<Pass<'a>> {
        Pass::at(Pace::Ahead, input, mode, spec)
    }

    /// Like [`Pass::open`], but reads in this thread only, to measure the work between the batches.
    pub(crate) fn open_along(input: &Input, mode: Mode, spec: Option<&'a Specification>) -> Result<Pass<'a>> {
        Pass::at(Pace::Along, input, mode, spec)
    }

    fn at(pace: Pace, input: &Input, mode: Mode, spec: Option<&'a Specification>) -> Result<Pass<'a>> {
        let reader = TraceReader::open_at(pace, input, mode)?;
        let progress = Progress::new(input.name());
        Ok(Pass {
            name: Arc::clone(input.name()),
            reader,
            blocks: spec.map(TraceFilter::new),
            batch: Vec::new(),
            waits: Waits::default(),
            progress,
        })
    }

    /// Returns the next events, without the blocks that are not atomic; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<&mut [Event]>> {
        if self.reader.read_batch(&mut self.batch, BATCH)? == 0 {
            if self.reader.events() > Stamp::MAX_POSITION {
                bail!("{}: more events than can be numbered", self.name);
            }
            refuse_empty(&self.reader, &self.name)?;
            return Ok(None);
        }
        self.progress.at(self.reader.events());
        self.waits.note(&self.batch);
        restrict(&mut self.blocks, &mut self.batch, &self.reader);
        Ok(Some(&mut self.batch))
    }

    /// Returns all events, with commits of buffered writes in order, for the store buffer algorithms. Call it before
    /// the first event is read.
    pub(crate) fn buffered(&mut self) -> Result<Vec<Event>> {
        self.reader.check_commits();
        let mut events = Vec::new();
        while let Some(batch) = self.next()? {
            events.extend_from_slice(batch);
            if events.len() > MOST_EVENTS {
                bail!("{}: more than {MOST_EVENTS} events; expected a shorter trace", self.name);
            }
        }
        Ok(events)
    }

    /// The reader, with its names, counts and diagnostics.
    pub(crate) fn reader(&self) -> &TraceReader {
        &self.reader
    }
}

/// Refuses a trace without events: it describes no execution, so "serializable" would mean nothing. If a lenient pass
/// skipped or lost something, that is reported instead.
pub(crate) fn refuse_empty(reader: &TraceReader, name: &str) -> Result<()> {
    if reader.events() == 0 && !reader.diagnostics().is_incomplete() {
        bail!("{name}: no events; expected a trace with at least one");
    }
    Ok(())
}

/// Removes the blocks that are not atomic from the events that `reader` returned.
pub(crate) fn restrict(filter: &mut Option<TraceFilter>, batch: &mut [Event], reader: &TraceReader) {
    if let Some(filter) = filter {
        filter.apply(batch, reader.symbols());
    }
}
