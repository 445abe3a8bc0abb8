//! Parses lines to events, in chunks that one thread makes and another may consume.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::sync::Arc;

use super::lines::{Lines, Next, Span};
use super::syntax::{Fault, Line, Syntax, Verb};
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::formats::ahead::Produce;
use crate::trace::vocabulary::error::{ErrorKind, Malformed, Place, TraceError};
use crate::trace::vocabulary::notes::Notes;
use crate::trace::vocabulary::symbols::{Interner, NameHash, NewNames, Symbols};

/// Makes chunks of a trace of syntax `S`.
pub(super) struct Parser<S, R> {
    file: Arc<str>,
    lines: Lines<R>,
    names: Names,
    /// Whether the lines of events are kept.
    locates: bool,
    syntax: PhantomData<fn(S)>,
}

/// The threads, locks and labels of the trace so far, and a shortcut to the thread of the last event, since threads run
/// for many events in a row. The consumer of the chunk looks up the variables, which is half the work.
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

    /// Adds the event on the line at `span`, if there is one. A malformed line interns nothing, except a thread beyond
    /// the last possible one.
    #[inline(always)]
    fn line(&mut self, span: Span, chunk: &mut Parsed) -> Result<(), Fault> {
        let Some(Line { thread, verb }) = S::parse(self.lines.text(span))? else {
            if let Some(note) = S::note(self.lines.text(span)) {
                chunk.notes.add(note);
            }
            return Ok(());
        };
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
            Verb::Together => Op::Together,
            Verb::Update => Op::Update,
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
    type Chunk = Parsed;

    fn fill(&mut self, chunk: &mut Parsed) -> bool {
        chunk.clear();
        let known = self.names.count();
        while !chunk.is_full() {
            let next = match self.lines.next_buffered() {
                Some(next) => next,
                // No spans refer to the buffer, so it may change.
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
        !chunk.is_empty() || !chunk.notes.is_empty()
    }
}

impl Names {
    /// Returns the number of the event's thread. The empty name, which no thread has, is the first shortcut.
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

/// Equality of names that are mostly a few bytes long, too short for a call to `memcmp` to pay off.
#[inline]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    const SHORT: usize = 8;
    a.len() == b.len() && if a.len() <= SHORT { a.iter().eq(b) } else { a == b }
}

/// How many names are looked up at a time.
const GROUP: usize = 128;

/// Stands for a variable that is yet to be looked up.
const UNKNOWN: VarId = VarId(u32::MAX);

/// The most faults in a chunk: in a file that is not a trace every line is wrong.
const MOST_FAULTS: usize = 256;

/// Lines, and their events.
#[derive(Default)]
pub(super) struct Parsed {
    /// The text to which the spans refer.
    text: Vec<u8>,
    events: Vec<Event>,
    /// The lines of the events, if they are kept.
    spans: Vec<Span>,
    /// Runs of events on consecutive lines: the first event of each and its line number.
    runs: Vec<(usize, u64)>,
    variables: Vec<PendingVariable>,
    /// Threads, locks and labels that are new in this chunk.
    names: [NewNames; 3],
    /// Errors, each with the event that it precedes.
    faults: VecDeque<(usize, TraceError)>,
    /// The notes of the chunk.
    notes: Notes,
}

/// A variable that is yet to be looked up.
struct PendingVariable {
    event: usize,
    name: Span,
    hash: NameHash,
}

impl Parsed {
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.spans.clear();
        self.runs.clear();
        self.variables.clear();
        self.faults.clear();
    }

    /// Returns whether the chunk has no events and no errors.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.faults.is_empty()
    }

    /// Returns whether nothing more should be added.
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// Adds the event of line `line`.
    #[inline(always)]
    pub(super) fn push(&mut self, event: Event, line: u64) {
        let index = self.events.len();
        if self.runs.last().is_none_or(|(start, first)| first + (index - start) as u64 != line) {
            self.runs.push((index, line));
        }
        self.events.push(event);
    }

    /// Keeps the position of the line of the newest event.
    pub(super) fn locate(&mut self, span: Span) {
        self.spans.push(span);
    }

    /// Adds the variable of the event that will be added next.
    #[inline(always)]
    pub(super) fn variable(&mut self, name: &[u8], span: Span) -> VarId {
        self.variables.push(PendingVariable { event: self.events.len(), name: span, hash: NameHash::of(name) });
        UNKNOWN
    }

    /// Adds an error after the newest event.
    pub(super) fn fault(&mut self, error: TraceError) {
        self.faults.push_back((self.events.len(), error));
    }

    /// Returns the text of the lines, and the names that are new in them.
    pub(super) fn parts(&mut self) -> (&mut Vec<u8>, &mut [NewNames; 3]) {
        (&mut self.text, &mut self.names)
    }

    /// Gives all names their numbers in `symbols`.
    pub(super) fn look_up(&mut self, symbols: &mut Symbols) {
        let tables = [&mut symbols.threads, &mut symbols.locks, &mut symbols.labels];
        self.names.iter().zip(tables).for_each(|(names, table)| names.append_to(table));
        symbols.notes.append(&mut self.notes);
        let Parsed { text, events, variables, .. } = self;
        for group in variables.chunks(GROUP) {
            look_up(group, text, events, &mut symbols.vars);
        }
    }

    /// Returns events from `from` on, at most `most`, up to the next error.
    pub(super) fn events(&self, from: usize, most: usize) -> &[Event] {
        let end = self.faults.front().map_or(self.events.len(), |(before, _)| *before);
        &self.events[from..end.min(from.saturating_add(most))]
    }

    /// Takes the error before event `before`.
    pub(super) fn take_fault(&mut self, before: usize) -> Option<TraceError> {
        let is_here = self.faults.front().is_some_and(|(at, _)| *at == before);
        is_here.then(|| self.faults.pop_front())?.map(|(_, error)| error)
    }

    /// Returns the line number of an event.
    pub(super) fn line(&self, event: usize) -> u64 {
        let run = self.runs.partition_point(|(start, _)| *start <= event) - 1;
        let (start, line) = self.runs[run];
        line + (event - start) as u64
    }

    /// Returns the line of an event, if lines are kept.
    pub(super) fn written(&self, event: usize) -> &str {
        std::str::from_utf8(self.spans[event].of(&self.text)).expect("lines are UTF-8")
    }
}

/// Looks up variables: first the table slots of all, so that the processor overlaps the cache misses, then the names.
fn look_up(group: &[PendingVariable], text: &[u8], events: &mut [Event], names: &mut Interner) {
    let mut guesses = [None; GROUP];
    for (guess, variable) in guesses.iter_mut().zip(group) {
        *guess = names.guess(variable.hash);
    }
    for (PendingVariable { event, name, hash }, guess) in group.iter().zip(guesses) {
        let name = name.of(text);
        let number = match guess {
            Some(id) if names.is(id, name) => id,
            _ => names.intern_hashed(name, *hash),
        };
        if let Op::Read(x) | Op::Write(x) | Op::Commit(x) = &mut events[*event].op {
            *x = VarId(number);
        }
    }
}
