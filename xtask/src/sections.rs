//! `cargo xtask test`: every check and test, in sections, with what each took.
//!
//! All sections run even if one fails, so that one call tells everything. The summary comes last.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::java::{self, Jdk, Jvm, Toolchain};
use crate::toolchain::{self, CLIPPY, Component, RUSTFMT};
use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome, dist, mutants, only_flag};

/// One part of the test run.
struct Section {
    /// What it is called in headings and in the summary.
    name: &'static str,
    /// False if `--quick` leaves it out.
    quick: bool,
    /// Runs it.
    run: fn(&Workspace) -> Verdict,
}

/// How a section ended.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

/// Every section, in the order in which they run: what fails fastest comes first.
const SECTIONS: &[Section] = &[
    Section { name: "formatting", quick: true, run: formatting },
    Section { name: "clippy", quick: true, run: clippy },
    Section { name: "rustdoc", quick: true, run: rustdoc },
    Section { name: "tests", quick: true, run: tests },
    Section { name: "java", quick: true, run: java },
    Section { name: "end to end", quick: true, run: end_to_end },
    Section { name: "mutants", quick: false, run: some_mutants },
];

/// Runs the sections and prints the summary.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let quick = only_flag(arguments, "--quick")?;
    let mut results = Vec::new();
    for section in SECTIONS {
        println!("\n==== {} ====", section.name);
        let start = Instant::now();
        let verdict =
            if quick && !section.quick { Verdict::Skipped("--quick".to_owned()) } else { (section.run)(workspace) };
        match &verdict {
            Verdict::Passed => {}
            Verdict::Failed(reason) => println!("FAILED: {reason}"),
            Verdict::Skipped(reason) => println!("SKIPPED: {reason}"),
        }
        results.push((section.name, verdict, start.elapsed()));
    }
    print!("{}", summary(&results));
    outcome(&results)
}

fn formatting(workspace: &Workspace) -> Verdict {
    linter(workspace, &RUSTFMT, &["fmt", "--all", "--check"])
}

