//! One program, run without the agent and with it, in a separate folder each time; and, if requested, once more guided
//! by the profile of that run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::report::Report;
use super::table::{Program, Size};
use crate::files;
use crate::java::{Jvm, without_options};
use crate::stopwatch::{Stopwatch, Timed};
use crate::workspace::Workspace;

/// The folder for the built programs, relative to the root: a folder each, with `classes` and `libraries` in it.
const BUILT: &str = "programs/build/programs";
/// A run that takes longer hangs.
pub(super) const LIMIT: Duration = Duration::from_secs(45 * 60);

/// The common settings of all programs.
pub(super) struct Laboratory<'w> {
    pub(super) workspace: &'w Workspace,
    pub(super) jvm: Jvm,
    pub(super) agent: PathBuf,
    /// Additional options of the agent, as on its command line; may be empty.
    pub(super) options: String,
    pub(super) size: Size,
    pub(super) stopwatch: Stopwatch,
    /// Whether the run under the agent writes a profile, which guides another one.
    pub(super) is_profiled: bool,
}

/// One run.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// `None` if it was killed, by a signal or at the limit.
    code: Option<i32>,
    out: Vec<u8>,
    files: BTreeMap<PathBuf, Vec<u8>>,
    pub(super) wall: f64,
    /// Processor seconds and peak memory in MiB, if they were measured.
    pub(super) cost: Option<(f64, f64)>,
}

/// The runs of a program.
pub(super) struct Trial {
    pub(super) plain: Run,
    pub(super) watched: Run,
    pub(super) report: Result<Report, String>,
    /// The guided run, and its report.
    pub(super) again: Option<(Run, Result<Report, String>)>,
    /// The differences; empty if all is well.
    pub(super) differences: Vec<String>,
}

impl Trial {
    /// Returns how much the last run watched, if a profile guided it.
    pub(super) fn guided(&self) -> Option<String> {
        self.again.as_ref()?.1.as_ref().ok()?.guided()
    }
}

impl Laboratory<'_> {
    /// Returns the folder for the output and files of a program's runs.
    pub(super) fn folder(&self, program: &Program) -> PathBuf {
        self.workspace.target.join("programs").join(&program.name)
    }

    /// Runs a program twice, or three times, and compares.
    pub(super) fn trial(&self, program: &Program) -> io::Result<Trial> {
        let folder = self.folder(program);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let profile = match self.is_profiled {
            true => format!("profile={}", folder.join("app.profile").display()),
            false => String::new(),
        };
        let plain = self.run(program, &folder.join("plain"), None)?;
        let (watched, report) = self.watched(program, "agent", &profile)?;
        let again = match self.is_profiled {
            true => Some(self.watched(program, "guided", &profile)?),
            false => None,
        };
        let mut differences = plain.is_unusable(program).into_iter().collect::<Vec<_>>();
        if differences.is_empty() {
            differences = plain.differences(&watched, program);
            differences.extend(report.as_ref().err().cloned());
            if let Some((run, report)) = &again {
                let told = plain.differences(run, program).into_iter().chain(report.as_ref().err().cloned());
                differences.extend(told.map(|what| format!("guided: {what}")));
            }
        }
        Ok(Trial { plain, watched, report, again, differences })
    }

    /// Makes a run under the agent, with this name and these options. Returns the run and its report.
    pub(super) fn watched(
        &self,
        program: &Program,
        name: &str,
        options: &str,
    ) -> io::Result<(Run, Result<Report, String>)> {
        let folder = self.folder(program);
        let report = folder.join(format!("{name}.json"));
        let run = self.run(program, &folder.join(name), Some((&report, options)))?;
        Ok((run, Report::read(&report)))
    }

    /// Makes one run; the files that it writes end up in `files` of its folder, its output next to that. Both runs use
    /// a folder of the same name, since some programs print it.
    pub(super) fn run(&self, program: &Program, folder: &Path, agent: Option<(&Path, &str)>) -> io::Result<Run> {
        let scratch = folder.with_file_name("files");
        fs::create_dir_all(folder)?;
        fs::create_dir_all(&scratch)?;
        let (out, err) = (folder.join("stdout.txt"), folder.join("stderr.txt"));
        let Timed { status, wall, cost } =
            self.stopwatch.time(&self.command(program, &scratch, agent), LIMIT, &out, &err)?;
        let mut paths = Vec::new();
        files::walk(&scratch, Path::new(""), &mut paths)?;
        let contents = paths.into_iter().filter(|path| !program.ignores(&path.to_string_lossy()));
        let contents = contents.map(|path| Ok((path.clone(), fs::read(scratch.join(path))?)));
        let files = contents.collect::<io::Result<_>>()?;
        fs::rename(&scratch, folder.join("files"))?;
        Ok(Run { code: status.and_then(|status| status.code()), out: fs::read(&out)?, files, wall, cost })
    }

    /// Returns the folder of a program.
    pub(super) fn built(&self, program: &Program) -> PathBuf {
        self.workspace.root.join(BUILT).join(&program.name)
    }

    /// Returns the JVM option that loads the agent, with the name of its report, and options in addition to those of
    /// all runs.
    pub(super) fn agent_option(&self, report: &Path, more: &str) -> String {
        let mut options = format!("report={},overwrite=true,format=json", report.display());
        for more in [&self.options, more].into_iter().filter(|more| !more.is_empty()) {
            options += &format!(",{more}");
        }
        format!("-javaagent:{}={options}", self.agent.display())
    }

    /// Returns the command. The agent gets the name of its report, and more options.
    fn command(&self, program: &Program, scratch: &Path, agent: Option<(&Path, &str)>) -> Command {
        let built = self.built(program);
        let mut command = Command::new(&self.jvm.java);
        command.current_dir(scratch);
        if let Some((report, more)) = agent {
            command.arg(self.agent_option(report, more));
        }
        let class_path = [built.join("classes"), built.join("libraries").join("*")];
        let class_path = std::env::join_paths(class_path).expect("the folder of the repository fits on a class path");
        command.args(&program.jvm).arg("-cp").arg(class_path).arg(&program.main).args(program.arguments(self.size));
        without_options(&mut command);
        command
    }
}

