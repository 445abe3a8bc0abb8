//! Known bugs that the agent finds as they happen.
//!
//! Each program runs two threads in the order that the bug needs: the first is stopped in the middle of a method, and
//! the second runs meanwhile. The report, with the default specification, must have the method among its first three
//! findings, with the variable and the kind of the table; for a version without the bug it must not have the method at
//! all, unless the table says why.
//!
//! The same is done with a profile: a first run, in which one thread begins after the other has ended, so that nothing
//! goes wrong, writes it, and the bug must be found in the next run, which it guides.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use comfy_table::{Table, presets};
use serde::Deserialize;

use crate::java::{Toolchain, without_options};
use crate::programs::Report;
use crate::tables::Named;
use crate::workspace::Workspace;
use crate::{Failure, Outcome, limited};

/// The table.
pub(super) const TABLE: &str = "programs/online.json";
/// The prefix of the names of tasks and folders; other tables of the build have programs with the same names.
pub(super) const PREFIX: &str = "online-";
/// The folder for the built programs: a folder each, with `classes` and `libraries` in it.
const BUILT: &str = "programs/build/online";
/// The package of the drivers.
const PACKAGE: &str = "online";
/// The method must be among this many first findings.
const FIRST: usize = 3;
/// A run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);
/// The drivers' messages about the order of the two threads: the words of the table, and those of the drivers.
const ORDERS: [(&str, &str); 2] = [
    ("meanwhile", "the second thread ran while the first was at the gate"),
    ("held up", "the second thread waited for a lock of the first"),
];

/// The first line of a driver that runs the threads one after the other, and the option that requests this.
const APART: &str = "the second thread ran after the first";
const ASKED_APART: &str = "-Donline.apart=true";

/// A version of a program.
#[derive(Deserialize)]
pub(super) struct Bug {
    name: String,
    /// The name that its developers give the bug.
    pub(super) bug: String,
    /// Whether this version no longer has the bug.
    #[serde(default)]
    fixed: bool,
    /// Whether every version has the bug.
    #[serde(default)]
    stays: bool,
    /// The class to run, in the package of the drivers.
    main: String,
    /// Where a debugger stops the first thread, if the library calls none of our code there: `CLASS:LINE` or
    /// `CLASS.METHOD`.
    stop: Option<String>,
    /// The classes to watch; by default, all outside the platform.
    include: Option<String>,
    /// The method that is not atomic. In a fixed version without a reason it must not be in the report.
    pub(super) method: String,
    /// A part of the text of the finding's events: the variable or the lock.
    #[serde(default)]
    variable: String,
    #[serde(default)]
    kind: String,
    /// The method that a guided run reports, if it differs: a caller of `method`, in which the first run has seen
    /// nothing shared.
    guided: Option<String>,
    /// Why no guided run is made.
    #[serde(default)]
    unguided: String,
    /// Why the method is found although the bug is fixed.
    #[serde(default)]
    why: String,
    /// What the driver prints; the first line is one of [`ORDERS`].
    prints: Vec<String>,
    /// Whether `cargo xtask test` runs it; with `--full` that runs all.
    #[serde(default)]
    ci: bool,
}

impl Named for Bug {
    const KIND: &str = "program with a bug";

    fn name(&self) -> &str {
        &self.name
    }
}

impl Bug {
    /// Returns whether `cargo xtask test` runs it.
    pub(super) fn is_quick(&self) -> bool {
        self.ci
    }

    /// Returns whether this version no longer has the bug.
    #[cfg(test)]
    pub(super) fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Returns the method to look for.
    fn reported(&self, is_guided: bool) -> &str {
        self.guided.as_deref().filter(|_| is_guided).unwrap_or(&self.method)
    }

