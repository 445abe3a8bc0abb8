//! The writer of RoadRunner's print. What it writes, the reader reads back as it was, white space around locations aside.

use crate::event::{Event, LabelId, Op};
use crate::trace::format::Sink;
use crate::trace::output::{Output, WriteError};
use crate::trace::symbols::Symbols;

/// Writes a trace line by line.
pub(in crate::trace) struct Writer<'w> {
    output: Output<'w>,
    /// The labels of each thread's open blocks, innermost last: RoadRunner names them at the exit too.
    open: Vec<Vec<LabelId>>,
    /// The line that is being made, reused.
    line: Vec<u8>,
}

impl<'w> Writer<'w> {
    pub(in crate::trace) fn to(output: Output<'w>) -> Writer<'w> {
        Writer { output, open: Vec::new(), line: Vec::new() }
    }

    /// The name of the operation, what its operand is and how that is called.
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
            Op::Fence | Op::Commit(_) | Op::Nop => return None,
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

/// What messages call the format.
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
