//! The agent's jar, with this platform's native library inside.

use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::path::{Path, PathBuf};

use super::Toolchain;
use crate::dist;
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

/// The package of the native library.
const BRIDGE: &str = "regiontrack-bridge";
/// What the library is called, but for the platform's prefix and suffix.
const LIBRARY: &str = "regiontrack";
/// The folder of the agent's build.
const PROJECT: &str = "java-agent";
/// The jar, as that build leaves it.
const JAR: &str = "java-agent/build/libs/regiontrack.jar";
/// What that build leaves for the tests of the whole agent.
const FIXTURES: &str = "java-agent/build/fixtures";
/// The task that puts it there; compilers come from Maven Central.
pub(crate) const FIXTURES_TASK: &str = "fixtures";

/// Builds the native library and the jar around it, by these tasks of its build; returns where the jar is.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: &Toolchain,
    debug: bool,
    tasks: &[&str],
    properties: &[String],
    output: &Output,
) -> Result<PathBuf, Failure> {
    let mut cargo = workspace.cargo(&["build", "--package", BRIDGE]);
    if !debug {
        cargo.arg("--release");
    }
    output.run(&mut cargo)?;
    let profile = workspace.target.join(if debug { "debug" } else { "release" });
    // A folder that holds nothing else, so that the jar gets nothing else.
    let natives = workspace.target.join("native");
    place(&profile, &natives)?;
    let native = format!("native={}", natives.display());
    toolchain.gradle(workspace, PROJECT, tasks, &[&[native], properties].concat(), output)?;
    Ok(workspace.root.join(JAR))
}

/// Where the task [`FIXTURES_TASK`] leaves its result.
pub(crate) fn fixtures(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FIXTURES)
}

/// Puts the library where the agent looks for it: `<os>-<arch>/<library>`.
fn place(profile: &Path, natives: &Path) -> Outcome {
    let file = format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}");
    dist::place(&profile.join(&file), &natives.join(format!("{OS}-{ARCH}")), &file).map(|_| ())
}
