//! The parts of the toolchain that a minimal installation lacks: rustfmt and clippy.

use std::process::{Command, Stdio};

use crate::workspace::Workspace;

/// A component of the toolchain and the cargo subcommand that it provides.
pub(crate) struct Component {
    /// Its name for rustup.
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
