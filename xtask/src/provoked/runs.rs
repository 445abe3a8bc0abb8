//! The runs of a pair, and what they show.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use super::Arguments;
use crate::java::{Jvm, without_options};
use crate::workspace::Workspace;
use crate::{Failure, dist, limited};

/// The folder for the built programs, relative to the root: `classes`, and `libraries` only for the controlled
/// scheduler.
const BUILT: &str = "programs/build/controlled/controlled";
/// The programs under the agent, and under the controlled scheduler.
const MAIN: &str = "rare.Rare";
const CONTROLLED: &str = "controlled.Controlled";
/// The number of executions of a twin in a timed run: many, so that the start of the JVM matters little.
const TIMED: u32 = 100;
/// The most executions under the controlled scheduler.
const EXECUTIONS: u32 = 10_000;
/// A run that takes longer hangs; the second limit is for all runs of `provoke`.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_OF_ALL: Duration = Duration::from_secs(1800);

/// The settings for running pairs.
pub(super) struct Runs<'a> {
    workspace: &'a Workspace,
    jvm: &'a Jvm,
    built: PathBuf,
    runs: u32,
}

/// The number of runs, or executions, until something went wrong, and the number of seconds.
pub(super) type First = Option<(u64, f64)>;

/// A program with a window.
pub(super) struct Window {
    /// The number of plain runs in which another thread came into it, according to the report, and their time in
    /// seconds.
    plain: (u64, f64),
    /// How soon it was found: with random priorities alone, by `provoke` with a held thread or priorities, and by the
    /// controlled scheduler.
    random: First,
    pub(super) provoked: First,
    controlled: First,
}

/// A correct twin.
pub(super) struct Twin {
    /// The number of runs, and of those in which the program's output and exit code were right.
    runs: u64,
    as_plain: u64,
    /// The number of methods that were reported in any of them.
    reported: usize,
    /// Seconds without the agent, with it, and steered.
    seconds: [f64; 3],
}

