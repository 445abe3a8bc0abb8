//! The vocabulary of [`trace`](super): names, notes, and errors in a trace.

pub(super) mod damage;
pub mod diagnostics;
pub mod error;
pub(super) mod ill_formed;
pub(super) mod location;
pub(super) mod notation;
pub mod notes;
pub(super) mod one_line;
pub mod symbols;
