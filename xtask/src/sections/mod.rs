//! `cargo xtask test`: every kind of test, and `cargo xtask lint`: formatters and linters, in timed sections.
//!
//! All sections run even if one fails, so that one call shows every failure. The summary comes last. The agent is built
//! and its tests run in the background while cargo runs the tests of the Rust half; then programs under the agent run
//! there, concurrently with all later sections, because no section alone keeps two cores busy. The agent's native
//! library is that of the Rust tests, with debug assertions; a full run uses the released one.

mod background;
mod build;
mod java;

use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};

use crate::toolchain::{self, CLIPPY, Component, RUSTFMT};
use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome, mutants};
use java::Java;

/// The arguments of `test`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Use the released native library; run every test on every JVM, every mutant, and the exhaustive and stress tests
    /// in full size: about two hours.
    #[arg(long)]
    full: bool,
}

/// Every trace of seven events instead of five or six; a million random ones for engines and protocols; every small
/// program and 100 000 random traces under TSO; 135 000 random sets of units for predictions.
const FULL_EXHAUSTIVE: [(&str, &str); 4] = [
    ("REGIONTRACK_EXHAUSTIVE", "7"),
    ("REGIONTRACK_RANDOM", "170000"),
    ("REGIONTRACK_TSO", "100000"),
    ("REGIONTRACK_PREDICT", "15000"),
];
/// More than five million racing reads on each JVM; every row of flags on each JVM, not only on the newest.
const FULL_AGENT: [(&str, &str); 3] =
    [("REGIONTRACK_STRESS", "1600000"), ("REGIONTRACK_CALLED", "100000"), ("REGIONTRACK_FLAGS", "all")];

/// The tests of programs under the agent. For the whole workspace, so that cargo selects the same features as for the
/// other tests and builds nothing twice.
const AGENT_TESTS: &[&str] = &["test", "--workspace", "--test", "agent"];

/// How a section ended.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

/// A section that has run.
#[derive(Debug)]
struct Section {
    name: &'static str,
    verdict: Verdict,
    took: Duration,
}

/// Runs the formatters and linters of the Rust half, and prints the summary.
pub(crate) fn lint(workspace: &Workspace) -> Outcome {
    summarized(vec![
        section("formatting", || linter(workspace, &RUSTFMT, &["fmt", "--all", "--check"])),
        section("clippy", || clippy(workspace)),
        section("rustdoc", || rustdoc(workspace)),
    ])
}

/// Runs the tests and prints the summary.
pub(crate) fn run(workspace: &Workspace, &Arguments { full }: &Arguments) -> Outcome {
    let mut library = None;
    let mut sections = vec![section("build", || match build::tests(workspace, full) {
        Ok(path) => {
            library = Some(path);
            Verdict::Passed
        }
        Err(Failure(message)) => Verdict::Failed(message),
    })];
    let java = library.map(|library| Java::start(workspace, &library, full));
    sections.push(section("tests", || {
        verdict(workspace::run(&mut workspace.cargo(&["test", "--workspace", "--no-fail-fast"])))
    }));
    // Runs concurrently with the following sections, so that both cores are busy.
    let built = java.as_ref().and_then(Java::built);
    let end_to_end = built.as_ref().map(|built| built.end_to_end(workspace, full));
    sections.extend(java.map(Java::finish));
    sections.push(section("programs", || match &built {
        Some(built) => verdict(built.programs(workspace)),
        None => Verdict::Skipped("the agent is not built".to_owned()),
    }));
    sections.push(section("bugs", || match &built {
        Some(built) => verdict(built.bugs(workspace, full)),
        None => Verdict::Skipped("the agent is not built".to_owned()),
    }));
    sections.push(section("subjects", || match &built {
        Some(built) => verdict(built.subjects(workspace, full)),
        None => Verdict::Skipped("the agent is not built".to_owned()),
    }));
    sections.push(section("plugins", || match &built {
        Some(built) => built.plugins(workspace),
        None => Verdict::Skipped("the agent is not built".to_owned()),
    }));
    sections.push(match end_to_end {
        Some(running) => running.finish(),
        None => section("end to end", || Verdict::Skipped("the agent is not built".to_owned())),
    });
    if full {
        sections.push(section("exhaustive", || exhaustive(workspace)));
        sections.push(section("mutants", || verdict(mutants::run_all(workspace))));
    }
    summarized(sections)
}

fn summarized(sections: Vec<Section>) -> Outcome {
    println!("\n==== summary ====\n{}", summary(&sections).trim_fmt());
    outcome(&sections)
}

