//! A trace being written, in any format.

use std::path::Path;

use super::format::{Format, Sink};
use super::output::{Output, WriteError};
use super::symbols::Symbols;
use crate::event::Event;

/// Writes a trace, event by event. [`TraceWriter::finish`] must end it.
pub struct TraceWriter {
    sink: Box<dyn Sink>,
    left_out: Option<u64>,
}

impl TraceWriter {
    /// Makes the file at `path`, compressed if its name ends in `.gz`; for `-`, standard output.
    pub fn create(path: &Path, format: Format) -> Result<TraceWriter, WriteError> {
        Ok(TraceWriter { sink: format.writer(Output::create(path)?), left_out: None })
    }

    /// The same, but events that the format has no way to write are left out and counted.
    pub fn lossy(mut self) -> TraceWriter {
        self.left_out = Some(0);
        self
    }

    /// Writes an event with its location, which may be empty. An event that is refused leaves nothing behind.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        match (self.sink.write(event, symbols, location), &mut self.left_out) {
            (Err(WriteError::Lacks { .. }), Some(left_out)) => {
                *left_out += 1;
                Ok(())
            }
            (result, _) => result,
        }
    }

    /// How many events were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out.unwrap_or(0)
    }

    /// Writes what is still in buffers. Without it the trace is incomplete.
    pub fn finish(self) -> Result<(), WriteError> {
        self.sink.finish()
    }
}
