//! Files that the agent writes: process ids in their names, and locks against other processes.
//!
//! A program can start others, which read the same options from `JAVA_TOOL_OPTIONS`. The first process that writes a
//! file holds an advisory lock on it as long as it runs; another that would overwrite it chooses a different name.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

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

/// Opens `path` for this process alone and empties it. If another running process writes it, opens a file beside it and
/// says so. `key` is the option that names the file.
///
/// # Errors
/// The file cannot be written; one line.
pub(super) fn claim(key: &str, path: PathBuf) -> Result<(PathBuf, File), String> {
    if let Some(file) = open(key, &path)? {
        return Ok((path, file));
    }
    let own = beside(&path, std::process::id());
    let file = open(key, &own)?.ok_or_else(|| format!("{key}={}: another process writes it", own.display()))?;
    eprintln!(
        "regiontrack: {key}={}: another running process writes it; this one writes {}; use %p in the name for the process id",
        path.display(),
        own.display()
    );
    Ok((own, file))
}

/// `None` if another process has it.
fn open(key: &str, path: &Path) -> Result<Option<File>, String> {
    let cannot = |error: std::io::Error| format!("{key}={}: cannot be written: {error}", path.display());
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(cannot)?;
    // Pipes and devices can be shared.
    if file.metadata().is_ok_and(|data| data.is_file()) {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // On file systems without locks, files are written without one.
            Ok(()) | Err(TryLockError::Error(_)) => file.set_len(0).map_err(cannot)?,
        }
    }
    Ok(Some(file))
}

/// `run-17.std.gz` for `run.std.gz`: the extensions, which determine the format, stay at the end.
fn beside(path: &Path, process: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, rest) = match name[1.min(name.len())..].find('.') {
        Some(dot) => name.split_at(dot + 1),
        None => (&*name, ""),
    };
    path.with_file_name(format!("{stem}-{process}{rest}"))
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
            assert_eq!(beside(Path::new(name), 7), Path::new(own));
        }
    }

    #[test]
    fn a_file_that_another_writes_stays_whole_and_a_file_that_nobody_writes_is_emptied() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.json");
        std::fs::write(&path, "of an earlier run").expect("written");
        let (first, held) = claim("report", path.clone()).expect("claimed");
        assert_eq!((first.as_path(), std::fs::read_to_string(&path).ok().as_deref()), (path.as_path(), Some("")));
        std::fs::write(&path, "mine").expect("written");
        let (second, other) = claim("report", path.clone()).expect("claimed");
        assert_eq!(second, folder.path().join(format!("report-{}.json", std::process::id())));
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some("mine"));
        drop((held, other));
        let (third, _held) = claim("report", path.clone()).expect("claimed");
        assert_eq!(third, path);
    }

    #[test]
    fn devices_are_shared() {
        let path = PathBuf::from("/dev/null");
        let held = claim("report", path.clone()).expect("claimed");
        assert_eq!(claim("report", path.clone()).expect("claimed").0, held.0);
    }
}
