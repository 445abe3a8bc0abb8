//! The formats of traces: what a format's reader and writer do, how a format is recognised, and the only list.
//!
//! # To add a format
//! A file or folder with a [`Source`], a [`Sink`] and one `pub(super) const FORMAT: Format`, and its line in [`FORMATS`].

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::ahead::Pace;
use super::error::{Place, TraceError};
use super::input::Input;
use super::output::{Output, WriteError};
use super::symbols::Symbols;
use super::{binary, rapid, records, roadrunner};
use crate::event::{Event, Op};

#[cfg(test)]
mod tests;

/// Every format. They are tried from the last to the first: the later ones start in ways that nothing else does, while
/// many a line of text could belong to the first.
pub static FORMATS: [Format; 4] = [rapid::FORMAT, roadrunner::FORMAT, records::FORMAT, binary::FORMAT];

/// A way to write traces down.
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The extensions of file names that promise the format.
    pub extensions: &'static [&'static str],
    /// True for the first bytes of a trace in this format.
    pub(super) recognises: fn(&[u8]) -> bool,
    /// A reader of an input in this format. [`Source::written`] is for [`Pace::Located`].
    pub(super) reader: fn(&Input, Pace) -> Opened,
    /// A writer of this format.
    pub(super) writer: fn(Output<'static>) -> Box<dyn Sink>,
}

/// A reader at the first event of its trace.
pub(super) type Opened = Result<Box<dyn Source>, TraceError>;

/// A format's reader: events, names, and the place of each event.
pub(crate) trait Source: Send {
    /// Appends at most `most` events to `events` and says how many: none only at the end of the trace.
    ///
    /// Fewer may be appended. Events that precede an error are appended before it is returned. After a
    /// [`Malformed`](super::Malformed), and only then, the next call continues after it.
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError>;

    /// The place of event `index` of those that the last call of [`Source::read_batch`] appended.
    fn place(&self, index: usize) -> Place;

    /// What the trace says about the one event that `read_batch(.., 1)` appended last. Requires [`Pace::Located`].
    fn written(&self) -> Written<'_>;

    /// The names so far, and possibly some that will be used soon.
    fn symbols(&self) -> &Symbols;

    /// The file as messages call it.
    fn file(&self) -> &Arc<str>;
}

/// A format's writer.
pub(crate) trait Sink: Send {
    /// Writes an event. An event that is refused leaves nothing behind.
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError>;

    /// Writes a note, where the format can hold one.
    fn note(&mut self, _line: &str) -> Result<(), WriteError> {
        Ok(())
    }

    /// Makes everything written so far readable for others, if the format can be read while it grows.
    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(())
    }

    /// Writes what is still buffered. Without this call the trace is incomplete.
    fn finish(self: Box<Self>) -> Result<(), WriteError>;
}

/// What a trace says about an event, for a person to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The operation with its operand, in the notation of STD: `r(x)`.
    pub operation: Cow<'a, str>,
    /// The location; empty where the format has none.
    pub location: Cow<'a, str>,
}

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
    pub(super) fn of_head(head: &[u8]) -> Option<&'static Format> {
        FORMATS.iter().rev().find(|format| (format.recognises)(head))
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// True if one of the lines of `head` is recognised by `is_line`.
pub(super) fn has_line(head: &[u8], is_line: fn(&[u8]) -> bool) -> bool {
    head.split(|&byte| byte == b'\n').any(is_line)
}

/// The operation in the notation of STD, for formats that have another. Labels of ends are not known.
pub(crate) fn notation(op: Op, symbols: &Symbols) -> String {
    match op {
        Op::Read(x) => format!("r({})", symbols.var(x)),
        Op::Write(x) => format!("w({})", symbols.var(x)),
        Op::Acquire(l) => format!("acq({})", symbols.lock(l)),
        Op::Release(l) => format!("rel({})", symbols.lock(l)),
        Op::Fork(u) => format!("fork({})", symbols.thread(u)),
        Op::Join(u) => format!("join({})", symbols.thread(u)),
        Op::Begin(m) => symbols.label(m).map_or("begin".into(), |label| format!("begin({label})")),
        Op::End => "end".into(),
        Op::Fence => "fence".into(),
        Op::Commit(x) => format!("commit({})", symbols.var(x)),
        Op::Nop => "dummy(-)".into(),
    }
}
