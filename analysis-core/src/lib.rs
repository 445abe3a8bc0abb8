//! RegionTrack's analyses.
//!
//! A checker that says, for one execution, which atomic regions did not behave atomically and whether the execution as
//! a whole was conflict serializable: sound and complete for the events that it sees. `ARCHITECTURE.md` has the
//! map; read [`event`], [`engine`] and [`engines`] first, then whatever your task needs.

pub mod clock;
pub mod engine;
pub mod engines;
pub mod event;
pub mod filter;
pub mod graph;
pub mod kept;
pub mod minimize;
pub mod options;
pub mod predict;
pub mod profile;
pub mod protocol;
pub mod provoke;
pub mod report;
pub mod spec;
pub mod trace;
pub mod tso;
pub mod witness;
pub mod workload;
