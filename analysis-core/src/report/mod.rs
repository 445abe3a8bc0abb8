//! Reports: one model of what was found, printed as text or as JSON.
//!
//! [`Report`] is what is known of a run or of a trace: the agent builds it from what it kept while the program ran, the
//! command from an engine's [`Findings`](crate::engine::Findings) and a second reading of the trace for the few events
//! that the witnesses name ([`Details`]). [`text`] and [`run`] print it; [`json`] is the contract of `regiontrack check`,
//! which lists every violated block and needs no second reading. [`Answer`] decides verdict and exit code, [`rank`] the
//! order.

mod advice;
mod call;
pub mod delays;
mod details;
pub mod explain;
mod explanation;
pub mod json;
mod guided;
mod kind;
mod model;
mod one_step;
mod open;
pub mod predicted;
pub mod rank;
pub mod run;
mod summary;
pub mod svg;
mod table;
#[cfg(test)]
mod tests;
pub mod text;
mod waits;
mod watched;

pub use call::{Call, last_segments};
pub use details::{Details, Ends, EventDetail};
pub use explanation::{Explained, Explanation, Found};
pub use kind::Kind;
pub(crate) use model::by_event;
pub use model::{Column, Enclosing, End, Finding, Head, Report, Row, Size, Source, Witness, WitnessEdge, hints, short};
pub use open::OpenBlocks;
pub use rank::Application;
pub use summary::{Answer, Context, Instances, Loss, Summary, Verdict};
pub use waits::Waits;
pub use guided::{Guided, Part};
pub use watched::{Watched, WatchedMethod};
