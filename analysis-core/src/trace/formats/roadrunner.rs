//! RoadRunner's print: the output of its tool `Print` (github.com/stephenfreund/RoadRunner), one event a line among the
//! lines of the run itself.
//!
//! ```text
//! [main: ----- Meta-data -----]
//! @  Enter(0,pkg/C.m(I)V)          null  pkg/C.java:12
//! @  Rd(0,@02.pkg/C.f_I)           null  pkg/C.java:13
//! @  Exit(0,pkg/C.m(I)V)           null  pkg/C.java:14
//! ```
//!
//! An event's line starts with `@`; then come `OP(THREAD,OPERAND)`, the shadow, the location, with white space between.
//! Operations are `Enter` and `Exit` of a block, `Acquire`, `Release`, `Start` and `Join` of a thread, and accesses: `Rd`
//! and `Wr` of a field, `ARd` and `AWr` of an array's element, `VRd` and `VWr` of a volatile field. The operand ends at
//! the first `)` before white space or the end of the line, and may contain any others: `pkg/C.m(I)V`.
//!
//! # What is accepted
//! 1. Volatile accesses are accesses. RAPID skips them and loses the order that they establish.
//! 2. The shadow and the location may be missing: of two or more words the first is the shadow and the rest the
//!    location; a single word is the location. RAPID skips lines without both.
//! 3. `Enter(0)` is a block without a label. The operand of `Exit` is ignored.
//! 4. A line that does not start with `@` is output of RoadRunner or of the program, not an event. If an event follows
//!    later on the line, the program printed half a line before it: the line is malformed rather than silently dropped.
//! 5. A line that starts with `@` and is not an event is malformed.
//!
//! RoadRunner does not print atomically with the access, and does not print the release in `wait`: real files have
//! acquires of locks that another thread holds. They are ill-formed; a lenient reading keeps them.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::format::{Format, Sink, Written, has_line};
use super::text::reader;
use super::text::syntax::{Fault, Line, Syntax, Verb, explain_common, nearest_operation, shortened};
use crate::event::{Event, LabelId, Op};
use crate::trace::files::output::{Output, WriteError};
use crate::trace::vocabulary::error::Malformed;
use crate::trace::vocabulary::symbols::Symbols;

#[cfg(test)]
mod tests;

/// The entry in the list of formats. RoadRunner may print anything before the first event.
pub(super) const FORMAT: Format = Format {
    name: "roadrunner",
    extensions: &["rr", "txt"],
    recognises: |head| has_line(head, is_line),
    reader: reader::open::<Print>,
    writer: |output| Box::new(Writer::to(output)),
};

/// The syntax of a line.
struct Print;

/// Each operation as it is written, and other words for it.
const OPERATIONS: [(&str, &[&str]); 12] = [
    ("Enter", &["enter", "begin"]),
    ("Exit", &["exit", "end"]),
    ("Acquire", &["acquire", "acq", "lock"]),
    ("Release", &["release", "rel", "unlock"]),
    ("Start", &["start", "fork"]),
    ("Join", &["join"]),
    ("Rd", &["rd", "read", "r"]),
    ("Wr", &["wr", "write", "w"]),
    ("ARd", &["ard"]),
    ("AWr", &["awr"]),
    ("VRd", &["vrd"]),
    ("VWr", &["vwr"]),
];

/// The shape of a line.
const SHAPE: &str = "@  OPERATION(THREAD,OPERAND)  SHADOW  LOCATION";

/// A line after its marker.
struct Parts<'a> {
    name: &'a [u8],
    /// The text in the parentheses.
    inside: Result<&'a [u8], Fault>,
    /// The text after the closing parenthesis.
    rest: &'a [u8],
}

/// Returns whether a line is an event of this format.
fn is_line(line: &[u8]) -> bool {
    line.strip_prefix(b"@").is_some_and(starts_with_event)
}

/// Returns whether `text` starts like an event after its marker.
fn starts_with_event(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    OPERATIONS.iter().any(|(name, _)| text.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"(")))
}

