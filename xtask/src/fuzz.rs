//! `cargo xtask fuzz [TARGET]... [--seconds N]`: libFuzzer on the targets of `fuzz/`, one after the other.
//!
//! The targets' checks are in `tests/src/fuzz/`. Each target starts from `tests/corpus/<target>/`, which is not
//! changed; new inputs go to `fuzz/corpus/`, and failing ones to `fuzz/artifacts/`, neither of which is in git.

use std::process::{Command, Stdio};

use clap::builder::PossibleValuesParser;

use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome};

/// The memory limit, in MiB: a parser that needs more for a few kilobytes is wrong.
const MOST_MEMORY: u32 = 1024;
/// The limit for a single allocation, in MiB.
const MOST_AT_ONCE: u32 = 256;
/// The time limit for one input, in seconds.
const MOST_SECONDS: u32 = 20;

/// The arguments of `fuzz`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to fuzz; by default every target.
    #[arg(value_name = "TARGET", value_parser = PossibleValuesParser::new(targets()))]
    targets: Vec<String>,
    /// The number of seconds for which each target runs.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
}

/// Runs the named targets, or all.
pub(crate) fn run(workspace: &Workspace, Arguments { targets: named, seconds }: &Arguments) -> Outcome {
    let all: Vec<String> = targets().map(str::to_owned).collect();
    let chosen = if named.is_empty() { &all } else { named };
    ensure_tools()?;
    for (index, target) in chosen.iter().enumerate() {
        println!("{target} for {seconds} s ({} of {})", index + 1, chosen.len());
        fuzz(workspace, target, *seconds)?;
    }
    println!("{} without a failure", if chosen.len() == 1 { "1 target" } else { "all targets" });
    Ok(())
}

/// Returns the names of the targets, from the manifest of `fuzz/`.
fn targets() -> impl Iterator<Item = &'static str> {
    let name = |line: &'static str| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\"");
    include_str!("../../fuzz/Cargo.toml").lines().filter_map(name)
}

/// Checks for a nightly compiler, which the user has to install, and installs cargo-fuzz if it is missing.
fn ensure_tools() -> Outcome {
    if !works(nightly(&["--version"])) {
        let advice = "fuzzing needs a nightly compiler; install it: rustup toolchain install nightly";
        return Err(Failure(advice.to_owned()));
    }
    if works(nightly(&["fuzz", "--version"])) {
        return Ok(());
    }
    println!("cargo-fuzz is missing; installing it: cargo install cargo-fuzz --locked");
    workspace::run(&mut nightly(&["install", "cargo-fuzz", "--locked"]))
}

fn works(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns a call of the nightly cargo. The cargo that runs xtask is the stable one, which cannot call another.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(arguments);
    command
}

fn fuzz(workspace: &Workspace, target: &str, seconds: u64) -> Outcome {
    let own = format!("fuzz/corpus/{target}");
    std::fs::create_dir_all(workspace.root.join(&own)).map_err(|e| Failure(format!("{own}: {e}")))?;
    let mut command = nightly(&["fuzz", "run", target, &own, &format!("tests/corpus/{target}"), "--"]);
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-rss_limit_mb={MOST_MEMORY}"),
        format!("-malloc_limit_mb={MOST_AT_ONCE}"),
        format!("-timeout={MOST_SECONDS}"),
        "-print_final_stats=1".to_owned(),
    ]);
    command.current_dir(&workspace.root).env("CARGO_TARGET_DIR", &workspace.target);
    workspace::run(&mut command).map_err(|_| {
        Failure(format!(
            "{target} failed; the input is in fuzz/artifacts/{target}/: fix the cause and keep it in tests/corpus/{target}/"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_of_a_target_is_a_target() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/fuzz_targets");
        let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut sources: Vec<String> =
            files.map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
        sources.sort();
        let mut named: Vec<&str> = targets().collect();
        named.sort_unstable();
        assert_eq!(named, sources);
    }
}
