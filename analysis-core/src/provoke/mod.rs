//! What could have gone wrong, to be made to go wrong: candidates for violations, and the file that keeps them.
//!
//! A *candidate* is two places `first` and `last` of one variable or lock, which a thread passes in this order in one instance of
//! a block, and a place `other` of the same variable at which another thread may come between, because nothing forces another
//! order. A run that is steered (`provoke=FILE`) holds a thread that has passed `first` until another one has passed `other`. If
//! a violation takes more than that, because it goes through third threads or variables of several objects, the candidate has
//! *steps*: what the others pass, in their order. Only timing changes, so what an engine then finds has happened. A candidate
//! that cannot happen costs runs, and never makes a finding.
//!
//! | file | what |
//! |---|---|
//! | `place.rs` | places in the program, and how they are written |
//! | `model.rs` | a candidate, what became of it, all of them; how a run adds to them, how two lists are merged |
//! | `parts.rs` | reads the lines of a candidate |
//! | `text.rs` | the text of a file of candidates |
//! | `finder/` | from an execution to candidates |
//! | `schedule/` | in which order threads passed the places of a candidate when it happened |
//! | `file.rs` | the file, which many processes may update at once ([`crate::kept`]) |

mod error;
mod file;
pub mod finder;
mod model;
mod parts;
mod place;
pub mod schedule;
mod text;

#[cfg(test)]
mod tests;

pub use error::{Error, Fault};
pub use file::{read, update, write};
pub use model::{Candidate, Candidates, Outcome, Rank, State, Step, Trials};
pub use place::{Action, Place};
