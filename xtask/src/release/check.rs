//! Checks that the same sources give the same bytes, and that the release runs on each platform.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{FOLDER, Release, archive, emulated, time};
use crate::java::Natives;
use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome, files};

/// The path of the copy, below the target folder: of another length and depth.
const COPY: &str = "dist-check/a copy of the sources";

/// Builds the release again from a copy, in another time zone and language and with another umask, and compares; then
/// runs the agent on each platform.
pub(super) fn run(release: &Release, natives: &[Natives], added: &[PathBuf]) -> Outcome {
    let copy = copy(release.workspace)?;
    println!("building it again in {}", copy.display());
    let xtask = std::env::current_exe().map_err(|e| Failure(format!("the path of this program: {e}")))?;
    let mut again = match cfg!(unix) {
        true => {
            let mut shell = Command::new("sh");
            shell.args(["-c", "umask 027; exec \"$0\" \"$@\""]).arg(xtask);
            shell
        }
        false => Command::new(xtask),
    };
    again.args(["dist", "--sources"]).arg(&copy);
    for folder in added {
        again.arg("--add").arg(folder);
    }
    again.env("TZ", "Pacific/Auckland").env("LC_ALL", "C").env(time::VARIABLE, release.time.to_string());
    workspace::run(&mut again)?;
    compare(&release.folder(), &copy.join(FOLDER))?;
    println!("both are the same, byte by byte");
    emulated::run(release, natives)
}

/// Copies the files of the repository. The target folder of an earlier copy stays: unchanged packages are not
/// recompiled.
fn copy(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.target.join(COPY);
    let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    fs::create_dir_all(&folder).map_err(cannot)?;
    for entry in fs::read_dir(&folder).map_err(cannot)? {
        let old = entry.map_err(cannot)?.path();
        match old.is_dir() {
            true if old.ends_with("target") => {}
            true => fs::remove_dir_all(&old).map_err(cannot)?,
            false => fs::remove_file(&old).map_err(cannot)?,
        }
    }
    let listed = files::list(&workspace.root).map_err(|e| Failure(format!("{}: {e}", workspace.root.display())))?;
    for file in listed {
        let (from, to) = (workspace.root.join(&file), folder.join(&file));
        let above = to.parent().expect("a file lies in a folder");
        let copied = fs::create_dir_all(above).and_then(|()| fs::copy(&from, &to));
        copied.map_err(|e| Failure(format!("copy {} to {}: {e}", from.display(), to.display())))?;
    }
    Ok(folder)
}

/// Fails if two releases differ, with the names of the files that do.
fn compare(one: &Path, other: &Path) -> Outcome {
    let (sums, others) = (sums_in(one)?, sums_in(other)?);
    let all = sums.keys().chain(others.keys().filter(|file| !sums.contains_key(*file)));
    let different: Vec<&str> = all.filter(|file| sums.get(*file) != others.get(*file)).map(String::as_str).collect();
    if different.is_empty() {
        return Ok(());
    }
    Err(Failure(format!(
        "the same sources gave other bytes: {} (compare {} and {})",
        different.join(", "),
        one.display(),
        other.display()
    )))
}

/// Reads names and check sums of a release.
fn sums_in(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let file = folder.join(archive::SUMS);
    let text = fs::read_to_string(&file).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
    let pairs = text.lines().filter_map(|line| line.split_once("  "));
    Ok(pairs.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_differ_or_are_in_one_alone_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |name: &str, files: &[(&str, &str)]| {
            let folder = folder.path().join(name);
            fs::create_dir(&folder).expect("made");
            for (file, text) in files {
                fs::write(folder.join(file), text).expect("written");
            }
            archive::sums(&folder).expect("written");
            folder
        };
        let one = of("one", &[("same", "1"), ("other", "1"), ("here", "1")]);
        let other = of("other", &[("same", "1"), ("other", "2"), ("there", "1")]);
        assert_eq!(compare(&one, &one), Ok(()));
        let Err(Failure(why)) = compare(&one, &other) else { panic!("they differ") };
        assert!(why.contains(": here, other, there ("), "{why}");
    }
}
