//! The agent's jar, with native libraries and commands for this platform, or for those of a release.

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

/// The native code in the jar for a platform.
#[derive(Clone)]
pub(crate) struct Natives {
    /// `<os>-<arch>`, as in the jar's classes: `linux-x86_64`.
    pub(crate) platform: String,
    /// The library that the agent loads.
    pub(crate) library: PathBuf,
    /// The command that `java -jar` runs.
    pub(crate) command: PathBuf,
}

/// Returns the platform that this was compiled for.
pub(crate) fn this_platform() -> String {
    format!("{OS}-{ARCH}")
}

/// Returns cargo's name for a platform of the jar.
pub(crate) fn target_of(platform: &str) -> Result<String, Failure> {
    let unknown = || {
        Failure(format!(
            "{platform}: cargo's name for this platform is not known; there are linux-*, macos-* and windows-*"
        ))
    };
    let (os, arch) = platform.split_once('-').ok_or_else(unknown)?;
    let rest = match os {
        "linux" => "unknown-linux-gnu",
        "macos" => "apple-darwin",
        "windows" => "pc-windows-msvc",
        _ => return Err(unknown()),
    };
    Ok(format!("{arch}-{rest}"))
}

/// The packages that are linked into the jar.
pub(crate) const IN_JAR: [&str; 2] = [BRIDGE, dist::COMMAND];

/// The arguments of cargo that build the native library, and the command.
pub(crate) const PARTS: [&[&str]; 2] = [&["--package", BRIDGE], &["--package", dist::COMMAND, "--bin", dist::COMMAND]];

/// Builds only the native library and the command, for this platform. Returns their paths.
pub(crate) fn natives(workspace: &Workspace, debug: bool) -> Result<Natives, Failure> {
    let profile = workspace.target.join(if debug { "debug" } else { "release" });
    for part in PARTS {
        let mut cargo = workspace.cargo(&[&["build"], part].concat());
        if !debug {
            cargo.arg("--release");
        }
        workspace::run(&mut cargo)?;
    }
    Ok(Natives {
        platform: this_platform(),
        library: profile.join(format!("{DLL_PREFIX}{LIBRARY}{DLL_SUFFIX}")),
        command: profile.join(format!("{}{EXE_SUFFIX}", dist::COMMAND)),
    })
}

/// Builds the jar with native code for one or more platforms, by these tasks of its build. Returns the path of the jar.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: &Toolchain,
    natives: &[Natives],
    tasks: &[&str],
    properties: &[String],
    output: &Output,
) -> Result<PathBuf, Failure> {
    // A folder without other files, because all of it goes into the jar.
    let folder = workspace.target.join("native");
    let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(cannot)?;
    }
    natives.iter().try_for_each(|natives| place(natives, &folder))?;
    let native = format!("native={}", folder.display());
    let platforms = natives.iter().map(|one| target_of(&one.platform)).collect::<Result<Vec<_>, _>>()?;
    let notices = format!("notices={}", notices::write(workspace, &IN_JAR, &platforms, true)?.display());
    toolchain.gradle(workspace, PROJECT, tasks, &[&[native, notices], properties].concat(), output)?;
    Ok(workspace.root.join(JAR))
}

/// The result of the task [`FIXTURES_TASK`].
pub(crate) fn fixtures(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FIXTURES)
}

/// Copies native code to where the jar's classes look for it: `<os>-<arch>/<library>`, and next to it the command,
/// compressed, since only callers that run it unpack it.
fn place(Natives { platform, library, command }: &Natives, natives: &Path) -> Outcome {
    let folder = natives.join(platform);
    let start = if platform.starts_with("windows") { "" } else { "lib" };
    let end = library.extension().unwrap_or_default().to_string_lossy();
    dist::place(library, &folder, &format!("{start}{LIBRARY}.{end}"))?;
    let packed = folder.join(format!("{}.gz", dist::COMMAND));
    compress(command, &packed).map_err(|e| Failure(format!("{} to {}: {e}", command.display(), packed.display())))
}

/// Compresses a file reproducibly.
fn compress(file: &Path, packed: &Path) -> std::io::Result<()> {
    let mut encoder = GzEncoder::new(File::create(packed)?, Compression::default());
    encoder.write_all(&fs::read(file)?)?;
    encoder.finish().map(|_| ())
}
