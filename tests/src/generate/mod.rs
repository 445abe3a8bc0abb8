//! Random traces: families as data, each a function of a seed.
//!
//! A family is a `Shape` (`scheduler.rs`): how many threads, variables, locks and events there are, and how often each
//! operation occurs. One scheduler plays all families. The same seed gives the same trace on every platform and release:
//! the only source of chance is a PCG generator and integer arithmetic.
//!
//! About half of the traces of a well-formed family leave some blocks open and locks held at the end; the other half is
//! wound down. Between a quarter and three quarters of each family's traces are non-serializable (a test checks this),
//! so that false alarms and misses of an engine both show.

use analysis_core::event::Event;

pub(crate) mod dice;
mod families;
mod scheduler;
#[cfg(test)]
mod tests;

use scheduler::Shape;

/// A kind of random trace.
#[derive(Clone, Copy)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What is special about its traces.
    pub about: &'static str,
    shape: Shape,
}

impl Family {
    /// Returns the trace of a seed.
    pub fn trace(&self, seed: u64) -> Vec<Event> {
        scheduler::play(&self.shape, seed)
    }

    /// False for the family that breaks the rules deliberately.
    pub fn is_well_formed(&self) -> bool {
        self.shape.lawless == 0
    }
}

/// The families whose traces a program could have produced and a strict reader accepts; differential tests and the
/// `conformance` command run over them.
pub const CONFORMANCE: &[Family] =
    &[families::DENSE, families::MANY_THREADS, families::SPARSE, families::FORK_JOIN, families::NESTED];

/// Every family: those above, one for filters of redundant accesses, and one of traces as a lenient reader passes them on.
pub const FAMILIES: &[Family] = &[
    families::DENSE,
    families::MANY_THREADS,
    families::SPARSE,
    families::FORK_JOIN,
    families::NESTED,
    families::REPEATED,
    families::ILL_FORMED,
];

/// Returns the family called `name`.
pub fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}
