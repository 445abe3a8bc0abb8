//! The contract of `Violation` and `Cycle`: what every finding of every engine must be, checked against a
//! happens-before computed here.
//!
//! - A violation names a block of its thread with its label and depth, open at its event. Its `other` is an event of
//!   another thread with `begin → other → event`. Its `edges`, if any, are conflicting events of different threads in
//!   trace order: the first leaves the block, each next edge starts in the thread in which the edge before it ended, not
//!   earlier than there, and the last ends at the event. An engine that blames too many blocks may instead report which
//!   cycle of transactions its event closes, also for violated blocks: then `other → event` is an edge, the last of its
//!   `edges` if it has any, and the edges are a cycle that starts in the transaction.
//! - A further finding about a block that is known to be violated is such a violation too, by a later event.
//! - A violation of an engine that only warns names a transaction instead and has no edges; its `other` is an earlier
//!   event of the same transaction. No other engine's `other` is in the block's own thread.
//! - A cycle's `edges`, if any, are such pairs too: each next edge starts in the transaction in which the edge before it
//!   ended, or in a later one of that thread; the last ends at the event, and the first starts in its transaction.

use std::cell::OnceCell;

use analysis_core::engine::{BlameClaim, Claim, Cycle, Edge, Findings, Violation};
use analysis_core::event::{Event, Op, Stamp};

use crate::compare::Blame;
use crate::happens_before::HappensBefore;

/// Checks the findings about one trace against the contract, each as soon as it appears.
pub struct Contract<'a> {
    claim: Claim,
    trace: &'a [Event],
    facts: OnceCell<Facts<'a>>,
    violations_seen: usize,
    again_seen: usize,
    cycle_seen: bool,
}

/// The facts about the trace that the checks need. Most traces of a run have no finding, so they are computed at the first.
struct Facts<'a> {
    order: HappensBefore<'a>,
    /// For each event, the transaction that it belongs to, numbered in order of their first events.
    transactions: Vec<usize>,
    /// For each event, the positions of the begins of the blocks open at it, itself included, outermost first.
    open: Vec<Vec<u64>>,
}

impl<'a> Contract<'a> {
    /// Creates the checks for findings about prefixes of `trace`.
    pub fn new(claim: Claim, trace: &'a [Event]) -> Self {
        Self { claim, trace, facts: OnceCell::new(), violations_seen: 0, again_seen: 0, cycle_seen: false }
    }

    /// Adds to `faults` what is wrong with the findings that are new since the last call.
    pub fn check_news(&mut self, findings: &Findings, faults: &mut Vec<String>) {
        let news = findings.violations.get(self.violations_seen..).unwrap_or_default();
        self.violations_seen = findings.violations.len();
        for violation in news {
            let facts = self.facts.get_or_init(|| Facts::of(self.trace));
            let blame = Blame::from(violation);
            let fault = facts.block_fault(violation).or_else(|| match self.claim.blame {
                BlameClaim::Superset => facts.path_fault(violation).and_then(|_| facts.blamed_cycle_fault(violation)),
                BlameClaim::Warnings => facts.warning_fault(violation),
                BlameClaim::Silent | BlameClaim::Exact | BlameClaim::Subset => facts.path_fault(violation),
            });
            faults.extend(fault.map(|fault| format!("contract: {blame}: {fault}")));
        }
        let news = findings.again.get(self.again_seen..).unwrap_or_default();
        self.again_seen = findings.again.len();
        for violation in news {
            let facts = self.facts.get_or_init(|| Facts::of(self.trace));
            let first = findings.violations.iter().find(|first| first.begin == violation.begin);
            let is_later = first.is_some_and(|first| first.event < violation.event);
            let fault = facts.block_fault(violation).or_else(|| facts.path_fault(violation));
            let fault = fault.or_else(|| (!is_later).then(|| "its block was not known to be violated".to_owned()));
            faults.extend(fault.map(|fault| format!("contract: again {}: {fault}", Blame::from(violation))));
        }
        if let (false, Some(cycle)) = (self.cycle_seen, &findings.cycle) {
            self.cycle_seen = true;
            let facts = self.facts.get_or_init(|| Facts::of(self.trace));
            faults.extend(facts.cycle_fault(cycle).map(|fault| format!("contract: the cycle: {fault}")));
        }
    }
}

impl<'a> Facts<'a> {
    fn of(trace: &'a [Event]) -> Self {
        let threads = trace.iter().map(|event| event.thread.index() + 1).max().unwrap_or(0);
        let mut stacks: Vec<Vec<u64>> = vec![Vec::new(); threads];
        let mut open: Vec<Vec<u64>> = Vec::with_capacity(trace.len());
        let mut transactions: Vec<usize> = Vec::with_capacity(trace.len());
        for (index, event) in trace.iter().enumerate() {
            let stack = &mut stacks[event.thread.index()];
            if matches!(event.op, Op::Begin(_)) {
                stack.push(index as u64 + 1);
            }
            // The outermost begin, or the event itself, stands for the transaction.
            transactions.push(stack.first().map_or(index, |&begin| begin as usize - 1));
            open.push(stack.clone());
            if event.op == Op::End {
                stack.pop();
            }
        }
        Self { order: HappensBefore::of(trace), transactions, open }
    }

