//! The files of the repository, as git knows or would add them, or, without git, all files; and its commit.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders that hold only build results; skipped if git cannot tell.
const GENERATED: [&str; 5] = ["target", "dist", "build", ".git", ".gradle"];

/// Every file under `root`, relative to it and sorted: tracked, or untracked and not ignored. In a source archive
/// without git, every file outside the folders of build results.
pub(crate) fn list(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = git(root);
    if files.is_empty() {
        walk(root, Path::new(""), &mut files)?;
    }
    // git still lists deleted files until the deletion is committed.
    files.retain(|file| root.join(file).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

fn git(root: &Path) -> Vec<PathBuf> {
    let listing = Command::new("git").args(["ls-files", "-co", "--exclude-standard", "-z"]).current_dir(root).output();
    match listing {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(Into::into)
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the commit that is checked out; `None` in a source archive.
pub(crate) fn commit(root: &Path) -> Option<String> {
    let said = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root).output().ok()?;
    said.status.success().then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// Returns whether the checked-out files differ from the commit.
pub(crate) fn has_changes(root: &Path) -> bool {
    let said = Command::new("git").args(["status", "--porcelain"]).current_dir(root).output();
    said.is_ok_and(|said| !said.stdout.is_empty())
}

/// Adds the files under `root/folder` to `files`, relative to `root`.
pub(crate) fn walk(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if !entry.file_type()?.is_dir() {
            files.push(path);
        } else if !is_generated(&entry.path()) {
            walk(root, &path, files)?;
        }
    }
    Ok(())
}

/// Cargo marks its target folder, wherever it is, with a `CACHEDIR.TAG`.
fn is_generated(folder: &Path) -> bool {
    GENERATED.iter().any(|name| folder.ends_with(name)) || folder.join("CACHEDIR.TAG").exists()
}
