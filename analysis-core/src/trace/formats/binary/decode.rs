//! Decodes stored frames to names, events and locations, in whichever thread decodes.

use std::borrow::Cow;

use super::columns::{self, FrameNames, SHAPES, Table};
use super::frames::Frames;
use super::layout::{FrameHeader, FrameKind, Part};
use crate::event::{Event, ThreadId};
use crate::trace::vocabulary::damage::Damage;
use crate::trace::vocabulary::error::TraceError;
use crate::trace::vocabulary::symbols::{Interner, NewNames};

/// Decodes a trace, frame by frame.
pub(super) struct Stream {
    frames: Frames,
    decoder: Decoder,
    locations: Option<Locations>,
}

/// The locations of a trace, decoded only if asked for.
#[derive(Default)]
struct Locations {
    column: LocationColumn,
    names: Interner,
    /// The location of the event read last.
    last: Option<u32>,
}

impl From<Inconsistent> for Damage {
    fn from(_: Inconsistent) -> Damage {
        Damage::Inconsistent
    }
}

impl Stream {
    /// Creates a stream that decodes locations only if `locates`.
    pub(super) fn new(frames: Frames, locates: bool) -> Stream {
        Stream { frames, decoder: Decoder::default(), locations: locates.then(Locations::default) }
    }

    /// Makes sure that the frame has events left. Returns false at the end of the trace. After each call, take the new
    /// names before the events.
    pub(super) fn advance(&mut self) -> Result<bool, TraceError> {
        let Stream { frames, decoder, locations } = self;
        while decoder.left() == 0 {
            let opened = frames.next(|stored| {
                if stored.header.kind == FrameKind::Notes {
                    return Ok(decoder.note(&stored.header, stored.events)?);
                }
                decoder.open(&stored.header, stored.events)?;
                if let Some(Locations { column, names, .. }) = locations {
                    column.open(&stored.header, stored.sites)?;
                    column.names().append_to(names);
                }
                Ok(())
            });
            match opened {
                Ok(Some(())) => {}
                Ok(None) => return Ok(false),
                Err(error) => {
                    decoder.abandon();
                    return Err(error);
                }
            }
        }
        Ok(true)
    }

    /// Returns the names that the frame adds.
    pub(super) fn names(&mut self) -> &mut FrameNames {
        self.decoder.names()
    }

    /// Appends at most `most` events of the frame and returns how many.
    pub(super) fn events(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<usize, TraceError> {
        let before = batch.len();
        let read = self.decoder.events(batch, most).and_then(|read| {
            self.pass_locations(read)?;
            Ok(read)
        });
        read.map_err(|fault| {
            batch.truncate(before);
            self.decoder.abandon();
            self.frames.damaged(fault.into())
        })
    }

    fn pass_locations(&mut self, events: usize) -> Result<(), Inconsistent> {
        if let Some(Locations { column, last, .. }) = &mut self.locations {
            for _ in 0..events {
                *last = column.next()?;
            }
        }
        Ok(())
    }

    /// Returns the location of the event read last; empty if it has none or locations are not read.
    pub(super) fn location(&self) -> Cow<'_, str> {
        let site = self.locations.as_ref().and_then(|locations| Some((&locations.names, locations.last?)));
        site.map_or(Cow::Borrowed(""), |(names, site)| names.name(site))
    }
}

/// The number of bytes that are read at an operand, whatever its width.
const OPERAND: usize = 4;

/// The decoder of frames, with the current frame. Its buffers are reused.
#[derive(Default)]
pub(super) struct Decoder {
    /// The first part, decompressed, and [`OPERAND`] bytes more.
    raw: Vec<u8>,
    names: FrameNames,
    /// By table: the number of names in the file up to this frame's.
    known: [u32; 4],
    /// The threads of successive runs of events, in order, after a placeholder.
    threads: Vec<u32>,
    /// The entry of the last event in `threads`.
    switch: usize,
    /// The index in `raw` of the tag of the next event.
    tag: usize,
    /// The number of events left.
    left: usize,
    /// The index in `raw` of the next operand.
    operand: usize,
    last: [u32; columns::CODES],
    next: [u32; columns::TABLES],
}

/// The contents are inconsistent, although their check sum is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inconsistent;

impl Decoder {
    /// Opens the first part of a frame whose check sum is right, and reads its names.
    pub(super) fn open(&mut self, header: &FrameHeader, stored: &[u8]) -> Result<(), Inconsistent> {
        self.left = 0;
        self.switch = 0;
        self.last = [0; columns::CODES];
        self.next = columns::first_new(self.known);
        decompress(header.events_part, stored, &mut self.raw).ok_or(Inconsistent)?;
        self.columns(header.events as usize).ok_or(Inconsistent)?;
        self.raw.extend_from_slice(&[0; OPERAND]);
        self.left = header.events as usize;
        Ok(())
    }

    /// Reads the notes of a frame whose check sum is right.
    pub(super) fn note(&mut self, header: &FrameHeader, stored: &[u8]) -> Result<(), Inconsistent> {
        decompress(header.events_part, stored, &mut self.raw).ok_or(Inconsistent)?;
        let text = std::str::from_utf8(&self.raw).map_err(|_| Inconsistent)?;
        text.lines().for_each(|line| self.names.1.add(line));
        Ok(())
    }

