//! The runs of `provoke` and `replay`: the program under the agent, recorded or steered.
//!
//! The agent gets its options through the environment, where paths need no quotes; the user's options are behind the
//! jar and take precedence. Each JVM of a run writes its own report.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use analysis_core::provoke::finder::{self, Search};
use analysis_core::provoke::{self, Candidates};
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

/// The default number of priorities that change in a run with priorities.
pub(super) const CHANGES: u8 = 2;
/// The recorded end of a run that took too long.
const TOO_LONG: &str = "took too long";
/// The start of the agent's message that it could not write the candidates.
const NOTHING_ADDED: &str = "nothing is added to the candidates";
/// The default limit of a run: this many times the longest run that ended by itself, and at least this long.
const TIMES_LONGEST: u32 = 10;
const LEAST_LIMIT: Duration = Duration::from_secs(60);

/// Agent options that each run sets.
const OWN: [&str; 13] = [
    "candidates",
    "format",
    "report",
    "overwrite",
    "exitcode",
    "record",
    "redundant",
    "provoke",
    "provoke-turn",
    "priorities",
    "profile",
    "schedules",
    "replay",
];

/// Options for running a program.
#[derive(clap::Args)]
pub(crate) struct Running {
    /// The agent's jar; by default the jar that contains this command, or regiontrack.jar beside it.
    #[arg(long, value_name = "JAR")]
    agent: Option<PathBuf>,
    /// Options for the agent: `include=com.example.*,arrays=all`.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    options: String,
    /// Watch what earlier runs saw threads share, what is new, and a slice of the rest: the agent's profile=, to which
    /// each steered run adds. Learning runs do so too, once the file exists.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The stack size of the main thread, unless the command or the environment sets it: calls under the agent need more
    /// stack.
    #[arg(long, value_name = "SIZE", default_value = "8m")]
    stack: String,
    /// Ask a run that takes this many seconds to end, as kill does, and kill it if it has not ended 30 seconds later: a
    /// violation can make a program wait forever. By default a run may take ten times as long as the longest one that
    /// ended by itself, and at least a minute. Until one has ended, there is no limit.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: Option<u32>,
    /// Keep the reports and the output of each run in this folder, which is created if missing.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print a line to standard error at this interval during a run; 0 means never. By default every minute, if
    /// standard error is a terminal. After each run there is a line in any case.
    #[arg(long, value_name = "SECONDS")]
    progress: Option<u64>,
}

/// What a run learns candidates from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Learn {
    /// All events, recorded.
    #[default]
    Trace,
    /// Places at which threads meet.
    Places,
}

/// A program, and how its runs are made.
pub(crate) struct Runs<'a> {
    pub(crate) command: &'a [OsString],
    agent: Agent,
    jobs: u16,
    learn: Learn,
    search: Search,
    progress: Option<u64>,
    /// Absolute, like the folder, because the program may run elsewhere.
    pub(crate) profile: Option<PathBuf>,
    /// Where the schedules of violations are written.
    schedules: Option<PathBuf>,
    folder: PathBuf,
    /// Whether the reports and the output of the runs are for the user, too.
    keeps: bool,
    /// The number of the last run's folder in `folder`.
    made: usize,
    /// The number of priorities that change in a run with priorities.
    changes: u8,
    /// Requests to stop this command, which are passed on to its runs.
    stop: Stop,
    /// The limit of a run that the user has set; without it, the limit follows from the longest run.
    limit: Option<Duration>,
    /// The duration of the longest run that ended by itself.
    longest: Mutex<Option<Duration>>,
}

