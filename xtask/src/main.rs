//! The repository's tasks, for people and for CI.
//!
//! `cargo xtask <command>`: each command is a variant of [`Command`], whose comment is its help text, and declares its
//! arguments in its own module. Exit codes: 0 done, 1 something failed, 2 the command line was wrong.
//!
//! The command line is parsed by clap with the features that `regiontrack` uses, so that cargo compiles it once for
//! both.

mod bench;
mod book;
mod bugs;
mod demo;
mod dist;
mod evaluate;
mod files;
mod fuzz;
mod guided;
mod java;
mod kept;
mod limited;
mod linked;
mod memory;
mod mutants;
mod notices;
mod pairs;
mod plugins;
mod predicted;
mod programs;
mod provoked;
mod publish;
mod refine;
mod release;
mod sections;
mod stopwatch;
mod tables;
mod toolchain;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use workspace::Workspace;

/// Why a command failed, as a message for the user.
#[derive(Debug, PartialEq, Eq)]
struct Failure(String);

/// The outcome of a command.
type Outcome = Result<(), Failure>;

/// The tasks of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// One command of `cargo xtask`, in the order of the help text.
#[derive(Subcommand)]
enum Command {
    /// Build the agent and the command into dist/.
    Build(dist::Arguments),
    /// Build all files of a release, for each platform that can be built here, into dist/release.
    Dist(release::Arguments),
    /// Build the manual as a site with mdBook, in target/book/site.
    Book,
    /// Check a run of the H2 database and show the report; builds what is missing.
    Demo,
    /// Build what other builds use, the agent and the build-tool plugins, and publish it to a repository in a folder.
    PublishLocal(publish::Arguments),
    /// Test the Maven and Gradle plugins in small projects.
    Plugins,
    /// Run every kind of test.
    Test(sections::Arguments),
    /// Run selected tests of the agent's build.
    Java(java::tests::Arguments),
    /// Run formatters and linters: rustfmt, clippy, rustdoc.
    Lint,
    /// Run released programs without the agent and with it, and compare what they print and write.
    Programs(programs::Arguments),
    /// Find known bugs of released programs as they happen, and predict some from runs in which nothing goes wrong.
    Bugs(bugs::Arguments),
    /// Provoke programs with a rare window and their correct twins; compare with plain runs, random priorities and a
    /// controlled scheduler.
    Provoked(provoked::Arguments),
    /// Predict which collection methods are not atomic from runs of the methods in pairs, as in two reports.
    Pairs(pairs::Arguments),
    /// Measure the agent's overhead: each subject in several configurations in turn.
    Bench(bench::Arguments),
    /// Compare the findings of runs that watch everything with those of runs guided by a profile.
    Guided(guided::Arguments),
    /// Watch the resident memory of programs under the agent: it must not grow after the warm-up.
    Memory(memory::Arguments),
    /// Derive an atomicity specification for each measured subject, by runs under the agent.
    Refine(refine::Arguments),
    /// Evaluate as in the papers: cost, findings and refinement, as tables and pictures with the papers' figures beside
    /// ours.
    Evaluate(evaluate::Arguments),
    /// Apply each mutant of tests/mutants/ and check that the tests fail.
    Mutants(mutants::Arguments),
    /// Fuzz all or selected targets for a minute each; needs a nightly compiler.
    Fuzz(fuzz::Arguments),
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    match run(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Outcome {
    let workspace = Workspace::find()?;
    match command {
        Command::Build(arguments) => dist::run(&workspace, arguments),
        Command::Dist(arguments) => release::run(&workspace, arguments),
        Command::Book => book::run(&workspace),
        Command::Demo => demo::run(&workspace),
        Command::PublishLocal(arguments) => publish::run(&workspace, arguments),
        Command::Plugins => plugins::run(&workspace),
        Command::Test(arguments) => sections::run(&workspace, arguments),
        Command::Java(arguments) => java::tests::run(&workspace, arguments),
        Command::Lint => sections::lint(&workspace),
        Command::Programs(arguments) => programs::run(&workspace, arguments),
        Command::Bugs(arguments) => bugs::run(&workspace, arguments),
        Command::Provoked(arguments) => provoked::run(&workspace, arguments),
        Command::Pairs(arguments) => pairs::run(&workspace, arguments),
        Command::Bench(arguments) => bench::run(&workspace, arguments),
        Command::Guided(arguments) => guided::run(&workspace, arguments),
        Command::Memory(arguments) => memory::run(&workspace, arguments),
        Command::Refine(arguments) => refine::run(&workspace, arguments),
        Command::Evaluate(arguments) => evaluate::run(&workspace, arguments),
        Command::Mutants(arguments) => mutants::run(&workspace, arguments),
        Command::Fuzz(arguments) => fuzz::run(&workspace, arguments),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn refused(line: &str) -> clap::Error {
        match Arguments::try_parse_from(line.split_whitespace()) {
            Ok(_) => panic!("accepted: {line}"),
            Err(error) => error,
        }
    }

    #[test]
    fn the_commands_are_declared_consistently() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn an_unknown_word_is_a_usage_error_that_names_the_nearest() {
        for (line, nearest) in [
            ("xtask tset", "test"),
            ("xtask test --ful", "--full"),
            ("xtask bench --pars 2", "--pairs"),
            ("xtask fuzz roadruner", "roadrunner"),
        ] {
            let error = refused(line);
            let message = error.to_string();
            assert!(error.exit_code() == 2 && message.contains(&format!("'{nearest}'")), "{line}: {message}");
        }
    }
}
