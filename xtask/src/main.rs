//! What the README and CI call: build, demo, test, bench, mutants, fuzz.
//!
//! `cargo xtask <command>`; the commands are the list [`COMMANDS`], from which the help text comes. Exit codes: 0 done,
//! 1 something failed, 2 the command line was wrong. Only the standard library is used, so that the first call on a
//! fresh machine compiles for two seconds and downloads nothing.

mod bench;
mod demo;
mod dist;
mod files;
mod fuzz;
mod java;
mod mutants;
mod nearest;
mod sections;
mod toolchain;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

/// Why a command did not succeed.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    /// The command line was wrong: exit 2.
    Usage(String),
    /// The work failed: exit 1.
    Failed(String),
}

/// The outcome of a command.
type Outcome = Result<(), Failure>;

/// One command of `cargo xtask`.
struct Command {
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    run: fn(&Workspace, &[String]) -> Outcome,
}

/// Every command, in the order of the help text.
const COMMANDS: &[Command] = &[
    Command {
        name: "build",
        arguments: "[--debug]",
        summary: "build what a user downloads and leave it in dist/",
        run: dist::run,
    },
    Command {
        name: "demo",
        arguments: "",
        summary: "check a run of the H2 database and show the report; builds what is missing",
        run: demo::run,
    },
    Command {
        name: "test",
        arguments: "[--quick]",
        summary: "run every check and test that CI runs, a sixth of the mutants among them; --quick leaves those out",
        run: sections::run,
    },
    Command {
        name: "bench",
        arguments: "[WORKLOAD]",
        summary: "measure what the agent costs: each workload without it and with it, in turn",
        run: bench::run,
    },
    Command {
        name: "mutants",
        arguments: "[FILTER]",
        summary: "break the code in each way of tests/mutants/ and expect the tests to notice",
        run: mutants::run,
    },
    Command {
        name: "fuzz",
        arguments: "[TARGET] [SECONDS]",
        summary: "fuzz each target, or one, for a minute or so many seconds; needs a nightly compiler",
        run: fuzz::run,
    },
    Command { name: "help", arguments: "", summary: "print this text", run: help },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Failed(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command that `arguments` name; without any, prints the help text.
fn dispatch(arguments: &[String]) -> Outcome {
    let workspace = Workspace::find()?;
    let Some((name, rest)) = arguments.split_first() else {
        return help(&workspace, &[]);
    };
    let name = if matches!(name.as_str(), "--help" | "-h") { "help" } else { name };
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) if rest.iter().any(|word| word == "--help" || word == "-h") => {
            println!("{}", usage(command));
            Ok(())
        }
        Some(command) => (command.run)(&workspace, rest),
        None => Err(unknown("command", name, COMMANDS.iter().map(|command| command.name))),
    }
}

/// Takes command lines of at most one flag: true if it is there.
fn only_flag(arguments: &[String], flag: &'static str) -> Result<bool, Failure> {
    match arguments.iter().find(|word| *word != flag) {
        Some(other) => Err(unknown("option", other, [flag].into_iter())),
        None => Ok(!arguments.is_empty()),
    }
}

/// Takes command lines of nothing more.
fn none(arguments: &[String]) -> Outcome {
    match arguments.first() {
        Some(word) => Err(Failure::Usage(format!("`{word}` is too much here; this command takes no arguments"))),
        None => Ok(()),
    }
}

fn unknown(kind: &str, word: &str, known: impl Iterator<Item = &'static str>) -> Failure {
    let best = nearest::nearest(word, known).expect("at least one is known");
    Failure::Usage(format!("unknown {kind} `{word}`; the nearest is `{best}` (`cargo xtask help` lists all)"))
}

fn usage(command: &Command) -> String {
    let call = format!("{} {}", command.name, command.arguments);
    format!("  cargo xtask {call:<23}  {}", command.summary)
}

fn help(_: &Workspace, _: &[String]) -> Outcome {
    println!("Usage:");
    for command in COMMANDS {
        println!("{}", usage(command));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn an_unknown_command_is_a_usage_error_that_names_the_nearest() {
        let Err(Failure::Usage(message)) = dispatch(&words("tset --quick")) else { panic!("accepted") };
        assert!(message.contains("`tset`") && message.contains("`test`"), "{message}");
    }

    #[test]
    fn an_unknown_option_is_a_usage_error_that_names_the_nearest() {
        let Err(Failure::Usage(message)) = dispatch(&words("test --quik")) else { panic!("accepted") };
        assert!(message.contains("`--quik`") && message.contains("`--quick`"), "{message}");
    }

    #[test]
    fn a_flag_is_seen_and_nothing_else_is_taken() {
        assert_eq!(only_flag(&words(""), "--debug"), Ok(false));
        assert_eq!(only_flag(&words("--debug"), "--debug"), Ok(true));
        assert!(only_flag(&words("--debug x"), "--debug").is_err());
    }
}
