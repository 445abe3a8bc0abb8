//! Decoded events on their way from a thread of their own.

use super::names::FrameNames;
use super::stream::Stream;
use crate::event::Event;
use crate::trace::ahead::{Ahead, Produce};
use crate::trace::error::TraceError;
use crate::trace::symbols::Symbols;

/// The most events of a chunk.
const CHUNK: usize = 1 << 14;

/// Events of one frame, with the names that the frame adds if they are its first.
#[derive(Default)]
pub(super) struct Chunk {
    names: FrameNames,
    events: Vec<Event>,
    /// Why there are no events.
    error: Option<TraceError>,
}

/// A chunk, from event `at` on.
#[derive(Default)]
pub(super) struct Current {
    chunk: Chunk,
    at: usize,
}

impl Produce for Stream {
    type Chunk = Chunk;

    fn fill(&mut self, chunk: &mut Chunk) -> bool {
        chunk.events.clear();
        let filled = self.advance().and_then(|is_more| {
            if is_more {
                std::mem::swap(self.names(), &mut chunk.names);
                self.events(&mut chunk.events, CHUNK)?;
            }
            Ok(is_more)
        });
        filled.unwrap_or_else(|error| {
            chunk.error = Some(error);
            true
        })
    }
}

impl Current {
    /// As [`super::Reader::read_batch`].
    pub(super) fn read(
        &mut self,
        from: &mut Ahead<Chunk>,
        batch: &mut Vec<Event>,
        most: usize,
        symbols: &mut Symbols,
    ) -> Result<usize, TraceError> {
        let Current { chunk, at } = self;
        if *at == chunk.events.len() {
            *at = 0;
            if !from.next(chunk) {
                return Ok(0);
            }
            chunk.names.drain(symbols);
            if let Some(error) = chunk.error.take() {
                return Err(error);
            }
        }
        let count = (chunk.events.len() - *at).min(most);
        if batch.is_empty() && count == chunk.events.len() {
            std::mem::swap(batch, &mut chunk.events);
            return Ok(count);
        }
        batch.extend_from_slice(&chunk.events[*at..*at + count]);
        *at += count;
        Ok(count)
    }
}
