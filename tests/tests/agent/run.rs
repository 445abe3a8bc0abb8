//! `regiontrack run`, for commands that start JVMs and with one report about all of them, and `regiontrack merge`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::machine::{Jvm, command, machine, on_newest_jvm};

const PROGRAMS: [&str; 2] = ["violating.SplitUpdate", "violating.TwoLocks"];

fn run(options: &[&str], words: &[&str]) -> Output {
    let mut run = Command::new(command());
    run.args(["run", "--options", "exclude=schedule.*", "--agent"]).arg(&machine().jar).args(options);
    run.arg("--").args(words).output().expect("the command starts")
}

/// Returns a shell line that runs a program.
fn shell(jvm: &Jvm, class: &str) -> String {
    let program = jvm.command(None, &[class]);
    let words = std::iter::once(program.get_program()).chain(program.get_args());
    words.map(|word| format!("'{}'", word.to_str().expect("UTF-8"))).collect::<Vec<_>>().join(" ")
}

fn json(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Returns each method with its numbers of violations and of instances.
fn violated(report: &Value) -> BTreeSet<String> {
    let list = report["violations"].as_array().expect("a list");
    list.iter().map(|one| format!("{} {} {}", one["method"], one["count"], one["instances"])).collect()
}

#[test]
fn the_jvms_of_a_command_have_one_report() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (merged, kept) = (folder.path().join("all.json"), folder.path().join("kept"));
        let mut expected = BTreeSet::new();
        let mut printed = String::new();
        for class in PROGRAMS {
            let (plain, report) = jvm.reported("exclude=schedule.*", &[class])?;
            printed += &plain.out;
            expected.extend(violated(&report));
        }
        let script = PROGRAMS.map(|class| shell(jvm, class)).join("; ");
        let [file, keep] = [&merged, &kept].map(|path| path.to_str().expect("UTF-8"));
        let ran = run(&["--report", file, "--keep", keep], &["sh", "-c", &script]);
        let report = json(&merged)?;
        let runs = report["runs"].as_array().map_or(0, Vec::len);
        let out = String::from_utf8_lossy(&ran.stdout);
        if (ran.status.code(), runs, &violated(&report), &*out) != (Some(1), 2, &expected, &*printed) {
            return Err(format!("expected {expected:?} and {printed}, got {ran:?} and {report}"));
        }
        // Merging the reports of the single JVMs later gives the same, also if the result is among them.
        let again =
            Command::new(command()).args(["merge", "--format", "json", keep]).output().expect("the command starts");
        let again: Value = serde_json::from_slice(&again.stdout).map_err(|e| e.to_string())?;
        if violated(&again) != expected || again["violated"] != report["violated"] {
            return Err(format!("expected {expected:?}, merged {again}"));
        }
        let twice = Command::new(command()).arg("merge").args([file, keep]).output().expect("the command starts");
        let (told, complaint) = (String::from_utf8_lossy(&twice.stdout), String::from_utf8_lossy(&twice.stderr));
        let count = format!("  {} of ", report["violated"]);
        let is_once =
            told.contains(&count) && told.contains("  reports of 2 runs\n") && complaint.contains("all.json: left out");
        if is_once && twice.status.code() == Some(1) {
            Ok(())
        } else {
            Err(format!("expected {count}, got {told}{complaint}"))
        }
    });
}

#[test]
fn the_report_of_a_command_is_on_standard_error_and_its_exit_code_is_its_own() {
    on_newest_jvm(|jvm| {
        let fails = run(&[], &["sh", "-c", &format!("{}; exit 3", shell(jvm, PROGRAMS[0]))]);
        let told = String::from_utf8_lossy(&fails.stderr).into_owned();
        if fails.status.code() != Some(3) || !told.contains("regiontrack: non-serializable\n") {
            return Err(format!("{fails:?}"));
        }
        let nothing = run(&[], &["sh", "-c", "true"]);
        let told = String::from_utf8_lossy(&nothing.stderr).into_owned();
        if nothing.status.code() != Some(2)
            || !told.contains("sh -c true ended without a report of the agent: no JVM was started")
        {
            return Err(format!("{nothing:?}"));
        }
        let atomic = run(&[], &["sh", "-c", &shell(jvm, "atomic.JoinBeforeRead")]);
        if atomic.status.code() == Some(0) { Ok(()) } else { Err(format!("{atomic:?}")) }
    });
}

#[test]
fn a_line_says_how_far_the_command_has_come() {
    on_newest_jvm(|jvm| {
        // The second program starts once the line has mentioned the first.
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let told = folder.path().join("told");
        let waits = format!("until grep -q '1 JVM, 1 ended' '{}'; do :; done", told.display());
        let script = format!("{}; {waits}; {}", shell(jvm, PROGRAMS[0]), shell(jvm, PROGRAMS[1]));
        let file = std::fs::File::create(&told).map_err(|e| e.to_string())?;
        let mut run = Command::new(command());
        run.args(["run", "--options", "exclude=schedule.*", "--progress", "1", "--agent"]).arg(&machine().jar);
        let status = run.args(["--", "sh", "-c", &script]).stdout(std::process::Stdio::null()).stderr(file).status();
        let text = std::fs::read_to_string(&told).map_err(|e| e.to_string())?;
        let is_told = text.contains(" s: 1 JVM, 1 ended; 1 method violated in what has ended\n");
        if status.is_ok_and(|status| status.code() == Some(1)) && is_told { Ok(()) } else { Err(text) }
    });
}
