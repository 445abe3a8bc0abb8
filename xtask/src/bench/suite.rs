//! Suites that are structured like DaCapo and Java Grande are handled like these, without the agent and with it: their
//! benchmarks are found, run, and timed by their output.

use std::path::Path;
use std::time::Duration;

use super::configurations::{Configuration, columns};
use super::measure::{Laboratory, Run};
use crate::java::{Jvm, Toolchain, suites};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

/// The project that builds them, and the tasks.
const BUILD: (&str, [&str; 2]) = ("benchmarks-dacapo", ["suite", "grande"]);
/// The jar structured like DaCapo, and the sizes in it.
const DACAPO: (&str, [&str; 2]) = ("benchmarks-dacapo/build/suite/suite.jar", ["small", "default"]);
/// The folder structured like Java Grande, and its sizes.
const JGF: (&str, [&str; 2]) = ("benchmarks-dacapo/build/grande", ["A", "B"]);
/// The number of iterations in one JVM, if the suite supports that.
const ITERATIONS: u32 = 2;

/// Runs their benchmarks on this JVM.
pub(super) fn run(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, jvm: &Jvm) -> Outcome {
    let (project, tasks) = BUILD;
    toolchain.gradle(workspace, project, &tasks, &[], &Output::Shown)?;
    let names = ["base", "full"].map(str::to_owned);
    let columns = columns(&Configuration::chosen(&workspace.root, &names, &[])?, &[agent.to_owned()]);
    let folder = super::scratch(workspace)?;
    let at = |path: &str| workspace.root.join(path);
    let given = [
        (suites::Given::dacapo(at(DACAPO.0), ITERATIONS), DACAPO, ITERATIONS),
        (suites::Given::jgf(at(JGF.0)), JGF, 1),
    ];
    for (suite, (path, sizes), iterations) in given {
        for size in sizes {
            let subjects = suite.subjects(workspace, &toolchain.jdk, &[], size)?.unwrap_or_default();
            let laboratory = Laboratory::new(workspace, &jvm.java, size, Duration::from_secs(60), &folder);
            for subject in &subjects {
                for column in &columns {
                    let name = format!("{} of {path}, {size}, {}", subject.name, column.name);
                    match laboratory.run(subject, column, &mut None)? {
                        Run::Measured(run) if run.iterations_s.len() == iterations as usize => {
                            println!("{name}: passed")
                        }
                        run => return Err(Failure(format!("{name}: {run:?}"))),
                    }
                }
            }
        }
    }
    Ok(())
}
