//! What the user has decided about findings before: which are suppressed or expected by a test, and which are known by a baseline.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Whether a baseline has a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The baseline does not have it.
    New,
    /// The baseline has it.
    Known,
}

impl Status {
    /// The status in a word.
    pub fn name(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Known => "known",
        }
    }
}

/// The findings that were violated only in tests that expect them: their ids, and the names of these tests.
pub type Expected = BTreeMap<String, BTreeSet<String>>;

/// What suppressions and a baseline made of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sifted {
    /// The findings that were taken out, in the order in which they would have stood.
    pub suppressed: Vec<Suppressed>,
    /// Every line that suppresses findings, in order.
    pub lines: Vec<SuppressionUse>,
    /// The comparison with a baseline, if there is one.
    pub baseline: Option<Compared>,
    /// How many findings are left.
    pub left: usize,
    /// Whether no finding that sets the exit code is left, although there was one.
    pub is_excused: bool,
}

/// A finding that was taken out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// Its id.
    pub id: String,
    /// Its method; `None` for a block without a label and for a cycle that blames nobody.
    pub method: Option<String>,
    /// The name of its kind.
    pub kind: String,
    /// How many instances were violated.
    pub count: u64,
    /// The line that suppresses it, file and number; or `@ExpectViolation`.
    pub by: String,
    /// The reason that the line gives, or which tests expect it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The tests that expect it; empty if a line suppresses it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub expected_by: BTreeSet<String>,
}

/// What takes a finding out that tests expect.
const EXPECTED: &str = "@ExpectViolation";

/// How many of the tests that expect a finding its reason names.
const MOST_TESTS: usize = 3;

impl Suppressed {
    /// True if it was taken out because tests expect it, and not by a line.
    pub fn is_expected(&self) -> bool {
        !self.expected_by.is_empty()
    }

    /// Says that these tests expect it, too.
    pub(in crate::report) fn expect(&mut self, tests: BTreeSet<String>) {
        self.expected_by.extend(tests);
        let named: Vec<&str> = self.expected_by.iter().take(MOST_TESTS).map(String::as_str).collect();
        let others = self.expected_by.len() - named.len();
        let others = if others > 0 { format!(" and {others} more") } else { String::new() };
        self.by = EXPECTED.to_owned();
        self.reason = Some(format!("expected by {}{others}", named.join(", ")));
    }

    /// Merges the same finding of another run. A line counts rather than a test, because the line says how many findings it has
    /// taken out.
    pub(in crate::report) fn add(&mut self, other: Suppressed) {
        let count = self.count + other.count;
        match (self.is_expected(), other.is_expected()) {
            (true, true) => self.expect(other.expected_by),
            (true, false) => *self = other,
            (false, _) => {}
        }
        self.count = count;
    }
}

/// A line that suppresses findings, and how many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressionUse {
    /// The file.
    pub file: String,
    /// The line's number.
    pub line: usize,
    /// The text of the line, without the reason.
    pub rule: String,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many findings it has taken out.
    pub findings: usize,
}

/// A finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// Its method, or [`NO_METHOD`](super::identity::NO_METHOD).
    pub method: String,
    /// Its id.
    pub id: String,
    /// The variables and locks, for a person.
    pub variables: String,
    /// The name of its kind, for a person.
    pub kind: String,
}

/// The findings compared with those of a baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// The file of the baseline.
    pub file: String,
    /// How many findings are new.
    pub new: usize,
    /// How many are known.
    pub known: usize,
    /// Findings of the baseline that did not show although their methods ran.
    pub not_seen: Vec<Entry>,
    /// How many findings of the baseline are of methods that did not run.
    pub not_run: usize,
    /// How many did not show in saved reports, which do not say whether their methods ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_shown: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
