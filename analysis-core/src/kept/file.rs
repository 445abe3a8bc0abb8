//! Reading and updating a file that runs keep. Many processes may end at once, and what each has learnt stays.
//!
//! An update holds a lock from before it reads until after it has written: that of `FILE.lock` beside the file. It writes
//! `FILE.new`, in the same folder, and renames it, so that a reader without the lock sees the old text or the new one, and a
//! process that is killed leaves the old one.
//!
//! The lock's file is removed at the end, while the lock is held. Another process may have waited for a file that is no longer
//! there; so the lock counts only if its file, once locked, is still the one that the name leads to. Where that cannot be asked
//! (on other systems than Unix) the file stays.

use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Error, IoFault};

/// What such a file holds.
pub trait Kept: Sized {
    /// What can be wrong with it.
    type Fault: Display + From<IoFault>;

    /// Reads its text; `file` is its name for errors.
    ///
    /// # Errors
    /// If the text is not of this sort, or not a whole one.
    fn parse(text: &[u8], file: &str) -> Result<Self, Error<Self::Fault>>;

    /// The text of its file.
    fn to_text(&self) -> String;
}

/// What is in a file; none if there is no file.
///
/// # Errors
/// If it cannot be read, or is of another sort.
pub fn read<K: Kept>(path: &Path) -> Result<Option<K>, Error<K::Fault>> {
    match fs::read(path) {
        Ok(text) => K::parse(&text, &path.display().to_string()).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, "read", error)),
    }
}

/// Writes to a file what `f` makes of what is in it. Updates of one file, by any processes, come one after the other. A
/// folder that is missing is made.
///
/// # Errors
/// If the file cannot be read, is of another sort, or cannot be written, and if `f` fails. Then the file is as it was.
pub fn update<K, E>(path: &Path, f: impl FnOnce(Option<K>) -> Result<K, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    write(path, || f(read(path)?))
}

/// The same; if `f` makes nothing of it, the file stays as it is, to the last byte.
///
/// # Errors
/// As those of [`update`].
pub fn change<K, E>(path: &Path, f: impl FnOnce(Option<K>) -> Result<Option<K>, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    locked(path, || f(read(path)?))
}

/// The same, whatever is in the file.
///
/// # Errors
/// If the file cannot be written, and if `f` fails. Then it is as it was.
pub fn write<K, E>(path: &Path, f: impl FnOnce() -> Result<K, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    locked(path, || f().map(Some))
}

/// Writes what `f` makes, if it makes something, while no other process has the lock of the file.
fn locked<K, E>(path: &Path, f: impl FnOnce() -> Result<Option<K>, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| failed(folder, "created", error))?;
    }
    // All names of one file lead to one lock.
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let _lock = Lock::take(beside(&real, ".lock"))?;
    let Some(kept) = f()? else { return Ok(()) };
    let new = beside(&real, ".new");
    let write = || {
        fs::write(&new, kept.to_text())?;
        if let Ok(old) = fs::metadata(&real) {
            fs::set_permissions(&new, old.permissions())?;
        }
        fs::rename(&new, &real)
    };
    write().map_err(|error| {
        _ = fs::remove_file(&new);
        failed(path, "written", error).into()
    })
}

fn failed<F: Display + From<IoFault>>(path: &Path, what: &'static str, error: io::Error) -> Error<F> {
    Error::of_file(&path.display().to_string(), IoFault(what, error).into())
}

/// A name beside that of a file.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Has the lock until it is dropped.
struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    fn take<F: Display + From<IoFault>>(path: PathBuf) -> Result<Lock, Error<F>> {
        loop {
            let open = || File::options().create(true).append(true).open(&path);
            let file = open().map_err(|error| failed(&path, "created", error))?;
            file.lock().map_err(|error| failed(&path, "locked", error))?;
            if is_still_there(&file, &path) {
                return Ok(Lock { path, file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if cfg!(unix) {
            _ = fs::remove_file(&self.path);
        }
        _ = self.file.unlock();
    }
}

/// True if the name leads to the open file.
#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    let named = fs::metadata(path).map(identity);
    file.metadata().map(identity).is_ok_and(|open| named.is_ok_and(|named| named == open))
}

/// Nobody removes it.
#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true
}
