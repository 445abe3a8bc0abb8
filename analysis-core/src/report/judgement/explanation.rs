//! One finding, to be explained: chosen by its number, with the shortest witness instead of the engine's.

use std::collections::BTreeSet;

use super::advice::{BREAK_CYCLE, advice};
use super::delayed::Delayed;
use super::groups::{Group, ends, evidence_at, grouped};
use super::reason::meaning;
use super::sieve::{Asked, Sieve, new_first};
use crate::engine::{Cycle, Edge, Violation};
use crate::minimize::Goal;
use crate::report::model::details::{Details, Ends};
use crate::report::model::finding::Finding;
use crate::report::model::identity::Identity;
use crate::report::model::kind::{CYCLE, Kind};
use crate::report::model::report::{Report, Source};
use crate::report::model::sifted::{Expected, Sifted, Status};
use crate::report::model::summary::Summary;
use crate::report::model::witness::Witness;
use crate::report::model::words::name;
use crate::trace::symbols::Symbols;
use crate::witness::Search;

/// A finding, as numbers.
pub struct Found {
    what: What,
    /// The identity by the engine's own witness, as in reports.
    identity: Identity,
    kind: &'static str,
    status: Option<Status>,
}

enum What {
    Block(Group, Violation),
    Cycle(Cycle),
}

/// A finding, explained.
#[derive(Debug)]
pub struct Explanation {
    /// Its number among the findings.
    pub number: usize,
    /// How many findings there are.
    pub total: usize,
    /// Its id, as in `check`.
    pub id: Option<String>,
    /// Whether a baseline has it, if there is one.
    pub status: Option<Status>,
    /// How many transactions its witness goes through.
    pub transactions: usize,
    /// How the execution was observed.
    pub source: Source,
    /// What was found.
    pub what: Explained,
}

/// What was found.
#[derive(Debug)]
pub enum Explained {
    /// A violated method.
    Block(Finding),
    /// A cycle of transactions, and no block to blame.
    Cycle(Witness),
    /// A cycle under TSO.
    Delayed(Delayed),
}

impl Found {
    /// Every finding, in the order in which the report of `check` numbers them; `details` are those of
    /// [`Details::of_findings`]. A cycle that blames nobody is the only finding.
    pub fn all(summary: &Summary, symbols: &Symbols, details: &Details) -> Vec<Found> {
        let mut ranked: Vec<(Finding, Group)> = grouped(summary, details)
            .into_iter()
            .map(|group| (Finding::new(&group, evidence_at(summary, group.told), summary, symbols, details), group))
            .collect();
        ranked.sort_by(|(a, _), (b, _)| a.compare(b));
        let found = |(finding, group): (Finding, Group)| {
            let violation = evidence_at(summary, group.told).clone();
            let (identity, kind) = (finding.identity(), finding.kind.name());
            Found { what: What::Block(group, violation), identity, kind, status: None }
        };
        let mut all: Vec<Found> = ranked.into_iter().map(found).collect();
        if summary.findings.violations.is_empty() {
            all.extend(summary.findings.cycle.iter().map(|cycle| Found {
                what: What::Cycle(cycle.clone()),
                identity: Identity::of(None, &Witness::of_cycle(&cycle.edges, details)),
                kind: CYCLE[0],
                status: None,
            }));
        }
        all
    }

    /// Removes suppressed findings and puts new ones first, as the report of `check` does. Returns what became of them, given
    /// the methods that ran; `None` if the sieve is empty.
    pub fn sift(all: &mut Vec<Found>, sieve: &Sieve, ran: &BTreeSet<String>) -> Option<Sifted> {
        if sieve.is_empty() {
            return None;
        }
        let mut sifting = sieve.start(Expected::new());
        all.retain_mut(|found| {
            let count = if let What::Block(group, _) = &found.what { group.count } else { 1 };
            let status = sifting.take(&Asked { identity: &found.identity, kind: found.kind, count });
            found.status = status.flatten();
            status.is_some()
        });
        new_first(all, |found| found.status);
        Some(sifting.end(ran))
    }

    /// The search for the finding's shortest witness.
    pub fn search(&self) -> Search {
        match &self.what {
            What::Block(_, violation) => Search::of_block(violation),
            What::Cycle(cycle) => Search::of_cycle(cycle),
        }
    }

    /// The cross-thread edges of its witness.
    pub fn edges(&self) -> &[Edge] {
        match &self.what {
            What::Block(_, violation) => &violation.edges,
            What::Cycle(cycle) => &cycle.edges,
        }
    }

    /// Replaces the witness.
    pub fn set_edges(&mut self, edges: Vec<Edge>) {
        match &mut self.what {
            What::Block(_, violation) => violation.edges = edges,
            What::Cycle(cycle) => cycle.edges = edges,
        }
    }

    /// The event at which the finding shows.
    pub fn event(&self) -> u64 {
        match &self.what {
            What::Block(_, violation) => violation.event,
            What::Cycle(cycle) => cycle.event.position(),
        }
    }

    /// True for a cycle that blames nobody.
    pub fn is_cycle(&self) -> bool {
        matches!(self.what, What::Cycle(_))
    }

