//! DaCapo's jars, and others with the same structure: each benchmark in them is a subject, in the sizes that the jar
//! describes.
//!
//! 2006-10-MR2 describes a benchmark in `cnf/NAME.cnf`, 9.12 and later in `META-INF/cnf`. The harness of all of them
//! takes `-s SIZE`, `-n ITERATIONS`, `-c CALLBACK` and a name, checks the result, and prints after each iteration
//! `===== DaCapo [VERSION] NAME PASSED in N msec =====`; `completed warmup` instead of `PASSED` after all but the last.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::java::{Jdk, Subject};
use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome};

/// Where a jar describes its benchmarks.
const FOLDERS: [&str; 2] = ["META-INF/cnf", "cnf"];
/// The class that runs them, in all versions.
const HARNESS: &str = "Harness";

/// A jar of the user, and how its harness is called.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Given {
    /// Run the benchmarks in this DaCapo jar (2006-10-MR2, 9.12, 23.11), or in another jar with such a harness, instead
    /// of the subjects of this repository.
    #[arg(long, value_name = "JAR", group = "suite")]
    dacapo: Option<PathBuf>,
    /// The number of times that the harness runs a benchmark within one JVM; the last one counts.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "dacapo")]
    iterations: u32,
    /// The class that the harness calls before and after each iteration, instead of its own.
    #[arg(long, value_name = "CLASS", requires = "dacapo")]
    callback: Option<String>,
    /// The class path of that class, if it is not in the jar.
    #[arg(long, value_name = "PATH", requires = "callback")]
    callback_path: Option<PathBuf>,
}

/// The jar that contains a subject.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Suite {
    jar: PathBuf,
    /// An additional class path entry.
    beside: Option<PathBuf>,
    /// The folder into which the harness writes.
    folder: PathBuf,
}

impl Given {
    /// For this jar.
    pub(super) fn of(jar: PathBuf, iterations: u32) -> Given {
        Given { dacapo: Some(jar), iterations, ..Given::none() }
    }

    /// No jar.
    pub(super) fn none() -> Given {
        Given { dacapo: None, iterations: 1, callback: None, callback_path: None }
    }

    /// The jar that was given.
    pub(super) fn jar(&self) -> Option<&Path> {
        self.dacapo.as_deref()
    }

    /// Returns the jar and how it is run, for messages.
    pub(super) fn shown(&self) -> Option<String> {
        let file = self.dacapo.as_ref()?.file_name()?.to_string_lossy();
        let callback = self.callback.as_ref().map_or(String::new(), |class| format!(", callback {class}"));
        Some(format!("{file}, iterations: {}{callback}", self.iterations))
    }

    /// The benchmarks in the jar.
    pub(super) fn subjects(&self, jar: &Path, workspace: &Workspace, jdk: &Jdk) -> Result<Vec<Subject>, Failure> {
        let beside = self.callback_path.as_ref().map(|path| path.canonicalize()).transpose();
        let beside = beside.map_err(|e| Failure(format!("--callback-path: {e}")))?;
        let folder = workspace.target.join("dacapo");
        let suite = Suite { jar: jar.to_owned(), beside, folder: folder.join("run") };
        fs::create_dir_all(&suite.folder).map_err(|e| Failure(format!("{}: {e}", suite.folder.display())))?;
        let descriptions = suite.descriptions(jdk, &folder.join("descriptions"))?;
        Ok(descriptions.iter().filter_map(|text| self.subject(&suite, text)).collect())
    }

    /// Creates a subject from the description of a benchmark in the jar.
    fn subject(&self, suite: &Suite, description: &str) -> Option<Subject> {
        let (name, sizes) = parse(description)?;
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let mut arguments = words(&["-s", "{size}", "-n", &self.iterations.to_string()]);
        if let Some(callback) = &self.callback {
            arguments.extend(words(&["-c", callback]));
        }
        arguments.push(name.clone());
        let file = suite.jar.file_name().unwrap_or_default().to_string_lossy();
        let what = format!("a benchmark of {file}");
        let sizes = sizes.into_iter().map(|size| (size.clone(), vec![size])).collect();
        let suite = super::Suite::Dacapo(suite.clone());
        Some(Subject { arguments, ..super::subject(name, what, "the harness compares digests", sizes, suite) })
    }
}

