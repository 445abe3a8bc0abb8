//! What a report says of single events. It comes from a second reading of the trace ([`Details`]), or from the watcher of
//! the run ([`Ends`]).
//!
//! Names may hold anything; here each becomes one line without control characters, so that no name can break a table or
//! steer a terminal.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashMap;

use super::call::{Call, Hand};
use super::data::Placed;
use super::held::{Accessed, Accesses, Held};
use super::section::{self, End};
use super::words::{operand, spoken};
use crate::engine::{Edge, Violation};
use crate::event::{Event, LockId, Op, Stamp, ThreadId};
use crate::trace::input::Input;
use crate::trace::{Detail, Mode, TraceError, TraceReader, lookup, one_line};

/// One event as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDetail {
    /// The name of the event.
    pub stamp: Stamp,
    /// Its number in the trace, if the reader of the report has the trace.
    pub number: Option<u64>,
    /// Its thread.
    pub thread: ThreadId,
    /// The name of its thread.
    pub thread_name: String,
    /// The operation.
    pub op: Op,
    /// The operation as the trace writes it: the cell of a table.
    pub operation: String,
    /// The operation in words: `read V1`.
    pub access: String,
    /// The call of the platform's library that the event stands for, if any.
    pub call: Option<Call>,
    /// The locks that its thread holds, except one that the event is about, in the order in which it took them; `None` if unknown.
    pub locks: Option<Vec<String>>,
    /// The location in the program, as the trace writes it.
    pub location: String,
    /// The begin of the transaction that the event is in, if it is in a block.
    pub transaction: Option<u64>,
    /// The method that the event is in: the label of the innermost block, if that has one; in a run, the place of the
    /// event.
    pub method: Option<String>,
    /// The method of its transaction, if known.
    pub transaction_method: Option<String>,
}

impl EventDetail {
    /// The same event, described as a call if it is an access by one, or as what a call does to a thread or a lock.
    pub fn calling(self, call: Option<Call>) -> EventDetail {
        match call {
            Some(call) if self.op.variable().is_some() => EventDetail {
                operation: call.operation(self.op),
                access: call.access(self.op),
                call: Some(call),
                ..self
            },
            // Saying that a thread is started by its start adds nothing.
            Some(call) if self.is_of_thread_or_lock() && self.call.is_none() => {
                let by = if call.owner == "Thread" { String::new() } else { format!(" by {}", call.method) };
                EventDetail { access: self.access.clone() + &by, call: Some(call), ..self }
            }
            _ => self,
        }
    }

    /// The same event, described as the acquire or release of a lock; `operation` is the text in the cell of a table.
    pub fn of_section(self, end: End, (number, lock): (LockId, &str), operation: String) -> EventDetail {
        let op = match end {
            End::Release => Op::Release(number),
            End::Acquire => Op::Acquire(number),
        };
        EventDetail { op, operation, access: format!("{} {lock}", end.verb()), ..self }
    }

    /// True if the event takes or gives up a lock, including one that readers share.
    pub fn is_of_lock(&self) -> bool {
        matches!(self.op, Op::Acquire(_) | Op::Release(_)) || self.call.as_ref().is_some_and(Call::is_of_shared_lock)
    }

    fn is_of_thread_or_lock(&self) -> bool {
        matches!(self.op, Op::Fork(_) | Op::Join(_) | Op::Acquire(_) | Op::Release(_))
    }
}

/// The lock that the trace names in an event, or whose variable it names.
fn lock_of(detail: &EventDetail) -> Option<&str> {
    let name = operand(&detail.operation);
    match detail.op {
        Op::Acquire(_) | Op::Release(_) => Some(name).filter(|name| !name.is_empty()),
        Op::Read(_) | Op::Write(_) => section::lock(name),
        _ => None,
    }
}

