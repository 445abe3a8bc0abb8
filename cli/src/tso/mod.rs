//! `regiontrack tso`: atomicity where writes wait in store buffers.

mod check;
mod simulate;

use anyhow::Result;
use clap::Subcommand;

use crate::Outcome;
use crate::output::Output;

/// The arguments of `tso`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check whether executions and traces are serializable, or robust, under TSO.
    #[command(after_help = CHECK_EXIT_CODES)]
    Check(check::Arguments),
    /// Run a small program with store buffers, and write traces of it.
    #[command(after_help = SIMULATE_EXIT_CODES)]
    Simulate(simulate::Arguments),
}

const CHECK_EXIT_CODES: &str = "\
Exit codes:
  0  nothing was found
  1  an execution is not serializable, or not robust
  2  an error, undecided, incomplete, or a trace that the algorithm does not take; this wins over 1";

const SIMULATE_EXIT_CODES: &str = "\
Exit codes:
  0  the executions were written, or all of them are serializable
  1  with --all, some execution is not serializable
  2  an error, or more executions than --most; this wins over 1";

/// Checks traces or simulates programs.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments, output),
        Command::Simulate(arguments) => simulate::run(arguments, output),
    }
}
