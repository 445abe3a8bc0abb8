//! `cargo xtask dist`: builds the files of a release, in `dist/release`.
//!
//! | file | what it is |
//! |---|---|
//! | `regiontrack-VERSION.jar` | the agent, with native libraries and commands for every platform of the release |
//! | `regiontrack-VERSION-PLATFORM.tar.gz` | the command with the jar beside it, completions, pages for man, licences |
//! | `regiontrack-VERSION-maven.tar.gz` | a Maven repository with what builds use, as `cargo xtask publish-local` makes it |
//! | `regiontrack-VERSION.cdx.json` | a list of what is contained, with licences (CycloneDX) |
//! | `THIRD-PARTY.txt` | the texts of those licences |
//! | `SHA256SUMS` | check sums of all of them |
//!
//! The same sources and tool versions give the same bytes, wherever the sources are: `--check` builds them a second
//! time.

mod archive;
mod check;
mod emulated;
mod platforms;
mod sbom;
mod time;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::java::{self, Maven, Natives, Toolchain};
use crate::publish::{self, VERSION};
use crate::workspace::{self, Output, Workspace};
use crate::{Failure, Outcome, dist, notices};
use archive::Archive;

/// The default folder.
const FOLDER: &str = "dist/release";
/// Shells with completions, and the names of their files.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "regiontrack.bash"),
    ("zsh", "_regiontrack"),
    ("fish", "regiontrack.fish"),
    ("powershell", "regiontrack.ps1"),
];

/// The arguments of `dist`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Build it a second time, from a copy of the sources in another folder, and compare every byte; then start the
    /// agent on each platform, under emulation for other processors.
    #[arg(long)]
    check: bool,
    /// Build nothing; start the agent of the existing release on each platform.
    #[arg(long, conflicts_with_all = ["check", "add", "natives", "sources"])]
    trial: bool,
    /// Native parts built on other machines: a folder with a folder for each platform, like target/dist/natives.
    #[arg(long, value_name = "FOLDER")]
    add: Vec<PathBuf>,
    /// Build only native parts, into target/dist/natives, to be added on another machine.
    #[arg(long, conflicts_with_all = ["check", "add", "sources"])]
    natives: bool,
    /// Build these sources instead, with their own target folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "check")]
    sources: Option<PathBuf>,
}

/// Builds a release.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Outcome {
    // Maven's archives contain the permissions that folders get here.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    let built = match &arguments.sources {
        Some(root) => {
            let root = root.canonicalize().map_err(|e| Failure(format!("{}: {e}", root.display())))?;
            Workspace { target: root.join("target"), root }
        }
        None => workspace.clone(),
    };
    let release = Release { tools: workspace, workspace: &built, time: time::of_sources(&built)? };
    if arguments.trial {
        return emulated::run(&release, &platforms::added(&platforms::staged(&built))?);
    }
    if arguments.natives {
        return release.natives(&[]).map(|_| ());
    }
    let natives = release.natives(&arguments.add)?;
    release.make(&natives)?;
    if arguments.check { check::run(&release, &natives, &arguments.add) } else { Ok(()) }
}

/// A release.
struct Release<'a> {
    /// The workspace in which tools are kept.
    tools: &'a Workspace,
    /// The sources.
    workspace: &'a Workspace,
    /// The time of the sources, in seconds since 1970: no file of a release is newer.
    time: u64,
}