impl Suite {
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the jar's descriptions of its benchmarks, in the order of their names.
    fn descriptions(&self, jdk: &Jdk, folder: &Path) -> Result<Vec<String>, Failure> {
        let failed = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        fs::create_dir_all(folder).map_err(failed)?;
        self.extract(jdk, folder)?;
        let mut files: Vec<PathBuf> = Vec::new();
        for place in FOLDERS {
            let entries = fs::read_dir(folder.join(place)).into_iter().flatten().flatten();
            files.extend(entries.map(|entry| entry.path()).filter(|file| file.extension().is_some_and(|e| e == "cnf")));
        }
        files.sort();
        // Old descriptions have authors' names in other encodings.
        files.iter().map(|file| Ok(String::from_utf8_lossy(&fs::read(file).map_err(failed)?).into_owned())).collect()
    }

    fn extract(&self, jdk: &Jdk, folder: &Path) -> Outcome {
        let mut command = Command::new(jdk.home.join("bin/jar"));
        command.current_dir(folder).arg("--extract").arg("--file").arg(&self.jar).args(FOLDERS);
        workspace::run(&mut command)
    }

    /// Adds the jar, or the class path and the class, to a command line that already has the JVM's flags.
    pub(super) fn add_to(&self, command: &mut Command) -> Outcome {
        let Some(beside) = &self.beside else {
            command.arg("-jar").arg(&self.jar);
            return Ok(());
        };
        let path = std::env::join_paths([&self.jar, beside]).map_err(|e| Failure(format!("--callback-path: {e}")))?;
        command.arg("-cp").arg(path).arg(HARNESS);
        Ok(())
    }
}

/// Parses the name and the sizes in a description.
fn parse(description: &str) -> Option<(String, Vec<String>)> {
    let after = |line: &str, key: &str| {
        let mut words = line.split_whitespace();
        (words.next() == Some(key)).then(|| words.next().unwrap_or_default().trim_end_matches(';').to_owned())
    };
    let name = description.lines().find_map(|line| after(line, "benchmark"))?;
    Some((name, description.lines().filter_map(|line| after(line, "size")).collect()))
}

/// Returns the seconds of each iteration, from the output of the harness or a callback; fails if one failed, or none
/// passed.
pub(super) fn iterations(text: &str) -> Result<Vec<f64>, String> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with("===== DaCapo "));
    let (mut seconds, mut has_passed) = (Vec::new(), false);
    for line in lines {
        if line.contains(" FAILED ") {
            return Err(line.to_owned());
        }
        let is_end = line.contains(" PASSED ");
        if !is_end && !line.contains(" completed warmup ") {
            continue;
        }
        has_passed |= is_end;
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "msec").ok_or_else(|| format!("no time in `{line}`"))?;
        let number: Option<f64> = words[..at].last().and_then(|word| word.parse().ok());
        seconds.push(number.ok_or_else(|| format!("no time in `{line}`"))? / 1000.0);
    }
    if has_passed { Ok(seconds) } else { Err("the harness says of no iteration that it passed".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_a_name_and_sizes() {
        let text = "benchmark antlr \n  class dacapo.antlr.AntlrHarness\n  thread-model single;\n\nsize small args \"-o\"\n\
            \x20output stdout digest 0x62;\nsize default args \"-o\";\ndescription\n  repeats\t\"Two iterations\";\n";
        let sizes = ["small", "default"].map(str::to_owned).to_vec();
        assert_eq!(parse(text), Some(("antlr".to_owned(), sizes)));
        assert_eq!(parse("# nothing"), None);
    }

    #[test]
    fn times_are_those_of_all_iterations_in_every_version() {
        let old = "===== DaCapo antlr starting warmup =====\n===== DaCapo antlr completed warmup in 2500 msec =====\n\
            ===== DaCapo antlr starting =====\nx\n===== DaCapo antlr PASSED in 1250 msec =====\n";
        assert_eq!(iterations(old), Ok(vec![2.5, 1.25]));
        let new = "===== DaCapo 9.12-MR1 h2 starting warmup 1 =====\n===== DaCapo 9.12-MR1 h2 completed warmup 1 in 40 msec \
            =====\n===== DaCapo 9.12-MR1 h2 PASSED in 30 msec =====\n===== DaCapo tail latency, on 9 events: 50% 1 usec =====\n";
        assert_eq!(iterations(new), Ok(vec![0.04, 0.03]));
    }

    #[test]
    fn an_iteration_that_fails_or_does_not_end_is_an_error() {
        assert!(iterations("===== DaCapo h2 FAILED warmup =====\n").is_err_and(|why| why.contains("h2 FAILED")));
        assert!(iterations("===== DaCapo h2 starting =====\n").is_err());
        assert!(iterations("===== DaCapo h2 completed warmup in 7 msec =====\n").is_err());
        assert!(iterations("===== DaCapo h2 PASSED in no time =====\n").is_err());
    }
}
