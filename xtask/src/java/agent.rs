//! The agent's jar, with this platform's native library and the command inside.

use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX, OS};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

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

/// What the jar has of native code, for this platform.
#[derive(Clone)]
pub(crate) struct Natives {
    /// What the agent loads.
    pub(crate) library: PathBuf,
    /// What `java -jar` runs.
    pub(crate) command: PathBuf,
}

/// Builds the native library and the command alone; returns where they are.
pub(crate) fn natives(workspace: &Workspace, debug: bool) -> Result<Natives, Failure> {
    let profile = workspace.target.join(if debug { "debug" } else { "release" });
    for package in [&["--package", BRIDGE][..], &["--package", dist::COMMAND, "--bin", dist::COMMAND]] {
        let mut cargo = workspace.cargo(&[&["build"], package].concat());
        if !debug {
            cargo.arg("--release");
        }
        workspace::run(&mut cargo)?;
    }
    Ok(Natives {
        library: profile.join(format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}")),
        command: profile.join(format!("{}{EXE_SUFFIX}", dist::COMMAND)),
    })
}

/// Builds the jar around them, by these tasks of its build; returns where the jar is.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: &Toolchain,
    natives: &Natives,
    tasks: &[&str],
    properties: &[String],
    output: &Output,
) -> Result<PathBuf, Failure> {
    // A folder without other files, because the jar gets all of it.
    let folder = workspace.target.join("native");
    place(natives, &folder)?;
    let native = format!("native={}", folder.display());
    let notices = format!("notices={}", notices::write(workspace, &[BRIDGE, dist::COMMAND], true)?.display());
    toolchain.gradle(workspace, PROJECT, tasks, &[&[native, notices], properties].concat(), output)?;
    Ok(workspace.root.join(JAR))
}

/// The result of the task [`FIXTURES_TASK`].
pub(crate) fn fixtures(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FIXTURES)
}

/// Puts them where the jar's classes look for them: `<os>-<arch>/<library>`, and beside it the command, compressed, since it is
/// unpacked by those who call it alone.
fn place(Natives { library, command }: &Natives, natives: &Path) -> Outcome {
    let folder = natives.join(format!("{OS}-{ARCH}"));
    dist::place(library, &folder, &format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}"))?;
    let packed = folder.join(format!("{}.gz", dist::COMMAND));
    compress(command, &packed).map_err(|e| Failure(format!("{} to {}: {e}", command.display(), packed.display())))
}

/// The same bytes for the same file.
fn compress(file: &Path, packed: &Path) -> std::io::Result<()> {
    let mut encoder = GzEncoder::new(File::create(packed)?, Compression::default());
    encoder.write_all(&fs::read(file)?)?;
    encoder.finish().map(|_| ())
}