    fn version(&self) -> &'static str {
        match self {
            Bug { fixed: true, .. } => "fixed",
            Bug { stays: true, .. } => "in every version",
            _ => "with the bug",
        }
    }

    /// Returns whether the method must be in the report.
    fn is_found(&self) -> bool {
        !self.fixed || !self.why.is_empty()
    }

    /// Returns the required output of the driver.
    fn output(&self) -> String {
        let lines = self.prints.iter().enumerate().map(|(number, line)| {
            let order = ORDERS.iter().find(|(word, _)| number == 0 && word == line);
            format!("{}\n", order.map_or(line.as_str(), |(_, told)| told))
        });
        lines.collect()
    }
}

/// A finding, with its position in the report.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    rank: usize,
    kind: String,
    /// The innermost violated method, which is the finding's.
    method: String,
    /// The number of findings.
    of: usize,
}

/// Runs the programs. Returns the names of those that differ from the table. `agent` is the jar; if `is_guided`, a run
/// learns first.
pub(super) fn run(
    workspace: &Workspace,
    toolchain: &Toolchain,
    agent: &Path,
    bugs: &[Bug],
    is_guided: bool,
) -> Result<Vec<String>, Failure> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["version", "bug", "", "rank", "finding", "kind", "output"]);
    let mut wrong = Vec::new();
    let is_tried = |bug: &&Bug| !is_guided || bug.unguided.is_empty();
    for bug in bugs.iter().filter(is_tried) {
        let (rank, finding, kind) = match try_one(workspace, toolchain, agent, bug, is_guided) {
            Ok(Some(found)) => (format!("{} of {}", found.rank, found.of), shortened(&found.method), found.kind),
            Ok(None) => ("-".to_owned(), "not reported".to_owned(), String::new()),
            Err(Failure(why)) => {
                wrong.push(bug.name.clone());
                ("WRONG".to_owned(), why, String::new())
            }
        };
        let output = bug.prints.join("; ");
        table.add_row([&bug.name, &bug.bug, bug.version(), &rank, &finding, &kind, &output]);
    }
    println!("{table}");
    for bug in bugs.iter().filter(|bug| !is_tried(bug)) {
        println!("{}: not tried, {}", bug.name, bug.unguided);
    }
    for bug in bugs.iter().filter(|bug| !bug.why.is_empty()) {
        println!("{}: {}", bug.name, bug.why);
    }
    Ok(wrong)
}

/// A method without its parameters and packages.
pub(super) fn shortened(method: &str) -> String {
    let name = method.split('(').next().unwrap_or_default();
    name.rsplitn(3, '.').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(".")
}

/// The folder in which a program runs, with the files that it leaves.
struct Folder(PathBuf);

impl Folder {
    fn of(workspace: &Workspace, bug: &Bug, is_guided: bool) -> Result<Folder, Failure> {
        let name = if is_guided { format!("{}-guided", bug.name) } else { bug.name.clone() };
        let folder = Folder(workspace.target.join("bugs").join(PACKAGE).join(name));
        fs::create_dir_all(&folder.0).map_err(|e| folder.failure(&e))?;
        Ok(folder)
    }

    fn failure(&self, e: &std::io::Error) -> Failure {
        Failure(format!("{}: {e}", self.0.display()))
    }

    fn report(&self) -> PathBuf {
        self.0.join("report.json")
    }

    fn profile(&self) -> PathBuf {
        self.0.join("app.profile")
    }

    /// Runs the program. Returns its output and its report.
    fn run(&self, mut java: Command) -> Result<(String, Report), Failure> {
        let failed = |e: std::io::Error| self.failure(&e);
        let (out, err) = (self.0.join("stdout.txt"), self.0.join("stderr.txt"));
        java.current_dir(&self.0);
        let files = (fs::File::create(&out).map_err(failed)?, fs::File::create(&err).map_err(failed)?);
        let status = limited::status(&java, LIMIT, files.0, files.1).map_err(failed)?;
        let (printed, errors) = (fs::read_to_string(&out).map_err(failed)?, fs::read_to_string(&err).map_err(failed)?);
        if !status.is_some_and(|status| status.success()) {
            return Err(Failure(format!("the program did not succeed: {errors}")));
        }
        Ok((printed, Report::read(&self.report()).map_err(Failure)?))
    }
}

