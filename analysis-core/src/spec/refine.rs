//! Iterative refinement of an atomicity specification on recorded executions: whose methods are taken out, round by round.
//!
//! The RegionTrack paper (sections 5.1 and 5.2, Table 3, Figures 8 and 9) runs a checker again and again, each time without
//! the methods that the run before has blamed, until two runs in a row blame nobody. Whoever drives it reads the traces;
//! here is what a round takes out.
//!
//! A round takes out the innermost violated blocks' methods: of the blocks that one event shows to be violated, the
//! deepest. Its callers are violated by the same event, and fall in the rounds after. In the end every method with a
//! violated block is out, and no other: whether a block is violated depends on happens-before alone and not on the blocks
//! around it, so no round changes what another finds. That is why one run that judges inner blocks too, and takes all
//! violated ones out at once, ends with the same set.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Selector;
use crate::engine::{Findings, Violation};
use crate::event::{LabelId, ThreadId};
use crate::trace::symbols::Symbols;

/// Which violated blocks a round takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Of the blocks that one event shows to be violated, the deepest.
    Innermost,
    /// Those in no other block, as in the papers.
    Outermost,
    /// All, so that one round is enough.
    All,
}

/// What one round found in all traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// By method, as rules name them: how many of its blocks are violated, and whether it is to be taken out.
    pub methods: BTreeMap<Named, Count>,
    /// How many blocks are violated: the dynamic violations.
    pub violations: u64,
    /// How many traces are non-serializable.
    pub non_serializable: u64,
    /// How many of those have no block to blame.
    pub unblamed: u64,
}

/// A method as a rule names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named(String);

/// The violated blocks of a method in one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub violations: u64,
    /// True if the round takes the method out.
    pub is_taken: bool,
}

impl Named {
    /// What a rule writes after its sign.
    pub fn selector(&self) -> &str {
        &self.0
    }

    fn of(label: LabelId, symbols: &Symbols) -> Named {
        Named::of_block(symbols.label(label).as_deref())
    }

    /// The method of a block with this label.
    fn of_block(label: Option<&str>) -> Named {
        Named(Selector::naming_block(label).to_string())
    }
}

impl Round {
    /// Adds what an engine that blames exactly found in a trace with these names. Blocks that begin with an event of
    /// `apart` do not count: they wait inside, and nobody meant them to be atomic.
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

    /// Adds what the report of a run says of a method: how many of its blocks were violated, and whether it is taken out.
    pub fn add_reported(&mut self, method: &str, violations: u64, is_taken: bool) {
        self.violations += violations;
        let count = self.methods.entry(Named::of_block(Some(method))).or_default();
        count.violations += violations;
        count.is_taken |= is_taken;
    }

    /// The methods that it takes out, in alphabetical order.
    pub fn taken(&self) -> impl Iterator<Item = &Named> {
        self.methods.iter().filter(|(_, count)| count.is_taken).map(|(method, _)| method)
    }

    /// True if no block is violated.
    pub fn is_clean(&self) -> bool {
        self.violations == 0
    }
}
