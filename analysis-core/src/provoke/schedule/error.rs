//! What can be wrong with a schedule or its file: the file, the line, the kind, each with what to do.

use crate::kept::{self, IoFault};

/// Why a schedule cannot be read or written.
pub type Error = kept::Error<Fault>;

/// What is wrong with a schedule.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file is empty.
    #[error("is empty; restore it, or let regiontrack provoke write it again")]
    Empty,
    /// The file begins with something else.
    #[error("is no schedule: expected 'regiontrack schedule 1' as its first line")]
    NoSchedule,
    /// A version that is not known.
    #[error("version '{0}' of the format; this RegionTrack reads version 1: use the one that has written it")]
    Version(String),
    /// The end is missing.
    #[error("is cut off: its last line is not 'end'; restore it, or let regiontrack provoke write it again")]
    Cut,
    /// Something follows the end.
    #[error("text after 'end'; remove it, or put it before that line")]
    AfterEnd,
    /// Not UTF-8.
    #[error("not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// What git leaves where both sides have changed something.
    #[error("a conflict of a merge; keep one of both sides: git checkout --ours FILE")]
    Conflict,
    /// A line that begins with another word.
    #[error(
        "unknown word '{0}'; expected one of block, candidate, end, enter, finding, first, gate, hold, last, other, point, step, test, thread, variable"
    )]
    Word(String),
    /// A line of another form than its first word says.
    #[error("expected '{0}'")]
    Form(&'static str),
    /// A name that is not written as names are.
    #[error("'{0}' is no name; write white space but single spaces, control characters and backslashes as \\uXXXX")]
    Name(String),
    /// A place that is not written as places are.
    #[error(transparent)]
    Place(#[from] super::super::Fault),
    /// A line that is there already.
    #[error("a second line '{0}'; remove one of them")]
    Twice(String),
    /// A line that every schedule has.
    #[error("has no line '{0}'; add it")]
    Missing(&'static str),
    /// An id that is not that of the candidate's places.
    #[error("the id is not that of the candidate's places; write {0}")]
    Id(String),
    /// A point of a thread that is not there.
    #[error("there is no thread '{0}' above; add the line 'thread {0} ..'")]
    Thread(String),
    /// A point at a place that the candidate does not have.
    #[error(
        "'{0}' is no place of the candidate; expected one of first, hold, last, other, and step1 and so on if it has steps"
    )]
    Role(String),
    /// A point that cannot be there.
    #[error("thread {0} passes '{1}' {2} time{s} in two points; remove one of them", s = if *.2 == 1 { "" } else { "s" })]
    Again(String, String, u64),
    /// A single point.
    #[error("there is one point, and nobody to switch to; add another one, or remove it to hold any thread")]
    Alone,
    /// Something about the file.
    #[error(transparent)]
    Io(#[from] IoFault),
}
