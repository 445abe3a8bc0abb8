//! The programs of `benchmarks-dacapo`, on which the agent is demonstrated and measured. Their table is
//! `benchmarks-dacapo/subjects.json`: the Gradle build reads from it what to fetch and to compile, xtask what to run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::suites::Suite;
use super::{Toolchain, packages};
use crate::tables::{self, Named};
use crate::workspace::{self, Output, Workspace};
use crate::{Failure, Outcome};

/// The folder of their build.
const PROJECT: &str = "benchmarks-dacapo";
/// The table, relative to the root.
const TABLE: &str = "benchmarks-dacapo/subjects.json";
/// The folder for the built subjects: a folder each, with `classes` and `libraries` in it.
const BUILT: &str = "benchmarks-dacapo/build/subjects";
/// The driver that runs several subjects in one JVM: its name and its class.
const SEVERAL: (&str, &str) = ("several", "subjects.Several");

/// A program, and how it is run.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subject {
    pub(crate) name: String,
    /// The description.
    pub(crate) what: String,
    /// The class to run.
    pub(super) main: String,
    /// Its arguments; `{threads}` and `{size}` stand for the threads and the words of the size.
    pub(super) arguments: Vec<String>,
    /// The number of working threads; 0 if the program decides.
    pub(crate) threads: u32,
    /// The version of most of its class files; 0 if unknown.
    pub(crate) class_file: u32,
    /// By the name of a size, the program's words for it; a number of seconds is the time it takes without the agent.
    pub(super) sizes: BTreeMap<String, Vec<String>>,
    /// How its result is checked.
    pub(crate) check: String,
    /// The platform's package with its jars, and the jars, for a program that is available nowhere else.
    #[serde(default)]
    pub(super) package: String,
    #[serde(default)]
    pub(super) jars: Vec<PathBuf>,
    /// Flags that its JVM needs.
    #[serde(default)]
    pub(super) jvm: Vec<String>,
    /// Whether it writes files: then it runs in an initially empty folder.
    #[serde(default)]
    pub(super) is_in_folder: bool,
    /// Whether it is also one of the released programs, which are tested separately.
    #[serde(default)]
    pub(crate) is_program: bool,
    /// Whether it does nothing: a run of it takes as long as a JVM needs to start and end.
    #[serde(default)]
    pub(crate) is_start: bool,
    /// The user's suite that contains it; `None` for the subjects of the table.
    #[serde(skip)]
    pub(crate) suite: Option<Suite>,
    /// A folder of classes that take precedence over its own of the same names.
    #[serde(skip)]
    pub(crate) before: Option<PathBuf>,
}

impl Named for Subject {
    const KIND: &str = "subject";

    fn name(&self) -> &str {
        &self.name
    }
}

impl Subject {
    /// Returns the subjects that have this size: those with these names, or all.
    pub(crate) fn of_size(workspace: &Workspace, names: &[String], size: &str) -> Result<Vec<Subject>, Failure> {
        let all: Vec<Subject> = tables::read(&workspace.root, TABLE)?;
        if !all.iter().any(|subject| subject.sizes.contains_key(size)) {
            return Err(Failure(format!("no subject has the size `{size}`")));
        }
        let mut chosen = tables::choose(all, names)?;
        if let Some(subject) = chosen.iter().find(|subject| !names.is_empty() && !subject.sizes.contains_key(size)) {
            let sizes: Vec<&str> = subject.sizes.keys().map(String::as_str).collect();
            return Err(Failure(format!("{} has no size `{size}`; it has {}", subject.name, sizes.join(", "))));
        }
        chosen.retain(|subject| subject.sizes.contains_key(size));
        Ok(chosen)
    }

    /// Returns why it is not available on this machine, after trying to install it.
    fn missing(&self) -> Option<String> {
        let is_there = || self.jars.iter().all(|jar| jar.is_file());
        if is_there() {
            return None;
        }
        match packages::install(&self.name, &self.package) {
            Ok(()) if is_there() => None,
            Ok(()) => Some(format!("the package {} has other files", self.package)),
            Err(Failure(why)) => Some(why),
        }
    }

