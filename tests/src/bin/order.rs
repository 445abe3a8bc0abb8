//! Compares a recorded trace with the values that the program saw: `order TRACE LOG`.
//!
//! The log is written by the agent's test-only tap (`regiontrack_tests::order`). Prints one line. The exit code is 1 if
//! a read did not return the last write in the recorded order, 2 if the files cannot be read.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use regiontrack_tests::order::{Outcome, check, read_logs};

/// Checks a recorded trace against the log of the agent's test-only tap.
#[derive(Parser)]
struct Arguments {
    /// The trace that the agent wrote (`record=TRACE`).
    trace: PathBuf,
    /// The log of the values that the program saw.
    log: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(outcome) => {
            println!("{outcome}");
            ExitCode::from(u8::from(!outcome.is_right()))
        }
        Err(error) => {
            eprintln!("order: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<Outcome> {
    let log = &arguments.log;
    let logs = read_logs(BufReader::with_capacity(1 << 20, open(log)?)).with_context(|| log.display().to_string())?;
    check(&arguments.trace.display().to_string(), open(&arguments.trace)?, &logs)
}

fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("cannot read {}", path.display()))
}
