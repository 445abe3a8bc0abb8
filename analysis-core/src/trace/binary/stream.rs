//! From stored frames to events: what the thread that decodes does, whichever it is.

use std::borrow::Cow;

use super::damage::Damage;
use super::decode::{Decoder, Inconsistent, Sites};
use super::frames::Frames;
use super::names::FrameNames;
use crate::event::Event;
use crate::trace::error::TraceError;
use crate::trace::symbols::Interner;

/// Decodes a trace, frame by frame.
pub(super) struct Stream {
    frames: Frames,
    decoder: Decoder,
    locations: Option<Locations>,
}

/// The locations of a trace, decoded only where they are asked for.
#[derive(Default)]
struct Locations {
    sites: Sites,
    names: Interner,
    /// That of the event that was read last.
    last: Option<u32>,
}

impl From<Inconsistent> for Damage {
    fn from(_: Inconsistent) -> Damage {
        Damage::Inconsistent
    }
}

impl Stream {
    /// Decodes locations only if `locates`.
    pub(super) fn new(frames: Frames, locates: bool) -> Stream {
        Stream { frames, decoder: Decoder::default(), locations: locates.then(Locations::default) }
    }

    /// Makes sure that events are left in the frame; false at the end of the trace. New names are to be taken after
    /// each call, before the events.
    pub(super) fn advance(&mut self) -> Result<bool, TraceError> {
        let Stream { frames, decoder, locations } = self;
        while decoder.left() == 0 {
            let opened = frames.next(|stored| {
                decoder.open(&stored.header, stored.events)?;
                if let Some(Locations { sites, names, .. }) = locations {
                    sites.open(&stored.header, stored.sites)?;
                    sites.names().append_to(names);
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

    /// The names that the frame adds.
    pub(super) fn names(&mut self) -> &mut FrameNames {
        self.decoder.names()
    }

    /// Appends events of the frame, `most` at most, and says how many.
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
        if let Some(Locations { sites, last, .. }) = &mut self.locations {
            for _ in 0..events {
                *last = sites.next()?;
            }
        }
        Ok(())
    }

    /// The location of the event that was read last; empty if it has none or locations are not read.
    pub(super) fn location(&self) -> Cow<'_, str> {
        let site = self.locations.as_ref().and_then(|locations| Some((&locations.names, locations.last?)));
        site.map_or(Cow::Borrowed(""), |(names, site)| names.name(site))
    }
}
