//! Filters: drop events that cannot change a verdict before an engine sees them.
//!
//! A filter is a function on traces. Without the events that it drops, a trace has the same verdict at every remaining
//! event, the same violated blocks, and the same first event of each violation. `tests/` checks every filter, and all
//! of them in a row, against the reference. The agent drops events by the same rules before it records.
//!
//! | filter | drops |
//! |---|---|
//! | [`segment`] | accesses that repeat an earlier one of their thread's segment: not recorded by the agent's hooks |
//! | [`local`] | accesses to variables, and uses of locks, that only one thread uses in the whole trace |
//! | [`edges`] | accesses and uses of locks at which no edge between threads starts or ends: not needed by `reach` |
//!
//! Race detectors drop accesses that a filter must keep: the second of two reads in one lock-free span is exactly what
//! closes `r(x)`, another thread's `w(x)`, `r(x)`.
//!
//! # To add a filter
//! Add a file with a type that implements [`Filter`], and its line in [`FILTERS`], the only list.

pub mod attempts;
pub mod constructed;
pub mod edges;
pub mod guided;
pub mod initializers;
pub mod local;
pub mod sampling;
pub mod sections;
pub mod segment;
pub mod temporary;

use serde::Serialize;

use crate::event::{Event, Op};

/// Decides for each event whether it is needed.
pub trait Filter {
    /// Processes the next event of the trace before the first call of [`Filter::needs`]; only for filters that look
    /// ahead.
    fn foresee(&mut self, _event: Event) {}

    /// Returns to the start of the trace. What was foreseen stays.
    fn restart(&mut self);

    /// Processes the next event of the trace. Returns false if it can be dropped.
    fn needs(&mut self, event: Event) -> bool;
}

/// A filter in the registry.
#[derive(Clone, Copy)]
pub struct FilterSpec {
    /// The name on the command line.
    pub name: &'static str,
    /// What it drops, in one line.
    pub summary: &'static str,
    /// Whether it must see the whole trace first ([`Filter::foresee`]).
    pub looks_ahead: bool,
    /// Makes a filter that has seen nothing.
    pub build: fn() -> Box<dyn Filter>,
}

/// Every filter.
pub const FILTERS: &[FilterSpec] = &[segment::SPEC, local::SPEC, edges::SPEC];

/// Filters in a row, with what each has dropped. A filter does not see what an earlier one drops.
///
/// Filters that look ahead must see, one after the other, what the filters before them keep of the whole trace:
///
/// ```text
/// while chain.looks_ahead() { for each batch { chain.foresee(batch) } chain.foreseen() }
/// for each batch { chain.apply(batch) }
/// ```
pub struct Chain {
    links: Vec<Link>,
    /// The index of the filter that is to look ahead; the number of filters if all have.
    looking: usize,
    seen: EventCounts,
}

struct Link {
    spec: FilterSpec,
    filter: Box<dyn Filter>,
    dropped: EventCounts,
}

/// What a filter has dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// The name of the filter.
    pub filter: &'static str,
    /// The events that it has dropped.
    pub dropped: EventCounts,
    /// The events before any filter.
    pub seen: EventCounts,
}

impl std::fmt::Display for Saved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Saved { filter, dropped, seen } = self;
        let share = |part: u64, all: u64| if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 };
        write!(
            f,
            "filter {filter}: {} of {} accesses dropped ({:.1} %), {} of {} acquires and releases ({:.1} %)",
            dropped.accesses,
            seen.accesses,
            share(dropped.accesses, seen.accesses),
            dropped.monitors,
            seen.monitors,
            share(dropped.monitors, seen.monitors)
        )
    }
}

/// Events, counted by the kinds that filters distinguish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventCounts {
    /// Reads and writes.
    pub accesses: u64,
    /// Acquires and releases.
    pub monitors: u64,
    /// All others.
    pub others: u64,
}

impl EventCounts {
    /// Returns the number of all events.
    pub fn events(self) -> u64 {
        self.accesses + self.monitors + self.others
    }

    fn count(&mut self, op: Op) {
        *match op {
            Op::Read(_) | Op::Write(_) => &mut self.accesses,
            Op::Acquire(_) | Op::Release(_) => &mut self.monitors,
            _ => &mut self.others,
        } += 1;
    }
}

impl Chain {
    /// Chains these filters in this order.
    pub fn new<'a>(specs: impl IntoIterator<Item = &'a FilterSpec>) -> Chain {
        let link = |spec: &FilterSpec| Link { spec: *spec, filter: (spec.build)(), dropped: EventCounts::default() };
        let mut chain =
            Chain { links: specs.into_iter().map(link).collect(), looking: 0, seen: EventCounts::default() };
        chain.look_from(0);
        chain
    }

    /// Returns whether some filter must see the whole trace first.
    pub fn looks_ahead(&self) -> bool {
        self.looking < self.links.len()
    }

    /// Shows the next events of the trace to the filter that looks ahead.
    pub fn foresee(&mut self, events: &[Event]) {
        let (before, from) = self.links.split_at_mut(self.looking);
        for event in events {
            if before.iter_mut().all(|link| link.filter.needs(*event)) {
                from[0].filter.foresee(*event);
            }
        }
    }

    /// Must be called when the whole trace has been shown.
    pub fn foreseen(&mut self) {
        self.links[..=self.looking].iter_mut().for_each(|link| link.filter.restart());
        self.look_from(self.looking + 1);
    }

    fn look_from(&mut self, link: usize) {
        let next = self.links[link..].iter().position(|link| link.spec.looks_ahead);
        self.looking = next.map_or(self.links.len(), |next| link + next);
    }

    /// Processes the next event of the trace. Returns false if some filter drops it.
    pub fn needs(&mut self, event: Event) -> bool {
        self.seen.count(event.op);
        for link in &mut self.links {
            if !link.filter.needs(event) {
                link.dropped.count(event.op);
                return false;
            }
        }
        true
    }

    /// Replaces each dropped event by one without effect, so that all events keep their numbers.
    pub fn apply(&mut self, events: &mut [Event]) {
        for event in events {
            if !self.needs(*event) {
                event.op = Op::Nop;
            }
        }
    }

    /// Returns, for each filter, what it has dropped of the events that the filters before it kept.
    pub fn saved(&self) -> Vec<Saved> {
        self.links.iter().map(|link| Saved { filter: link.spec.name, dropped: link.dropped, seen: self.seen }).collect()
    }
}
