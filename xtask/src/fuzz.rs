//! `cargo xtask fuzz [TARGET] [SECONDS]`: libFuzzer on the targets of `fuzz/`, one after the other.
//!
//! What the targets ask is in `tests/src/fuzz/`. Each starts from `tests/corpus/<target>/`, which stays as it is; what is
//! found on the way is kept in `fuzz/corpus/`, and what fails in `fuzz/artifacts/`, neither of them in git.

use std::process::{Command, Stdio};

use crate::workspace::{self, Workspace};
use crate::{Failure, Outcome, nearest};

/// How long each target runs if nobody says.
const SECONDS: u64 = 60;
/// A parser that needs more memory than this for a few kilobytes is wrong, whatever it answers. In MiB.
const MOST_MEMORY: u32 = 1024;
/// The same for one allocation.
const MOST_AT_ONCE: u32 = 256;
/// The same for the seconds that one input takes.
const MOST_SECONDS: u32 = 20;

/// Runs the target, or each.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome {
    let known = targets(workspace).map_err(Failure::Failed)?;
    let (chosen, seconds) = asked(arguments, &known)?;
    ensure_tools()?;
    for (index, target) in chosen.iter().enumerate() {
        println!("{target} for {seconds} s ({} of {})", index + 1, chosen.len());
        fuzz(workspace, target, seconds)?;
    }
    println!("{} without a failure", if chosen.len() == 1 { "1 target" } else { "all targets" });
    Ok(())
}

/// The names in the manifest of `fuzz/`.
fn targets(workspace: &Workspace) -> Result<Vec<String>, String> {
    let path = workspace.root.join("fuzz/Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = |line: &str| Some(line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\"")?.to_owned());
    Ok(text.lines().filter_map(name).collect())
}

/// Which targets, and for how many seconds each.
fn asked(arguments: &[String], known: &[String]) -> Result<(Vec<String>, u64), Failure> {
    let (mut chosen, mut seconds) = (known.to_vec(), SECONDS);
    for word in arguments {
        if let Ok(number) = word.parse::<u64>()
            && number > 0
        {
            seconds = number;
        } else if known.contains(word) {
            chosen = vec![word.clone()];
        } else {
            let best = nearest::nearest(word, known.iter().map(String::as_str)).unwrap_or_default();
            let all = known.join(", ");
            return Err(Failure::Usage(format!("unknown target `{word}`; the nearest is `{best}`; there are {all}")));
        }
    }
    Ok((chosen, seconds))
}

/// A nightly compiler, which is the user's to install, and cargo-fuzz, which is installed here.
fn ensure_tools() -> Outcome {
    if !works(nightly(&["--version"])) {
        let way_out = "fuzzing needs a nightly compiler; install it: rustup toolchain install nightly";
        return Err(Failure::Failed(way_out.to_owned()));
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

/// A call of the nightly cargo. The cargo that runs us is the stable one, which knows of no other.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(arguments);
    command
}

fn fuzz(workspace: &Workspace, target: &str, seconds: u64) -> Outcome {
    let own = format!("fuzz/corpus/{target}");
    std::fs::create_dir_all(workspace.root.join(&own)).map_err(|e| Failure::Failed(format!("{own}: {e}")))?;
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
        Failure::Failed(format!(
            "{target} failed; the input is in fuzz/artifacts/{target}/: mend the cause and keep it in tests/corpus/{target}/"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: &str) -> Result<(Vec<String>, u64), Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        asked(&words, &["std".to_owned(), "spec".to_owned()])
    }

    #[test]
    fn a_target_and_a_time_may_be_named_and_without_them_all_run_for_the_usual_one() {
        let both = || vec!["std".to_owned(), "spec".to_owned()];
        assert_eq!(ask(""), Ok((both(), SECONDS)));
        assert_eq!(ask("600"), Ok((both(), 600)));
        assert_eq!(ask("spec 5"), Ok((vec!["spec".to_owned()], 5)));
    }

    #[test]
    fn an_unknown_target_is_a_usage_error_that_names_the_nearest() {
        for line in ["spek", "spek 5", "-5"] {
            let Err(Failure::Usage(message)) = ask(line) else { panic!("accepted") };
            assert!(message.contains("there are std, spec"), "{message}");
        }
    }
}
