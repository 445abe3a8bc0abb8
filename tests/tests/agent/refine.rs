//! `regiontrack refine`: the specification that it derives by running a program repeatedly.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::machine::{Jvm, command, is_full, machine, on_newest_jvm};

const PROGRAMS: [&str; 3] = ["violating.SplitUpdate", "violating.FilledArray", "violating.TwoLocks"];

/// Refines the specification of a program.
fn refine(jvm: &Jvm, options: &[&str], class: &str) -> Output {
    let program = jvm.started(&[class]);
    let mut refine = Command::new(command());
    refine.args(["refine", "--options", "exclude=schedule.*", "--agent"]).arg(&machine().jar).args(options);
    refine.arg("--").arg(program.get_program()).args(program.get_args());
    refine.output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the rules of a specification after its first line, without comments.
fn rules(text: &str) -> BTreeSet<String> {
    let rules = text.lines().filter(|line| line.starts_with("- "));
    rules.map(|line| line.split('#').next().expect("a line").trim().to_owned()).collect()
}

/// Returns the methods, inner ones and their callers included, that one run finds violated under this specification.
fn violated(jvm: &Jvm, class: &str, specification: &str, folder: &Path) -> Result<BTreeSet<String>, String> {
    let spec = folder.join("spec.txt");
    std::fs::write(&spec, specification).map_err(|e| e.to_string())?;
    let (_, report) = jvm.reported(&format!("exclude=schedule.*,spec={}", spec.display()), &[class])?;
    let methods = report["violations"].as_array().expect("a list").iter().map(|one| &one["method"]);
    Ok(methods.map(|method| format!("- {}", method.as_str().expect("a name"))).collect())
}

#[test]
fn what_is_taken_out_is_what_one_run_finds_and_nothing_is_violated_without_it() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let ways = [&[][..], &["--nested"], &["--outermost", "--jobs", "2"]];
        for (at, class) in PROGRAMS.into_iter().enumerate() {
            let expected = violated(jvm, class, "default\n", folder.path())?;
            // Each program in its own way; in a full run, each in all ways.
            for options in if is_full() { &ways[..] } else { &ways[at..=at] } {
                let refined = refine(jvm, options, class);
                let said = text(&refined.stdout);
                let has_failed = refined.status.code() != Some(0) || !said.contains("\ndefault\n");
                if has_failed || expected.is_empty() || rules(&said) != expected {
                    return Err(format!("{class} {options:?}: expected {expected:?}, got {refined:?}"));
                }
                let left = violated(jvm, class, &said, folder.path())?;
                if !left.is_empty() {
                    return Err(format!("{class} {options:?}: {left:?} with {said}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_guided_refinement_takes_out_what_runs_that_watch_everything_find() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let ways = [&[][..], &["--outermost"], &["--nested", "--jobs", "2"]];
        for (at, class) in PROGRAMS.into_iter().enumerate() {
            let expected = violated(jvm, class, "default\n", folder.path())?;
            for (way, options) in ways.iter().enumerate().filter(|(way, _)| is_full() || *way == at) {
                let profile = folder.path().join(format!("{class}-{way}.profile")).display().to_string();
                let refined = refine(jvm, &[options, &["--profile", &profile][..]].concat(), class);
                let said = text(&refined.stdout);
                let is_guided = said.lines().next().is_some_and(|line| line.ends_with(&format!("guided by {profile}")));
                if refined.status.code() != Some(0) || !is_guided || rules(&said) != expected {
                    return Err(format!("{class} {options:?}: expected {expected:?}, got {refined:?}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_program_without_violations_is_run_until_enough_runs_were_clean() {
    on_newest_jvm(|jvm| {
        for (options, rounds) in [(&["--clean", "3"][..], 3), (&["--clean", "3", "--jobs", "2"], 2)] {
            let refined = refine(jvm, &[options, &["--format", "json"]].concat(), "atomic.JoinBeforeRead");
            let said: Value = serde_json::from_slice(&refined.stdout).map_err(|e| format!("{e}: {refined:?}"))?;
            let found = (refined.status.code(), said["rounds"].as_array().map(Vec::len), &said["taken_out"]);
            if found != (Some(0), Some(rounds), &Value::Array(Vec::new())) {
                return Err(format!("{options:?}: {refined:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn rounds_that_are_not_enough_are_said_to_be_so() {
    on_newest_jvm(|jvm| {
        let refined = refine(jvm, &["--rounds", "1"], PROGRAMS[0]);
        let said = text(&refined.stdout);
        let is_said = said.contains("# warning: stopped after 1 rounds, as --rounds says; methods were still violated");
        if is_said && refined.status.code() == Some(2) { Ok(()) } else { Err(format!("{refined:?}")) }
    });
}

#[test]
fn what_cannot_be_run_is_an_error_that_says_why() {
    let jar = machine().jar.display().to_string();
    let cases: [(&[&str], &str); 4] = [
        (&["--agent", &jar, "--", "true"], "true ended without a report of the agent"),
        (&["--agent", &jar, "--", "no-such-command"], "no-such-command: cannot be started"),
        (&["--agent", "no-such.jar", "--", "java"], "the agent no-such.jar: name its jar with --agent"),
        (
            &["--agent", &jar, "--options", "arrays=all,report=x", "--", "java"],
            "--options report=: each run gets its own",
        ),
    ];
    for (arguments, expected) in cases {
        let output = Command::new(command()).arg("refine").args(arguments).output().expect("the command starts");
        let said = text(&output.stderr);
        assert!(said.contains(expected) && output.status.code() == Some(2), "{arguments:?}: {said}");
    }
}

#[test]
fn a_program_that_never_starts_is_an_error_in_one_line_and_no_specification() {
    on_newest_jvm(|jvm| {
        let refined = refine(jvm, &[], "NoSuch");
        let said = text(&refined.stderr);
        let cause = "before a method ran that is to be atomic: Error: Could not find or load main class NoSuch";
        let is_said = said.lines().filter(|line| line.contains(cause)).count() == 1;
        if refined.status.code() == Some(2) && refined.stdout.is_empty() && is_said {
            Ok(())
        } else {
            Err(format!("{refined:?}"))
        }
    });
}

#[test]
fn a_command_that_starts_a_jvm_gets_the_agent_too() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let script = folder.path().join("start it");
        let program = jvm.started(&[PROGRAMS[0]]);
        let words = std::iter::once(program.get_program()).chain(program.get_args());
        let words: Vec<String> = words.map(|word| format!("'{}'", word.display())).collect();
        std::fs::write(&script, words.join(" ")).map_err(|e| e.to_string())?;
        let jar = machine().jar.display().to_string();
        let options = ["refine", "--options", "exclude=schedule.*", "--agent", &jar, "--", "sh"];
        let refined = Command::new(command()).args(options).arg(&script).output().expect("the command starts");
        let expected = violated(jvm, PROGRAMS[0], "default\n", folder.path())?;
        if rules(&text(&refined.stdout)) == expected { Ok(()) } else { Err(format!("{refined:?}")) }
    });
}
