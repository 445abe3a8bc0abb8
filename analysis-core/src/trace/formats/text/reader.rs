//! Takes events from the chunks of a parser, in the thread of the engine.

use std::io::Read;
use std::sync::Arc;

use super::parser::{Parsed, Parser};
use super::syntax::Syntax;
use crate::event::Event;
use crate::trace::files::data::Data;
use crate::trace::formats::ahead::{Ahead, Pace, Produce};
use crate::trace::formats::format::{Opened, Source, Written};
use crate::trace::vocabulary::error::{Place, TraceError};
use crate::trace::vocabulary::symbols::Symbols;

/// Reads a trace of syntax `S` from its first line to its last.
///
/// It reads large pieces, so the input needs no buffer. A malformed line is an error without effect: the next call
/// continues after it. Any other error ends the trace.
pub struct Reader<S, R> {
    file: Arc<str>,
    chunks: Chunks<S, R>,
    symbols: Symbols,
    chunk: Parsed,
    /// The index in the chunk of the first event of the last batch.
    first: usize,
    /// The index in the chunk of the next event.
    next: usize,
}

/// Where chunks are made.
enum Chunks<S, R> {
    Along(Box<Parser<S, R>>),
    /// As `Along`, until a thread takes over after the second chunk: short traces are not worth a thread.
    Short(Box<Parser<S, R>>, Start<S, R>),
    Ahead(Ahead<Parsed>),
    End,
}

type Start<S, R> = fn(Box<Parser<S, R>>) -> Chunks<S, R>;

impl<S: Syntax, R: Read> Reader<S, R> {
    /// Reads `input`, which messages call `file`.
    pub fn new(file: impl Into<Arc<str>>, input: R) -> Reader<S, R> {
        let file = file.into();
        let parser = Box::new(Parser::new(Arc::clone(&file), input, true));
        Reader::start(file, Chunks::Along(parser))
    }

    fn start(file: Arc<str>, chunks: Chunks<S, R>) -> Reader<S, R> {
        Reader { file, chunks, symbols: Symbols::default(), chunk: Parsed::default(), first: 0, next: 0 }
    }

    /// Appends at most `most` events to `events` and returns how many: none only at the end of the trace.
    ///
    /// May append fewer. Events that precede an error are appended before the error is returned.
    pub fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        let taken = self.take(most)?;
        events.extend_from_slice(taken);
        Ok(taken.len())
    }

    /// Returns the next events, at most `most`; none only at the end of the trace.
    pub(in crate::trace) fn take(&mut self, most: usize) -> Result<&[Event], TraceError> {
        let count = loop {
            let count = self.chunk.events(self.next, most).len();
            if count > 0 || most == 0 {
                break count;
            }
            if let Some(error) = self.chunk.take_fault(self.next) {
                return Err(error);
            }
            if !self.refill() {
                break 0;
            }
        };
        self.first = self.next;
        self.next += count;
        Ok(self.chunk.events(self.first, count))
    }

    /// Returns the line of event `index` of those that the last call of [`Reader::read_batch`] appended; the first is
    /// 1.
    pub fn line(&self, index: usize) -> u64 {
        self.chunk.line(self.first + index)
    }

    /// Returns the line of the event that was read last, and its number.
    pub(in crate::trace) fn last_line(&self) -> (&str, u64) {
        let last = self.next - 1;
        (self.chunk.written(last), self.chunk.line(last))
    }

    /// Returns the names so far, and possibly some that will be used soon.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Returns the name of the file in messages.
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Takes the next chunk. Returns false at the end of the trace.
    fn refill(&mut self) -> bool {
        let is_second = self.next > 0;
        (self.first, self.next) = (0, 0);
        let is_more = match &mut self.chunks {
            Chunks::Along(parser) | Chunks::Short(parser, _) => parser.fill(&mut self.chunk),
            Chunks::Ahead(ahead) => ahead.next(&mut self.chunk),
            Chunks::End => false,
        };
        if !is_more {
            self.chunk.clear();
            self.chunks = Chunks::End;
            return false;
        }
        if is_second
            && let Chunks::Short(..) = self.chunks
            && let Chunks::Short(parser, start) = std::mem::replace(&mut self.chunks, Chunks::End)
        {
            self.chunks = start(parser);
        }
        self.chunk.look_up(&mut self.symbols);
        true
    }
}

impl<S: Syntax + 'static, R: Read + Send + 'static> Reader<S, R> {
    /// Like [`Reader::new`], with a reader thread for longer traces if `pace` asks for one.
    pub(in crate::trace) fn with_pace(file: Arc<str>, input: R, pace: Pace) -> Reader<S, R> {
        let parser = Box::new(Parser::new(Arc::clone(&file), input, pace == Pace::Located));
        let ahead = |parser| Ahead::start(parser).map_or_else(Chunks::Along, Chunks::Ahead);
        let chunks = if pace.has_thread() { Chunks::Short(parser, ahead) } else { Chunks::Along(parser) };
        Reader::start(file, chunks)
    }
}

/// Opens `input`, a trace of syntax `S`.
pub(in crate::trace) fn open<S: Syntax + 'static>(input: &Data, pace: Pace) -> Opened {
    Ok(Box::new(Reader::<S, _>::with_pace(Arc::clone(input.name()), input.reopen()?, pace)))
}

impl<S: Syntax, R: Read + Send> Source for Reader<S, R> {
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        Reader::read_batch(self, events, most)
    }

    fn place(&self, index: usize) -> Place {
        Place::Line(self.line(index))
    }

    fn written(&self) -> Written<'_> {
        S::written(self.last_line().0)
    }

    fn symbols(&self) -> &Symbols {
        Reader::symbols(self)
    }

    fn file(&self) -> &Arc<str> {
        Reader::file(self)
    }
}
