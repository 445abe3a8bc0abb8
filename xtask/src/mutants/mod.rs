//! `cargo xtask mutants`: do the tests notice when the code is wrong?
//!
//! A mutant is a small wrong change to the code, kept as a file in `tests/mutants/<engine-or-module>/` (format:
//! [`mod@format`]). The files of the repository are copied to `target/mutants/work`; there the tests that the mutants name
//! must pass; then each mutant is put in, built, and its tests run with a time limit ([`limited`]). A mutant is *caught*
//! if they fail. Mutants are chosen by hand: each is a mistake that somebody made or could make, with the reason.

mod copy;
mod format;
mod limited;
mod run;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::workspace::Workspace;
use crate::{Failure, Outcome, files};
use format::Mutant;
use run::{Fate, Runner};

/// So many mutants take longer, one after the other, than a second copy takes to build: most of a run is one compiler
/// thread or one linker at a time.
const WORTH_A_SECOND: usize = 40;

/// In so many parts the mutants are run by `cargo xtask test`, one each time.
const PARTS: usize = 6;

/// Where mutants are kept, seen from the root.
const FOLDER: &str = "tests/mutants";

/// Runs the mutants whose name contains the filter, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let filter = match arguments {
        [] => "",
        [filter] if !filter.starts_with('-') => filter.as_str(),
        _ => return Err(Failure::Usage("mutants takes at most one word, a part of a mutant's name".to_owned())),
    };
    let mut mutants = read_all(&workspace.root).map_err(Failure::Failed)?;
    mutants.retain(|mutant| mutant.name.contains(filter));
    if mutants.is_empty() && !filter.is_empty() {
        return Err(Failure::Failed(format!("no mutant in {FOLDER} has `{filter}` in its name")));
    }
    run_these(workspace, &mutants)
}

/// Runs one of [`PARTS`] parts of the mutants, which the commit says: all take longer than a test run should. A few commits see
/// them all.
pub(crate) fn run_part(workspace: &Workspace) -> Outcome {
    let mutants = read_all(&workspace.root).map_err(Failure::Failed)?;
    let part = part_of(&files::commit(&workspace.root).unwrap_or_default());
    let all = mutants.len();
    let mutants: Vec<Mutant> = mutants.into_iter().skip(part).step_by(PARTS).collect();
    println!("part {} of {PARTS}: {} of {all} mutants; `cargo xtask mutants` runs all", part + 1, mutants.len());
    run_these(workspace, &mutants)
}

/// The part that is run on a commit; the first where there is none.
fn part_of(commit: &str) -> usize {
    commit.bytes().map(usize::from).sum::<usize>() % PARTS
}

fn run_these(workspace: &Workspace, mutants: &[Mutant]) -> Outcome {
    if mutants.is_empty() {
        println!("no mutants in {FOLDER}");
        return Ok(());
    }
    let runner = Runner::prepare(workspace, mutants).map_err(Failure::Failed)?;
    if mutants.len() < WORTH_A_SECOND {
        return judge(&[runner], mutants);
    }
    let second = runner.second().map_err(Failure::Failed)?;
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

/// Runs each mutant, as many at a time as there are runners, prints the table, fails if any was not caught.
fn judge(runners: &[Runner], mutants: &[Mutant]) -> Outcome {
    let (next, uncaught) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for runner in runners {
            scope.spawn(|| {
                while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let fate = runner.run(mutant);
                    println!("{}", row(mutant, &fate, start.elapsed()));
                    uncaught.fetch_add(usize::from(!fate.is_caught()), Ordering::Relaxed);
                }
            });
        }
    });
    let uncaught = uncaught.into_inner();
    println!("{} of {} mutants caught", mutants.len() - uncaught, mutants.len());
    match uncaught {
        0 => Ok(()),
        n => Err(Failure::Failed(format!("{n} of {} mutants not caught", mutants.len()))),
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
    };
    format!("{word:<9} {:>6.1} s  {}{detail}", took.as_secs_f64(), mutant.name)
}
