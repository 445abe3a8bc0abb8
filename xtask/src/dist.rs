//! `cargo xtask build`: builds what a user downloads, in `dist/`.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use crate::java::{self, Toolchain};
use crate::notices;
use crate::workspace::{self, Output, Workspace, run as run_command};
use crate::{Failure, Outcome};

/// The package and the binary of the command.
pub(crate) const COMMAND: &str = "regiontrack";
/// The agent.
const JAR: &str = "regiontrack.jar";

/// The arguments of `build`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Build without optimisation.
    #[arg(long)]
    debug: bool,
}

impl Arguments {
    /// Returns the arguments of an ordinary build.
    pub(crate) fn optimised() -> Arguments {
        Arguments { debug: false }
    }
}

/// Builds the command and the agent, optimised unless `--debug`. If no JDK can be installed, builds only the command
/// and says so; in CI that is a failure.
pub(crate) fn run(workspace: &Workspace, &Arguments { debug }: &Arguments) -> Outcome {
    command(workspace, debug)?;
    match Toolchain::ensure() {
        Ok(toolchain) => {
            agent(workspace, &toolchain, debug)?;
            java::junit::build(workspace, &toolchain, &[java::junit::JARS_TASK], &Output::Shown)?;
            java::junit::jars(workspace).try_for_each(|(name, built)| deliver(workspace, &built, name).map(|_| ()))
        }
        Err(Failure(reason)) if !workspace::is_ci() => {
            println!("dist/{JAR} is not built: {reason}");
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

/// Builds the command and copies it to `dist/`.
fn command(workspace: &Workspace, debug: bool) -> Outcome {
    let mut cargo = workspace.cargo(&["build", "--package", COMMAND, "--bin", COMMAND]);
    if !debug {
        cargo.arg("--release");
    }
    run_command(&mut cargo)?;
    let file = format!("{COMMAND}{EXE_SUFFIX}");
    let built = workspace.target.join(if debug { "debug" } else { "release" }).join(&file);
    deliver(workspace, &built, &file)?;
    deliver(workspace, &notices::write(workspace, &[COMMAND], &[], false)?, notices::FILE).map(|_| ())
}

/// Builds the agent and copies it to `dist/`. Returns its path.
pub(crate) fn agent(workspace: &Workspace, toolchain: &Toolchain, debug: bool) -> Result<PathBuf, Failure> {
    let natives = java::natives(workspace, debug)?;
    let built = java::build_agent(workspace, toolchain, &[natives], &["jar"], &[], &Output::Shown)?;
    deliver(workspace, &built, JAR)
}

/// The path of the built agent.
pub(crate) fn jar(workspace: &Workspace) -> PathBuf {
    workspace.root.join("dist").join(JAR)
}

fn deliver(workspace: &Workspace, built: &Path, file: &str) -> Result<PathBuf, Failure> {
    let placed = place(built, &workspace.root.join("dist"), file)?;
    println!("built dist/{file}");
    Ok(placed)
}

/// Copies to a temporary name in the same folder and renames, because a running executable cannot be overwritten.
pub(crate) fn place(built: &Path, folder: &Path, file: &str) -> Result<PathBuf, Failure> {
    let new = folder.join(format!(".{file}.new"));
    let placed = folder.join(file);
    let copied =
        fs::create_dir_all(folder).and_then(|()| fs::copy(built, &new)).and_then(|_| fs::rename(&new, &placed));
    match copied {
        Ok(()) => Ok(placed),
        Err(e) => Err(Failure(format!("copy {} to {}: {e}", built.display(), folder.display()))),
    }
}
