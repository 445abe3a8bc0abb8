//! Checks the predictive algorithms against the definitions: all interleavings that synchronization allows, one by one.
//!
//! Wang and Stoller define atomicity of a set of units over all traces of the units. For a few units of a few events these
//! can be enumerated ([`Interleavings`]). The algorithms are judged by them on random small sets of units ([`small`]).

mod interleavings;
pub mod small;

pub use interleavings::{Interleavings, for_each};
