//! Files of text that runs of a program keep for later ones, such as profiles: what they have in common.
//!
//! Many processes may end at once, and what each has learnt stays ([`update`]); no part of a file is one (`lines.rs`); names
//! may hold anything (`names.rs`).

mod error;
mod file;
pub(crate) mod lines;
pub(crate) mod names;

pub use error::{Error, IoFault};
pub use file::{Kept, change, read, update, write};
