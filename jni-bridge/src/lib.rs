//! The native library of the agent, between the program's threads and the engines.
//!
//! In *stream mode* the threads of the program write records into rings ([`rings`]); the analysis, a separate thread,
//! merges them and feeds an engine ([`analysis`]). In *dependency mode* they call the engine themselves, wherever they
//! take a new dependency ([`items`]). When the VM dies the report is written ([`report`]). `java-agent/README.md`
//! describes the interface from the Java side.
//!
//! | concern | module |
//! |---|---|
//! | the natives of `NativeBridge`, one error policy for all | [`exports`], `policy` |
//! | options of the agent, as data | [`options`] |
//! | life cycle | [`session`], `shared` |
//! | stream mode: rings and their threads, back-pressure | [`writers`], [`rings`] |
//! | stream mode: streams, merge, engine | [`analysis`], `streams`, `feed`, `trace` |
//! | stream mode: the end of a run whose threads are still running | `ending` |
//! | dependency mode: buffers, counters, one lock | [`items`] |
//! | dependency mode: blocks, engine | `feed` |
//! | names of sites, types, threads | [`names`] |
//! | findings, grouped as they are found | `tally`, `witness` |
//! | what other schedules could have violated | `predictions` |
//! | what was not observed | [`observed`] |
//! | which violations belong to a test | `scopes`, `told` |
//! | what a run is steered to, and the results; the schedule that a run replays | [`provoke`], [`replay`] |
//! | progress lines while the program runs | `progress` |
//! | lines on standard error, which may be closed | `stderr` |
//! | the report at the end | [`report`] |
//! | the VM's death | `vm_events` |
//!
//! The modules form layers, and none uses one above it: `exports` and `policy`; `session`; `report`, `told`, `writers`, `items`;
//! `analysis`; `outcome`; `feed`; `streams`, `trace`, `tally`, `witness`, `predictions`; `scopes`, `shared`, `names`, `observed`, `options`,
//! `ending`, `provoke`, `replay`; `progress`, `rings`, `codes`, `panics`, `stderr`.
//!
//! No export lets a panic cross JNI, and the analysis never calls JNI.

// `eprintln!` panics if standard error is closed or full.
#![warn(clippy::print_stderr)]

pub mod analysis;
pub mod codes;
mod ending;
pub mod exports;
mod feed;
mod internals;
pub mod items;
mod models;
pub mod names;
pub mod observed;
pub mod options;
mod outcome;
mod panics;
mod policy;
mod predictions;
pub mod profile;
mod progress;
pub mod provoke;
pub mod replay;
pub mod report;
pub mod rings;
mod sampling;
mod scopes;
pub mod session;
mod shared;
mod stderr;
mod streams;
mod tally;
mod told;
mod trace;
mod unmodelled;
mod vm_events;
mod witness;
pub mod writers;

#[cfg(test)]
mod tests;
