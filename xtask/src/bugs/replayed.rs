//! Known bugs that happen again with their schedule: `regiontrack provoke` makes each happen on the JDK used for
//! building and writes schedules, and `regiontrack replay` runs the program ten times with one of them on every JDK.
//!
//! Of at most six schedules of the bug's method, the first is taken with which the bug happens in ten of ten runs on
//! every JDK, otherwise the best of them. A schedule that does not always work on the JDK used for building is tried
//! again without the parts that it does not need (`--minimize`), as a user would do. If the method belongs to the JDK,
//! its lines differ between JDKs, so each JDK gets its own schedules.

use std::path::{Path, PathBuf};
use std::process::Command;

use comfy_table::{Table, presets};
use serde_json::Value;

use super::install;
use super::provoked::{LIMIT_OF_ALL, Loose, PREFIX, Tools, json, violations, with_methods};
use crate::java::{self, Jvm, Toolchain};
use crate::tables::Named;
use crate::workspace::Workspace;
use crate::{Failure, java::find_jvm};

/// The number of runs under `provoke`, and under `replay`.
const RUNS: u32 = 20;
const REPLAYS: u64 = 10;
/// The number of schedules that are tried.
const SCHEDULES: usize = 6;

/// What runs with a schedule have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Replayed {
    /// The number of switch points of the schedule; 0 if it holds any thread.
    points: u64,
    /// The number of runs in which the method was violated, and in which all switch points were passed in order.
    happened: u64,
    whole: u64,
}

/// The result for a bug: the schedule with which it happens best, and what it has shown on each JVM, in the order of
/// the JVMs.
struct Outcome {
    schedules: usize,
    shown: Vec<Option<Replayed>>,
}

/// Provokes and replays the bugs. Returns those that differ from the table.
pub(super) fn run(
    workspace: &Workspace,
    toolchain: &Toolchain,
    command: &Path,
    agent: &Path,
    chosen: Vec<Loose>,
) -> Result<Vec<String>, Failure> {
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    install(workspace, toolchain, PREFIX, &chosen)?;
    let bugs = with_methods(workspace, chosen)?;
    let jvms = java::every_jvm(workspace);
    let builds = find_jvm(&jvms, &toolchain.jdk, None)?;
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let versions = jvms.iter().map(|jvm| format!("JDK {}", jvm.version));
    table
        .set_header(["version", "method", "schedules", "switch points"].into_iter().map(str::to_owned).chain(versions));
    let (mut wrong, mut whole) = (Vec::new(), 0);
    for bug in &bugs {
        let tools = |jvm: &Jvm| Tools { workspace, java: jvm.java.clone(), command, agent, bug };
        let outcome = try_one(&tools, &jvms, &builds, bug.method.starts_with("java."))?;
        let is_whole = outcome.is_whole();
        whole += usize::from(is_whole);
        if is_whole != bug.loose.partly.is_empty() {
            wrong.push(bug.loose.name().to_owned());
        }
        let method = format!("`{}`", super::online::shortened(&bug.method));
        let mut row = vec![bug.loose.name().to_owned(), method, outcome.schedules.to_string(), outcome.points()];
        row.extend(outcome.shown.iter().map(|shown| shown.as_ref().map_or("-".to_owned(), Replayed::told)));
        println!("{}", row.join("  "));
        table.add_row(row);
    }
    println!("{table}\n{whole} of {} happened in each run", bugs.len());
    for bug in bugs.iter().filter(|bug| !bug.loose.partly.is_empty()) {
        println!("{}: {}", bug.loose.name(), bug.loose.partly);
    }
    Ok(wrong)
}

/// Provokes and replays a bug on every JVM.
fn try_one<'a>(
    tools: &dyn Fn(&Jvm) -> Tools<'a>,
    jvms: &[Jvm],
    builds: &Jvm,
    is_of_jdk: bool,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome { schedules: 0, shown: vec![None; jvms.len()] };
    let others = |jvm: &Jvm| jvms.iter().filter(|other| !is_of_jdk && *other != jvm).cloned().collect::<Vec<_>>();
    for first in jvms.iter().filter(|jvm| is_of_jdk || *jvm == builds) {
        let others = others(first);
        let files = tools(first).schedules(first)?;
        outcome.schedules = outcome.schedules.max(files.len());
        let shown = best(tools, &files, first, &others)?;
        for (jvm, shown) in [first].into_iter().chain(&others).zip(shown) {
            let at = jvms.iter().position(|known| known == jvm);
            at.into_iter().for_each(|at| outcome.shown[at] = Some(shown.clone()));
        }
    }
    Ok(outcome)
}