impl<'a> Runs<'a> {
    pub(super) fn new(workspace: &'a Workspace, jvm: &'a Jvm, runs: u32) -> Runs<'a> {
        Runs { workspace, jvm, built: workspace.root.join(BUILT), runs }
    }

    /// Runs a program with a window, plainly the given number of times.
    pub(super) fn window(&self, name: &str, plain: u32) -> Result<Window, Failure> {
        let program = format!("{name}$Wrong");
        let start = Instant::now();
        let report = self.agent(&program, plain, "plain", "")?;
        let found = report["violations"].as_array().into_iter().flatten();
        let found = found.filter_map(|violation| violation["count"].as_u64()).max().unwrap_or(0);
        let plain = (found, start.elapsed().as_secs_f64());
        Ok(Window {
            plain,
            random: self.random(&program)?,
            provoked: self.provoked(&program)?,
            controlled: self.controlled(&program)?,
        })
    }

    /// Runs with random priorities alone.
    fn random(&self, program: &str) -> Result<First, Failure> {
        let start = Instant::now();
        for seed in 1..=self.runs {
            let report = self.agent(program, 1, "random", &format!(",priorities={seed}"))?;
            if report["violated"] != 0 {
                return Ok(Some((seed.into(), start.elapsed().as_secs_f64())));
            }
        }
        Ok(None)
    }

    /// Runs under `provoke`, until the first finding that confirms a candidate.
    fn provoked(&self, program: &str) -> Result<First, Failure> {
        let folder = self.folder(program, "provoked")?;
        let start = SystemTime::now();
        let result = self.provoke(program, &folder, self.runs)?;
        for run in 1..=result["runs"].as_u64().unwrap_or(0) {
            for file in reports(&folder.join(format!("run-{run}")))? {
                let report = json(&file)?;
                let violations = || report["violations"].as_array().into_iter().flatten();
                if violations().any(|violation| violation["provoked"]["confirms"] == true) {
                    let at = fs::metadata(&file).and_then(|data| data.modified()).map_err(|e| failed(&file, &e))?;
                    let seconds = at.duration_since(start).unwrap_or_default().as_secs_f64();
                    return Ok(Some((run, seconds)));
                }
            }
        }
        Ok(None)
    }

    /// Runs under the controlled scheduler; the time is that of the process.
    fn controlled(&self, program: &str) -> Result<First, Failure> {
        let folder = self.folder(program, "controlled")?;
        let path = std::env::join_paths([self.built.join("classes"), self.built.join("libraries").join("*")]);
        let mut command = Command::new(&self.jvm.java);
        command.arg("-cp").arg(path.map_err(|e| Failure(e.to_string()))?);
        command.args([CONTROLLED, program, &EXECUTIONS.to_string()]);
        let start = Instant::now();
        self.status(command, &folder, LIMIT)?;
        let said = fs::read_to_string(folder.join("stdout.txt")).map_err(|e| failed(&folder, &e))?;
        Ok(said.trim().parse().ok().map(|executions| (executions, start.elapsed().as_secs_f64())))
    }

    /// Runs a twin under `provoke`, the given number of times.
    pub(super) fn twin(&self, name: &str, runs: u32) -> Result<Twin, Failure> {
        let program = format!("{name}$Right");
        let folder = self.folder(&program, "provoked")?;
        let result = self.provoke(&program, &folder, runs)?;
        let reported = ["findings", "random", "observed"].map(|key| result[key].as_array().map_or(0, Vec::len));
        let runs = result["runs"].as_u64().unwrap_or(0);
        let mut as_plain = 0;
        for run in 1..=runs {
            let output = folder.join(format!("run-{run}")).join("output");
            let text = fs::read_to_string(&output).map_err(|e| failed(&output, &e))?;
            as_plain += u64::from(text.lines().any(|line| line == "0 of 1 went wrong"));
        }
        let failures = result["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let has_failed = failures.into_iter().any(|warning| warning.starts_with("a run ended with"));
        let candidates = folder.join("app.candidates");
        // If there is nothing to steer to, threads have priorities.
        let is_some = fs::read_to_string(&candidates).is_ok_and(|text| text.contains("\ncandidate "));
        let steered = match is_some {
            true => format!(",provoke={}", candidates.display()),
            false => ",priorities=1".to_owned(),
        };
        let seconds =
            [self.timed(&program, None)?, self.timed(&program, Some(""))?, self.timed(&program, Some(&steered))?];
        let as_plain = if has_failed { 0 } else { as_plain };
        Ok(Twin { runs, as_plain, reported: reported.iter().sum(), seconds })
    }

    /// Returns how long a run takes, with these options of the agent or without it; fails if its output is wrong.
    fn timed(&self, program: &str, options: Option<&str>) -> Result<f64, Failure> {
        let start = Instant::now();
        match options {
            Some(options) => _ = self.agent(program, TIMED, "timed", options)?,
            None => {
                let folder = self.folder(program, "timed")?;
                self.status(self.java(program, TIMED, None), &folder, LIMIT)?;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let output = self.workspace.target.join("provoked").join(program).join("timed").join("stdout.txt");
        let said = fs::read_to_string(&output).map_err(|e| failed(&output, &e))?;
        if said.trim() == format!("0 of {TIMED} went wrong") {
            Ok(seconds)
        } else {
            Err(Failure(format!("{program}: it printed {said}")))
        }
    }

    /// Returns the report of a run under the agent, in which the threads do it `times` times.
    fn agent(&self, program: &str, times: u32, what: &str, options: &str) -> Result<Value, Failure> {
        let folder = self.folder(program, what)?;
        let report = folder.join("report.json");
        let agent = dist::jar(self.workspace);
        let agent = format!("-javaagent:{}=format=json,report={}{options}", agent.display(), report.display());
        let code = self.status(self.java(program, times, Some(agent)), &folder, LIMIT)?;
        if code != Some(0) {
            return Err(Failure(format!("{}: it ended with {code:?}; see stderr.txt there", folder.display())));
        }
        json(&report)
    }

    fn java(&self, program: &str, times: u32, agent: Option<String>) -> Command {
        let mut command = Command::new(&self.jvm.java);
        command.args(agent).arg("-cp").arg(self.built.join("classes")).args([MAIN, program, &times.to_string()]);
        command
    }

    /// Returns the result of `provoke`; each run leaves its output and report in the folder, with the file of
    /// candidates.
    fn provoke(&self, program: &str, folder: &Path, runs: u32) -> Result<Value, Failure> {
        let java = self.java(program, 1, None);
        let mut command = Command::new(self.workspace.root.join("dist").join(dist::COMMAND));
        command.args(["provoke", "--format", "json", "--no-minimize", "--seed", "1", "--runs"]).arg(runs.to_string());
        command.arg("--agent").arg(dist::jar(self.workspace)).arg("--keep").arg(folder);
        command.arg("--candidates").arg(folder.join("app.candidates"));
        command.arg("--").arg(java.get_program()).args(java.get_args());
        self.status(command, folder, LIMIT_OF_ALL)?;
        json(&folder.join("stdout.txt"))
    }

    /// Returns an empty folder for the files of the runs.
    fn folder(&self, program: &str, what: &str) -> Result<PathBuf, Failure> {
        let folder = self.workspace.target.join("provoked").join(program).join(what);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|e| failed(&folder, &e))?;
        }
        fs::create_dir_all(&folder).map_err(|e| failed(&folder, &e))?;
        Ok(folder)
    }

    /// Runs the command in this folder; fails if it takes too long. Its output goes to files in the folder.
    fn status(&self, mut command: Command, folder: &Path, limit: Duration) -> Result<Option<i32>, Failure> {
        without_options(command.current_dir(folder));
        let open = |name: &str| File::create(folder.join(name)).map_err(|e| failed(folder, &e));
        let status = limited::status(&command, limit, open("stdout.txt")?, open("stderr.txt")?);
        let status = status.map_err(|e| failed(folder, &e))?;
        let hangs = || Failure(format!("{}: it took more than {} s", folder.display(), limit.as_secs()));
        Ok(status.ok_or_else(hangs)?.code())
    }
}

