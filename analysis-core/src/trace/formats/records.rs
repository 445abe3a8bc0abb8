//! RegionTrack's records, as its authors' recorder writes them: 12 bytes an event, without a header.
//!
//! A record is three big-endian 32-bit integers: the thread, a code, and the id of a method, variable or lock. Codes are
//! 20 begin, 21 end, 22 read, 23 write, 24 acquire, 25 release. There are no forks, joins, names or locations; a name is
//! the number in decimal. Threads 1 and 2 are the virtual machine's finaliser and the driver of the benchmark.
//!
//! # Where we differ
//! 1. The id -1 at a begin means a block without a label.
//! 2. Any other code, and a record that the end of the file cuts off, are malformed.
//! 3. A name that is not such a number is written as the least free number.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::format::{Format, Sink, Source, Written};
use super::text::syntax::too_many_threads;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::files::output::{Output, WriteError};
use crate::trace::vocabulary::error::{ErrorKind, Malformed, Place, TraceError};
use crate::trace::vocabulary::notation::notation;
use crate::trace::vocabulary::symbols::{Interner, Symbols};

#[cfg(test)]
mod tests;

/// The entry in the list of formats.
pub(super) const FORMAT: Format = Format {
    name: "records",
    extensions: &["rtr"],
    recognises: is_head,
    reader: |input, _| Ok(Box::new(Reader::new(Arc::clone(input.name()), input.reopen()?))),
    writer: |output| Box::new(Writer::to(output)),
};

const RECORD: usize = 12;
const NO_LABEL: i32 = -1;

mod code {
    //! The codes of operations.
    pub(super) const BEGIN: i32 = 20;
    pub(super) const END: i32 = 21;
    pub(super) const READ: i32 = 22;
    pub(super) const WRITE: i32 = 23;
    pub(super) const ACQUIRE: i32 = 24;
    pub(super) const RELEASE: i32 = 25;
}

/// Thread, code, id.
type Record = [i32; 3];

fn record(bytes: &[u8]) -> Record {
    let word = |at| i32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    [word(0), word(4), word(8)]
}

/// Returns whether a trace that starts with `head` is in this format.
fn is_head(head: &[u8]) -> bool {
    head.len() >= RECORD && (code::BEGIN..=code::RELEASE).contains(&record(head)[1])
}

/// Reads a trace from its first record to its last.
pub(super) struct Reader<R> {
    file: Arc<str>,
    input: R,
    buffer: Vec<u8>,
    /// The bytes that were read and not yet returned are `buffer[start..end]`.
    start: usize,
    end: usize,
    ended: bool,
    /// The number of records returned, malformed ones included.
    records: u64,
    /// The number of the first record of the last batch, and its operation.
    first: (u64, Op),
    symbols: Symbols,
    ids: Ids,
}

/// Maps the numbers in the file to ours.
#[derive(Default)]
struct Ids {
    threads: FxHashMap<i32, u32>,
    vars: FxHashMap<i32, u32>,
    locks: FxHashMap<i32, u32>,
    labels: FxHashMap<i32, u32>,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(file: Arc<str>, input: R) -> Reader<R> {
        let (symbols, ids) = Default::default();
        let buffer = vec![0; RECORD << 14];
        Reader { file, input, buffer, start: 0, end: 0, ended: false, records: 0, first: (0, Op::Nop), symbols, ids }
    }

    /// Returns the next record. After an error the trace continues after it, or has ended.
    #[inline]
    fn next(&mut self) -> Result<Option<Record>, TraceError> {
        if self.end - self.start < RECORD && !self.fill()? {
            return Ok(None);
        }
        let record = record(&self.buffer[self.start..]);
        self.start += RECORD;
        self.records += 1;
        Ok(Some(record))
    }

    /// Reads until a record is buffered. Returns false at the end of the trace.
    #[cold]
    fn fill(&mut self) -> Result<bool, TraceError> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        while self.end < RECORD && !self.ended {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    (self.ended, self.end) = (true, 0);
                    let place = Place::AfterByte(self.records * RECORD as u64);
                    return Err(TraceError::reading(&self.file, place, error));
                }
            }
        }
        let rest = self.end;
        if (1..RECORD).contains(&rest) {
            (self.end, self.records) = (0, self.records + 1);
            let reason = format!("{rest} of {RECORD} bytes");
            return Err(self.malformed(Malformed::new("cut off", reason, "the rest of the record")));
        }
        Ok(rest > 0)
    }

    /// Returns the event of a record.
    #[inline]
    fn event(&mut self, [thread, code, id]: Record) -> Result<Event, Malformed> {
        if !(code::BEGIN..=code::RELEASE).contains(&code) {
            return Err(unknown_code(code));
        }
        let Reader { ids, symbols, .. } = self;
        let thread = ThreadId(number(&mut ids.threads, &mut symbols.threads, thread));
        if thread > ThreadId::MAX {
            return Err(too_many_threads());
        }
        let op = match code {
            code::BEGIN if id == NO_LABEL => Op::Begin(LabelId::NONE),
            code::BEGIN => Op::Begin(LabelId(number(&mut ids.labels, &mut symbols.labels, id))),
            code::END => Op::End,
            code::READ => Op::Read(VarId(number(&mut ids.vars, &mut symbols.vars, id))),
            code::WRITE => Op::Write(VarId(number(&mut ids.vars, &mut symbols.vars, id))),
            code::ACQUIRE => Op::Acquire(LockId(number(&mut ids.locks, &mut symbols.locks, id))),
            _ => Op::Release(LockId(number(&mut ids.locks, &mut symbols.locks, id))),
        };
        Ok(Event { thread, op })
    }

    #[cold]
    fn malformed(&self, malformed: Malformed) -> TraceError {
        let place = Place::Record(self.records);
        TraceError { file: Arc::clone(&self.file), place, kind: ErrorKind::Malformed(malformed) }
    }
}

