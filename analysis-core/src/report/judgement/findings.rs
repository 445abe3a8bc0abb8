//! From violations to a report: a finding for each method and cause, the likeliest bug first.

use super::advice::hints;
use super::groups::{Group, apart, evidence_at, grouped};
use super::rank::sort;
use crate::engine::Violation;
use crate::report::model::details::{Details, Ends};
use crate::report::model::finding::{Enclosing, Finding, Rank};
use crate::report::model::kind::Kind;
use crate::report::model::report::{Head, Report};
use crate::report::model::summary::Summary;
use crate::report::model::witness::Witness;
use crate::trace::one_line;
use crate::trace::symbols::Symbols;

impl<'a> Report<'a> {
    /// Groups and ranks. `details` are those of [`Details::of_findings`]; `most` findings are described in detail.
    pub fn new(summary: &Summary<'a>, symbols: &Symbols, details: &Details, most: usize) -> Report<'a> {
        let blameless = summary.findings.cycle.as_ref().filter(|_| summary.findings.violations.is_empty());
        let told = |groups: Vec<Group>| {
            let mut findings: Vec<Finding> =
                groups.iter().map(|group| Finding::of(group, summary, symbols, details)).collect();
            sort(&mut findings);
            findings
        };
        let findings = told(grouped(summary, details));
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
        Finding::new(group, evidence_at(summary, group.told), summary, symbols, ends)
    }

    /// The finding of a group, represented by this violation.
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
            again: group.again,
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
