//! The writer of binary traces.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::encode::Encoder;
use super::layout;
use crate::event::Event;
use crate::trace::error::one_line;
use crate::trace::std::WriteError;
use crate::trace::symbols::Symbols;

const TOO_LONG: &str = "it has more than 2^28 bytes";

/// Writes a binary trace, event by event. [`Writer::finish`] must end it; without, it is a trace that was cut.
pub struct Writer<'w> {
    file: Arc<str>,
    sink: Box<dyn Write + Send + 'w>,
    encoder: Encoder,
    events: u64,
    frame: Vec<u8>,
}

impl Writer<'static> {
    /// Makes the file at `path`.
    pub fn create(path: &Path) -> Result<Writer<'static>, WriteError> {
        let file: Arc<str> = one_line(&path.display().to_string()).into();
        let sink = File::create(path).map_err(|error| WriteError::Io { file: Arc::clone(&file), error })?;
        Writer::new(file, sink)
    }
}

impl<'w> Writer<'w> {
    /// Writes to `sink`, which messages call `file`. It is given whole frames and needs no buffer.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Result<Writer<'w>, WriteError> {
        let encoder = Encoder::default();
        let mut writer =
            Writer { file: file.into(), sink: Box::new(sink), encoder, events: 0, frame: layout::file_header().into() };
        writer.put()?;
        Ok(writer)
    }

    /// Writes an event. `symbols` must be the same at each call, grown; `location` may be empty.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        if self.encoder.is_full() {
            self.flush()?;
        }
        if self.encoder.push(event, symbols, location).is_err() {
            let name = format!("name or location of event {}", self.events + 1);
            return Err(WriteError::Name { file: Arc::clone(&self.file), what: "trace", name, why: TOO_LONG });
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
        self.put()
    }

    fn put(&mut self) -> Result<(), WriteError> {
        let written = self.sink.write_all(&self.frame).and_then(|()| self.sink.flush());
        written.map_err(|error| WriteError::Io { file: Arc::clone(&self.file), error })
    }
}
