//! From stored frames to events: what the thread that decodes does, whichever it is.

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
                if let Some(Locations { sites, names }) = locations {
                    sites.open(&stored.header, stored.sites)?;
                    sites.names().append_to(names);
                }
                Ok(())
            });
            if opened?.is_none() {
                return Ok(false);
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
        self.decoder.events(batch, most).map_err(|fault| self.frames.damaged(fault.into()))
    }

    /// The location of the next event, empty without. Every event must be asked for.
    pub(super) fn location(&mut self) -> Result<&[u8], TraceError> {
        let Some(Locations { sites, names }) = &mut self.locations else { return Ok(b"") };
        match sites.next() {
            Ok(site) => Ok(site.map_or(b"", |site| names.bytes(site))),
            Err(fault) => Err(self.frames.damaged(fault.into())),
        }
    }
}
