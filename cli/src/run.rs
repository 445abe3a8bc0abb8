//! `regiontrack run`: runs a program, or any command that starts JVMs, under the agent, and makes one report of all its
//! JVMs.
//!
//! Each JVM writes its own report. The program keeps its standard input and output; the merged report is printed to
//! standard error when the program has ended, or written to a file.

pub(crate) mod progress;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use analysis_core::report::saved::Saved;
use analysis_core::report::text::DETAILS;
use analysis_core::report::{Format, Kept};
use anyhow::{Context, Result, bail};

use crate::agent::{Agent, set_in, shown};
use crate::output::{Output, report_format_parser};
use crate::{Outcome, merge};

use progress::Progress;

/// The arguments of `run`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The agent's jar; by default the jar that contains this command, or regiontrack.jar beside it.
    #[arg(long, value_name = "JAR")]
    agent: Option<PathBuf>,
    /// Options for the agent: `include=com.example.*,arrays=all`.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// Write the report to this file instead of standard error, in the format of the name's ending (.html, .sarif, .xml
    /// for JUnit, .md, .json), otherwise in that of --format; repeatable.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// The format of the report: text for a person, json, html, sarif, junit, markdown or github.
    #[arg(long, value_name = "NAME", value_parser = report_format_parser(), default_value = "text")]
    format: Format,
    /// The most findings to describe in detail (text only); `regiontrack explain REPORT N` describes the others.
    #[arg(long, value_name = "N", default_value_t = DETAILS)]
    details: usize,
    /// Keep the reports of the individual JVMs in this folder, which is created if missing.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// The stack size of the main thread, unless the command or the environment sets it: calls under the agent need more
    /// stack.
    #[arg(long, value_name = "SIZE", default_value = "8m")]
    stack: String,
    /// Print a line to standard error at this interval, with the number of JVMs and what was found so far; 0 means
    /// never. By default every minute, if standard error is a terminal and the command is not java, which prints such
    /// lines itself.
    #[arg(long, value_name = "SECONDS")]
    progress: Option<u64>,
    /// The command to run: `java -jar app.jar`, `mvn test`, `./gradlew test`.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Agent options that this command sets for each JVM.
const OWN: [&str; 4] = ["format", "report", "overwrite", "exitcode"];

/// Runs the command. The exit code is the command's own if that reports a failure, otherwise that of the report.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Ended> {
    if let Some(key) = set_in(&arguments.options, &OWN) {
        bail!("--options {key}=: each JVM gets its own; see regiontrack run --help for the report and its format");
    }
    let agent = Agent::of(arguments.agent.as_deref(), &arguments.options)?.with_stack(&arguments.stack);
    let temporary = tempfile::tempdir().context("a folder for reports")?;
    let folder = match &arguments.keep {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            std::path::absolute(folder).with_context(|| folder.display().to_string())?
        }
        None => temporary.path().to_owned(),
    };
    let before = crate::agent::reports(&folder)?;
    let mut command = agent.command(&arguments.command);
    // Behind the jar these options would take precedence, but a path there would need quotes.
    command.env("REGIONTRACK_FORMAT", "json").env("REGIONTRACK_REPORT", folder.join("report-%p.json"));
    let progress = Progress::start(arguments.progress, &arguments.command, &folder, &before);
    let status = command.status();
    drop(progress);
    let status = status.with_context(|| format!("{}: cannot be started", arguments.command[0].display()))?;
    let mut reports = crate::agent::reports(&folder)?;
    reports.retain(|path| !before.contains(path));
    if reports.is_empty() {
        let why = if status.success() {
            "no JVM was started, or none got as far as to load the agent".to_owned()
        } else {
            status.to_string()
        };
        output.complain(&format!("{} ended without a report of the agent: {why}", shown(&arguments.command)));
        return Ok(Ended::of(status, Outcome::Failed));
    }
    let merged = merge::of(&reports, name)?;
    if arguments.report.is_empty() {
        let layout = crate::table::layout_of_stderr(arguments.details);
        crate::output::tell(&merge::printed(&merged, arguments.format, &layout, Kept::By("--report FILE.json")));
    } else {
        merge::write(&merged, &arguments.report, arguments.format, arguments.details)?;
        output.complain(&told(&merged, &arguments.report));
    }
    Ok(Ended::of(status, Outcome::of(merged.answer())))
}

/// Names a report by its process, because its file may soon be gone.
pub(crate) fn name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.strip_prefix("report-").map_or(name.to_string(), |number| format!("process {number}"))
}

/// The report in one line.
fn told(merged: &Saved, paths: &[PathBuf]) -> String {
    let answer = merged.answer();
    let blocks = if answer.counted == 1 { "block" } else { "blocks" };
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    format!("{}, {} {blocks} violated: {}", answer.verdict().name(), answer.counted, paths.join(", "))
}

/// How the command ended, and what its report says.
pub(crate) struct Ended {
    /// The command's exit code, if that is not 0.
    pub(crate) code: Option<u8>,
    /// The outcome of the report.
    pub(crate) outcome: Outcome,
}

impl Ended {
    fn of(status: ExitStatus, outcome: Outcome) -> Ended {
        let code = (!status.success())
            .then(|| status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(killed(status)));
        Ended { code, outcome }
    }
}

/// The exit code that a shell gives a killed command.
#[cfg(unix)]
fn killed(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    status.signal().and_then(|signal| u8::try_from(128 + signal).ok()).unwrap_or(2)
}

#[cfg(not(unix))]
fn killed(_: ExitStatus) -> u8 {
    2
}
