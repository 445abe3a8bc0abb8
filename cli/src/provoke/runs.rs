//! The runs: the program under the agent, with a trace or steered.
//!
//! The agent gets its options from the environment, where paths need no quotes; those that the user gives stand behind the jar
//! and are stronger. Each JVM of a run writes a report of its own.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use analysis_core::provoke::finder::{self, Search};
use analysis_core::provoke::{self, Candidates};
use analysis_core::trace::Mode;
use analysis_core::trace::input::Input;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

use super::result::{ByChance, Confirmed, Seen};
use super::search::{self, Observed};
use crate::agent::{Agent, set_in};
use crate::candidates::unfinished;
use crate::quiet::{self, Ended};
use crate::run::progress::Progress;
use crate::stop::Stop;
use crate::{merge, progress};

/// Options of the agent that each run sets.
const OWN: [&str; 12] = [
    "candidates",
    "format",
    "report",
    "overwrite",
    "exitcode",
    "record",
    "redundant",
    "provoke",
    "priorities",
    "profile",
    "schedules",
    "replay",
];

/// How a program is run.
#[derive(clap::Args)]
pub(crate) struct Running {
    /// The agent; by default the jar that this command is in, or regiontrack.jar beside it.
    #[arg(long, value_name = "JAR")]
    agent: Option<PathBuf>,
    /// Options for the agent: `include=com.example.*,arrays=all`.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// Watch what runs before saw threads share, what is new, and a slice of the rest: the agent's profile=, to which each run that is steered
    /// adds. So do runs that learn, once there is the file.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The stack of the main thread, unless the command says how large it is: calls under the agent need more.
    #[arg(long, value_name = "SIZE", default_value = "8m")]
    stack: String,
    /// From what runs learn candidates: from all events, which are recorded; or, at the cost of any run, from the places where threads meet.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Learn::Trace)]
    learn: Learn,
    /// In runs with priorities by chance, so many of these change at some step.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(..=100))]
    changes: u8,
    /// Keep the reports and the output of each run in this folder, which is made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print a line to standard error every so many seconds of a run; 0 is never. By default every minute, if it is a terminal. After each
    /// run there is one in any case.
    #[arg(long, value_name = "SECONDS")]
    progress: Option<u64>,
}

/// From what a run learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Learn {
    /// All events, recorded.
    Trace,
    /// Places at which threads meet.
    Places,
}

/// A program.
pub(crate) struct Runs<'a> {
    pub(crate) command: &'a [OsString],
    agent: Agent,
    jobs: u16,
    learn: Learn,
    progress: Option<u64>,
    /// Absolute, as is the folder, because the program may run elsewhere.
    pub(crate) profile: Option<PathBuf>,
    /// Where the schedules of violations are written.
    schedules: Option<PathBuf>,
    folder: PathBuf,
    /// How many folders of runs there are in it.
    made: usize,
    /// How many priorities change in a run that has some.
    changes: u8,
    /// Who is asked to stop, if runs are to be stopped then.
    stop: Option<Stop>,
}

impl<'a> Runs<'a> {
    pub(crate) fn of(command: &'a [OsString], running: &Running, jobs: u16, temporary: &Path) -> Result<Runs<'a>> {
        if let Some(key) = set_in(&running.options, &OWN) {
            bail!(
                "--options {key}=: each run gets its own; see regiontrack provoke --help for the report, the candidates and the profile"
            );
        }
        let agent = Agent::of(running.agent.as_deref(), &running.options)?.with_stack(&running.stack);
        let profile = running.profile.as_deref().map(std::path::absolute).transpose().context("--profile")?;
        let folder = match &running.keep {
            Some(folder) => {
                fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                std::path::absolute(folder).with_context(|| folder.display().to_string())?
            }
            None => temporary.to_owned(),
        };
        Ok(Runs {
            command,
            agent,
            jobs,
            learn: running.learn,
            progress: running.progress,
            profile,
            schedules: None,
            folder,
            made: 0,
            changes: running.changes,
            stop: None,
        })
    }

    /// The same, where steered runs write schedules into this folder.
    pub(super) fn with_schedules(self, folder: &Path) -> Runs<'a> {
        Runs { schedules: Some(folder.to_owned()), ..self }
    }

