//! `cargo xtask mutants`: checks that the tests notice wrong code.
//!
//! A mutant is a small wrong change to the code, kept as a file in `tests/mutants/<engine-or-module>/` (format:
//! [`mod@format`]). The files of the repository are copied to `target/mutants/work`. There the tests that the mutants
//! name must first pass; then each mutant is applied, built, and its tests run with a time limit ([`crate::limited`]).
//! A mutant is *caught* if they fail. Mutants are chosen by hand: each is a mistake that somebody made or could make,
//! with the reason.

mod changed;
mod copy;
mod format;
mod run;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::workspace::Workspace;
use crate::{Failure, Outcome, files};
use changed::Changed;
use format::Mutant;
use run::{Fate, Runner};

/// From this many mutants on, a second copy saves more time than its build takes, because most of a run is a single
/// compiler thread or linker.
const WORTH_A_SECOND: usize = 40;

/// The most mutants of changed files in a run: about as many as two cores can run in 25 minutes.
const MOST_CHANGED: usize = 40;

/// The folder of mutants, relative to the root.
const FOLDER: &str = "tests/mutants";

/// The arguments of `mutants`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only mutants whose name contains this text.
    #[arg(default_value = "")]
    filter: String,
    /// Run only mutants of files changed since the commit BASE; of more than 40, a sample. Without BASE: since
    /// $CI_BASE, or where the branch diverged from origin's, or 20 commits ago.
    #[arg(long, value_name = "BASE", num_args = 0..=1, require_equals = true)]
    changed: Option<Option<String>>,
    /// With --changed: stop after this many minutes, which include running the tests unmutated. A mutant that is not
    /// finished by then counts as not run.
    #[arg(long, value_name = "N", default_value_t = 25, requires = "changed")]
    minutes: u64,
}

/// Runs the mutants whose name contains the filter, or all.
pub(crate) fn run(workspace: &Workspace, Arguments { filter, changed, minutes }: &Arguments) -> Outcome {
    let mut mutants = read_all(&workspace.root).map_err(Failure)?;
    mutants.retain(|mutant| mutant.name.contains(filter.as_str()));
    if mutants.is_empty() && !filter.is_empty() {
        return Err(Failure(format!("no mutant in {FOLDER} has `{filter}` in its name")));
    }
    let mut deadline = None;
    if let Some(base) = changed {
        deadline = Some(Instant::now() + Duration::from_secs(minutes * 60));
        let changed = Changed::since(&workspace.root, base.as_deref());
        println!("{changed}");
        mutants.retain(|mutant| changed.holds(mutant));
        let all = mutants.len();
        mutants = sample(mutants, MOST_CHANGED, &files::commit(&workspace.root).unwrap_or_default());
        println!("{} of the {all} mutants of these files; `cargo xtask mutants` runs all there are", mutants.len());
        if mutants.is_empty() {
            return Ok(());
        }
    }
    run_these(workspace, &mutants, deadline)
}

/// Runs all mutants.
pub(crate) fn run_all(workspace: &Workspace) -> Outcome {
    run_these(workspace, &read_all(&workspace.root).map_err(Failure)?, None)
}

/// Returns a sample of the mutants, evenly spread. The commit decides where it begins, so that the next commit runs
/// others.
fn sample(mutants: Vec<Mutant>, most: usize, commit: &str) -> Vec<Mutant> {
    let stride = mutants.len().div_ceil(most).max(1);
    let first = commit.bytes().map(usize::from).sum::<usize>() % stride;
    mutants.into_iter().skip(first).step_by(stride).collect()
}

fn run_these(workspace: &Workspace, mutants: &[Mutant], deadline: Option<Instant>) -> Outcome {
    if mutants.is_empty() {
        println!("no mutants in {FOLDER}");
        return Ok(());
    }
    let runner = Runner::prepare(workspace, deadline).map_err(Failure)?;
    if mutants.len() < WORTH_A_SECOND {
        return judge(&[runner], mutants);
    }
    let second = runner.second().map_err(Failure)?;
    judge(&[runner, second], mutants)
}

/// Every mutant of the repository, sorted by name.
fn read_all(root: &Path) -> Result<Vec<Mutant>, String> {
    let listed = files::list(root).map_err(|e| format!("list the files of {}: {e}", root.display()))?;
    let mutants = listed.iter().filter(|file| file.starts_with(FOLDER) && file.extension() == Some("mutant".as_ref()));
    mutants
        .map(|file| {
            let name = file.strip_prefix(FOLDER).expect("just filtered").with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(root.join(file)).map_err(|e| format!("{}: {e}", file.display()))?;
            Mutant::parse(name, &text).map_err(|e| format!("{}:{e}", file.display()))
        })
        .collect()
}

/// Runs each mutant, as many in parallel as there are runners, until the deadline; prints the table and fails if any
/// was not caught.
fn judge(runners: &[Runner], mutants: &[Mutant]) -> Outcome {
    let (next, run, uncaught) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for runner in runners {
            scope.spawn(|| {
                while !runner.is_over()
                    && let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let start = Instant::now();
                    let fate = runner.run(mutant);
                    if matches!(fate, Fate::OutOfTime) {
                        break;
                    }
                    println!("{}", row(mutant, &fate, start.elapsed()));
                    run.fetch_add(1, Ordering::Relaxed);
                    uncaught.fetch_add(usize::from(!fate.is_caught()), Ordering::Relaxed);
                }
            });
        }
    });
    let (run, uncaught) = (run.into_inner(), uncaught.into_inner());
    println!("{} of {run} mutants caught", run - uncaught);
    if run < mutants.len() {
        println!("{} were not run: the time is up", mutants.len() - run);
    }
    match uncaught {
        0 => Ok(()),
        n => Err(Failure(format!("{n} of {run} mutants not caught"))),
    }
}

fn row(mutant: &Mutant, fate: &Fate, took: Duration) -> String {
    let (word, detail) = match fate {
        Fate::Caught => ("caught", String::new()),
        Fate::TimedOut(limit) => ("caught", format!(" (the tests did not end in {} s)", limit.as_secs())),
        Fate::Survived { log } => {
            ("SURVIVED", format!(": {}; tests `{}`, log {log}", mutant.why, mutant.test.join(" ")))
        }
        Fate::DoesNotBuild { log } => ("BROKEN", format!(": it does not build; log {log}")),
        Fate::Unusable(reason) => ("BROKEN", format!(": {reason}")),
        Fate::OutOfTime => ("not run", String::new()),
    };
    format!("{word:<9} {:>6.1} s  {}{detail}", took.as_secs_f64(), mutant.name)
}
