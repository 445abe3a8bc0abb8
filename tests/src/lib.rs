//! Checks that engines keep their claims.
//!
//! The judge is the reference engine, which evaluates the definitions by brute force. Everything here loops over the
//! registry, so a new engine is tested without a line of code in this crate.
//!
//! | to see | read |
//! |---|---|
//! | which traces are tried | [`generate`] (random), [`enumerate`] (all small ones), `conformance/` (figures) |
//! | what a claim promises, word by word | [`compare`] |
//! | what a witness must look like | [`contract`] |
//! | what the stamp protocol promises | [`protocol`] |
//! | that a run was recorded in the order in which it happened | [`order`] |
//! | that operations which take time get no order that they need not have had | [`operations`] |
//! | that overlapping calls of one key are ordered only where the order is certain | [`results`] |
//! | that filters change no answer | [`filtered`] |
//! | that what is found in a part of an execution is true of the whole | [`sampled`] |
//! | that runs guided by earlier runs invent nothing, and what they find | [`guided`] |
//! | that the filter of temporaries loses nothing, on executions with references | [`references`] |
//! | which schedules a program plays under the agent | [`scripts`] |
//! | what library calls do according to the manual, and which sequences of them a program makes under the agent | [`called`] |
//! | what could have gone wrong, by enumeration | [`predict`] |
//! | what could be made to go wrong, by enumeration | [`candidates`] |
//! | the fuzz targets | [`fuzz`] |
//! | how a failing trace is shrunk | [`shrink`] |
//! | TSO by its definitions, and all executions of a trace | [`tso`] |
//! | the same through the command line | `src/bin/conformance.rs` |

pub mod called;
pub mod candidates;
pub mod case;
pub mod compare;
pub mod contract;
pub mod enumerate;
pub mod filtered;
pub mod fuzz;
pub mod generate;
pub mod guided;
pub mod happens_before;
pub mod operations;
pub mod order;
pub mod predict;
pub mod protocol;
pub mod references;
pub mod results;
pub mod sampled;
pub mod scripts;
pub mod shrink;
pub mod steps;
pub mod text;
pub mod tso;
pub mod world;

/// Returns how many cases a test tries: the value of the environment variable, or `default` if it is unset.
///
/// # Panics
/// If the value is not a number.
pub fn asked(variable: &str, default: u64) -> u64 {
    let Ok(asked) = std::env::var(variable) else { return default };
    asked.parse().unwrap_or_else(|_| panic!("{variable} is {asked}; give it a number"))
}
