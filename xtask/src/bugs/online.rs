//! Known bugs that the agent finds while they happen.
//!
//! Each program runs two threads in the order that the bug needs: the first is stopped in the middle of a method, and the
//! second runs meanwhile. The report, with the default specification, must have the method among its first three findings,
//! with the variable and the kind of the table; in a version without the bug it must not have the method at all, unless the
//! table says why.

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
use crate::{Failure, limited};

/// The table.
pub(super) const TABLE: &str = "programs/online.json";
/// What the names of the tasks and of the folders begin with; other tables of the build have programs of the same name.
pub(super) const PREFIX: &str = "online-";
/// Where the build leaves the programs: a folder each, with `classes` and `libraries` in it.
const BUILT: &str = "programs/build/online";
/// The package of the drivers.
const PACKAGE: &str = "online";
/// Among how many findings the method must be.
const FIRST: usize = 3;
/// A run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);
/// What the drivers print of the order of the two threads: the words of the table, and theirs.
const ORDERS: [(&str, &str); 2] = [
    ("meanwhile", "the second thread ran while the first was at the gate"),
    ("held up", "the second thread waited for a lock of the first"),
];

/// A version of a program.
#[derive(Deserialize)]
pub(super) struct Bug {
    name: String,
    /// What its developers call the bug.
    bug: String,
    /// True if this version no longer has it.
    #[serde(default)]
    fixed: bool,
    /// True if no version is without it.
    #[serde(default)]
    stays: bool,
    /// The class to run, in the package of the drivers.
    main: String,
    /// Where a debugger stops the first thread, if the library calls nothing of ours there: `CLASS:LINE` or `CLASS.METHOD`.
    stop: Option<String>,
    /// The classes to watch; by default, all outside the platform.
    include: Option<String>,
    /// The method that is not atomic. In a fixed version without a reason it must not be in the report.
    method: String,
    /// A part of what the events of the finding say: the variable or the lock.
    #[serde(default)]
    variable: String,
    #[serde(default)]
    kind: String,
    /// Why the method is found although the bug is fixed.
    #[serde(default)]
    why: String,
    /// What the driver prints; the first line is one of [`ORDERS`].
    prints: Vec<String>,
    /// True if `cargo xtask test` runs it; with `--full` that runs all.
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
    /// True if `cargo xtask test` runs it.
    pub(super) fn is_quick(&self) -> bool {
        self.ci
    }

    fn version(&self) -> &'static str {
        match self {
            Bug { fixed: true, .. } => "fixed",
            Bug { stays: true, .. } => "in every version",
            _ => "with the bug",
        }
    }

    /// True if the method must be in the report.
    fn is_found(&self) -> bool {
        !self.fixed || !self.why.is_empty()
    }

    /// What the driver must print.
    fn output(&self) -> String {
        let lines = self.prints.iter().enumerate().map(|(number, line)| {
            let order = ORDERS.iter().find(|(word, _)| number == 0 && word == line);
            format!("{}\n", order.map_or(line.as_str(), |(_, told)| told))
        });
        lines.collect()
    }
}

/// A finding, where the report has it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    rank: usize,
    kind: String,
    /// The innermost violated method, which is the finding's.
    method: String,
    /// How many findings there are.
    of: usize,
}

