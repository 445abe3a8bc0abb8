//! Accesses and uses of locks at which no edge between threads starts or ends.
//!
//! The edges are those of [`crate::graph::accesses`], which with program order make up happens-before. Every path from
//! event to event goes along threads and over such edges, so it survives without events at which no edge ends. The
//! remaining events are what `reach` needs when the agent gives it dependencies instead of accesses
//! ([`Edges`](crate::engines::reach::Edges)).

use super::{Filter, FilterSpec};
use crate::event::{Event, Op, Stamp};
use crate::graph::accesses::{Access, Accesses};

/// The entry in the registry.
pub(super) const SPEC: FilterSpec = FilterSpec {
    name: "edges",
    summary: "drops accesses and uses of locks at which no edge between threads starts or ends",
    looks_ahead: true,
    build: || Box::new(EdgeEnds::default()),
};

#[derive(Default)]
struct EdgeEnds {
    accesses: Accesses,
    /// The sources of the current event; kept to reuse its memory.
    sources: Vec<Access>,
    /// The number of events so far, foreseen or asked for.
    events: u64,
    /// The numbers of the events at the ends of edges.
    ends: Vec<u64>,
    /// The index of the next one in `ends`.
    next: usize,
}

impl Filter for EdgeEnds {
    fn foresee(&mut self, event: Event) {
        self.events += 1;
        self.sources.clear();
        self.accesses.event(Stamp::new(event.thread, self.events), event.op, &mut self.sources);
        if !self.sources.is_empty() {
            self.ends.push(self.events);
            self.ends.extend(self.sources.iter().map(|source| source.stamp.position()));
        }
    }

    fn restart(&mut self) {
        (self.events, self.next) = (0, 0);
        self.ends.sort_unstable();
        self.ends.dedup();
    }

    fn needs(&mut self, event: Event) -> bool {
        self.events += 1;
        let is_end = self.ends.get(self.next) == Some(&self.events);
        self.next += usize::from(is_end);
        is_end || !matches!(event.op, Op::Read(_) | Op::Write(_) | Op::Acquire(_) | Op::Release(_))
    }
}
