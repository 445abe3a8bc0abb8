//! RegionTrack's analyses.
//!
//! A checker that says, for one execution, which atomic regions did not behave atomically and whether the execution as
//! a whole was conflict serializable: sound and complete for the events that it is given. `ARCHITECTURE.md` has the
//! map; the order to read in is [`event`], [`engine`], [`engines`], then whatever the work at hand needs.

pub mod clock;
pub mod engine;
pub mod engines;
pub mod event;
pub mod filter;
pub mod graph;
pub mod minimize;
pub mod protocol;
pub mod report;
pub mod spec;
pub mod trace;
pub mod witness;
pub mod workload;
