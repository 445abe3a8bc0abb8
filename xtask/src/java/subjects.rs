//! The programs of `benchmarks-dacapo`, on which the agent is demonstrated and measured.

use std::path::Path;
use std::process::Command;

use super::{Jdk, Toolchain};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};

/// The folder of their build.
const PROJECT: &str = "benchmarks-dacapo";
/// The result of that build.
const JAR: &str = "benchmarks-dacapo/build/libs/subjects.jar";
/// The released programs that they drive.
const DEPENDENCIES: &str = "benchmarks-dacapo/build/dependencies";
/// The class that runs them.
const MAIN: &str = "subjects.Main";

/// One workload: its name, number of threads and size. It takes about a second without the agent.
pub(crate) struct Subject {
    /// The driver's name for it.
    pub(crate) name: &'static str,
    /// A description for the user.
    pub(crate) what: &'static str,
    threads: u32,
    size: u32,
}

/// Every subject; the demo shows the first.
pub(crate) const SUBJECTS: &[Subject] = &[
    Subject { name: "h2", what: "four clients of an H2 database in memory", threads: 4, size: 2000 },
    Subject { name: "sparse", what: "sparse matrix times vector, three threads", threads: 3, size: 100_000 },
    Subject { name: "particles", what: "molecular dynamics, three threads", threads: 3, size: 2500 },
];

/// What `cargo xtask memory` watches: the database, and what used to leave something behind. Rounds of about a second.
pub(crate) const WATCHED: &[Subject] = &[
    Subject { name: "arrays", what: "arrays that die at full speed, two threads", threads: 2, size: 2_000_000 },
    Subject { name: "threads", what: "threads that end unjoined, two at a time", threads: 2, size: 5000 },
    Subject { name: "h2", what: "four clients of an H2 database in memory", threads: 4, size: 2000 },
];

/// The built subjects.
pub(crate) struct Subjects<'w> {
    workspace: &'w Workspace,
}

impl<'w> Subjects<'w> {
    /// The subjects of this repository, built or not.
    pub(crate) fn of(workspace: &'w Workspace) -> Subjects<'w> {
        Subjects { workspace }
    }

    /// True if they have been built.
    pub(crate) fn are_built(&self) -> bool {
        let root = &self.workspace.root;
        root.join(JAR).is_file() && root.join(DEPENDENCIES).is_dir()
    }

    /// Builds them; the programs that they drive come from Maven Central.
    pub(crate) fn build(&self, toolchain: &Toolchain) -> Outcome {
        toolchain.gradle(self.workspace, PROJECT, &["assemble"], &[], &Output::Shown)
    }

    /// A command that runs one in the root of the repository, under the agent if its options are given.
    pub(crate) fn command(
        &self,
        jdk: &Jdk,
        subject: &Subject,
        agent: Option<(&Path, &str)>,
    ) -> Result<Command, Failure> {
        self.command_with(&jdk.java(), &[], subject, agent)
    }

    /// The same on this JVM and with flags for it.
    pub(crate) fn command_with(
        &self,
        java: &Path,
        flags: &[&str],
        subject: &Subject,
        agent: Option<(&Path, &str)>,
    ) -> Result<Command, Failure> {
        let mut command = Command::new(java);
        command.current_dir(&self.workspace.root).args(flags);
        if let Some((jar, options)) = agent {
            command.arg(format!("-javaagent:{}={options}", self.workspace.relative(jar).display()));
        }
        let all = std::env::join_paths([Path::new(JAR), &Path::new(DEPENDENCIES).join("*")])
            .map_err(|e| Failure(format!("the class path of {PROJECT}: {e}")))?;
        command.arg("-cp").arg(all).args([MAIN, subject.name]);
        command.arg(subject.threads.to_string()).arg(subject.size.to_string());
        super::without_options(&mut command);
        Ok(command)
    }
}