/// A source of details about the events that findings name.
pub trait Ends {
    /// The begin of the violated block.
    fn begin(&self, violation: &Violation) -> EventDetail;
    /// The event from which an edge starts.
    fn from(&self, edge: &Edge) -> EventDetail;
    /// The event to which an edge leads.
    fn to(&self, edge: &Edge) -> EventDetail;

    /// What the critical section that an event begins or ends accesses, if known.
    fn section(&self, _: Stamp) -> Option<&Accesses> {
        None
    }

    /// What an access in a section is to, and its place, by its number; `None` if unknown.
    fn placed(&self, _: u64) -> Option<&Placed> {
        None
    }

    /// True if several events of a thread can have the same stamp. Otherwise a stamp names one event.
    fn has_epochs(&self) -> bool {
        false
    }
}

/// True for calls on one object: on one variable, or on parts of what is known to be one.
pub(in crate::report) fn is_one_object(one: &EventDetail, other: &EventDetail) -> bool {
    let (Some(call), Some(called)) = (&one.call, &other.call) else { return false };
    let is_one_semaphore = call.hand == Some(Hand::Permits) && called.hand == Some(Hand::Permits);
    if is_one_semaphore {
        // Each release is a hand-over of its own, so only the field identifies the semaphore.
        return call.field.is_some() && call.field == called.field;
    }
    one.op.variable().is_some_and(|variable| other.op.variable() == Some(variable)) || call.has_receiver_of(called)
}

/// The events that a report names, by number.
#[derive(Debug, Default)]
pub struct Details {
    events: HashMap<u64, EventDetail>,
    /// The locks of these events, by name: the sections of a lock also appear as accesses to a variable beside it.
    locks: HashMap<String, LockId>,
    /// What the critical sections of these events access, by number of the event.
    sections: HashMap<u64, Accesses>,
    /// The places of the accesses that several sections have in common, by number.
    accesses: HashMap<u64, Placed>,
    /// Numbers for the places of the events by which violations are told apart.
    pub(in crate::report) places: FxHashMap<u64, u32>,
}

impl Details {
    /// Reads `input` again for the events with these numbers. `blocks` says which events open and close blocks: what
    /// the engine was given, in case a specification has taken some out.
    pub fn read(
        input: &Input,
        numbers: &BTreeSet<u64>,
        mut blocks: impl FnMut(&mut Vec<Event>, &TraceReader),
    ) -> Result<Details, TraceError> {
        let Some(last) = numbers.last().copied() else { return Ok(Details::default()) };
        let wanted: Vec<u64> = numbers.iter().copied().collect();
        let written = lookup(input, &wanted)?;
        let mut reader = TraceReader::open(input, Mode::Lenient)?;
        let mut open: HashMap<ThreadId, Vec<(u64, Option<String>)>> = HashMap::new();
        let mut batch = Vec::new();
        let mut details = Details::default();
        let mut number = 0;
        let mut held = Held::of(&written);
        let mut next = written.into_iter().peekable();
        // Sections end after the last event.
        while (number < last || held.is_waiting()) && reader.read_batch(&mut batch, 1 << 14)? > 0 {
            blocks(&mut batch, &reader);
            for event in &batch {
                number += 1;
                let stack = open.entry(event.thread).or_default();
                if let Op::Begin(label) = event.op {
                    stack.push((number, reader.symbols().label(label).map(|name| one_line(&name))));
                }
                let line = next.next_if(|line| line.event == number);
                let locks = held.step(*event, number, line.is_some(), reader.symbols());
                if let Some(line) = line {
                    let location = one_line(&line.location);
                    let operand = one_line(operand(&line.operation));
                    let called = Call::parse(&operand, &location);
                    let (call, place) = called.map_or((None, &*location), |(call, place)| (Some(call), place));
                    let detail = EventDetail {
                        stamp: Stamp::new(event.thread, number),
                        number: Some(number),
                        thread: event.thread,
                        thread_name: one_line(&line.thread),
                        op: event.op,
                        access: one_line(&spoken(event.op, &line.operation)),
                        call: None,
                        locks,
                        operation: one_line(&line.operation),
                        location: place.to_owned(),
                        transaction: stack.first().map(|(begin, _)| *begin),
                        method: stack.last().and_then(|(_, label)| label.clone()),
                        transaction_method: stack.first().and_then(|(_, label)| label.clone()),
                    };
                    details.insert(detail.calling(call));
                }
                if event.op == Op::End {
                    stack.pop();
                }
            }
        }
        details.sections = held.sections(reader.symbols());
        details.accesses = placed(input, &details.sections)?;
        Ok(details)
    }

