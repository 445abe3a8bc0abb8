//! The table of programs, `programs/programs.json`: the Gradle build reads from it what to fetch, xtask what to run.

use std::path::Path;

use serde::Deserialize;

use crate::Failure;
use crate::tables::{self, Named};

/// The path of the table, relative to the root.
const TABLE: &str = "programs/programs.json";

/// A released program, and how it is run.
#[derive(Debug, Deserialize)]
pub(super) struct Program {
    pub(super) name: String,
    /// The description.
    pub(super) what: String,
    /// The class to run.
    pub(super) main: String,
    /// Arguments that keep it busy for a second or two.
    small: Vec<String>,
    /// Arguments that keep it busy for five seconds or more.
    full: Vec<String>,
    /// The oldest and the newest JDK that it runs on.
    jdk: [u32; 2],
    /// Options of the JVM that it needs.
    #[serde(default)]
    pub(super) jvm: Vec<String>,
    /// Files that differ from run to run even without the agent; a `*` at the end stands for any rest.
    #[serde(default)]
    ignore: Vec<String>,
    /// The exit code of a successful run.
    #[serde(default)]
    pub(super) exit: i32,
    /// Whether `cargo xtask test` runs it.
    #[serde(default)]
    pub(super) ci: bool,
}

/// How long the programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Size {
    /// A second or two without the agent.
    Small,
    /// Five seconds or more.
    Full,
}

impl Program {
    /// Every program, in the order of the table.
    pub(super) fn all(root: &Path) -> Result<Vec<Program>, Failure> {
        tables::read(root, TABLE)
    }

    pub(super) fn arguments(&self, size: Size) -> &[String] {
        match size {
            Size::Small => &self.small,
            Size::Full => &self.full,
        }
    }

    /// Returns whether it runs on a JDK of this version.
    pub(super) fn runs_on(&self, version: u32) -> bool {
        (self.jdk[0]..=self.jdk[1]).contains(&version)
    }

    /// Returns the JDKs that it runs on, for messages.
    pub(super) fn range(&self) -> String {
        format!("JDK {} to {}", self.jdk[0], self.jdk[1])
    }

    /// Returns whether the contents of this file are not compared.
    pub(super) fn ignores(&self, file: &str) -> bool {
        self.ignore.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => file.starts_with(start),
            None => file == pattern,
        })
    }
}

impl Named for Program {
    const KIND: &str = "program";

    fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all() -> Vec<Program> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace");
        Program::all(root).expect("the table can be read")
    }

    #[test]
    fn the_table_has_the_programs_that_are_promised() {
        let programs = all();
        let names: BTreeSet<&str> = programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names.len(), programs.len(), "a name stands twice");
        assert!(programs.len() >= 25, "{}", programs.len());
        assert!(programs.iter().filter(|program| program.ci).count() >= 5);
    }

    #[test]
    fn an_ignored_file_is_named_in_full_or_by_its_start() {
        let programs = all();
        let ignores = |name: &str, file: &str| {
            let program = programs.iter().find(|program| program.name == name).expect("it is in the table");
            program.ignores(file)
        };
        assert!(ignores("derby", "derby.log") && !ignores("derby", "derby.log.1"));
        assert!(ignores("sqlite", "bank.db-journal") && !ignores("sqlite", "other.db"));
    }
}
