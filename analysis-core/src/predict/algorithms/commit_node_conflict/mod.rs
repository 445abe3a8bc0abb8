//! commit-node-conflict: conflict-atomicity by commit nodes.
//!
//! Paper: the commit-node report, section 4.1 (PPoPP 2006, "Accurate and Efficient Runtime Detection of Atomicity Errors
//! in Concurrent Programs").
//!
//! # Idea
//! A transaction whose communication nodes in the conflict-forest all contain one event can be moved there as a whole
//! (Theorem 4.1). A transaction with several commit nodes is warned about if two of them lie on a cycle of the forest
//! (Theorem 4.3), or in pairwise mode if both communicate with the same unit (Theorem 4.2). See
//! [`crate::predict::forest`] for the forest, the theorems, and where we differ.

use crate::predict::algorithm::{AlgorithmSpec, Atomicity, Claim, Condition, Worth};
use crate::predict::forest::Interaction;
use crate::predict::forest::verdict::judge;

pub(super) const SPEC: AlgorithmSpec = AlgorithmSpec {
    name: "commit-node-conflict",
    summary: "two places of a transaction that conflict with what other threads can do in between",
    source: "Wang, Stoller, PPoPP 2006, section 4.1",
    claims: &[
        Claim {
            about: Atomicity::Conflict,
            worth: Worth::Exact,
            when: &[Condition::TwoTransactions, Condition::NestedLocks],
            theorem: "Theorem 4.2",
        },
        Claim { about: Atomicity::Conflict, worth: Worth::Sufficient, when: &[], theorem: "Theorems 4.1, 4.3" },
    ],
    run: |execution, limits| judge(execution, Interaction::Conflict, limits),
};
