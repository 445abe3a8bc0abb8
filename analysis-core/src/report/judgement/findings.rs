//! From violations to a report: grouped by the event that shows them, one finding per method, the likeliest bug
//! first.

use std::collections::{BTreeMap, BTreeSet};

use super::advice::hints;
use super::rank::sort;
use crate::engine::{Edge, Violation};
use crate::event::LabelId;
use crate::report::model::details::{Details, Ends};
use crate::report::model::finding::{Enclosing, Finding, Rank};
use crate::report::model::kind::Kind;
use crate::report::model::report::{Head, Report};
use crate::report::model::summary::Summary;
use crate::report::model::witness::Witness;
use crate::trace::one_line;
use crate::trace::symbols::Symbols;

/// The violations that become one finding, as indices.
pub(super) struct Group {
    label: LabelId,
    pub(super) first: usize,
    pub(super) count: u64,
    enclosing: Vec<(LabelId, u64)>,
}

impl<'a> Report<'a> {
    /// The numbers of the events that a report names, so that [`Details`] can be read.
    pub fn events(summary: &Summary) -> BTreeSet<u64> {
        let violations = &summary.findings.violations;
        let mut events = BTreeSet::new();
        for group in grouped(summary).iter().chain(&apart(summary)) {
            events.insert(violations[group.first].begin);
            events.extend(ends(&violations[group.first].edges));
            if violations[group.first].is_warning() {
                events.extend(ends(&[violations[group.first].pair()]));
            }
        }
        if violations.is_empty() {
            events.extend(summary.findings.cycle.iter().flat_map(|cycle| ends(&cycle.edges)));
        }
        events
    }

    /// Groups and ranks. `details` are those of [`Report::events`]; `most` findings are described in detail.
    pub fn new(summary: &Summary<'a>, symbols: &Symbols, details: &Details, most: usize) -> Report<'a> {
        let blameless = summary.findings.cycle.as_ref().filter(|_| summary.findings.violations.is_empty());
        let told = |groups: Vec<Group>| {
            let mut findings: Vec<Finding> =
                groups.iter().map(|group| Finding::of(group, summary, symbols, details)).collect();
            sort(&mut findings);
            findings
        };
        let findings = told(grouped(summary));
        let hints = hints(&findings, &summary.context.application).into_iter().collect();
        Report {
            head: Head { most, hints, ..Head::from(summary) },
            findings,
            callers: Vec::new(),
            cycle: blameless.map(|cycle| Witness::of_cycle(&cycle.edges, details)),
            cycle_status: None,
            waits_inside: told(apart(summary)),
        }
    }
}

impl Finding {
    fn of(group: &Group, summary: &Summary, symbols: &Symbols, ends: &impl Ends) -> Finding {
        Finding::new(group, &summary.findings.violations[group.first], summary, symbols, ends)
    }

    /// The finding of a group, told by this violation.
    pub(super) fn new(
        group: &Group,
        violation: &Violation,
        summary: &Summary,
        symbols: &Symbols,
        ends: &impl Ends,
    ) -> Finding {
        let name = |label| symbols.label(label).map(|name| one_line(&name));
        let (method, kind) = (name(group.label), Kind::of_violation(violation, ends));
        let witness = Witness::of_violation(violation, ends);
        let enclosing = group.enclosing.iter().map(|(label, count)| Enclosing { method: name(*label), count: *count });
        Finding {
            rank: Rank::of(method.as_deref(), kind, &witness, &summary.context.application),
            method,
            count: group.count,
            instances: summary.instances.of(group.label),
            kind,
            enclosing: enclosing.collect(),
            witness,
            stack: Vec::new(),
            status: None,
            provoked: None,
        }
    }
}

/// The violations of each event, outer blocks first: they are adjacent.
pub(crate) fn by_event(violations: &[Violation]) -> impl Iterator<Item = &[Violation]> {
    violations.chunk_by(|a, b| (a.thread, a.event) == (b.thread, b.event))
}

/// The violations that count by innermost violated method, in order of detection.
pub(super) fn grouped(summary: &Summary) -> Vec<Group> {
    let violations = &summary.findings.violations;
    let mut groups: BTreeMap<LabelId, Group> = BTreeMap::new();
    let mut start = 0;
    for together in by_event(violations) {
        let end = start + together.len();
        let counted: Vec<usize> = (start..end).filter(|index| !summary.waits(&violations[*index])).collect();
        start = end;
        let Some((&innermost, outer)) = counted.split_last() else { continue };
        let label = violations[innermost].label;
        let fresh = Group { label, first: innermost, count: 0, enclosing: Vec::new() };
        let group = groups.entry(label).or_insert(fresh);
        for outer in outer.iter().map(|outer| &violations[*outer]) {
            match group.enclosing.iter_mut().find(|(label, _)| *label == outer.label) {
                Some((_, count)) => *count += 1,
                None => group.enclosing.push((outer.label, 1)),
            }
        }
    }
    // An instance that was violated around another method's counts too.
    for violation in violations.iter().filter(|violation| !summary.waits(violation)) {
        if let Some(group) = groups.get_mut(&violation.label) {
            group.count += 1;
        }
    }
    in_order_of_detection(groups)
}

/// The violations that are listed separately, by method, in order of detection.
fn apart(summary: &Summary) -> Vec<Group> {
    let mut groups: BTreeMap<LabelId, Group> = BTreeMap::new();
    for (first, violation) in summary.findings.violations.iter().enumerate().filter(|(_, v)| summary.waits(v)) {
        let label = violation.label;
        groups.entry(label).or_insert(Group { label, first, count: 0, enclosing: Vec::new() }).count += 1;
    }
    in_order_of_detection(groups)
}

fn in_order_of_detection(groups: BTreeMap<LabelId, Group>) -> Vec<Group> {
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by_key(|group| group.first);
    groups
}

pub(super) fn ends(edges: &[Edge]) -> impl Iterator<Item = u64> + '_ {
    edges.iter().flat_map(|edge| [edge.from.position(), edge.to.position()])
}