    /// The same, where runs are stopped when this is asked to.
    pub(super) fn with_stop(self, stop: Stop) -> Runs<'a> {
        Runs { stop: Some(stop), ..self }
    }

    /// The signal by which they were stopped.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        self.stop.as_ref()?.by()
    }

    /// A folder that is not there.
    pub(crate) fn next_folder(&mut self) -> PathBuf {
        loop {
            self.made += 1;
            let folder = self.folder.join(format!("run-{}", self.made));
            if !folder.exists() {
                return folder;
            }
        }
    }

    /// A round of as many runs as there are side by side, each with these options of the agent, and others by its number.
    fn round(
        &mut self,
        options: &[(&str, &OsStr)],
        other: impl Fn(u64) -> Option<(&'static str, OsString)> + Sync,
    ) -> Result<Observed> {
        let folders: Vec<PathBuf> = (0..self.jobs).map(|_| self.next_folder()).collect();
        let (runs, other) = (&*self, &other);
        let start = |number: u64, folder: &PathBuf| {
            let other = other(number);
            let of_run = other.iter().map(|(key, value)| (*key, value.as_os_str()));
            runs.run(folder, &options.iter().copied().chain(of_run).collect::<Vec<_>>())
        };
        let start = &start;
        let ended: Vec<Result<Ended>> = thread::scope(|scope| {
            let started: Vec<_> =
                (0..).zip(&folders).map(|(number, folder)| scope.spawn(move || start(number, folder))).collect();
            let panicked = |_| Err(anyhow!("a run's thread has panicked"));
            started.into_iter().map(|run| run.join().unwrap_or_else(panicked)).collect()
        });
        let mut all = Observed::default();
        for ended in ended {
            let (next, _) = self.observed(&ended?)?;
            all.runs += next.runs;
            all.report = match (all.report, next.report) {
                (Some(one), Some(two)) => Some(one.merge(two).map_err(|why| anyhow!(why))?),
                (one, two) => one.or(two),
            };
            all.confirmed.extend(next.confirmed);
            all.seen.extend(next.seen);
            all.random.extend(next.random);
            all.steps = all.steps.max(next.steps);
            all.ends.extend(next.ends);
            all.warnings.extend(next.warnings);
        }
        Ok(all)
    }

    /// One run, with these options of the agent in the environment.
    pub(crate) fn run(&self, folder: &Path, options: &[(&str, &OsStr)]) -> Result<Ended> {
        let mut command = self.agent.command(self.command);
        command.envs(options.iter().copied());
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        // What the command prints is not shown, so that it is java makes no difference.
        let _progress = Progress::start(self.progress, &[OsString::new()], folder, &[]);
        let mut ended = quiet::run(command, self.command, folder, self.stop.as_ref())?;
        if self.stopped().is_some() {
            // A JVM that was killed can have written a part of its report.
            ended
                .reports
                .retain(|path| fs::read(path).is_ok_and(|text| serde_json::from_slice::<Value>(&text).is_ok()));
        }
        Ok(ended)
    }
}

