//! Known bugs that `regiontrack provoke` makes happen: two threads call the methods again and again, like clients that
//! know of no bug, and nothing orders them.
//!
//! Each program runs twenty times under the plain agent, and then twenty times under `provoke`, both with the default
//! specification. The bug is confirmed if the method of the table is that of a finding for which a thread was held, or
//! of a run with random priorities; for the bugs that are not confirmed, the table says why.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use comfy_table::{Table, presets};
use serde::Deserialize;
use serde_json::Value;

use super::{all_right, install, online};
use crate::java::{Toolchain, without_options};
use crate::tables::{self, Named};
use crate::workspace::Workspace;
use crate::{Failure, Outcome, limited};

/// The table. Its programs inherit what it does not state from the table of `online`.
const TABLE: &str = "programs/loose.json";
/// The prefix of the names of tasks and folders; other tables of the build have programs with the same names.
pub(super) const PREFIX: &str = "loose-";
/// The folder for the built programs: a folder each, with `classes` and `libraries` in it.
const BUILT: &str = "programs/build/loose";
/// The package of the drivers.
const PACKAGE: &str = "loose";
/// The number of runs of each program, plainly and under `provoke`.
const RUNS: u32 = 20;
/// The number of runs under `provoke` in `cargo xtask test`.
const FEW_RUNS: u32 = 6;
/// A run that takes longer hangs; the second limit is for all runs of `provoke`.
const LIMIT: Duration = Duration::from_secs(120);
pub(super) const LIMIT_OF_ALL: Duration = Duration::from_secs(1200);

/// A program.
#[derive(Deserialize)]
pub(super) struct Loose {
    name: String,
    /// Its version, by the name in the table of `online`.
    program: String,
    /// The class to run, in the package of the drivers.
    main: String,
    /// The classes to watch; by default, all outside the platform.
    include: Option<String>,
    /// The developers' name of the bug, and the method that is not atomic, if they differ from those of `online`.
    bug: Option<String>,
    method: Option<String>,
    /// Why it is not provoked, if it is not.
    #[serde(default)]
    missed: String,
    /// Why it does not happen again in each run with its schedule, if it does not.
    #[serde(default)]
    pub(super) partly: String,
    /// Whether `cargo xtask test` runs it.
    #[serde(default)]
    ci: bool,
}

impl Named for Loose {
    const KIND: &str = "program with a bug";

    fn name(&self) -> &str {
        &self.name
    }
}

/// A program, with the data of the other table about its bug.
pub(super) struct Bug {
    pub(super) loose: Loose,
    bug: String,
    pub(super) method: String,
}

/// What runs under `provoke` have shown of a bug.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shown {
    /// The number of runs.
    runs: u64,
    /// The first run in which the method was violated, and the first in which it was while a thread was held.
    seen: Option<u64>,
    provoked: Option<u64>,
    /// The number of candidates in the method, and of all candidates.
    candidates: usize,
    of: usize,
    /// A candidate in the method is confirmed, or a finding about it was provoked.
    is_confirmed: bool,
}

/// The programs of the table, in its order.
pub(super) fn table(root: &Path) -> Result<Vec<Loose>, Failure> {
    tables::read(root, TABLE)
}

/// Provokes the quick bugs for `cargo xtask test`, with the command and the agent that were built for it.
pub(super) fn run_some(workspace: &Workspace, toolchain: &Toolchain, command: &Path, agent: &Path) -> Outcome {
    let mut chosen = table(&workspace.root)?;
    chosen.retain(|bug| bug.ci);
    all_right(&run(workspace, toolchain, command, agent, chosen, Extent::Few)?)
}

/// How many runs are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All runs, and as many plain ones before.
    All,
    /// A few runs under `provoke`.
    Few,
}

/// Provokes the bugs. Returns those that differ from the table.
pub(super) fn run(
    workspace: &Workspace,
    toolchain: &Toolchain,
    command: &Path,
    agent: &Path,
    chosen: Vec<Loose>,
    extent: Extent,
) -> Result<Vec<String>, Failure> {
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    install(workspace, toolchain, PREFIX, &chosen)?;
    let bugs = with_methods(workspace, chosen)?;
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["version", "method", "plain runs", "provoked", "first in run", "candidates", "runs", "time"]);
    let (mut wrong, mut confirmed) = (Vec::new(), 0);
    for bug in &bugs {
        let tools = Tools { workspace, java: toolchain.jdk.java(), command, agent, bug };
        let plain = match extent {
            Extent::All => format!("{} of {RUNS}", tools.found_plainly()?),
            Extent::Few => String::new(),
        };
        let start = Instant::now();
        let shown = tools.provoke(if extent == Extent::All { RUNS } else { FEW_RUNS })?;
        let took = format!("{:.0} s", start.elapsed().as_secs_f64());
        confirmed += usize::from(shown.is_confirmed);
        let is_wrong = shown.is_confirmed != bug.loose.missed.is_empty();
        if is_wrong {
            wrong.push(bug.loose.name.clone());
        }
        let first = shown.provoked.or(shown.seen).map_or(String::new(), |run| run.to_string());
        let candidates = format!("{} of {}", shown.candidates, shown.of);
        let method = format!("`{}`", super::online::shortened(&bug.method));
        let row = [&bug.loose.name, &method, &plain, shown.word(), &first, &candidates, &shown.runs.to_string(), &took];
        println!("{}", row.join("  "));
        table.add_row(row);
    }
    println!("{table}\n{confirmed} of {} provoked", bugs.len());
    for Bug { loose, bug, .. } in bugs.iter().filter(|bug| !bug.loose.missed.is_empty()) {
        println!("{}, {bug}: {}", loose.name, loose.missed);
    }
    Ok(wrong)
}