    /// Reads names and threads, and locates the columns of tags and operands.
    fn columns(&mut self, events: usize) -> Option<()> {
        let mut rest = &self.raw[..];
        for (names, known) in self.names.0.iter_mut().zip(&mut self.known) {
            columns::read_names(names, &mut rest)?;
            *known = known.checked_add(count(names))?;
        }
        let threads = self.known[Table::Threads as usize];
        let switches = columns::take_varint(&mut rest)?;
        self.threads.clear();
        self.threads.push(0);
        for _ in 0..switches {
            let thread =
                columns::take_varint(&mut rest).filter(|&thread| thread < threads && thread <= ThreadId::MAX.0)?;
            self.threads.push(thread);
        }
        let (tags, operands) = rest.split_at_checked(events)?;
        let seen = tags.iter().map(|tag| u32::from(tag >> 7)).sum::<u32>();
        let opens = tags.first().is_none_or(|tag| tag & columns::SWITCH != 0);
        self.operand = self.raw.len() - operands.len();
        self.tag = self.operand - events;
        (seen == switches && opens).then_some(())
    }

    /// Returns the names that the frame adds; the caller may move them out.
    pub(super) fn names(&mut self) -> &mut FrameNames {
        &mut self.names
    }

    /// Returns the number of events left in the frame.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Appends the next events, at most `most`, and returns how many: none only at the end of the frame. After an
    /// error, discard what was appended.
    pub(super) fn events(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<usize, Inconsistent> {
        let count = self.left.min(most);
        let tags = &self.raw[self.tag..self.tag + count];
        let operands = &self.raw[self.operand..];
        let (mut at, mut switch) = (0, self.switch);
        let (mut last, mut next) = (self.last, self.next);
        batch.extend(tags.iter().map(|&tag| {
            let shape = SHAPES[usize::from(tag & !columns::SWITCH)];
            let code = columns::code(tag);
            switch += usize::from(tag >> 7);
            // Reading past the end is detected below.
            let bytes = operands.get(at..at + OPERAND).map_or(0, word) & shape.mask;
            at += usize::from(shape.width);
            let largest = &mut next[usize::from(shape.table)];
            let near = last[code].wrapping_add(columns::unzigzag(bytes));
            let operand = if shape.is_new { *largest } else { near };
            last[code] = operand;
            *largest = (*largest).max(operand.saturating_add(1));
            columns::event(self.threads[switch], code, operand)
        }));
        (self.switch, self.last, self.next) = (switch, last, next);
        self.tag += count;
        self.operand += at;
        self.left -= count;
        let rest = self.raw.len().checked_sub(self.operand + OPERAND);
        let is_whole = rest.is_some_and(|rest| rest == 0 || self.left > 0);
        if is_whole && self.is_named() { Ok(count) } else { Err(Inconsistent) }
    }

    /// Drops the rest of the frame.
    pub(super) fn abandon(&mut self) {
        self.left = 0;
    }

    /// Returns whether every operand so far is in its table.
    fn is_named(&self) -> bool {
        self.next.iter().zip(columns::first_new(self.known)).all(|(&next, most)| next <= most)
    }
}

#[inline]
fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

/// Replaces the contents of `raw` by the decompressed part of a frame.
fn decompress(part: Part, stored: &[u8], raw: &mut Vec<u8>) -> Option<()> {
    raw.clear();
    if !part.is_compressed {
        raw.extend_from_slice(stored);
        return Some(());
    }
    raw.resize(part.raw as usize, 0);
    let length = lz4_flex::block::decompress_into(stored, raw).ok()?;
    (length == raw.len()).then_some(())
}

/// The locations of a frame.
#[derive(Default)]
pub(super) struct LocationColumn {
    raw: Vec<u8>,
    at: usize,
    last: u32,
    /// The number of locations in the file up to this frame's.
    known: u32,
    names: NewNames,
}

impl LocationColumn {
    /// Opens the second part of a frame whose check sum is right, and reads its names.
    pub(super) fn open(&mut self, header: &FrameHeader, stored: &[u8]) -> Result<(), Inconsistent> {
        decompress(header.sites_part, stored, &mut self.raw).ok_or(Inconsistent)?;
        let mut rest = &self.raw[..];
        columns::read_names(&mut self.names, &mut rest).ok_or(Inconsistent)?;
        self.known = self.known.checked_add(count(&self.names)).ok_or(Inconsistent)?;
        self.at = self.raw.len() - rest.len();
        self.last = 0;
        Ok(())
    }

    /// Returns the names that the frame adds.
    pub(super) fn names(&self) -> &NewNames {
        &self.names
    }

    /// Returns the number of the next event's location; `None` for an event without one.
    pub(super) fn next(&mut self) -> Result<Option<u32>, Inconsistent> {
        let mut rest = &self.raw[self.at..];
        let number = columns::take_varint(&mut rest).ok_or(Inconsistent)?;
        self.at = self.raw.len() - rest.len();
        self.last = self.last.wrapping_add(columns::unzigzag(number));
        if self.last > self.known { Err(Inconsistent) } else { Ok(self.last.checked_sub(1)) }
    }
}

/// Returns the number of names; their count was read from 32 bits.
fn count(names: &NewNames) -> u32 {
    names.len() as u32
}