    /// The details of a run that is in memory.
    pub fn of(events: impl IntoIterator<Item = EventDetail>) -> Details {
        let mut details = Details::default();
        events.into_iter().for_each(|detail| details.insert(detail));
        details
    }

    fn insert(&mut self, detail: EventDetail) {
        let Some(number) = detail.number else { return };
        if let Some(lock) = lock_of(&detail) {
            let next = u32::try_from(self.locks.len()).expect("fewer locks than events");
            self.locks.entry(lock.to_owned()).or_insert(LockId(next));
        }
        self.events.insert(number, detail);
    }

    /// An end of an edge: an access to the variable of the sections under a lock becomes the acquire or release of the
    /// lock.
    fn event_of(&self, number: u64, end: End) -> EventDetail {
        let detail = self.event(number).clone();
        let Some(lock) = lock_of(&detail).map(str::to_owned) else { return detail };
        let number = self.locks[&lock];
        match detail.op {
            Op::Acquire(_) => EventDetail { op: Op::Acquire(number), ..detail },
            Op::Release(_) => EventDetail { op: Op::Release(number), ..detail },
            _ => detail.of_section(end, (number, &lock), end.written(&lock)),
        }
    }

    /// The event with this number, which must be among those asked for.
    pub fn event(&self, number: u64) -> &EventDetail {
        self.events.get(&number).expect("every event of a witness was asked for")
    }
}

/// The places of accesses to variables that several sections access, by number of the access: one more reading, if there are any.
fn placed(input: &Input, sections: &HashMap<u64, Accesses>) -> Result<HashMap<u64, Placed>, TraceError> {
    let all = || sections.values().flatten();
    let mut sections_of: HashMap<&str, BTreeSet<u64>> = HashMap::new();
    for accessed in all() {
        // Several events can belong to one section.
        sections_of.entry(&accessed.variable).or_default().extend(accessed.first());
    }
    let is_shared = |accessed: &&Accessed| sections_of[accessed.variable.as_str()].len() > 1;
    let numbers = all().filter(is_shared).flat_map(|accessed| accessed.read.into_iter().chain(accessed.write));
    let numbers: BTreeSet<u64> = numbers.collect();
    let lines = lookup(input, &Vec::from_iter(numbers))?;
    let placed = |line: &Detail| {
        let (location, operand) = (one_line(&line.location), one_line(operand(&line.operation)));
        match Call::parse(&operand, &location) {
            Some((call, place)) => Placed { call: Some(call.subject()), location: place.to_owned() },
            None => Placed { call: None, location },
        }
    };
    Ok(lines.iter().map(|line| (line.event, placed(line))).collect())
}

impl Ends for Details {
    fn begin(&self, violation: &Violation) -> EventDetail {
        self.event(violation.begin).clone()
    }

    fn from(&self, edge: &Edge) -> EventDetail {
        self.event_of(edge.from.position(), End::Release)
    }

    fn to(&self, edge: &Edge) -> EventDetail {
        self.event_of(edge.to.position(), End::Acquire)
    }

    fn section(&self, event: Stamp) -> Option<&Accesses> {
        self.sections.get(&event.position())
    }

    fn placed(&self, number: u64) -> Option<&Placed> {
        self.accesses.get(&number)
    }
}
