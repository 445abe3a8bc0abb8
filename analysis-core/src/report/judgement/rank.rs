//! Where a finding stands in a report: the likeliest bug first. `docs/ranking.md` says the same with examples.
//!
//! A finding falls short of a likely bug if its kind is vague, if its span is long, or if it lies in a library; findings with fewer
//! shortcomings come first. What happens in initializers comes after all others. Among equals, a finding in which a lock is taken for one
//! access and not for another that conflicts with it comes first, and one without any lock last. After that the rate decides: a method that
//! is violated in every instance was hardly meant to be atomic, one that is violated rarely is the likely bug.

use std::cmp::Ordering;

use super::critical::is_between_sections;
use crate::report::model::application::Application;
use crate::report::model::finding::{Finding, Locking};
use crate::report::model::kind::Kind;
use crate::report::model::witness::{End, Witness};

pub use crate::report::model::finding::Rank;

impl Rank {
    /// The rank of what happened to a method.
    pub fn of(method: Option<&str>, kind: Kind, witness: &Witness, application: &Application) -> Rank {
        let initializes = initializer(method, witness).is_some() || method.is_some_and(is_constructor);
        let is_library = method.is_some_and(|method| application.excludes(method));
        let is_long = !is_short(method, kind, witness);
        Rank {
            locking: Locking::of(witness),
            ..Rank::falling_short(initializes, !kind.is_pattern(), is_long, is_library)
        }
    }

    /// The rank of what may happen to a method. `is_static` if one of its own events would be in a static initializer.
    pub(crate) fn expected(method: &str, is_static: bool, is_vague: bool, is_long: bool, own: &Application) -> Rank {
        Rank::falling_short(is_static || is_constructor(method), is_vague, is_long, own.excludes(method))
    }

    fn falling_short(initializes: bool, is_vague: bool, is_long: bool, is_library: bool) -> Rank {
        let shortcomings = [is_vague, is_long, is_library].into_iter().map(u8::from).sum();
        Rank { initializes, shortcomings, is_vague, is_long, is_library, locking: Locking::default() }
    }

    /// How much speaks against the finding, as a number: an initializer weighs more than all shortcomings together.
    pub(crate) fn weight(self) -> u64 {
        u64::from(self.shortcomings) + if self.initializes { 4 } else { 0 }
    }
}

/// True if both events of the block that show its violation are in the method itself, or are on one lock.
fn is_short(method: Option<&str>, kind: Kind, witness: &Witness) -> bool {
    let (Some(out), Some(back)) = (witness.edges.first(), witness.edges.last()) else { return false };
    let is_one_lock =
        matches!(kind, Kind::StaleCheckThenAct | Kind::StaleRead) && is_between_sections(&out.from, &back.to);
    is_one_lock || (out.from.method.as_deref() == method && back.to.method.as_deref() == method)
}

/// The static initializer that contains one of the block's own events, if it ran inside a block of another method.
pub(in crate::report) fn initializer<'a>(method: Option<&str>, witness: &'a Witness) -> Option<&'a str> {
    let (out, back) = (witness.edges.first()?, witness.edges.last()?);
    if method.is_some_and(|method| method.contains(CLINIT)) {
        return None;
    }
    let its = |text: &'a str| text.find(CLINIT).map(|at| &text[..at + CLINIT.len()]);
    let of = |end: &'a End| end.method.as_deref().and_then(its).or_else(|| its(&end.location));
    of(&out.from).or_else(|| of(&back.to))
}

/// The name in class files.
const CLINIT: &str = ".<clinit>";

fn is_constructor(method: &str) -> bool {
    method.contains(".<init>") || method.contains(CLINIT)
}

impl Finding {
    /// Compares two findings; the likelier bug is less.
    pub fn compare(&self, other: &Finding) -> Ordering {
        let rate = |finding: &Finding| (finding.count, finding.instances);
        self.rank.cmp(&other.rank).then_with(|| rarer(rate(self), rate(other)))
    }
}

/// Sorts findings, the likeliest bug first; equals stay in the order of detection, which is that of `findings`.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(Finding::compare);
}

/// Compares two rates, each as the number of violated instances and of all instances.
fn rarer((count, of): (u64, u64), (other_count, other_of): (u64, u64)) -> Ordering {
    (u128::from(count) * u128::from(other_of.max(1))).cmp(&(u128::from(other_count) * u128::from(of.max(1))))
}

#[cfg(test)]
mod tests;
