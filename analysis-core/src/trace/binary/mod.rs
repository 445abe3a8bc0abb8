//! The binary trace: compact, quick to read, checked, and readable while it is being written. Files end in `.rtb`.
//!
//! `docs/trace-format.md` has every byte. A file is a header and *frames*. A frame holds up to 65 536 events in columns
//! and the names that they are the first to use, compressed, under a check sum; so all whole frames of a file that
//! grows, or was cut, can be read. An end frame tells a trace that is complete from one that was cut.
//!
//! # After damage
//! Nothing after a damaged frame is read: without the events that were lost the others would tell of another execution,
//! and blocks whose ends are missing would be blamed for what was never inside them. The events before are a prefix of
//! the execution, and what is said of a prefix is exact.

mod chunk;
mod damage;
mod decode;
mod encode;
mod frames;
mod layout;
mod names;
mod reader;
mod source;
mod stream;
mod tag;
mod varint;
mod writer;

#[cfg(test)]
mod tests;

pub use damage::{Damage, Promised};
pub(super) use layout::is_start;
pub use layout::{LONGEST_NAME, MOST_EVENTS, VERSION};
pub use reader::Reader;
pub use writer::Writer;
