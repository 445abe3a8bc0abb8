//! From lines to events.

use std::io::{self, Read};
use std::marker::PhantomData;
use std::sync::Arc;

use super::chunk::Chunk;
use super::lines::{Lines, Next, Span};
use super::{Fault, Line, Syntax, Verb};
use crate::event::{Event, LabelId, LockId, Op, ThreadId};
use crate::trace::ahead::Produce;
use crate::trace::error::{ErrorKind, Place, TraceError};
use crate::trace::malformed::Malformed;
use crate::trace::symbols::{Interner, Symbols};

/// Makes chunks of a trace of syntax `S`.
pub(super) struct Parser<S, R> {
    file: Arc<str>,
    lines: Lines<R>,
    names: Names,
    /// True if it is wanted where the lines are.
    locates: bool,
    syntax: PhantomData<fn(S)>,
}

/// The threads, locks and labels of the trace so far, and a shortcut to the thread of the last event: threads run for
/// many events in a row. Variables are for the chunk's taker to look up, which is half the work.
struct Names {
    symbols: Symbols,
    last_thread: Vec<u8>,
    last_id: ThreadId,
}

impl<S: Syntax, R: Read> Parser<S, R> {
    pub(super) fn new(file: Arc<str>, input: R, locates: bool) -> Parser<S, R> {
        let names = Names { symbols: Symbols::default(), last_thread: Vec::new(), last_id: ThreadId(0) };
        Parser { file, lines: Lines::new(input), names, locates, syntax: PhantomData }
    }

    /// Adds what the line at `span` says, if it is an event. Nothing of a malformed line is interned, save a thread
    /// beyond the last possible.
    #[inline(always)]
    fn line(&mut self, span: Span, chunk: &mut Chunk) -> Result<(), Fault> {
        let Some(Line { thread, verb }) = S::parse(self.lines.text(span))? else { return Ok(()) };
        let names = &mut self.names;
        let thread = names.thread(thread)?;
        let op = match verb {
            Verb::Read(x) => Op::Read(chunk.variable(x, self.lines.span(x))),
            Verb::Write(x) => Op::Write(chunk.variable(x, self.lines.span(x))),
            Verb::Acquire(l) => Op::Acquire(LockId(names.symbols.locks.intern(l))),
            Verb::Release(l) => Op::Release(LockId(names.symbols.locks.intern(l))),
            Verb::Fork(u) => Op::Fork(names.new_thread(u)?),
            Verb::Join(u) => Op::Join(names.new_thread(u)?),
            Verb::Begin(b"") => Op::Begin(LabelId::NONE),
            Verb::Begin(m) => Op::Begin(LabelId(names.symbols.labels.intern(m))),
            Verb::End => Op::End,
            Verb::Fence => Op::Fence,
            Verb::Commit(x) => Op::Commit(chunk.variable(x, self.lines.span(x))),
            Verb::Dummy => Op::Nop,
        };
        chunk.push(Event { thread, op }, self.lines.number());
        if self.locates {
            chunk.locate(span);
        }
        Ok(())
    }

    #[cold]
    fn malformed(&self, fault: Fault, line: &[u8]) -> TraceError {
        let malformed: Malformed = S::explain(fault, line);
        let place = Place::Line(self.lines.number());
        TraceError { file: Arc::clone(&self.file), place, kind: ErrorKind::Malformed(malformed) }
    }

    #[cold]
    fn unreadable(&self, error: io::Error) -> TraceError {
        TraceError::reading(&self.file, Place::After(self.lines.number()), error)
    }
}

impl<S: Syntax, R: Read> Produce for Parser<S, R> {
    type Chunk = Chunk;

    fn fill(&mut self, chunk: &mut Chunk) -> bool {
        chunk.clear();
        let known = self.names.count();
        while !chunk.is_full() {
            let next = match self.lines.next_buffered() {
                Some(next) => next,
                // Then the buffer may change.
                None if chunk.is_empty() => match self.lines.next_read() {
                    Ok(next) => next,
                    Err(error) => {
                        chunk.fault(self.unreadable(error));
                        break;
                    }
                },
                None => break,
            };
            match next {
                Next::Line(span) => {
                    if let Err(fault) = self.line(span, chunk) {
                        chunk.fault(self.malformed(fault, self.lines.text(span)));
                    }
                }
                Next::Refused(fault) => chunk.fault(self.malformed(fault, b"")),
                Next::End => break,
            }
        }
        let (text, new) = chunk.parts();
        self.lines.hand_over(text);
        for ((new, table), known) in new.iter_mut().zip(self.names.tables()).zip(known) {
            new.take(table, known);
        }
        !chunk.is_empty()
    }
}

impl Names {
    /// The number of the thread whose event it is. The empty name, which no thread has, is the first shortcut.
    #[inline]
    fn thread(&mut self, name: &[u8]) -> Result<ThreadId, Fault> {
        if is_same(name, &self.last_thread) {
            return Ok(self.last_id);
        }
        let id = self.new_thread(name)?;
        self.last_thread.clear();
        self.last_thread.extend_from_slice(name);
        self.last_id = id;
        Ok(id)
    }

    fn new_thread(&mut self, name: &[u8]) -> Result<ThreadId, Fault> {
        let id = ThreadId(self.symbols.threads.intern(name));
        if id <= ThreadId::MAX { Ok(id) } else { Err(Fault::TooManyThreads) }
    }

    fn tables(&self) -> [&Interner; 3] {
        [&self.symbols.threads, &self.symbols.locks, &self.symbols.labels]
    }

    fn count(&self) -> [usize; 3] {
        self.tables().map(Interner::len)
    }
}

/// Equality of names that are mostly a few bytes long: too short for a call of `memcmp` to pay.
#[inline]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    const SHORT: usize = 8;
    a.len() == b.len() && if a.len() <= SHORT { a.iter().eq(b) } else { a == b }
}
