//! `regiontrack provoke`: the command alone confirms violations that rarely happen, and reports nothing of the programs' correct twins.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use analysis_core::provoke::{self, Candidate, Candidates};
use serde_json::Value;

use crate::machine::{Jvm, command, finish, machine, on_newest_jvm, on_two_jvms, shared_out, utf8};
use crate::provoke::candidate;

/// The number of runs that confirm a candidate, including those that learn.
const ENOUGH: &str = "10";

/// Each program with its violated method.
const WRONG: [(&str, &str); 13] = [
    ("Fields", "provoked.Fields.take()"),
    ("Sections", "provoked.Sections.withdraw(int)"),
    ("Maps", "provoked.Maps.count(java.lang.String)"),
    ("Early", "provoked.Early.read()"),
    ("Elements", "provoked.Elements."),
    ("Locks", "provoked.Locks."),
    ("Statics", "provoked.Statics."),
    ("Tasks", "provoked.Tasks.book()"),
    ("Stale", "provoked.Stale.width()"),
    ("Bounds", "provoked.Bounds.width()"),
    ("Late", "provoked.Late.withdraw(int)"),
    ("Stripes", "provoked.Stripes.claim()"),
    ("Warmed", "provoked.Warmed.getOrMake("),
];

const RIGHT: [&str; 5] = ["FieldsLocked", "MapsAtOnce", "SectionsLocked", "TasksLocked", "StaleAtOnce"];

fn provoked(jvm: &Jvm, options: &[&str], class: &str) -> Output {
    provoking(jvm, &[&["--no-minimize"], options].concat(), class).output().expect("the command starts")
}

fn provoking(jvm: &Jvm, options: &[&str], class: &str) -> Command {
    let program = jvm.command(None, &[&format!("provoked.{class}")]);
    let mut provoke = Command::new(command());
    let schedules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schedules");
    provoke.args(["provoke", "--no-priorities", "--format", "json", "--agent"]);
    provoke.arg(&machine().jar).args(options).arg("--schedules").arg(schedules);
    provoke.arg("--").arg(program.get_program()).args(program.get_args());
    provoke
}

/// Returns what the command printed, if it ended with this exit code.
fn result(ran: &Output, code: i32) -> Result<Value, String> {
    let told = || format!("{ran:?}");
    if ran.status.code() != Some(code) {
        return Err(told());
    }
    serde_json::from_slice(&ran.stdout).map_err(|error| format!("{error}: {}", told()))
}

fn check_wrong(jvm: &Jvm, (class, method): (&str, &str)) -> Result<(), String> {
    let ran = provoked(jvm, &["--runs", ENOUGH], class);
    let result = result(&ran, 1).map_err(|why| format!("{class}: {why}"))?;
    let confirmed =
        result["candidates"].as_array().into_iter().flatten().find(|candidate| candidate["state"] == "confirmed");
    let findings = result["findings"].as_array().into_iter().flatten();
    let mut of_method =
        findings.filter(|finding| finding["method"].as_str().is_some_and(|name| name.starts_with(method)));
    let is_found = of_method.any(|finding| finding["held_ms"].as_u64() > Some(0));
    if confirmed.is_some() && is_found { Ok(()) } else { Err(format!("{class}: {result}")) }
}

fn check_right(jvm: &Jvm, class: &str) -> Result<(), String> {
    let ran = provoked(jvm, &["--runs", ENOUGH], class);
    let result = result(&ran, 0).map_err(|why| format!("{class}: {why}"))?;
    let is_quiet = result["confirmed"] == 0 && result["findings"] == Value::Array(Vec::new());
    if is_quiet { Ok(()) } else { Err(format!("{class}: {result}")) }
}

