//! One timed run. GNU `time` measures processor time and peak memory; the standard library can measure only wall time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Failure;
use crate::workspace::shown;

/// GNU time, which can write its figures into a file; other programs of that name cannot.
const TIME: &str = "/usr/bin/time";

/// The figures and the output of a run.
pub(crate) struct Sample {
    /// Wall time in seconds.
    pub(crate) wall: f64,
    /// Seconds of all processors, user and system.
    pub(crate) cpu: Option<f64>,
    /// Peak memory in MiB.
    pub(crate) peak: Option<f64>,
    /// Its standard output.
    pub(crate) output: String,
}

/// How runs are timed.
pub(crate) struct Stopwatch {
    /// Where `time` writes, if it is available.
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

    /// What it measures, for the user.
    pub(crate) fn what(&self) -> String {
        match self.file {
            Some(_) => format!("wall time, and CPU time and peak memory by {TIME}, the start of the JVM included"),
            None => format!(
                "wall time only, the start of the JVM included: {TIME} is not GNU time (Debian: apt-get install time)"
            ),
        }
    }

    /// Runs the program to its end; a run that fails is an error.
    pub(crate) fn time(&self, program: &Command) -> Result<Sample, Failure> {
        let mut command = self.wrapped(program);
        let start = Instant::now();
        let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
        let wall = start.elapsed().as_secs_f64();
        let failed = |why: String| Failure(format!("`{}` {why}", shown(program)));
        let output = output.map_err(|e| failed(format!("did not start: {e}")))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(failed(format!("failed ({}):\n{}", output.status, errors.trim_end())));
        }
        let (cpu, peak) = self.measured().unzip();
        Ok(Sample { wall, cpu, peak, output: String::from_utf8_lossy(&output.stdout).into_owned() })
    }

    /// Processor seconds and peak MiB of the last call of [`Stopwatch::wrapped`], if they were measured.
    pub(crate) fn measured(&self) -> Option<(f64, f64)> {
        self.file.as_deref().and_then(read)
    }

    /// The same program, run under `time` if it is available.
    pub(crate) fn wrapped(&self, program: &Command) -> Command {
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

/// The figures are in the last line; the exit code or signal of a program that failed is before them.
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
