//! The agent's jar, with this platform's native library inside.

use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::path::{Path, PathBuf};

use super::Toolchain;
use crate::dist;
use crate::notices;
use crate::workspace::{self, Output, Workspace};
use crate::{Failure, Outcome};

/// The package of the native library.
const BRIDGE: &str = "regiontrack-bridge";
/// The name of the library, without the platform's prefix and suffix.
pub(crate) const LIBRARY: &str = "regiontrack";
/// The folder of the agent's build.
const PROJECT: &str = "java-agent";
/// The jar that this build produces.
const JAR: &str = "java-agent/build/libs/regiontrack.jar";
/// The fixtures that it produces for the tests of the whole agent.
const FIXTURES: &str = "java-agent/build/fixtures";
/// The task that produces them; compilers come from Maven Central.
pub(crate) const FIXTURES_TASK: &str = "fixtures";

/// Builds the native library alone; returns where it is.
pub(crate) fn library(workspace: &Workspace, debug: bool) -> Result<PathBuf, Failure> {
    let mut cargo = workspace.cargo(&["build", "--package", BRIDGE]);
    if !debug {
        cargo.arg("--release");
    }
    workspace::run(&mut cargo)?;
    let profile = workspace.target.join(if debug { "debug" } else { "release" });
    Ok(profile.join(format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}")))
}

/// Builds the jar around the native library, by these tasks of its build; returns where the jar is.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: &Toolchain,
    library: &Path,
    tasks: &[&str],
    properties: &[String],
    output: &Output,
) -> Result<PathBuf, Failure> {
    // A folder without other files, because the jar gets all of it.
    let natives = workspace.target.join("native");
    place(library, &natives)?;
    let native = format!("native={}", natives.display());
    let notices = format!("notices={}", notices::write(workspace, BRIDGE, true)?.display());
    toolchain.gradle(workspace, PROJECT, tasks, &[&[native, notices], properties].concat(), output)?;
    Ok(workspace.root.join(JAR))
}

/// The result of the task [`FIXTURES_TASK`].
pub(crate) fn fixtures(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FIXTURES)
}

/// Copies the library to where the agent looks for it: `<os>-<arch>/<library>`.
fn place(library: &Path, natives: &Path) -> Outcome {
    let file = format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}");
    dist::place(library, &natives.join(format!("{OS}-{ARCH}")), &file).map(|_| ())
}
