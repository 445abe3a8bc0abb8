//! Accesses that repeat an earlier one of their thread's segment: the filter of the agent's hooks.
//!
//! The rule and its reason are those of the protocol ([`crate::protocol`]), whose recorder also decides here.

use super::{Filter, FilterSpec};
use crate::event::Event;
use crate::protocol::{Recorded, Recorder};

/// The entry in the registry.
pub(super) const SPEC: FilterSpec = FilterSpec {
    name: "segment",
    summary: "drops accesses that repeat one of the same segment: what the agent's hooks do not record",
    looks_ahead: false,
    build: || Box::new(Segment::default()),
};

#[derive(Default)]
struct Segment(Recorder);

impl Filter for Segment {
    fn restart(&mut self) {
        self.0 = Recorder::default();
    }

    fn needs(&mut self, event: Event) -> bool {
        matches!(self.0.event(event), Recorded::Event(_))
    }
}
