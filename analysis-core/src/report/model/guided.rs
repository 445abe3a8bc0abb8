//! How much of a program was watched, if earlier runs determined what its threads share.

use serde::{Deserialize, Serialize};

/// What a run that was guided by a profile watched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guided {
    /// The file of the profile.
    pub profile: String,
    /// How many runs it came from, before this one.
    pub runs: u64,
    /// Fields that the loaded classes declare.
    pub fields: Part,
    /// Places that access elements of arrays.
    pub arrays: Part,
    /// Calls of the library that have a model.
    pub calls: Part,
    /// Places that enter monitors.
    pub monitors: Part,
    /// Atomic methods.
    pub blocks: Part,
    /// Classes that were watched whole because they are new or have changed.
    pub new_classes: u64,
    /// Classes that were watched whole because they are in the slice of this run.
    pub slice_classes: u64,
}

/// How many of them there are, and how many were watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Those that were.
    pub watched: u64,
    /// All.
    pub all: u64,
}
