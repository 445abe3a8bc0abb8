//! The `regiontrack` command: parses the command line and calls one module for each subcommand.
//!
//! Only this file decides exit codes: 0 nothing found, 1 a violation found, 2 an error or an incomplete answer; if
//! several apply, the greatest wins. A reader that closes its end early (`regiontrack ... | head`) is not an error.

mod agent;
mod attach;
mod baseline;
mod bench;
mod candidates;
mod check;
mod compare;
mod convert;
mod doctor;
mod engines;
mod explain;
mod heap;
mod info;
mod init;
mod java;
mod merge;
mod minimize;
mod one;
mod output;
mod predict;
mod predictions;
mod profile;
mod progress;
mod provoke;
mod quiet;
mod reading;
mod refine;
mod replay;
mod run;
mod shell;
mod sieve;
mod spec;
mod stop;
mod table;
mod tso;
mod usage;
mod written;

use std::process::ExitCode;

use analysis_core::report::{Answer, Loss};
use clap::{Parser, Subcommand};

use output::Output;

/// Report which atomic blocks of an execution did not behave atomically.
///
/// The answers are exact for the observed events: no false alarms and no misses, whatever the number of threads and
/// variables. A trace is non-serializable if no serial order of its transactions explains it. A block is violated if
/// events of other threads must come after its begin and before its end.
#[derive(Parser)]
#[command(name = "regiontrack", bin_name = "regiontrack", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  nothing was found
  1  some block that counts is violated, or a trace is non-serializable with no block to blame; what is suppressed or
     known by a baseline does not count
  2  an error, or an answer that is incomplete; this wins over 1";

const RUN_CODES: &str = "\
Exit codes:
  that of the command, if it is not 0; otherwise
  0  nothing was found
  1  some block that counts is violated, or a run is non-serializable with no block to blame
  2  an error, or an answer that is incomplete; this wins over 1";

const DOCTOR_CODES: &str = "\
Exit codes:
  0  nothing is in the way
  2  there is a problem";

#[derive(Subcommand)]
enum Command {
    /// Attach the agent to a running JVM, or list the running JVMs; the report says what the agent could not see.
    Attach(attach::Arguments),
    /// Write or print baselines: the known findings of a project, so that new ones stand out.
    Baseline(baseline::Arguments),
    /// Measure the cost of engines: by events, by threads, in memory.
    Bench(bench::Arguments),
    /// Compute candidates for provoked violations from recorded traces, or print, merge or change candidates
    /// (provoke=).
    Candidates(candidates::Arguments),
    /// Analyse recorded traces.
    #[command(after_help = EXIT_CODES)]
    Check(check::Arguments),
    /// Print shell completions for commands, options and files.
    Completions(shell::Completions),
    /// Run engines side by side on recorded traces: answers, time, memory.
    #[command(after_help = EXIT_CODES)]
    Compare(compare::Arguments),
    /// Write a trace in another format.
    Convert(convert::Arguments),
    /// Count the contents of recorded traces.
    Info(info::Arguments),
    /// Print the lines to add to a Maven or Gradle build, or write them into the build file.
    Init(init::Arguments),
    /// Explain one finding of a trace: its shortest witness, what to do about it, a picture. If nothing was found in a
    /// trace with fences or commits, explain what store buffers can make of the trace.
    #[command(after_help = EXIT_CODES)]
    Explain(explain::Arguments),
    /// Write man pages: one for regiontrack, and one for each of its commands.
    Man(shell::Man),
    /// Merge the reports of several JVMs or shards into one: each finding once, with all its instances.
    #[command(after_help = EXIT_CODES)]
    Merge(merge::Arguments),
    /// Write the smallest sub-trace that has the same finding.
    #[command(after_help = EXIT_CODES)]
    Minimize(minimize::Arguments),
    /// Check the java and the program to be watched: print a line for each thing that is fine, worth knowing, or an
    /// obstacle.
    #[command(after_help = DOCTOR_CODES)]
    Doctor(doctor::Arguments),
    /// List the engines and the predictive algorithms: what each decides, what it guarantees, where it comes from.
    Engines,
    /// Predict what could have gone wrong in other schedules of the events of recorded traces.
    #[command(after_help = EXIT_CODES)]
    Predict(predict::Arguments),
    /// Print, merge or change profiles: what earlier runs under the agent saw threads share (profile=).
    Profile(profile::Arguments),
    /// Provoke possible violations: run a program again and again, and hold its threads where others could come
    /// between.
    #[command(after_help = EXIT_CODES)]
    Provoke(provoke::Arguments),
    /// Derive an atomicity specification from recorded traces: remove violated methods until nothing is violated.
    #[command(after_help = EXIT_CODES)]
    Refine(refine::Arguments),
    /// Make a provoked violation happen again: run a program by its schedule, and say how often it happens.
    #[command(after_help = EXIT_CODES)]
    Replay(replay::Arguments),
    /// Run a program, or any command that starts JVMs, under the agent, and print one report of all of them.
    #[command(after_help = RUN_CODES)]
    Run(run::Arguments),
    /// Print, check or query an atomicity specification.
    Spec(spec::Arguments),
    /// Check atomicity where writes wait in store buffers, as on x86: check traces, simulate small programs.
    Tso(tso::Arguments),
}

