//! The command, run as a user runs it: the real program, its output, its messages, its exit code.

mod bad_input;
mod binary;
mod candidates;
mod check;
mod documents;
mod explain;
mod formats;
#[cfg(unix)]
mod guided;
mod init;
mod merge;
mod output;
mod predict;
mod profile;
#[cfg(unix)]
mod provoke;
mod readme;
mod recorded;
mod runner;
mod shell;
mod side_by_side;
mod sieve;
mod tell;
mod tso;
mod warnings;
mod wrong;