impl Window {
    pub(super) const HEADING: [&'static str; 5] =
        ["program", "plain runs that show it", "random priorities", "`provoke`", "Lincheck"];

    /// Returns whether fewer than one of a thousand plain runs show it.
    pub(super) fn is_rare(&self, plain: u32) -> bool {
        self.plain.0 * 1000 < u64::from(plain)
    }

    pub(super) fn row(&self, name: &str, arguments: &Arguments) -> Vec<String> {
        let runs = |first: &First| match first {
            Some((run, seconds)) => format!("run {run}, {seconds:.1} s"),
            None => format!("none of {}", arguments.runs),
        };
        let controlled = match self.controlled {
            Some((execution, seconds)) => format!("execution {execution}, {seconds:.1} s"),
            None => "not found".to_owned(),
        };
        let plain = format!("{} of {}, {:.0} s", self.plain.0, arguments.plain, self.plain.1);
        vec![name.to_owned(), plain, runs(&self.random), runs(&self.provoked), controlled]
    }
}

impl Twin {
    pub(super) const HEADING: [&'static str; 7] =
        ["twin", "as plain", "reported", "plain s", "agent s", "steered s", "times plain"];

    /// Returns whether nothing was reported, all output was right, and it took at most `most` times as long as plainly.
    pub(super) fn is_right(&self, most: f64) -> bool {
        self.reported == 0 && self.as_plain == self.runs && self.seconds[2] <= most * self.seconds[0]
    }

    pub(super) fn row(&self, name: &str) -> Vec<String> {
        let [plain, agent, steered] = self.seconds;
        vec![
            name.to_owned(),
            format!("{} of {} runs", self.as_plain, self.runs),
            self.reported.to_string(),
            format!("{plain:.1}"),
            format!("{agent:.1}"),
            format!("{steered:.1}"),
            format!("{:.1}", steered / plain),
        ]
    }
}

/// The reports in a folder.
fn reports(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| failed(folder, &e))? {
        files.push(entry.map_err(|e| failed(folder, &e))?.path());
    }
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    Ok(files)
}

fn json(file: &Path) -> Result<Value, Failure> {
    let text = fs::read_to_string(file).map_err(|e| failed(file, &e))?;
    serde_json::from_str(&text).map_err(|e| Failure(format!("{}: {e}", file.display())))
}

fn failed(path: &Path, e: &std::io::Error) -> Failure {
    Failure(format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_rare_that_less_than_one_of_a_thousand_runs_shows() {
        let of = |found| Window { plain: (found, 1.0), random: None, provoked: None, controlled: None };
        assert!(of(0).is_rare(1) && of(1).is_rare(1001));
        assert!(!of(1).is_rare(1000));
    }

    #[test]
    fn a_twin_is_right_if_nothing_is_reported_and_each_run_is_as_plain_and_in_time() {
        let of = |as_plain, reported, steered| Twin { runs: 4, as_plain, reported, seconds: [1.0, 2.0, steered] };
        assert!(of(4, 0, 3.0).is_right(3.0));
        assert!(!of(3, 0, 1.0).is_right(3.0) && !of(4, 1, 1.0).is_right(3.0) && !of(4, 0, 3.1).is_right(3.0));
    }
}
