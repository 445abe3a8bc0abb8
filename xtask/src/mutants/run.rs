//! Builds and tests mutants: each runner has its own copy and runs one mutant after the other.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::copy;
use super::format::Mutant;
use crate::workspace::Workspace;
use crate::{Failure, java, limited};

/// The time limit of the unmutated tests.
const BASELINE_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The time limit of a build.
const BUILD_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Random tests of predictions are small by default; catching a mutant needs enough sets of units.
const SIZES: [(&str, &str); 1] = [("REGIONTRACK_PREDICT", "2000")];

/// The first word of `test` for tests of the agent's build.
const JAVA: &str = "java";
/// The call that runs them.
const XTASK: [&str; 6] = ["run", "--quiet", "--package", "xtask", "--", JAVA];

/// How a mutant ended.
#[derive(Debug)]
pub(super) enum Fate {
    /// The tests failed.
    Caught,
    /// The tests did not end; counts as caught, because a developer would notice.
    TimedOut(Duration),
    /// The tests passed.
    Survived { log: String },
    /// It does not compile, so it shows nothing about the tests.
    DoesNotBuild { log: String },
    /// It cannot be applied, or cargo cannot be started.
    Unusable(String),
    /// The time for all mutants was over before its tests ended.
    OutOfTime,
}

impl Fate {
    /// Returns whether the tests failed.
    pub(super) fn is_caught(&self) -> bool {
        matches!(self, Fate::Caught | Fate::TimedOut(_))
    }
}

/// A copy, with the time limits of its tests.
pub(super) struct Runner<'a> {
    workspace: &'a Workspace,
    /// `target/mutants`, or `second` in it: the copy is in `work`, its build results in `target`, its output in `logs`.
    folder: PathBuf,
    /// The time limit of each set of tests, by its arguments: computed when a mutant first needs it, and shared by all
    /// runners.
    limits: Arc<Mutex<HashMap<Vec<String>, Limit>>>,
    /// When the time for all mutants is over: what is still being built or tested then is stopped.
    deadline: Option<Instant>,
}

/// The error case: the tests fail without a mutant.
type Limit = Arc<OnceLock<Result<Duration, String>>>;

impl<'a> Runner<'a> {
    /// Makes the copy.
    pub(super) fn prepare(workspace: &'a Workspace, deadline: Option<Instant>) -> Result<Self, String> {
        let folder = workspace.target.join("mutants");
        Runner { workspace, folder, limits: Arc::default(), deadline }.synchronised()
    }

    /// A second runner with a separate copy, to run in parallel.
    pub(super) fn second(&self) -> Result<Self, String> {
        let (workspace, folder) = (self.workspace, self.folder.join("second"));
        Runner { workspace, folder, limits: Arc::clone(&self.limits), deadline: self.deadline }.synchronised()
    }

    fn synchronised(self) -> Result<Self, String> {
        copy::synchronise(&self.workspace.root, &self.work())
            .map_err(|e| format!("copy the repository to {}: {e}", self.work().display()))?;
        let lock = self.workspace.lock().map_err(|Failure(why)| why)?;
        if let Err(e) = copy::libraries(&self.workspace.target, &self.target(), &lock) {
            println!("{}: what is compiled of libraries could not be copied: {e}", self.target().display());
        }
        Ok(self)
    }

    /// Whether the time for all mutants is over.
    pub(super) fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    fn left(&self) -> Duration {
        self.deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Runs the tests of the mutant without it, unless a runner has done so: they must pass. Then applies it, builds,
    /// tests, and reverts it.
    pub(super) fn run(&self, mutant: &Mutant) -> Fate {
        match self.judge(mutant) {
            // These say nothing if cargo was stopped.
            Fate::TimedOut(_) | Fate::DoesNotBuild { .. } | Fate::Unusable(_) if self.is_over() => Fate::OutOfTime,
            fate => fate,
        }
    }

    fn judge(&self, mutant: &Mutant) -> Fate {
        let limit = match self.limit(&mutant.test) {
            Ok(limit) => limit,
            Err(why) => return Fate::Unusable(why),
        };
        let file = self.work().join(&mutant.file);
        let original = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(e) => return Fate::Unusable(format!("mutant is stale: {}: {e}", mutant.file)),
        };
        let fate = mutant.apply(&original).and_then(|text| {
            fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
            self.test(mutant, limit)
        });
        match fs::write(&file, original) {
            Ok(()) => fate.unwrap_or_else(Fate::Unusable),
            Err(e) => Fate::Unusable(format!("{} stays mutated: {e}", file.display())),
        }
    }

