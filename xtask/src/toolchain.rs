//! Parts that a minimal installation of Rust lacks: toolchain components, targets, and tools that cargo installs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome};

/// A component of the toolchain and the cargo subcommand that it provides.
pub(crate) struct Component {
    /// The name for rustup.
    pub(crate) name: &'static str,
    /// `cargo <subcommand>`.
    pub(crate) subcommand: &'static str,
}

/// `cargo fmt`.
pub(crate) const RUSTFMT: Component = Component { name: "rustfmt", subcommand: "fmt" };
/// `cargo clippy`.
pub(crate) const CLIPPY: Component = Component { name: "clippy", subcommand: "clippy" };

/// Installs the component through rustup if it is missing. The error says what to do.
pub(crate) fn ensure(workspace: &Workspace, component: &Component) -> Result<(), String> {
    let Component { name, subcommand } = component;
    if is_present(workspace, subcommand) {
        return Ok(());
    }
    println!("{name} is missing; installing it: rustup component add {name}");
    let installed = Command::new("rustup").args(["component", "add", name]).current_dir(&workspace.root).status();
    if installed.is_ok_and(|status| status.success()) && is_present(workspace, subcommand) {
        return Ok(());
    }
    Err(format!("{name} is not installed and rustup could not add it; install it with your package manager"))
}

fn is_present(workspace: &Workspace, subcommand: &str) -> bool {
    let mut version = workspace.cargo(&[subcommand, "--version"]);
    version.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Installs the standard library for a target through rustup if it is missing.
pub(crate) fn ensure_target(workspace: &Workspace, target: &str) -> Outcome {
    let sysroot = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .current_dir(&workspace.root)
        .output();
    let is_there = |folder: &[u8]| Path::new(String::from_utf8_lossy(folder).trim()).is_dir();
    if sysroot.is_ok_and(|output| is_there(&output.stdout)) {
        return Ok(());
    }
    println!("the standard library for {target} is missing; installing it: rustup target add {target}");
    let installed = Command::new("rustup").args(["target", "add", target]).current_dir(&workspace.root).status();
    match installed {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure(format!("rustup could not add the target {target}; install Rust's standard library for it"))),
    }
}

/// Returns a program from a package of crates.io: found on the path, or installed into `target/tools` with the
/// additional arguments `more` for `cargo install`.
pub(crate) fn tool(workspace: &Workspace, title: &str, name: &str, more: &[&str]) -> Result<PathBuf, Failure> {
    let works = |program: &Path| {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let tools = workspace.target.join("tools");
    let own = tools.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if let Some(program) = [PathBuf::from(name), own.clone()].into_iter().find(|program| works(program)) {
        return Ok(program);
    }
    println!("{title} is missing; installing it into {}", workspace.relative(&tools).display());
    let mut install = workspace.cargo(&["install", name, "--locked"]);
    workspace::run(install.args(more).arg("--root").arg(&tools))?;
    Ok(own)
}