/// Adds the data of the other table about the bugs.
pub(super) fn with_methods(workspace: &Workspace, chosen: Vec<Loose>) -> Result<Vec<Bug>, Failure> {
    let known: Vec<online::Bug> = tables::read(&workspace.root, online::TABLE)?;
    let with_method = |loose: Loose| {
        let program = known.iter().find(|known| known.name() == loose.program);
        let program =
            program.ok_or_else(|| Failure(format!("{TABLE}: {} is not in {}", loose.program, online::TABLE)))?;
        let bug = loose.bug.clone().unwrap_or_else(|| program.bug.clone());
        let method = loose.method.clone().unwrap_or_else(|| program.method.clone());
        Ok(Bug { loose, bug, method })
    };
    chosen.into_iter().map(with_method).collect()
}

/// The tools for running a bug.
pub(super) struct Tools<'a> {
    pub(super) workspace: &'a Workspace,
    /// The `java` that runs it.
    pub(super) java: PathBuf,
    pub(super) command: &'a Path,
    pub(super) agent: &'a Path,
    pub(super) bug: &'a Bug,
}

impl Tools<'_> {
    /// Returns an empty folder for the files of the runs.
    pub(super) fn folder(&self, what: &str) -> Result<PathBuf, Failure> {
        let folder = self.workspace.target.join("bugs").join(PACKAGE).join(&self.bug.loose.name).join(what);
        let failed = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        fs::create_dir_all(&folder).map_err(failed)?;
        Ok(folder)
    }

    /// Returns the command line that runs the program.
    pub(super) fn java(&self, more: &[String]) -> Result<Vec<OsString>, Failure> {
        let built = self.workspace.root.join(BUILT).join(format!("{PREFIX}{}", self.bug.loose.name));
        let class_path = std::env::join_paths([built.join("classes"), built.join("libraries").join("*")])
            .map_err(|e| Failure(format!("the class path: {e}")))?;
        let mut java = vec![self.java.clone().into_os_string()];
        java.extend(["-Djava.awt.headless=true", "-Dlog4j.defaultInitOverride=true"].map(OsString::from));
        java.extend(more.iter().map(OsString::from));
        java.extend([OsString::from("-cp"), class_path, format!("{PACKAGE}.{}", self.bug.loose.main).into()]);
        Ok(java)
    }

    /// Runs the command in this folder; fails if it takes too long or cannot be run. Its output goes to files in the
    /// folder.
    pub(super) fn status(&self, mut command: Command, folder: &Path, limit: Duration) -> Result<Option<i32>, Failure> {
        let failed = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
        without_options(command.current_dir(folder));
        let open = |name: &str| File::create(folder.join(name)).map_err(failed);
        let status = limited::status(&command, limit, open("stdout.txt")?, open("stderr.txt")?).map_err(failed)?;
        let too_long = || Failure(format!("{}: it took more than {} s", folder.display(), limit.as_secs()));
        Ok(status.ok_or_else(too_long)?.code())
    }

    /// Returns the number of plain runs that find the bug.
    fn found_plainly(&self) -> Result<u32, Failure> {
        let mut found = 0;
        for run in 1..=RUNS {
            let folder = self.folder(&format!("plain-{run}"))?;
            let report = folder.join("report.json");
            let include = self.include().map_or_else(String::new, |include| format!(",{include}"));
            let options = format!("format=json,report={}{include}", report.display());
            let java = self.java(&[format!("-javaagent:{}={options}", self.agent.display())])?;
            let mut command = Command::new(&java[0]);
            command.args(&java[1..]);
            self.status(command, &folder, LIMIT)?;
            found += u32::from(violations(&report)?.iter().any(|violation| violation["method"] == *self.bug.method));
        }
        Ok(found)
    }

    pub(super) fn include(&self) -> Option<String> {
        self.bug.loose.include.as_ref().map(|classes| format!("include={classes}"))
    }

    /// Returns what `provoke` shows.
    fn provoke(&self, runs: u32) -> Result<Shown, Failure> {
        let folder = self.folder("provoked")?;
        let mut command = Command::new(self.command);
        command.args(["provoke", "--format", "json", "--runs"]).arg(runs.to_string());
        command.arg("--agent").arg(self.agent).arg("--keep").arg(&folder);
        command.arg("--no-minimize").arg("--schedules").arg(folder.join("schedules"));
        command.args(self.include().iter().flat_map(|include| ["--options", include]));
        command.arg("--").args(self.java(&[])?);
        let code = self.status(command, &folder, LIMIT_OF_ALL)?;
        if !matches!(code, Some(0 | 1)) {
            let said = fs::read_to_string(folder.join("stderr.txt")).unwrap_or_default();
            return Err(Failure(format!("{}: provoke did not succeed: {said}", self.bug.loose.name)));
        }
        let mut shown = Shown::of(&json(&folder.join("stdout.txt"))?, &self.bug.method);
        for run in 1..=shown.runs {
            let mut reports = Vec::new();
            for file in files(&folder.join(format!("run-{run}")))? {
                reports.extend(violations(&file)?);
            }
            shown.add(run, &reports, &self.bug.method);
        }
        Ok(shown)
    }
}

