//! A copy of the repository that can be broken: the same files, written only where they differ, so that cargo rebuilds
//! only what changed since the last run.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::FOLDER;
use crate::files;

/// Makes `to` hold exactly the files of the repository at `from`, but for the mutants themselves: a test that reads
/// them would notice every mutation, and catch nothing by it.
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
    // Not `fs::copy`: the time of the copy has to be now, or cargo takes what it built before for newer.
    fs::write(to, content)?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}
