//! What every part of [`trace`](super) speaks of: names, notes, and what can be wrong with a trace.

pub(super) mod damage;
pub mod diagnostics;
pub mod error;
pub(super) mod ill_formed;
pub(super) mod location;
pub(super) mod notation;
pub mod notes;
pub(super) mod one_line;
pub mod symbols;