impl<'a> Runs<'a> {
    /// Prepares runs of `command`, up to `jobs` of them side by side.
    pub(crate) fn of(
        command: &'a [OsString],
        running: &Running,
        jobs: u16,
        temporary: &Path,
        stop: Stop,
    ) -> Result<Runs<'a>> {
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
            learn: Learn::default(),
            search: Search::default(),
            progress: running.progress,
            profile,
            schedules: None,
            folder,
            keeps: running.keep.is_some(),
            made: 0,
            changes: CHANGES,
            stop,
            limit: running.timeout.map(|seconds| Duration::from_secs(seconds.into())),
            longest: Mutex::new(None),
        })
    }

    /// Makes steered runs write schedules to this folder.
    pub(super) fn with_schedules(self, folder: &Path) -> Runs<'a> {
        Runs { schedules: Some(folder.to_owned()), ..self }
    }

    /// Sets how runs learn, and how many priorities change in a run with priorities.
    pub(super) fn learning(self, learn: Learn, search: Search, changes: u8) -> Runs<'a> {
        Runs { learn, search, changes, ..self }
    }

    /// The signal that stopped the runs.
    pub(crate) fn stopped(&self) -> Option<&'static str> {
        self.stop.by()
    }

    /// The limit of a run, which can become known while it is made. A run that waits forever must not block the runs
    /// after it.
    fn limit(&self) -> Option<Duration> {
        self.limit.or_else(|| self.longest().map(limit_after))
    }

    fn longest(&self) -> MutexGuard<'_, Option<Duration>> {
        self.longest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The message for a run that took too long, without its subject.
    pub(crate) fn why_too_long(&self) -> String {
        match self.limit {
            Some(_) => "took longer than --timeout, and was ended".to_owned(),
            None => format!(
                "took {TIMES_LONGEST} times as long as any that ended by itself, and was ended; --timeout SECONDS gives it more time"
            ),
        }
    }

    /// A folder for a run alone, also if other commands keep theirs in the same folder at the same time.
    pub(crate) fn next_folder(&mut self) -> PathBuf {
        loop {
            self.made += 1;
            let folder = self.folder.join(format!("run-{}", self.made));
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // The run says why there can be no folder.
                _ => return folder,
            }
        }
    }

    /// Removes the folder of a run that was evaluated: many runs together can fill a disk.
    pub(crate) fn discard(&self, folder: &Path) {
        if !self.keeps {
            // What cannot be removed goes with the temporary folder.
            let _ = fs::remove_dir_all(folder);
        }
    }

    /// Makes a round of `jobs` runs side by side, but at most `most`, each with these agent options and one that
    /// `other` derives from its number.
    fn round(
        &mut self,
        most: u64,
        options: &[(&str, &OsStr)],
        other: impl Fn(u64) -> (&'static str, OsString) + Sync,
    ) -> Result<Observed> {
        let folders: Vec<PathBuf> = (0..most.min(self.jobs.into())).map(|_| self.next_folder()).collect();
        let (runs, other) = (&*self, &other);
        let start = |number: u64, folder: &PathBuf| {
            let (key, value) = other(number);
            runs.run(folder, &options.iter().copied().chain([(key, value.as_os_str())]).collect::<Vec<_>>())
        };
        let start = &start;
        let ended: Vec<Result<Ended>> = thread::scope(|scope| {
            let started: Vec<_> =
                (0..).zip(&folders).map(|(number, folder)| scope.spawn(move || start(number, folder))).collect();
            let panicked = |_| Err(anyhow!("a run's thread has panicked"));
            started.into_iter().map(|run| run.join().unwrap_or_else(panicked)).collect()
        });
        let mut all = Observed::default();
        for (ended, folder) in ended.into_iter().zip(&folders) {
            // A run that fails does not discard the results of the others.
            let observed = ended.and_then(|ended| self.observed(&ended));
            self.discard(folder);
            let (next, _) = match observed {
                Ok(observed) => observed,
                Err(error) => {
                    all.failed.get_or_insert(error);
                    continue;
                }
            };
            all.runs += next.runs;
            all.report = merge::both(all.report, next.report)?;
            all.confirmed.extend(next.confirmed);
            all.seen.extend(next.seen);
            all.random.extend(next.random);
            all.steps = all.steps.max(next.steps);
            all.ends.extend(next.ends);
            all.warnings.extend(next.warnings);
            all.is_cut |= next.is_cut;
            all.is_lost |= next.is_lost;
            all.cycles += next.cycles;
        }
        match all.failed.take_if(|_| all.runs == 0) {
            Some(error) => Err(error),
            None => Ok(all),
        }
    }

    /// Makes one run, with these agent options in the environment.
    pub(crate) fn run(&self, folder: &Path, options: &[(&str, &OsStr)]) -> Result<Ended> {
        let mut command = self.agent.command(self.command);
        command.envs(options.iter().copied());
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        // The command's output is not shown, so it makes no difference whether it is java.
        let _progress = Progress::start(self.progress, &[OsString::new()], folder, &[]);
        let started = Instant::now();
        let mut ended = quiet::run(command, self.command, folder, Some((&self.stop, &|| self.limit())))?;
        if !ended.took_too_long && self.stopped().is_none() {
            let mut longest = self.longest();
            *longest = longest.max(Some(started.elapsed()));
        }
        if self.stopped().is_some() || ended.took_too_long {
            // A killed JVM may have written only a part of its report.
            let read = |path: &PathBuf| serde_json::from_slice::<Value>(&fs::read(path).ok()?).ok();
            let mut is_lost = ended.is_lost;
            ended.reports.retain(|path| {
                let report = read(path);
                is_lost |= report.as_ref().is_none_or(|report| report["verdict"] == "running");
                report.is_some()
            });
            ended.is_lost = is_lost;
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
        // A recorded run does not create a profile.
        let profile = self.profile.clone().filter(|profile| self.learn == Learn::Places || profile.exists());
        options.extend(profile.as_ref().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())));
        let ended = self.run(&folder, &options)?;
        let (mut observed, has_run) = self.observed(&ended)?;
        if self.stopped().is_none() && !ended.took_too_long && !has_run && !ended.status.success() {
            bail!("{}", ended.why_nothing_ran(self.command));
        }
        if self.learn == Learn::Places {
            let learnt = provoke::read(&places)?.unwrap_or_default();
            self.discard(&folder);
            return Ok((learnt, observed));
        }
        let mut all = Candidates::new();
        for trace in traces(&folder)? {
            // After a stop the user wants the results: candidates of a partial run are not worth the time.
            if self.stopped().is_some() {
                fs::remove_file(&trace).with_context(|| trace.display().to_string())?;
                continue;
            }
            let input = Input::open(&trace)?;
            let mut line = progress::Progress::new("candidates of the run");
            let summary = finder::search(&input, self.search, |events| {
                line.at(events);
                self.stopped().is_none()
            })?;
            observed.warnings.extend(unfinished(summary.unfinished));
            if summary.left_out > 0 {
                observed.warnings.push("there are too many candidates; some are left out".to_owned());
            }
            all.merge(&summary.candidates);
            fs::remove_file(&trace).with_context(|| trace.display().to_string())?;
        }
        self.discard(&folder);
        Ok((all, observed))
    }

    fn steer(&mut self, file: &Path, most: u64) -> Result<Observed> {
        let profile = self.profile.clone();
        let mut options = vec![("REGIONTRACK_PROVOKE", file.as_os_str())];
        let schedules = self.schedules.clone();
        options.extend(schedules.as_ref().map(|folder| ("REGIONTRACK_SCHEDULES", folder.as_os_str())));
        options.extend(profile.as_ref().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())));
        self.round(most, &options, |number| ("REGIONTRACK_PROVOKE_TURN", number.to_string().into()))
    }

    fn shuffle(&mut self, seed: u64, steps: u64, most: u64) -> Result<Observed> {
        let profile = self.profile.clone();
        let options: Vec<_> = profile.iter().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())).collect();
        let changes = self.changes;
        let priorities = |number| format!("{}:{changes}:{steps}", seed.wrapping_add(number));
        self.round(most, &options, |number| ("REGIONTRACK_PRIORITIES", priorities(number).into()))
    }

    fn stopped(&self) -> Option<&'static str> {
        Runs::stopped(self)
    }
}

