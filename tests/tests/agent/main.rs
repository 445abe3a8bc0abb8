//! The agent on real JVMs: programs run with it and without, on every JVM that `cargo xtask test` has found.
//!
//! `cargo xtask test` builds the jar and says where it is, which JVMs there are and which compiler: in the variables that
//! [`machine`] reads. These tests run only where they are named (`test = false`).

mod agreement;
mod compiler;
mod engines;
mod flags;
mod input;
mod life;
mod machine;
mod modules;
mod order;
mod programs;
mod readme;
mod record;
mod recorded;
mod specs;
mod temporaries;
