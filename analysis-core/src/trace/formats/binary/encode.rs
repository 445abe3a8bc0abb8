//! The writer: events are collected in columns of names, threads, tags, operands and locations, which become a frame.

use std::io::Write;
use std::sync::Arc;

use super::columns::{self, NEW, NameColumn, Table};
use super::layout::{self, FRAME_HEADER, FrameHeader, FrameKind, LONGEST_NAME, MOST_EVENTS, Part};
use crate::event::Event;
use crate::trace::files::output::{Output, WriteError};
use crate::trace::formats::format::Sink;
use crate::trace::vocabulary::symbols::{Interner, Symbols};

/// Writes a binary trace, event by event. Call [`Writer::finish`] at the end; otherwise the trace counts as cut.
pub struct Writer<'w> {
    out: Output<'w>,
    encoder: Encoder,
    events: u64,
    /// The last frame; kept to reuse its memory.
    frame: Vec<u8>,
    has_header: bool,
}

impl<'w> Writer<'w> {
    /// Writes to `sink`, which messages call `file`. The sink needs no buffer of its own.
    pub fn new(file: impl Into<Arc<str>>, sink: impl Write + Send + 'w) -> Writer<'w> {
        Writer::to(Output::new(file, sink))
    }

    /// Writes to `out`.
    pub fn to(out: Output<'w>) -> Writer<'w> {
        Writer { out, encoder: Encoder::default(), events: 0, frame: Vec::new(), has_header: false }
    }

    /// Writes an event. `symbols` may only grow between calls; `location` may be empty.
    pub fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        if self.encoder.is_full() {
            self.flush()?;
        }
        if self.encoder.push(event, symbols, location).is_err() {
            let name = format!("name of event {}", self.events + 1);
            return Err(self.out.refused("a binary trace", "trace's", &name, "it has more than 2^28 bytes"));
        }
        self.events += 1;
        Ok(())
    }

    /// Writes a note after the events so far.
    pub fn note(&mut self, line: &str) -> Result<(), WriteError> {
        self.flush()?;
        self.encoder.note(line, &mut self.frame);
        self.put()
    }

    /// Makes all events so far readable for others. Each call ends a frame, and many small frames take more space.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if self.encoder.events() > 0 {
            self.encoder.frame(&mut self.frame);
            self.put()?;
        }
        Ok(())
    }

    /// Writes the events still collected, and the end frame.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.flush()?;
        self.encoder.end(self.events, &mut self.frame);
        self.put()?;
        self.out.finish()
    }

    fn put(&mut self) -> Result<(), WriteError> {
        if !std::mem::replace(&mut self.has_header, true) {
            self.out.write(&layout::file_header())?;
        }
        self.out.write(&self.frame)?;
        self.out.flush()
    }
}

impl Sink for Writer<'_> {
    fn write(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), WriteError> {
        Writer::write(self, event, symbols, location)
    }

    fn note(&mut self, line: &str) -> Result<(), WriteError> {
        Writer::note(self, line)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Writer::flush(self)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Writer::finish(*self)
    }
}

/// A frame with more raw bytes than this is full, whatever its number of events.
const MOST_BYTES: usize = 1 << 22;

/// A name or a location has more than [`LONGEST_NAME`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Collects events until they fill a frame.
pub(super) struct Encoder {
    /// The number of frames made.
    frames: u32,
    events: u32,
    names: [NameColumn; 4],
    /// By table: the number of names in the file and this frame.
    known: [u32; 4],
    threads: Vec<u8>,
    switches: u32,
    thread: Option<u32>,
    tags: Vec<u8>,
    operands: Vec<u8>,
    /// By code of operation: the last operand.
    last: [u32; columns::CODES],
    /// By table: one more than the largest operand of the frame and of the names before it.
    next: [u32; columns::TABLES],
    sites: Interner,
    new_sites: NameColumn,
    places: Vec<u8>,
    last_site: u32,
    raw: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder {
            frames: 0,
            events: 0,
            names: Default::default(),
            known: [0; 4],
            threads: Vec::new(),
            switches: 0,
            thread: None,
            tags: Vec::new(),
            operands: Vec::new(),
            last: [0; columns::CODES],
            next: columns::first_new([0; 4]),
            sites: Interner::default(),
            new_sites: NameColumn::default(),
            places: Vec::new(),
            last_site: 0,
            raw: Vec::new(),
        }
    }
}

impl Encoder {
    /// Adds an event, which must be named in `symbols`, with its location, empty for none. Adds nothing if a name is
    /// too long.
    #[inline]
    pub(super) fn push(&mut self, event: Event, symbols: &Symbols, location: &str) -> Result<(), TooLong> {
        let thread = event.thread.0;
        let (code, operand, table) = columns::parts(event.op);
        self.name(Table::Threads, thread, &symbols.threads)?;
        match table {
            Table::Vars => self.name(table, operand, &symbols.vars)?,
            Table::Locks => self.name(table, operand, &symbols.locks)?,
            Table::Threads => self.name(table, operand, &symbols.threads)?,
            Table::Labels if operand > 0 => self.name(table, operand - 1, &symbols.labels)?,
            Table::Labels | Table::Nothing | Table::Invalid => {}
        }
        self.push_location(location)?;
        let switches = self.thread != Some(thread);
        if switches {
            self.thread = Some(thread);
            self.switches += 1;
            columns::push_varint(&mut self.threads, thread);
        }
        self.push_operation(code, operand, table, switches);
        self.events += 1;
        Ok(())
    }

