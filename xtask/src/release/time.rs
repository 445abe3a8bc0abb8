//! The only time in a release: that of the commit, or the value of `SOURCE_DATE_EPOCH`.

use std::process::Command;

use crate::Failure;
use crate::workspace::Workspace;

/// The variable that sets another time, in seconds since 1970, as in other build systems.
pub(super) const VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// Returns the time of the sources, in seconds since 1970.
pub(super) fn of_sources(workspace: &Workspace) -> Result<u64, Failure> {
    if let Some(said) = std::env::var_os(VARIABLE) {
        let seconds = said.to_str().and_then(|text| text.parse().ok());
        return seconds.ok_or_else(|| Failure(format!("{VARIABLE}={}: not a number of seconds", said.display())));
    }
    let mut git = Command::new("git");
    let said = git.args(["log", "-1", "--format=%ct"]).current_dir(&workspace.root).output();
    let seconds = said.ok().and_then(|said| String::from_utf8_lossy(&said.stdout).trim().parse().ok());
    seconds.ok_or_else(|| {
        let root = workspace.root.display();
        Failure(format!("{root} has no commit, whose time the files get; set {VARIABLE} to seconds since 1970"))
    })
}
