//! The file of candidates.

use std::path::Path;

use super::error::{Error, Fault};
use super::model::Candidates;
use crate::kept::{self, Kept};

impl Kept for Candidates {
    type Fault = Fault;

    fn parse(text: &[u8], file: &str) -> Result<Candidates, Error> {
        Candidates::parse(text, file)
    }

    fn to_text(&self) -> String {
        Candidates::to_text(self)
    }
}

/// Reads the candidates in a file; `None` if there is no file.
///
/// # Errors
/// If it cannot be read, or is no list of candidates.
pub fn read(path: &Path) -> Result<Option<Candidates>, Error> {
    kept::read(path)
}

/// Replaces the candidates in a file by what `f` makes of them. Updates of one file, by any processes, come one after the
/// other. Creates a missing folder.
///
/// # Errors
/// If the file cannot be read, is no list of candidates, or cannot be written, and if `f` fails. Then the file is as it was.
pub fn update<E: From<Error>>(
    path: &Path,
    f: impl FnOnce(Option<Candidates>) -> Result<Candidates, E>,
) -> Result<(), E> {
    kept::update(path, f)
}

/// Like [`update`], whatever is in the file.
///
/// # Errors
/// If the file cannot be written, and if `f` fails. Then it is as it was.
pub fn write<E: From<Error>>(path: &Path, f: impl FnOnce() -> Result<Candidates, E>) -> Result<(), E> {
    kept::write(path, f)
}