fn try_one(
    workspace: &Workspace,
    toolchain: &Toolchain,
    agent: &Path,
    bug: &Bug,
    is_guided: bool,
) -> Result<Option<Found>, Failure> {
    let folder = Folder::of(workspace, bug, is_guided)?;
    let mut options = format!("format=json,report={},overwrite=true,exclude={PACKAGE}.*", folder.report().display());
    if let Some(classes) = &bug.include {
        options += &format!(",include={classes}");
    }
    if is_guided {
        options += &format!(",slice=0,profile={}", folder.profile().display());
        learn(workspace, toolchain, agent, bug, &folder, &options)?;
    }
    let agent = format!("-javaagent:{}={options}", agent.display());
    let (printed, report) = folder.run(command(workspace, toolchain, bug, &[&agent], bug.stop.as_deref())?)?;
    if printed != bug.output() {
        return Err(Failure(format!("the program printed {printed:?}")));
    }
    judge(bug, &report, is_guided).map_err(Failure)
}

/// Writes the profile of a run in which nothing goes wrong.
fn learn(
    workspace: &Workspace,
    toolchain: &Toolchain,
    agent: &Path,
    bug: &Bug,
    folder: &Folder,
    options: &str,
) -> Outcome {
    if folder.profile().exists() {
        fs::remove_file(folder.profile()).map_err(|e| folder.failure(&e))?;
    }
    let agent = format!("-javaagent:{}={options}", agent.display());
    let (printed, report) = folder.run(command(workspace, toolchain, bug, &[&agent, ASKED_APART], None)?)?;
    if !printed.starts_with(APART) {
        return Err(Failure(format!(
            "the program printed {printed:?}, and was to let its threads run one after the other"
        )));
    }
    let is_found = report.methods().contains(&bug.method.as_str());
    if is_found { Err(Failure(format!("{} was violated in the first run", bug.method))) } else { Ok(()) }
}

fn command(
    workspace: &Workspace,
    toolchain: &Toolchain,
    bug: &Bug,
    more: &[&str],
    stop: Option<&str>,
) -> Result<Command, Failure> {
    let built: PathBuf = workspace.root.join(BUILT).join(format!("{PREFIX}{}", bug.name));
    let class_path = env::join_paths([built.join("classes"), built.join("libraries").join("*")]);
    let class_path = class_path.map_err(|e| Failure(format!("the class path: {e}")))?;
    let options = [&["-Djava.awt.headless=true", "-Dlog4j.defaultInitOverride=true"], more].concat();
    let main = format!("{PACKAGE}.{}", bug.main);
    let mut java = Command::new(toolchain.jdk.java());
    if let Some(stop) = stop {
        // The debugger starts the program, with these options.
        let options: Vec<String> = options.iter().map(|option| format!("\"{option}\"")).collect();
        let options = format!("-cp \"{}\" {}", class_path.to_string_lossy(), options.join(" "));
        java.arg("-cp").arg(class_path).args([&format!("{PACKAGE}.Debugger"), stop, &options, &main]);
    } else {
        java.args(options).arg("-cp").arg(class_path).arg(main);
    }
    without_options(&mut java);
    Ok(java)
}

