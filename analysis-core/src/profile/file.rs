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

/// The profile in a file; none if there is no file.
///
/// # Errors
/// If it cannot be read, or is no profile.
pub fn read(path: &Path) -> Result<Option<Profile>, Error> {
    kept::read(path)
}

/// Writes to a file what `f` makes of the profile in it. Updates of one file, by any processes, come one after the other. A
/// folder that is missing is made.
///
/// # Errors
/// If the file cannot be read, is no profile, or cannot be written, and if `f` fails. Then the file is as it was.
pub fn update<E: From<Error>>(path: &Path, f: impl FnOnce(Option<Profile>) -> Result<Profile, E>) -> Result<(), E> {
    kept::update(path, f)
}

/// The same; if `f` makes nothing of it, the file stays as it is.
///
/// # Errors
/// As those of [`update`].
pub fn change<E: From<Error>>(
    path: &Path,
    f: impl FnOnce(Option<Profile>) -> Result<Option<Profile>, E>,
) -> Result<(), E> {
    kept::change(path, f)
}

/// The same, whatever is in the file.
///
/// # Errors
/// If the file cannot be written, and if `f` fails. Then it is as it was.
pub fn write<E: From<Error>>(path: &Path, f: impl FnOnce() -> Result<Profile, E>) -> Result<(), E> {
    kept::write(path, f)
}
