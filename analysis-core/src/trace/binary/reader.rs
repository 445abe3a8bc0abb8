//! The reader of binary traces.

use std::io::Read;
use std::sync::Arc;
use std::thread::available_parallelism;

use super::ahead::Ahead;
use super::frames::Frames;
use super::source::Source;
use super::stream::Stream;
use crate::event::Event;
use crate::trace::error::TraceError;
use crate::trace::symbols::Symbols;

/// Which thread decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The one that reads.
    Along,
    /// One of its own, where there are processors for two.
    Ahead,
}

/// Reads a binary trace.
pub struct Reader {
    file: Arc<str>,
    symbols: Symbols,
    events: Events,
    /// How many were read.
    count: u64,
    /// The event of the last [`Reader::next_located`].
    one: Vec<Event>,
}

/// Where events come from.
enum Events {
    Along(Box<Stream>),
    Ahead(Ahead),
}

/// An event with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The event.
    pub event: Event,
    /// Its number; the first is 1.
    pub number: u64,
    /// Its location, empty if it has none; what is not UTF-8 is replaced.
    pub location: String,
}

impl Reader {
    /// Reads what `from` gives, which messages call `file`.
    pub fn new(file: impl Into<Arc<str>>, from: impl Read + Send + 'static, pace: Pace) -> Reader {
        Reader::start(file.into(), Source::read(Box::new(from)), pace)
    }

    fn start(file: Arc<str>, source: Source, pace: Pace) -> Reader {
        let stream = Stream::new(Frames::new(Arc::clone(&file), source), false);
        let has_room = pace == Pace::Ahead && available_parallelism().is_ok_and(|count| count.get() > 1);
        let started = if has_room { Ahead::start(stream) } else { Err(stream) };
        let events = started.map_or_else(|stream| Events::Along(Box::new(stream)), Events::Ahead);
        Reader::of(file, events)
    }

    /// Reads what `from` gives event by event with locations, too.
    pub fn located(file: impl Into<Arc<str>>, from: impl Read + Send + 'static) -> Reader {
        let file = file.into();
        let frames = Frames::new(Arc::clone(&file), Source::read(Box::new(from)));
        Reader::of(file, Events::Along(Box::new(Stream::new(frames, true))))
    }

    fn of(file: Arc<str>, events: Events) -> Reader {
        Reader { file, symbols: Symbols::default(), events, count: 0, one: Vec::new() }
    }

    /// Appends the next events to `batch`, `most` at most, and says how many: none only at the end of the trace. After
    /// an error the trace is at its end.
    pub fn read_batch(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        if most == 0 {
            return Ok(0);
        }
        let read = match &mut self.events {
            Events::Ahead(ahead) => ahead.read(batch, most, &mut self.symbols)?,
            Events::Along(stream) => {
                if !stream.advance()? {
                    return Ok(0);
                }
                stream.names().drain(&mut self.symbols);
                stream.events(batch, most)?
            }
        };
        self.count += read as u64;
        Ok(read)
    }

    /// The next event with its location, from a reader that was made for it.
    pub fn next_located(&mut self) -> Result<Option<Located>, TraceError> {
        let mut one = std::mem::take(&mut self.one);
        one.clear();
        let read = self.read_batch(&mut one, 1)?;
        let event = one.first().copied().filter(|_| read > 0);
        self.one = one;
        let (Some(event), Events::Along(stream)) = (event, &mut self.events) else { return Ok(None) };
        let location = String::from_utf8_lossy(stream.location()?).into_owned();
        Ok(Some(Located { event, number: self.count, location }))
    }

    /// The names so far.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The file as messages call it.
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }
}