    /// Adds the names of a table that the file does not have yet, up to this number.
    #[inline]
    fn name(&mut self, table: Table, number: u32, names: &Interner) -> Result<(), TooLong> {
        let index = table as usize;
        while self.known[index] <= number {
            let name = names.bytes(self.known[index]);
            if name.len() > LONGEST_NAME {
                return Err(TooLong);
            }
            self.names[index].push(name);
            self.known[index] += 1;
        }
        Ok(())
    }

    #[inline]
    fn push_operation(&mut self, code: u8, operand: u32, table: Table, switches: bool) {
        let last = std::mem::replace(&mut self.last[usize::from(code)], operand);
        let next = &mut self.next[table as usize];
        if table != Table::Nothing && operand == *next {
            *next += 1;
            self.tags.push(columns::tag(code, NEW, switches));
            return;
        }
        *next = (*next).max(operand.saturating_add(1));
        let number = columns::zigzag(operand.wrapping_sub(last));
        let width = 4 - number.leading_zeros() / 8;
        self.tags.push(columns::tag(code, width as u8, switches));
        self.operands.extend_from_slice(&number.to_le_bytes()[..width as usize]);
    }

    #[inline]
    fn push_location(&mut self, location: &str) -> Result<(), TooLong> {
        let known = self.sites.len();
        if location.len() > LONGEST_NAME {
            return Err(TooLong);
        }
        let site = match location {
            "" => 0,
            same if self.last_site > 0 && self.sites.bytes(self.last_site - 1) == same.as_bytes() => self.last_site,
            other => self.sites.intern(other.as_bytes()) + 1,
        };
        if self.sites.len() > known {
            self.new_sites.push(location.as_bytes());
        }
        columns::push_varint(&mut self.places, columns::zigzag(site.wrapping_sub(self.last_site)));
        self.last_site = site;
        Ok(())
    }

    /// Returns the number of events that wait to become a frame.
    pub(super) fn events(&self) -> u32 {
        self.events
    }

    /// Returns whether the frame must be made before the next event.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        let names = || self.names.iter().chain([&self.new_sites]).map(NameColumn::len).sum::<usize>();
        self.events >= MOST_EVENTS || names() + self.operands.len() + self.places.len() > MOST_BYTES
    }

    /// Replaces the contents of `out` by a frame of the collected events, and starts the next frame.
    pub(super) fn frame(&mut self, out: &mut Vec<u8>) {
        out.clear();
        out.resize(FRAME_HEADER, 0);
        self.raw.clear();
        for names in &mut self.names {
            names.drain(&mut self.raw);
        }
        columns::push_varint(&mut self.raw, self.switches);
        self.raw.append(&mut self.threads);
        self.raw.append(&mut self.tags);
        self.raw.append(&mut self.operands);
        let events_part = store(&self.raw, out);
        self.raw.clear();
        self.new_sites.drain(&mut self.raw);
        self.raw.append(&mut self.places);
        let sites_part = store(&self.raw, out);
        self.frames += 1;
        seal(out, FrameKind::Events, self.frames, self.events, [events_part, sites_part]);
        self.reset();
    }

    /// Except for names, no frame depends on the one before it.
    fn reset(&mut self) {
        self.events = 0;
        self.switches = 0;
        self.thread = None;
        self.last = [0; columns::CODES];
        self.next = columns::first_new(self.known);
        self.last_site = 0;
    }

    /// Replaces the contents of `out` by a note.
    pub(super) fn note(&mut self, line: &str, out: &mut Vec<u8>) {
        out.clear();
        out.resize(FRAME_HEADER, 0);
        let part = store(line.as_bytes(), out);
        self.frames += 1;
        seal(out, FrameKind::Notes, self.frames, 0, [part, Part::default()]);
    }

    /// Replaces the contents of `out` by the end frame of a trace with `events` events.
    pub(super) fn end(&mut self, events: u64, out: &mut Vec<u8>) {
        out.clear();
        out.resize(FRAME_HEADER, 0);
        out.extend_from_slice(&events.to_le_bytes());
        self.frames += 1;
        let part = Part { stored: 8, raw: 8, is_compressed: false };
        seal(out, FrameKind::End, self.frames, 0, [part, Part::default()]);
    }
}

/// Appends `raw` to `out`, compressed if that is shorter.
fn store(raw: &[u8], out: &mut Vec<u8>) -> Part {
    let start = out.len();
    out.resize(start + lz4_flex::block::get_maximum_output_size(raw.len()), 0);
    let compressed = lz4_flex::block::compress_into(raw, &mut out[start..]).ok().filter(|&length| length < raw.len());
    out.truncate(start + compressed.unwrap_or(0));
    if compressed.is_none() {
        out.extend_from_slice(raw);
    }
    // A frame is full long before 2^32 bytes.
    Part { stored: (out.len() - start) as u32, raw: raw.len() as u32, is_compressed: compressed.is_some() }
}

/// Writes the header before the contents.
fn seal(frame: &mut [u8], kind: FrameKind, number: u32, events: u32, [events_part, sites_part]: [Part; 2]) {
    let check = crc32fast::hash(&frame[FRAME_HEADER..]);
    let header = FrameHeader { kind, number, events, events_part, sites_part, check };
    frame[..FRAME_HEADER].copy_from_slice(&header.to_bytes());
}