    /// Returns its arguments for this size, which it must have.
    fn arguments(&self, size: &str) -> Vec<String> {
        let of_size = &self.sizes[size];
        let expanded = |word: &String| match word.as_str() {
            "{threads}" => vec![self.threads.to_string()],
            "{size}" => of_size.clone(),
            _ => vec![word.clone()],
        };
        self.arguments.iter().flat_map(expanded).collect()
    }
}

/// A JVM with its flags, and the agent with its options.
pub(crate) struct Runtime<'a> {
    pub(crate) java: &'a Path,
    pub(crate) flags: &'a [String],
    pub(crate) agent: Option<(&'a Path, String)>,
}

/// The built subjects.
pub(crate) struct Subjects<'w> {
    workspace: &'w Workspace,
}

impl<'w> Subjects<'w> {
    /// Returns the subjects of this repository, built or not.
    pub(crate) fn of(workspace: &'w Workspace) -> Subjects<'w> {
        Subjects { workspace }
    }

    /// Returns whether this subject has been built.
    pub(crate) fn is_built(&self, subject: &Subject) -> bool {
        self.workspace.root.join(BUILT).join(&subject.name).is_dir()
    }

    /// Builds some subjects; the programs that they drive come from Maven Central, or from the platform. Subjects that
    /// are not available on this platform are removed from the list, with a message; in CI that is a failure.
    pub(crate) fn build(&self, toolchain: &Toolchain, subjects: &mut Vec<Subject>, output: &Output) -> Outcome {
        let missing: Vec<(String, String)> =
            subjects.iter().filter_map(|subject| Some((subject.name.clone(), subject.missing()?))).collect();
        for (name, why) in &missing {
            if workspace::is_ci() {
                return Err(Failure(format!("{name}: {why}")));
            }
            println!("{name} is left out: {why}");
        }
        subjects.retain(|subject| missing.iter().all(|(name, _)| *name != subject.name));
        let built = subjects.iter().filter(|subject| subject.suite.is_none());
        let names = built.map(|subject| subject.name.as_str()).chain([SEVERAL.0]);
        let tasks: Vec<String> = names.map(|name| format!("install-{name}")).collect();
        let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
        toolchain.gradle(self.workspace, PROJECT, &tasks, &[], output)
    }

    /// Returns a command that runs a subject of this size: in the root of the repository, with relative paths, or in a
    /// folder for its files.
    pub(crate) fn command(&self, runtime: &Runtime, subject: &Subject, size: &str) -> Result<Command, Failure> {
        let mut command;
        if let Some(suite) = &subject.suite {
            command = self.java(runtime, suite.folder());
            suite.add_to(&mut command, size)?;
        } else {
            let root = &self.workspace.root;
            let (place, prefix) =
                if subject.is_in_folder { (self.empty()?, root.as_path()) } else { (root.clone(), Path::new("")) };
            let parts = [folder(&subject.name, "classes"), folder(&subject.name, "libraries").join("*")];
            let class_path = class_path(subject.before.clone().into_iter().chain(parts.map(|part| prefix.join(part))))?;
            command = self.java(runtime, &place);
            command.args(&subject.jvm).arg("-cp").arg(class_path).arg(&subject.main);
        }
        command.args(subject.arguments(size));
        Ok(command)
    }

    /// Returns an empty folder for the files of one run.
    fn empty(&self) -> Result<PathBuf, Failure> {
        let folder = self.workspace.target.join("subjects");
        let removed = if folder.exists() { std::fs::remove_dir_all(&folder) } else { Ok(()) };
        let made = removed.and_then(|()| std::fs::create_dir_all(&folder));
        made.map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
        Ok(folder)
    }

    /// Returns a command that runs all of these in one JVM, one after the other; `list` is the file that names them.
    pub(crate) fn in_one_jvm(
        &self,
        runtime: &Runtime,
        subjects: &[Subject],
        size: &str,
        list: &Path,
    ) -> Result<Command, Failure> {
        let lines = subjects.iter().map(|subject| {
            let words = [self.files(&subject.name)?, subject.main.clone()];
            Ok(words.into_iter().chain(subject.arguments(size)).collect::<Vec<_>>().join("\t"))
        });
        let lines: Vec<String> = lines.collect::<Result<_, Failure>>()?;
        std::fs::write(list, lines.join("\n")).map_err(|e| Failure(format!("{}: {e}", list.display())))?;
        let flags: BTreeSet<&String> = subjects.iter().flat_map(|subject| &subject.jvm).collect();
        let mut command = self.java(runtime, &self.empty()?);
        command
            .args(flags)
            .arg("-cp")
            .arg(self.workspace.root.join(folder(SEVERAL.0, "classes")))
            .arg(SEVERAL.1)
            .arg(list);
        Ok(command)
    }

    /// Returns the folder of a subject's own classes, and its jars by their names.
    pub(crate) fn parts(&self, name: &str) -> (PathBuf, Vec<PathBuf>) {
        let root = &self.workspace.root;
        let entries = std::fs::read_dir(root.join(folder(name, "libraries"))).into_iter().flatten();
        let mut jars: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        jars.sort();
        (root.join(folder(name, "classes")), jars)
    }

    /// Returns the class path of a subject.
    fn files(&self, name: &str) -> Result<String, Failure> {
        let (classes, jars) = self.parts(name);
        let all = class_path(std::iter::once(classes).chain(jars))?;
        all.into_string().map_err(|path| Failure(format!("the class path {} is not UTF-8", path.display())))
    }

    fn java(&self, Runtime { java, flags, agent }: &Runtime, folder: &Path) -> Command {
        let mut command = Command::new(java);
        command.current_dir(folder).args(*flags);
        if let Some((jar, options)) = agent {
            let jar = jar.strip_prefix(folder).unwrap_or(jar);
            command.arg(format!("-javaagent:{}={options}", jar.display()));
        }
        super::without_options(&mut command);
        command
    }
}

fn folder(subject: &str, part: &str) -> PathBuf {
    Path::new(BUILT).join(subject).join(part)
}

fn class_path(paths: impl IntoIterator<Item = PathBuf>) -> Result<std::ffi::OsString, Failure> {
    std::env::join_paths(paths).map_err(|e| Failure(format!("the class path of {PROJECT}: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(size: &str, names: &[&str]) -> Result<Vec<Subject>, Failure> {
        let workspace = Workspace::find().expect("the workspace");
        Subject::of_size(&workspace, &names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), size)
    }

    #[test]
    fn every_subject_has_a_small_size_and_a_check() {
        let all = named("small", &[]).expect("the table can be read");
        let table: Vec<Subject> =
            tables::read(&Workspace::find().expect("the workspace").root, TABLE).expect("a table");
        assert_eq!(all.len(), table.len());
        assert!(all.iter().all(|subject| !subject.check.is_empty()));
        assert_eq!(all.iter().filter(|subject| subject.is_start).count(), 1);
    }

    #[test]
    fn threads_and_size_take_their_place_among_the_arguments() {
        let h2 = &named("small", &["h2"]).expect("h2")[0];
        assert_eq!(h2.arguments("small")[..2], ["Bank:h2", "4"]);
        let crypt = &named("A", &["crypt"]).expect("crypt")[0];
        assert_eq!(crypt.arguments("A"), ["3", "3000000", "1"]);
    }

    #[test]
    fn a_size_that_a_subject_lacks_is_an_error_that_lists_those_it_has() {
        let Failure(message) = named("memory", &["crypt"]).expect_err("crypt has no such size");
        assert!(message.contains("crypt has no size `memory`") && message.contains("small"), "{message}");
        assert!(named("large", &[]).is_err());
    }
}
