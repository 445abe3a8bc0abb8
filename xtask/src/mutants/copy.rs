//! A copy of the repository to mutate. Only files that differ are written, so that cargo rebuilds only what changed
//! since the last run.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::FOLDER;
use crate::files;

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
