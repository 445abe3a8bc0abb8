//! One run of a subject, measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::configurations::Column;
use super::jit::Jit;
use crate::Failure;
use crate::java::{Runtime, Subject, Subjects};
use crate::stopwatch::Stopwatch;
use crate::workspace::shown;

/// What is the same for all runs.
pub(super) struct Laboratory<'w> {
    pub(super) subjects: Subjects<'w>,
    pub(super) java: PathBuf,
    /// Those of the JVM.
    pub(super) flags: Vec<String>,
    pub(super) size: String,
    pub(super) limit: Duration,
    /// Where runs leave what they print and report.
    pub(super) folder: PathBuf,
    pub(super) stopwatch: Stopwatch,
}

/// The figures of a run; those that could not be had are none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) wall_s: Option<f64>,
    pub(super) cpu_s: Option<f64>,
    pub(super) peak_mib: Option<f64>,
    pub(super) jit_s: Option<f64>,
    pub(super) code_kib: Option<f64>,
    /// What the agent did.
    pub(super) work: Option<Work>,
}

/// Counts of the agent's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Work {
    /// All accesses, if they were counted.
    pub(super) accesses: Option<f64>,
    pub(super) recorded: f64,
    pub(super) dependencies: f64,
    pub(super) lost: f64,
    pub(super) verdict: String,
    /// How many methods were found violated.
    pub(super) findings: usize,
}

/// How a run ended.
pub(super) enum Run {
    /// By itself; what it printed, and what it took.
    Ended(String, Measured),
    /// It was killed at its limit.
    TooLong,
}

impl Laboratory<'_> {
    /// Runs a subject once; a run that fails is an error.
    pub(super) fn run(&self, subject: &Subject, column: &Column) -> Result<Run, Failure> {
        let [out, err, report] = ["out.txt", "err.txt", "report.json"].map(|name| self.folder.join(name));
        let options = column.configuration.agent_options(&self.folder, &report)?;
        let agent = column.jar.as_deref().zip(options);
        let is_watched = agent.is_some();
        let runtime = Runtime { java: &self.java, flags: &self.flags, agent };
        let command = self.subjects.command(&runtime, subject, &self.size)?;
        let failed = |why: String| Failure(format!("`{}` {why}", shown(&command)));
        let timed = self.stopwatch.time(&command, self.limit, &out, &err);
        let timed = timed.map_err(|e| failed(format!("did not start: {e}")))?;
        let Some(status) = timed.status else { return Ok(Run::TooLong) };
        let errors = read(&err)?;
        if !status.success() {
            return Err(failed(format!("failed ({status}):\n{}", errors.trim_end())));
        }
        let (cpu_s, peak_mib) = timed.cost.unzip();
        let (jit_s, code_kib) = Jit::read(&errors).map(|jit| (jit.seconds, jit.code)).unzip();
        let work = if is_watched { Work::read(&read(&report)?) } else { None };
        let measured = Measured { wall_s: Some(timed.wall), cpu_s, peak_mib, jit_s, code_kib, work };
        Ok(Run::Ended(read(&out)?, measured))
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Work {
    /// Reads them from a JSON report, if it has them.
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
        let expected = Work { accesses: None, recorded: 5.0, dependencies: 1.0, lost: 0.0, verdict, findings: 1 };
        assert_eq!(Work::read(report), Some(expected));
        assert_eq!(Work::read("{}"), None);
    }
}
