//! The smallest sub-trace that still shows a finding.
//!
//! 1. *Cone*: the events of the witness, and what must stay with them for the trace to be well-formed: the other half
//!    of each begin and end, of each acquire and release ([`Cone`]; one pass, memory for what is kept and what is
//!    open).
//! 2. *Delta debugging* (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002) on the
//!    cone: whole threads, whole blocks with their contents, then runs of events, halves first ([`smallest`]).
//!
//! The unit of removal is an event, or a matched pair. Any selection of units of a well-formed trace is well-formed:
//! critical sections that did not overlap still do not, and a correct order stays correct. The result is 1-minimal:
//! without any one of its units the finding is lost. The default engine judges the finding ([`Goal`]).

mod cone;
mod goal;
mod reduce;

pub use cone::{Cone, Piece, Unit};
pub use goal::Goal;
pub use reduce::smallest;