impl search::Runs for Runs<'_> {
    fn learn(&mut self) -> Result<(Candidates, Observed)> {
        let folder = self.next_folder();
        let (trace, places) = (folder.join("trace-%p.rtb"), folder.join("candidates"));
        let mut options = match self.learn {
            Learn::Trace => {
                vec![("REGIONTRACK_RECORD", trace.as_os_str()), ("REGIONTRACK_REDUNDANT", OsStr::new("true"))]
            }
            Learn::Places => vec![("REGIONTRACK_CANDIDATES", places.as_os_str())],
        };
        // A run that is recorded does not make a profile.
        let profile = self.profile.clone().filter(|profile| self.learn == Learn::Places || profile.exists());
        options.extend(profile.as_ref().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())));
        let ended = self.run(&folder, &options)?;
        let (mut observed, has_run) = self.observed(&ended)?;
        // Of a part of a run candidates are not worth the time; who stops it wants to have the results.
        let is_stopped = self.stopped().is_some();
        if !is_stopped && !has_run && !ended.status.success() {
            bail!("{}", ended.why_nothing_ran(self.command));
        }
        if self.learn == Learn::Places {
            return Ok((provoke::read(&places)?.unwrap_or_default(), observed));
        }
        let mut all = Candidates::new();
        for trace in traces(&folder)? {
            if is_stopped {
                fs::remove_file(&trace).with_context(|| trace.display().to_string())?;
                continue;
            }
            let input = Input::open(&trace)?;
            let mut line = progress::Progress::new("candidates of the run");
            // A JVM that was killed leaves a trace that is damaged at its end.
            let search = Search { mode: Mode::Lenient, ..Search::default() };
            let summary = finder::search(&input, search, |events| line.at(events))?;
            observed.warnings.extend(unfinished(summary.unfinished));
            if summary.left_out > 0 {
                observed.warnings.push("there are too many candidates; some are left out".to_owned());
            }
            all.merge(&summary.candidates);
            fs::remove_file(&trace).with_context(|| trace.display().to_string())?;
        }
        Ok((all, observed))
    }

    fn steer(&mut self, file: &Path) -> Result<Observed> {
        let profile = self.profile.clone();
        let mut options = vec![("REGIONTRACK_PROVOKE", file.as_os_str())];
        let schedules = self.schedules.clone();
        options.extend(schedules.as_ref().map(|folder| ("REGIONTRACK_SCHEDULES", folder.as_os_str())));
        options.extend(profile.as_ref().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())));
        self.round(&options, |_| None)
    }

    fn shuffle(&mut self, seed: u64, steps: u64) -> Result<Observed> {
        let profile = self.profile.clone();
        let options: Vec<_> = profile.iter().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())).collect();
        let changes = self.changes;
        let priorities = |number| format!("{}:{changes}:{steps}", seed.wrapping_add(number));
        self.round(&options, |number| Some(("REGIONTRACK_PRIORITIES", priorities(number).into())))
    }

    fn stopped(&self) -> Option<&'static str> {
        Runs::stopped(self)
    }
}

impl Runs<'_> {
    /// What a run has shown, and whether a method has run that is to be atomic. How one has ended that was stopped says nothing.
    fn observed(&self, ended: &Ended) -> Result<(Observed, bool)> {
        let (observed, has_run) = observed(ended)?;
        if self.stopped().is_none() {
            return Ok((observed, has_run));
        }
        Ok((Observed { warnings: Vec::new(), ends: Vec::new(), ..observed }, has_run))
    }
}

/// What a run has shown, and whether a method has run that is to be atomic.
fn observed(ended: &Ended) -> Result<(Observed, bool)> {
    let mut warnings = Vec::new();
    if !ended.status.success() {
        warnings.push(format!("a run ended with {}", ended.status));
    }
    let (mut confirmed, mut seen, mut random, mut steps) = (Vec::new(), Vec::new(), Vec::new(), None);
    let mut has_run = false;
    for path in &ended.reports {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let report: Value = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a report of the agent; is it of this version?", path.display()))?;
        // Of a JVM that was killed nothing is known.
        has_run |= report["stats"]["blocks"] != 0;
        let violations = || report["violations"].as_array().into_iter().flatten();
        confirmed.extend(violations().filter_map(Confirmed::of));
        seen.extend(violations().filter_map(Seen::of));
        random.extend(violations().filter_map(ByChance::of));
        steps = steps.max(report["steered"]["random"][0]["steps"].as_u64());
    }
    let merged = || merge::of(&ended.reports, crate::run::name);
    let report = if ended.reports.is_empty() { None } else { Some(merged()?) };
    let ends = vec![ended.status.to_string()];
    Ok((Observed { runs: 1, report, confirmed, seen, random, steps, ends, warnings }, has_run))
}

/// The traces that the JVMs of a run have left.
fn traces(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        paths.push(entry.with_context(|| folder.display().to_string())?.path());
    }
    paths.retain(|path| path.extension() == Some(OsStr::new("rtb")));
    paths.sort();
    Ok(paths)
}
