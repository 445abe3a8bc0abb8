//! Reports: one model of what was found, printed as text or as JSON.
//!
//! An engine's [`Findings`](crate::engine::Findings) are numbers. [`Summary`] puts the trace's verdict and counts beside
//! them, which is all that the JSON of `regiontrack check` needs ([`json`]). For a person, [`Details`] reads the trace a
//! second time for the few events that the witnesses name, and [`Report`] groups and ranks (`model.rs`); [`text`] prints.

mod advice;
mod details;
pub mod explain;
mod explanation;
pub mod json;
mod kind;
mod model;
mod open;
pub mod run;
mod summary;
pub mod svg;
mod table;
#[cfg(test)]
mod tests;
pub mod text;

pub use details::{Details, Ends, EventDetail};
pub use explanation::{Explained, Explanation, Found};
pub use kind::Kind;
pub(crate) use model::by_event;
pub use model::{Column, End, Finding, Report, Row, Witness, WitnessEdge, rarer, short};
pub use open::OpenBlocks;
pub use summary::{Instances, Summary, Verdict};
