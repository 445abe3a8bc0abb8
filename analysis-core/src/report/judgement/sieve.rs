//! The report without suppressed findings and those that tests expect, and with those of a baseline after new ones.
//!
//! The verdict and the counts of blocks stay: they are about the run. What changes is which findings are reported, and
//! whether they set the exit code. A method that was violated only around others belongs to these, and goes with the last
//! of them. Blocks that wait inside set no exit code and are left alone; so are predictions for other schedules.

use std::collections::BTreeSet;

use super::baseline::Baseline;
use super::suppressions::Suppressions;
use crate::report::model::finding::Finding;
use crate::report::model::identity::Identity;
use crate::report::model::kind::CYCLE;
use crate::report::model::report::Report;
use crate::report::model::sifted::{Compared, Expected, Sifted, Status, Suppressed, SuppressionUse};

/// What the user has decided about findings before.
#[derive(Clone, Debug, Default)]
pub struct Sieve {
    /// The suppressions.
    pub suppressions: Suppressions,
    /// The known findings.
    pub baseline: Option<Baseline>,
}

/// What decides about a finding.
pub(super) struct Asked<'a> {
    pub(super) identity: &'a Identity,
    pub(super) kind: &'static str,
    pub(super) count: u64,
}

/// Counts, finding by finding.
pub(super) struct Sifting<'a> {
    sieve: &'a Sieve,
    expected: Expected,
    suppressed: Vec<Suppressed>,
    lines: Vec<SuppressionUse>,
    shown: BTreeSet<String>,
    left: usize,
    known: usize,
}

impl Sieve {
    /// True if nothing is suppressed or known.
    pub fn is_empty(&self) -> bool {
        self.suppressions.is_empty() && self.baseline.is_none()
    }

    /// True if a finding sets the exit code: it is neither suppressed nor known.
    pub fn counts(&self, finding: &Finding) -> bool {
        let identity = finding.identity();
        let is_known = self.baseline.as_ref().is_some_and(|baseline| baseline.has(&identity.id()));
        !is_known && self.suppressions.first_for(&identity, finding.kind.name()).is_none()
    }

    /// Begins with the findings that tests expect.
    pub(super) fn start(&self, expected: Expected) -> Sifting<'_> {
        Sifting {
            sieve: self,
            expected,
            suppressed: Vec::new(),
            lines: self.suppressions.uses(),
            shown: BTreeSet::new(),
            left: 0,
            known: 0,
        }
    }

    /// Sifts a report of a run or a trace in which these methods ran. An empty sieve changes nothing.
    pub fn apply(&self, report: &mut Report, ran: &BTreeSet<String>) {
        self.apply_with(report, ran, Expected::new());
    }

    /// Like [`Sieve::apply`], for a run with tests that expect findings. These are taken out, whether they are known or not.
    pub fn apply_with(&self, report: &mut Report, ran: &BTreeSet<String>, expected: Expected) {
        if self.is_empty() && expected.is_empty() {
            return;
        }
        let mut sifting = self.start(expected);
        let mut gone = Vec::new();
        let mut left = Vec::new();
        for mut finding in std::mem::take(&mut report.findings) {
            let identity = finding.identity();
            let asked = Asked { identity: &identity, kind: finding.kind.name(), count: finding.count };
            match sifting.take(&asked) {
                Some(status) => {
                    finding.status = status;
                    left.push(finding);
                }
                None => gone.push(finding),
            }
        }
        new_first(&mut left, |finding| finding.status);
        report.callers.retain(|caller| !is_only_around(caller, &gone, &left));
        report.findings = left;
        if let Some(cycle) = &report.cycle {
            let identity = Identity::of(None, cycle);
            match sifting.take(&Asked { identity: &identity, kind: CYCLE[0], count: 1 }) {
                Some(status) => report.cycle_status = status,
                None => report.cycle = None,
            }
        }
        let sifted = sifting.end(ran);
        report.head.answer.is_excused = sifted.is_excused;
        report.head.sifted = Some(sifted);
    }
}

