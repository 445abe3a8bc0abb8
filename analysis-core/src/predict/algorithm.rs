//! The contract of a predictive algorithm: what it is, what it claims, what it answers.
//!
//! # To add an algorithm
//! 1. Make a folder `algorithms/<name>/` with a `mod.rs` that opens with the paper, the idea and "Where we differ", and
//!    holds one `pub(super) const SPEC: AlgorithmSpec`.
//! 2. Add its line to `algorithms/mod.rs`, the only list of algorithms.
//!
//! Help texts, reports, the comparison, and the tests against the enumeration of all interleavings iterate over that
//! list.

use super::Execution;
use super::ids::{At, UnitId};

/// An algorithm in the registry.
pub struct AlgorithmSpec {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The paper, with the section or the theorem.
    pub source: &'static str,
    /// What it guarantees, and when; it promises nothing beyond.
    pub claims: &'static [Claim],
    /// Analyses an execution.
    pub run: fn(&Execution, &Limits) -> Outcome,
}

/// A promise about the set of units as a whole: "atomic" means that the algorithm warns about no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The notion of atomicity.
    pub about: Atomicity,
    /// What it guarantees.
    pub worth: Worth,
    /// The conditions under which the promise holds.
    pub when: &'static [Condition],
    /// The theorem that proves it.
    pub theorem: &'static str,
}

/// A notion of atomicity: each interleaving that synchronization allows is equivalent to a serial one. The variants say
/// what equivalent means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomicity {
    /// Conflicting accesses have the same order.
    Conflict,
    /// Reads see the same writes, and the same writes are last.
    View,
}

/// What an algorithm guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// It warns if and only if the units are not atomic.
    Exact,
    /// If it does not warn, the units are atomic: it never misses a violation, but may give false warnings.
    Sufficient,
}

/// When a promise holds. All promises require an execution without potential for deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// There are two units, both transactions.
    TwoTransactions,
    /// All units are transactions.
    TransactionsOnly,
    /// Any two units are concurrent: they belong to different threads, and no start or join orders them.
    Concurrent,
    /// All accesses that count are to one variable.
    OneVariable,
    /// Of two locks that a thread holds at the same time, the one acquired later is released first.
    NestedLocks,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.worth {
            Worth::Exact => "exact",
            Worth::Sufficient => "never misses",
        })?;
        f.write_str(match self.about {
            Atomicity::Conflict => " for conflict-atomicity",
            Atomicity::View => " for view-atomicity",
        })?;
        for condition in self.when {
            f.write_str(match condition {
                Condition::TwoTransactions => ", two transactions",
                Condition::TransactionsOnly => ", transactions alone",
                Condition::Concurrent => ", all concurrent",
                Condition::OneVariable => ", one variable",
                Condition::NestedLocks => ", locks that nest",
            })?;
        }
        write!(f, " ({})", self.theorem)
    }
}

/// How far an algorithm may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most steps of work, of some ten nanoseconds each.
    pub steps: u64,
    /// The most interleavings that are enumerated (Theorem 4.4 of the reduction report); 0 disables the enumeration, so
    /// that violations that take three or more transactions are not looked for.
    pub interleavings: u64,
    /// Whether transactions are compared only in pairs (Theorems 4.2 and 4.5 of the commit-node report).
    pub pairs: bool,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { steps: u64::MAX, interleavings: u64::MAX, pairs: false };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 300_000_000, interleavings: 100_000, pairs: false }
    }
}

impl std::fmt::Debug for AlgorithmSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlgorithmSpec").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What an algorithm found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The transactions that some interleaving may violate, at most one warning for each transaction and pattern.
    pub warnings: Vec<Warning>,
    /// The amount of stored data, as the reports count it: nodes and inter-edges, sizes of locksets, blocks.
    pub storage: u64,
    /// The limit that was reached, if any: then violations may have been missed.
    pub unfinished: Option<String>,
}

/// A transaction that may be violated.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The transaction.
    pub unit: UnitId,
    /// How it may be violated.
    pub pattern: Pattern,
}

/// How a transaction may be violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// A few words for what is wrong.
    pub name: &'static str,
    /// The accesses, or the acquires of the synchronized blocks, that show it, in the violating order.
    pub events: Vec<At>,
    /// Whether any interleaving with the events in this order violates the transaction. If false, the algorithm does
    /// not say which other transaction is involved.
    pub is_order: bool,
}