/// Returns the finding about the method, or what is wrong with the report. Kind and variable are those of the first
/// conflicting events, which can be others in a guided run.
fn judge(bug: &Bug, report: &Report, is_guided: bool) -> Result<Option<Found>, String> {
    let findings: Vec<_> = report.violations.iter().filter(|finding| !finding.caller).collect();
    let method = bug.reported(is_guided);
    let place = findings.iter().position(|finding| finding.concerns(method));
    let all = || report.methods().join(", ");
    if !bug.is_found() {
        let is_there = report.methods().contains(&bug.method.as_str());
        return if is_there { Err(format!("reported although it is fixed: {}", all())) } else { Ok(None) };
    }
    let Some(place) = place else {
        return Err(format!("{method} is not reported, but {}", all()));
    };
    let finding = findings[place];
    let is_about = |text: &str| text.contains(&bug.variable);
    if place >= FIRST {
        Err(format!("in place {}, after {}", place + 1, all()))
    } else if finding.kind != bug.kind && !is_guided {
        Err(format!("{} is the kind, not {}", finding.kind, bug.kind))
    } else if !is_guided && !finding.edges.iter().any(|edge| is_about(&edge.from.access) || is_about(&edge.to.access)) {
        Err(format!("the events do not speak of {}: {:?}", bug.variable, finding.edges))
    } else {
        let (method, kind) = (finding.method.clone(), finding.kind.clone());
        Ok(Some(Found { rank: place + 1, kind, method, of: findings.len() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables;

    fn all() -> Vec<Bug> {
        tables::read(&Workspace::find().expect("the workspace").root, TABLE).expect("a table")
    }

    fn report(findings: &[String]) -> Report {
        let text = format!(
            r#"{{"verdict":"v","violations":[{}],"waits_inside":[],"warnings":[],
            "stats":{{"blocks":1,"threads":2,"classes":{{"instrumented":1,"skipped":0,"failed":0}},"events":{{"lost":0}}}}}}"#,
            findings.join(",")
        );
        serde_json::from_str(&text).expect("a report")
    }

    fn finding(method: &str, kind: &str, variable: &str) -> String {
        let end = format!(r#"{{"location":"","access":"read of {variable}"}}"#);
        let edge = format!(r#"{{"from":{end},"to":{end}}}"#);
        format!(r#"{{"method":"{method}","kind":"{kind}","count":1,"instances":1,"edges":[{edge}]}}"#)
    }

    #[test]
    fn a_bug_that_is_fixed_has_a_version_with_it_and_one_that_stays_has_none_without() {
        let all = all();
        for bug in &all {
            let is_other = |other: &Bug| other.bug == bug.bug && other.fixed != bug.fixed;
            assert_ne!(all.iter().any(is_other), bug.stays, "the counterpart of {}", bug.name);
            assert_eq!(bug.is_found(), !bug.kind.is_empty(), "{}: a kind if it is found", bug.name);
            assert!(ORDERS.iter().any(|(word, _)| bug.prints.first().is_some_and(|line| line == word)), "{}", bug.name);
        }
    }

    #[test]
    fn a_bug_must_be_among_the_first_three_findings_with_its_variable_and_kind() {
        let all = all();
        let bug = all.iter().find(|bug| bug.is_found() && !bug.variable.is_empty()).expect("a bug");
        let right = finding(&bug.method, &bug.kind, &bug.variable);
        let other = finding("a.B.c()", "lost update", "a.B.d");
        let rank =
            |findings: &[String]| judge(bug, &report(findings), false).map(|found| found.expect("a finding").rank);
        assert_eq!(rank(&[other.clone(), other.clone(), right.clone()]), Ok(3));
        let wrong =
            [finding(&bug.method, "other", &bug.variable), finding(&bug.method, &bug.kind, "a.B.d"), other.clone()];
        for one in wrong {
            assert!(rank(&[one]).is_err());
        }
        assert!(rank(&[other.clone(), other.clone(), other, right]).is_err());
    }

    #[test]
    fn a_fixed_version_must_not_have_the_method_among_its_findings() {
        let all = all();
        let bug = all.iter().find(|bug| !bug.is_found()).expect("a fixed one");
        assert_eq!(judge(bug, &report(&[finding("a.B.c()", "lost update", "a.B.d")]), false), Ok(None));
        assert!(judge(bug, &report(&[finding(&bug.method, "lost update", "a.B.d")]), false).is_err());
    }
}
