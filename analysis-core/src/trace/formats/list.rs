//! The only list of formats, and how to find the format of a trace in it.
//!
//! # To add a format
//! Add a file or folder with a [`Source`](super::format::Source), a [`Sink`](super::format::Sink) and one `pub(super)
//! const FORMAT: Format`, and its line in [`FORMATS`].

use std::path::Path;

use super::format::Format;
use super::{binary, rapid, records, roadrunner};

#[cfg(test)]
mod tests;

/// Every format. They are tried from the last to the first: the later ones start in ways that nothing else does, while
/// many lines of text could belong to the first.
pub static FORMATS: [Format; 4] = [rapid::FORMAT, roadrunner::FORMAT, records::FORMAT, binary::FORMAT];

impl Format {
    /// Returns the format with that name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the format for the extension of a file name, ignoring `.gz`.
    pub fn of_path(path: &Path) -> Option<&'static Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (_, extension) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
        FORMATS.iter().find(|format| format.extensions.contains(&extension))
    }

    /// Returns the format to use if neither the name nor the contents show one.
    pub fn fallback() -> &'static Format {
        &FORMATS[0]
    }

    /// Returns the names of all formats, for a message.
    pub fn names() -> String {
        FORMATS.each_ref().map(|format| format.name).join(", ")
    }

    /// Returns the format of a trace that starts with `head`, if the bytes show it.
    pub(in crate::trace) fn of_head(head: &[u8]) -> Option<&'static Format> {
        FORMATS.iter().rev().find(|format| (format.recognises)(head))
    }
}
