//! `regiontrack candidates`: candidates for provoked violations, from recorded traces, and the files that keep them.

mod show;

use std::path::{Path, PathBuf};

use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::provoke::finder::{self, Search};
use analysis_core::provoke::{self, Candidates, State};
use analysis_core::spec::ClassPatterns;
use analysis_core::trace::Mode;
use anyhow::{Result, anyhow, bail};
use clap::Subcommand;

use crate::Outcome;
use crate::engines::among;
use crate::output::{Format, Output};
use crate::progress::Progress;
use crate::reading::Reading;
pub(crate) use show::{Line, count};

/// The arguments of `candidates`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Add the candidates to this file, in which existing candidates keep their results; without it, print them.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to print: a table for a person, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "output")]
    format: Format,
    /// The most candidates to print, the likeliest first (text only; JSON has them all).
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "output")]
    max: usize,
    #[command(flatten)]
    breadth: Breadth,
    #[command(flatten)]
    reading: Reading,
    /// Traces in any format, recorded with redundant=true; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// How far the search for candidates looks in a trace. The help text names the defaults, because [`Breadth::given`] must
/// tell an option that was given from its default.
#[derive(clap::Args)]
pub(crate) struct Breadth {
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..),
        help = format!(
            "Remember at least this many events, and at most twice as many; accesses further apart form no candidate \
             (default: {})",
            Search::default().window
        )
    )]
    window: Option<u64>,
    #[arg(
        long,
        value_name = "NAME",
        help = format!(
            "The algorithm of regiontrack predict that predicts violations by more than one access of another thread, \
             such as those that go through a third thread; or {NONE} (default: {})",
            Search::default().predicts.map_or(NONE, |spec| spec.name)
        )
    )]
    predict: Option<String>,
}

impl Breadth {
    /// The search of a trace that is read in this mode.
    ///
    /// # Errors
    /// No algorithm has the given name.
    pub(crate) fn search(&self, mode: Mode) -> Result<Search> {
        let usual = Search::default();
        let window = self.window.unwrap_or(usual.window);
        let predicts = match self.predict.as_deref() {
            None => usual.predicts,
            Some(NONE) => None,
            Some(name) => Some(among(ALGORITHMS, |spec| spec.name, "algorithm", name)?),
        };
        Ok(Search { window, mode, predicts })
    }

    /// The first of its options that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let window = self.window.map(|_| "--window");
        window.or_else(|| self.predict.as_ref().map(|_| "--predict"))
    }
}

/// The name for no algorithm.
const NONE: &str = "none";

#[derive(Subcommand)]
enum Command {
    /// Print candidates, with their places and their results so far.
    #[command(after_help = EXIT_CODES)]
    Show(show::Arguments),
    /// Write the union of candidates: counts of runs are added.
    #[command(after_help = EXIT_CODES)]
    Merge(Merge),
    /// Remove candidates from a file.
    #[command(after_help = EXIT_CODES)]
    Drop(Drop),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  2  an error";

#[derive(clap::Args)]
struct Merge {
    /// The files, from different runs.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file from which the others have come, as in a version control system: its counts are in each of them, and
    /// count once.
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// The file to write; it may be one of the inputs.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

#[derive(clap::Args)]
#[command(override_usage = "regiontrack candidates drop <FILE> <--id <ID>...|--state <STATE>...|--class <PATTERN>...>")]
struct Drop {
    /// The file to change.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    dropped: Dropped,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Dropped {
    /// Candidates by id.
    #[arg(long, value_name = "ID", num_args = 1..)]
    id: Vec<String>,
    /// Candidates in this state: confirmed, again, new, impossible, not-reached.
    #[arg(long, value_name = "STATE", num_args = 1..)]
    state: Vec<String>,
    /// Candidates with a place in one of these classes, by patterns as in the agent's include:
    /// `com.example.*:org.Other`.
    #[arg(long, value_name = "PATTERN", num_args = 1..)]
    class: Vec<String>,
}

/// Computes, prints, merges or removes candidates.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    match &arguments.command {
        Some(Command::Show(arguments)) => return show::run(arguments, output),
        Some(Command::Merge(arguments)) => merge(arguments)?,
        Some(Command::Drop(arguments)) => drop(arguments, output)?,
        None => return of_traces(arguments, output),
    }
    Ok(Outcome::Clean)
}

/// Reads the candidates in an existing file.
fn read(path: &Path) -> Result<Candidates> {
    provoke::read(path)?.ok_or_else(|| no_file(path))
}

