//! STD, the trace format of RAPID (github.com/umangm/rapid), with our extensions: one event a line.
//!
//! ```text
//! # comment
//! T0|begin(Account.deposit)|Account.java:12
//! T0|r(balance)|Account.java:13
//! T0|end|Account.java:15
//! ```
//!
//! A line is `THREAD|OPERATION|LOCATION`. The thread is the text before the first `|`, the operation ends at the
//! second, and the location is the rest: any text, possibly empty, which may contain further `|`. Operations are
//! `begin`, `begin(label)`, `end`, `end(label)` (whose operand is ignored), `acq(l)`, `rel(l)`, `r(x)`, `w(x)`,
//! `fork(t)`, `join(t)`, `fence`, `commit(x)`, and `dummy(x)`, `together` and `update`, which conflict with nothing. An
//! operand is the text between the first `(` and the last `)` and may contain both. Blank lines, and lines that start
//! with `#`, are not events. Lines end in LF or CRLF; the last needs neither. The encoding is UTF-8.
//!
//! # Where we differ from RAPID
//! 1. A location may be any text, not only an integer.
//! 2. `begin(label)` keeps its label; RAPID ignores it. `begin()` is `begin`.
//! 3. `fence` and `commit(x)` are our additions, for the TSO monitor.
//! 4. A line that cannot be parsed is an error; RAPID processes the previous line a second time.
//! 5. Operations must match exactly; RAPID accepts any word that starts with `begin` or `end`.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use memchr::memchr;

use super::format::{Format, Sink, Written, has_line};
use super::text::reader;
use super::text::syntax::{Fault, Line, Syntax, Verb, explain_common, nearest_operation, shortened};
use crate::event::{Event, Op};
use crate::trace::files::output::{Output, WriteError};
use crate::trace::vocabulary::error::{Malformed, TraceError};
use crate::trace::vocabulary::notes::COMMENT;
use crate::trace::vocabulary::symbols::Symbols;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod writer_tests;

/// The entry in the list of formats.
pub(super) const FORMAT: Format = Format {
    name: "std",
    extensions: &["std"],
    recognises: |head| has_line(head, is_line),
    reader: reader::open::<Std>,
    writer: |output| Box::new(Writer::to(output)),
};

/// The syntax of a line.
pub struct Std;

/// Reads an STD trace from its first line to its last.
pub type Reader<R> = reader::Reader<Std, R>;

/// An event with everything on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<'a> {
    /// The event.
    pub event: Event,
    /// The number of the line; the first is 1.
    pub line: u64,
    /// The name of the thread.
    pub thread: &'a str,
    /// The operation as written, operand included.
    pub operation: &'a str,
    /// The location as written.
    pub location: &'a str,
}

impl Syntax for Std {
    #[inline(always)]
    fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Fault> {
        if line.first() == Some(&b'#') {
            return Ok(None);
        }
        match parse_line(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) if line.trim_ascii().is_empty() => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn note(line: &[u8]) -> Option<&str> {
        std::str::from_utf8(line.strip_prefix(COMMENT.as_bytes())?).ok()
    }

    fn explain(fault: Fault, line: &[u8]) -> Malformed {
        explain(fault, line)
    }

    fn written(line: &str) -> Written<'_> {
        let [_, operation, location] = fields(line);
        Written { operation: Cow::Borrowed(operation), location: Cow::Borrowed(location) }
    }
}

impl<R: Read> Reader<R> {
    /// Returns the next event, with everything on its line.
    pub fn next_located(&mut self) -> Result<Option<Located<'_>>, TraceError> {
        let Some(&event) = self.take(1)?.first() else { return Ok(None) };
        let (text, line) = self.last_line();
        let [thread, operation, location] = fields(text);
        Ok(Some(Located { event, line, thread, operation, location }))
    }
}

/// Splits an event's line into its parts.
fn fields(line: &str) -> [&str; 3] {
    let mut fields = line.splitn(3, '|');
    [(); 3].map(|()| fields.next().expect("an event's line has three fields"))
}

/// Returns whether a line, correct or not, belongs to this format: it has the three fields, or it is a comment.
fn is_line(line: &[u8]) -> bool {
    line.first() == Some(&b'#') || !matches!(parse_line(line), Err(Fault::Fields(_)))
}

/// Splits a line that comes without its newline.
#[inline(always)]
fn parse_line(line: &[u8]) -> Result<Line<'_>, Fault> {
    let (thread, rest) = cut(line, short_memchr(b'|', line)).ok_or(Fault::Fields(1))?;
    let (operation, _location) = cut(rest, memchr(b'|', rest)).ok_or(Fault::Fields(2))?;
    if thread.is_empty() {
        return Err(Fault::EmptyThread);
    }
    Ok(Line { thread, verb: verb(operation)? })
}

/// Returns the text before and after the byte at `bar`.
#[inline]
fn cut(text: &[u8], bar: Option<usize>) -> Option<(&[u8], &[u8])> {
    let bar = bar?;
    Some((&text[..bar], &text[bar + 1..]))
}

