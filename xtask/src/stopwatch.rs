//! A timed run. GNU `time` measures processor time and peak memory; the standard library can measure only wall time.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::limited;

/// GNU time, which can write its figures into a file; other programs of that name cannot.
const TIME: &str = "/usr/bin/time";

/// The cost of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed {
    /// `None` if the run was killed at its limit.
    pub(crate) status: Option<ExitStatus>,
    /// Wall time in seconds.
    pub(crate) wall: f64,
    /// Processor seconds, user and system, and peak memory in MiB; `None` if they were not measured.
    pub(crate) cost: Option<(f64, f64)>,
}

/// How runs are timed.
pub(crate) struct Stopwatch {
    /// The file into which `time` writes, if `time` is available.
    file: Option<PathBuf>,
}

impl Stopwatch {
    /// Uses `time` if the platform's is GNU's; it then writes into `file`.
    pub(crate) fn find(file: PathBuf) -> Stopwatch {
        let mut probe = Command::new(TIME);
        probe.args(["-f", "%U %S %M", "-o"]).arg(&file).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
        let is_gnu = probe.status().is_ok_and(|status| status.success()) && read(&file).is_some();
        Stopwatch { file: is_gnu.then_some(file) }
    }

    /// Describes for the user what is measured.
    pub(crate) fn what(&self) -> String {
        match self.file {
            Some(_) => format!("wall time, and CPU time and peak memory by {TIME}, the start of the JVM included"),
            None => format!(
                "wall time only, the start of the JVM included: {TIME} is not GNU time (Debian: apt-get install time)"
            ),
        }
    }

    /// Runs a program with a time limit, without input; its output goes into these files.
    pub(crate) fn time(&self, program: &Command, limit: Duration, out: &Path, err: &Path) -> io::Result<Timed> {
        let command = self.wrapped(program);
        let (out, err) = (File::create(out)?, File::create(err)?);
        let start = Instant::now();
        let status = limited::status(&command, limit, out, err)?;
        let wall = start.elapsed().as_secs_f64();
        // A killed run has left the figures of the previous run.
        let cost = status.and_then(|_| self.file.as_deref().and_then(read));
        Ok(Timed { status, wall, cost })
    }

    /// Returns the program, run under `time` if that is available.
    fn wrapped(&self, program: &Command) -> Command {
        let mut command = match &self.file {
            Some(file) => {
                let mut time = Command::new(TIME);
                time.args(["-f", "%U %S %M", "-o"]).arg(file).arg(program.get_program());
                time
            }
            None => Command::new(program.get_program()),
        };
        command.args(program.get_args());
        if let Some(folder) = program.get_current_dir() {
            command.current_dir(folder);
        }
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }
}

/// Processor seconds and peak MiB, as `time` wrote them.
fn read(file: &Path) -> Option<(f64, f64)> {
    parse(&std::fs::read_to_string(file).ok()?)
}

/// The figures are in the last line; for a failed program, its exit code or signal comes before them.
fn parse(text: &str) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = text.lines().last()?.split_whitespace().map_while(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [user, system, kilobytes] => Some((user + system, kilobytes / 1024.0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_time_wrote_is_seconds_and_memory() {
        assert_eq!(parse("1.50 0.25 2048\n"), Some((1.75, 2.0)));
        assert_eq!(parse("Command exited with non-zero status 1\n1.50 0.25 2048\n"), Some((1.75, 2.0)));
        assert_eq!(parse("Command exited with non-zero status 1\n"), None);
        assert_eq!(parse(""), None);
    }
}
