//! A trace being written, in any format.

use std::path::Path;

use super::format::{Format, Sink};
use super::output::{Output, WriteError};
use super::symbols::Symbols;
use crate::event::Event;

/// Writes a trace, event by event. [`TraceWriter::finish`] must end it.
pub struct TraceWriter {
    sink: Box<dyn Sink>,
}

impl TraceWriter {
    /// Makes the file at `path`, compressed if its name ends in `.gz`; for `-`, standard output.
    pub fn create(path: &Path, format: Format) -> Result<TraceWriter, WriteError> {
        Ok(TraceWriter { sink: format.writer(Output::create(path)?) })
    }

    /// Writes an event with its location, which may be empty. An event that is refused leaves nothing behind.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        self.sink.write(event, symbols, location)
    }

    /// Makes what was written so far readable for others, where the format can be read while it grows.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.sink.flush()
    }

    /// Writes what is still in buffers. Without it the trace is incomplete.
    pub fn finish(self) -> Result<(), WriteError> {
        self.sink.finish()
    }
}