    /// The numbers of the events of its witness.
    pub fn events(&self) -> BTreeSet<u64> {
        let begin = match &self.what {
            What::Block(_, violation) => Some(violation.begin),
            What::Cycle(_) => None,
        };
        ends(self.edges()).chain(begin).collect()
    }

    /// What a smaller trace must still show. `details` are those of [`Found::events`].
    pub fn goal(&self, details: &Details) -> Goal {
        match &self.what {
            What::Block(_, violation) => Goal::Violation(violation.label, Kind::of_operations(violation, details)),
            What::Cycle(_) => Goal::Cycle,
        }
    }
}

impl Explanation {
    /// Explains the finding with this number. `details` are those of [`Found::events`].
    pub fn new(
        found: &Found,
        (number, total): (usize, usize),
        summary: &Summary,
        symbols: &Symbols,
        details: &Details,
    ) -> Explanation {
        let what = match &found.what {
            What::Block(group, violation) => {
                Explained::Block(Finding::new(group, violation, summary, symbols, details))
            }
            What::Cycle(cycle) => Explained::Cycle(Witness::of_cycle(&cycle.edges, details)),
        };
        let ends = found.edges().iter().flat_map(|edge| [details.from(edge), details.to(edge)]);
        let transactions: BTreeSet<_> = ends.map(|end| (end.thread, end.transaction.or(end.number))).collect();
        let (id, status) = (Some(found.identity.id()), found.status);
        Explanation { number, total, id, status, transactions: transactions.len(), source: Source::Trace, what }
    }

    /// Explains the finding of a report with this number, by the witness in the report; `None` if there is no such
    /// finding.
    pub fn of_report(report: &Report, number: usize) -> Option<Explanation> {
        let cycle = report.cycle.as_ref().filter(|_| report.findings.is_empty());
        let at = number.checked_sub(1)?;
        let (identity, status, what) = match (report.findings.get(at), cycle) {
            (Some(finding), _) => (finding.identity(), finding.status, Explained::Block(finding.clone())),
            (None, Some(cycle)) if at == 0 => {
                (Identity::of(None, cycle), report.cycle_status, Explained::Cycle(cycle.clone()))
            }
            (None, _) => return None,
        };
        let total = report.findings.len().max(usize::from(cycle.is_some()));
        let transactions = match &what {
            Explained::Block(finding) => finding.witness.columns.len(),
            Explained::Cycle(witness) => witness.columns.len(),
            Explained::Delayed(_) => unreachable!("no report has one"),
        };
        Some(Explanation {
            number,
            total,
            id: Some(identity.id()),
            status,
            transactions,
            source: report.head.source,
            what,
        })
    }

    /// How the finding came about.
    pub fn witness(&self) -> &Witness {
        match &self.what {
            Explained::Block(finding) => &finding.witness,
            Explained::Cycle(witness) => witness,
            Explained::Delayed(delayed) => &delayed.witness,
        }
    }

    /// True if the finding shows only where writes wait in store buffers.
    pub fn is_of_buffers(&self) -> bool {
        matches!(self.what, Explained::Delayed(_))
    }

    /// The name for what happened.
    pub fn kind(&self) -> &'static str {
        match &self.what {
            Explained::Block(finding) => finding.kind.name(),
            Explained::Cycle(_) => CYCLE[0],
            Explained::Delayed(delayed) => delayed.kind,
        }
    }

    /// The method that is violated, unless nobody is to blame.
    pub fn method(&self) -> Option<&str> {
        match &self.what {
            Explained::Block(finding) => Some(name(finding.method.as_deref())),
            Explained::Cycle(_) | Explained::Delayed(_) => None,
        }
    }

    /// The meaning of the finding, in a sentence.
    pub fn meaning(&self) -> String {
        match &self.what {
            Explained::Block(finding) => meaning(finding.kind, &finding.witness),
            Explained::Cycle(_) => CYCLE[1].to_owned(),
            Explained::Delayed(delayed) => delayed.meaning.to_owned(),
        }
    }

    /// What to do next.
    pub fn advice(&self) -> Vec<String> {
        match &self.what {
            Explained::Block(finding) => advice(finding, self.source),
            Explained::Cycle(_) => vec![BREAK_CYCLE.to_owned()],
            Explained::Delayed(delayed) => delayed.advice(),
        }
    }

    /// The transactions in the order of the walk, as indices of the witness's columns: the last edge leads back to the
    /// first.
    pub fn walk(&self) -> Vec<usize> {
        let witness = self.witness();
        let column = |row: usize| witness.rows[row].column;
        let mut walk: Vec<usize> = witness.ends.iter().flat_map(|(from, to)| [column(*from), column(*to)]).collect();
        walk.dedup();
        walk
    }
}

impl From<Delayed> for Explanation {
    /// The only finding of its trace, which can be drawn.
    fn from(delayed: Delayed) -> Explanation {
        let transactions = delayed.witness.columns.len();
        let what = Explained::Delayed(delayed);
        Explanation { number: 1, total: 1, id: None, status: None, transactions, source: Source::Trace, what }
    }
}
