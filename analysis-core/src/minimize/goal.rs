//! The goal of a minimization: the finding that must not be lost.

use std::collections::HashMap;
use std::hash::Hash;

use crate::engine::{Findings, Violation};
use crate::engines;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::report::{Kind, by_event};

/// The finding that a smaller trace must still have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The innermost violated block of some event has this label, and the first such block is violated in this way.
    Violation(LabelId, Kind),
    /// The trace is non-serializable, and no block is to blame.
    Cycle,
}

impl Goal {
    /// Returns whether `trace` has the finding.
    pub fn holds(&self, trace: &[Event]) -> bool {
        // An engine's tables grow with the largest number.
        let trace = dense(trace);
        let mut engine = (engines::default().build)();
        engine.feed(&trace);
        let findings = engine.findings();
        match *self {
            Goal::Violation(label, kind) => first_of(findings, label).is_some_and(|v| kind_in(&trace, v) == kind),
            Goal::Cycle => findings.is_non_serializable() && findings.violations.is_empty(),
        }
    }
}

/// Returns the first violated block with this label that is the innermost one of its event; if there is none, because
/// the inner blocks wait for other threads and are listed separately, the first with this label.
fn first_of(findings: &Findings, label: LabelId) -> Option<&Violation> {
    let is_its = |violation: &&Violation| violation.label == label;
    let innermost = by_event(&findings.violations).filter_map(|blocks| blocks.last()).find(is_its);
    innermost.or_else(|| findings.violations.iter().find(is_its))
}

fn kind_in(trace: &[Event], violation: &Violation) -> Kind {
    let op = |number: u64| trace[usize::try_from(number - 1).expect("an event of the trace")].op;
    match (violation.edges.first(), violation.edges.last()) {
        (Some(out), Some(back)) => Kind::of(op(out.from.position()), op(back.to.position())),
        _ => Kind::Interference,
    }
}

/// Returns the trace with its threads, variables and locks numbered densely.
fn dense(trace: &[Event]) -> Vec<Event> {
    let (mut threads, mut vars, mut locks) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut result = Vec::with_capacity(trace.len());
    for event in trace {
        let thread = ThreadId(number(&mut threads, event.thread));
        let op = match event.op {
            Op::Read(x) => Op::Read(VarId(number(&mut vars, x))),
            Op::Write(x) => Op::Write(VarId(number(&mut vars, x))),
            Op::Commit(x) => Op::Commit(VarId(number(&mut vars, x))),
            Op::Acquire(l) => Op::Acquire(LockId(number(&mut locks, l))),
            Op::Release(l) => Op::Release(LockId(number(&mut locks, l))),
            Op::Fork(u) => Op::Fork(ThreadId(number(&mut threads, u))),
            Op::Join(u) => Op::Join(ThreadId(number(&mut threads, u))),
            Op::Begin(_) | Op::End | Op::Fence | Op::Nop | Op::Together | Op::Update => event.op,
        };
        result.push(Event { thread, op });
    }
    result
}

fn number<K: Eq + Hash>(numbers: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = u32::try_from(numbers.len()).expect("no more than there were");
    *numbers.entry(key).or_insert(next)
}
