//! The writer of STD. What it writes, the reader reads back as it was.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::event::{Event, Op};
use crate::trace::format::Sink;
use crate::trace::output::{Output, WriteError};
use crate::trace::symbols::Symbols;

#[cfg(test)]
mod tests;

/// Writes an STD trace, event by event. [`Writer::finish`] must end it.
pub struct Writer<'w> {
    output: Output<'w>,
    /// The line that is being made, reused.
    line: Vec<u8>,
}

impl Writer<'static> {
    /// Makes the file at `path`, compressed if its name ends in `.gz`.
    pub fn create(path: &Path) -> Result<Writer<'static>, WriteError> {
        Output::create(path).map(Writer::to)
    }
}

impl<'w> Writer<'w> {
    /// Writes to `sink`, which messages call `file`. It needs no buffer of its own.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Writer<'w> {
        Writer::to(Output::new(file, sink))
    }

    pub(in crate::trace) fn to(output: Output<'w>) -> Writer<'w> {
        Writer { output, line: Vec::new() }
    }

    /// Writes an event. `location` may be empty and may contain `|`, but must be in one line.
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

    /// Writes what is still in buffers. Without it the file is incomplete.
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

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Writer::finish(*self)
    }
}
