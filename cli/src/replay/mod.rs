//! `regiontrack replay`: what was provoked once happens again, by its schedule.
//!
//! The program runs so often with `replay=`, and it is counted how often the finding of the schedule is there again. With `--minimize`
//! switch points are left out as long as it still happens in each of several runs.

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
use minimize::minimize;
use result::Ended;
use runs::once;
pub(crate) use runs::tried;

/// What to run, and by which schedule.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run it so often.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// First leave out what it happens without, in 5 runs of 5 each, and write the file again.
    #[arg(long)]
    minimize: bool,
    #[command(flatten)]
    running: Running,
    /// How to print how often it has happened: for a person, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The schedule, as regiontrack provoke writes one for each violation.
    #[arg(value_name = "FILE")]
    schedule: PathBuf,
    /// What to run: `java -jar app.jar`, `mvn test`, `./gradlew test`. What it prints is not shown.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The schedule in a file that is there.
pub(crate) fn read(path: &Path) -> Result<Schedule> {
    schedule::read(path)?
        .ok_or_else(|| anyhow!("{}: no such file; regiontrack provoke writes schedules", path.display()))
}

/// Runs it. What is found decides the exit code, not how the command has ended.
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
            schedule::write(&arguments.schedule, &all.schedule)?;
            schedule = all.schedule;
        }
    }
    let file = temporary.path().join("replayed.schedule");
    for number in 1..=arguments.runs {
        if runs.stopped().is_some() {
            break;
        }
        let run = match once(&mut runs, &schedule, &file) {
            // One that was stopped says only what has happened.
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
