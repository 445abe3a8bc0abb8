//! STD, the trace format of RAPID (github.com/umangm/rapid), with our extensions: one event a line.
//!
//! ```text
//! # comment
//! T0|begin(Account.deposit)|Account.java:12
//! T0|r(balance)|Account.java:13
//! T0|end|Account.java:15
//! ```
//!
//! A line is `THREAD|OPERATION|LOCATION`. The thread is what stands before the first `|`, the operation ends at the
//! second, the location is all the rest: any text, further `|` included, and possibly none. Operations are `begin`,
//! `begin(label)`, `end`, `end(label)` (whose operand means nothing), `acq(l)`, `rel(l)`, `r(x)`, `w(x)`, `fork(t)`,
//! `join(t)`, `fence`, `commit(x)`, and `dummy(x)`, an event that conflicts with nothing. An operand stands between the
//! first `(` and the last `)` and may contain both. Blank lines, and lines whose first byte is `#`, are no events.
//! Lines end in LF or CRLF; the last needs neither. All is UTF-8.
//!
//! # Where we differ from RAPID
//! 1. A location may be any text, not only an integer.
//! 2. `begin(label)` keeps its label; RAPID ignores it. `begin()` is `begin`.
//! 3. `fence` and `commit(x)` are ours, for the TSO monitor.
//! 4. A line that cannot be parsed is an error; RAPID processes the line before it once more.
//! 5. Operations must match to the letter; RAPID takes any word that starts with `begin` or `end` for one.

mod line;
mod malformed;
mod writer;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::Read;

use super::error::TraceError;
use super::format::Written;
use super::malformed::Malformed;
use super::text::{self, Fault, Line, Syntax};
use crate::event::Event;

pub use writer::Writer;

/// The syntax of a line.
pub struct Std;

/// Reads an STD trace from its first line to its last.
pub type Reader<R> = text::Reader<Std, R>;

/// An event with all that its line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<'a> {
    /// The event.
    pub event: Event,
    /// The number of the line; the first is 1.
    pub line: u64,
    /// The name of the thread.
    pub thread: &'a str,
    /// The operation as it is written, operand included.
    pub operation: &'a str,
    /// The location as it is written.
    pub location: &'a str,
}

impl Syntax for Std {
    #[inline(always)]
    fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Fault> {
        if line.first() == Some(&b'#') {
            return Ok(None);
        }
        match line::parse(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) if line.trim_ascii().is_empty() => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn explain(fault: Fault, line: &[u8]) -> Malformed {
        malformed::explain(fault, line)
    }

    fn written(line: &str) -> Written<'_> {
        let [_, operation, location] = fields(line);
        Written { operation: Cow::Borrowed(operation), location: Cow::Borrowed(location) }
    }
}

impl<R: Read> Reader<R> {
    /// The next event, with all that its line says.
    pub fn next_located(&mut self) -> Result<Option<Located<'_>>, TraceError> {
        let Some(&event) = self.take(1)?.first() else { return Ok(None) };
        let (text, line) = self.last_line();
        let [thread, operation, location] = fields(text);
        Ok(Some(Located { event, line, thread, operation, location }))
    }
}

/// The parts of an event's line.
fn fields(line: &str) -> [&str; 3] {
    let mut fields = line.splitn(3, '|');
    [(); 3].map(|()| fields.next().expect("an event's line has three fields"))
}

/// True if a line is, right or wrong, one of this format: its parts can be told, or it is a comment.
pub(super) fn is_line(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || !matches!(line::parse(line), Err(Fault::Fields(_)))
}
