//! Executions under TSO by the book: what conflicts with what, which executions a trace leaves open, which are serializable.
//!
//! After Enea and Farzan, "On Atomicity in Presence of Non-atomic Writes", TACAS 2016, sections 2 to 5. Nothing here is
//! shared with the product: events are compared pair by pair by the definition, and all placements of commits are tried.

pub mod definition;
pub mod orientations;
pub mod placements;
pub mod programs;
pub mod random;
