//! The Java sections: the agent's build with its own tests, in the background, and programs under the agent.
//!
//! One Gradle call builds the jar and the fixtures and runs the tests of the build. Its output goes to a log, which is shown
//! if it fails.

use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{AGENT_TESTS, FULL_AGENT, Section, Verdict, missing};
use crate::dist;
use crate::java::{self, Jvm, Toolchain};
use crate::workspace::{self, Output, Workspace};
use crate::{Failure, Outcome, bench, programs};

/// The name of the section.
const NAME: &str = "java";

/// The build and its tests, while they run.
pub(super) struct Java {
    running: Result<JoinHandle<Done>, Verdict>,
    log: PathBuf,
}

/// Its result, and how long it took.
type Done = (Result<Built, Failure>, Duration);

/// What tests of programs need.
pub(super) struct Built {
    jar: PathBuf,
    fixtures: PathBuf,
    javac: PathBuf,
    jvms: Vec<Jvm>,
}

impl Java {
    /// Starts the build around this native library on a JDK, which is installed if needed; without one the section is skipped,
    /// or fails in CI. A full run takes every JVM.
    pub(super) fn start(workspace: &Workspace, library: &Path, full: bool) -> Java {
        let log = workspace.target.join("test/java.log");
        let running = Toolchain::ensure().map_err(|Failure(reason)| missing(reason)).and_then(|toolchain| {
            let jvms = if full { java::every_jvm(workspace) } else { java::some_jvms(workspace, &toolchain.jdk) };
            for Jvm { version, java } in &jvms {
                println!("testing on JDK {version}: {}", java.display());
            }
            let file = create(&log).map_err(|Failure(reason)| Verdict::Failed(reason))?;
            println!("the agent is built and tested in the background; log {}", workspace.relative(&log).display());
            let (workspace, library, output) = (workspace.clone(), library.to_owned(), Output::Log(file));
            Ok(thread::spawn(move || {
                let start = Instant::now();
                (build(&workspace, toolchain, &library, jvms, full, &output), start.elapsed())
            }))
        });
        Java { running, log }
    }

    /// Waits for its end, and prints the log if it failed.
    pub(super) fn finish(self) -> (Option<Built>, Section) {
        println!("\n==== {NAME} ====");
        let (built, verdict, took) = match self.running {
            Err(verdict) => (None, verdict, Duration::ZERO),
            Ok(running) => match running.join().expect("the build does not panic") {
                (Ok(built), took) => (Some(built), Verdict::Passed, took),
                (Err(Failure(reason)), took) => {
                    print!("{}", fs::read_to_string(&self.log).unwrap_or_default());
                    (None, Verdict::Failed(reason), took)
                }
            },
        };
        (built, Section { name: NAME, verdict, took }.said())
    }
}

fn create(log: &PathBuf) -> Result<File, Failure> {
    let folder = log.parent().expect("a log lies in a folder");
    fs::create_dir_all(folder)
        .and_then(|()| File::create(log))
        .map_err(|e| Failure(format!("the log {}: {e}", log.display())))
}

/// Builds the jar, runs the tests of its build on every JVM, and builds the fixtures.
fn build(
    workspace: &Workspace,
    toolchain: Toolchain,
    library: &Path,
    jvms: Vec<Jvm>,
    full: bool,
    output: &Output,
) -> Result<Built, Failure> {
    let homes = format!("jvms={}", joined(jvms.iter().filter_map(Jvm::home))?);
    let properties: Vec<String> = [homes].into_iter().chain(full.then(|| "full".to_owned())).collect();
    let tasks = ["build", java::FIXTURES_TASK];
    let jar = java::build_agent(workspace, &toolchain, library, &tasks, &properties, output)?;
    let fixtures = java::fixtures(workspace);
    Ok(Built { jar, fixtures, javac: toolchain.jdk.javac(), jvms })
}

impl Built {
    /// Runs programs under the agent, on every JVM.
    pub(super) fn end_to_end(&self, workspace: &Workspace, full: bool) -> Outcome {
        let mut cargo = workspace.cargo(AGENT_TESTS);
        // Recorded traces are checked by the command that the other tests run.
        cargo.env("REGIONTRACK_COMMAND", workspace.target.join("debug").join(format!("{}{EXE_SUFFIX}", dist::COMMAND)));
        let jvms = self.jvms.iter().map(|jvm| PathBuf::from(format!("{}={}", jvm.version, jvm.java.display())));
        cargo.env("REGIONTRACK_JAR", &self.jar).env("REGIONTRACK_FIXTURES", &self.fixtures);
        cargo.env("REGIONTRACK_JAVAC", &self.javac).env("REGIONTRACK_JVMS", joined(jvms)?);
        workspace::run(cargo.envs(full.then_some(FULL_AGENT).into_iter().flatten()))
    }

    /// Runs some released programs, small, on the JDK of the build: `cargo xtask programs` runs all of them.
    pub(super) fn programs(&self, workspace: &Workspace) -> Outcome {
        programs::run_some(workspace, &Toolchain::ensure()?, &self.jar, &self.jvms)
    }

    /// Runs the subjects of the measurements, small, on the same JVM.
    pub(super) fn subjects(&self, workspace: &Workspace) -> Outcome {
        let toolchain = Toolchain::ensure()?;
        let jvm = java::find_jvm(&self.jvms, &toolchain.jdk, None)?;
        bench::check(workspace, &toolchain, &self.jar, &jvm)
    }
}

fn joined(paths: impl IntoIterator<Item = PathBuf>) -> Result<String, Failure> {
    let list = std::env::join_paths(paths).map_err(|e| Failure(format!("the list of JVMs: {e}")))?;
    list.into_string().map_err(|list| Failure(format!("the list of JVMs is not UTF-8: {}", list.display())))
}