    /// Builds and tests the current state of the copy.
    fn test(&self, mutant: &Mutant, limit: Duration) -> Result<Fate, String> {
        let log = self.log(&mutant.name);
        let shown = log.strip_prefix(&self.workspace.root).unwrap_or(&log).display().to_string();
        if !is_success(self.cargo(&["--no-run"], &mutant.test, BUILD_LIMIT, &log)?) {
            return Ok(Fate::DoesNotBuild { log: shown });
        }
        Ok(match self.cargo(&[], &mutant.test, limit, &log)? {
            None => Fate::TimedOut(limit),
            Some(status) if status.success() => Fate::Survived { log: shown },
            Some(_) => Fate::Caught,
        })
    }

    /// Returns the time limit of the tests.
    fn limit(&self, test: &[String]) -> Result<Duration, String> {
        let mut limits = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = Arc::clone(limits.entry(test.to_vec()).or_default());
        // Meanwhile another runner can look up another limit.
        drop(limits);
        cell.get_or_init(|| self.baseline(test).map(limit)).clone()
    }

    /// Returns how long the tests take unmutated.
    fn baseline(&self, test: &[String]) -> Result<Duration, String> {
        let words = words(test);
        println!("unmutated: {words}");
        let log = self.log("unmutated");
        let fails = |what: &str| format!("unmutated, `{words}` {what}; log {}", log.display());
        if !is_success(self.cargo(&["--no-run"], test, BUILD_LIMIT, &log)?) {
            return Err(fails("does not build"));
        }
        let start = Instant::now();
        match self.cargo(&[], test, BASELINE_LIMIT, &log)? {
            Some(status) if status.success() => Ok(start.elapsed()),
            Some(_) => Err(fails("fails")),
            None => Err(fails("does not end")),
        }
    }

    /// `cargo test` with these arguments in the copy, or, if the first is `java`, `cargo xtask java` with the rest.
    fn cargo(
        &self,
        first: &[&str],
        test: &[String],
        limit: Duration,
        log: &Path,
    ) -> Result<Option<ExitStatus>, String> {
        let is_java = test.first().is_some_and(|word| word == JAVA);
        let mut command: Command = self.workspace.cargo(if is_java { &XTASK } else { &["test"] });
        command
            .args(first)
            .args(&test[usize::from(is_java)..])
            .current_dir(self.work())
            .env("CARGO_TARGET_DIR", self.target())
            // Each mutant differs from the previous one in a few lines.
            .env("CARGO_INCREMENTAL", "1");
        command.envs(SIZES).env(java::ALONE, "1");
        let open = || {
            fs::create_dir_all(log.parent().expect("a log lies in a folder"))?;
            File::create(log)
        };
        let limit = limit.min(self.left());
        let status = open().and_then(|log| limited::status(&command, limit, log.try_clone()?, log));
        status.map_err(|e| format!("{}: {e}", words(test)))
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    fn log(&self, name: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{}.log", name.replace('/', "-")))
    }
}

/// Returns the command that runs these tests, as typed on a command line.
fn words(test: &[String]) -> String {
    let is_java = test.first().is_some_and(|word| word == JAVA);
    format!("cargo {} {}", if is_java { "xtask" } else { "test" }, test.join(" "))
}

/// Returns the limit for tests of a mutant that take `baseline` unmutated: wrong code can be slower without being
/// endless.
fn limit(baseline: Duration) -> Duration {
    baseline * 5 + Duration::from_secs(20)
}

fn is_success(status: Option<ExitStatus>) -> bool {
    status.is_some_and(|status| status.success())
}
