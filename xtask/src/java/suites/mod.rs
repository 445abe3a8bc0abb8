//! Benchmark suites of the user, instead of the subjects of this repository: DaCapo's jars and the Java Grande Forum's
//! multi-threaded suite.

mod dacapo;
mod jgf;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Jdk, Subject};
use crate::tables;
use crate::workspace::Workspace;
use crate::{Failure, Outcome};

/// The name of Java Grande's suite.
pub(crate) const JGF: &str = "Java Grande, multi-threaded";

/// A suite of the user, and how it is run.
#[derive(clap::Args)]
pub(crate) struct Given {
    #[command(flatten)]
    dacapo: dacapo::Given,
    /// Run the Java Grande Forum's multi-threaded benchmarks in this folder or jar of compiled classes, instead of the
    /// subjects of this repository. MonteCarlo's `Data` is expected in the folder, or next to the jar.
    #[arg(long, value_name = "PATH", group = "suite")]
    jgf: Option<PathBuf>,
}

/// The suite that contains a subject.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Suite {
    /// A DaCapo jar, or one with the same structure.
    Dacapo(dacapo::Suite),
    /// Java Grande's classes.
    Jgf(jgf::Suite),
}

impl Given {
    /// For this jar of DaCapo.
    pub(crate) fn dacapo(jar: PathBuf, iterations: u32) -> Given {
        Given { dacapo: dacapo::Given::of(jar, iterations), jgf: None }
    }

    /// For these classes of Java Grande's suite.
    pub(crate) fn jgf(path: PathBuf) -> Given {
        Given { dacapo: dacapo::Given::none(), jgf: Some(path) }
    }

    /// Returns the default size of the suite; `None` if no suite was given.
    pub(crate) fn usual_size(&self) -> Option<&'static str> {
        self.path().map(|_| if self.jgf.is_some() { jgf::SIZES[0] } else { "small" })
    }

    /// Returns the name of the suite, for file names.
    pub(crate) fn stem(&self) -> Option<String> {
        Some(self.path()?.file_stem()?.to_string_lossy().into_owned())
    }

    /// Returns the file name of a DaCapo jar, and how the suite is run, for messages.
    pub(crate) fn shown(&self) -> Option<String> {
        if self.jgf.is_some() { Some(JGF.to_owned()) } else { self.dacapo.shown() }
    }

    /// Returns the benchmarks in the suite that have this size: those with these names, or all. `None` if no suite was
    /// given.
    pub(crate) fn subjects(
        &self,
        workspace: &Workspace,
        jdk: &Jdk,
        names: &[String],
        size: &str,
    ) -> Result<Option<Vec<Subject>>, Failure> {
        let Some(path) = self.path() else { return Ok(None) };
        let failed = |why: String| Failure(format!("{}: {why}", path.display()));
        let path = path.canonicalize().map_err(|e| failed(e.to_string()))?;
        let all = match &self.jgf {
            Some(_) => jgf::subjects(&path, workspace, jdk),
            None => self.dacapo.subjects(&path, workspace, jdk),
        };
        let mut chosen = tables::choose(all.map_err(|Failure(why)| failed(why))?, names)?;
        if let Some(subject) = chosen.iter().find(|subject| !names.is_empty() && !subject.sizes.contains_key(size)) {
            return Err(failed(format!("{} has no size `{size}`", subject.name)));
        }
        chosen.retain(|subject| subject.sizes.contains_key(size));
        if chosen.is_empty() {
            Err(failed(format!("no benchmark of the size `{size}` is in it")))
        } else {
            Ok(Some(chosen))
        }
    }

    fn path(&self) -> Option<&Path> {
        self.jgf.as_deref().or(self.dacapo.jar())
    }
}

impl Suite {
    /// Returns the folder in which it runs.
    pub(super) fn folder(&self) -> &Path {
        match self {
            Suite::Dacapo(suite) => suite.folder(),
            Suite::Jgf(suite) => suite.folder(),
        }
    }

    /// Adds the class path and the program to a command line that already has the JVM's flags.
    pub(super) fn add_to(&self, command: &mut Command, size: &str) -> Outcome {
        match self {
            Suite::Dacapo(suite) => suite.add_to(command),
            Suite::Jgf(suite) => suite.add_to(command, size),
        }
    }

    /// Returns the seconds of each iteration, from the output; fails if one failed.
    pub(crate) fn iterations(&self, text: &str) -> Result<Vec<f64>, String> {
        match self {
            Suite::Dacapo(_) => dacapo::iterations(text),
            Suite::Jgf(_) => jgf::seconds(text).map(|seconds| vec![seconds]),
        }
    }
}

/// Creates the subject for a benchmark of a suite that checks its own results.
fn subject(name: String, what: String, check: &str, sizes: BTreeMap<String, Vec<String>>, suite: Suite) -> Subject {
    Subject {
        name,
        what,
        main: String::new(),
        arguments: Vec::new(),
        threads: 0,
        class_file: 0,
        sizes,
        check: check.to_owned(),
        package: String::new(),
        jars: Vec::new(),
        jvm: Vec::new(),
        is_in_folder: false,
        is_program: false,
        is_start: false,
        suite: Some(suite),
        before: None,
    }
}