impl Release<'_> {
    fn folder(&self) -> PathBuf {
        self.workspace.root.join(FOLDER)
    }

    /// Returns the native parts of every platform that can be built here, and of those that are added.
    fn natives(&self, added: &[PathBuf]) -> Result<Vec<Natives>, Failure> {
        let mut natives = platforms::build(self)?;
        for folder in added {
            natives.extend(platforms::added(folder)?);
        }
        natives.sort_by(|a, b| a.platform.cmp(&b.platform));
        match natives.windows(2).find(|two| two[0].platform == two[1].platform) {
            Some(two) => Err(Failure(format!("there are two of {}: built here, or added twice", two[0].platform))),
            None => Ok(natives),
        }
    }

    /// Builds everything that contains the native parts.
    fn make(&self, natives: &[Natives]) -> Outcome {
        let (workspace, folder) = (self.workspace, self.folder());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
        }
        let toolchain = Toolchain::ensure()?;
        let jar = java::build_agent(workspace, &toolchain, natives, &publish::AGENT_TASKS, &[], &Output::Shown)?;
        let name = |end: &str| format!("regiontrack-{VERSION}{end}");
        dist::place(&jar, &folder, &name(".jar"))?;
        let platforms = natives.iter().map(|one| java::target_of(&one.platform)).collect::<Result<Vec<_>, _>>()?;
        let notices = notices::write(workspace, &java::IN_JAR, &platforms, true)?;
        dist::place(&notices, &folder, notices::FILE)?;
        let documents = self.documents(natives)?;
        for one in natives {
            let root = name(&format!("-{}", one.platform));
            let mut archive = Archive::create(&folder.join(format!("{root}.tar.gz")), self.time)?;
            archive.program(&one.command, &format!("{root}/{}", file_name(&one.command)))?;
            archive.file(&jar, &format!("{root}/regiontrack.jar"))?;
            archive.file(&notices, &format!("{root}/{}", notices::FILE))?;
            for file in ["LICENSE", "README.md", "CHANGELOG.md"] {
                archive.file(&workspace.root.join(file), &format!("{root}/{file}"))?;
            }
            archive.folder(&documents, &root)?;
            archive.finish()?;
        }
        let maven = Maven::ensure(workspace, &toolchain)?;
        let staged = workspace.target.join("dist/maven");
        let repository = publish::public(clean(&staged)?);
        publish::publish(workspace, &toolchain, &maven, &jar, true, &repository, &Output::Shown)?;
        let mut archive = Archive::create(&folder.join(name("-maven.tar.gz")), self.time)?;
        archive.folder(&staged, &name("-maven"))?;
        archive.finish()?;
        sbom::write(self, &platforms, &folder.join(name(".cdx.json")))?;
        archive::sums(&folder)?;
        println!("built {FOLDER}: {} platforms ({})", natives.len(), listed(natives));
        Ok(())
    }

    /// Makes completions and man pages, as the command writes them.
    fn documents(&self, natives: &[Natives]) -> Result<PathBuf, Failure> {
        let folder = clean(&self.workspace.target.join("dist/documents"))?;
        let this = java::this_platform();
        let command = natives.iter().find(|one| one.platform == this);
        let command = command.ok_or_else(|| Failure(format!("no command was built for {this}")))?;
        let man = folder.join("man/man1");
        let completions = folder.join("completions");
        let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
        fs::create_dir_all(&man).and_then(|()| fs::create_dir_all(&completions)).map_err(cannot)?;
        workspace::run(Command::new(&command.command).arg("man").arg(&man))?;
        for (shell, file) in SHELLS {
            let said = Command::new(&command.command).args(["completions", shell]).output().map_err(cannot)?;
            if !said.status.success() {
                return Err(Failure(format!("`regiontrack completions {shell}` failed ({})", said.status)));
            }
            fs::write(completions.join(file), said.stdout).map_err(cannot)?;
        }
        Ok(folder)
    }
}

/// Returns an empty folder in place of the previous one.
fn clean(folder: &Path) -> Result<PathBuf, Failure> {
    let cannot = |e: std::io::Error| Failure(format!("{}: {e}", folder.display()));
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(cannot)?;
    }
    fs::create_dir_all(folder).map_err(cannot)?;
    Ok(folder.to_owned())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn listed(natives: &[Natives]) -> String {
    natives.iter().map(|one| one.platform.as_str()).collect::<Vec<_>>().join(", ")
}
