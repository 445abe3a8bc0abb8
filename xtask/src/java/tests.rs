//! `cargo xtask java`: some tests of the agent's build.

use std::path::PathBuf;

use super::{FIXTURES_TASK, Toolchain, build_agent, every_jvm, joined, natives};
use crate::Outcome;
use crate::workspace::{Output, Workspace};

/// The arguments of `java`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Tests as Gradle names them, such as '*AgentTest.every_*'; without any, all of them.
    tests: Vec<String>,
    /// On every JVM that can be had; otherwise on the JDK of the build.
    #[arg(long)]
    every_jvm: bool,
    /// As long as in a full run: every mode on every JVM, ten million operations of the stress.
    #[arg(long)]
    full: bool,
    /// Those of the libraries for JUnit instead.
    #[arg(long)]
    junit: bool,
    /// Only compile what they need.
    #[arg(long)]
    no_run: bool,
}

/// Builds the agent around a library without optimisation, and runs the tests.
pub(crate) fn run(
    workspace: &Workspace,
    Arguments { tests, every_jvm: every, full, junit, no_run }: &Arguments,
) -> Outcome {
    let toolchain = Toolchain::ensure()?;
    let homes: Vec<PathBuf> = if *every {
        every_jvm(workspace).iter().filter_map(super::Jvm::home).collect()
    } else {
        vec![toolchain.jdk.home.clone()]
    };
    let mut tasks = vec!["jar", FIXTURES_TASK, "testClasses"];
    if !no_run {
        tasks.push("test");
        tasks.extend(tests.iter().flat_map(|test| ["--tests", test]));
    }
    if *junit {
        return super::junit::build(workspace, &toolchain, &tasks[1..], &Output::Shown);
    }
    let mut properties = vec![format!("jvms={}", joined(homes)?)];
    properties.extend(full.then(|| "full".to_owned()));
    build_agent(workspace, &toolchain, &[natives(workspace, true)?], &tasks, &properties, &Output::Shown).map(|_| ())
}