/// `memchr` for a byte that is usually found within a few bytes, such as the end of a thread's name.
#[inline]
fn short_memchr(wanted: u8, text: &[u8]) -> Option<usize> {
    const SHORT: usize = 8;
    let near = text.iter().take(SHORT).position(|&byte| byte == wanted);
    near.or_else(|| memchr(wanted, text))
}

#[inline]
fn verb(text: &[u8]) -> Result<Verb<'_>, Fault> {
    match text {
        [b'r', b'(', operand @ .., b')'] if !operand.is_empty() => Ok(Verb::Read(operand)),
        [b'w', b'(', operand @ .., b')'] if !operand.is_empty() => Ok(Verb::Write(operand)),
        _ => any_verb(text),
    }
}

fn any_verb(text: &[u8]) -> Result<Verb<'_>, Fault> {
    let (name, operand) = name_and_operand(text);
    let needed = || match operand? {
        Some([]) => Err(Fault::EmptyOperand),
        Some(operand) => Ok(operand),
        None => Err(Fault::MissingOperand),
    };
    Ok(match name {
        b"r" => Verb::Read(needed()?),
        b"w" => Verb::Write(needed()?),
        b"acq" => Verb::Acquire(needed()?),
        b"rel" => Verb::Release(needed()?),
        b"fork" => Verb::Fork(needed()?),
        b"join" => Verb::Join(needed()?),
        b"commit" => Verb::Commit(needed()?),
        b"dummy" => needed().map(|_| Verb::Dummy)?,
        b"begin" => Verb::Begin(operand?.unwrap_or_default()),
        b"end" => operand.map(|_| Verb::End)?,
        b"fence" if name.len() == text.len() => Verb::Fence,
        b"together" if name.len() == text.len() => Verb::Together,
        b"update" if name.len() == text.len() => Verb::Update,
        b"fence" | b"together" | b"update" => return Err(Fault::UnwantedOperand),
        _ => return Err(Fault::UnknownOperation),
    })
}

/// Returns the name of an operation and the text between the first `(` and the last `)`.
fn name_and_operand(text: &[u8]) -> (&[u8], Result<Option<&[u8]>, Fault>) {
    let Some(open) = memchr(b'(', text) else { return (text, Ok(None)) };
    let operand = match &text[open + 1..] {
        [operand @ .., b')'] => Ok(Some(operand)),
        rest if rest.contains(&b')') => Err(Fault::TextAfterOperand),
        _ => Err(Fault::UnclosedOperand),
    };
    (&text[..open], operand)
}

/// Returns the name of an operation, known or not.
fn operation_name(operation: &[u8]) -> &[u8] {
    name_and_operand(operation).0
}

/// Each operation as it is written, with other words for it that people and tools use.
const OPERATIONS: [(&str, &[&str]); 13] = [
    ("r(x)", &["r", "read", "rd", "load"]),
    ("w(x)", &["w", "write", "wr", "store"]),
    ("begin", &["begin", "enter", "start_block", "atomic"]),
    ("end", &["end", "exit", "leave"]),
    ("acq(l)", &["acq", "acquire", "lock"]),
    ("rel(l)", &["rel", "release", "unlock"]),
    ("fork(t)", &["fork", "start", "spawn"]),
    ("join(t)", &["join"]),
    ("fence", &["fence", "mfence"]),
    ("commit(x)", &["commit"]),
    ("dummy(x)", &["dummy", "nop"]),
    ("together", &["together"]),
    ("update", &["update"]),
];

/// Describes what is wrong with a line.
#[cold]
fn explain(fault: Fault, line: &[u8]) -> Malformed {
    let operation = line.splitn(3, |&byte| byte == b'|').nth(1).unwrap_or_default();
    let written = shortened(operation);
    match fault {
        Fault::Fields(found) => {
            let plural = if found == 1 { "" } else { "s" };
            Malformed::new("fields", format!("{found} field{plural} in '{}'", shortened(line)), FIELDS)
        }
        Fault::EmptyThread => Malformed::new("no thread", "no thread before the first '|'", FIELDS),
        Fault::UnknownOperation if operation.is_empty() => {
            let expected = format!("one of {}", operations());
            Malformed::new("no operation", "no operation between the first two '|'", expected)
        }
        Fault::UnknownOperation => {
            let name = operation_name(operation);
            let expected = format!("one of {}; nearest is {}", operations(), nearest_operation(name, &OPERATIONS));
            Malformed::new("unknown operation", format!("unknown operation '{}'", shortened(name)), expected)
        }
        Fault::MissingOperand => {
            Malformed::new("no operand", format!("no operand in '{written}'"), format!("{written}(NAME)"))
        }
        Fault::EmptyOperand => {
            let expected = format!("a name in the parentheses of '{written}'");
            Malformed::new("empty operand", format!("empty operand in '{written}'"), expected)
        }
        Fault::UnclosedOperand => {
            Malformed::new("no ')'", format!("no ')' in '{written}'"), "a ')' at the end of the operation")
        }
        Fault::TextAfterOperand => {
            let reason = format!("text after the last ')' in '{written}'");
            Malformed::new("text after operand", reason, "'|' right after the last ')'")
        }
        Fault::UnwantedOperand => {
            Malformed::new("unwanted operand", format!("an operand in '{written}', which takes none"), "fence")
        }
        Fault::TextBeforeEvent | Fault::NotUtf8 | Fault::TooLong | Fault::TooManyThreads => explain_common(fault),
    }
}

