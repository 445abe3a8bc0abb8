//! A measured run of a subject.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::configurations::{Column, Profile};
use super::guided::Guided;
use super::jit::{self, Jit};
use crate::Failure;
use crate::java::{Runtime, Subject, Subjects};
use crate::stopwatch::Stopwatch;
use crate::workspace::{Workspace, shown};

/// The common settings of all runs.
pub(crate) struct Laboratory<'w> {
    subjects: Subjects<'w>,
    java: PathBuf,
    /// Flags of the JVM.
    pub(super) flags: Vec<String>,
    size: String,
    pub(super) limit: Duration,
    /// The folder for what runs print and report.
    pub(super) folder: PathBuf,
    pub(super) stopwatch: Stopwatch,
}

/// The figures of a run; `None` for those that are not available.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(super) wall_s: Option<f64>,
    pub(super) cpu_s: Option<f64>,
    pub(super) peak_mib: Option<f64>,
    pub(super) jit_s: Option<f64>,
    pub(super) code_kib: Option<f64>,
    /// Seconds of each iteration, for a program that runs several times in one JVM and prints how long it took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) iterations_s: Vec<f64>,
    /// The work of the agent.
    pub(super) work: Option<Work>,
}

/// Counts from the agent's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// All accesses, if they were counted.
    pub(super) accesses: Option<f64>,
    pub(super) recorded: f64,
    pub(super) dependencies: f64,
    pub(super) lost: f64,
    pub(super) verdict: String,
    /// The number of methods found violated.
    pub(super) findings: usize,
    /// What was watched, if a profile guided the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) guided: Option<Box<Guided>>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Run {
    /// By itself, with the right result.
    Measured(Measured),
    /// The run was killed at its limit.
    TooLong,
    /// The run failed, or its result is wrong, for this reason.
    Failed(String),
}

impl Run {
    /// Returns the figures, if the run ended as it should.
    pub(super) fn measured(&self) -> Option<&Measured> {
        match self {
            Run::Measured(measured) => Some(measured),
            Run::TooLong | Run::Failed(_) => None,
        }
    }
}

impl<'w> Laboratory<'w> {
    /// Creates one that writes into this folder, and records what the JIT compilers do.
    pub(crate) fn new(
        workspace: &'w Workspace,
        java: &Path,
        size: &str,
        limit: Duration,
        folder: &Path,
    ) -> Laboratory<'w> {
        Laboratory {
            subjects: Subjects::of(workspace),
            java: java.to_owned(),
            flags: jit::FLAGS.iter().map(|flag| (*flag).to_owned()).collect(),
            size: size.to_owned(),
            limit,
            folder: folder.to_owned(),
            stopwatch: Stopwatch::find(folder.join("time.txt")),
        }
    }

    /// Returns the path of a run's report.
    pub(crate) fn report(&self) -> PathBuf {
        self.folder.join("report.json")
    }

    /// Runs a subject once. `printed` is the expected standard output: if the run prints something else, it fails; if
    /// `printed` is empty, it is set to the output of this run. The output of a suite is judged by the suite.
    pub(crate) fn run(&self, subject: &Subject, column: &Column, printed: &mut Option<String>) -> Result<Run, Failure> {
        let [out, err] = ["out.txt", "err.txt"].map(|name| self.folder.join(name));
        let (report, profile) = (self.report(), column.profile(&self.folder, &subject.name));
        let wanted = column.configuration.profile;
        if let Some(Err(why)) = wanted.map(|wanted| wanted.prepare(&profile)) {
            return Ok(Run::Failed(why));
        }
        let options = column.configuration.agent_options(&self.folder, &report, &profile)?;
        // An agent of an older commit may not know `overwrite=`.
        [&report, &self.folder.join("trace.rtb")].into_iter().try_for_each(|left| remove(left))?;
        let agent = column.jar.as_deref().zip(options);
        let is_watched = agent.is_some();
        let runtime = Runtime { java: &self.java, flags: &self.flags, agent };
        let command = self.subjects.command(&runtime, subject, &self.size)?;
        let timed = self.stopwatch.time(&command, self.limit, &out, &err);
        let timed = timed.map_err(|e| Failure(format!("`{}` did not start: {e}", shown(&command))))?;
        let Some(status) = timed.status else { return Ok(Run::TooLong) };
        let (output, errors) = (read(&out)?, read(&err)?);
        let failed = |why: &str| Ok(Run::Failed(format!("`{}`: {why}", shown(&command))));
        if !status.success() {
            return failed(&format!("{status}\n{}", beginning(&errors)));
        }
        let mut iterations_s = Vec::new();
        if let Some(suite) = &subject.suite {
            match suite.iterations(&format!("{output}\n{errors}")) {
                Ok(seconds) => iterations_s = seconds,
                Err(why) => return failed(&why),
            }
        } else if *printed.get_or_insert_with(|| output.clone()) != output {
            let expected = printed.as_deref().unwrap_or_default();
            return failed(&format!("printed `{}` and not `{}`", output.trim_end(), expected.trim_end()));
        }
        let (cpu_s, peak_mib) = timed.cost.unzip();
        let (jit_s, code_kib) = Jit::read(&errors).map(|jit| (jit.seconds, jit.code)).unzip();
        let work = if is_watched { Work::read(&read(&report)?) } else { None };
        let is_guided = work.as_ref().is_some_and(|work| work.guided.is_some());
        if wanted.is_some_and(|wanted| (wanted == Profile::Kept) != is_guided) {
            return failed(if is_guided {
                "guided by a profile that was not there"
            } else {
                "not guided by its profile"
            });
        }
        let wall_s = Some(timed.wall);
        Ok(Run::Measured(Measured { wall_s, cpu_s, peak_mib, jit_s, code_kib, iterations_s, work }))
    }
}

/// Returns as much of a program's error output as a table of results should have.
fn beginning(errors: &str) -> String {
    errors.lines().take(12).collect::<Vec<_>>().join("\n")
}

/// Removes what a previous run has left, if it is there.
fn remove(file: &Path) -> Result<(), Failure> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Failure(format!("{}: {error}", file.display()))),
        _ => Ok(()),
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Work {
    /// Reads the counts from a JSON report, if it has them.
    fn read(report: &str) -> Option<Work> {
        let report: Value = serde_json::from_str(report).ok()?;
        let events = &report["stats"]["events"];
        Some(Work {
            accesses: events["accesses"].as_f64(),
            recorded: events["recorded"].as_f64()?,
            dependencies: events["dependencies"].as_f64()?,
            lost: events["lost"].as_f64()?,
            verdict: report["verdict"].as_str()?.to_owned(),
            findings: report["violations"].as_array()?.len(),
            guided: Guided::read(&report["guided"]).map(Box::new),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_read_from_a_report_and_accesses_may_be_uncounted() {
        let report = r#"{"verdict":"non-serializable","violations":[{"method":"a \"lost\":7"}],"stats":{"classes":{"failed":0},
            "events":{"accesses":null,"filtered":null,"recorded":5,"dependencies":1,"lost":0},"seconds":2.5},"warnings":[]}"#;
        let verdict = "non-serializable".to_owned();
        let expected =
            Work { accesses: None, recorded: 5.0, dependencies: 1.0, lost: 0.0, verdict, findings: 1, guided: None };
        assert_eq!(Work::read(report), Some(expected));
        assert_eq!(Work::read("{}"), None);
    }
}
