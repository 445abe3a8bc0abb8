//! A copy of the repository to mutate, and of the libraries compiled for it. Only files that differ are written, so
//! that cargo rebuilds only what changed since the last run.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use cargo_lock::Lockfile;

use super::FOLDER;
use crate::files;

/// Where cargo keeps compiled packages in a target folder: the inputs of each package, the output of its build script,
/// and the result.
const FINGERPRINTS: &str = "debug/.fingerprint";
const SCRIPTS: &str = "debug/build";
const RESULTS: &str = "debug/deps";

/// Makes `to` hold exactly the files of the repository at `from`, without the mutants themselves: the test that checks
/// their texts would fail with every mutation.
pub(super) fn synchronise(from: &Path, to: &Path) -> io::Result<()> {
    let mut wanted = files::list(from)?;
    wanted.retain(|file| !file.starts_with(FOLDER));
    fs::create_dir_all(to)?;
    let mut present = Vec::new();
    files::walk(to, Path::new(""), &mut present)?;
    let kept: HashSet<&PathBuf> = wanted.iter().collect();
    for file in present.iter().filter(|file| !kept.contains(file)) {
        fs::remove_file(to.join(file))?;
    }
    for file in &wanted {
        copy_if_different(&from.join(file), &to.join(file))?;
    }
    Ok(())
}

fn copy_if_different(from: &Path, to: &Path) -> io::Result<()> {
    let content = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::create_dir_all(to.parent().expect("a file lies in a folder"))?;
    // Not `fs::copy`, which keeps the time: cargo would consider its earlier build newer.
    fs::write(to, content)?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

/// Copies compiled libraries from the target folder `from` to `to`, if `to` is still empty: they are the same for each
/// copy of the repository. Cargo compiles what it does not find.
pub(super) fn libraries(from: &Path, to: &Path, lock: &Lockfile) -> io::Result<()> {
    if to.join(FINGERPRINTS).exists() || !from.join(FINGERPRINTS).exists() {
        return Ok(());
    }
    // A name ends where the hash of the compilation begins; `-` in packages is `_` in crates, and library files begin
    // with `lib`.
    let locked: HashSet<String> = lock
        .packages
        .iter()
        .filter(|package| package.source.is_some())
        .map(|package| package.name.as_str().replace('-', "_"))
        .collect();
    let is_locked = |name: &OsStr| {
        let name = name.to_string_lossy();
        let (name, _) = name.rsplit_once('-').unwrap_or((&name, ""));
        let name = name.replace('-', "_");
        locked.contains(&name) || name.strip_prefix("lib").is_some_and(|name| locked.contains(name))
    };
    // Fingerprints come last: they say that the others exist.
    [SCRIPTS, RESULTS, FINGERPRINTS]
        .iter()
        .try_for_each(|folder| copy_folder(&from.join(folder), &to.join(folder), &is_locked))
}

/// Copies a folder, restricted to entries with wanted names. Files keep their times, by which cargo compares a file
/// with its inputs.
fn copy_folder(from: &Path, to: &Path, is_wanted: &dyn Fn(&OsStr) -> bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if !is_wanted(&entry.file_name()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_folder(&source, &copy, &|_| true)?;
        } else {
            fs::copy(&source, &copy)?;
            File::open(&copy)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}
