//! `cargo xtask publish-local`: publishes what builds of other projects use to a repository in a folder: the agent's
//! jar and the build-tool plugins, with the additional files that a public repository requires.
//!
//! [`artifacts::ARTIFACTS`] is the list of what is published.

mod artifacts;
mod pom;
mod repository;

use std::path::{Path, PathBuf};

use crate::java::{self, Maven, Toolchain};
use crate::workspace::{Output, Workspace};
use crate::{Failure, Outcome};
pub(crate) use artifacts::{ARTIFACTS, GROUP};
use artifacts::{Artifact, Files, Making};
use repository::{Kind, Repository};

/// The version of all artifacts.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The default folder, below cargo's target folder.
const FOLDER: &str = "repository";

/// The tasks of the agent's build that make its published files.
pub(crate) const AGENT_TASKS: [&str; 3] = ["jar", artifacts::SOURCES_TASK, artifacts::JAVADOC_TASK];

/// The arguments of `publish-local`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the repository, by default target/repository.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Put it into the Maven repository in your home folder, ~/.m2/repository, where builds look by default.
    #[arg(long, conflicts_with = "folder")]
    maven_local: bool,
}

/// Builds all artifacts and puts them there.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    let toolchain = Toolchain::ensure()?;
    let maven = Maven::ensure(workspace, &toolchain)?;
    let natives = java::natives(workspace, false)?;
    let agent = java::build_agent(workspace, &toolchain, &[natives], &AGENT_TASKS, &[], &Output::Shown)?;
    let repository = repository(workspace, arguments)?;
    publish(workspace, &toolchain, &maven, &agent, true, &repository, &Output::Shown)?;
    println!("published version {VERSION} in {}", repository.folder.display());
    Ok(())
}

fn repository(workspace: &Workspace, arguments: &Arguments) -> Result<Repository, Failure> {
    let Arguments { folder, maven_local } = arguments;
    if *maven_local {
        let home =
            std::env::home_dir().ok_or_else(|| Failure("no home folder; name the repository's folder".into()))?;
        return Ok(Repository { folder: home.join(".m2/repository"), kind: Kind::Local });
    }
    Ok(public(folder.clone().unwrap_or_else(|| workspace.target.join(FOLDER))))
}

/// Returns a repository that builds name by its address.
pub(crate) fn public(folder: PathBuf) -> Repository {
    Repository { folder, kind: Kind::Public }
}

/// Builds the plugins with an agent that is already built, and puts everything into a repository; with sources and
/// documentation if `documents`.
pub(crate) fn publish(
    workspace: &Workspace,
    toolchain: &Toolchain,
    maven: &Maven,
    agent: &Path,
    documents: bool,
    repository: &Repository,
    output: &Output,
) -> Outcome {
    // Maven needs the agent to build its plugin.
    let own = Repository { folder: maven.repository.clone(), kind: Kind::Local };
    let making = Making { workspace, toolchain, maven, agent, documents, output };
    for artifact in ARTIFACTS {
        let Artifact { make, is_built_against, .. } = artifact;
        let files: Files = make(&making)?;
        repository.put(artifact, VERSION, &files)?;
        if *is_built_against {
            own.put(artifact, VERSION, &files)?;
        }
    }
    repository.put_plugins(ARTIFACTS)
}
