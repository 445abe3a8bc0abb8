//! The predictive algorithms, one folder each, and the only list of them.
//!
//! See [`crate::predict::algorithm`] for how to add one.

mod atomizer;
mod block;
mod commit_node_conflict;
mod commit_node_view;
mod reduction;

use super::algorithm::AlgorithmSpec;

/// Every algorithm, in the order used by help and tables. The first is the default.
pub const ALGORITHMS: &[AlgorithmSpec] =
    &[commit_node_conflict::SPEC, commit_node_view::SPEC, block::SPEC, reduction::SPEC, atomizer::SPEC];

/// Returns the algorithm called `name`.
pub fn find(name: &str) -> Option<&'static AlgorithmSpec> {
    ALGORITHMS.iter().find(|spec| spec.name == name)
}
