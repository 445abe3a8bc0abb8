//! `cargo xtask build`: what a user downloads, in `dist/`.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::workspace::{Workspace, run as run_command};
use crate::{Failure, Outcome, only_flag};

/// The package and the binary of the command.
const COMMAND: &str = "regiontrack";

/// Builds the command, optimised unless `--debug`, and copies it to `dist/`.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let debug = only_flag(arguments, "--debug")?;
    let mut cargo = workspace.cargo(&["build", "--package", COMMAND, "--bin", COMMAND]);
    if !debug {
        cargo.arg("--release");
    }
    run_command(&mut cargo)?;
    let file = format!("{COMMAND}{EXE_SUFFIX}");
    let built = workspace.target.join(if debug { "debug" } else { "release" }).join(&file);
    let dist = workspace.root.join("dist");
    let placed = place(&built, &dist, &file)
        .map_err(|e| Failure::Failed(format!("copy {} to {}: {e}", built.display(), dist.display())))?;
    println!("built {}", placed.strip_prefix(&workspace.root).unwrap_or(&placed).display());
    Ok(())
}

/// Copies beside the old file and renames, so that a running copy does not stand in the way.
fn place(built: &Path, dist: &Path, file: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(dist)?;
    let new = dist.join(format!(".{file}.new"));
    fs::copy(built, &new)?;
    let placed = dist.join(file);
    fs::rename(&new, &placed)?;
    Ok(placed)
}
