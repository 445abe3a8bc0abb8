//! The Java half: its tools, its builds, and the JVMs on which it is tested.
//!
//! Missing tools are installed through the platform's package manager, with a message; if that is not possible, the
//! error names the command to run.

mod agent;
mod jdk;
pub(crate) mod junit;
mod jvms;
pub(crate) mod packages;
mod subjects;
pub(crate) mod suites;
pub(crate) mod tests;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

pub(crate) use agent::{
    FIXTURES_TASK, IN_JAR, LIBRARY, Natives, PARTS, build as build_agent, fixtures, natives, target_of, this_platform,
};
pub(crate) use jdk::Jdk;
pub(crate) use jvms::{Jvm, every as every_jvm, find as find_jvm, some as some_jvms};
pub(crate) use subjects::{Runtime, Subject, Subjects};

/// The tools that build the Java half.
pub(crate) struct Toolchain {
    /// Compiles, and runs the measured programs.
    pub(crate) jdk: Jdk,
    gradle: PathBuf,
}

/// If this variable is set, Gradle runs without its daemon: ending this process then ends everything that it has
/// started.
pub(crate) const ALONE: &str = "REGIONTRACK_GRADLE_ALONE";
/// How long Gradle's daemon waits for a call, in milliseconds.
const DAEMON_ENDS: &str = "-Dorg.gradle.daemon.idletimeout=120000";

impl Toolchain {
    /// Finds the tools, and installs missing ones.
    pub(crate) fn ensure() -> Result<Toolchain, Failure> {
        Ok(Toolchain { jdk: Jdk::ensure()?, gradle: gradle_program()? })
    }

    /// Returns a call of Gradle in a folder. The first call starts a daemon, which saves each later call ten seconds of
    /// processor time and ends two minutes after the last one.
    pub(crate) fn gradle_command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.gradle);
        command.current_dir(folder).env("JAVA_HOME", &self.jdk.home);
        let daemon: &[&str] = match std::env::var_os(ALONE) {
            Some(_) => &["--no-daemon"],
            None => &["--daemon", DAEMON_ENDS],
        };
        command.args(daemon).arg("--console=plain").args(arguments);
        command
    }

    /// Runs tasks of the build in `project`, a folder of the repository. `properties` are Gradle's `-P` options.
    pub(crate) fn gradle(
        &self,
        workspace: &Workspace,
        project: &str,
        tasks: &[&str],
        properties: &[String],
        output: &Output,
    ) -> Outcome {
        output.say(&format!("gradle {} in {project}", tasks.join(" ")))?;
        let mut command = self.gradle_command(&workspace.root.join(project), tasks);
        command.args(properties.iter().map(|property| format!("-P{property}")));
        output.run(&mut command)
    }
}

/// Maven: `$MAVEN`, or the one on the path, or the platform's package.
pub(crate) struct Maven {
    program: PathBuf,
    home: PathBuf,
    /// Its local repository, separate from the user's: otherwise our builds would stay there under a version that other
    /// builds use.
    pub(crate) repository: PathBuf,
}

impl Maven {
    /// Finds Maven, and installs it if it is missing.
    pub(crate) fn ensure(workspace: &Workspace, toolchain: &Toolchain) -> Result<Maven, Failure> {
        let program = program("MAVEN", "Maven", "mvn", "maven")?;
        Ok(Maven { program, home: toolchain.jdk.home.clone(), repository: workspace.target.join("maven") })
    }

    /// Returns a call of Maven in a folder.
    pub(crate) fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(folder).env("JAVA_HOME", &self.home);
        command.args(["--batch-mode", "--no-transfer-progress", "-Dstyle.color=never"]);
        command.arg(format!("-Dmaven.repo.local={}", self.repository.display())).args(arguments);
        command
    }
}

/// Returns a list of folders or programs, as the tests expect it.
pub(crate) fn joined(paths: impl IntoIterator<Item = PathBuf>) -> Result<String, Failure> {
    let list = std::env::join_paths(paths).map_err(|e| Failure(format!("the list of JVMs: {e}")))?;
    list.into_string().map_err(|list| Failure(format!("the list of JVMs is not UTF-8: {}", list.display())))
}

/// Removes options of the agent from the environment of a command: they would falsify the results.
pub(crate) fn without_options(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("REGIONTRACK_")) {
        command.env_remove(name);
    }
}

/// Returns `$GRADLE`, or the one on the path, or the platform's package. There is no wrapper, because it would download
/// a Gradle other than the one that the builds are tested with.
fn gradle_program() -> Result<PathBuf, Failure> {
    program("GRADLE", "Gradle", "gradle", "gradle")
}

/// Returns the program named by an environment variable, or the one of that name on the path, or that of the platform's
/// package.
fn program(variable: &str, what: &str, name: &str, package: &str) -> Result<PathBuf, Failure> {
    if let Some(program) = std::env::var_os(variable).filter(|program| !program.is_empty()) {
        return Ok(program.into());
    }
    if let Some(program) = packages::on_path(name) {
        return Ok(program);
    }
    packages::install(what, package)?;
    packages::on_path(name).ok_or_else(|| Failure(format!("{package} was installed but {name} is not on the path")))
}
