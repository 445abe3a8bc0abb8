//! A violated method: how often, how it came about, what that is called and where it stands in a report. `judgement/`
//! decides the kind and the rank.

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::provoked::Provoked;
use super::sifted::Status;
use super::witness::Witness;

/// A method that is violated for one cause.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its label; `None` for blocks without one.
    pub method: Option<String>,
    /// How many of its instances were violated for this cause, including those around other violated blocks; those that
    /// wait inside are counted apart.
    pub count: u64,
    /// How many of them were violated for another cause before, and also count in the finding of that one.
    pub again: u64,
    /// How many instances the method has.
    pub instances: u64,
    /// What happened to the first instance.
    pub kind: Kind,
    /// How the first violation came about.
    pub witness: Witness,
    /// The stack of its thread at that time, the innermost frame first; empty if unknown.
    pub stack: Vec<String>,
    /// The methods around it that the same events violate, and how often; for the first such event the outermost comes
    /// first.
    pub enclosing: Vec<Enclosing>,
    /// Its rank among the findings.
    pub rank: Rank,
    /// Whether a baseline has it, if there is one.
    pub status: Option<Status>,
    /// How the first violation was provoked; `None` if it was observed.
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
    /// It is about an initializer or a constructor: these run once for each class or object, mostly before it is
    /// shared.
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

/// How the events of a witness are locked. The likelier bug compares less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Locking {
    /// Of two accesses that conflict, one is under a lock that the other lacks, and they have none in common.
    Partly,
    /// Anything else, or unknown.
    #[default]
    Other,
    /// None of its events is under a lock, or about one.
    Nowhere,
}
