//! `cargo xtask book`: the manual as a site, built by mdBook from the README and the pages of `docs/`.
//!
//! Pages keep their relative locations, so that a link leads to the same page on the site as in the repository. The
//! contents are those of `docs/SUMMARY.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::toolchain;
use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome};

/// The contents, in the folder of the pages.
const SUMMARY: &str = "docs/SUMMARY.md";
/// The pages of the site that are not in the folder `docs`.
const OTHERS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"];
const CONFIGURATION: &str = "\
[book]
title = \"RegionTrack\"
language = \"en\"

[output.html]
smart-punctuation = false
";

/// Builds the site in `target/book/site`; installs mdBook into `target/tools` if it is not on the path.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let folder = workspace.target.join("book");
    stage(workspace, &folder.join("src"))?;
    write(&folder.join("book.toml"), CONFIGURATION)?;
    let mut command = Command::new(program(workspace)?);
    workspace::run(command.arg("build").arg(&folder).arg("--dest-dir").arg(folder.join("site")))?;
    println!("{}", workspace.relative(&folder.join("site/index.html")).display());
    Ok(())
}

/// Copies the pages to where mdBook reads them.
fn stage(workspace: &Workspace, folder: &Path) -> Outcome {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    }
    let mut files: Vec<PathBuf> = OTHERS.iter().map(PathBuf::from).collect();
    files_in(&workspace.root, Path::new("docs"), &mut files)?;
    for file in files {
        let (from, to) = (workspace.root.join(&file), folder.join(&file));
        let parent = to.parent().expect("a file lies in a folder");
        let copied = fs::create_dir_all(parent).and_then(|()| fs::copy(&from, &to));
        copied.map_err(|e| Failure(format!("copy {} to {}: {e}", from.display(), to.display())))?;
    }
    let path = workspace.root.join(SUMMARY);
    let summary = fs::read_to_string(&path).map_err(|e| Failure(format!("{}: {e}", path.display())))?;
    write(&folder.join("SUMMARY.md"), &from_above(&summary))
}

/// Returns the contents as mdBook expects them: in the folder above.
fn from_above(summary: &str) -> String {
    let mut result = String::new();
    let mut rest = summary;
    while let Some((before, link)) = rest.split_once("](") {
        result = result + before + "](";
        rest = match link.strip_prefix("../") {
            Some(above) => above,
            None => {
                result += "docs/";
                link
            }
        };
    }
    result + rest
}

fn files_in(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let fail = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    for entry in fs::read_dir(root.join(folder)).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let path = folder.join(entry.file_name());
        match entry.file_type().map_err(fail)?.is_dir() {
            true => files_in(root, &path, files)?,
            false if path != Path::new(SUMMARY) => files.push(path),
            false => {}
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().expect("a file lies in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|e| Failure(format!("{}: {e}", path.display())))
}

fn program(workspace: &Workspace) -> Result<PathBuf, Failure> {
    // Built without its server, which is not needed here.
    toolchain::tool(workspace, "mdBook", "mdbook", &["--no-default-features", "--features", "search"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_lead_to_the_same_pages_from_the_folder_above() {
        let summary = "# All\n\n[Start](../README.md)\n- [Runs](run.md), [more](a/b.md)\n";
        let above = "# All\n\n[Start](README.md)\n- [Runs](docs/run.md), [more](docs/a/b.md)\n";
        assert_eq!(from_above(summary), above);
    }
}
