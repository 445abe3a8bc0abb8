//! A writer of traces in any format.

use std::path::Path;

use super::format::{Format, Sink};
use crate::event::Event;
use crate::trace::files::output::{Output, WriteError};
use crate::trace::vocabulary::symbols::Symbols;

/// Writes a trace in any format, event by event. Call [`TraceWriter::finish`] at the end.
pub struct TraceWriter {
    sink: Box<dyn Sink>,
    left_out: Option<u64>,
}

impl TraceWriter {
    /// Creates the file at `path`, compressed if its name ends in `.gz`; for `-`, standard output.
    pub fn create(path: &Path, format: &Format) -> Result<TraceWriter, WriteError> {
        Ok(TraceWriter { sink: (format.writer)(Output::create(path)?), left_out: None })
    }

    /// Drops and counts events that the format cannot express, instead of returning an error.
    pub fn lossy(mut self) -> TraceWriter {
        self.left_out = Some(0);
        self
    }

    /// Writes an event with its location, which may be empty. A rejected event leaves nothing behind.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        match (self.sink.write(event, symbols, location), &mut self.left_out) {
            (Err(WriteError::Lacks { .. }), Some(left_out)) => {
                *left_out += 1;
                Ok(())
            }
            (result, _) => result,
        }
    }

    /// Writes a note ([`notes`](crate::trace::notes)), if the format can hold one.
    pub fn note(&mut self, line: &str) -> Result<(), WriteError> {
        self.sink.note(line)
    }

    /// Returns the number of dropped events.
    pub fn left_out(&self) -> u64 {
        self.left_out.unwrap_or(0)
    }

    /// Makes everything written so far readable for others, if the format can be read while it grows.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.sink.flush()
    }

    /// Writes what is still buffered. Without this call the trace is incomplete.
    pub fn finish(self) -> Result<(), WriteError> {
        self.sink.finish()
    }
}
