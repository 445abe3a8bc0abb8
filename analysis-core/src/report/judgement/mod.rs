//! The assessment of what was found: its name, how likely it is a bug, what to do.

pub(super) mod advice;
pub(super) mod baseline;
pub(super) mod causes;
pub(super) mod critical;
pub(super) mod delayed;
pub(super) mod explanation;
pub(super) mod findings;
pub(super) mod groups;
pub(super) mod handed;
pub(super) mod kind;
pub(super) mod locking;
pub(super) mod one_step;
pub(super) mod open;
pub mod rank;
pub(super) mod reason;
pub(super) mod retry;
pub(super) mod sieve;
pub(super) mod suppressions;
pub(super) mod waits;
