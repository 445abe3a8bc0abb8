//! What the user has decided about findings before: which are suppressed, and which are known by a baseline.

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// Its id.
    pub id: String,
    /// Its method; `None` for a block without a label and for a cycle that blames nobody.
    pub method: Option<String>,
    /// The name of its kind.
    pub kind: String,
    /// How many instances were violated.
    pub count: u64,
    /// The line that suppresses it: file and number.
    pub by: String,
    /// The reason that the line gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
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
