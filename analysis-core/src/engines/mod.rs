//! The engines, one folder each, and their only list.
//!
//! To add one: see [`crate::engine`].

pub mod aerodrome;
pub mod aerodrome_fast;
pub mod atomizer;
pub mod doublechecker;
pub mod oracle;
pub mod reach;
pub mod regiontrack;
pub mod regiontrack_trace;
pub mod velodrome;

use crate::engine::EngineSpec;

/// Every engine, in the order in which help and tables name them. The first is the default.
pub const ENGINES: &[EngineSpec] = &[
    reach::SPEC,
    regiontrack::SPEC,
    regiontrack_trace::SPEC,
    velodrome::SPEC,
    aerodrome::SPEC,
    aerodrome_fast::SPEC,
    doublechecker::SPEC,
    atomizer::SPEC,
    oracle::SPEC,
];

/// The engine that `regiontrack check` and the agent use when none is named.
pub fn default() -> &'static EngineSpec {
    &ENGINES[0]
}

/// The engine called `name`.
pub fn find(name: &str) -> Option<&'static EngineSpec> {
    ENGINES.iter().find(|spec| spec.name == name)
}
