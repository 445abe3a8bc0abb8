//! The reader: events of whole frames, decoded in the calling thread or ahead of it in another thread.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use super::columns::FrameNames;
use super::decode::Stream;
use super::frames::{Bytes, Frames};
use crate::event::Event;
use crate::trace::files::data::Data;
use crate::trace::formats::ahead::{Ahead, Pace, Produce};
use crate::trace::formats::format::{Source, Written};
use crate::trace::vocabulary::error::{Place, TraceError};
use crate::trace::vocabulary::notation::notation;
use crate::trace::vocabulary::symbols::Symbols;

/// Reads a binary trace.
pub struct Reader {
    file: Arc<str>,
    symbols: Symbols,
    events: Decoding,
    /// The number of events read before the last batch.
    before: u64,
    /// The number of events read.
    count: u64,
    /// The last event read.
    last: Option<Event>,
}

/// The source of the events.
enum Decoding {
    Along(Box<Stream>),
    /// Decoded ahead, with the chunk that is being read.
    Ahead(Ahead<Decoded>, Box<Current>),
}

impl Reader {
    /// Reads `input`, mapped if it is an uncompressed file.
    pub fn open(input: &Data, pace: Pace) -> Result<Reader, TraceError> {
        let bytes = match input.file().ok().as_ref().and_then(Bytes::map) {
            Some(mapped) => mapped,
            None => Bytes::read(input.reopen()?),
        };
        Ok(Reader::start(Arc::clone(input.name()), bytes, pace))
    }

    /// Reads what `from` yields. Messages call it `file`.
    pub fn new(file: impl Into<Arc<str>>, from: impl Read + Send + 'static, pace: Pace) -> Reader {
        Reader::start(file.into(), Bytes::read(Box::new(from)), pace)
    }

    fn start(file: Arc<str>, bytes: Bytes, pace: Pace) -> Reader {
        let stream = Box::new(Stream::new(Frames::new(Arc::clone(&file), bytes), pace == Pace::Located));
        let started = if pace.has_thread() { Ahead::start(stream) } else { Err(stream) };
        let events = started.map_or_else(Decoding::Along, |ahead| Decoding::Ahead(ahead, Box::default()));
        Reader { file, symbols: Symbols::default(), events, before: 0, count: 0, last: None }
    }

    /// Appends the next events to `batch`, at most `most`, and returns how many: none only at the end of the trace. An
    /// error ends the trace.
    pub fn read_batch(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        if most == 0 {
            return Ok(0);
        }
        self.before = self.count;
        let read = match &mut self.events {
            Decoding::Ahead(ahead, current) => current.read(ahead, batch, most, &mut self.symbols)?,
            Decoding::Along(stream) => {
                let is_more = stream.advance()?;
                stream.names().drain(&mut self.symbols);
                if !is_more {
                    return Ok(0);
                }
                stream.events(batch, most)?
            }
        };
        self.count += read as u64;
        self.last = batch.last().copied();
        Ok(read)
    }

    /// Returns the names so far.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }
}

impl Source for Reader {
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        Reader::read_batch(self, events, most)
    }

    fn place(&self, index: usize) -> Place {
        Place::Record(self.before + index as u64 + 1)
    }

    fn written(&self) -> Written<'_> {
        let operation = self.last.map_or(String::new(), |event| notation(event.op, &self.symbols));
        // An empty location would look like an empty location in the trace.
        let location = match &self.events {
            Decoding::Along(stream) => stream.location(),
            Decoding::Ahead(..) => panic!("only a reader opened with Pace::Located has locations"),
        };
        Written { operation: Cow::Owned(operation), location }
    }

    fn symbols(&self) -> &Symbols {
        Reader::symbols(self)
    }

    fn file(&self) -> &Arc<str> {
        &self.file
    }
}

/// The most events of a chunk.
const CHUNK: usize = 1 << 14;

/// Decoded events of one frame, with the names that the frame adds if these events are its first.
#[derive(Default)]
pub(super) struct Decoded {
    names: FrameNames,
    events: Vec<Event>,
    /// Why there are no events.
    error: Option<TraceError>,
}

/// A chunk, from event `at` on.
#[derive(Default)]
pub(super) struct Current {
    chunk: Decoded,
    at: usize,
}

impl Produce for Stream {
    type Chunk = Decoded;

    fn fill(&mut self, chunk: &mut Decoded) -> bool {
        chunk.events.clear();
        let filled = self.advance().and_then(|is_more| {
            // The last notes may follow the last event.
            let has_notes = !self.names().1.is_empty();
            std::mem::swap(self.names(), &mut chunk.names);
            if is_more {
                self.events(&mut chunk.events, CHUNK)?;
            }
            Ok(is_more || has_notes)
        });
        filled.unwrap_or_else(|error| {
            chunk.error = Some(error);
            true
        })
    }
}

impl Current {
    /// See [`Reader::read_batch`].
    pub(super) fn read(
        &mut self,
        from: &mut Ahead<Decoded>,
        batch: &mut Vec<Event>,
        most: usize,
        symbols: &mut Symbols,
    ) -> Result<usize, TraceError> {
        let Current { chunk, at } = self;
        if *at == chunk.events.len() {
            *at = 0;
            if !from.next(chunk) {
                return Ok(0);
            }
            chunk.names.drain(symbols);
            if let Some(error) = chunk.error.take() {
                return Err(error);
            }
        }
        let count = (chunk.events.len() - *at).min(most);
        if batch.is_empty() && count == chunk.events.len() {
            std::mem::swap(batch, &mut chunk.events);
            return Ok(count);
        }
        batch.extend_from_slice(&chunk.events[*at..*at + count]);
        *at += count;
        Ok(count)
    }
}