impl Run {
    /// Returns why a run without the agent shows nothing, if it does not.
    pub(super) fn is_unusable(&self, program: &Program) -> Option<String> {
        if self.code != Some(program.exit) {
            Some(format!("exit code {} without the agent, not {}", shown(self.code), program.exit))
        } else if self.out.is_empty() {
            Some("it prints nothing".to_owned())
        } else {
            None
        }
    }

    /// Returns the differences from the other run.
    pub(super) fn differences(&self, watched: &Run, program: &Program) -> Vec<String> {
        let mut differences = Vec::new();
        if watched.code != self.code {
            differences.push(format!("exit code {}, not {}", shown(watched.code), program.exit));
        }
        if watched.out != self.out {
            differences.push("standard output".to_owned());
        }
        let names: BTreeSet<&PathBuf> = self.files.keys().chain(watched.files.keys()).collect();
        let changed: Vec<_> =
            names.into_iter().filter(|name| self.files.get(*name) != watched.files.get(*name)).collect();
        if let Some(first) = changed.first() {
            differences.push(format!("{} files, the first is {}", changed.len(), first.display()));
        }
        differences
    }
}

fn shown(code: Option<i32>) -> String {
    code.map_or_else(|| "none (killed)".to_owned(), |code| code.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let text = r#"{"name":"a","what":"b","main":"C","small":[],"full":[],"jdk":[11,25],"exit":4}"#;
        serde_json::from_str(text).expect("a program")
    }

    fn run(code: i32, out: &str, files: &[(&str, &str)]) -> Run {
        let files = files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect();
        Run { code: Some(code), out: out.as_bytes().to_vec(), files, ..Run::default() }
    }

    #[test]
    fn output_exit_code_and_files_are_compared() {
        let plain = run(4, "a", &[("x", "1"), ("y", "2")]);
        assert_eq!(plain.differences(&run(4, "a", &[("x", "1"), ("y", "2")]), &program()), Vec::<String>::new());
        let all = plain.differences(&run(0, "b", &[("x", "1"), ("z", "2")]), &program());
        assert_eq!(all, ["exit code 0, not 4", "standard output", "2 files, the first is y"]);
        let killed = Run { code: None, ..run(4, "a", &[("x", "1"), ("y", "2")]) };
        assert_eq!(plain.differences(&killed, &program()), ["exit code none (killed), not 4"]);
    }

    #[test]
    fn a_plain_run_that_fails_or_prints_nothing_shows_nothing() {
        assert_eq!(run(4, "a", &[]).is_unusable(&program()), None);
        assert!(run(0, "a", &[]).is_unusable(&program()).is_some_and(|why| why.contains("exit code 0")));
        assert!(run(4, "", &[]).is_unusable(&program()).is_some_and(|why| why.contains("nothing")));
    }
}
