//! The published artifacts. To add one, add an entry to [`ARTIFACTS`], after the artifacts that it is built against.

use std::path::{Path, PathBuf};

use super::VERSION;
use crate::Failure;
use crate::java::{self, Maven, Toolchain};
use crate::workspace::{Output, Workspace};

/// The group of all artifacts.
pub(crate) const GROUP: &str = "dev.regiontrack";
/// The task of the agent's build that makes the jar of sources.
pub(super) const SOURCES_TASK: &str = "sourcesJar";
/// The task that makes the jar of documentation.
pub(super) const JAVADOC_TASK: &str = "javadocJar";
/// The folders of the plugins' builds.
const MAVEN: &str = "build-plugins/maven";
const GRADLE: &str = "build-plugins/gradle";

/// An artifact with a name and a version in a repository.
pub(crate) struct Artifact {
    /// Its name within the group.
    pub(crate) id: &'static str,
    /// The display name.
    pub(super) name: &'static str,
    /// What it is, in a sentence.
    pub(crate) description: &'static str,
    /// The packaging in the POM: `jar`, `maven-plugin`, or `pom` if it consists of nothing else.
    pub(super) packaging: &'static str,
    /// Its dependencies: others of this list, in the same version.
    pub(crate) dependencies: &'static [&'static str],
    /// Whether others of this list are built against it by Maven.
    pub(super) is_built_against: bool,
    /// Builds it.
    pub(super) make: fn(&Making) -> Result<Files, Failure>,
}

/// All artifacts, in the order in which they are built.
pub(crate) const ARTIFACTS: &[Artifact] = &[
    Artifact {
        id: "regiontrack-agent",
        name: "RegionTrack Agent",
        description: "A Java agent that says which methods of a concurrent program were not atomic, and the command that reads its \
                      reports.",
        packaging: "jar",
        dependencies: &[],
        is_built_against: true,
        make: agent,
    },
    Artifact {
        id: "regiontrack-annotations",
        name: "RegionTrack Annotations",
        description: "Says in the source which methods are meant to be atomic, and which tests expect a violation.",
        packaging: "jar",
        dependencies: &[],
        is_built_against: false,
        make: |making| junit(making, "regiontrack-annotations"),
    },
    Artifact {
        id: "regiontrack-junit",
        name: "RegionTrack JUnit",
        description: "Fails the test of JUnit 4, 5 or 6 in which a method was not atomic.",
        packaging: "jar",
        dependencies: &["regiontrack-annotations"],
        is_built_against: false,
        make: |making| junit(making, "regiontrack-junit"),
    },
    Artifact {
        id: "regiontrack-maven-plugin",
        name: "RegionTrack Maven Plugin",
        description: "Runs tests under RegionTrack's agent, and fails the build for methods that were not atomic.",
        packaging: MAVEN_PLUGIN,
        dependencies: &["regiontrack-agent"],
        is_built_against: false,
        make: maven_plugin,
    },
    Artifact {
        id: "regiontrack-gradle-plugin",
        name: "RegionTrack Gradle Plugin",
        description: "Runs tests and programs under RegionTrack's agent, and fails the build for methods that were not atomic.",
        packaging: "jar",
        dependencies: &[],
        is_built_against: false,
        make: gradle_plugin,
    },
    Artifact {
        id: "dev.regiontrack.gradle.plugin",
        name: "RegionTrack Gradle Plugin, by its id",
        description: "What Gradle looks for where a build says: plugins { id 'dev.regiontrack' }.",
        packaging: "pom",
        dependencies: &["regiontrack-gradle-plugin"],
        is_built_against: false,
        make: |_| Ok(Files::default()),
    },
];

/// The packaging of a Maven plugin, which is also found by its prefix.
pub(super) const MAVEN_PLUGIN: &str = "maven-plugin";

/// The settings for building an artifact, and the destination of the output.
pub(super) struct Making<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) toolchain: &'a Toolchain,
    pub(super) maven: &'a Maven,
    /// The agent's jar, which is built.
    pub(super) agent: &'a Path,
    /// Also make sources and documentation.
    pub(super) documents: bool,
    pub(super) output: &'a Output,
}

/// The files of an artifact. One that is only a POM has none.
#[derive(Default)]
pub(super) struct Files {
    pub(super) jar: Option<PathBuf>,
    pub(super) sources: Option<PathBuf>,
    pub(super) javadoc: Option<PathBuf>,
}

impl Files {
    /// Returns `NAME.jar` in a folder, and, if requested, `NAME-sources.jar` and `NAME-javadoc.jar`.
    fn in_folder(folder: &Path, name: &str, documents: bool) -> Files {
        let file = |end: &str| folder.join(format!("{name}{end}.jar"));
        let document = |end: &str| documents.then(|| file(end));
        Files { jar: Some(file("")), sources: document("-sources"), javadoc: document("-javadoc") }
    }
}

fn agent(making: &Making) -> Result<Files, Failure> {
    let folder = making.agent.parent().expect("a jar lies in a folder");
    let name = making.agent.file_stem().expect("a jar has a name").to_string_lossy();
    Ok(Files::in_folder(folder, &name, making.documents))
}

fn junit(making: &Making, name: &str) -> Result<Files, Failure> {
    let tasks: &[&str] = if making.documents { &["assemble"] } else { &[java::junit::JARS_TASK] };
    java::junit::build(making.workspace, making.toolchain, tasks, making.output)?;
    let folder = java::junit::libraries(making.workspace);
    Ok(Files::in_folder(&folder, name, making.documents))
}

fn maven_plugin(making: &Making) -> Result<Files, Failure> {
    let folder = making.workspace.root.join(MAVEN);
    making.output.say(&format!("maven package in {MAVEN}"))?;
    let mut command = making.maven.command(&folder, &["--quiet", "package", &format!("-Drevision={VERSION}")]);
    if !making.documents {
        command.args(["-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"]);
    }
    making.output.run(&mut command)?;
    Ok(Files::in_folder(&folder.join("target"), &format!("regiontrack-maven-plugin-{VERSION}"), making.documents))
}

fn gradle_plugin(making: &Making) -> Result<Files, Failure> {
    let tasks: &[&str] = if making.documents { &["assemble"] } else { &["jar"] };
    let version = format!("pluginVersion={VERSION}");
    making.toolchain.gradle(making.workspace, GRADLE, tasks, &[version], making.output)?;
    let folder = making.workspace.root.join(GRADLE).join("build/libs");
    Ok(Files::in_folder(&folder, "regiontrack-gradle-plugin", making.documents))
}
