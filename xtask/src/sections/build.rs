//! The section that compiles every Rust test, and with them the native code of the agent's jar.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::AGENT_TESTS;
use crate::Failure;
use crate::dist;
use crate::java::{self, Natives};
use crate::workspace::{self, Workspace, shown};

/// Compiles the tests. Returns the native library and the command that they use, or the released ones if `full`.
pub(super) fn tests(workspace: &Workspace, full: bool) -> Result<Natives, Failure> {
    let mut cargo = workspace.cargo(&["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"]);
    let fail = |why: String| Failure(format!("`cargo test --workspace --no-run`: {why}"));
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|e| fail(e.to_string()))?;
    if !output.status.success() {
        return Err(Failure(format!("`{}` failed ({})", shown(&cargo), output.status)));
    }
    workspace::run(&mut workspace.cargo(&[AGENT_TESTS, &["--no-run"]].concat()))?;
    if full {
        return java::natives(workspace, false);
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let library = messages.lines().find_map(library).ok_or_else(|| fail("it names no native library".to_owned()))?;
    let command = workspace.target.join("debug").join(format!("{}{EXE_SUFFIX}", dist::COMMAND));
    Ok(Natives { platform: java::this_platform(), library, command })
}

/// Returns the file of the native library, if cargo's message is about that.
fn library(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_library = message["target"]["name"] == java::LIBRARY
        && message["target"]["kind"].as_array()?.iter().any(|kind| kind == "cdylib");
    let files = message["filenames"].as_array().filter(|_| is_library)?;
    let is_dynamic = |file: &&Path| file.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION);
    files.iter().filter_map(Value::as_str).map(Path::new).find(is_dynamic).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_the_dynamic_file_of_the_target_that_has_one() {
        let file = format!("/t/debug/deps/libregiontrack.{}", std::env::consts::DLL_EXTENSION);
        let message = |name: &str, kind: &str| {
            format!(
                r#"{{"target":{{"name":"{name}","kind":["{kind}","rlib"]}},"filenames":["/t/libregiontrack.rlib","{file}"]}}"#
            )
        };
        assert_eq!(library(&message("regiontrack", "cdylib")), Some(PathBuf::from(&file)));
        assert_eq!(library(&message("regiontrack", "lib")), None);
        assert_eq!(library(&message("other", "cdylib")), None);
        assert_eq!(library("text that a build script printed"), None);
    }
}
