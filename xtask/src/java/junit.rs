//! The JUnit libraries, `java-junit/`: two jars, and the parts of their build that the tests of the whole agent use.

use std::path::PathBuf;

use super::Toolchain;
use crate::Outcome;
use crate::workspace::{Output, Workspace};

/// The folder of the build.
const PROJECT: &str = "java-junit";
/// The task that produces the jars.
pub(crate) const JARS_TASK: &str = "jars";
/// The jars.
const JARS: [&str; 2] = ["regiontrack-annotations.jar", "regiontrack-junit.jar"];

/// Runs tasks of the build.
pub(crate) fn build(workspace: &Workspace, toolchain: &Toolchain, tasks: &[&str], output: &Output) -> Outcome {
    toolchain.gradle(workspace, PROJECT, tasks, &[], output)
}

/// Returns the names and paths of the jars that [`JARS_TASK`] builds.
pub(crate) fn jars(workspace: &Workspace) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let libs = libraries(workspace);
    JARS.into_iter().map(move |jar| (jar, libs.join(jar)))
}

/// The folder of the jars.
pub(crate) fn libraries(workspace: &Workspace) -> PathBuf {
    workspace.root.join(PROJECT).join("build/libs")
}
