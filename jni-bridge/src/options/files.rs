//! Files that the agent writes: process ids in their names, and locks against other processes.
//!
//! A program can start others, which read the same options from `JAVA_TOOL_OPTIONS`, and a build starts one JVM after the
//! other with the same options. So a process never overwrites what another one is writing, and what another one has left
//! only if the user says so; otherwise it chooses a different name. A process that writes a file holds an advisory lock on
//! it as long as it runs.
//!
//! A name such as `/dev/stdout` can lead to the file that the program's own output goes to. What is there is the program's, so a report is
//! only added.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::stderr;

/// The path with `%p` replaced by the process id, `%t` by the time in seconds since 1970, `%%` by `%`.
pub(super) fn expanded(pattern: &str) -> PathBuf {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    expand(pattern, std::process::id(), since).into()
}

fn expand(pattern: &str, process: u32, time: u64) -> String {
    let mut path = String::new();
    let mut pieces = pattern.split('%');
    path.push_str(pieces.next().unwrap_or_default());
    while let Some(piece) = pieces.next() {
        match piece.chars().next() {
            Some('p') => path.push_str(&format!("{process}{}", &piece[1..])),
            Some('t') => path.push_str(&format!("{time}{}", &piece[1..])),
            // The part after the second of two `%`.
            None if pieces.clone().next().is_some() => {
                path.push('%');
                path.push_str(pieces.next().unwrap_or_default());
            }
            _ => path.push_str(&format!("%{piece}")),
        }
    }
    path
}

/// Why a file is not to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    /// Another process writes it.
    Written,
    /// Another process has left it.
    Left,
}

impl Taken {
    fn why(self) -> &'static str {
        match self {
            Taken::Written => "another running process writes it",
            Taken::Left => "it is there already",
        }
    }

    fn fix(self) -> &'static str {
        match self {
            Taken::Written => "use %p in the name for the process id",
            Taken::Left => "overwrite=true replaces it",
        }
    }
}

/// A file to write to.
#[derive(Debug)]
pub(super) struct Claimed {
    /// Where it is.
    pub(super) path: PathBuf,
    /// The open file.
    pub(super) file: File,
    /// Whether the program's standard output or standard error goes there, too.
    pub(super) is_shared: bool,
}

/// Opens `path` for this process alone, empty. If another running process writes it, or one has left something there that
/// is not to be overwritten, opens a file beside it and says so. `key` is the option that names the file.
///
/// # Errors
/// The file cannot be written; one line.
pub(super) fn claim(key: &str, path: PathBuf, overwrite: bool) -> Result<Claimed, String> {
    let taken = match open(key, &path, overwrite)? {
        Ok((file, is_shared)) => return Ok(Claimed { path, file, is_shared }),
        Err(taken) => taken,
    };
    // Process ids are reused, so the names that they give can be taken, too.
    for number in 1_u64.. {
        let own = beside(&path, std::process::id(), number);
        if let Ok((file, is_shared)) = open(key, &own, overwrite)? {
            stderr::line(format_args!(
                "regiontrack: {key}={}: {}; this one writes {}; {}",
                path.display(),
                taken.why(),
                own.display(),
                taken.fix()
            ));
            return Ok(Claimed { path: own, file, is_shared });
        }
    }
    unreachable!("a folder has fewer files than there are numbers")
}

/// Opens a file; also says whether the program's output goes there, too.
fn open(key: &str, path: &Path, overwrite: bool) -> Result<Result<(File, bool), Taken>, String> {
    let cannot = |error: std::io::Error| format!("{key}={}: cannot be written: {error}", path.display());
    let (file, is_new) = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => (file, true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            // It can have been removed since.
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(cannot)?;
            (file, false)
        }
        Err(error) => return Err(cannot(error)),
    };
    let data = file.metadata().map_err(cannot)?;
    // Pipes and devices can be shared.
    if !data.is_file() {
        return Ok(Ok((file, false)));
    }
    if let Some(stream) = standard(&data) {
        return Ok(Ok((stream, true)));
    }
    let is_empty = match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(Err(Taken::Written)),
        // The previous holder of the lock may have written since the file was opened.
        Ok(()) => file.metadata().map_err(cannot)?.len() == 0,
        // On file systems without locks, the process that made a file may be about to write it.
        Err(TryLockError::Error(_)) => is_new,
    };
    if !is_empty && !overwrite {
        return Ok(Err(Taken::Left));
    }
    file.set_len(0).map_err(cannot)?;
    Ok(Ok((file, false)))
}