/// Puts new findings before known ones, keeping the order of each.
pub(in crate::report) fn new_first<T>(findings: &mut [T], status: impl Fn(&T) -> Option<Status>) {
    findings.sort_by_key(|finding| status(finding) == Some(Status::Known));
}

/// True if a method was violated around findings that are gone, and around no others.
fn is_only_around(caller: &Finding, gone: &[Finding], left: &[Finding]) -> bool {
    let is_around = |finding: &Finding| finding.enclosing.iter().any(|around| around.method == caller.method);
    gone.iter().any(is_around) && !left.iter().any(is_around)
}

impl Sifting<'_> {
    /// Whether a finding is new or known, if there is a baseline; `None` if it is suppressed.
    pub(super) fn take(&mut self, asked: &Asked) -> Option<Option<Status>> {
        let Asked { identity, kind, count } = *asked;
        let id = identity.id();
        self.shown.insert(id.clone());
        let suppressed = |id: &str| {
            let (id, method, kind) = (id.to_owned(), identity.method.clone(), kind.to_owned());
            Suppressed { id, method, kind, count, ..Suppressed::default() }
        };
        if let Some(line) = self.sieve.suppressions.first_for(identity, kind) {
            let (by, reason) = self.sieve.suppressions.place_of(line);
            self.lines[line].findings += 1;
            self.suppressed.push(Suppressed { by, reason, ..suppressed(&id) });
            return None;
        }
        if let Some(tests) = self.expected.remove(&id) {
            let mut suppressed = suppressed(&id);
            suppressed.expect(tests);
            self.suppressed.push(suppressed);
            return None;
        }
        self.left += 1;
        let Some(baseline) = &self.sieve.baseline else { return Some(None) };
        if !baseline.has(&id) {
            return Some(Some(Status::New));
        }
        self.known += 1;
        Some(Some(Status::Known))
    }

    /// The result, where these methods ran.
    pub(super) fn end(self, ran: &BTreeSet<String>) -> Sifted {
        let Sifting { sieve, suppressed, lines, shown, left, known, .. } = self;
        let new = left - known;
        let baseline = sieve.baseline.as_ref().map(|baseline| baseline.compare(&shown, ran));
        Sifted {
            is_excused: new == 0 && left + suppressed.len() > 0,
            baseline: baseline.map(|compared| Compared { new, known, ..compared }),
            suppressed,
            lines,
            left,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::data::Data;
    use crate::report::model::finding::{Enclosing, Rank};
    use crate::report::model::kind::Kind;
    use crate::report::model::witness::Witness;

    fn finding(method: &str, around: &[&str]) -> Finding {
        let (edges, rows, columns, delays) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let enclosing = around.iter().map(|method| Enclosing { method: Some((*method).to_owned()), count: 1 });
        Finding {
            method: Some(method.to_owned()),
            count: 1,
            again: 0,
            instances: 1,
            kind: Kind::LostUpdate,
            witness: Witness {
                begin: None,
                edges,
                rows,
                ends: Vec::new(),
                first: None,
                columns,
                delays,
                pair: None,
                data: Data::None,
            },
            stack: Vec::new(),
            enclosing: enclosing.collect(),
            rank: Rank::default(),
            status: None,
            provoked: None,
        }
    }

    #[test]
    fn a_caller_goes_with_the_last_finding_that_it_is_around() {
        let caller = finding("a.B.run()", &[]);
        let [inner, other] = ["a.B.get()", "a.B.put()"].map(|method| finding(method, &["a.B.all()", "a.B.run()"]));
        let apart = finding("a.B.size()", &[]);
        let goes = |gone: &[&Finding], left: &[&Finding]| {
            let owned = |all: &[&Finding]| all.iter().map(|finding| (*finding).clone()).collect::<Vec<_>>();
            is_only_around(&caller, &owned(gone), &owned(left))
        };
        assert!(goes(&[&inner, &other], &[&apart]));
        assert!(!goes(&[&inner], &[&other]) && !goes(&[&apart], &[&inner]) && !goes(&[&apart], &[]));
    }
}
