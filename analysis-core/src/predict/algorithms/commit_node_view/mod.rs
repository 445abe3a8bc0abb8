//! commit-node-view: view-atomicity by commit nodes.
//!
//! Paper: the commit-node report, section 4.2 (PPoPP 2006, "Accurate and Efficient Runtime Detection of Atomicity Errors
//! in Concurrent Programs").
//!
//! # Idea
//! As `commit-node-conflict`, but in the view-forest: nodes are connected only if one may change what the other reads,
//! or both write last (Theorems 4.4, 4.5, 4.6). See [`crate::predict::forest`] for the forest, the theorems, and where
//! we differ.

use crate::predict::algorithm::{AlgorithmSpec, Atomicity, Claim, Condition, Worth};
use crate::predict::forest::Interaction;
use crate::predict::forest::verdict::judge;

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "commit-node-view",
    summary: "two places of a transaction between which other threads can change what it reads or leaves",
    source: "Wang, Stoller, PPoPP 2006, section 4.2",
    claims: &[
        Claim {
            about: Atomicity::View,
            worth: Worth::Exact,
            when: &[Condition::TwoTransactions, Condition::NestedLocks],
            theorem: "Theorem 4.5",
        },
        Claim { about: Atomicity::View, worth: Worth::Sufficient, when: &[], theorem: "Theorems 4.4, 4.6" },
    ],
    run: |execution, limits| judge(execution, Interaction::View, limits),
};