/// Returns the reports in a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    Ok(files)
}

pub(super) fn json(file: &Path) -> Result<Value, Failure> {
    let failed = |why: String| Failure(format!("{}: {why}", file.display()));
    let text = fs::read_to_string(file).map_err(|e| failed(e.to_string()))?;
    serde_json::from_str(&text).map_err(|e| failed(e.to_string()))
}

/// Returns the findings of a report.
pub(super) fn violations(report: &Path) -> Result<Vec<Value>, Failure> {
    Ok(json(report)?["violations"].as_array().cloned().unwrap_or_default())
}

impl Shown {
    /// Reads the JSON result of `provoke`.
    fn of(result: &Value, method: &str) -> Shown {
        let list = |key: &str| result[key].as_array().cloned().unwrap_or_default();
        let candidates = list("candidates");
        let inside = || candidates.iter().filter(|candidate| candidate["block"] == method);
        let found = [list("findings"), list("random")].concat();
        let is_found = found.iter().any(|finding| finding["method"] == method);
        Shown {
            runs: result["runs"].as_u64().unwrap_or(0),
            candidates: inside().count(),
            of: candidates.len(),
            is_confirmed: is_found || inside().any(|candidate| candidate["state"] == "confirmed"),
            ..Shown::default()
        }
    }

    /// Adds the findings of a run.
    fn add(&mut self, run: u64, violations: &[Value], method: &str) {
        for violation in violations.iter().filter(|violation| violation["method"] == method) {
            self.seen = self.seen.or(Some(run));
            if violation.get("provoked").is_some() {
                self.provoked = self.provoked.or(Some(run));
            }
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Shown { is_confirmed: true, .. } => "yes",
            Shown { seen: Some(_), .. } => "seen, not provoked",
            _ => "no",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bug_that_is_found_while_it_happens_is_to_be_provoked() {
        let root = Workspace::find().expect("the workspace").root;
        let all = table(&root).expect("a table");
        let online: Vec<online::Bug> = tables::read(&root, online::TABLE).expect("a table");
        for bug in online.iter().filter(|bug| !bug.is_fixed()) {
            assert!(all.iter().any(|loose| loose.program == bug.name()), "{}", bug.name());
        }
        for loose in &all {
            assert!(online.iter().any(|bug| bug.name() == loose.program), "{}", loose.name);
        }
        assert!(all.iter().any(|loose| loose.ci));
    }

    #[test]
    fn only_a_finding_about_the_method_for_which_a_thread_was_held_confirms() {
        let result = |state: &str, method: &str| serde_json::json!({"runs": 3, "candidates": [{"block": "a.B.c()", "state": state}], "findings": [{"method": method}]});
        let is_confirmed = |state, method| Shown::of(&result(state, method), "a.B.c()").is_confirmed;
        assert!(is_confirmed("confirmed", "a.B.d()") && is_confirmed("new", "a.B.c()"));
        assert!(!is_confirmed("impossible", "a.B.d()"));
        let by_chance = serde_json::json!({"runs": 3, "random": [{"method": "a.B.c()"}]});
        assert!(Shown::of(&by_chance, "a.B.c()").is_confirmed);
        let mut shown = Shown::of(&result("new", "a.B.d()"), "a.B.c()");
        shown.add(1, &[serde_json::json!({"method": "a.B.d()", "provoked": {}})], "a.B.c()");
        assert_eq!((shown.seen, shown.provoked, shown.word()), (None, None, "no"));
        shown.add(2, &[serde_json::json!({"method": "a.B.c()"})], "a.B.c()");
        shown.add(3, &[serde_json::json!({"method": "a.B.c()", "provoked": {}})], "a.B.c()");
        assert_eq!((shown.seen, shown.provoked), (Some(2), Some(3)));
    }
}