impl<'a> Parts<'a> {
    fn of(text: &'a [u8]) -> Parts<'a> {
        let text = text.trim_ascii_start();
        let end = text.iter().position(|&byte| byte == b'(' || byte.is_ascii_whitespace()).unwrap_or(text.len());
        let (name, after) = text.split_at(end);
        let Some(open) = after.strip_prefix(b"(") else {
            return Parts { name, inside: Err(Fault::MissingOperand), rest: after };
        };
        let ends = |&at: &usize| open.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        match memchr_iter(b')', open).find(ends) {
            Some(close) => Parts { name, inside: Ok(&open[..close]), rest: &open[close + 1..] },
            None => Parts { name, inside: Err(Fault::UnclosedOperand), rest: b"" },
        }
    }

    /// Returns the thread, and the operand if there is one.
    fn operands(&self) -> Result<(&'a [u8], Option<&'a [u8]>), Fault> {
        let mut operands = self.inside?.splitn(2, |&byte| byte == b',');
        let thread = operands.next().unwrap_or_default();
        if thread.is_empty() { Err(Fault::EmptyThread) } else { Ok((thread, operands.next())) }
    }
}

impl Syntax for Print {
    fn parse(line: &[u8]) -> Result<Option<Line<'_>>, Fault> {
        let Some(text) = line.strip_prefix(b"@") else {
            let is_hidden = memchr_iter(b'@', line).any(|at| starts_with_event(&line[at + 1..]));
            return if is_hidden { Err(Fault::TextBeforeEvent) } else { Ok(None) };
        };
        let parts = Parts::of(text);
        if !OPERATIONS.iter().any(|(name, _)| name.as_bytes() == parts.name) {
            return Err(Fault::UnknownOperation);
        }
        let (thread, operand) = parts.operands()?;
        let needed = || operand.filter(|operand| !operand.is_empty()).ok_or(Fault::EmptyOperand);
        let verb = match parts.name {
            b"Enter" => Verb::Begin(operand.unwrap_or_default()),
            b"Exit" => Verb::End,
            b"Acquire" => Verb::Acquire(needed()?),
            b"Release" => Verb::Release(needed()?),
            b"Start" => Verb::Fork(needed()?),
            b"Join" => Verb::Join(needed()?),
            b"Rd" | b"ARd" | b"VRd" => Verb::Read(needed()?),
            _ => Verb::Write(needed()?),
        };
        Ok(Some(Line { thread, verb }))
    }

    fn explain(fault: Fault, line: &[u8]) -> Malformed {
        let name = Parts::of(line.strip_prefix(b"@").unwrap_or(line)).name;
        let written = shortened(line);
        match fault {
            Fault::TextBeforeEvent => {
                Malformed::new("text before event", format!("text before the event in '{written}'"), "'@' first")
            }
            Fault::UnknownOperation => {
                let all = OPERATIONS.map(|(name, _)| name).join(", ");
                let expected = format!("one of {all}; nearest is {}", nearest_operation(name, &OPERATIONS));
                Malformed::new("unknown operation", format!("unknown operation '{}'", shortened(name)), expected)
            }
            Fault::MissingOperand => Malformed::new("no '('", format!("no '(' after {}", shortened(name)), SHAPE),
            Fault::UnclosedOperand => {
                Malformed::new("no ')'", format!("no ')' at the end of the operand in '{written}'"), SHAPE)
            }
            Fault::EmptyThread => Malformed::new("no thread", format!("no thread in '{written}'"), SHAPE),
            Fault::EmptyOperand => Malformed::new("no operand", format!("no operand in '{written}'"), SHAPE),
            _ => explain_common(fault),
        }
    }

    fn written(line: &str) -> Written<'_> {
        let parts = Parts::of(line.strip_prefix('@').unwrap_or(line).as_bytes());
        let operand = parts.operands().ok().and_then(|(_, operand)| operand).unwrap_or_default();
        let (operand, rest) = (String::from_utf8_lossy(operand), as_text(parts.rest));
        let operation = match parts.name {
            b"Enter" if operand.is_empty() => Cow::Borrowed("begin"),
            b"Enter" => Cow::Owned(format!("begin({operand})")),
            b"Exit" => Cow::Borrowed("end"),
            b"Acquire" => Cow::Owned(format!("acq({operand})")),
            b"Release" => Cow::Owned(format!("rel({operand})")),
            b"Start" => Cow::Owned(format!("fork({operand})")),
            b"Join" => Cow::Owned(format!("join({operand})")),
            b"Rd" | b"ARd" | b"VRd" => Cow::Owned(format!("r({operand})")),
            _ => Cow::Owned(format!("w({operand})")),
        };
        let location = rest.split_once(|char: char| char.is_ascii_whitespace()).map_or(rest, |(_, rest)| rest.trim());
        Written { operation, location: Cow::Borrowed(location) }
    }
}

