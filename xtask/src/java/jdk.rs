//! The JDK that builds the agent: 17 or newer, with a compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages;
use crate::Failure;

/// The oldest JDK that can build.
const OLDEST: u32 = 17;
/// The package that provides one.
const PACKAGE: &str = "openjdk-17-jdk-headless";

/// A JDK.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Jdk {
    /// Its folder.
    pub(crate) home: PathBuf,
}

impl Jdk {
    /// Finds a JDK, or installs one.
    pub(crate) fn ensure() -> Result<Jdk, Failure> {
        if let Some(jdk) = Jdk::find() {
            return Ok(jdk);
        }
        packages::install("a JDK 17 or newer", PACKAGE)?;
        Jdk::find().ok_or_else(|| Failure("a JDK was installed but no javac is found".into()))
    }

    /// Returns `$JAVA_HOME`, the JDK of the `javac` on the path, or one in the platform's usual folders. A JDK 17 is
    /// preferred to a newer one, because Debian's Gradle does not run on newer ones.
    pub(crate) fn find() -> Option<Jdk> {
        let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
        let on_path = packages::on_path("javac").and_then(|javac| home_of(&javac));
        let homes = home.into_iter().chain(on_path).chain(packages::java_homes());
        let versions = homes.filter_map(|home| Some((version(&home)?, home))).filter(|(version, _)| *version >= OLDEST);
        // The first of the best: `min_by_key` keeps the earlier of equals.
        let (_, home) = versions.min_by_key(|(version, _)| *version != OLDEST)?;
        Some(Jdk { home })
    }

    /// Its `java`.
    pub(crate) fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// Its `javac`.
    pub(crate) fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }
}

/// The folder of the JDK of a program on the path, with symbolic links resolved.
fn home_of(program: &Path) -> Option<PathBuf> {
    Some(program.canonicalize().ok()?.parent()?.parent()?.to_owned())
}

/// Returns the version of its compiler, if it has one.
fn version(home: &Path) -> Option<u32> {
    let output = Command::new(home.join("bin/javac")).arg("-version").output().ok()?;
    major(&String::from_utf8_lossy(&[output.stdout, output.stderr].concat()))
}

/// The major version in `javac 17.0.15`.
fn major(text: &str) -> Option<u32> {
    let version = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    version.split(['.', '-', '+']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major("javac 17.0.15"), Some(17));
        assert_eq!(major("javac 25-ea"), Some(25));
        assert_eq!(major("Picked up JAVA_TOOL_OPTIONS: -Xmx1g\njavac 21.0.8\n"), Some(21));
        assert_eq!(major("javac 1.8.0_292"), Some(1), "too old in any case");
        assert_eq!(major("not found"), None);
    }
}
