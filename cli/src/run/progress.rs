//! Progress for a person who waits for a command: a line from time to time, which is never redrawn.
//!
//! The command writes to the same terminal, so a line to redraw may have scrolled up, or may be inside a line of the
//! command.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The default number of seconds between lines, the same as the agent's.
const ON_A_TERMINAL: u64 = 60;

/// Ends the lines when it is dropped.
pub(crate) struct Progress {
    _ends: Option<Sender<()>>,
}

impl Progress {
    /// Starts to print a line about the reports in a folder at an interval in seconds, except for reports that were
    /// there before.
    pub(crate) fn start(asked: Option<u64>, command: &[OsString], folder: &Path, before: &[PathBuf]) -> Progress {
        let on_its_own = || std::io::stderr().is_terminal() && !crate::agent::is_java(command);
        let seconds = asked.unwrap_or_else(|| if on_its_own() { ON_A_TERMINAL } else { 0 });
        if seconds == 0 {
            return Progress { _ends: None };
        }
        let (ends, is_over) = channel();
        let (folder, before) = (folder.to_owned(), before.to_vec());
        let started = Instant::now();
        let tell = move || {
            while is_over.recv_timeout(Duration::from_secs(seconds)) == Err(RecvTimeoutError::Timeout) {
                let mut reports = crate::agent::reports(&folder).unwrap_or_default();
                reports.retain(|path| !before.contains(path));
                crate::output::complain(&line(started.elapsed(), &reports));
            }
        };
        // Without the thread there are no lines, and nothing is lost.
        _ = std::thread::Builder::new().name("regiontrack-progress".into()).spawn(tell);
        Progress { _ends: Some(ends) }
    }
}

/// The progress of the JVMs with these reports. Until a JVM has ended, its report says that it is running.
fn line(time: Duration, reports: &[PathBuf]) -> String {
    let mut violated = BTreeSet::new();
    let mut running = 0;
    for path in reports {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let report: Value = serde_json::from_str(&text).unwrap_or_default();
        match report["violations"].as_array() {
            Some(all) => violated.extend(all.iter().filter_map(|one| Some(one["method"].as_str()?.to_owned()))),
            None => running += 1,
        }
    }
    let methods = if violated.len() == 1 { "method" } else { "methods" };
    let jvms = match reports.len() {
        0 => return format!("{} s: no JVM with the agent so far", time.as_secs()),
        1 => "1 JVM".to_owned(),
        many => format!("{many} JVMs"),
    };
    let ended = reports.len() - running;
    format!("{} s: {jvms}, {ended} ended; {} {methods} violated in what has ended", time.as_secs(), violated.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_the_jvms_and_the_methods() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        };
        let one = path(
            "1.json",
            r#"{"verdict":"non-serializable","violations":[{"method":"a.B.c()"},{"method":"a.B.d()"}]}"#,
        );
        let same = path("2.json", r#"{"verdict":"non-serializable","violations":[{"method":"a.B.c()"}]}"#);
        let running = path("3.json", r#"{"verdict":"running","process":12}"#);
        let time = Duration::from_millis(61_500);
        assert_eq!(line(time, &[]), "61 s: no JVM with the agent so far");
        let all = [one, same, running];
        assert_eq!(line(time, &all[2..]), "61 s: 1 JVM, 0 ended; 0 methods violated in what has ended");
        assert_eq!(line(time, &all), "61 s: 3 JVMs, 2 ended; 2 methods violated in what has ended");
    }
}
