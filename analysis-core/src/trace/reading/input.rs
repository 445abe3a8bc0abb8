//! An input: the bytes of a trace, and the format in which to read them.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::trace::files::data::Data;
use crate::trace::formats::format::Format;
use crate::trace::vocabulary::error::{ErrorKind, Place, TraceError};

#[cfg(test)]
mod tests;

/// The maximum number of bytes that decide the format. RoadRunner prints other lines before the first event.
const HEAD: u64 = 1 << 16;

/// A trace, which can be read any number of times.
#[derive(Debug)]
pub struct Input {
    data: Data,
    /// The format that the caller named.
    format: Option<&'static Format>,
}

impl Input {
    /// Opens the file at `path`, or standard input for `-`.
    pub fn open(path: &Path) -> Result<Input, TraceError> {
        Ok(Input { data: Data::open(path)?, format: None })
    }

    /// Stores everything that `reader` yields. Messages call the input `name`.
    pub fn spool(name: impl Into<Arc<str>>, reader: impl Read) -> Result<Input, TraceError> {
        Ok(Input { data: Data::spool(name, reader)?, format: None })
    }

    /// Returns the bytes.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the name of the input in messages.
    pub fn name(&self) -> &Arc<str> {
        self.data.name()
    }

    /// Sets the format, whatever the input looks like. `None` leaves the choice to [`Input::format`].
    pub fn with_format(mut self, format: Option<&'static Format>) -> Input {
        self.format = format;
        self
    }

    /// Returns the format: the one that was set, else the one that the first bytes show, else that of the file name. An
    /// empty trace, or one with only blank lines, is the same in every format.
    pub fn format(&self) -> Result<&'static Format, TraceError> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let mut head = Vec::new();
        // The reader reports damage later; here it only ends the first bytes.
        _ = self.data.reopen()?.take(HEAD).read_to_end(&mut head);
        let by_name = || Format::of_path(Path::new(&**self.name()));
        let blank = || head.trim_ascii().is_empty().then(Format::fallback);
        let format = Format::of_head(&head).or_else(by_name).or_else(blank);
        format.ok_or_else(|| TraceError {
            file: Arc::clone(self.name()),
            place: Place::File,
            kind: ErrorKind::UnknownFormat { known: Format::names() },
        })
    }

    /// Returns a reader of the decompressed bytes, from the start: see [`Data::reopen`].
    pub fn reopen(&self) -> Result<Box<dyn Read + Send>, TraceError> {
        self.data.reopen()
    }
}