/// Returns the results of the schedule with which the bug happens most often, of those that were written on this JVM:
/// there, and then on the others. A schedule with which it does not always happen there is tried on the others only if
/// none is better.
fn best<'a>(
    tools: &dyn Fn(&Jvm) -> Tools<'a>,
    files: &[PathBuf],
    first: &Jvm,
    others: &[Jvm],
) -> Result<Vec<Replayed>, Failure> {
    let elsewhere = |file: &Path| -> Result<Vec<Replayed>, Failure> {
        others.iter().map(|jvm| tools(jvm).replay(file, jvm, false)).collect()
    };
    let mut best: Option<(&Path, Vec<Replayed>)> = None;
    for file in files.iter().take(SCHEDULES) {
        for is_minimized in [false, true] {
            let mut shown = vec![tools(first).replay(file, first, is_minimized)?];
            let is_whole = shown[0].happened == REPLAYS;
            if is_whole {
                shown.extend(elsewhere(file)?);
            }
            let all = |shown: &[Replayed]| shown.iter().map(|replayed| replayed.happened).sum::<u64>();
            let is_best = best.as_ref().is_none_or(|(_, known)| all(known) < all(&shown));
            let is_enough = shown.len() > others.len() && shown.iter().all(|replayed| replayed.happened == REPLAYS);
            if is_best {
                best = Some((file, shown));
            }
            if is_enough {
                return Ok(best.into_iter().flat_map(|(_, shown)| shown).collect());
            }
            if is_whole {
                // A schedule that works everywhere need not be reduced.
                break;
            }
        }
    }
    match best {
        Some((file, shown)) if shown.len() == 1 && !others.is_empty() => {
            // The file may have been reduced since, so it is replayed as it is now.
            let mut shown = vec![tools(first).replay(file, first, false)?];
            shown.extend(elsewhere(file)?);
            Ok(shown)
        }
        best => Ok(best.map(|(_, shown)| shown).unwrap_or_default()),
    }
}

impl Tools<'_> {
    /// Provokes the bug. Returns the schedules of the bug's method, in the order of creation.
    fn schedules(&self, jvm: &Jvm) -> Result<Vec<PathBuf>, Failure> {
        let folder = self.folder(&format!("provoked-{}", jvm.version))?;
        let mut command = Command::new(self.command);
        command.args(["provoke", "--format", "json", "--no-minimize", "--no-priorities", "--runs"]);
        command.arg(RUNS.to_string()).arg("--agent").arg(self.agent).arg("--schedules").arg(folder.join("schedules"));
        let result = self.said(command, &folder)?;
        let findings = result["findings"].as_array().into_iter().flatten();
        let of_method = findings.filter(|finding| finding["method"] == *self.bug.method);
        let mut files: Vec<PathBuf> = Vec::new();
        // A schedule for a candidate in a method called by this one counts, too.
        for candidate in of_method.filter_map(|finding| finding["candidate"].as_str()) {
            let file = folder.join("schedules").join(format!("{candidate}.schedule"));
            if file.exists() && !files.contains(&file) {
                files.push(file);
            }
        }
        // If the bug happens in nearly every run, no finding says how it was provoked: its first violation came by
        // itself.
        for file in files_of(&folder.join("schedules"), &self.bug.method)? {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        Ok(files)
    }

    /// Runs it with a schedule; minimizing reduces the schedule in the file.
    fn replay(&self, schedule: &Path, jvm: &Jvm, is_minimized: bool) -> Result<Replayed, Failure> {
        let folder = self.folder(&format!("replayed-{}", jvm.version))?;
        let mut command = Command::new(self.command);
        command.args(["replay", "--format", "json", "--runs"]).arg(REPLAYS.to_string());
        command.args(is_minimized.then_some("--minimize")).arg("--agent").arg(self.agent);
        command.arg("--keep").arg(folder.join("runs"));
        let result = self.said_of(command, Some(schedule), &folder)?;
        let runs = files(&folder.join("runs"))?;
        // The earlier runs have tried what can be left out.
        let last = runs.len().saturating_sub(REPLAYS as usize)..;
        let mut happened = 0;
        for run in &runs[last] {
            let mut is_found = false;
            for report in files(run)?.iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
                is_found |= violations(report)?.iter().any(|violation| violation["method"] == *self.bug.method);
            }
            happened += u64::from(is_found);
        }
        Ok(Replayed::of(&result, happened))
    }

    fn said(&self, command: Command, folder: &Path) -> Result<Value, Failure> {
        self.said_of(command, None, folder)
    }

    /// Returns the command's output about the program. Its exit code only says whether it found something or is
    /// undecided.
    fn said_of(&self, mut command: Command, file: Option<&Path>, folder: &Path) -> Result<Value, Failure> {
        command.args(self.include().iter().flat_map(|include| ["--options", include]));
        command.args(file).arg("--").args(self.java(&[])?);
        self.status(command, folder, LIMIT_OF_ALL)?;
        let said = std::fs::read_to_string(folder.join("stderr.txt")).unwrap_or_default();
        json(&folder.join("stdout.txt")).map_err(|Failure(why)| Failure(format!("{why}: {said}")))
    }
}

