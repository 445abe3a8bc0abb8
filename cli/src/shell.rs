//! Shell completions and man pages, from the definitions of the command line.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::Outcome;
use crate::output::Output;

/// The name of the program.
const NAME: &str = "regiontrack";

/// The arguments of `completions`.
#[derive(clap::Args)]
pub(crate) struct Completions {
    /// The shell. Its documentation says where it looks for completions; for bash, the file
    /// ~/.local/share/bash-completion/completions/regiontrack.
    shell: Shell,
}

/// Prints the completions.
pub(crate) fn completions(arguments: &Completions, output: &mut Output) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), NAME, &mut script);
    output.print(&String::from_utf8(script).context("the completions")?);
    Ok(Outcome::Clean)
}

/// The arguments of `man`.
#[derive(clap::Args)]
pub(crate) struct Man {
    /// The folder for the pages, which is created if missing: ~/.local/share/man/man1.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes a page for `regiontrack`, and one for each of its commands.
pub(crate) fn man(arguments: &Man) -> Result<Outcome> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    clap_mangen::generate_to(crate::Arguments::command(), folder).with_context(|| folder.display().to_string())?;
    Ok(Outcome::Clean)
}
