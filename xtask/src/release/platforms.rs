//! The native parts of a release: the library and the command, for each platform.
//!
//! On Linux, zig links them against an old C library, for both kinds of processors, so that they run on all systems
//! that are not older. Elsewhere they are built only for the platform itself. They contain no path of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, clean, file_name, time};
use crate::java::{self, LIBRARY, Natives, packages};
use crate::workspace::{self, Workspace};
use crate::{Failure, dist, linked, toolchain};

/// The platforms that are built on Linux.
const ON_LINUX: [&str; 2] = ["linux-aarch64", "linux-x86_64"];
/// The oldest C library (glibc) on which it runs: that of the oldest Linux that Rust supports.
const C_LIBRARY: &str = "2.17";
/// The linker, by its version on PyPI: another version produces different bytes.
const ZIG: &str = "ziglang==0.15.2";
/// The adapter between zig and cargo, by its version on crates.io.
const ZIGBUILD: (&str, &str) = ("cargo-zigbuild", "0.24.1");

/// The folder of the native parts.
pub(super) fn staged(workspace: &Workspace) -> PathBuf {
    workspace.target.join("dist/natives")
}

/// Builds the native parts for every platform that can be built here, and puts them into `target/dist/natives`.
pub(super) fn build(release: &Release) -> Result<Vec<Natives>, Failure> {
    let staged = clean(&staged(release.workspace))?;
    let this = java::this_platform();
    let platforms = if cfg!(target_os = "linux") { &ON_LINUX[..] } else { &[this.as_str()] };
    let zig = cfg!(target_os = "linux").then(|| zig(release.tools)).transpose()?;
    for platform in platforms {
        let target = java::target_of(platform)?;
        toolchain::ensure_target(release.workspace, &target)?;
        for part in java::PARTS {
            let mut cargo = match &zig {
                Some(zig) => zig.cargo(release.workspace, &format!("{target}.{C_LIBRARY}"))?,
                None => release.workspace.cargo(&["build", "--target", &target]),
            };
            cargo.args(["--release", "--locked"]).args(part);
            cargo.env("CARGO_TARGET_DIR", release.workspace.target.join("dist"));
            cargo.env("CARGO_INCREMENTAL", "0").env(time::VARIABLE, release.time.to_string());
            cargo.env("CARGO_ENCODED_RUSTFLAGS", without_paths(release.workspace)?);
            workspace::run(&mut cargo)?;
        }
        let built = release.workspace.target.join("dist").join(&target).join("release");
        let folder = staged.join(platform);
        for file in files_of(platform) {
            dist::place(&built.join(&file), &folder, &file)?;
        }
    }
    added(&staged)
}

/// Returns the native parts in a folder, which has a folder for each platform.
pub(super) fn added(folder: &Path) -> Result<Vec<Natives>, Failure> {
    let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    let mut natives = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let one = entry.map_err(cannot)?.path();
        let platform = file_name(&one);
        java::target_of(&platform)?;
        let [library, command] = files_of(&platform).map(|file| one.join(file));
        if let Some(missing) = [&library, &command].into_iter().find(|file| !file.is_file()) {
            return Err(Failure(format!(
                "{} is missing; `cargo xtask dist --natives` makes it there",
                missing.display()
            )));
        }
        natives.push(Natives { platform, library, command });
    }
    if natives.is_empty() {
        return Err(Failure(format!("{} has no folder of a platform, such as macos-aarch64", folder.display())));
    }
    Ok(natives)
}

/// Returns the names of the library and of the command on a platform.
fn files_of(platform: &str) -> [String; 2] {
    let command = dist::COMMAND;
    match platform.split('-').next() {
        Some("windows") => [format!("{LIBRARY}.dll"), format!("{command}.exe")],
        Some("macos") => [format!("lib{LIBRARY}.dylib"), command.to_owned()],
        _ => [format!("lib{LIBRARY}.so"), command.to_owned()],
    }
}

/// zig, and its adapter to cargo.
struct Zig {
    zigbuild: PathBuf,
    zig: PathBuf,
}

/// Finds them in `target/tools`, and installs them there if they are missing.
fn zig(workspace: &Workspace) -> Result<Zig, Failure> {
    let (name, version) = ZIGBUILD;
    let zigbuild = toolchain::tool(workspace, "cargo-zigbuild", name, &["--version", version])?;
    let folder = workspace.target.join("tools").join(ZIG.replace("==", "-"));
    let zig = folder.join("ziglang/zig");
    if !zig.is_file() {
        packages::from_pypi("a linker for other platforms", ZIG, &folder, &[]).map_err(Failure)?;
    }
    Ok(Zig { zigbuild, zig })
}

impl Zig {
    /// Returns a call of cargo that builds for this target.
    fn cargo(&self, workspace: &Workspace, target: &str) -> Result<Command, Failure> {
        let mut command = Command::new(&self.zigbuild);
        command.args(["zigbuild", "--target", target]).current_dir(&workspace.root);
        command.env("CARGO_ZIGBUILD_ZIG_PATH", &self.zig);
        Ok(command)
    }
}

/// Returns compiler flags that make the result independent of the paths of sources, packages and the standard library.
fn without_paths(workspace: &Workspace) -> Result<String, Failure> {
    let rustc = |arguments: &[&str]| {
        let said = Command::new("rustc").args(arguments).current_dir(&workspace.root).output();
        let said = said.map_err(|e| Failure(format!("rustc did not start: {e}")))?;
        Ok::<String, Failure>(String::from_utf8_lossy(&said.stdout).trim().to_owned())
    };
    let sources = Path::new(&rustc(&["--print", "sysroot"])?).join("lib/rustlib/src/rust");
    let version = rustc(&["--version", "--verbose"])?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("rust");
    let cargo = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir().ok_or_else(|| Failure("no home folder; set CARGO_HOME".into()))?.join(".cargo"),
    };
    // If several match, the compiler takes the last.
    let others = [
        (cargo, "/cargo".to_owned()),
        (sources, format!("/rustc/{commit}")),
        (workspace.root.clone(), "/regiontrack".to_owned()),
        (workspace.target.clone(), "/regiontrack/target".to_owned()),
    ];
    let flags = others.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    Ok(flags.join("\u{1f}"))
}

/// The platform that cargo builds for is one of the release's.
pub(super) fn is_built_here(workspace: &Workspace, platform: &str) -> Result<bool, Failure> {
    let host = linked::host(workspace)?;
    Ok(java::target_of(platform)? == host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_elsewhere_is_taken_whole_or_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = folder.path().join("macos-aarch64");
        fs::create_dir(&one).expect("made");
        fs::write(one.join("libregiontrack.dylib"), "").expect("written");
        let why = |result: Result<Vec<Natives>, Failure>| result.err().map(|Failure(why)| why).unwrap_or_default();
        let missing = why(added(folder.path()));
        assert!(missing.contains("macos-aarch64/regiontrack is missing"), "{missing}");
        fs::write(one.join("regiontrack"), "").expect("written");
        let natives = added(folder.path()).unwrap_or_else(|Failure(why)| panic!("{why}"));
        assert_eq!(natives.len(), 1);
        assert_eq!(natives[0].platform, "macos-aarch64");
        fs::create_dir(folder.path().join("amiga-68000")).expect("made");
        let unknown = why(added(folder.path()));
        assert!(unknown.starts_with("amiga-68000: "), "{unknown}");
    }
}