/// The standard output or standard error of the process that goes to this file. It writes where that one has come to, so neither
/// overwrites what the other has written.
#[cfg(unix)]
fn standard(data: &Metadata) -> Option<File> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let streams = [std::io::stdout().as_fd().try_clone_to_owned(), std::io::stderr().as_fd().try_clone_to_owned()];
    let is_there = |other: Metadata| (other.dev(), other.ino()) == (data.dev(), data.ino());
    streams.into_iter().flatten().map(File::from).find(|stream| stream.metadata().is_ok_and(is_there))
}

/// Elsewhere no name leads to them.
#[cfg(not(unix))]
fn standard(_: &Metadata) -> Option<File> {
    None
}

/// `run-17.std.gz` for `run.std.gz`, and `run-17-2.std.gz` if that is taken: the extensions, which determine the format, stay
/// at the end.
fn beside(path: &Path, process: u32, number: u64) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, rest) = match name[1.min(name.len())..].find('.') {
        Some(dot) => name.split_at(dot + 1),
        None => (&*name, ""),
    };
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    path.with_file_name(format!("{stem}-{process}{number}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_the_process_and_the_time() {
        assert_eq!(expand("run-%p-%t.json", 17, 99), "run-17-99.json");
        assert_eq!(expand("%p%%p%%%t%x%", 17, 99), "17%p%99%x%");
        assert_eq!(expand("plain", 17, 99), "plain");
        assert_eq!(expand("%%", 17, 99), "%");
    }

    #[test]
    fn a_different_name_keeps_the_extensions_that_determine_the_format() {
        for (name, own) in
            [("a/run.std.gz", "a/run-7.std.gz"), ("report", "report-7"), (".hidden.json", ".hidden-7.json")]
        {
            assert_eq!(beside(Path::new(name), 7, 1), Path::new(own));
        }
        assert_eq!(beside(Path::new("a/run.std.gz"), 7, 2), Path::new("a/run-7-2.std.gz"));
    }

    /// A folder, and the files in it that a claim of `report.json` can lead to.
    fn folder() -> (tempfile::TempDir, [PathBuf; 3]) {
        let folder = tempfile::tempdir().expect("a folder");
        let id = std::process::id();
        let names = ["report.json".to_owned(), format!("report-{id}.json"), format!("report-{id}-2.json")];
        let paths = names.map(|name| folder.path().join(name));
        (folder, paths)
    }

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).expect("a file")
    }

    #[test]
    fn what_another_process_has_left_or_writes_stays_whole() {
        let (_folder, [path, second, third]) = folder();
        std::fs::write(&path, "of an earlier run").expect("written");
        let Claimed { path: own, file: _held, .. } = claim("report", path.clone(), false).expect("claimed");
        assert_eq!((&own, text(&path)), (&second, "of an earlier run".to_owned()));
        std::fs::write(&own, "mine").expect("written");
        let Claimed { path: other, file: _held, .. } = claim("report", path.clone(), false).expect("claimed");
        assert_eq!((&other, text(&second), text(&other)), (&third, "mine".to_owned(), String::new()));
    }

    #[test]
    fn an_empty_file_that_nobody_writes_is_taken() {
        let (_folder, [path, second, _]) = folder();
        std::fs::write(&path, "").expect("written");
        let Claimed { path: own, file: _held, .. } = claim("report", path.clone(), false).expect("claimed");
        assert_eq!(own, path);
        assert_eq!(claim("report", path, false).expect("claimed").path, second);
    }

    #[test]
    fn overwriting_replaces_what_was_left_and_nothing_that_is_written() {
        let (_folder, [path, second, _]) = folder();
        std::fs::write(&path, "of an earlier run").expect("written");
        let Claimed { path: own, file: _held, .. } = claim("report", path.clone(), true).expect("claimed");
        assert_eq!((&own, text(&own)), (&path, String::new()));
        std::fs::write(&path, "mine").expect("written");
        let Claimed { path: other, file: _other, .. } = claim("report", path.clone(), true).expect("claimed");
        assert_eq!((&other, text(&path)), (&second, "mine".to_owned()));
    }

    #[test]
    fn devices_are_shared() {
        let path = PathBuf::from("/dev/null");
        let held = claim("report", path.clone(), false).expect("claimed");
        assert_eq!(claim("report", path.clone(), false).expect("claimed").path, held.path);
    }
}