/// Returns a part of a line, cut at ASCII, as text.
fn as_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("lines are UTF-8").trim()
}

/// Writes a trace line by line.
struct Writer<'w> {
    output: Output<'w>,
    /// The labels of each thread's open blocks, innermost last: RoadRunner also names them at the exit.
    open: Vec<Vec<LabelId>>,
    /// The current line, reused.
    line: Vec<u8>,
}

impl<'w> Writer<'w> {
    fn to(output: Output<'w>) -> Writer<'w> {
        Writer { output, open: Vec::new(), line: Vec::new() }
    }

    /// Returns the name of the operation, the kind of its operand and the operand.
    fn operation(&self, event: Event, symbols: &Symbols) -> Option<(&'static str, &'static str, Option<String>)> {
        let access = |name: &str, field, element| if name.ends_with(']') { element } else { field };
        Some(match event.op {
            Op::Read(x) => (access(&symbols.var(x), "Rd", "ARd"), "variable", Some(symbols.var(x).into())),
            Op::Write(x) => (access(&symbols.var(x), "Wr", "AWr"), "variable", Some(symbols.var(x).into())),
            Op::Acquire(l) => ("Acquire", "lock", Some(symbols.lock(l).into())),
            Op::Release(l) => ("Release", "lock", Some(symbols.lock(l).into())),
            Op::Fork(u) => ("Start", "thread", Some(symbols.thread(u).into())),
            Op::Join(u) => ("Join", "thread", Some(symbols.thread(u).into())),
            Op::Begin(m) => ("Enter", "label", symbols.label(m).map(Into::into)),
            Op::End => {
                let innermost = self.open.get(event.thread.index()).and_then(|open| open.last());
                ("Exit", "label", innermost.and_then(|label| symbols.label(*label)).map(Into::into))
            }
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => return None,
        })
    }

    fn push_name(&mut self, what: &'static str, name: &str) -> Result<(), WriteError> {
        let why = if name.is_empty() {
            "it is empty"
        } else if name.contains(|char: char| char.is_ascii_whitespace()) {
            "it contains white space"
        } else if what == "thread" && name.contains([',', ')']) {
            "it contains ',' or ')'"
        } else {
            self.line.extend_from_slice(name.as_bytes());
            return Ok(());
        };
        Err(self.output.refused(NAME, what, name, why))
    }

    fn push_location(&mut self, location: &str) -> Result<(), WriteError> {
        if location.contains(['\n', '\r']) {
            return Err(self.output.refused(NAME, "location", location, "it contains a line break"));
        }
        if !location.trim().is_empty() {
            self.line.extend_from_slice(b"  null  ");
            self.line.extend_from_slice(location.trim().as_bytes());
        }
        Ok(())
    }
}

/// The name of the format in messages.
const NAME: &str = "RoadRunner's print";

impl Sink for Writer<'_> {
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        let Some((operation, what, operand)) = self.operation(event, symbols) else {
            return Err(self.output.lacks(NAME, event, symbols));
        };
        self.line.clear();
        self.line.extend_from_slice(b"@  ");
        self.line.extend_from_slice(operation.as_bytes());
        self.line.push(b'(');
        self.push_name("thread", &symbols.thread(event.thread))?;
        if let Some(operand) = operand {
            self.line.push(b',');
            self.push_name(what, &operand)?;
        }
        self.line.push(b')');
        self.push_location(location)?;
        self.line.push(b'\n');
        self.output.write(&self.line)?;
        if self.open.len() <= event.thread.index() {
            self.open.resize(event.thread.index() + 1, Vec::new());
        }
        let open = &mut self.open[event.thread.index()];
        match event.op {
            Op::Begin(label) => open.push(label),
            Op::End => drop(open.pop()),
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        self.output.finish()
    }
}