    fn block_fault(&self, v: &Violation) -> Option<String> {
        let event = self.order.event(v.event).filter(|event| event.thread == v.thread);
        let open = event.and_then(|_| self.open.get(v.event as usize - 1));
        let Some(depth) = open.and_then(|open| open.iter().position(|&begin| begin == v.begin)) else {
            return Some(format!("no block of T{} begun at {} is open at event {}", v.thread.0, v.begin, v.event));
        };
        if depth as u32 != v.depth {
            return Some(format!("its depth is {depth}"));
        }
        let label = self.order.event(v.begin).map(|begin| begin.op);
        (label != Some(Op::Begin(v.label))).then(|| format!("{label:?} begins it, not {:?}", v.label))
    }

    /// Checks a warning: it is about two events of a transaction, the later of which is the last of the prefix.
    fn warning_fault(&self, v: &Violation) -> Option<String> {
        let is_within = v.is_warning() && (v.begin..v.event).contains(&v.other.position());
        let is_own = self.order.at(v.other).is_some_and(|event| event.thread == v.thread);
        if v.depth > 0 || !v.edges.is_empty() || !is_within || !is_own {
            return Some(format!("no warning of a transaction with two of its events, but {v:?}"));
        }
        None
    }

    fn path_fault(&self, v: &Violation) -> Option<String> {
        let other = v.other;
        let is_between = self.order.at(other).is_some()
            && other.thread() != v.thread
            && self.order.holds(v.begin, other.position())
            && self.order.holds(other.position(), v.event);
        if !is_between {
            return Some(format!("not begin → other → event for other = {other:?}"));
        }
        let (first, last) = (v.edges.first()?, v.edges.last()?);
        if first.from.thread() != v.thread || first.from.position() < v.begin {
            return Some(format!("{first:?} does not leave the block"));
        }
        if last.to != Stamp::new(v.thread, v.event) {
            return Some(format!("{last:?} does not end at the event"));
        }
        self.walk_fault(&v.edges, |end, start| end.position() <= start.position())
    }

    /// Checks the cycle by which an engine blames a transaction that need not be violated. The cycle of a violated
    /// transaction is not checked further: the first cycle that its events close may go back in time.
    fn blamed_cycle_fault(&self, v: &Violation) -> Option<String> {
        let closing = Edge::new(v.other, Stamp::new(v.thread, v.event));
        if !self.order.is_edge(closing.from, closing.to) {
            return Some(format!("{closing:?} is not a pair of conflicting events of two threads"));
        }
        if v.edges.last().is_some_and(|last| *last != closing) {
            return Some(format!("{closing:?} is not the last of its edges"));
        }
        self.cycle_fault(&Cycle { event: closing.to, edges: v.edges.clone() })
    }

    fn cycle_fault(&self, cycle: &Cycle) -> Option<String> {
        if self.order.at(cycle.event).is_none() {
            return Some(format!("{:?} is not an event of the trace", cycle.event));
        }
        let (first, last) = (cycle.edges.first()?, cycle.edges.last()?);
        if last.to != cycle.event {
            return Some(format!("{last:?} does not end at {:?}", cycle.event));
        }
        self.walk_fault(&cycle.edges, |end, start| self.transaction(end) <= self.transaction(start)).or_else(|| {
            let is_closed =
                first.from.thread() == last.to.thread() && self.transaction(first.from) == self.transaction(last.to);
            (!is_closed).then(|| format!("{first:?} does not leave the transaction in which {last:?} ends"))
        })
    }

    /// Returns what is wrong with edges that should be a walk. `follows(end, start)`: an edge may start at `start` when
    /// the edge before it ended at `end`, in the same thread.
    fn walk_fault(&self, edges: &[Edge], follows: impl Fn(Stamp, Stamp) -> bool) -> Option<String> {
        if let Some(edge) = edges.iter().find(|edge| !self.order.is_edge(edge.from, edge.to)) {
            return Some(format!("{edge:?} is not a pair of conflicting events of two threads"));
        }
        let goes_on = |end: Stamp, start: Stamp| end.thread() == start.thread() && follows(end, start);
        let gap = edges.windows(2).find(|pair| !goes_on(pair[0].to, pair[1].from))?;
        Some(format!("{:?} does not continue from {:?}", gap[1], gap[0]))
    }

    fn transaction(&self, stamp: Stamp) -> usize {
        self.transactions[stamp.position() as usize - 1]
    }
}
