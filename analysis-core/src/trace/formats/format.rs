//! The contract of a format: its reader and writer, and how the format is recognised.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::ahead::Pace;
use crate::event::Event;
use crate::trace::files::data::Data;
use crate::trace::files::output::{Output, WriteError};
use crate::trace::vocabulary::error::{Place, TraceError};
use crate::trace::vocabulary::symbols::Symbols;

/// A trace format.
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The extensions of file names in the format.
    pub extensions: &'static [&'static str],
    /// Returns true for the first bytes of a trace in this format.
    pub(in crate::trace) recognises: fn(&[u8]) -> bool,
    /// Creates a reader of an input in this format. [`Source::written`] requires [`Pace::Located`].
    pub(in crate::trace) reader: fn(&Data, Pace) -> Opened,
    /// Creates a writer of this format.
    pub(in crate::trace) writer: fn(Output<'static>) -> Box<dyn Sink>,
}

/// A reader at the first event of its trace.
pub(in crate::trace) type Opened = Result<Box<dyn Source>, TraceError>;

/// A format's reader: events, names, and the place of each event.
pub(crate) trait Source: Send {
    /// Appends at most `most` events to `events` and returns how many: none only at the end of the trace.
    ///
    /// May append fewer. Events that precede an error are appended before the error is returned. After a
    /// [`Malformed`](crate::trace::Malformed), and only then, the next call continues after it.
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError>;

    /// Returns the place of event `index` of those that the last call of [`Source::read_batch`] appended.
    fn place(&self, index: usize) -> Place;

    /// Returns what the trace says about the one event that `read_batch(.., 1)` appended last. Requires
    /// [`Pace::Located`].
    fn written(&self) -> Written<'_>;

    /// Returns the names so far, and possibly some that will be used soon.
    fn symbols(&self) -> &Symbols;

    /// Returns the name of the file in messages.
    fn file(&self) -> &Arc<str>;
}

/// A format's writer.
pub(crate) trait Sink: Send {
    /// Writes an event. A rejected event leaves nothing behind.
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError>;

    /// Writes a note, if the format can hold one.
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

/// What a trace says about an event, in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The operation with its operand, in the notation of STD: `r(x)`.
    pub operation: Cow<'a, str>,
    /// The location; empty if the format has none.
    pub location: Cow<'a, str>,
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

/// Returns whether `is_line` recognises one of the lines of `head`.
pub(in crate::trace) fn has_line(head: &[u8], is_line: fn(&[u8]) -> bool) -> bool {
    head.split(|&byte| byte == b'\n').any(is_line)
}
