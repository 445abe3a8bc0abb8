//! Reading and updating a file that runs keep. Many processes may end at once, and nothing that one has learnt is lost.
//!
//! An update holds a lock, that of `FILE.lock` in the same folder, from before it reads until after it has written. It
//! writes `FILE.new`, also in that folder, and renames it, so that a reader without the lock sees the old text or the
//! new one, and a process that is killed leaves the old one.
//!
//! The lock file is removed at the end, while the lock is held. Another process may have waited for the lock of a
//! removed file; so a lock counts only if its file, once locked, is still the one with that name. Where that cannot be
//! checked (on systems other than Unix), the file stays.

use std::fmt::Display;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Error, IoFault};

/// The content of such a file.
pub trait Kept: Sized {
    /// The faults that it can have.
    type Fault: Display + From<IoFault>;

    /// Parses its text; errors call the file `file`.
    ///
    /// # Errors
    /// If the text is not of this kind, or is incomplete.
    fn parse(text: &[u8], file: &str) -> Result<Self, Error<Self::Fault>>;

    /// Returns the text of its file.
    fn to_text(&self) -> String;
}

/// Reads a file. `None` if there is no file.
///
/// # Errors
/// If it cannot be read, or is of another kind.
pub fn read<K: Kept>(path: &Path) -> Result<Option<K>, Error<K::Fault>> {
    match fs::read(path) {
        Ok(text) => K::parse(&text, &path.display().to_string()).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, "read", error)),
    }
}

/// Replaces the content of a file by the result of `f`. Updates of one file, by any processes, are serialized. A
/// missing folder is created.
///
/// # Errors
/// If the file cannot be read, is of another kind, or cannot be written, and if `f` fails. Then the file is unchanged.
pub fn update<K, E>(path: &Path, f: impl FnOnce(Option<K>) -> Result<K, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    write(path, || f(read(path)?))
}

/// Like [`update`]; if `f` returns `None`, the file stays unchanged, to the last byte.
///
/// # Errors
/// As for [`update`].
pub fn change<K, E>(path: &Path, f: impl FnOnce(Option<K>) -> Result<Option<K>, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    locked(path, || f(read(path)?))
}

/// Like [`update`], but ignores the present content of the file.
///
/// # Errors
/// If the file cannot be written, and if `f` fails. Then it is unchanged.
pub fn write<K, E>(path: &Path, f: impl FnOnce() -> Result<K, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    locked(path, || f().map(Some))
}

/// Runs `f` while holding the lock of a file that has another form.
///
/// # Errors
/// If there can be no lock, and if `f` fails.
pub fn alone<T, E: From<io::Error>>(path: &Path, f: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let lock = lock_of(path);
    let _lock = Lock::of(&lock).map_err(|why| unlocked(&lock, why))?;
    f()
}

/// Like [`alone`]. As long as another process has the lock, `waits` is called again and again, and is to take its time; `None` if it says
/// no.
///
/// # Errors
/// As for [`alone`].
pub fn alone_after<T, E: From<io::Error>>(
    path: &Path,
    mut waits: impl FnMut() -> bool,
    f: impl FnOnce() -> Result<T, E>,
) -> Result<Option<T>, E> {
    let lock = lock_of(path);
    let _lock = loop {
        match Lock::try_of(&lock).map_err(|why| unlocked(&lock, why))? {
            Some(taken) => break taken,
            None if waits() => {}
            None => return Ok(None),
        }
    };
    f().map(Some)
}

/// The lock of a file: all names of one file lead to the same one.
fn lock_of(path: &Path) -> PathBuf {
    beside(&fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()), ".lock")
}

fn unlocked(lock: &Path, (what, error): (&str, io::Error)) -> io::Error {
    io::Error::new(error.kind(), format!("{}: cannot be {what}: {error}", lock.display()))
}

/// Writes what `f` returns, if anything, while holding the lock of the file, whatever is in it.
///
/// # Errors
/// If the file cannot be written, and if `f` fails. Then it is unchanged.
pub fn locked<K, E>(path: &Path, f: impl FnOnce() -> Result<Option<K>, E>) -> Result<(), E>
where
    K: Kept,
    E: From<Error<K::Fault>>,
{
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| failed(folder, "created", error))?;
    }
    let _lock = Lock::take(lock_of(path))?;
    let Some(kept) = f()? else { return Ok(()) };
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
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

/// Returns the path with `suffix` appended to the file name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A lock that is held until this is dropped.
struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    fn take<F: Display + From<IoFault>>(path: PathBuf) -> Result<Lock, Error<F>> {
        Lock::of(&path).map_err(|(what, error)| failed(&path, what, error))
    }

    /// The error case: what cannot be done.
    fn of(path: &Path) -> Result<Lock, (&'static str, io::Error)> {
        loop {
            let file = Lock::open(path)?;
            file.lock().map_err(|error| ("locked", error))?;
            if is_still_there(&file, path) {
                return Ok(Lock { path: path.to_owned(), file });
            }
        }
    }

    /// `None` if another process has it.
    fn try_of(path: &Path) -> Result<Option<Lock>, (&'static str, io::Error)> {
        loop {
            let file = Lock::open(path)?;
            match file.try_lock() {
                Ok(()) if is_still_there(&file, path) => return Ok(Some(Lock { path: path.to_owned(), file })),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(("locked", error)),
            }
        }
    }

    fn open(path: &Path) -> Result<File, (&'static str, io::Error)> {
        File::options().create(true).append(true).open(path).map_err(|error| ("created", error))
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

/// Returns whether the path leads to the open file.
#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.dev(), data.ino());
    let named = fs::metadata(path).map(identity);
    file.metadata().map(identity).is_ok_and(|open| named.is_ok_and(|named| named == open))
}

/// Here the lock file is never removed.
#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true
}
