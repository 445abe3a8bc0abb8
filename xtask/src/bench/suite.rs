//! A jar in the manner of DaCapo goes the same way as one of DaCapo's, without the agent and with it: its benchmarks are
//! found, run, and timed by what the harness says.

use std::path::Path;
use std::time::Duration;

use super::configurations::{Configuration, columns};
use super::jit;
use super::measure::{Laboratory, Run};
use crate::java::{Jvm, Subjects, Toolchain, dacapo};
use crate::stopwatch::Stopwatch;
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

/// The project that builds the jar, the task, and the result.
const BUILD: (&str, &str, &str) = ("benchmarks-dacapo", "suite", "benchmarks-dacapo/build/suite/suite.jar");
/// The sizes in it.
const SIZES: [&str; 2] = ["small", "default"];
/// In one JVM.
const ITERATIONS: u32 = 2;

/// Runs its benchmarks on this JVM.
pub(super) fn run(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, jvm: &Jvm) -> Outcome {
    let (project, task, jar) = BUILD;
    toolchain.gradle(workspace, project, &[task], &[], &Output::Shown)?;
    let suite = dacapo::Given::of(workspace.root.join(jar), ITERATIONS);
    let names = ["base", "full"].map(str::to_owned);
    let columns = columns(&Configuration::chosen(&workspace.root, &names, &[])?, &[agent.to_owned()]);
    let folder = super::scratch(workspace)?;
    for size in SIZES {
        let subjects = suite.subjects(workspace, &toolchain.jdk, &[], size)?.unwrap_or_default();
        let laboratory = Laboratory {
            subjects: Subjects::of(workspace),
            java: jvm.java.clone(),
            flags: jit::FLAGS.iter().map(|flag| (*flag).to_owned()).collect(),
            size: size.to_owned(),
            limit: Duration::from_secs(60),
            folder: folder.clone(),
            stopwatch: Stopwatch::find(folder.join("time.txt")),
        };
        for subject in &subjects {
            for column in &columns {
                let name = format!("{} of {jar}, {size}, {}", subject.name, column.name);
                match laboratory.run(subject, column, &mut None)? {
                    Run::Measured(run) if run.iterations_s.len() == ITERATIONS as usize => println!("{name}: passed"),
                    run => return Err(Failure(format!("{name}: {run:?}"))),
                }
            }
        }
    }
    Ok(())
}
