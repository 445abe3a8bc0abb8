//! What a trace says of the events that a report names: a second reading.
//!
//! Names come from the trace and may hold anything; here each becomes one line without control characters, so that no
//! name can break a table or steer a terminal.

use std::collections::{BTreeSet, HashMap};

use crate::event::{Event, Op, ThreadId};
use crate::trace::input::Input;
use crate::trace::{Mode, TraceError, TraceReader, lookup, one_line};

/// One event as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDetail {
    /// Its thread.
    pub thread: ThreadId,
    /// The name of its thread.
    pub thread_name: String,
    /// What it is.
    pub op: Op,
    /// The same as the trace writes it.
    pub operation: String,
    /// Where it is in the program, as the trace writes it.
    pub location: String,
    /// The begin of the transaction that it is in, if it is in a block.
    pub transaction: Option<u64>,
    /// The label of the innermost block that it is in, if that has one.
    pub method: Option<String>,
}

/// The events that a report names, by number.
#[derive(Debug, Default)]
pub struct Details {
    events: HashMap<u64, EventDetail>,
}

impl Details {
    /// Reads `input` again for the events with these numbers. `blocks` says which events open and close blocks: what
    /// the engine was given, where a specification has taken some out.
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
        let mut next = written.into_iter().peekable();
        while number < last && reader.read_batch(&mut batch, 1 << 14)? > 0 {
            blocks(&mut batch, &reader);
            for event in &batch {
                number += 1;
                let stack = open.entry(event.thread).or_default();
                if let Op::Begin(label) = event.op {
                    stack.push((number, reader.symbols().label(label).map(|name| one_line(&name))));
                }
                if let Some(line) = next.next_if(|line| line.event == number) {
                    let detail = EventDetail {
                        thread: event.thread,
                        thread_name: one_line(&line.thread),
                        op: event.op,
                        operation: one_line(&line.operation),
                        location: one_line(&line.location),
                        transaction: stack.first().map(|(begin, _)| *begin),
                        method: stack.last().and_then(|(_, label)| label.clone()),
                    };
                    details.events.insert(number, detail);
                }
                if event.op == Op::End {
                    stack.pop();
                }
            }
        }
        Ok(details)
    }

    /// The event with this number, which was among those asked for.
    pub fn event(&self, number: u64) -> &EventDetail {
        self.events.get(&number).expect("every event of a witness was asked for")
    }
}
