//! The `java` commands of this machine: which one to use, and how to run the agent's own small programs with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Result, bail};

/// The `java` commands to try, best first: only `asked`, if given; otherwise the one that runs `process`, that of
/// `JAVA_HOME`, and those on the path.
///
/// # Errors
/// If there is no such command.
pub(crate) fn candidates(asked: Option<&Path>, process: Option<u32>) -> Result<Vec<PathBuf>> {
    if let Some(asked) = asked {
        let java = if asked.is_dir() { asked.join("bin").join(name()) } else { asked.to_owned() };
        if !java.is_file() && !is_on_path(&java) {
            bail!("--java {}: there is no such command; expected a java, or the folder of a JDK", asked.display());
        }
        return Ok(vec![java]);
    }
    let mut all: Vec<PathBuf> = process.and_then(running).into_iter().collect();
    all.extend(std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(name())));
    all.extend(path().map(|folder| folder.join(name())));
    all.retain(|java| java.is_file());
    let mut seen = Vec::new();
    all.retain(|java| {
        let whole = std::fs::canonicalize(java).unwrap_or_else(|_| java.clone());
        let is_new = !seen.contains(&whole);
        seen.push(whole);
        is_new
    });
    if all.is_empty() {
        bail!("no java is on the path or in JAVA_HOME; name one with --java");
    }
    Ok(all)
}

/// The command that runs a process, if the system reveals it and it is called `java`.
fn running(process: u32) -> Option<PathBuf> {
    let java = std::fs::read_link(format!("/proc/{process}/exe")).ok()?;
    (java.file_name() == Some(name().as_ref())).then_some(java)
}

fn name() -> OsString {
    format!("java{}", std::env::consts::EXE_SUFFIX).into()
}

fn path() -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>().into_iter()
}

fn is_on_path(java: &Path) -> bool {
    java.components().count() == 1 && path().any(|folder| folder.join(java).is_file())
}

/// Runs a program of the agent's jar to its end, without the options that the environment sets for other JVMs.
pub(crate) fn run(java: &Path, jar: &Path, class: &str, arguments: &[OsString]) -> std::io::Result<Output> {
    let mut command = Command::new(java);
    command.arg("-XX:TieredStopAtLevel=1").arg("-cp").arg(jar).arg(class).args(arguments);
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null()).output()
}
