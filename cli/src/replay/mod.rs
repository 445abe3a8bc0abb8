//! `regiontrack replay`: makes a provoked violation happen again, by its schedule.
//!
//! The program runs several times with `replay=`, and the runs with the finding of the schedule are counted. With
//! `--minimize`, switch points are removed as long as the violation still happens in each of several runs.

pub(crate) mod minimize;
mod result;
mod runs;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use analysis_core::provoke::schedule::{self, Schedule};
use anyhow::{Context, Result, anyhow};

use crate::Outcome;
use crate::output::{Format, Output, complain};
use crate::provoke::runs::{Running, Runs};
use crate::stop::Stop;
use minimize::{WRITTEN_MEANWHILE, minimize};
use result::Ended;
use runs::once;
pub(crate) use runs::tried;

/// The arguments of `replay`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of runs.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// First remove what the violation does not need, in 5 of 5 runs each, and rewrite the file.
    #[arg(long)]
    minimize: bool,
    #[command(flatten)]
    running: Running,
    /// How to print how often the violation happened: for a person, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The schedule; regiontrack provoke writes one for each violation.
    #[arg(value_name = "FILE")]
    schedule: PathBuf,
    /// The command to run: `java -jar app.jar`, `mvn test`, `./gradlew test`. Its output is not shown.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Reads the schedule in an existing file.
pub(crate) fn read(path: &Path) -> Result<Schedule> {
    schedule::read(path)?
        .ok_or_else(|| anyhow!("{}: no such file; regiontrack provoke writes schedules", path.display()))
}

/// Runs the command. The findings decide the exit code, not how the command ended.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let mut schedule = read(&arguments.schedule)?;
    let temporary = tempfile::tempdir().context("a folder for reports")?;
    let stop = Stop::listen().context("signals")?;
    let mut runs = Runs::of(&arguments.command, &arguments.running, 1, temporary.path(), stop)?;
    let mut ended = Ended::new(arguments.schedule.display().to_string());
    if arguments.minimize {
        let file = temporary.path().join("tried.schedule");
        let all = minimize(&schedule, |shorter| tried(&mut runs, shorter, &file))?;
        complain(&format!("{} runs: {}", all.runs, minimize::told(&schedule, &all)));
        if all.suffices && all.schedule != schedule {
            if !minimize::rewrite(&arguments.schedule, &schedule, &all.schedule)? {
                complain(&format!("{}: {WRITTEN_MEANWHILE}", arguments.schedule.display()));
            }
            schedule = all.schedule;
        }
    }
    let file = temporary.path().join("replayed.schedule");
    for number in 1..=arguments.runs {
        if runs.stopped().is_some() {
            break;
        }
        let run = match once(&mut runs, &schedule, &file) {
            // A stopped run counts only if the violation has happened.
            Ok(run) if runs.stopped().is_some() && !run.has_happened => break,
            Ok(run) => run,
            Err(_) if runs.stopped().is_some() => break,
            Err(error) if number > 1 => {
                ended.stopped = Some(format!("{error:#}"));
                break;
            }
            Err(error) => return Err(error),
        };
        complain(&format!("run {number}: {}", run.told()));
        ended.add(run);
    }
    ended.interrupted = runs.stopped();
    match arguments.format {
        Format::Text => output.print(&ended.text(&schedule)),
        Format::Json => output.print(&(ended.json(&schedule)? + "\n")),
    }
    Ok(ended.outcome())
}