fn clippy(workspace: &Workspace) -> Verdict {
    linter(workspace, &CLIPPY, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

fn rustdoc(workspace: &Workspace) -> Verdict {
    let mut cargo = workspace.cargo(&["doc", "--no-deps", "--workspace"]);
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    cargo.env("RUSTDOCFLAGS", format!("{flags} -D warnings").trim_start());
    verdict(workspace::run(&mut cargo))
}

fn tests(workspace: &Workspace) -> Verdict {
    verdict(workspace::run(&mut workspace.cargo(&["test", "--workspace"])))
}

/// The agent's own build and tests, on every JVM.
fn java(workspace: &Workspace) -> Verdict {
    with_java(|toolchain| {
        let homes: Vec<PathBuf> = jvms(workspace).iter().filter_map(Jvm::home).collect();
        let homes = joined(homes)?;
        toolchain.gradle(workspace, "java-agent", &["build"], &[format!("jvms={homes}")])
    })
}

/// Programs under the agent as users get it, on every JVM.
fn end_to_end(workspace: &Workspace) -> Verdict {
    with_java(|toolchain| {
        let jar = dist::agent(workspace, toolchain, false)?;
        let jvms =
            jvms(workspace).into_iter().map(|jvm| PathBuf::from(format!("{}={}", jvm.version, jvm.java.display())));
        let mut cargo = workspace.cargo(&["test", "-p", "regiontrack-tests", "--features", "agent", "--test", "agent"]);
        cargo.env("REGIONTRACK_JAR", jar).env("REGIONTRACK_JAVAC", toolchain.jdk.javac());
        cargo.env("REGIONTRACK_FIXTURES", java::fixtures(workspace, toolchain)?);
        workspace::run(cargo.env("REGIONTRACK_JVMS", joined(jvms)?))
    })
}

/// Runs a section that needs Java. On a person's machine one without a JDK is skipped; in CI what is missing is installed.
fn with_java(run: impl FnOnce(&Toolchain) -> Outcome) -> Verdict {
    if Jdk::find().is_none() && !workspace::is_ci() {
        return Verdict::Skipped("no JDK 17 or newer; `cargo xtask demo` installs one where it can".to_owned());
    }
    match Toolchain::ensure() {
        Ok(toolchain) => verdict(run(&toolchain)),
        Err(Failure::Failed(reason)) if !workspace::is_ci() => Verdict::Skipped(reason),
        Err(failure) => verdict(Err(failure)),
    }
}

/// The JVMs to test on, named.
fn jvms(workspace: &Workspace) -> Vec<Jvm> {
    let jvms = java::jvms(workspace);
    for Jvm { version, java } in &jvms {
        println!("testing on JDK {version}: {}", java.display());
    }
    jvms
}

fn joined(paths: impl IntoIterator<Item = PathBuf>) -> Result<String, Failure> {
    let list = std::env::join_paths(paths).map_err(|e| Failure::Failed(format!("the list of JVMs: {e}")))?;
    list.into_string().map_err(|list| Failure::Failed(format!("the list of JVMs is not UTF-8: {}", list.display())))
}

fn some_mutants(workspace: &Workspace) -> Verdict {
    verdict(mutants::run_part(workspace))
}

/// Runs a linter. One that cannot be had is skipped on a person's machine and a failure in CI.
fn linter(workspace: &Workspace, component: &Component, arguments: &[&str]) -> Verdict {
    match toolchain::ensure(workspace, component) {
        Ok(()) => verdict(workspace::run(&mut workspace.cargo(arguments))),
        Err(reason) if workspace::is_ci() => Verdict::Failed(reason),
        Err(reason) => Verdict::Skipped(reason),
    }
}

fn verdict(outcome: Outcome) -> Verdict {
    match outcome {
        Ok(()) => Verdict::Passed,
        Err(Failure::Failed(message) | Failure::Usage(message)) => Verdict::Failed(message),
    }
}

fn summary(results: &[(&str, Verdict, Duration)]) -> String {
    let mut text = String::from("\n==== summary ====\n");
    for (name, verdict, took) in results {
        let (word, reason) = match verdict {
            Verdict::Passed => ("passed", ""),
            Verdict::Failed(reason) => ("FAILED", reason.as_str()),
            Verdict::Skipped(reason) => ("SKIPPED", reason.as_str()),
        };
        let line = format!("{name:<12} {word:<8} {:>7.1} s  {reason}", took.as_secs_f64());
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn outcome(results: &[(&str, Verdict, Duration)]) -> Outcome {
    let failed: Vec<&str> = results
        .iter()
        .filter(|(_, verdict, _)| matches!(verdict, Verdict::Failed(_)))
        .map(|(name, ..)| *name)
        .collect();
    match failed.as_slice() {
        [] => Ok(()),
        names => Err(Failure::Failed(format!("failed: {}", names.join(", ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn one_failed_section_fails_the_run_and_skipped_ones_do_not() {
        let passed = ("a", Verdict::Passed, SECOND);
        let skipped = ("b", Verdict::Skipped("why".into()), SECOND);
        let failed = ("c", Verdict::Failed("why".into()), SECOND);
        assert_eq!(outcome(&[passed, skipped, failed]), Err(Failure::Failed("failed: c".into())));
        assert_eq!(outcome(&[("b", Verdict::Skipped("why".into()), SECOND)]), Ok(()));
    }

    #[test]
    fn the_summary_has_a_line_for_each_section_with_its_time() {
        let text = summary(&[("a", Verdict::Passed, SECOND), ("b", Verdict::Skipped("--quick".into()), SECOND / 10)]);
        assert_eq!(
            text.lines().skip(2).collect::<Vec<_>>(),
            ["a            passed       1.0 s", "b            SKIPPED      0.1 s  --quick",]
        );
    }
}
