//! The file of a profile.

use std::path::Path;

use super::error::{Error, Fault};
use super::model::Profile;
use crate::kept::{self, Kept};

impl Kept for Profile {
    type Fault = Fault;

    fn parse(text: &[u8], file: &str) -> Result<Profile, Error> {
        Profile::parse(text, file)
    }

    fn to_text(&self) -> String {
        Profile::to_text(self)
    }
}

/// Reads the profile in a file. `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, or is not a profile.
pub fn read(path: &Path) -> Result<Option<Profile>, Error> {
    kept::read(path)
}

/// Replaces the profile in a file by the result of `f`. Updates of one file, by any processes, are serialized. A
/// missing folder is created.
///
/// # Errors
/// If the file cannot be read, is not a profile, or cannot be written, and if `f` fails. Then the file is unchanged.
pub fn update<E: From<Error>>(path: &Path, f: impl FnOnce(Option<Profile>) -> Result<Profile, E>) -> Result<(), E> {
    kept::update(path, f)
}

/// Like [`update`]; if `f` returns `None`, the file stays unchanged.
///
/// # Errors
/// As for [`update`].
pub fn change<E: From<Error>>(
    path: &Path,
    f: impl FnOnce(Option<Profile>) -> Result<Option<Profile>, E>,
) -> Result<(), E> {
    kept::change(path, f)
}

/// Like [`update`], but ignores the present content of the file.
///
/// # Errors
/// If the file cannot be written, and if `f` fails. Then it is unchanged.
pub fn write<E: From<Error>>(path: &Path, f: impl FnOnce() -> Result<Profile, E>) -> Result<(), E> {
    kept::write(path, f)
}
