//! The reader of every format of one event a line: lines to events, names to numbers.

use std::io::Read;
use std::marker::PhantomData;
use std::sync::Arc;

use super::lines::{Lines, Next, Span};
use super::{Fault, Line, Syntax, Verb};
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::error::{ErrorKind, Place, TraceError};
use crate::trace::format::{Source, Written};
use crate::trace::malformed::Malformed;
use crate::trace::symbols::Symbols;

/// Reads a trace of syntax `S` from its first line to its last.
///
/// It reads large pieces, so the input needs no buffer of its own. A line that is malformed is an error and leaves
/// nothing behind: who calls again gets the lines after it. After any other error the trace is at its end.
pub struct Reader<S, R> {
    file: Arc<str>,
    lines: Lines<R>,
    names: Names,
    first_line: u64,
    /// The first line of the last batch, until another is read.
    last: Span,
    syntax: PhantomData<S>,
}

impl<S: Syntax, R: Read> Reader<S, R> {
    /// Reads `input`, which messages call `file`.
    pub fn new(file: impl Into<Arc<str>>, input: R) -> Reader<S, R> {
        let (lines, names) = (Lines::new(input), Names::default());
        Reader { file: file.into(), lines, names, first_line: 0, last: Span::default(), syntax: PhantomData }
    }

    /// Appends at most `most` events to `events` and says how many: none only at the end of the trace.
    ///
    /// They are of consecutive lines, the first of which is [`Reader::first_line`], so fewer than `most` come where
    /// there are lines between them that are no events. Events that precede an error are appended before it is returned.
    pub fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        let before = events.len();
        while events.len() - before < most {
            match self.step()? {
                Step::Event(span, event) => {
                    if events.len() == before {
                        self.first_line = self.lines.number();
                        self.last = span;
                    }
                    events.push(event);
                }
                Step::NoEvent if events.len() == before => {}
                Step::NoEvent | Step::End => break,
            }
        }
        Ok(events.len() - before)
    }

    /// The line of the first event that the last call of [`Reader::read_batch`] appended.
    pub fn first_line(&self) -> u64 {
        self.first_line
    }

    /// The next event.
    pub(in crate::trace) fn next_event(&mut self) -> Result<Option<Event>, TraceError> {
        loop {
            match self.step()? {
                Step::Event(span, event) => {
                    self.last = span;
                    return Ok(Some(event));
                }
                Step::NoEvent => {}
                Step::End => return Ok(None),
            }
        }
    }

    /// The line of the event that was read alone, and its number. To be asked for before anything else is read.
    pub(in crate::trace) fn last_line(&self) -> (&str, u64) {
        let text = std::str::from_utf8(self.lines.text(self.last)).expect("lines are UTF-8");
        (text, self.lines.number())
    }

    /// The names so far.
    pub fn symbols(&self) -> &Symbols {
        &self.names.symbols
    }

    /// The file as messages call it.
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }

    #[inline(always)]
    fn step(&mut self) -> Result<Step, TraceError> {
        let malformed = match self.lines.next() {
            Ok(Next::Line(span)) => match self.names.event_of::<S>(self.lines.text(span)) {
                Ok(Some(event)) => return Ok(Step::Event(span, event)),
                Ok(None) => return Ok(Step::NoEvent),
                Err(fault) => S::explain(fault, self.lines.text(span)),
            },
            Ok(Next::Refused(fault)) => S::explain(fault, b""),
            Ok(Next::End) => return Ok(Step::End),
            Err(error) => {
                let place = Place::After(self.lines.number());
                return Err(TraceError::reading(&self.file, place, error));
            }
        };
        Err(self.malformed(malformed))
    }

    #[cold]
    fn malformed(&self, malformed: Malformed) -> TraceError {
        let place = Place::Line(self.lines.number());
        TraceError { file: Arc::clone(&self.file), place, kind: ErrorKind::Malformed(malformed) }
    }
}

impl<S: Syntax + Send, R: Read + Send> Source for Reader<S, R> {
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        Reader::read_batch(self, events, most)
    }

    fn place(&self, index: usize) -> Place {
        Place::Line(self.first_line + index as u64)
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

/// What the next line is.
enum Step {
    Event(Span, Event),
    /// A blank line or a comment.
    NoEvent,
    End,
}

/// The names of the trace, and a shortcut to the thread of the last event: threads run for many events in a row.
struct Names {
    symbols: Symbols,
    last_thread: Vec<u8>,
    last_id: ThreadId,
}

impl Default for Names {
    fn default() -> Names {
        Names { symbols: Symbols::default(), last_thread: Vec::new(), last_id: ThreadId(0) }
    }
}

impl Names {
    /// The event that a line says, none for a line that is no event. Nothing of a malformed line is interned, save a
    /// thread beyond the last possible.
    #[inline]
    fn event_of<S: Syntax>(&mut self, text: &[u8]) -> Result<Option<Event>, Fault> {
        let Some(Line { thread, verb }) = S::parse(text)? else { return Ok(None) };
        let thread = self.thread(thread)?;
        let symbols = &mut self.symbols;
        let op = match verb {
            Verb::Read(x) => Op::Read(VarId(symbols.vars.intern(x))),
            Verb::Write(x) => Op::Write(VarId(symbols.vars.intern(x))),
            Verb::Acquire(l) => Op::Acquire(LockId(symbols.locks.intern(l))),
            Verb::Release(l) => Op::Release(LockId(symbols.locks.intern(l))),
            Verb::Fork(u) => Op::Fork(self.new_thread(u)?),
            Verb::Join(u) => Op::Join(self.new_thread(u)?),
            Verb::Begin(b"") => Op::Begin(LabelId::NONE),
            Verb::Begin(m) => Op::Begin(LabelId(symbols.labels.intern(m))),
            Verb::End => Op::End,
            Verb::Fence => Op::Fence,
            Verb::Commit(x) => Op::Commit(VarId(symbols.vars.intern(x))),
            Verb::Dummy => Op::Nop,
        };
        Ok(Some(Event { thread, op }))
    }

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
}

/// Equality of names that are mostly a few bytes long: too short for a call of `memcmp` to pay.
#[inline]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    const SHORT: usize = 8;
    a.len() == b.len() && if a.len() <= SHORT { a.iter().eq(b) } else { a == b }
}
