//! Reports: one model of what was found, printed in several formats ([`Format`]).
//!
//! [`Report`] is what is known of a run or of a trace: the agent builds it from what it kept while the program ran, the
//! command from an engine's [`Findings`](crate::engine::Findings) and a second reading of the trace for the few events
//! that the witnesses name ([`Details`]). [`text`] and [`run`] print it; [`json`] is the contract of `regiontrack check`,
//! which lists every violated block, and each finding by its id ([`identity`]). [`Answer`] decides verdict and exit code,
//! [`rank`] the order, and a [`Sieve`] which findings the user has suppressed or knows.
//!
//! Three layers, each of which imports only those before it: `model/` (what was found), `judgement/` (what to think of it)
//! and `formats/`.

mod formats;
mod judgement;
mod model;

#[cfg(test)]
mod tests;

pub use formats::format::{Document, Format};
pub use formats::provoked::{held_for, replay_of};
pub use formats::{delays, explain, json, predicted, run, saved, svg, text};
pub use judgement::advice::hints;
pub use judgement::baseline::Baseline;
pub use judgement::causes::Causes;
pub use judgement::explanation::{Explained, Explanation, Found};
pub(crate) use judgement::groups::by_event;
pub use judgement::one_step::advised;
pub use judgement::open::OpenBlocks;
pub use judgement::rank;
pub use judgement::sieve::Sieve;
pub use judgement::suppressions::{BadLine, Suppressions};
pub use judgement::waits::Waits;
pub use model::application::Application;
pub use model::attached::Attached;
pub use model::call::{Call, Hand, last_segments};
pub use model::data::{Data, Datum, Placed, Places};
pub use model::details::{Details, Ends, EventDetail};
pub use model::finding::{Enclosing, Finding};
pub use model::guided::{Guided, Part};
pub use model::held::{Accessed, Accesses, Did};
pub use model::identity::{self, Identity, Touched};
pub use model::kind::Kind;
pub use model::provoked::{Provoked, Random, Steered};
pub use model::replayed::Replayed;
pub use model::report::{Head, Kept, Report, Size, Source};
pub use model::section;
pub use model::sifted::{Compared, Entry, Expected, Sifted, Status, Suppressed, SuppressionUse};
pub use model::sources::Sources;
pub use model::summary::{Answer, Context, Instances, Loss, Summary, Verdict};
pub use model::watched::{Watched, WatchedMethod};
pub use model::witness::{Column, End, Row, Witness, WitnessEdge};
pub use model::words::{instruction, short, short_signature};
