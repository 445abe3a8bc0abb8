//! Errors in a profile or its file: the file, the line, the kind, each with what to do.

use super::model::{FactKind, SettingsDiffer};
use crate::kept::{self, IoFault};

/// Why a profile cannot be read or written.
pub type Error = kept::Error<Fault>;

/// What is wrong with a profile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file is empty.
    #[error("is empty; remove it, and the next run writes a new profile")]
    Empty,
    /// It begins differently.
    #[error("is no profile: expected 'regiontrack profile 1' as its first line")]
    NoProfile,
    /// An unknown version.
    #[error("version '{0}' of the format; this RegionTrack reads version 1: use the one that has written it")]
    Version(String),
    /// The end is missing.
    #[error("is cut off: its last line is not 'end'; restore it, or remove it and the next run writes a new one")]
    Cut,
    /// Something follows the end.
    #[error("text after 'end'; remove it, or put it before that line")]
    AfterEnd,
    /// Not UTF-8.
    #[error("not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// A conflict marker of git.
    #[error(
        "a conflict of a merge; write both sides to files (git show :2:./FILE > OURS, git show :3:./FILE > THEIRS) and \
         join them: regiontrack profile merge OURS THEIRS -o FILE"
    )]
    Conflict,
    /// A line that begins with another word.
    #[error("unknown word '{0}'; expected one of {words}", words = words())]
    Word(String),
    /// Like [`Fault::Word`], for what should be a fact.
    #[error("'{0}' is no kind of facts; expected one of {words}; what is of a class is dropped by --class", words = facts())]
    NoFact(String),
    /// A line whose form does not match its first word.
    #[error("expected '{0}'")]
    Form(&'static str),
    /// A name that is not encoded as names are.
    #[error("'{0}' is no name; write white space, control characters and backslashes as \\uXXXX")]
    Name(String),
    /// Two lines with different settings.
    #[error(transparent)]
    Settings(#[from] SettingsDiffer),
    /// A required line is missing.
    #[error("has no line '{0}'; add it")]
    Missing(&'static str),
    /// An error of the file system.
    #[error(transparent)]
    Io(#[from] IoFault),
}

/// Returns the words for kinds of facts.
fn facts() -> String {
    FactKind::ALL.map(FactKind::name).join(", ")
}

/// Returns the words with which lines begin.
fn words() -> String {
    let kinds = FactKind::ALL.map(FactKind::name);
    let mut words: Vec<&str> = kinds.into_iter().chain(["class", "runs", "settings", "end"]).collect();
    words.sort_unstable();
    words.join(", ")
}
