//! The location of the repository and its build results, and calls of cargo in it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_lock::Lockfile;

use crate::{Failure, Outcome};

/// The repository that this binary was built from.
#[derive(Clone)]
pub(crate) struct Workspace {
    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder; absolute, because cargo is also called from other folders than the user's.
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// The workspace. Like cargo, takes `CARGO_TARGET_DIR` relative to the current folder.
    pub(crate) fn find() -> Result<Workspace, Failure> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace");
        let here = std::env::current_dir().map_err(|e| Failure(format!("the current folder: {e}")))?;
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) if !folder.is_empty() => here.join(folder),
            _ => root.join("target"),
        };
        Ok(Workspace { root: root.to_owned(), target })
    }

    /// Returns the path relative to the root, if it is below the root: shorter to read, and independent of the root's
    /// location.
    pub(crate) fn relative<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Returns the packages that cargo has chosen, including those of the workspace.
    pub(crate) fn lock(&self) -> Result<Lockfile, Failure> {
        let path = self.root.join("Cargo.lock");
        Lockfile::load(&path).map_err(|e| Failure(format!("{}: {e}", path.display())))
    }

    /// Returns a call of the cargo that runs xtask, in the root.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        if is_ci() {
            // Nothing is recompiled in CI, except for mutants. Preparing for it takes a tenth of the time.
            command.env("CARGO_INCREMENTAL", "0");
        }
        command
    }
}

/// The destination of a command's output.
pub(crate) enum Output {
    /// To the user.
    Shown,
    /// Into a file.
    Log(File),
}

impl Output {
    /// Prints a line.
    pub(crate) fn say(&self, line: &str) -> Outcome {
        match self {
            Output::Shown => println!("{line}"),
            Output::Log(file) => writeln!(&*file, "{line}").map_err(|e| Failure(format!("the log: {e}")))?,
        }
        Ok(())
    }

    /// Runs a command with this output.
    pub(crate) fn run(&self, command: &mut Command) -> Outcome {
        if let Output::Log(file) = self {
            let copy = || file.try_clone().map_err(|e| Failure(format!("the log: {e}")));
            command.stdin(Stdio::null()).stdout(copy()?).stderr(copy()?);
        }
        run(command)
    }
}

/// Runs a command whose output the user sees, unless the command redirects it.
pub(crate) fn run(command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{}` failed ({status})", shown(command)))),
        Err(e) => Err(Failure(format!("`{}` did not start: {e}", shown(command)))),
    }
}

/// Returns the command as typed on a command line.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns true in continuous integration, where nothing may be skipped.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false" && value != "0")
}
