//! The binary trace: compact, quick to read, checked, and readable while it is being written. Files end in `.rtb`.
//!
//! `docs/trace-format.md` describes every byte. A file is a header and *frames*. A frame holds up to 65 536 events in
//! columns, and the names that they use first, compressed and with a check sum; so every whole frame of a file that is
//! still growing, or was cut, can be read. An end frame distinguishes a complete trace from a cut one.
//!
//! # After damage
//! Nothing after a damaged frame is read: without the lost events the others would describe another execution, and
//! blocks whose ends are missing would be blamed for events that were never inside them. The events before the damage
//! are a prefix of the execution, and the answers about a prefix are exact.

mod columns;
mod decode;
mod encode;
mod frames;
mod layout;
mod reader;

#[cfg(test)]
mod tests;

pub use crate::trace::vocabulary::damage::{Damage, Promised};
pub use encode::Writer;
pub use layout::{LONGEST_NAME, MOST_EVENTS, VERSION};
pub use reader::Reader;

use super::format::Format;

/// The format, for the list.
pub(super) const FORMAT: Format = Format {
    name: "rtb",
    extensions: &["rtb"],
    recognises: layout::is_start,
    reader: |input, pace| Ok(Box::new(Reader::open(input, pace)?)),
    writer: |output| Box::new(Writer::to(output)),
};
