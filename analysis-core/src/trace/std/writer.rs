//! The writer of STD. What it writes, the reader reads back as it was.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use thiserror::Error;

use crate::event::{Event, Op};
use crate::trace::error::one_line;
use crate::trace::symbols::Symbols;

#[cfg(test)]
mod tests;

/// Writes an STD trace, event by event. [`Writer::finish`] must end it.
pub struct Writer<'w> {
    file: Arc<str>,
    out: Out<'w>,
    /// The line that is being made, reused.
    line: Vec<u8>,
}

enum Out<'w> {
    Plain(BufWriter<Box<dyn Write + Send + 'w>>),
    Gzip(GzEncoder<BufWriter<Box<dyn Write + Send + 'w>>>),
}

/// Why an event cannot be written. Nothing of it was.
#[derive(Debug, Error)]
pub enum WriteError {
    /// STD has no way to write this name.
    #[error("{file}: the {what} '{}' cannot be written in STD: {why}; expected another name", one_line(name))]
    Name {
        /// The file as the user named it.
        file: Arc<str>,
        /// What it is the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// Why it cannot be written.
        why: &'static str,
    },
    /// The operating system refuses.
    #[error("{file}: cannot be written: {}", one_line(&error.to_string()))]
    Io {
        /// The file as the user named it.
        file: Arc<str>,
        /// What it says.
        error: io::Error,
    },
}

impl Writer<'static> {
    /// Makes the file at `path`, compressed if its name ends in `.gz`.
    pub fn create(path: &Path) -> Result<Writer<'static>, WriteError> {
        let file: Arc<str> = one_line(&path.display().to_string()).into();
        let sink = File::create(path).map_err(|error| WriteError::Io { file: Arc::clone(&file), error })?;
        let mut writer = Writer::new(file, sink);
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            writer = writer.compressed();
        }
        Ok(writer)
    }
}

impl<'w> Writer<'w> {
    /// Writes to `sink`, which messages call `file`. It needs no buffer of its own.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Writer<'w> {
        let sink: Box<dyn Write + Send + 'w> = Box::new(sink);
        let out = Out::Plain(BufWriter::with_capacity(1 << 16, sink));
        Writer { file: file.into(), out, line: Vec::new() }
    }

    /// The same, with gzip. To be asked for before the first event.
    pub fn compressed(mut self) -> Writer<'w> {
        if let Out::Plain(plain) = self.out {
            self.out = Out::Gzip(GzEncoder::new(plain, Compression::default()));
        }
        self
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
        self.out.as_write().write_all(&self.line).map_err(|error| self.failed(error))
    }

    /// Writes what is still in buffers. Without it the file is incomplete.
    pub fn finish(self) -> Result<(), WriteError> {
        let plain = match self.out {
            Out::Plain(plain) => Ok(plain),
            Out::Gzip(gzip) => gzip.finish(),
        };
        plain.and_then(|mut plain| plain.flush()).map_err(|error| WriteError::Io { file: self.file, error })
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
        WriteError::Name { file: Arc::clone(&self.file), what, name: name.into(), why }
    }

    #[cold]
    fn failed(&self, error: io::Error) -> WriteError {
        WriteError::Io { file: Arc::clone(&self.file), error }
    }
}

impl Out<'_> {
    fn as_write(&mut self) -> &mut dyn Write {
        match self {
            Out::Plain(plain) => plain,
            Out::Gzip(gzip) => gzip,
        }
    }
}
