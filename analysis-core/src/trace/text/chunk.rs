//! Some lines of a trace as events: what is made by one thread and, maybe, taken by another.

use std::collections::VecDeque;

use super::lines::Span;
use crate::event::{Event, Op, VarId};
use crate::trace::error::TraceError;
use crate::trace::symbols::{Interner, NameHash, NewNames, Symbols};

/// So many names are looked up at a time.
const GROUP: usize = 128;

/// Stands in an event for a variable that is to be looked up.
const UNKNOWN: VarId = VarId(u32::MAX);

/// What is wrong in a chunk, at most: a file that is no trace is wrong in every line.
const MOST_FAULTS: usize = 256;

/// Lines, and the events that they say.
#[derive(Default)]
pub(super) struct Chunk {
    /// What all spans are in.
    text: Vec<u8>,
    events: Vec<Event>,
    /// The lines of the events, if they are wanted.
    spans: Vec<Span>,
    /// From which event on lines follow one another, and the number of the line of that event.
    runs: Vec<(usize, u64)>,
    variables: Vec<Variable>,
    /// Threads, locks and labels that are new here.
    names: [NewNames; 3],
    /// What is wrong before which event.
    faults: VecDeque<(usize, TraceError)>,
}

/// A variable that is to be looked up.
struct Variable {
    event: usize,
    name: Span,
    hash: NameHash,
}

impl Chunk {
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.spans.clear();
        self.runs.clear();
        self.variables.clear();
        self.faults.clear();
    }

    /// True if there is nothing in it.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.faults.is_empty()
    }

    /// True if there should be nothing more in it.
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

    /// Notes where the line of the newest event is.
    pub(super) fn locate(&mut self, span: Span) {
        self.spans.push(span);
    }

    /// The variable of the event that will be added next.
    #[inline(always)]
    pub(super) fn variable(&mut self, name: &[u8], span: Span) -> VarId {
        self.variables.push(Variable { event: self.events.len(), name: span, hash: NameHash::of(name) });
        UNKNOWN
    }

    /// Adds what is wrong after the newest event.
    pub(super) fn fault(&mut self, error: TraceError) {
        self.faults.push_back((self.events.len(), error));
    }

    /// The text of the lines, and the names that are new in them.
    pub(super) fn parts(&mut self) -> (&mut Vec<u8>, &mut [NewNames; 3]) {
        (&mut self.text, &mut self.names)
    }

    /// Gives all names their numbers in `symbols`.
    pub(super) fn look_up(&mut self, symbols: &mut Symbols) {
        let tables = [&mut symbols.threads, &mut symbols.locks, &mut symbols.labels];
        self.names.iter().zip(tables).for_each(|(names, table)| names.append_to(table));
        let Chunk { text, events, variables, .. } = self;
        for group in variables.chunks(GROUP) {
            look_up(group, text, events, &mut symbols.vars);
        }
    }

    /// Events from `from` on, `most` at most, up to where something is wrong.
    pub(super) fn events(&self, from: usize, most: usize) -> &[Event] {
        let end = self.faults.front().map_or(self.events.len(), |(before, _)| *before);
        &self.events[from..end.min(from.saturating_add(most))]
    }

    /// What is wrong before event `before`.
    pub(super) fn take_fault(&mut self, before: usize) -> Option<TraceError> {
        let is_here = self.faults.front().is_some_and(|(at, _)| *at == before);
        is_here.then(|| self.faults.pop_front())?.map(|(_, error)| error)
    }

    /// The number of the line of an event.
    pub(super) fn line(&self, event: usize) -> u64 {
        let run = self.runs.partition_point(|(start, _)| *start <= event) - 1;
        let (start, line) = self.runs[run];
        line + (event - start) as u64
    }

    /// The line of an event, of a chunk that has them.
    pub(super) fn written(&self, event: usize) -> &str {
        std::str::from_utf8(self.spans[event].of(&self.text)).expect("lines are UTF-8")
    }
}

/// Looks up variables: first the places of all, which the processor does at once, and only then the names found there.
fn look_up(group: &[Variable], text: &[u8], events: &mut [Event], names: &mut Interner) {
    let mut guesses = [None; GROUP];
    for (guess, variable) in guesses.iter_mut().zip(group) {
        *guess = names.guess(variable.hash);
    }
    for (Variable { event, name, hash }, guess) in group.iter().zip(guesses) {
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
