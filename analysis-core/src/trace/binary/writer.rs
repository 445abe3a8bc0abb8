//! The writer of binary traces.

use std::io::Write;
use std::sync::Arc;

use super::encode::Encoder;
use super::layout;
use crate::event::Event;
use crate::trace::format::Sink;
use crate::trace::output::{Output, WriteError};
use crate::trace::symbols::Symbols;

/// Writes a binary trace, event by event. [`Writer::finish`] must end it; without, it is a trace that was cut.
pub struct Writer<'w> {
    out: Output<'w>,
    encoder: Encoder,
    events: u64,
    /// The last frame, for its memory.
    frame: Vec<u8>,
    has_header: bool,
}

impl<'w> Writer<'w> {
    /// Writes to `sink`, which messages call `file`. It needs no buffer of its own.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Writer<'w> {
        Writer::to(Output::new(file, sink))
    }

    /// Writes to `out`.
    pub fn to(out: Output<'w>) -> Writer<'w> {
        Writer { out, encoder: Encoder::default(), events: 0, frame: Vec::new(), has_header: false }
    }

    /// Writes an event. `symbols` must be the same at each call, or grown; `location` may be empty.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        if self.encoder.is_full() {
            self.flush()?;
        }
        if self.encoder.push(event, symbols, location).is_err() {
            let name = format!("name of event {}", self.events + 1);
            return Err(self.out.refused("a binary trace", "trace's", &name, "it has more than 2^28 bytes"));
        }
        self.events += 1;
        Ok(())
    }

    /// Makes all events so far readable for others. Each call ends a frame: many small ones take more room.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.encoder.events() > 0 {
            self.encoder.frame(&mut self.frame);
            self.put()?;
        }
        Ok(())
    }

    /// Writes what is still collected, and the end.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush()?;
        self.encoder.end(self.events, &mut self.frame);
        self.put()?;
        self.out.finish()
    }

    fn put(&mut self) -> Result<(), WriteError> {
        if !std::mem::replace(&mut self.has_header, true) {
            self.out.write(&layout::file_header())?;
        }
        self.out.write(&self.frame)?;
        self.out.flush()
    }
}

impl Sink for Writer<'_> {
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        Writer::write(self, event, symbols, location)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Writer::flush(self)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Writer::finish(*self)
    }
}
