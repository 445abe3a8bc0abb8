//! The Java half: the tools it needs, how its builds are called, on which JVMs it is tested.
//!
//! Missing tools are installed through the platform's package manager, with a message; if that is not possible, the
//! error names the command to run.

mod agent;
mod jdk;
mod jvms;
mod packages;
mod subjects;
pub(crate) mod suites;
pub(crate) mod tests;

use std::path::PathBuf;
use std::process::Command;

use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

pub(crate) use agent::{FIXTURES_TASK, LIBRARY, Natives, build as build_agent, fixtures, natives};
pub(crate) use jdk::Jdk;
pub(crate) use jvms::{Jvm, every as every_jvm, find as find_jvm, some as some_jvms};
pub(crate) use subjects::{Runtime, Subject, Subjects};

/// The tools that build the Java half.
pub(crate) struct Toolchain {
    /// Compiles, and runs the measured programs.
    pub(crate) jdk: Jdk,
    gradle: PathBuf,
}

impl Toolchain {
    /// Finds the tools, and installs missing ones.
    pub(crate) fn ensure() -> Result<Toolchain, Failure> {
        Ok(Toolchain { jdk: Jdk::ensure()?, gradle: gradle_program()? })
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
        let mut command = Command::new(&self.gradle);
        command.current_dir(workspace.root.join(project)).env("JAVA_HOME", &self.jdk.home);
        command.args(["--no-daemon", "--console=plain"]).args(tasks);
        command.args(properties.iter().map(|property| format!("-P{property}")));
        output.run(&mut command)
    }
}

/// A list of folders or programs, as the tests get it.
pub(crate) fn joined(paths: impl IntoIterator<Item = PathBuf>) -> Result<String, Failure> {
    let list = std::env::join_paths(paths).map_err(|e| Failure(format!("the list of JVMs: {e}")))?;
    list.into_string().map_err(|list| Failure(format!("the list of JVMs is not UTF-8: {}", list.display())))
}

/// Takes options of the agent out of the environment of a command: they would falsify what is shown.
pub(crate) fn without_options(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("REGIONTRACK_")) {
        command.env_remove(name);
    }
}

/// `$GRADLE`, or the one on the path, or the platform's package. There is no wrapper, because it would download another
/// Gradle than the one that the builds are tested with.
fn gradle_program() -> Result<PathBuf, Failure> {
    if let Some(program) = std::env::var_os("GRADLE").filter(|program| !program.is_empty()) {
        return Ok(program.into());
    }
    if let Some(program) = packages::on_path("gradle") {
        return Ok(program);
    }
    packages::install("Gradle", "gradle")?;
    packages::on_path("gradle").ok_or_else(|| Failure("gradle was installed but is not on the path".into()))
}
