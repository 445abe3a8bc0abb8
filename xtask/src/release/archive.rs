//! Archives whose bytes depend only on their contents, and check sums.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::file_name;
use crate::{Failure, Outcome, files};

/// The file of check sums, in the format of `sha256sum --check`.
pub(super) const SUMS: &str = "SHA256SUMS";

/// A `.tar.gz` that is being written.
pub(super) struct Archive {
    path: PathBuf,
    tar: tar::Builder<GzEncoder<File>>,
    time: u64,
}

impl Archive {
    /// Creates an empty archive, in which every file has this time.
    pub(super) fn create(path: &Path, time: u64) -> Result<Archive, Failure> {
        let file = File::create(path).map_err(|e| Failure(format!("{}: {e}", path.display())))?;
        let tar = tar::Builder::new(GzEncoder::new(file, Compression::best()));
        Ok(Archive { path: path.to_owned(), tar, time })
    }

    /// Adds a file under a name.
    pub(super) fn file(&mut self, file: &Path, name: &str) -> Outcome {
        self.add(file, name, 0o644)
    }

    /// Adds an executable file under a name.
    pub(super) fn program(&mut self, file: &Path, name: &str) -> Outcome {
        self.add(file, name, 0o755)
    }

    /// Adds every file of a folder, in order of their names, below `name`.
    pub(super) fn folder(&mut self, folder: &Path, name: &str) -> Outcome {
        let mut all = Vec::new();
        files::walk(folder, Path::new(""), &mut all).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
        all.sort();
        all.iter().try_for_each(|file| {
            let below = file.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            self.file(&folder.join(file), &format!("{name}/{below}"))
        })
    }

    fn add(&mut self, file: &Path, name: &str, mode: u32) -> Outcome {
        let cannot = |e: io::Error| Failure(format!("{} into {}: {e}", file.display(), self.path.display()));
        let bytes = fs::read(file).map_err(cannot)?;
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(self.time);
        header.set_uid(0);
        header.set_gid(0);
        self.tar.append_data(&mut header, name, bytes.as_slice()).map_err(cannot)
    }

    /// Writes the end of the archive.
    pub(super) fn finish(self) -> Outcome {
        let Archive { path, tar, .. } = self;
        let done = tar.into_inner().and_then(GzEncoder::finish).and_then(|file| file.sync_all());
        done.map_err(|e| Failure(format!("{}: {e}", path.display())))
    }
}

/// Writes the check sums of a folder's files into the folder.
pub(super) fn sums(folder: &Path) -> Outcome {
    let cannot = |e: io::Error| Failure(format!("{}: {e}", folder.display()));
    let entries = fs::read_dir(folder).map_err(cannot)?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut text = String::new();
    for file in files.iter().filter(|file| file_name(file) != SUMS) {
        let _ = writeln!(text, "{}  {}", sha256(file)?, file_name(file));
    }
    fs::write(folder.join(SUMS), text).map_err(cannot)
}

/// Returns the check sum of a file, as text.
pub(super) fn sha256(file: &Path) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
    Ok(Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_of_the_same_files_has_the_same_bytes_and_keeps_what_can_be_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |name: &str, order: [&str; 2]| {
            let sources = folder.path().join(name);
            fs::create_dir_all(sources.join("more")).expect("made");
            for file in order {
                fs::write(sources.join("more").join(file), file).expect("written");
            }
            let path = folder.path().join(format!("{name}.tar.gz"));
            let mut archive = Archive::create(&path, 1_000_000_000).unwrap_or_else(|Failure(why)| panic!("{why}"));
            archive.program(&sources.join("more/b"), "top/run").expect("added");
            archive.folder(&sources, "top").expect("added");
            archive.finish().expect("finished");
            path
        };
        let (one, other) = (make("one", ["a", "b"]), make("other", ["b", "a"]));
        assert_eq!(sha256(&one).expect("a sum"), sha256(&other).expect("a sum"));
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(File::open(&one).expect("opened")));
        let entries = archive.entries().expect("entries").map(|entry| {
            let entry = entry.expect("an entry");
            let header = entry.header();
            let path = entry.path().expect("a path").display().to_string();
            (path, header.mode().expect("a mode"), header.mtime().expect("a time"))
        });
        let all: Vec<_> = entries.collect();
        let expected = [("top/run", 0o755), ("top/more/a", 0o644), ("top/more/b", 0o644)];
        assert_eq!(all, expected.map(|(name, mode)| (name.to_owned(), mode, 1_000_000_000)));
    }

    #[test]
    fn check_sums_are_of_every_file_but_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("b"), "abc").expect("written");
        fs::write(folder.path().join("a"), "").expect("written");
        for _ in 0..2 {
            sums(folder.path()).expect("written");
        }
        let text = fs::read_to_string(folder.path().join(SUMS)).expect("read");
        assert_eq!(
            text,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"
        );
    }
}
