//! Rounds of runs: each round starts the program under the agent, as often as requested, side by side.
//!
//! The agent gets its options through the environment, where paths need no quotes; the user's options are behind the
//! jar and take precedence. Each JVM of a run writes its own report.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::thread;

use analysis_core::engine::EngineSpec;
use analysis_core::profile;
use analysis_core::spec::refine::Taken;
use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use tempfile::TempDir;

use super::{Executions, Observed, Text};
use crate::agent::{Agent, set_in, shown};
use crate::quiet;

/// Agent options that each run sets.
const OWN: [&str; 7] = ["spec", "exclude-method", "engine", "nested", "format", "report", "profile"];

/// The agent option that hides findings: a run whose only violations are suppressed has nothing to take out.
const SUPPRESSIONS: &str = "suppressions";

/// Options for running a program.
#[derive(clap::Args)]
pub(crate) struct Running {
    /// The agent's jar; by default the jar that contains this command, or regiontrack.jar beside it.
    #[arg(long, value_name = "JAR", requires = "command")]
    agent: Option<PathBuf>,
    /// Options for the agent: `include=com.example.*,arrays=all`.
    #[arg(long, value_name = "OPTIONS", requires = "command", default_value = "")]
    options: String,
    /// The number of runs in each round, side by side. A method that is violated in one of them is removed for all.
    #[arg(long, value_name = "N", requires = "command", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Watch what earlier runs saw threads share, what is new, and a slice of the rest: the agent's profile=, to which
    /// each run adds. If there is no file yet, the first round watches everything and creates it. If no run has watched
    /// everything and nothing is violated, the answer is undecided, exit code 2.
    #[arg(long, value_name = "FILE", requires = "command")]
    profile: Option<PathBuf>,
}

/// A program, and the runs of each round.
pub(super) struct Runs<'a> {
    command: &'a [OsString],
    running: &'a Running,
    agent: Agent,
    /// Absolute, because the program may run elsewhere.
    profile: Option<PathBuf>,
    engine: &'static EngineSpec,
    taken: Taken,
    folder: TempDir,
}

/// The parts of a report that are needed.
#[derive(Deserialize)]
struct Report {
    /// `running` if the JVM was killed; then the report has nothing else.
    verdict: String,
    #[serde(default)]
    violations: Vec<Violated>,
    #[serde(default)]
    waits_inside: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    warnings: Vec<String>,
    /// What was watched, if a profile guided the run.
    guided: Option<serde::de::IgnoredAny>,
    /// How much was watched, if only a part was meant to be.
    sampling: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    stats: Stats,
}

#[derive(Default, Deserialize)]
struct Stats {
    /// Missing if the report does not say.
    blocks: Option<u64>,
}

#[derive(Deserialize)]
struct Violated {
    method: String,
    count: u64,
    #[serde(default)]
    caller: bool,
}

/// A run that has ended.
struct Ended {
    status: ExitStatus,
    reports: Vec<Report>,
}