fn no_file(path: &Path) -> anyhow::Error {
    anyhow!(
        "{}: no such file; expected candidates, as regiontrack candidates TRACE -o FILE writes them",
        path.display()
    )
}

/// Computes candidates from traces. A trace that cannot be read ends the command: candidates of some of the traces
/// would look like those of all.
fn of_traces(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let search = arguments.breadth.search(arguments.reading.mode())?;
    let mut all = Candidates::new();
    let mut outcome = Outcome::Clean;
    for path in &arguments.traces {
        let (candidates, warnings) = of_trace(path, &arguments.reading, search)?;
        for warning in warnings {
            output.complain(&format!("{}: {warning}", path.display()));
            outcome = Outcome::Failed;
        }
        all.merge(&candidates);
    }
    let Some(file) = &arguments.output else {
        match arguments.format {
            Format::Json => output.print(&(show::json(None, &all)? + "\n")),
            Format::Text => output.print(&show::text("candidates", &all, arguments.max)),
        }
        return Ok(outcome);
    };
    let added = add(file, &all)?;
    output.print(&format!("{}: {} new of {}\n", file.display(), added, count(all.len(), "candidate")));
    Ok(outcome)
}

/// The candidates of a trace, and warnings about the trace.
fn of_trace(path: &Path, reading: &Reading, search: Search) -> Result<(Candidates, Vec<String>)> {
    let input = reading.open(path)?;
    let mut progress = Progress::new(input.name());
    let summary = finder::search(&input, search, |events| {
        progress.at(events);
        true
    })?;
    let mut warnings = match summary.diagnostics.is_incomplete() {
        true => summary.diagnostics.warnings(),
        false => Vec::new(),
    };
    if summary.left_out > 0 {
        warnings.push(format!("{} more candidates are left out: there are too many", summary.left_out));
    }
    warnings.extend(unfinished(summary.unfinished));
    Ok((summary.candidates, warnings))
}

/// The warning if an algorithm has reached its limit in this many windows.
pub(crate) fn unfinished(windows: u64) -> Option<String> {
    (windows > 0).then(|| {
        let windows = count(usize::try_from(windows).unwrap_or(usize::MAX), "window");
        format!("candidates with several steps may be missing: in {windows} of the trace there was too much to try")
    })
}

/// Adds new candidates to a file, and returns how many were added.
pub(crate) fn add(file: &Path, new: &Candidates) -> Result<usize> {
    let mut added = 0;
    provoke::update(file, |known| {
        let mut known = known.unwrap_or_default();
        added = known.add_new(new);
        anyhow::Ok(known)
    })?;
    Ok(added)
}

/// Merges under the lock of the output, which may be one of the inputs. An existing output need not be a list of
/// candidates: it may be what a merge with conflicts has left.
fn merge(arguments: &Merge) -> Result<()> {
    provoke::write(&arguments.output, || {
        let base = arguments.base.as_deref().map(read).transpose()?.unwrap_or_default();
        let mut merged = base.clone();
        for path in &arguments.files {
            merged.merge_since(&base, &read(path)?);
        }
        Ok(merged)
    })
}

fn drop(arguments: &Drop, output: &mut Output) -> Result<()> {
    let path = &arguments.file;
    // Before the lock is taken: if there is no file, nothing is created.
    read(path)?;
    let mut dropped = 0;
    provoke::update(path, |all| {
        let mut all = all.ok_or_else(|| no_file(path))?;
        dropped = take_out(&mut all, &arguments.dropped).map_err(|error| {
            anyhow!("{}: {error:#}; regiontrack candidates show lists what is there", path.display())
        })?;
        anyhow::Ok(all)
    })?;
    output.print(&format!("{}: {} dropped\n", path.display(), count(dropped, "candidate")));
    Ok(())
}

/// Removes candidates, and returns how many there were.
fn take_out(all: &mut Candidates, dropped: &Dropped) -> Result<usize> {
    let mut sum = 0;
    for id in &dropped.id {
        match all.forget(|candidate, _| candidate.id() == *id) {
            0 => bail!("no candidate {id}"),
            gone => sum += gone,
        }
    }
    for name in &dropped.state {
        let words = State::ALL.map(State::name).join(", ");
        let state = State::named(name).ok_or_else(|| anyhow!("no state '{name}'; expected one of {words}"))?;
        sum += all.forget(|_, trials| trials.state() == state);
    }
    for class in &dropped.class {
        let patterns = ClassPatterns::parse(class);
        let gone = all.forget(|candidate, _| candidate.places().any(|place| patterns.matches(place.class())));
        if gone == 0 {
            bail!("no class matches '{class}'");
        }
        sum += gone;
    }
    Ok(sum)
}
