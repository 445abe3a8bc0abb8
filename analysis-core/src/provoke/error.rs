//! What can be wrong with a list of candidates or its file: the file, the line, the kind, each with what to do.

use super::model::State;
use crate::kept::{self, IoFault};

/// Why a list of candidates cannot be read or written.
pub type Error = kept::Error<Fault>;

/// What is wrong with a list of candidates.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file is empty.
    #[error("is empty; remove it, and compute it again: regiontrack candidates TRACE -o FILE")]
    Empty,
    /// The file begins with something else.
    #[error("is no list of candidates: expected 'regiontrack candidates 1' as its first line")]
    NoCandidates,
    /// A version that is not known.
    #[error("version '{0}' of the format; this RegionTrack reads version 1: use the one that has written it")]
    Version(String),
    /// The end is missing.
    #[error("is cut off: its last line is not 'end'; restore it, or remove it and compute it again")]
    Cut,
    /// Something follows the end.
    #[error("text after 'end'; remove it, or put it before that line")]
    AfterEnd,
    /// Not UTF-8.
    #[error("not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// What git leaves where both sides have changed something.
    #[error(
        "a conflict of a merge; write what both sides come from and the sides to files (git show :1:./FILE > BASE, \
         git show :2:./FILE > OURS, git show :3:./FILE > THEIRS) and join them: \
         regiontrack candidates merge --base BASE OURS THEIRS -o FILE"
    )]
    Conflict,
    /// A line that begins with another word.
    #[error(
        "unknown word '{0}'; expected one of block, candidate, end, enter, first, gate, hold, last, other, own, runs, step, variable"
    )]
    Word(String),
    /// A line of another form than its first word says.
    #[error("expected '{0}'")]
    Form(&'static str),
    /// A state that does not exist.
    #[error("unknown state '{0}'; expected one of {states}", states = State::ALL.map(State::name).join(", "))]
    State(String),
    /// A name that is not written as names are.
    #[error("'{0}' is no name; write white space but single spaces, control characters and backslashes as \\uXXXX")]
    Name(String),
    /// A place that is not written as places are.
    #[error(
        "'{0}' is no place; expected 'CLASS.METHOD:LINE ACTION NAME', without lines 'CLASS.METHOD(TYPES):@INDEX ACTION NAME', ACTION one of read, write, acquire, release"
    )]
    Place(String),
    /// A part of a candidate before the first one.
    #[error("'{0}' stands before the first candidate; put it behind the line 'candidate ..' of its own")]
    Outside(&'static str),
    /// A part that the candidate has already.
    #[error("a second line '{0}' of one candidate; remove one of them")]
    Twice(&'static str),
    /// A part that every candidate has.
    #[error("the candidate has no line '{0}'; add it")]
    Part(&'static str),
    /// Steps of a thread that is not the next one.
    #[error(
        "the threads of steps are 'b', 'c' and so on in the order in which they come; the next one is '{0}' at most"
    )]
    Thread(char),
    /// Steps of an object that is not the next one.
    #[error(
        "the objects of steps are 0 for that of the first place, and from 1 on in the order in which they come; the next one is {0} at most"
    )]
    Object(u8),
    /// A gate of a thread without steps.
    #[error("a line 'gate' of a thread that has no step above; put it behind the first step of its thread")]
    Gate,
    /// Steps that do not form a valid list.
    #[error(
        "there are at least two steps, the last of which is at the place 'other', and there is no line 'enter' beside them"
    )]
    Steps,
    /// An id that is not that of the candidate's places.
    #[error("the id is not that of the candidate's places; write {0}")]
    Id(String),
    /// A candidate that is there already.
    #[error("the candidate {0} is there already; remove one of them")]
    Again(String),
    /// Counts that no runs can have.
    #[error("no runs have these counts: expected met, at most held, at most tries")]
    Counts,
    /// A line that every file has.
    #[error("has no line '{0}'; add it")]
    Missing(&'static str),
    /// Something about the file.
    #[error(transparent)]
    Io(#[from] IoFault),
}
