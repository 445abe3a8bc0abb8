//! The engines, one folder each, and the only list of them.
//!
//! See [`crate::engine`] for how to add one.

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

/// Every engine, in the order used by help and tables. The first is the default.
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

/// Returns the engine that `regiontrack check` and the agent use if none is named.
pub fn default() -> &'static EngineSpec {
    &ENGINES[0]
}

/// Returns the engine called `name`.
pub fn find(name: &str) -> Option<&'static EngineSpec> {
    ENGINES.iter().find(|spec| spec.name == name)
}
