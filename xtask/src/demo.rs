//! `cargo xtask demo`: a real program under the agent, and the report.
//!
//! The program is the unmodified H2 database, with four clients in one process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::java::{Runtime, Subject, Subjects, Toolchain};
use crate::workspace::{Output, Workspace, shown};
use crate::{Failure, Outcome, dist};

/// The program, and the number of seconds that it runs without the agent.
const PROGRAM: (&str, &str) = ("h2", "1");
/// The most lines of the report that are printed.
const FIRST_LINES: usize = 45;
/// The interval at which the demo says that the program is still running.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);
/// The interval at which it checks whether the program has ended.
const POLL: Duration = Duration::from_millis(20);

/// Builds what is missing, runs the program, prints the first part of the report.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let toolchain = Toolchain::ensure()?;
    let (name, size) = PROGRAM;
    let mut subjects = Subject::of_size(workspace, &[name.to_owned()], size)?;
    let agent = ready(workspace, &toolchain, &mut subjects)?;
    let report = report_file(workspace)?;
    println!("running H2, {}, under the agent", subjects[0].what);
    let options = format!("report={}", workspace.relative(&report).display());
    let runtime = Runtime { java: &toolchain.jdk.java(), flags: &[], agent: Some((&agent, options)) };
    let mut program = Subjects::of(workspace).command(&runtime, &subjects[0], size)?;
    println!("  {}", shown(&program));
    watch(&mut program)?;
    show(workspace, &report)
}

/// Builds the agent and the subject if they are missing; what exists is used as it is.
fn ready(workspace: &Workspace, toolchain: &Toolchain, chosen: &mut Vec<Subject>) -> Result<PathBuf, Failure> {
    println!("Java: {}", toolchain.jdk.home.display());
    let agent = dist::jar(workspace);
    if agent.is_file() {
        println!("using the agent in dist/regiontrack.jar (`cargo xtask build` rebuilds it)");
    } else {
        println!("dist/regiontrack.jar is missing; building it");
        dist::agent(workspace, toolchain, false)?;
    }
    let subjects = Subjects::of(workspace);
    if !chosen.iter().all(|subject| subjects.is_built(subject)) {
        println!("the program to check is missing; building its driver and fetching it from Maven Central");
        subjects.build(toolchain, chosen, &Output::Shown)?;
    }
    Ok(agent)
}

/// Returns the path of a file for the report; the file does not exist yet.
fn report_file(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.target.join("demo");
    let file = folder.join("report.txt");
    let made = fs::create_dir_all(&folder).and_then(|()| match fs::remove_file(&file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    });
    made.map_err(|e| Failure(format!("the report {}: {e}", file.display())))?;
    Ok(file)
}

/// Runs the program to its end; prints every few seconds that it is still running.
fn watch(program: &mut Command) -> Outcome {
    let failed = |what: String| Failure(format!("the program {what}"));
    let start = Instant::now();
    let mut child = program.stdin(Stdio::null()).spawn().map_err(|e| failed(format!("did not start: {e}")))?;
    let mut next = SIGN_OF_LIFE;
    loop {
        match child.try_wait().map_err(|e| failed(format!("cannot be waited for: {e}")))? {
            Some(status) if status.success() => break,
            Some(status) => return Err(failed(format!("ended with {status}"))),
            None => thread::sleep(POLL),
        }
        if start.elapsed() >= next {
            println!("  still running after {} s", next.as_secs());
            next += SIGN_OF_LIFE;
        }
    }
    println!("  ended after {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Prints the first part of the report and where the whole report is.
fn show(workspace: &Workspace, report: &Path) -> Outcome {
    let text = fs::read_to_string(report)
        .map_err(|e| Failure(format!("the agent left no report {}: {e}", report.display())))?;
    let first = first_part(&text);
    println!("\n{}", first.join("\n"));
    let all = text.lines().count();
    let file = workspace.relative(report).display();
    if first.len() < all {
        println!("\n... {} more lines; all {all} are in {file}", all - first.len());
    } else {
        println!("\nthe report is in {file}");
    }
    Ok(())
}

/// Returns the heading and as many whole findings as fit, but at least one line. A finding begins with its number.
fn first_part(report: &str) -> Vec<&str> {
    let lines: Vec<&str> = report.trim_end().lines().collect();
    let is_boundary = |line: &str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    if lines.len() <= FIRST_LINES {
        return lines;
    }
    let end = (1..=FIRST_LINES).rev().find(|&at| is_boundary(lines[at]) && !lines[at].starts_with("1. "));
    let mut part = lines[..end.unwrap_or(FIRST_LINES)].to_vec();
    while part.last().is_some_and(|line| line.trim().is_empty()) {
        part.pop();
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(findings: usize, lines: usize) -> String {
        let finding = |number| format!("\n{number}. a.B.c(): torn update\n{}", "   line\n".repeat(lines));
        std::iter::once("regiontrack: non-serializable\n".to_owned()).chain((1..=findings).map(finding)).collect()
    }

    #[test]
    fn a_short_report_is_shown_whole() {
        assert_eq!(first_part(&report(2, 3)).len(), 1 + 2 * 5);
        assert_eq!(first_part("regiontrack: serializable\n"), ["regiontrack: serializable"]);
    }

    #[test]
    fn a_long_report_ends_before_the_finding_that_does_not_fit() {
        assert_eq!(first_part(&report(9, 8)).len(), 1 + 4 * 10);
    }

    #[test]
    fn a_finding_that_is_too_long_is_cut() {
        assert_eq!(first_part(&report(2, 100)).len(), FIRST_LINES);
    }
}
