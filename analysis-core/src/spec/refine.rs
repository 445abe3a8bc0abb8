//! Iterative refinement of an atomicity specification on recorded executions: which methods each round excludes.
//!
//! The RegionTrack paper (sections 5.1 and 5.2, Table 3, Figures 8 and 9) runs a checker repeatedly, each time without
//! the methods that the previous run blamed, until two consecutive runs blame none. The caller reads the traces; this
//! module decides which methods a round excludes.
//!
//! A round excludes the methods of the innermost violated blocks: of the blocks that one event shows to be violated,
//! the deepest. Its callers are violated by the same event, and are excluded in later rounds. In the end every method
//! with a violated block is excluded, and no other: whether a block is violated depends only on happens-before and not
//! on the blocks around it, so no round changes what another finds. That is why one run that also judges inner blocks,
//! and excludes all violated ones at once, ends with the same set.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Selector;
use crate::engine::{Findings, Violation};
use crate::event::{LabelId, ThreadId};
use crate::trace::symbols::Symbols;

/// Which violated blocks a round excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Of the blocks that one event shows to be violated, the deepest.
    Innermost,
    /// Blocks that are in no other block, as in the papers.
    Outermost,
    /// All violated blocks, so that one round is enough.
    All,
}

/// What one round found in all traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// By method, as rules name it: the number of its violated blocks, and whether it is excluded.
    pub methods: BTreeMap<Named, Count>,
    /// The number of violated blocks: the dynamic violations.
    pub violations: u64,
    /// The number of non-serializable traces.
    pub non_serializable: u64,
    /// The number of those without a block to blame.
    pub unblamed: u64,
}

/// A method as a rule names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named(String);

/// The violated blocks of a method in one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of violated blocks.
    pub violations: u64,
    /// Whether the round excludes the method.
    pub is_taken: bool,
}

impl Named {
    /// Returns the selector of a rule that names the method.
    pub fn selector(&self) -> &str {
        &self.0
    }

    fn of(label: LabelId, symbols: &Symbols) -> Named {
        Named::of_block(symbols.label(label).as_deref())
    }

    /// Returns the method of a block with this label.
    fn of_block(label: Option<&str>) -> Named {
        Named(Selector::naming_block(label).to_string())
    }
}

impl Round {
    /// Adds what an engine with exact blame found in a trace with these names. Blocks whose begin event is in `apart`
    /// do not count: a thread waits inside them, and they were not meant to be atomic.
    pub fn add(&mut self, findings: &Findings, symbols: &Symbols, taken: Taken, apart: &FxHashSet<u64>) {
        self.non_serializable += u64::from(findings.is_non_serializable());
        self.unblamed += u64::from(findings.is_non_serializable() && findings.violations.is_empty());
        let counted: Vec<&Violation> =
            findings.violations.iter().filter(|violation| !apart.contains(&violation.begin)).collect();
        self.violations += counted.len() as u64;
        let mut deepest: FxHashMap<(ThreadId, u64), u32> = FxHashMap::default();
        for violation in &counted {
            let depth = deepest.entry((violation.thread, violation.event)).or_default();
            *depth = violation.depth.max(*depth);
        }
        for violation in counted {
            let is_deepest = deepest[&(violation.thread, violation.event)] == violation.depth;
            let count = self.methods.entry(Named::of(violation.label, symbols)).or_default();
            count.violations += 1;
            count.is_taken |= match taken {
                Taken::Innermost => is_deepest,
                Taken::Outermost => violation.depth == 0,
                Taken::All => true,
            };
        }
    }

    /// Adds what the report of a run says about a method: how many of its blocks were violated, and whether it is
    /// excluded.
    pub fn add_reported(&mut self, method: &str, violations: u64, is_taken: bool) {
        self.violations += violations;
        let count = self.methods.entry(Named::of_block(Some(method))).or_default();
        count.violations += violations;
        count.is_taken |= is_taken;
    }

    /// Returns the methods that the round excludes, in alphabetical order.
    pub fn taken(&self) -> impl Iterator<Item = &Named> {
        self.methods.iter().filter(|(_, count)| count.is_taken).map(|(method, _)| method)
    }

    /// Returns whether no block is violated.
    pub fn is_clean(&self) -> bool {
        self.violations == 0
    }
}
