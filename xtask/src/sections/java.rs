//! The Java sections: the agent's build with its own tests, in the background, and programs under the agent.
//!
//! A first Gradle call builds the jar and the fixtures, which is all that programs under the agent need; a second one
//! runs the tests of the build.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};

use super::background::Background;
use super::{AGENT_TESTS, FULL_AGENT, Section, Verdict, missing, section, verdict};
use crate::dist;
use crate::java::{self, Jvm, Maven, Natives, Toolchain};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome, bench, bugs, plugins, programs};

/// The name of the section.
const NAME: &str = "java";

/// The running build with its tests.
pub(super) struct Java {
    running: Result<Running, Verdict>,
}

struct Running {
    /// Receives the jar and related files, if they can be built.
    built: Receiver<Built>,
    tests: Background,
}

/// The files that tests of programs need.
#[derive(Clone)]
pub(super) struct Built {
    jar: PathBuf,
    fixtures: PathBuf,
    javac: PathBuf,
    jvms: Vec<Jvm>,
}

impl Java {
    /// Starts the build with this native code on a JDK, which is installed if needed; without a JDK the section is
    /// skipped, or fails in CI. A full run uses every JVM.
    pub(super) fn start(workspace: &Workspace, natives: &Natives, full: bool) -> Java {
        let running = Toolchain::ensure().map_err(|Failure(reason)| missing(reason)).map(|toolchain| {
            let jvms = if full { java::every_jvm(workspace) } else { java::some_jvms(workspace, &toolchain.jdk) };
            for Jvm { version, java } in &jvms {
                println!("testing on JDK {version}: {}", java.display());
            }
            let (own, natives) = (workspace.clone(), natives.clone());
            let (sender, built) = mpsc::channel();
            let tests = Background::start(NAME, workspace, move |output| {
                let build = Build { workspace: &own, toolchain: &toolchain, natives: &natives, output };
                build.run(jvms, full, |built| {
                    // The receiver is gone if another section has failed before.
                    let _ = sender.send(built);
                })
            });
            Running { built, tests }
        });
        Java { running }
    }

    /// Waits for the jar; `None` if it cannot be built.
    pub(super) fn built(&self) -> Option<Built> {
        self.running.as_ref().ok().and_then(|running| running.built.recv().ok())
    }

    /// Waits for the end of the tests.
    pub(super) fn finish(self) -> Section {
        match self.running {
            Err(verdict) => section(NAME, || verdict),
            Ok(running) => running.tests.finish(),
        }
    }
}

/// The settings of the build, and the destination of its output.
struct Build<'a> {
    workspace: &'a Workspace,
    toolchain: &'a Toolchain,
    natives: &'a Natives,
    output: &'a Output,
}

impl Build<'_> {
    /// Builds the jar and the fixtures, passes them to `hand`, and runs the tests of the build on every JVM.
    fn run(&self, jvms: Vec<Jvm>, full: bool, hand: impl FnOnce(Built)) -> Outcome {
        let homes = format!("jvms={}", java::joined(jvms.iter().filter_map(Jvm::home))?);
        let properties: Vec<String> = [homes].into_iter().chain(full.then(|| "full".to_owned())).collect();
        let jar = self.gradle(&["jar", java::FIXTURES_TASK], &properties)?;
        java::junit::build(self.workspace, self.toolchain, &[java::FIXTURES_TASK], self.output)?;
        let fixtures = java::fixtures(self.workspace);
        hand(Built { jar, fixtures, javac: self.toolchain.jdk.javac(), jvms });
        self.gradle(&["build"], &properties)?;
        java::junit::build(self.workspace, self.toolchain, &["build"], self.output)
    }

    fn gradle(&self, tasks: &[&str], properties: &[String]) -> Result<PathBuf, Failure> {
        java::build_agent(
            self.workspace,
            self.toolchain,
            std::slice::from_ref(self.natives),
            tasks,
            properties,
            self.output,
        )
    }
}

impl Built {
    /// Starts programs under the agent, on every JVM.
    pub(super) fn end_to_end(&self, workspace: &Workspace, full: bool) -> Background {
        let (built, own) = (self.clone(), workspace.clone());
        Background::start("end to end", workspace, move |output| built.programs_of_tests(&own, full, output))
    }

    fn programs_of_tests(&self, workspace: &Workspace, full: bool, output: &Output) -> Outcome {
        let mut cargo = workspace.cargo(AGENT_TESTS);
        // Recorded traces are checked by the command that the other tests run.
        cargo.env("REGIONTRACK_COMMAND", command(workspace));
        let jvms = self.jvms.iter().map(|jvm| PathBuf::from(format!("{}={}", jvm.version, jvm.java.display())));
        cargo.env("REGIONTRACK_JAR", &self.jar).env("REGIONTRACK_FIXTURES", &self.fixtures);
        cargo.env("REGIONTRACK_JAVAC", &self.javac).env("REGIONTRACK_JVMS", java::joined(jvms)?);
        output.run(cargo.envs(full.then_some(FULL_AGENT).into_iter().flatten()))
    }

    /// Runs some released programs, small, on the JDK used for building: `cargo xtask programs` runs all of them.
    pub(super) fn programs(&self, workspace: &Workspace) -> Outcome {
        programs::run_some(workspace, &Toolchain::ensure()?, &self.jar, &self.jvms)
    }

    /// Finds known bugs of released programs as they happen, on the JDK used for building: some of them, or all.
    pub(super) fn bugs(&self, workspace: &Workspace, full: bool) -> Outcome {
        bugs::run_some(workspace, &Toolchain::ensure()?, &command(workspace), &self.jar, full)
    }

    /// Builds small projects that use the build-tool plugins.
    pub(super) fn plugins(&self, workspace: &Workspace) -> Verdict {
        let tools = Toolchain::ensure().and_then(|toolchain| Ok((Maven::ensure(workspace, &toolchain)?, toolchain)));
        match tools {
            Ok((maven, toolchain)) => verdict(plugins::check(workspace, &toolchain, &maven, &self.jar, &self.jvms)),
            Err(Failure(reason)) => missing(reason),
        }
    }

    /// Runs the subjects of the measurements, small, on the same JVM.
    pub(super) fn subjects(&self, workspace: &Workspace, full: bool) -> Outcome {
        let toolchain = Toolchain::ensure()?;
        let jvm = java::find_jvm(&self.jvms, &toolchain.jdk, None)?;
        bench::check(workspace, &toolchain, &self.jar, &jvm, full)
    }
}

/// Returns the command that the tests run, which `cargo test` builds.
fn command(workspace: &Workspace) -> PathBuf {
    workspace.target.join("debug").join(format!("{}{EXE_SUFFIX}", dist::COMMAND))
}