#[cold]
fn unknown_code(code: i32) -> Malformed {
    Malformed::new("unknown code", format!("unknown code {code}"), format!("{} to {}", code::BEGIN, code::RELEASE))
}

/// Returns our number for a number in the file.
#[inline]
fn number(known: &mut FxHashMap<i32, u32>, names: &mut Interner, id: i32) -> u32 {
    *known.entry(id).or_insert_with(|| names.intern(id.to_string().as_bytes()))
}

impl<R: Read + Send> Source for Reader<R> {
    fn read_batch(&mut self, events: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        let before = events.len();
        while events.len() - before < most {
            let Some(record) = self.next()? else { break };
            let event = self.event(record).map_err(|malformed| self.malformed(malformed))?;
            if events.len() == before {
                self.first = (self.records, event.op);
            }
            events.push(event);
        }
        Ok(events.len() - before)
    }

    fn place(&self, index: usize) -> Place {
        Place::Record(self.first.0 + index as u64)
    }

    fn written(&self) -> Written<'_> {
        Written { operation: notation(self.first.1, &self.symbols).into(), location: "".into() }
    }

    fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    fn file(&self) -> &Arc<str> {
        &self.file
    }
}

/// Writes a trace, record by record.
pub(super) struct Writer<'w> {
    output: Output<'w>,
    threads: Numbers,
    vars: Numbers,
    locks: Numbers,
    labels: Numbers,
    /// The ids of each thread's open blocks in the file, innermost last: the end of a block repeats its id.
    open: Vec<Vec<i32>>,
}

/// The numbers in the file of the names of one kind.
#[derive(Default)]
struct Numbers {
    /// By our number.
    given: Vec<Option<i32>>,
    taken: HashSet<i32>,
    /// All smaller non-negative numbers are taken.
    free: i32,
}

impl<'w> Writer<'w> {
    pub(super) fn to(output: Output<'w>) -> Writer<'w> {
        let [threads, vars, locks] = Default::default();
        let labels = Numbers { taken: HashSet::from([NO_LABEL]), ..Numbers::default() };
        Writer { output, threads, vars, locks, labels, open: Vec::new() }
    }

    fn begin(&mut self, thread: ThreadId, label: LabelId, symbols: &Symbols) -> i32 {
        let id = match label {
            LabelId::NONE => NO_LABEL,
            label => self.labels.of(label.0, &symbols.labels),
        };
        if self.open.len() <= thread.index() {
            self.open.resize(thread.index() + 1, Vec::new());
        }
        self.open[thread.index()].push(id);
        id
    }

    fn end(&mut self, thread: ThreadId) -> i32 {
        self.open.get_mut(thread.index()).and_then(Vec::pop).unwrap_or(NO_LABEL)
    }
}

impl Numbers {
    /// Returns the number in the file of the name with the number `ours` among `names`.
    fn of(&mut self, ours: u32, names: &Interner) -> i32 {
        let index = ours as usize;
        if self.given.len() <= index {
            self.given.resize(index + 1, None);
        }
        *self.given[index].get_or_insert_with(|| {
            let name = names.name(ours);
            let own = name.parse().ok().filter(|id: &i32| id.to_string() == name);
            if let Some(own) = own.filter(|own| self.taken.insert(*own)) {
                return own;
            }
            while !self.taken.insert(self.free) {
                self.free += 1;
            }
            self.free
        })
    }
}

impl Sink for Writer<'_> {
    fn write(&mut self, event: Event, symbols: &Symbols, _location: &str) -> Result<(), WriteError> {
        let (code, id) = match event.op {
            Op::Begin(label) => (code::BEGIN, self.begin(event.thread, label, symbols)),
            Op::End => (code::END, self.end(event.thread)),
            Op::Read(x) => (code::READ, self.vars.of(x.0, &symbols.vars)),
            Op::Write(x) => (code::WRITE, self.vars.of(x.0, &symbols.vars)),
            Op::Acquire(l) => (code::ACQUIRE, self.locks.of(l.0, &symbols.locks)),
            Op::Release(l) => (code::RELEASE, self.locks.of(l.0, &symbols.locks)),
            Op::Fork(_) | Op::Join(_) | Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => {
                return Err(self.output.lacks("RegionTrack's records", event, symbols));
            }
        };
        let mut bytes = [0; RECORD];
        for (word, value) in
            bytes.chunks_exact_mut(4).zip([self.threads.of(event.thread.0, &symbols.threads), code, id])
        {
            word.copy_from_slice(&value.to_be_bytes());
        }
        self.output.write(&bytes)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        self.output.finish()
    }
}
