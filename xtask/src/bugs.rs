//! `cargo xtask bugs`: known bugs of released programs: found as they happen (`online`), also in runs guided by the
//! profile of a run in which nothing goes wrong; predicted from such runs; and provoked in programs where two threads
//! just call the methods.
//!
//! For prediction, each program calls two methods in two threads, one after the other, and is recorded under the agent.
//! `check` finds nothing in the trace; `predict` must name the methods of the table, each with a confirming schedule,
//! and no others.

mod online;
mod provoked;
mod replayed;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::java::Toolchain;
use crate::predicted::{self, Answer};
use crate::tables::{self, Named};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, dist};

/// The table, and the folder of the build.
const TABLE: &str = "programs/bugs.json";
const PROJECT: &str = "programs";
/// The folder for the built programs: a folder each, with `classes` and `libraries` in it.
const BUILT: &str = "programs/build/bugs";

/// The arguments of `bugs`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to run, by the names in programs/online.json, programs/bugs.json and programs/loose.json; by default
    /// everything.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Run only bugs that are found as they happen, in full or guided runs, only predicted ones, or only provoked ones,
    /// also with replay on each JDK. Provoking and replaying take long and are not done by default.
    #[arg(long, value_enum)]
    only: Option<Kind>,
}

/// How a bug is found.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Found by the agent, in a run in which the bug happens.
    Online,
    /// Found by the agent in a run in which the bug happens, guided by the profile of a run in which it did not.
    Guided,
    /// Predicted by `regiontrack predict`, from a run in which the bug does not happen.
    Predicted,
    /// Provoked by `regiontrack provoke`, where nothing orders the threads.
    Provoked,
    /// Replayed by `regiontrack replay` on each JDK, with a schedule written by `provoke`.
    Replayed,
}

/// A version of a program.
#[derive(Deserialize)]
struct Bug {
    name: String,
    /// The name that its developers give the bug.
    bug: String,
    /// Whether this version no longer has the bug.
    #[serde(default)]
    fixed: bool,
    /// Whether every version has the bug.
    #[serde(default)]
    stays: bool,
    /// The class to run.
    main: String,
    /// The classes to watch.
    include: String,
    /// Whether the order of critical sections counts, because the data that they guard is not recorded.
    #[serde(default)]
    sections: bool,
    /// The methods that are predicted to be violated.
    predicted: BTreeSet<String>,
    /// Why they are predicted although the bug is fixed.
    #[serde(default)]
    why: String,
}

impl Named for Bug {
    const KIND: &str = "program with a bug";

    fn name(&self) -> &str {
        &self.name
    }
}

/// Runs the named bugs, or all.
pub(crate) fn run(workspace: &Workspace, Arguments { names, only }: &Arguments) -> Outcome {
    let mut happening: Vec<online::Bug> = tables::read(&workspace.root, online::TABLE)?;
    let mut foreseen: Vec<Bug> = tables::read(&workspace.root, TABLE)?;
    let mut loose = provoked::table(&workspace.root)?;
    let names_of = (happening.iter().map(Named::name), foreseen.iter().map(Named::name), loose.iter().map(Named::name));
    let known: BTreeSet<&str> = names_of.0.chain(names_of.1).chain(names_of.2).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
        let known: Vec<&str> = known.into_iter().collect();
        return Err(Failure(format!("no {} is called `{name}`; there are {}", Bug::KIND, known.join(", "))));
    }
    let is_chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    happening.retain(|bug| is_chosen(bug.name()));
    foreseen.retain(|bug| is_chosen(bug.name()));
    loose.retain(|bug| is_chosen(bug.name()));
    let toolchain = Toolchain::ensure()?;
    dist::run(workspace, &dist::Arguments::optimised())?;
    if only == &Some(Kind::Provoked) {
        let command = workspace.root.join("dist").join(dist::COMMAND);
        return all_right(&provoked::run(
            workspace,
            &toolchain,
            &command,
            &dist::jar(workspace),
            loose,
            provoked::Extent::All,
        )?);
    }
    if only == &Some(Kind::Replayed) {
        let command = workspace.root.join("dist").join(dist::COMMAND);
        return all_right(&replayed::run(workspace, &toolchain, &command, &dist::jar(workspace), loose)?);
    }
    let mut wrong = Vec::new();
    for kind in
        [Kind::Online, Kind::Guided, Kind::Predicted].into_iter().filter(|kind| only.is_none_or(|only| only == *kind))
    {
        wrong.extend(match kind {
            Kind::Predicted => foresee(workspace, &toolchain, &foreseen)?,
            _ => find(workspace, &toolchain, &dist::jar(workspace), &happening, kind == Kind::Guided)?,
        });
    }
    all_right(&wrong)
}

/// Finds the quick bugs for `cargo xtask test`, or all of them, and provokes a few with this command.
pub(crate) fn run_some(
    workspace: &Workspace,
    toolchain: &Toolchain,
    command: &Path,
    agent: &Path,
    all: bool,
) -> Outcome {
    let mut chosen: Vec<online::Bug> = tables::read(&workspace.root, online::TABLE)?;
    chosen.retain(|bug| all || bug.is_quick());
    let mut wrong = find(workspace, toolchain, agent, &chosen, false)?;
    if all {
        wrong.extend(find(workspace, toolchain, agent, &chosen, true)?);
    }
    all_right(&wrong)?;
    provoked::run_some(workspace, toolchain, command, agent)
}

fn all_right(wrong: &[String]) -> Outcome {
    if wrong.is_empty() { Ok(()) } else { Err(Failure(format!("not as expected: {}", wrong.join(", ")))) }
}

