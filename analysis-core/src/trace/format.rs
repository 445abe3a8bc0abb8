//! The formats of traces: what a format's reader gives, how a format is told by its first bytes, and the only list.
//!
//! # To add a format
//! A folder or file beside [`std`](super::std) with a [`Source`] and a [`Sink`], a variant of [`Format`] and its row in
//! each `match` below.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::ahead::Pace;
use super::binary;
use super::error::{Place, TraceError};
use super::input::Input;
use super::output::{Output, WriteError};
use super::symbols::Symbols;
use super::{records, roadrunner, std as rapid};
use crate::event::{Event, Op};

#[cfg(test)]
mod tests;

/// How traces are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line an event, `T0|r(x)|location`: [`std`](super::std).
    Std,
    /// What RoadRunner's tool `Print` prints, `@  Rd(0,x)  shadow  location`: `roadrunner`.
    RoadRunner,
    /// RegionTrack's records of 12 bytes: `records`.
    Records,
    /// Compressed frames, readable while they are written: [`binary`](super::binary).
    Binary,
}

/// A format's reader: events, names, and where each event stands.
pub(crate) trait Source: Send {
    /// Appends at most `most` events to `events` and says how many: none only at the end of the trace.
    ///
    /// Fewer may come. Events that precede an error are appended before it is returned. After a
    /// [`Malformed`](super::Malformed), and only then, who calls again gets what follows it.
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError>;

    /// The place of event `index` of those that the last call of [`Source::read_batch`] appended.
    fn place(&self, index: usize) -> Place;

    /// What the trace says, beyond the event, of the one event that `read_batch(.., 1)` appended last. Only from a reader
    /// of [`Pace::Located`].
    fn written(&self) -> Written<'_>;

    /// The names so far, and maybe some that come soon.
    fn symbols(&self) -> &Symbols;

    /// The file as messages call it.
    fn file(&self) -> &Arc<str>;
}

/// A format's writer.
pub(crate) trait Sink: Send {
    /// Writes an event. An event that is refused leaves nothing behind.
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError>;

    /// Makes what was written so far readable for others, where the format can be read while it grows.
    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(())
    }

    /// Writes what is still in buffers. Without it the trace is incomplete.
    fn finish(self: Box<Self>) -> Result<(), WriteError>;
}

/// What a trace says of an event for a person to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The operation with its operand, in the notation of STD: `r(x)`.
    pub operation: Cow<'a, str>,
    /// The location; empty where the format has none.
    pub location: Cow<'a, str>,
}

impl Format {
    /// All, in the order in which they are listed to users.
    pub const ALL: [Format; 4] = [Format::Std, Format::Binary, Format::RoadRunner, Format::Records];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Std => "std",
            Format::RoadRunner => "roadrunner",
            Format::Records => "records",
            Format::Binary => "rtb",
        }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that the name of a file promises, `.gz` aside.
    pub fn of_path(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (_, extension) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
        Format::ALL.into_iter().find(|format| format.extensions().contains(&extension))
    }

    /// The ends of the names of such files.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Std => &["std"],
            Format::RoadRunner => &["rr", "txt"],
            Format::Records => &["rtr"],
            Format::Binary => &["rtb"],
        }
    }

    /// The format of a trace that starts with `head`, if that tells. The lines that RoadRunner prints before the first
    /// event may be anything.
    pub(crate) fn of_head(head: &[u8]) -> Option<Format> {
        let has_line = |is_line: fn(&[u8]) -> bool| head.split(|&byte| byte == b'\n').any(is_line);
        if binary::is_start(head) {
            Some(Format::Binary)
        } else if records::is_head(head) {
            Some(Format::Records)
        } else if has_line(roadrunner::is_line) {
            Some(Format::RoadRunner)
        } else {
            has_line(rapid::is_line).then_some(Format::Std)
        }
    }

    /// A reader of `input`, which has this format. [`Source::written`] is for the pace that locates.
    pub(crate) fn reader(self, input: &Input, pace: Pace) -> Result<Box<dyn Source>, TraceError> {
        let name = || Arc::clone(input.name());
        Ok(match self {
            Format::Std => Box::new(rapid::Reader::with_pace(name(), input.reopen()?, pace)),
            Format::RoadRunner => Box::new(roadrunner::Reader::with_pace(name(), input.reopen()?, pace)),
            Format::Records => Box::new(records::Reader::new(name(), input.reopen()?)),
            Format::Binary => Box::new(binary::Reader::open(input, pace)?),
        })
    }

    /// A writer of this format.
    pub(crate) fn writer(self, output: Output<'static>) -> Box<dyn Sink> {
        match self {
            Format::Std => Box::new(rapid::Writer::to(output)),
            Format::RoadRunner => Box::new(roadrunner::Writer::to(output)),
            Format::Records => Box::new(records::Writer::to(output)),
            Format::Binary => Box::new(binary::Writer::to(output)),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
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
