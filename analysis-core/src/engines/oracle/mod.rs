//! oracle: the brute-force reference.
//!
//! # Idea
//! Keep every event; draw every conflict of the definition; read the verdicts off the graph ([`Law`]). All other
//! engines are compared with it, so it has no state that could be wrong and no special cases.
//!
//! # Cost
//! Quadratic in the number of events, in time and space: for traces of up to [`MOST_EVENTS`] events.

use crate::engine::{Claim, Engine, EngineSpec, Findings, Online};
use crate::event::{Event, Op, Stamp};
use crate::graph::law::{Law, Role};

#[cfg(test)]
mod tests;

/// The longest trace that the oracle accepts: the graph of a longer one does not fit the memory of a small machine.
pub const MOST_EVENTS: u64 = 10_000;

pub(super) const SPEC: EngineSpec = EngineSpec {
    name: "oracle",
    summary: "brute force over the whole event graph; the reference that decides what is right",
    source: "the definitions: Flanagan, Freund, Yi, \"Velodrome\", PLDI 2008; RegionTrack, section 2",
    claim: Claim::EXACT,
    most_events: Some(MOST_EVENTS),
    build: || Box::new(Oracle::default()),
    online: Online::Events,
};

#[derive(Default)]
struct Oracle {
    trace: Vec<Event>,
    law: Law,
}

impl Engine for Oracle {
    fn step(&mut self, event: Event) {
        let conflicts: Vec<usize> = (0..self.trace.len()).filter(|&i| conflict(self.trace[i], event)).collect();
        self.trace.push(event);
        let role = match event.op {
            Op::Begin(label) => Role::Begin(label),
            Op::End => Role::End,
            _ => Role::Inside,
        };
        self.law.push(Stamp::new(event.thread, self.trace.len() as u64), role, conflicts);
    }

    fn findings(&self) -> &Findings {
        self.law.findings()
    }
}

/// Whether two events conflict, `earlier` being before `later` in the trace.
pub fn conflict(earlier: Event, later: Event) -> bool {
    let same_thread = earlier.thread == later.thread;
    let same_data = match (earlier.op, later.op) {
        (Op::Write(x), Op::Read(y) | Op::Write(y)) | (Op::Read(x), Op::Write(y)) => x == y,
        (Op::Release(l), Op::Acquire(k)) => l == k,
        _ => false,
    };
    let forked = earlier.op == Op::Fork(later.thread);
    let joined = later.op == Op::Join(earlier.thread);
    same_thread || same_data || forked || joined
}
