//! The files changed since a commit, according to git: a named commit, or a default one.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::process::Command;

use super::FOLDER;
use super::format::Mutant;

/// The variable in which continuous integration names the commit.
const BASE: &str = "CI_BASE";
/// The branch to merge into, if this is a clone.
const UPSTREAM: &str = "origin/HEAD";
/// How many commits to go back if nothing else is known.
const COMMITS: usize = 20;

/// The changed files, relative to the root.
pub(super) struct Changed {
    /// The commit; `None` if git has no earlier one, so that every file counts as changed.
    base: Option<String>,
    files: BTreeSet<String>,
}

impl Changed {
    /// Returns the differences from the commit `base`, or from the default one; untracked files included. A commit that
    /// git does not have, as in a shallow clone, counts as `None`.
    pub(super) fn since(root: &Path, base: Option<&str>) -> Changed {
        let named = base.map(str::to_owned).or_else(|| std::env::var(BASE).ok().filter(|name| !name.is_empty()));
        let base = match named {
            Some(name) => commit(root, &name),
            None => branch_point(root).or_else(|| (1..=COMMITS).rev().find_map(|n| commit(root, &format!("HEAD~{n}")))),
        };
        let Some(base) = base else { return Changed { base: None, files: BTreeSet::new() } };
        let tracked = git(root, &["diff", "--name-only", "-z", &base, "--"]);
        let untracked = git(root, &["ls-files", "-o", "--exclude-standard", "-z"]);
        let names = [tracked, untracked].into_iter().flatten();
        let files = names.flat_map(|names| names.split('\0').map(str::to_owned).collect::<Vec<_>>()).collect();
        Changed { base: Some(base), files }
    }

    /// Returns whether the mutant, or the file that it changes, was changed.
    pub(super) fn holds(&self, mutant: &Mutant) -> bool {
        let own = format!("{FOLDER}/{}.mutant", mutant.name);
        self.base.is_none() || self.files.contains(&mutant.file) || self.files.contains(&own)
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Some(base) => {
                write!(f, "{} files changed since {base}", self.files.iter().filter(|name| !name.is_empty()).count())
            }
            None => write!(f, "git knows no commit to compare with, so every file counts as changed"),
        }
    }
}

/// Returns where the branch diverged from the one to merge into, if it did.
fn branch_point(root: &Path) -> Option<String> {
    let point = git(root, &["merge-base", "HEAD", UPSTREAM])?.trim().to_owned();
    (Some(&point) != commit(root, "HEAD").as_ref()).then_some(point)
}

/// Returns the full name of a commit, if it exists.
fn commit(root: &Path, name: &str) -> Option<String> {
    let said = git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])?;
    Some(said.trim().to_owned())
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
