//! The formats of traces: what a format is ([`format`](format::Format)), a file or folder for each, the only list of
//! them (`list.rs`), and shared code.

pub(super) mod ahead;
pub mod binary;
pub(super) mod format;
pub(super) mod list;
pub mod rapid;
mod records;
mod roadrunner;
mod text;
pub(super) mod writer;
