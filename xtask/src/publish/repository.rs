//! A repository in a folder, in Maven's layout: `dev/regiontrack/NAME/VERSION/NAME-VERSION.jar`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use md5::Md5;
use sha1::{Digest, Sha1};

use super::artifacts::{Artifact, Files, GROUP};
use super::pom;
use crate::{Failure, Outcome};

/// A repository to publish to.
pub(crate) struct Repository {
    /// Its folder, which is created if it does not exist.
    pub(crate) folder: PathBuf,
    /// Who reads it.
    pub(super) kind: Kind,
}

/// Who reads a repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Builds that name it by an address: files have checksums.
    Public,
    /// Only Maven, as what was installed on this machine.
    Local,
}

impl Repository {
    /// Puts an artifact there, replacing one of the same version.
    pub(super) fn put(&self, artifact: &Artifact, version: &str, files: &Files) -> Outcome {
        let id = artifact.id;
        let folder = self.group().join(id).join(version);
        let name = |end: &str| folder.join(format!("{id}-{version}{end}"));
        self.write(&name(".pom"), pom::pom(artifact, version).as_bytes())?;
        for (file, end) in [(&files.jar, ".jar"), (&files.sources, "-sources.jar"), (&files.javadoc, "-javadoc.jar")] {
            if let Some(file) = file {
                self.write(&name(end), &fs::read(file).map_err(|e| Failure(format!("{}: {e}", file.display())))?)?;
            }
        }
        let versions = versions(&self.group().join(id))?;
        self.write(&self.group().join(id).join(self.metadata()), pom::versions(id, &versions).as_bytes())
    }

    /// Writes the list of plugins.
    pub(super) fn put_plugins(&self, artifacts: &[Artifact]) -> Outcome {
        self.write(&self.group().join(self.metadata()), pom::plugins(artifacts).as_bytes())
    }

    /// The folder of the group.
    pub(crate) fn group(&self) -> PathBuf {
        self.folder.join(GROUP.replace('.', "/"))
    }

    fn metadata(&self) -> &'static str {
        match self.kind {
            Kind::Public => "maven-metadata.xml",
            Kind::Local => "maven-metadata-local.xml",
        }
    }

    fn write(&self, file: &Path, bytes: &[u8]) -> Outcome {
        let put = |file: &Path, bytes: &[u8]| {
            let folder = file.parent().expect("a file lies in a folder");
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(file, bytes))
                .map_err(|e| Failure(format!("{}: cannot be written: {e}", file.display())))
        };
        put(file, bytes)?;
        if self.kind == Kind::Public {
            let beside = |end: &str| PathBuf::from(format!("{}.{end}", file.display()));
            put(&beside("md5"), hexadecimal(&Md5::digest(bytes)).as_bytes())?;
            put(&beside("sha1"), hexadecimal(&Sha1::digest(bytes)).as_bytes())?;
        }
        Ok(())
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the versions in an artifact's folder, from the oldest by their numbers.
fn versions(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
    let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
    let mut versions: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let numbers =
        |version: &String| -> Vec<u64> { version.split(['.', '-']).map(|part| part.parse().unwrap_or(0)).collect() };
    versions.sort_by_key(|version| (numbers(version), version.clone()));
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::super::artifacts::ARTIFACTS;
    use super::*;

    #[test]
    fn what_is_published_has_its_place_and_its_checksums() {
        let folder = std::env::temp_dir().join(format!("regiontrack-repository-{}", std::process::id()));
        let repository = Repository { folder: folder.clone(), kind: Kind::Public };
        let jar = folder.join("built.jar");
        fs::create_dir_all(&folder).expect("made");
        fs::write(&jar, "abc").expect("written");
        let files = || Files { jar: Some(jar.clone()), ..Files::default() };
        for version in ["0.10.0", "0.9.0"] {
            repository.put(&ARTIFACTS[0], version, &files()).expect("put");
        }
        let own = repository.group().join("regiontrack-agent");
        let text = |name: &str| fs::read_to_string(own.join(name)).expect(name);
        assert_eq!(text("0.9.0/regiontrack-agent-0.9.0.jar"), "abc");
        assert_eq!(text("0.9.0/regiontrack-agent-0.9.0.jar.md5"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(text("0.9.0/regiontrack-agent-0.9.0.jar.sha1"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert!(text("0.9.0/regiontrack-agent-0.9.0.pom").contains("<version>0.9.0</version>"));
        assert!(text("maven-metadata.xml").contains("<release>0.10.0</release>"));
        fs::remove_dir_all(folder).expect("removed");
    }
}
