//! The only list of formats, and how the format of a trace is found in it.
//!
//! # To add a format
//! A file or folder with a [`Source`](super::format::Source), a [`Sink`](super::format::Sink) and one
//! `pub(super) const FORMAT: Format`, and its line in [`FORMATS`].

use std::path::Path;

use super::format::Format;
use super::{binary, rapid, records, roadrunner};

#[cfg(test)]
mod tests;

/// Every format. They are tried from the last to the first: the later ones start in ways that nothing else does, while
/// many a line of text could belong to the first.
pub static FORMATS: [Format; 4] = [rapid::FORMAT, roadrunner::FORMAT, records::FORMAT, binary::FORMAT];

impl Format {
    /// The format of that name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The format that the name of a file promises, `.gz` aside.
    pub fn of_path(path: &Path) -> Option<&'static Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (_, extension) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
        FORMATS.iter().find(|format| format.extensions.contains(&extension))
    }

    /// The format to use where neither a name nor contents promise one.
    pub fn fallback() -> &'static Format {
        &FORMATS[0]
    }

    /// The names of all, for a message.
    pub fn names() -> String {
        FORMATS.each_ref().map(|format| format.name).join(", ")
    }

    /// The format of a trace that starts with `head`, if the bytes tell.
    pub(in crate::trace) fn of_head(head: &[u8]) -> Option<&'static Format> {
        FORMATS.iter().rev().find(|format| (format.recognises)(head))
    }
}
