//! The agent on real JVMs: programs run with and without it, on every JVM that `cargo xtask test` finds.
//!
//! `cargo xtask test` builds the jar and passes its path, the JVMs and the compiler in the variables that [`machine`]
//! reads. These tests run only if they are named (`test = false`).

mod advice;
mod agreement;
mod attach;
mod blocking;
mod bundles;
mod called;
mod candidates;
mod compiler;
mod doctor;
mod engines;
mod flags;
mod futures;
mod harness;
mod input;
mod junit;
mod known;
mod life;
mod machine;
mod mocks;
mod models;
mod modes;
mod modules;
mod order;
mod overlaps;
mod own;
mod packed;
mod platform;
mod policies;
mod predictions;
mod priorities;
mod profile;
mod programs;
mod provoke;
mod rare;
mod readme;
mod record;
mod recorded;
mod refine;
mod replay;
mod rounds;
mod run;
mod sampling;
mod scopes;
mod sections;
mod specs;
mod steps;
mod temporaries;
mod told;
mod tso;
mod unlined;
mod uses;