impl<'a> Runs<'a> {
    pub(super) fn of(
        command: &'a [OsString],
        running: &'a Running,
        engine: &'static EngineSpec,
        taken: Taken,
    ) -> Result<Runs<'a>> {
        if let Some(key) = set_in(&running.options, &OWN) {
            bail!(
                "--options {key}=: each run gets its own; see regiontrack refine --help for the specification, the engine and the profile"
            );
        }
        if set_in(&running.options, &[SUPPRESSIONS]).is_some() {
            bail!(
                "--options {SUPPRESSIONS}=: methods whose findings are suppressed are to be taken out, too; leave it out, and give it to runs under the finished specification"
            );
        }
        let agent = Agent::of(running.agent.as_deref(), &running.options)?;
        let profile = running.profile.as_deref().map(std::path::absolute).transpose().context("--profile")?;
        let folder = tempfile::tempdir().context("a folder for specifications and reports")?;
        Ok(Runs { command, running, agent, profile, engine, taken, folder })
    }

    /// The number of facts in the profile; `None` if there is no file.
    fn facts(&self) -> Result<Option<usize>> {
        let profile = self.profile.as_deref().map(profile::read).transpose()?.flatten();
        Ok(profile.map(|profile| profile.facts().count()))
    }

    /// Makes one run, which keeps its files in a folder of its own.
    fn run(&self, specification: &Path, folder: &Path, is_first: bool) -> Result<Ended> {
        let mut command = self.agent.command(self.command);
        command.envs(self.profile.iter().map(|profile| ("REGIONTRACK_PROFILE", profile)));
        let nested = if self.taken == Taken::Outermost { "false" } else { "true" };
        command
            .env("REGIONTRACK_SPEC", specification)
            .env("REGIONTRACK_ENGINE", self.engine.name)
            .env("REGIONTRACK_NESTED", nested)
            .env_remove("REGIONTRACK_SUPPRESSIONS");
        let ended = quiet::run(command, self.command, folder, None)?;
        let (status, reports) = (ended.status, reports(&ended.reports)?);
        let is_empty = reports.iter().all(|report| report.stats.blocks == Some(0));
        // Later rounds may have removed everything that a program calls before it fails.
        if is_first && is_empty && !status.success() {
            bail!("{}", ended.why_nothing_ran(self.command));
        }
        Ok(Ended { status, reports })
    }

    fn add(&self, ended: &Ended, observed: &mut Observed) {
        if !ended.status.success() {
            observed.warnings.push(format!("a run ended with {}", ended.status));
        }
        for report in &ended.reports {
            // A run is "undecided" if only a part of it was watched, which says nothing about the rest. To watch only a
            // part, use a profile.
            let is_sampled = report.verdict == "undecided" && report.sampling.is_some();
            observed.is_guided |= report.guided.is_some();
            observed.has_blocks |= report.stats.blocks != Some(0);
            observed.is_incomplete |= is_sampled || ["incomplete", "running"].contains(&&*report.verdict);
            if is_sampled {
                observed.warnings.push("only a part of the run was watched (sample=)".to_owned());
            }
            if report.verdict == "running" {
                observed.warnings.push("a JVM was killed, so that nothing is known of its run".to_owned());
            }
            observed.warnings.extend(report.warnings.iter().cloned());
            let is_blameless = report.violations.is_empty() && report.waits_inside.is_empty();
            let is_non_serializable = report.verdict == "non-serializable";
            observed.round.non_serializable += u64::from(is_non_serializable);
            observed.round.unblamed += u64::from(is_non_serializable && is_blameless);
            for violated in &report.violations {
                let is_taken = self.taken != Taken::Innermost || !violated.caller;
                observed.round.add_reported(&violated.method, violated.count, is_taken);
            }
        }
    }
}

impl Executions for Runs<'_> {
    fn names(&self) -> Vec<String> {
        let guided = self.running.profile.as_ref().map(|profile| format!(", guided by {}", profile.display()));
        vec![format!("runs of {}{}", shown(self.command), guided.unwrap_or_default()).replace(['\n', '\r'], " ")]
    }

    fn each_round(&self) -> usize {
        usize::from(self.running.jobs)
    }

    fn round(&mut self, specification: &Text, number: usize) -> Result<Observed> {
        let folder = self.folder.path().join(number.to_string());
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let path = folder.join("specification");
        fs::write(&path, &specification.text).with_context(|| path.display().to_string())?;
        let known = self.facts()?;
        let (runs, path) = (&*self, &path);
        let ended: Vec<Result<Ended>> = thread::scope(|scope| {
            let started: Vec<_> = (0..self.running.jobs)
                .map(|job| folder.join(job.to_string()))
                .map(|folder| scope.spawn(move || runs.run(path, &folder, number == 1)))
                .collect();
            let panicked = |_| Err(anyhow!("a run's thread has panicked"));
            started.into_iter().map(|run| run.join().unwrap_or_else(panicked)).collect()
        });
        let mut observed = Observed::default();
        for ended in ended {
            self.add(&ended?, &mut observed);
        }
        // A round without a profile has watched everything, however much it has learnt.
        observed.has_learnt = known.is_some() && self.facts()? > known;
        Ok(observed)
    }
}

/// Reads the reports that the JVMs of a run have written.
fn reports(paths: &[PathBuf]) -> Result<Vec<Report>> {
    let mut result = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let report = serde_json::from_str(&text);
        result.push(
            report.with_context(|| format!("{}: not a report of the agent; is it of this version?", path.display()))?,
        );
    }
    Ok(result)
}
