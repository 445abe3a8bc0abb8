//! A program recorded under the agent, and the answer of `regiontrack predict` for the trace: shared by `bugs` and
//! `pairs`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::java::{Toolchain, without_options};
use crate::workspace::Workspace;
use crate::{Failure, dist};

/// A line of `regiontrack predict`.
#[derive(Deserialize)]
pub(crate) struct Answer {
    pub(crate) verdict: String,
    pub(crate) predictions: Vec<Prediction>,
}

/// A block that another schedule violates.
#[derive(Deserialize)]
pub(crate) struct Prediction {
    pub(crate) method: Option<String>,
    /// Whether a schedule confirms it.
    pub(crate) confirmed: bool,
}

impl Answer {
    /// Returns whether the algorithm finished within its limits.
    pub(crate) fn is_finished(&self) -> bool {
        self.verdict != "not-finished"
    }
}

/// Runs a program under the agent, which writes the trace, in the trace's folder. The run must succeed. Returns its
/// output.
pub(crate) fn record(
    workspace: &Workspace,
    toolchain: &Toolchain,
    options: &str,
    class_path: &OsStr,
    program: &[&str],
    trace: &Path,
) -> Result<Vec<u8>, Failure> {
    let (agent, report) = (dist::jar(workspace), trace.with_extension("txt"));
    let files = format!("report={},record={},overwrite=true,redundant=true", report.display(), trace.display());
    let mut java = Command::new(toolchain.jdk.java());
    java.arg(format!("-javaagent:{}={files},{options}", agent.display())).arg("-cp").arg(class_path).args(program);
    without_options(&mut java);
    let ran = java.current_dir(trace.parent().expect("a file is in a folder")).output();
    let ran = ran.map_err(|e| Failure(format!("java: {e}")))?;
    if ran.status.success() {
        return Ok(ran.stdout);
    }
    Err(Failure(format!("the program ended with {}: {}", ran.status, String::from_utf8_lossy(&ran.stderr))))
}

/// Returns the answer of `regiontrack predict` for a trace, with these arguments.
pub(crate) fn predict(workspace: &Workspace, arguments: &[&str], trace: &Path) -> Result<Answer, Failure> {
    let mut predict = Command::new(workspace.root.join("dist").join(dist::COMMAND));
    predict.args(["predict", "--format", "json"]).args(arguments).arg(trace);
    let said = predict.output().map_err(|e| Failure(format!("predict: {e}")))?;
    let text = String::from_utf8_lossy(&said.stdout);
    serde_json::from_str(&text).map_err(|e| Failure(format!("predict: {e} in {text}")))
}

/// Returns a separate folder below the target folder, for traces.
pub(crate) fn folder(workspace: &Workspace, name: &str) -> Result<std::path::PathBuf, Failure> {
    let folder = workspace.target.join(name);
    std::fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    Ok(folder)
}
