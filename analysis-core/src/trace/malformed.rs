//! A part of a trace that cannot be read as an event, whatever the format.

use std::fmt;

/// Why a line or a record cannot be read. Texts are in one line, and cut where they are long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    kind: &'static str,
    reason: String,
    expected: String,
}

impl Malformed {
    /// Of this `kind`, by which a lenient reading counts, for this `reason`.
    #[cold]
    pub(super) fn new(kind: &'static str, reason: impl Into<String>, expected: impl Into<String>) -> Malformed {
        Malformed { kind, reason: reason.into(), expected: expected.into() }
    }

    /// The kind, in a few words.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What is wrong.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What was expected instead.
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; expected {}", self.reason, self.expected)
    }
}

impl std::error::Error for Malformed {}
