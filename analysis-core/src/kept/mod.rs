//! The common part of text files that runs of a program keep for later runs, such as profiles.
//!
//! Many processes may end at once, and nothing that one has learnt is lost ([`update`]); no part of a file passes for a
//! whole one (`lines.rs`); names may contain any characters (`names.rs`).

mod error;
mod file;
pub(crate) mod lines;
pub(crate) mod names;

pub use error::{Error, IoFault};
pub use file::{Kept, alone, alone_after, change, locked, read, update, write};
