//! Profiles: what earlier runs of a program have seen its threads share, that is, which variables, locks and blocks a
//! later run has to watch.
//!
//! A run that watches everything learns which variables its threads share; most are never shared. A later run watches
//! those, what is new or changed since, and a slice of the rest. A [`Profile`] is what the runs have learnt. It
//! identifies a class by the checksum of its bytes, so that a changed class can be watched in full, and records how
//! much there was to watch in it. A *fact* names something that was seen shared; the meaning of its text is up to the
//! writer.
//!
//! | file | what |
//! |---|---|
//! | `model.rs` | the profile; how a run adds to it, how two are merged |
//! | `chains.rs` | superclasses, and the slice of a class |
//! | `text.rs` | the text of its file |
//! | `file.rs` | the file, which many processes may update at once ([`crate::kept`]) |
//!
//! What counts as shared, and what a run that watches only shared things can find, is specified on traces:
//! [`crate::filter::guided`].

mod chains;
mod error;
mod file;
mod model;
mod text;

#[cfg(test)]
mod tests;

pub use chains::sum;
pub use error::{Error, Fault};
pub use file::{change, read, update, write};
pub use model::{ALL_BLOCKS, Class, Counts, Fact, FactKind, Profile, SettingsDiffer};
