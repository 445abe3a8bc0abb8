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
mod lines;
mod malformed;
mod reader;
mod writer;

pub use reader::{Located, Reader};
pub use writer::Writer;

/// True if a line is, right or wrong, one of this format and of no other: its parts can be told, or it is a comment.
pub(super) fn is_line(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || !matches!(line::Line::parse(line), Err(line::Fault::Fields(_)))
}