/// Returns the schedules in a folder for candidates in this method, by name.
fn files_of(folder: &Path, method: &str) -> Result<Vec<PathBuf>, Failure> {
    let block = format!("  block {method}");
    let mut of_method = Vec::new();
    for file in if folder.exists() { files(folder)? } else { Vec::new() } {
        if std::fs::read_to_string(&file).unwrap_or_default().lines().any(|line| line == block) {
            of_method.push(file);
        }
    }
    of_method.sort();
    Ok(of_method)
}

impl Replayed {
    /// Reads the JSON result of `replay`.
    fn of(result: &Value, happened: u64) -> Replayed {
        let number = |key: &str| result[key].as_u64().unwrap_or(0);
        Replayed { points: number("points"), happened, whole: number("whole") }
    }

    /// Returns `10 of 10`, and the number of these in which the schedule was followed to its end.
    fn told(&self) -> String {
        format!("{} of {REPLAYS} ({})", self.happened, self.whole)
    }
}

impl Outcome {
    fn is_whole(&self) -> bool {
        self.shown.iter().all(|shown| shown.as_ref().is_some_and(|shown| shown.happened == REPLAYS))
    }

    /// Returns the number of switch points of its schedule.
    fn points(&self) -> String {
        match self.shown.iter().flatten().next() {
            Some(Replayed { points: 0, .. }) => "any thread".to_owned(),
            Some(Replayed { points, .. }) => points.to_string(),
            None => "no schedule".to_owned(),
        }
    }
}

/// Returns the files in a folder, in the order of the numbers in their names: `run-2` before `run-10`.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replayed(happened: u64, points: u64) -> Option<Replayed> {
        let result = serde_json::json!({"points": points, "whole": 1});
        Some(Replayed::of(&result, happened))
    }

    #[test]
    fn only_ten_of_ten_on_each_jdk_is_whole() {
        let of = |shown: Vec<Option<Replayed>>| Outcome { schedules: 1, shown };
        assert!(of(vec![replayed(10, 2), replayed(10, 2)]).is_whole());
        assert!(!of(vec![replayed(10, 2), replayed(9, 2)]).is_whole());
        assert!(!of(vec![replayed(10, 2), None]).is_whole());
    }

    #[test]
    fn a_schedule_without_points_is_that_of_any_thread() {
        let of = |shown: Vec<Option<Replayed>>| Outcome { schedules: 1, shown }.points();
        assert_eq!(of(vec![replayed(10, 0)]), "any thread");
        assert_eq!(of(vec![replayed(10, 3)]), "3");
        assert_eq!(of(vec![None]), "no schedule");
    }
}
