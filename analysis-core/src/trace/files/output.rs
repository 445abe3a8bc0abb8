//! The output of a trace: a file or any other sink, plain or compressed with gzip; and the errors of writing.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use thiserror::Error;

use crate::event::Event;
use crate::trace::vocabulary::notation::notation;
use crate::trace::vocabulary::one_line::one_line;
use crate::trace::vocabulary::symbols::Symbols;

/// The buffered output of a writer. Call `Output::finish` at the end.
pub struct Output<'w> {
    file: Arc<str>,
    out: Out<'w>,
}

enum Out<'w> {
    Plain(BufWriter<Box<dyn Write + Send + 'w>>),
    Gzip(GzEncoder<BufWriter<Box<dyn Write + Send + 'w>>>),
}

/// Why an event cannot be written. Nothing of it has been written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The format has no way to write this name.
    #[error("{file}: the {what} '{}' cannot be written in {format}: {why}; expected another name", one_line(name))]
    Name {
        /// The file as the user named it.
        file: Arc<str>,
        /// The name of the format, as its users write it.
        format: &'static str,
        /// The kind of thing that has the name.
        what: &'static str,
        /// The name.
        name: String,
        /// Why it cannot be written.
        why: &'static str,
    },
    /// The format has no such events.
    #[error(
        "{file}: the event {event} of {thread} cannot be written in {format}, which has no such events; expected another format, or --lossy to leave such events out"
    )]
    Lacks {
        /// The file as the user named it.
        file: Arc<str>,
        /// The name of the format, as its users write it.
        format: &'static str,
        /// The event, in the notation of STD.
        event: String,
        /// The name of its thread.
        thread: String,
    },
    /// The operating system reported an error.
    #[error("{file}: cannot be written: {}", one_line(&error.to_string()))]
    Io {
        /// The file as the user named it.
        file: Arc<str>,
        /// The error.
        error: io::Error,
    },
}

impl Output<'static> {
    /// Creates the file at `path`, compressed if its name ends in `.gz`; for `-`, standard output.
    pub fn create(path: &Path) -> Result<Output<'static>, WriteError> {
        if path.as_os_str() == "-" {
            return Ok(Output::new("<stdout>", io::stdout()));
        }
        let file: Arc<str> = one_line(&path.display().to_string()).into();
        let sink = File::create(path).map_err(|error| WriteError::Io { file: Arc::clone(&file), error })?;
        let output = Output::new(file, sink);
        let is_gzip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        Ok(if is_gzip { output.compressed() } else { output })
    }
}

impl<'w> Output<'w> {
    /// Writes to `sink`, which messages call `file`. The sink needs no buffer of its own.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Output<'w> {
        let sink: Box<dyn Write + Send + 'w> = Box::new(sink);
        Output { file: file.into(), out: Out::Plain(BufWriter::with_capacity(1 << 16, sink)) }
    }

    /// Compresses the output with gzip. Must be called before the first byte is written.
    pub fn compressed(mut self) -> Output<'w> {
        if let Out::Plain(plain) = self.out {
            self.out = Out::Gzip(GzEncoder::new(plain, Compression::default()));
        }
        self
    }

    pub(in crate::trace) fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let written = match &mut self.out {
            Out::Plain(plain) => plain.write_all(bytes),
            Out::Gzip(gzip) => gzip.write_all(bytes),
        };
        written.map_err(|error| self.failed(error))
    }

    /// Passes everything written so far to the operating system.
    pub(in crate::trace) fn flush(&mut self) -> Result<(), WriteError> {
        let flushed = match &mut self.out {
            Out::Plain(plain) => plain.flush(),
            Out::Gzip(gzip) => gzip.flush(),
        };
        flushed.map_err(|error| self.failed(error))
    }

    /// Writes what is still in buffers.
    pub(in crate::trace) fn finish(self) -> Result<(), WriteError> {
        let plain = match self.out {
            Out::Plain(plain) => Ok(plain),
            Out::Gzip(gzip) => gzip.finish(),
        };
        plain.and_then(|mut plain| plain.flush()).map_err(|error| WriteError::Io { file: self.file, error })
    }

    #[cold]
    pub(in crate::trace) fn refused(
        &self,
        format: &'static str,
        what: &'static str,
        name: &str,
        why: &'static str,
    ) -> WriteError {
        WriteError::Name { file: Arc::clone(&self.file), format, what, name: name.into(), why }
    }

    #[cold]
    pub(in crate::trace) fn lacks(&self, format: &'static str, event: Event, symbols: &Symbols) -> WriteError {
        let (operation, thread) = (notation(event.op, symbols), symbols.thread(event.thread));
        let (event, thread) = (one_line(&operation), one_line(&thread));
        WriteError::Lacks { file: Arc::clone(&self.file), format, event, thread }
    }

    #[cold]
    fn failed(&self, error: io::Error) -> WriteError {
        WriteError::Io { file: Arc::clone(&self.file), error }
    }
}
