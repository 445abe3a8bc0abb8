//! All subjects in their smallest size, one after the other in one JVM, without the agent and with it: each checks its
//! own result, and the output must be the same.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::java::{Jvm, Runtime, Subject, Subjects, Toolchain};
use crate::stopwatch::Stopwatch;
use crate::workspace::{Output, Workspace, shown};
use crate::{Failure, Outcome};

/// The size.
const SIZE: &str = "small";
/// A run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(10 * 60);

/// Runs them on this JVM.
pub(crate) fn run(workspace: &Workspace, toolchain: &Toolchain, agent: &Path, jvm: &Jvm, full: bool) -> Outcome {
    let mut all = Subject::of_size(workspace, &[], SIZE)?;
    all.retain(|subject| full || !subject.is_program);
    let subjects = Subjects::of(workspace);
    subjects.build(toolchain, &mut all, &Output::Shown)?;
    let folder = super::scratch(workspace)?;
    let options = format!("report={},overwrite=true,format=json", folder.join("small.json").display());
    let mut printed = Vec::new();
    for (name, agent) in [("plain", None), ("agent", Some((agent, options)))] {
        // Warnings of the JVM itself are no output of the program.
        let runtime = Runtime { java: &jvm.java, flags: &["-XX:+DisplayVMOutputToStderr".to_owned()], agent };
        let command = subjects.in_one_jvm(&runtime, &all, SIZE, &folder.join("small.txt"))?;
        let [out, err] = ["out", "err"].map(|stream| folder.join(format!("small-{name}-{stream}.txt")));
        let failed = |why: String| Failure(format!("`{}` {why}; see {}", shown(&command), err.display()));
        let stopwatch = Stopwatch::find(folder.join("small-time.txt"));
        let timed = stopwatch.time(&command, LIMIT, &out, &err).map_err(|e| failed(format!("did not start: {e}")))?;
        let cpu = timed.cost.map_or(String::new(), |(cpu, _)| format!(", {cpu:.1} s of the processors"));
        println!("{} subjects, {name}: {:.1} s{cpu}", all.len(), timed.wall);
        match timed.status {
            Some(status) if status.success() => {}
            Some(status) => return Err(failed(format!("failed ({status})"))),
            None => return Err(failed("hangs".to_owned())),
        }
        printed.push(fs::read_to_string(&out).map_err(|e| failed(e.to_string()))?);
    }
    same(&printed[0], &printed[1])
}

fn same(plain: &str, watched: &str) -> Outcome {
    let lines = plain.lines().zip(watched.lines());
    match lines.into_iter().find(|(a, b)| a != b) {
        Some((a, b)) => Err(Failure(format!("`{a}` became `{b}` under the agent"))),
        None if plain != watched => Err(Failure("under the agent the subjects print more, or less".to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(same("a\nb\n", "a\nb\n"), Ok(()));
        assert!(same("a\nb\n", "a\nc\n").is_err_and(|Failure(why)| why.contains("`b` became `c`")));
        assert!(same("a\nb\n", "a\n").is_err());
    }
}
