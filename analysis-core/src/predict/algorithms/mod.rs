//! The predictive algorithms, one folder each, and their only list.
//!
//! To add one: see [`crate::predict::algorithm`].

mod atomizer;
mod block;
mod commit_node_conflict;
mod commit_node_view;
mod reduction;

use super::algorithm::AlgorithmSpec;

/// Every algorithm, in the order in which help and tables name them. The first is the default.
pub const ALGORITHMS: &[AlgorithmSpec] =
    &[commit_node_conflict::SPEC, commit_node_view::SPEC, block::SPEC, reduction::SPEC, atomizer::SPEC];

/// The algorithm called `name`.
pub fn find(name: &str) -> Option<&'static AlgorithmSpec> {
    ALGORITHMS.iter().find(|spec| spec.name == name)
}