/// Runs a section under its heading.
fn section(name: &'static str, run: impl FnOnce() -> Verdict) -> Section {
    println!("\n==== {name} ====");
    let start = Instant::now();
    Section { name, verdict: run(), took: start.elapsed() }.said()
}

impl Section {
    /// Returns the section, after printing why it did not pass.
    fn said(self) -> Section {
        match &self.verdict {
            Verdict::Passed => {}
            Verdict::Failed(reason) => println!("FAILED: {reason}"),
            Verdict::Skipped(reason) => println!("SKIPPED: {reason}"),
        }
        self
    }
}

/// Lints every target. The agent's tests have `test = false`, so `--all-targets` does not include them.
fn clippy(workspace: &Workspace) -> Verdict {
    let lint = |targets: &[&str]| {
        linter(workspace, &CLIPPY, &[&["clippy", "--workspace"], targets, &["--", "-D", "warnings"]].concat())
    };
    match lint(&["--all-targets"]) {
        Verdict::Passed => lint(&["--test", "agent"]),
        verdict => verdict,
    }
}

fn rustdoc(workspace: &Workspace) -> Verdict {
    let mut cargo = workspace.cargo(&["doc", "--no-deps", "--workspace"]);
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    cargo.env("RUSTDOCFLAGS", format!("{flags} -D warnings").trim_start());
    verdict(workspace::run(&mut cargo))
}

/// Runs the exhaustive tests in full size; other tests set their own size.
fn exhaustive(workspace: &Workspace) -> Verdict {
    let tests = ["exhaustive", "random", "epochs", "operations", "tso", "predict"].map(|test| ["--test", test]);
    let mut cargo = workspace.cargo(&[&["test", "--workspace", "--no-fail-fast"], tests.as_flattened()].concat());
    verdict(workspace::run(cargo.envs(FULL_EXHAUSTIVE)))
}

/// Runs a linter. If it cannot be installed, it is skipped on a developer's machine and a failure in CI.
fn linter(workspace: &Workspace, component: &Component, arguments: &[&str]) -> Verdict {
    match toolchain::ensure(workspace, component) {
        Ok(()) => verdict(workspace::run(&mut workspace.cargo(arguments))),
        Err(reason) => missing(reason),
    }
}

/// Returns the verdict of a section whose tools are not available.
fn missing(reason: String) -> Verdict {
    if workspace::is_ci() { Verdict::Failed(reason) } else { Verdict::Skipped(reason) }
}

fn verdict(outcome: Outcome) -> Verdict {
    match outcome {
        Ok(()) => Verdict::Passed,
        Err(Failure(message)) => Verdict::Failed(message),
    }
}

fn summary(sections: &[Section]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for Section { name, verdict, took } in sections {
        let (word, reason) = match verdict {
            Verdict::Passed => ("passed", ""),
            Verdict::Failed(reason) => ("FAILED", reason.as_str()),
            Verdict::Skipped(reason) => ("SKIPPED", reason.as_str()),
        };
        let took = format!("{:.1} s", took.as_secs_f64());
        table.add_row([name, word, took.as_str(), reason]);
    }
    table.column_mut(2).expect("four columns").set_cell_alignment(CellAlignment::Right);
    table
}

fn outcome(sections: &[Section]) -> Outcome {
    let failed = sections.iter().filter(|section| matches!(section.verdict, Verdict::Failed(_)));
    let names: Vec<&str> = failed.map(|section| section.name).collect();
    if names.is_empty() { Ok(()) } else { Err(Failure(format!("failed: {}", names.join(", ")))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(name: &'static str, verdict: Verdict) -> Section {
        Section { name, verdict, took: Duration::from_millis(1500) }
    }

    #[test]
    fn one_failed_section_fails_the_run_and_skipped_ones_do_not() {
        let skipped = || ended("b", Verdict::Skipped("why".into()));
        let failed = ended("c", Verdict::Failed("why".into()));
        assert_eq!(outcome(&[ended("a", Verdict::Passed), skipped(), failed]), Err(Failure("failed: c".into())));
        assert_eq!(outcome(&[skipped()]), Ok(()));
    }

    #[test]
    fn the_summary_has_a_line_for_each_section_with_its_time() {
        let sections = [ended("clippy", Verdict::Passed), ended("java", Verdict::Skipped("no JDK".into()))];
        let lines: Vec<Vec<String>> = summary(&sections)
            .to_string()
            .lines()
            .map(|line| line.split_whitespace().map(str::to_owned).collect())
            .collect();
        assert_eq!(lines, [vec!["clippy", "passed", "1.5", "s"], vec!["java", "SKIPPED", "1.5", "s", "no", "JDK"]]);
    }
}