/// The shape of a line.
const FIELDS: &str = "THREAD|OPERATION|LOCATION";

fn operations() -> String {
    OPERATIONS.map(|(written, _)| written).join(", ")
}

/// Writes an STD trace, event by event. Call [`Writer::finish`] at the end.
pub struct Writer<'w> {
    output: Output<'w>,
    /// The current line, reused.
    line: Vec<u8>,
}

impl Writer<'static> {
    /// Creates the file at `path`, compressed if its name ends in `.gz`.
    pub fn create(path: &Path) -> Result<Writer<'static>, WriteError> {
        Output::create(path).map(Writer::to)
    }
}

impl<'w> Writer<'w> {
    /// Writes to `sink`, which messages call `file`. The sink needs no buffer of its own.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Writer<'w> {
        Writer::to(Output::new(file, sink))
    }

    fn to(output: Output<'w>) -> Writer<'w> {
        Writer { output, line: Vec::new() }
    }

    /// Writes an event. `location` may be empty and may contain `|`, but not a line break.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        self.line.clear();
        let thread = symbols.thread(event.thread);
        if thread.starts_with('#') {
            return Err(self.refused("thread", &thread, "the line would be a comment"));
        }
        self.push_name("thread", &thread)?;
        self.line.push(b'|');
        self.push_operation(event.op, symbols)?;
        self.line.push(b'|');
        self.push_location(location)?;
        self.line.push(b'\n');
        self.output.write(&self.line)
    }

    /// Writes what is still in buffers. Without this call the file is incomplete.
    pub fn finish(self) -> Result<(), WriteError> {
        self.output.finish()
    }

    fn push_operation(&mut self, op: Op, symbols: &Symbols) -> Result<(), WriteError> {
        match op {
            Op::Read(x) => self.push_call("r", "variable", &symbols.var(x)),
            Op::Write(x) => self.push_call("w", "variable", &symbols.var(x)),
            Op::Acquire(l) => self.push_call("acq", "lock", &symbols.lock(l)),
            Op::Release(l) => self.push_call("rel", "lock", &symbols.lock(l)),
            Op::Fork(u) => self.push_call("fork", "thread", &symbols.thread(u)),
            Op::Join(u) => self.push_call("join", "thread", &symbols.thread(u)),
            Op::Commit(x) => self.push_call("commit", "variable", &symbols.var(x)),
            Op::Begin(m) => match symbols.label(m) {
                Some(label) => self.push_call("begin", "label", &label),
                None => self.push_bare("begin"),
            },
            Op::End => self.push_bare("end"),
            Op::Fence => self.push_bare("fence"),
            Op::Nop => self.push_bare("dummy(-)"),
            Op::Together => self.push_bare("together"),
            Op::Update => self.push_bare("update"),
        }
    }

    fn push_bare(&mut self, operation: &str) -> Result<(), WriteError> {
        self.line.extend_from_slice(operation.as_bytes());
        Ok(())
    }

    fn push_call(&mut self, operation: &str, what: &'static str, name: &str) -> Result<(), WriteError> {
        self.line.extend_from_slice(operation.as_bytes());
        self.line.push(b'(');
        self.push_name(what, name)?;
        self.line.push(b')');
        Ok(())
    }

    fn push_name(&mut self, what: &'static str, name: &str) -> Result<(), WriteError> {
        let why = if name.is_empty() {
            "it is empty"
        } else if name.contains('|') {
            "it contains '|'"
        } else if name.contains('\n') {
            "it contains a newline"
        } else {
            self.line.extend_from_slice(name.as_bytes());
            return Ok(());
        };
        Err(self.refused(what, name, why))
    }

    fn push_location(&mut self, location: &str) -> Result<(), WriteError> {
        if location.contains('\n') {
            return Err(self.refused("location", location, "it contains a newline"));
        }
        if location.ends_with('\r') {
            return Err(self.refused("location", location, "it ends in a carriage return"));
        }
        self.line.extend_from_slice(location.as_bytes());
        Ok(())
    }

    #[cold]
    fn refused(&self, what: &'static str, name: &str, why: &'static str) -> WriteError {
        self.output.refused("STD", what, name, why)
    }
}

impl Sink for Writer<'_> {
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        Writer::write(self, event, symbols, location)
    }

    fn note(&mut self, line: &str) -> Result<(), WriteError> {
        self.output.write(format!("{COMMENT}{line}\n").as_bytes())
    }

    /// If the recording program is killed, the trace up to here can be read, leniently if it is compressed.
    fn flush(&mut self) -> Result<(), WriteError> {
        self.output.flush()
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Writer::finish(*self)
    }
}