/// Runs the programs, and returns the names of those that are not as the table says. `agent` is the jar.
pub(super) fn run(
    workspace: &Workspace,
    toolchain: &Toolchain,
    agent: &Path,
    bugs: &[Bug],
) -> Result<Vec<String>, Failure> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["version", "bug", "", "rank", "finding", "kind", "output"]);
    let mut wrong = Vec::new();
    for bug in bugs {
        let (rank, finding, kind) = match try_one(workspace, toolchain, agent, bug) {
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
    for bug in bugs.iter().filter(|bug| !bug.why.is_empty()) {
        println!("{}: {}", bug.name, bug.why);
    }
    Ok(wrong)
}

/// A method without its parameters and packages.
fn shortened(method: &str) -> String {
    let name = method.split('(').next().unwrap_or_default();
    name.rsplitn(3, '.').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(".")
}

fn try_one(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, bug: &Bug) -> Result<Option<Found>, Failure> {
    let folder = workspace.target.join("bugs").join(PACKAGE).join(&bug.name);
    let failed = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let (out, err, report) = (folder.join("stdout.txt"), folder.join("stderr.txt"), folder.join("report.json"));
    let mut java = command(workspace, toolchain, agent, bug, &report)?;
    java.current_dir(&folder);
    let files = (fs::File::create(&out).map_err(failed)?, fs::File::create(&err).map_err(failed)?);
    let status = limited::status(&java, LIMIT, files.0, files.1).map_err(failed)?;
    let (printed, errors) = (fs::read_to_string(&out).map_err(failed)?, fs::read_to_string(&err).map_err(failed)?);
    if !status.is_some_and(|status| status.success()) {
        return Err(Failure(format!("the program did not succeed: {errors}")));
    }
    if printed != bug.output() {
        return Err(Failure(format!("the program printed {printed:?}")));
    }
    judge(bug, &Report::read(&report).map_err(Failure)?).map_err(Failure)
}

fn command(
    workspace: &Workspace,
    toolchain: &Toolchain,
    agent: &Path,
    bug: &Bug,
    report: &Path,
) -> Result<Command, Failure> {
    let built: PathBuf = workspace.root.join(BUILT).join(format!("{PREFIX}{}", bug.name));
    let class_path = env::join_paths([built.join("classes"), built.join("libraries").join("*")]);
    let class_path = class_path.map_err(|e| Failure(format!("the class path: {e}")))?;
    let include = bug.include.as_ref().map(|classes| format!(",include={classes}")).unwrap_or_default();
    let agent =
        format!("-javaagent:{}=format=json,report={},exclude={PACKAGE}.*{include}", agent.display(), report.display());
    let options = ["-Djava.awt.headless=true", "-Dlog4j.defaultInitOverride=true", &agent];
    let main = format!("{PACKAGE}.{}", bug.main);
    let mut java = Command::new(toolchain.jdk.java());
    if let Some(stop) = &bug.stop {
        // The debugger starts the program, with these options.
        let options =
            format!("-cp \"{}\" {}", class_path.to_string_lossy(), options.map(|o| format!("\"{o}\"")).join(" "));
        java.arg("-cp").arg(class_path).args([&format!("{PACKAGE}.Debugger"), stop, &options, &main]);
    } else {
        java.args(options).arg("-cp").arg(class_path).arg(main);
    }
    without_options(&mut java);
    Ok(java)
}

/// The finding about the method, or what is wrong with the report.
fn judge(bug: &Bug, report: &Report) -> Result<Option<Found>, String> {
    let findings: Vec<_> = report.violations.iter().filter(|finding| !finding.caller).collect();
    let place = findings.iter().position(|finding| finding.concerns(&bug.method));
    let all = || report.methods().join(", ");
    if !bug.is_found() {
        let is_there = report.methods().contains(&bug.method.as_str());
        return if is_there { Err(format!("reported although it is fixed: {}", all())) } else { Ok(None) };
    }
    let Some(place) = place else {
        return Err(format!("{} is not reported, but {}", bug.method, all()));
    };
    let finding = findings[place];
    let is_about = |text: &str| text.contains(&bug.variable);
    if place >= FIRST {
        Err(format!("in place {}, after {}", place + 1, all()))
    } else if finding.kind != bug.kind {
        Err(format!("{} is the kind, not {}", finding.kind, bug.kind))
    } else if !finding.edges.iter().any(|edge| is_about(&edge.from.access) || is_about(&edge.to.access)) {
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
        let rank = |findings: &[String]| judge(bug, &report(findings)).map(|found| found.expect("a finding").rank);
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
        assert_eq!(judge(bug, &report(&[finding("a.B.c()", "lost update", "a.B.d")])), Ok(None));
        assert!(judge(bug, &report(&[finding(&bug.method, "lost update", "a.B.d")])).is_err());
    }
}
