//! A violated method: how often, how it came about, what that is called and where it stands in a report.
//! `judgement/` decides the latter two.

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::provoked::Provoked;
use super::sifted::Status;
use super::witness::Witness;

/// A violated method, and one cause of it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its label; `None` for blocks without one.
    pub method: Option<String>,
    /// How many instances of it were violated for this cause, around others too; those that wait inside are counted apart.
    pub count: u64,
    /// How many of them were violated for another cause before, and count in the finding of that one, too.
    pub again: u64,
    /// How many instances of it there are.
    pub instances: u64,
    /// What happened to the first.
    pub kind: Kind,
    /// How it came about the first time.
    pub witness: Witness,
    /// The stack of its thread then, the innermost frame first; empty if it is not known.
    pub stack: Vec<String>,
    /// The methods around it that the same events violate, and how often; in the first such event the outermost first.
    pub enclosing: Vec<Enclosing>,
    /// Its rank among the findings.
    pub rank: Rank,
    /// Whether a baseline has it, if there is one.
    pub status: Option<Status>,
    /// If the first came about because a thread was held: how. `None` if it was observed.
    pub provoked: Option<Provoked>,
}

/// A violated block around the one of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosing {
    /// Its method; `None` for a block without a label.
    pub method: Option<String>,
    /// How often it was around the finding's block when an event violated both.
    pub count: u64,
}

/// What speaks against a finding. The order of the fields is the order in which ties are broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// It is about an initializer or a constructor: they run once for each class or object, mostly before it is shared.
    pub initializes: bool,
    /// How many of the following are true.
    pub(in crate::report) shortcomings: u8,
    /// Its kind names no pattern on one variable or lock.
    pub is_vague: bool,
    /// The two events that show it are not both in the method itself.
    pub is_long: bool,
    /// It lies outside the application.
    pub is_library: bool,
    /// How its events are locked.
    pub locking: Locking,
}

/// How the events of a witness are locked. The likelier bug is less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Locking {
    /// Of two accesses that conflict, one is under a lock that the other lacks, and they have none in common.
    Partly,
    /// Anything else, or it is not known.
    #[default]
    Other,
    /// None of its events is under a lock, or about one.
    Nowhere,
}
