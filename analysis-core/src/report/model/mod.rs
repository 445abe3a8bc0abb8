//! What was found: of a run or a trace as a whole, and of single events. It says nothing of what to think of that.

pub(super) mod application;
pub(super) mod attached;
pub(super) mod call;
pub(super) mod data;
pub(super) mod details;
pub(super) mod finding;
pub(super) mod guided;
pub(super) mod held;
pub mod identity;
pub(super) mod kind;
pub(super) mod predicted;
pub(super) mod provoked;
pub(super) mod replayed;
pub(super) mod report;
pub mod section;
pub(super) mod sifted;
pub(super) mod sources;
pub(super) mod stats;
pub(super) mod summary;
pub(super) mod watched;
pub(super) mod witness;
pub(super) mod words;