impl Runs<'_> {
    /// The results of a run, and whether a method that should be atomic has run. How a stopped run ended means nothing.
    fn observed(&self, ended: &Ended) -> Result<(Observed, bool)> {
        let (mut observed, has_run) = observed(ended)?;
        if ended.took_too_long {
            observed.warnings.insert(0, format!("a run {}", self.why_too_long()));
        }
        if self.stopped().is_none() {
            return Ok((observed, has_run));
        }
        Ok((Observed { warnings: Vec::new(), ends: Vec::new(), ..observed }, has_run))
    }
}

/// The results of a run, and whether a method that should be atomic has run.
fn observed(ended: &Ended) -> Result<(Observed, bool)> {
    let mut warnings = Vec::new();
    if !ended.took_too_long && !ended.status.success() {
        warnings.push(format!("a run ended with {}", ended.status));
    }
    let (mut confirmed, mut seen, mut random, mut steps) = (Vec::new(), Vec::new(), Vec::new(), None);
    let (mut has_run, mut has_cycle) = (false, false);
    let is_of_file = |warning: &str| warning.starts_with(NOTHING_ADDED);
    for path in &ended.reports {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let report: Value = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a report of the agent; is it of this version?", path.display()))?;
        // Nothing is known about a killed JVM.
        has_run |= report["stats"]["blocks"] != 0;
        has_cycle |= report["cycle"].as_array().is_some_and(|cycle| !cycle.is_empty());
        let told = report["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
        warnings.extend(told.filter(|warning| is_of_file(warning)).map(str::to_owned));
        let violations = || report["violations"].as_array().into_iter().flatten();
        confirmed.extend(violations().filter_map(Confirmed::of));
        seen.extend(violations().filter_map(Seen::of));
        random.extend(violations().filter_map(ByChance::of));
        steps = steps.max(report["steered"]["random"][0]["steps"].as_u64());
    }
    let merged = || merge::of(&ended.reports, crate::run::name);
    let report = if ended.reports.is_empty() { None } else { Some(merged()?) };
    let ends = if ended.took_too_long { TOO_LONG.to_owned() } else { ended.status.to_string() };
    let ends = vec![ends];
    let (is_cut, is_lost) = (ended.took_too_long, ended.is_lost);
    let (failed, cycles) = (None, has_cycle.into());
    let observed =
        Observed { runs: 1, report, confirmed, seen, random, steps, ends, warnings, failed, is_cut, is_lost, cycles };
    Ok((observed, has_run))
}

/// The default limit of a run, if the longest run that ended by itself took this long.
fn limit_after(longest: Duration) -> Duration {
    LEAST_LIMIT.max(longest.saturating_mul(TIMES_LONGEST))
}

/// The traces that the JVMs of a run left.
fn traces(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        paths.push(entry.with_context(|| folder.display().to_string())?.path());
    }
    paths.retain(|path| path.extension() == Some(OsStr::new("rtb")));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_may_take_ten_times_as_long_as_the_longest_and_at_least_a_minute() {
        let after = |seconds| limit_after(Duration::from_secs(seconds)).as_secs();
        assert_eq!([0, 3, 6, 7, 90].map(after), [60, 60, 60, 70, 900]);
    }
}