/// Builds what the bugs need and lets the agent find them, guided or not. Returns those with unexpected results.
fn find(
    workspace: &Workspace,
    toolchain: &Toolchain,
    agent: &Path,
    bugs: &[online::Bug],
    is_guided: bool,
) -> Result<Vec<String>, Failure> {
    if bugs.is_empty() {
        return Ok(Vec::new());
    }
    install(workspace, toolchain, online::PREFIX, bugs)?;
    online::run(workspace, toolchain, agent, bugs, is_guided)
}

fn install<T: Named>(workspace: &Workspace, toolchain: &Toolchain, prefix: &str, bugs: &[T]) -> Outcome {
    let tasks: Vec<String> = bugs.iter().map(|bug| format!("install-{prefix}{}", bug.name())).collect();
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    toolchain.gradle(workspace, PROJECT, &tasks, &[], &Output::Shown).map(|_| ())
}

/// Records the programs and predicts their bugs. Returns those with unexpected results.
fn foresee(workspace: &Workspace, toolchain: &Toolchain, chosen: &[Bug]) -> Result<Vec<String>, Failure> {
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    install(workspace, toolchain, "", chosen)?;
    let folder = predicted::folder(workspace, "bugs")?;
    let mut wrong = Vec::new();
    for bug in chosen {
        let version = match bug {
            Bug { fixed: true, .. } => "fixed",
            Bug { stays: true, .. } => "in every version",
            _ => "with the bug",
        };
        println!("{}: {}, {version}", bug.name, bug.bug);
        match try_one(workspace, toolchain, bug, &folder) {
            Ok(()) => println!("  {}", outcome(bug)),
            Err(Failure(why)) => {
                println!("  WRONG: {why}");
                wrong.push(bug.name.clone());
            }
        }
    }
    Ok(wrong)
}

/// Returns the message for a program that behaves as expected.
fn outcome(bug: &Bug) -> String {
    if bug.predicted.is_empty() {
        return "nothing is predicted".to_owned();
    }
    let methods: Vec<&str> = bug.predicted.iter().map(String::as_str).collect();
    let why = if bug.why.is_empty() { String::new() } else { format!(": {}", bug.why) };
    format!("predicted, with a schedule: {}{why}", methods.join(", "))
}

fn try_one(workspace: &Workspace, toolchain: &Toolchain, bug: &Bug, folder: &Path) -> Outcome {
    let trace = folder.join(format!("{}.rtb", bug.name));
    record(workspace, toolchain, bug, &trace)?;
    let regiontrack = workspace.root.join("dist").join(dist::COMMAND);
    let checked = Command::new(&regiontrack).arg("check").arg(&trace).output();
    let checked = checked.map_err(|e| Failure(format!("check: {e}")))?;
    if checked.status.code() != Some(0) {
        return Err(Failure(format!("the run itself: {}", String::from_utf8_lossy(&checked.stdout))));
    }
    let arguments: &[&str] = if bug.sections { &["--sections"] } else { &[] };
    let answer = predicted::predict(workspace, arguments, &trace)?;
    judge(bug, &answer).map_or(Ok(()), |why| Err(Failure(why)))
}

/// Runs the program under the agent, which writes the trace.
fn record(workspace: &Workspace, toolchain: &Toolchain, bug: &Bug, trace: &Path) -> Outcome {
    let built: PathBuf = workspace.root.join(BUILT).join(&bug.name);
    let class_path = std::env::join_paths([built.join("classes"), built.join("libraries").join("*")])
        .map_err(|e| Failure(format!("the class path: {e}")))?;
    let options = format!("exclude=bugs.*,include={}", bug.include);
    let program = ["-Djava.awt.headless=true", "-Dlog4j.defaultInitOverride=true", &bug.main];
    let printed = predicted::record(workspace, toolchain, &options, &class_path, &program, trace)?;
    if printed.starts_with(b"nothing went wrong") {
        return Ok(());
    }
    Err(Failure(format!("the program printed {}", String::from_utf8_lossy(&printed))))
}

/// Returns how the answer differs from the table.
fn judge(bug: &Bug, answer: &Answer) -> Option<String> {
    let confirmed: BTreeSet<String> =
        answer.predictions.iter().filter(|p| p.confirmed).filter_map(|p| p.method.clone()).collect();
    let is_right = answer.is_finished() && confirmed == bug.predicted && answer.predictions.iter().all(|p| p.confirmed);
    (!is_right).then(|| format!("{}, with a schedule {confirmed:?}, of {}", answer.verdict, answer.predictions.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicted::Prediction;

    fn all() -> Vec<Bug> {
        tables::read(&Workspace::find().expect("the workspace").root, TABLE).expect("a table")
    }

    #[test]
    fn each_bug_has_a_version_without_it_and_what_is_predicted_in_that_has_a_reason() {
        let all = all();
        for bug in &all {
            assert_eq!(bug.predicted.is_empty() || !bug.why.is_empty(), bug.fixed, "{}", bug.name);
            let is_other = |other: &Bug| other.bug == bug.bug && other.fixed != bug.fixed;
            assert_ne!(all.iter().any(is_other), bug.stays, "the counterpart of {}", bug.name);
        }
    }

    #[test]
    fn a_missing_an_additional_and_an_unconfirmed_prediction_are_wrong() {
        let bug = &all()[0];
        let method = bug.predicted.first().cloned();
        let answer = |predictions: Vec<(Option<String>, bool)>| Answer {
            verdict: "violations-predicted".to_owned(),
            predictions: predictions.into_iter().map(|(method, confirmed)| Prediction { method, confirmed }).collect(),
        };
        let right = (method.clone(), true);
        assert_eq!(judge(bug, &answer(vec![right.clone()])), None);
        for wrong in [vec![], vec![(method, false)], vec![right, (Some("a.B.c()".to_owned()), true)]] {
            assert!(judge(bug, &answer(wrong)).is_some());
        }
    }
}