#[test]
fn what_threads_seldom_let_happen_is_confirmed_within_ten_runs() {
    on_two_jvms(|jvm| {
        let programs = shared_out(jvm, &WRONG);
        let wrong: Vec<String> = programs.filter_map(|program| check_wrong(jvm, *program).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn of_correct_programs_nothing_is_reported() {
    on_two_jvms(|jvm| {
        let programs = shared_out(jvm, &RIGHT);
        let wrong: Vec<String> = programs.filter_map(|class| check_right(jvm, class).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// Reads the candidates of a file and its number of runs.
fn file(path: &Path) -> Result<analysis_core::provoke::Candidates, String> {
    analysis_core::provoke::read(path).map_err(|e| e.to_string())?.ok_or_else(|| "no file".to_owned())
}

#[test]
fn the_candidates_stay_in_a_file_and_another_time_goes_on_from_there() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (kept, report) = (folder.path().join("new/c.txt"), folder.path().join("r.json"));
        let [kept_name, report_name] = [&kept, &report].map(|path| path.to_str().expect("UTF-8"));
        // One run learns, and none is steered.
        let ran = provoked(jvm, &["--runs", "1", "--candidates", kept_name], "Sections");
        if ran.status.code().is_none_or(|code| code >= 2) || file(&kept)?.is_empty() || file(&kept)?.runs != 0 {
            return Err(format!("{ran:?} {:?}", file(&kept)?));
        }
        let options = ["--runs", "8", "--jobs", "2", "--candidates", kept_name, "--report", report_name];
        let ran = provoked(jvm, &options, "Sections");
        let all = file(&kept)?;
        let is_confirmed = all.in_order().iter().any(|(_, trials)| trials.is_confirmed);
        let text = fs::read_to_string(&report).map_err(|e| e.to_string())?;
        let saved: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let mut violations = saved["violations"].as_array().into_iter().flatten();
        let is_told = violations.any(|one| one["method"] == "provoked.Sections.withdraw(int)");
        if ran.status.code() == Some(1) && is_confirmed && is_told && all.runs >= 2 {
            Ok(())
        } else {
            Err(format!("{ran:?} {} {text}", all.to_text()))
        }
    });
}

/// By then all runs of the search are over.
#[test]
fn schedules_are_minimized_by_runs_of_their_own() {
    on_newest_jvm(|jvm| {
        let ran = provoking(jvm, &["--runs", "6"], "Sections").output().expect("the command starts");
        let result = result(&ran, 1)?;
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        let is_bounded = result["minimized"].as_u64().is_some_and(|runs| (1..=6).contains(&runs));
        let is_told = told.contains(" of schedules: ");
        if is_bounded && is_told && result["runs"] == 6 { Ok(()) } else { Err(format!("{result} {told}")) }
    });
}

/// Two parallel runs try candidates that one run would not try together, because they share a place.
#[test]
fn runs_side_by_side_are_steered_to_different_candidates() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let kept = folder.path().join("c.txt");
        let mut candidates = Candidates::new();
        let candidate = candidate("Sections");
        // The same with another hold place, which the thread also passes.
        candidates.add(Candidate { hold: candidate.first.clone(), ..candidate.clone() });
        candidates.add(candidate);
        provoke::write(&kept, || Ok::<_, provoke::Error>(candidates)).map_err(|e| e.to_string())?;
        let options = ["--runs", "2", "--jobs", "2", "--candidates", utf8(&kept)];
        let ran = provoked(jvm, &options, "Sections");
        let tried: Vec<u64> = file(&kept)?.in_order().iter().map(|(_, trials)| trials.tries).collect();
        if tried == [1, 1] && file(&kept)?.runs == 2 { Ok(()) } else { Err(format!("{tried:?} {ran:?}")) }
    });
}

/// The program does not end by itself. The command is asked to end, asks the program to end, and writes the results so far.
#[test]
fn who_ends_it_gets_the_results_so_far() {
    on_newest_jvm(|jvm| {
        for (name, signal) in [("TERM", "SIGTERM"), ("INT", "SIGINT")] {
            // What a shell starts in the background ignores SIGINT, and so does the command.
            if name == "INT" && ignores_interrupts() {
                continue;
            }
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let [kept, report, runs] = ["c.txt", "r.json", "runs"].map(|name| folder.path().join(name));
            let mut candidates = Candidates::new();
            candidates.add(candidate("Ends"));
            provoke::write(&kept, || Ok::<_, provoke::Error>(candidates)).map_err(|e| e.to_string())?;
            let [kept_name, report_name, runs_name] = [&kept, &report, &runs].map(|path| path.to_str().expect("UTF-8"));
            let options = ["--runs", "9", "--candidates", kept_name, "--report", report_name, "--keep", runs_name];
            let mut command = provoking(jvm, &options, "Ends");
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
            let output = runs.join("run-1/output");
            while !fs::read_to_string(&output).unwrap_or_default().contains("running") {
                if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
                    return Err(format!("{signal}: it has ended before: {status}"));
                }
                thread::sleep(Duration::from_millis(20));
            }
            let mut kill = Command::new("kill");
            kill.arg(format!("-{name}")).arg(child.id().to_string());
            finish(kill);
            let ran = child.wait_with_output().map_err(|e| e.to_string())?;
            let told: Value = serde_json::from_slice(&ran.stdout).map_err(|error| format!("{error}: {ran:?}"))?;
            let saved = fs::read_to_string(&report).map_err(|e| format!("{e}: {ran:?}"))?;
            let saved: Value = serde_json::from_str(&saved).map_err(|e| e.to_string())?;
            let all = file(&kept)?;
            let is_right = matches!(ran.status.code(), Some(0 | 1))
                && (&told["runs"], &told["interrupted"]) == (&Value::from(1), &Value::from(signal))
                && told["warnings"] == Value::Array(Vec::new())
                && saved["steered"]["candidates"] == 1
                && all.in_order().iter().all(|(_, trials)| trials.tries == 1);
            if !is_right {
                return Err(format!("{signal}: {ran:?} {saved} {}", all.to_text()));
            }
        }
        Ok(())
    });
}

/// True if this process ignores SIGINT; known only on Linux.
fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_some_and(|bits| bits & 0b10 != 0)
}

#[test]
fn a_program_that_cannot_run_is_an_error_with_its_cause() {
    on_newest_jvm(|jvm| {
        let ran = provoked(jvm, &["--runs", "3"], "NoSuchProgram");
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        let is_told = told.contains("before a method ran that is to be atomic") && told.contains("NoSuchProgram");
        if ran.status.code() == Some(2) && is_told && ran.stdout.is_empty() { Ok(()) } else { Err(format!("{ran:?}")) }
    });
}
