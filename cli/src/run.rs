//! `regiontrack run`: runs a program, or any command that starts JVMs, under the agent, and makes one report of all its
//! JVMs.
//!
//! Each JVM writes its own report. The program keeps its standard input and output; the merged report is printed to
//! standard error when the program has ended, or written to a file. That is so, too, if it is ended by Ctrl-C or `kill`.

pub(crate) mod progress;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use analysis_core::report::saved::Saved;
use analysis_core::report::text::DETAILS;
use analysis_core::report::{Format, Kept};
use anyhow::{Context, Result, bail};

use crate::agent::{Agent, set_in, shown};
use crate::output::{Output, report_format_parser};
use crate::stop::{self, Stop};
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

/// How long JVMs that were asked to end may take for their reports after the command has ended.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// Agent options that this command sets for each JVM.
const OWN: [&str; 4] = ["format", "report", "overwrite", "exitcode"];

/// Runs the command. The exit code is the command's own if that reports a failure, otherwise that of the report.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Ended> {
    if let Some(key) = set_in(&arguments.options, &OWN) {
        bail!("--options {key}=: each JVM gets its own; see regiontrack run --help for the report and its format");
    }
    merge::check_writable("--report", &arguments.report)?;
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
    let stop = Stop::listen().context("signals")?;
    let report = each_report(&folder);
    let mut command = agent.command(&arguments.command);
    // Behind the jar these options would take precedence, but a path there would need quotes.
    command.env("REGIONTRACK_FORMAT", "json").env("REGIONTRACK_REPORT", &report);
    let new = || {
        let mut reports = crate::agent::reports(&folder)?;
        reports.retain(|path| !before.contains(path));
        anyhow::Ok(reports)
    };
    let end = || running(&new().unwrap_or_default()).for_each(|process| stop::end(process, &report));
    let progress = Progress::start(arguments.progress, &arguments.command, &folder, &before);
    let status = stop.foreground(&mut command, &end);
    drop(progress);
    let status = status.with_context(|| format!("{}: cannot be started", arguments.command[0].display()))?;
    if stop.by().is_some() {
        // A shell ends at once, and its JVMs still write their reports.
        let ended = Instant::now();
        while ended.elapsed() < PATIENCE && running(&new()?).next().is_some() {
            std::thread::sleep(LOOK);
        }
    }
    let reports = new()?;
    if reports.is_empty() {
        let why = if status.success() {
            "no JVM was started, or none got as far as to load the agent".to_owned()
        } else {
            status.to_string()
        };
        output.complain(&format!("{} ended without a report of the agent: {why}", shown(&arguments.command)));
        return Ok(Ended::of(status, Outcome::Failed));
    }
    let outcome = tell(&reports, arguments, output).unwrap_or_else(|error| {
        // The command has run, and may have taken long: what its JVMs have written is kept.
        output.complain(&format!("{error:#}; the reports of the JVMs are in {}", folder.display()));
        if arguments.keep.is_none() {
            let _ = temporary.keep();
        }
        Outcome::Failed
    });
    Ok(Ended::of(status, outcome))
}

/// The path of each JVM's report in this folder, in which the agent puts the process for `%p`.
pub(crate) fn each_report(folder: &Path) -> PathBuf {
    let name = "report-%p.json";
    match folder.to_str() {
        Some(text) if text.contains('%') => Path::new(&text.replace('%', "%%")).join(name),
        _ => folder.join(name),
    }
}

/// The processes that have not yet written their reports.
fn running(reports: &[PathBuf]) -> impl Iterator<Item = i32> + '_ {
    let is_written = |path: &Path| merge::read(path, "").is_ok_and(|report| report.is_over());
    reports
        .iter()
        .filter(move |path| !is_written(path))
        .filter_map(|path| process(path))
        .filter(|process| stop::is_running(*process))
}

/// The process whose report this is.
fn process(path: &Path) -> Option<i32> {
    let name = path.file_stem()?.to_str()?.strip_prefix("report-")?;
    name.split('-').next()?.parse().ok()
}

/// Prints or writes one report of all. A JVM whose report cannot be read is one of which nothing is known.
fn tell(reports: &[PathBuf], arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let merged = merge::of_runs(reports, name)?;
    if arguments.report.is_empty() {
        let layout = crate::table::layout_of_stderr(arguments.details);
        crate::output::tell(&merge::printed(&merged, arguments.format, &layout, Kept::By("--report FILE.json")));
    } else {
        merge::write(&merged, &arguments.report, arguments.format, arguments.details)?;
        output.complain(&told(&merged, &arguments.report));
    }
    Ok(Outcome::of(merged.answer()))
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

#[cfg(all(test, unix))]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// A report with a violated block, as an agent writes it; but for the engine.
    const FOUND: &str = r#"{"schema":1,"verdict":"non-serializable","engine":"ENGINE","violations":[{"method":"a.B.put()",
        "kind":"lost update","count":2,"instances":3,"thread":"main","begin":"A.java:1","edges":[]}],
        "stats":{"classes":{"instrumented":3,"skipped":0,"failed":0},"threads":2,"blocks":9,"events":{"accesses":1,"filtered":0,
        "recorded":5,"dependencies":3,"lost":0},"unmodelled":0,"seconds":1.0}}"#;

    /// Runs a script in place of a command whose JVMs write reports into `$folder`. Returns how it ended, and the report.
    fn ended(folder: &Path, script: &str) -> Result<(Ended, String)> {
        let jar = folder.join("agent.jar");
        std::fs::write(&jar, "").expect("written");
        let engine = analysis_core::engines::default().name;
        std::fs::write(folder.join("found.json"), FOUND.replace("ENGINE", engine)).expect("written");
        let report = folder.join("all.txt");
        let script = format!("folder=$(dirname \"$REGIONTRACK_REPORT\"); cd '{}'; {script}", folder.display());
        let words = ["run".as_ref(), "--agent".as_ref(), jar.as_os_str(), "--report".as_ref(), report.as_os_str()];
        let command = ["--", "sh", "-c", &script].map(AsRef::as_ref);
        let Line { arguments } = Line::parse_from(words.iter().chain(&command));
        let mut output = Output::kept();
        let ended = run(&arguments, &mut output)?;
        Ok((ended, std::fs::read_to_string(report).unwrap_or_default()))
    }

    #[test]
    fn a_report_that_cannot_be_read_leaves_the_others_and_the_exit_code() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "cp found.json $folder/report-1.json; : > $folder/report-2.json; exit 7";
        let (ended, report) = ended(folder.path(), script).expect("it has run");
        assert_eq!((ended.code, ended.outcome), (Some(7), Outcome::Failed));
        assert!(report.contains("a.B.put()") && report.contains("process 2: not a report"), "{report}");
    }

    #[test]
    fn a_report_that_cannot_be_written_is_an_error_before_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("all.txt")).expect("created");
        let error = ended(folder.path(), "touch has-run").err().expect("it is a folder").to_string();
        assert!(error.contains("--report") && error.contains("it is a folder"), "{error}");
        assert!(!folder.path().join("has-run").exists());
    }

    #[test]
    fn each_report_is_in_the_folder_whatever_its_name() {
        assert_eq!(each_report(Path::new("a%pb")), Path::new("a%%pb/report-%p.json"));
        let processes = ["report-17.json", "report-17-2.json", "report.json"].map(|name| process(Path::new(name)));
        assert_eq!(processes, [Some(17), Some(17), None]);
    }
}
