//! Quiet runs of a command: its output is kept in case it fails.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::agent::shown;
use crate::stop::Stop;

/// The number of last lines of a failed run to show.
const SHOWN: usize = 12;

/// A run that has ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// Whether the run took too long and was ended.
    pub(crate) took_too_long: bool,
    /// Whether some of its JVMs were killed and left no report.
    pub(crate) is_lost: bool,
    /// The reports of its JVMs; at least one, unless it was stopped.
    pub(crate) reports: Vec<PathBuf>,
    log: PathBuf,
}

impl Ended {
    /// The message for a run that failed before a method ran that should be atomic.
    pub(crate) fn why_nothing_ran(&self, words: &[OsString]) -> String {
        let text = read(&self.log);
        let cause = cause(&text).map_or(String::new(), |cause| format!(": {cause}"));
        format!("{} ended with {} before a method ran that is to be atomic{cause}", shown(words), self.status)
    }
}

/// Runs a command whose JVMs leave their reports in `folder`, which is created; `words` is the user's command. Its
/// standard input is empty. With `stop`, the run is asked to end when this command is, or once it has taken longer than
/// the limit, which is asked for again and again.
///
/// # Errors
/// If it cannot be started, or leaves no report although it was not stopped.
pub(crate) fn run(
    mut command: Command,
    words: &[OsString],
    folder: &Path,
    stop: Option<(&Stop, &dyn Fn() -> Option<Duration>)>,
) -> Result<Ended> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let log = folder.join("output");
    let file = File::create(&log).with_context(|| log.display().to_string())?;
    command
        .env("REGIONTRACK_FORMAT", "json")
        .env("REGIONTRACK_REPORT", crate::run::each_report(folder))
        .stdin(Stdio::null())
        .stderr(file.try_clone().with_context(|| log.display().to_string())?)
        .stdout(file);
    let program = words[0].display();
    let ended = match stop {
        Some((stop, limit)) => stop.status(&mut command, limit),
        None => command.status().map(|status| (status, false)),
    };
    let (status, took_too_long) = ended.with_context(|| format!("{program}: cannot be started"))?;
    let reports = crate::agent::reports(folder)?;
    let is_stopped = took_too_long || stop.is_some_and(|(stop, _)| stop.by().is_some());
    if reports.is_empty() && !is_stopped {
        let text = read(&log);
        let lines: Vec<&str> = text.lines().collect();
        let last = lines[lines.len().saturating_sub(SHOWN)..].join("\n  ");
        bail!("{program} ended without a report of the agent ({status}); its last lines:\n  {last}");
    }
    let is_lost = reports.is_empty();
    Ok(Ended { status, took_too_long, is_lost, reports, log })
}

fn read(log: &Path) -> String {
    String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned()
}

/// The line of a program's output that best says why it did not start: the JVM's own error, or the last line.
fn cause(output: &str) -> Option<&str> {
    let mut lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.clone().next_back();
    lines.find(|line| line.starts_with("Error: ") || line.starts_with("Exception in ")).or(last)
}