/// The outcome of a command, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Clean,
    Violated,
    Failed,
}

impl Outcome {
    /// The outcome for the answer on a trace.
    fn of(answer: &Answer) -> Outcome {
        match (answer.loss, answer.is_violation()) {
            (Loss::Blocks | Loss::Hides | Loss::Misleads, _) => Outcome::Failed,
            (Loss::Nothing | Loss::Unwatched, true) => Outcome::Violated,
            (Loss::Nothing | Loss::Unwatched, false) => Outcome::Clean,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome as u8)
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage::told(&error),
    };
    let mut output = Output::stdout();
    let mut code = None;
    let outcome = match arguments.command {
        Command::Attach(arguments) => attach::run(&arguments, &mut output),
        Command::Baseline(arguments) => baseline::run(&arguments, &mut output),
        Command::Bench(arguments) => bench::run(&arguments, &mut output),
        Command::Candidates(arguments) => candidates::run(&arguments, &mut output),
        Command::Check(arguments) => check::run(&arguments, &mut output),
        Command::Completions(arguments) => shell::completions(&arguments, &mut output),
        Command::Compare(arguments) => compare::run(&arguments, &mut output),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments, &mut output),
        Command::Init(arguments) => init::run(&arguments, &mut output),
        Command::Info(arguments) => info::run(&arguments, &mut output),
        Command::Explain(arguments) => explain::run(&arguments, &mut output),
        Command::Man(arguments) => shell::man(&arguments),
        Command::Merge(arguments) => merge::run(&arguments, &mut output),
        Command::Minimize(arguments) => minimize::run(&arguments, &mut output),
        Command::Engines => engines::run(&mut output),
        Command::Predict(arguments) => predict::run(&arguments, &mut output),
        Command::Profile(arguments) => profile::run(&arguments, &mut output),
        Command::Provoke(arguments) => provoke::run(&arguments, &mut output),
        Command::Refine(arguments) => refine::run(&arguments, &mut output),
        Command::Replay(arguments) => replay::run(&arguments, &mut output),
        Command::Run(arguments) => run::run(&arguments, &mut output).map(|ended| {
            code = ended.code;
            ended.outcome
        }),
        Command::Spec(arguments) => spec::run(&arguments, &mut output),
        Command::Tso(arguments) => tso::run(&arguments, &mut output),
    };
    let outcome = outcome.unwrap_or_else(|error| {
        output::complain(&format!("{error:#}"));
        Outcome::Failed
    });
    let outcome = outcome.max(output.finish());
    code.map_or_else(|| outcome.into(), ExitCode::from)
}
