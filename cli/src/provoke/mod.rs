//! `regiontrack provoke`: provokes possible violations by steered runs.
//!
//! A learning run shows in its trace where threads could come between the accesses of a block. Then the program runs
//! again and again, and threads are held there (`provoke=`), until each candidate is confirmed or dropped. After that,
//! threads have random priorities (`priorities=`), until the runs or the time are used up. Only timing changes, so a
//! confirmed violation has happened.

mod result;
pub(crate) mod runs;
mod schedules;
mod search;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use analysis_core::kept;
use analysis_core::provoke::finder::Search;
use analysis_core::report::Format as ReportFormat;
use analysis_core::report::text::DETAILS;
use analysis_core::trace::Mode;
use anyhow::{Context, Result, bail};

use crate::candidates::Breadth;
use crate::output::{Format, Output, complain};
use crate::stop::Stop;
use crate::{Outcome, merge};
use result::Ended;
use runs::Runs;
use search::{Budget, search, shuffle};

/// How often to look whether another command has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The arguments of `provoke`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Make this many runs, including learning runs.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "minutes")]
    runs: u32,
    /// Start no further run after this many minutes, whatever the number of runs.
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..))]
    minutes: Option<u32>,
    /// The number of runs to make side by side, except for learning runs and runs of schedules.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Keep the candidates and their results in this file, and start with those it already has. A run learns if there
    /// is none to try.
    #[arg(long, value_name = "FILE")]
    candidates: Option<PathBuf>,
    /// The seed of the first run with random thread priorities; each further run has the next seed. Such runs begin
    /// when no candidate is left. By default the seed is drawn and printed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop when no candidate is left, without runs with random priorities.
    #[arg(long, conflicts_with = "seed")]
    no_priorities: bool,
    /// Write a schedule of each violation to this folder, with which regiontrack replay makes it happen again. By
    /// default beside the file of candidates (app.candidates: app.schedules), or regiontrack.schedules in the current
    /// folder.
    #[arg(long, value_name = "FOLDER")]
    schedules: Option<PathBuf>,
    /// Leave the schedules as they are. Otherwise further runs try which of their switch points a violation does not
    /// need: at most as many runs as --runs, or in the last fifth of the minutes.
    #[arg(long)]
    no_minimize: bool,
    #[command(flatten)]
    running: runs::Running,
    /// What runs learn candidates from: all events, which are recorded; or, at the cost of any run, the places where
    /// threads meet.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    learn: runs::Learn,
    #[command(flatten)]
    breadth: Breadth,
    /// The number of priorities that change at some step, in runs with random priorities.
    #[arg(long, value_name = "N", default_value_t = runs::CHANGES, value_parser = clap::value_parser!(u8).range(..=100), conflicts_with = "no_priorities")]
    changes: u8,
    /// Write the report of all runs to this file, in the format of the name's ending (.html, .sarif, .xml for JUnit,
    /// .md, .json), otherwise as text; repeatable.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// The most findings to describe in detail in a report (text only).
    #[arg(long, value_name = "N", default_value_t = DETAILS, requires = "report")]
    details: usize,
    /// How to print the results for the candidates: a table for a person, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The command to run: `java -jar app.jar`, `mvn test`, `./gradlew test`. Its output is not shown.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Arguments {
    /// The seed of the first run with random priorities, if there is to be one.
    fn seed(&self) -> Option<u64> {
        let drawn =
            || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_millis() as u64 % 1_000_000);
        (!self.no_priorities).then(|| self.seed.unwrap_or_else(drawn))
    }

    /// How the traces of learning runs are searched.
    fn search(&self) -> Result<Search> {
        if let (runs::Learn::Places, Some(option)) = (self.learn, self.breadth.given()) {
            bail!("{option}: only recorded events are searched; leave it out, or --learn places");
        }
        // A killed JVM leaves a trace that is damaged at its end.
        self.breadth.search(Mode::Lenient)
    }

    /// The budget of the command, and how much of the time is reserved for schedules.
    fn budget(&self, now: Instant) -> (Budget, Duration) {
        let Some(minutes) = self.minutes else { return (Budget::Runs(self.runs.into()), Duration::ZERO) };
        let whole = Duration::from_secs(60 * u64::from(minutes));
        (Budget::Until(now + whole), if self.no_minimize { Duration::ZERO } else { whole / 5 })
    }
}

/// Does the work when no other command works on this file of candidates; `None` if this one is stopped before.
///
/// A JVM adds what it has shown while the file is locked. But what a round of runs has added is counted from what the file had before and
/// after it, and confirmed candidates are tried again: another command would take back, or forget, what this one has shown.
fn alone(file: &Path, stop: &Stop, work: impl FnOnce() -> Result<Ended>) -> Result<Option<Ended>> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("--candidates {}", file.display()))?;
    }
    let mut lock = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned()).into_os_string();
    lock.push(".provoke");
    let mut is_told = false;
    let waits = || {
        if !std::mem::replace(&mut is_told, true) {
            complain(&format!(
                "{}: another regiontrack provoke works on these candidates; this one waits until it has ended; to have both at the same \
                 time, give each a file of its own, and join them with regiontrack candidates merge --base",
                file.display()
            ));
        }
        std::thread::sleep(LOOK);
        stop.by().is_none()
    };
    kept::alone_after(Path::new(&lock), waits, work)
}

/// Runs the command. The findings decide the exit code, not how the command ended.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let stop = Stop::listen().context("signals")?;
    let temporary = tempfile::tempdir().context("a folder for traces and reports")?;
    let file = match &arguments.candidates {
        Some(file) => std::path::absolute(file).context("--candidates")?,
        None => temporary.path().join("candidates"),
    };
    merge::check_writable("--report", &arguments.report)?;
    let schedules = schedules::folder(arguments.schedules.as_deref(), arguments.candidates.as_deref())?;
    let runs = Runs::of(&arguments.command, &arguments.running, arguments.jobs, temporary.path(), stop.clone())?;
    let mut runs = runs.with_schedules(&schedules).learning(arguments.learn, arguments.search()?, arguments.changes);
    let ended = alone(&file, &stop, || {
        let (budget, left) = arguments.budget(Instant::now());
        let mut ended = search(&mut runs, &file, budget, left, complain)?;
        if !arguments.no_minimize && ended.stopped.is_none() {
            schedules::minimize(&mut runs, &mut ended, budget.at_most(Instant::now() + left), temporary.path());
        }
        if let Some(seed) = arguments.seed() {
            shuffle(&mut runs, &mut ended, budget, seed, complain)?;
        }
        Ok(ended)
    })?;
    let mut ended = ended.unwrap_or_default();
    ended.interrupted = runs.stopped();
    ended.schedules = Some(schedules);
    let outcome = ended.outcome();
    if let Some(report) = &ended.report
        && !arguments.report.is_empty()
    {
        for folder in arguments.report.iter().filter_map(|path| path.parent()) {
            std::fs::create_dir_all(folder).with_context(|| format!("--report: {}", folder.display()))?;
        }
        merge::write(report, &arguments.report, ReportFormat::Text, arguments.details)?;
    }
    let kept = arguments.candidates.is_some();
    match arguments.format {
        Format::Text => output.print(&ended.text(kept)),
        Format::Json => output.print(&(ended.json(&arguments.command)? + "\n")),
    }
    Ok(outcome)
}
