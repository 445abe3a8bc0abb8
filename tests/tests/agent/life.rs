//! A program ends under the agent as it does without it, and there is a report.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use crate::machine::{Jvm, Run, finish, is_full, machine, on_newest_jvm, on_two_jvms, shared_out};

/// An option that changes only what is printed.
const USUAL: &str = "verbose=false";

/// Checks that exit code and output are those without the agent. Returns the report.
fn ends_alike(jvm: &Jvm, class: &str, options: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("report.txt");
    let plain = jvm.run(None, &[class]);
    let watched = jvm.run(Some(&format!("exclude=schedule.*,report={},{options}", path.display())), &[class]);
    if (plain.code, &plain.out) != (watched.code, &watched.out) {
        return Err(format!("{class} with {options}: plain {plain:?}, watched {watched:?}"));
    }
    std::fs::read_to_string(&path).map_err(|e| format!("{class} with {options}: no report: {e}; {}", watched.err))
}

/// Programs that end in all ways.
const ENDS: [&str; 10] = [
    "BlockedForever",
    "ExitInsideBlock",
    "UncaughtException",
    "ShortThreads",
    "CallbackThatExits",
    "DeepRecursion",
    "PermitsAndInterrupts",
    "LibraryOperations",
    "CallbacksThatBlock",
    "CallbacksThatThrow",
];
/// The first programs differ in how the JVM ends. The others matter where the agent ends in the usual way.
const DIFFERENT: usize = 5;

/// Checks every way to end, divided between the two JVMs; with other options only the different ones, except in a full run.
fn every_end(jvm: &Jvm, options: &str, expect: impl Fn(&str, &str) -> Result<(), String>) -> Result<(), String> {
    let mut wrong = Vec::new();
    let most = if is_full() { ENDS.len() } else { DIFFERENT };
    let classes: Vec<&str> =
        if options == USUAL { shared_out(jvm, &ENDS).copied().collect() } else { ENDS[..most].to_vec() };
    for class in classes {
        let class = format!("life.{class}");
        let checked = ends_alike(jvm, &class, options).and_then(|report| expect(&class, &report));
        wrong.extend(checked.err());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Checks that there is no false violation and nothing was lost, except events during a stack overflow, which no hook can record.
fn is_whole(class: &str, report: &str) -> Result<(), String> {
    let lost = report.lines().filter(|line| line.contains("incomplete")).collect::<Vec<_>>();
    let may_lose = ["life.DeepRecursion", "life.LibraryOperations"].contains(&class);
    let is_excused = |line: &&str| may_lose && line.contains("events at the end of the stack or of the heap");
    // The only violations here are two simultaneous floods, each in many critical sections. `System.exit` waits for
    // other threads, so the blocks around it are listed but not counted.
    let may_be_violated = class == "life.PermitsAndInterrupts";
    let is_clean = may_be_violated || !report.lines().any(|line| line.starts_with("1. "));
    if is_clean && lost.iter().all(is_excused) { Ok(()) } else { Err(format!("{class}: {report}")) }
}

#[test]
fn a_program_ends_as_without_the_agent() {
    on_two_jvms(|jvm| every_end(jvm, USUAL, is_whole));
}

#[test]
fn a_program_ends_as_without_the_agent_when_its_rings_are_tiny() {
    on_newest_jvm(|jvm| every_end(jvm, "mode=stream,ring=64", is_whole));
}

#[test]
fn a_program_ends_as_without_the_agent_when_the_analysis_fails_and_the_report_says_so() {
    on_newest_jvm(|jvm| {
        every_end(jvm, "mode=stream,ring=64,fail_after=3", |class, report| {
            if report.contains("incomplete") { Ok(()) } else { Err(format!("{class}: {report}")) }
        })?;
        every_end(jvm, "mode=dependencies,fail_after=1", |class, report| {
            let has_failed = report.contains("incomplete") || report.contains("; 0 dependencies between threads");
            if has_failed { Ok(()) } else { Err(format!("{class}: {report}")) }
        })
    });
}

#[test]
fn a_program_that_is_terminated_leaves_a_report() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("report.txt");
        let options = format!("exclude=schedule.*,report={}", path.display());
        let mut child = jvm
            .command(Some(&options), &["life.LongRun"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
        assert!(lines.by_ref().any(|line| line == "running"), "it never ran");
        let mut kill = std::process::Command::new("kill");
        kill.args(["-TERM", &child.id().to_string()]);
        finish(kill);
        let told = lines.any(|line| line == "told to end");
        let status = child.wait().map_err(|e| e.to_string())?;
        let report = std::fs::read_to_string(&path).map_err(|e| format!("no report: {e}"))?;
        if told && status.code() == Some(143) && report.contains("serializable") {
            Ok(())
        } else {
            Err(format!("told {told}, {status}, {report}"))
        }
    });
}

#[test]
fn a_program_leaves_a_report_without_the_vm_death_event() {
    on_newest_jvm(|jvm| every_end(jvm, "vm_death=false", is_whole));
}

/// The starter of the JVM may only see its exit code.
fn says_why(run: &Run, report: &str) -> bool {
    let line = format!(
        "regiontrack: this JVM ends with exit code 66, as exitcode= asks for, because 1 block was violated; report: {report}"
    );
    run.err.lines().filter(|said| *said == line).count() == 1
}

#[test]
fn a_jvm_whose_exit_code_is_not_the_programs_own_says_why_and_where_the_report_is() {
    on_two_jvms(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let report = folder.path().join("report.txt").display().to_string();
        let options = format!("exitcode=66,exclude=schedule.*,report={report}");
        let violated = jvm.run_small(Some(&options), &["violating.SplitUpdate"]);
        let clean = jvm.run_small(Some(&options), &["atomic.MapPutIfAbsent"]);
        let is_quiet = clean.code == Some(0) && !clean.err.contains("this JVM ends with");
        if violated.code == Some(66) && says_why(&violated, &report) && is_quiet {
            Ok(())
        } else {
            Err(format!("{violated:?} {clean:?}"))
        }
    });
}

#[test]
fn a_run_that_watches_nothing_is_no_answer_and_names_the_packages_that_were_there() {
    on_newest_jvm(|jvm| {
        let (run, report) = jvm.reported("include=violatin.*,exitcode=66", &["violating.SplitUpdate"])?;
        let warning = report["warnings"][0].as_str().unwrap_or_default();
        let is_said = warning.contains("include=violatin.* matches none of the ")
            && warning.contains("violating (")
            && run.err.contains("because no class was watched, which is no answer");
        if run.code == Some(2) && report["verdict"] == "undecided" && is_said {
            Ok(())
        } else {
            Err(format!("{run:?} {report}"))
        }
    });
}

#[test]
fn what_is_said_of_methods_that_are_not_there_is_named_in_text_and_json() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let spec = folder.path().join("app.spec");
        std::fs::write(&spec, "default\n- violating.SplitUpdate.gte()\n- violating.SplitUpdate.get()\n")
            .map_err(|e| e.to_string())?;
        let excluded = "exclude-method=no.such.Type.run,exclude-method=violating.SplitUpdate.twice";
        let options = format!("exclude=schedule.*,spec={},{excluded}", spec.display());
        let no_match = "matches no method of a class that was loaded and watched";
        let expected = [
            format!("exclude-method=no.such.Type.run {no_match}"),
            format!("spec={}: line 2, '- violating.SplitUpdate.gte()', {no_match}", spec.display()),
        ];
        let (_, report) = jvm.reported(&options, &["violating.SplitUpdate"])?;
        let run = jvm.run_small(Some(&options), &["violating.SplitUpdate"]);
        let text: Vec<&str> = run.err.lines().filter_map(|line| line.strip_prefix("  warning: ")).collect();
        let is_said = report["warnings"] == serde_json::json!(expected) && text == expected;
        if is_said { Ok(()) } else { Err(format!("{report} {run:?}")) }
    });
}

#[test]
fn a_program_that_is_killed_leaves_a_report_that_says_that_it_was_running() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let formats = [
            ("text", "regiontrack: still running (process "),
            ("json", "\"verdict\":\"running\""),
            ("junit", "<error type=\"incomplete\" message=\"still running (process "),
        ];
        for (format, said) in formats {
            let path = folder.path().join(format);
            let options = format!("exclude=schedule.*,format={format},report={}", path.display());
            let mut child = jvm
                .command(Some(&options), &["life.LongRun"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|e| e.to_string())?;
            let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
            let has_run = lines.any(|line| line == "running");
            child.kill().and_then(|()| child.wait()).map_err(|e| e.to_string())?;
            let report = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            if !has_run || !report.contains(said) || !report.contains(&child.id().to_string()) {
                return Err(format!("{format}: {report:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn one_run_leaves_a_report_in_each_format_that_is_asked_for() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let [page, log] = ["report.html", "report.sarif"].map(|name| folder.path().join(name));
        let options = format!("exclude=schedule.*,exitcode=66,report={},report={}", page.display(), log.display());
        let run = jvm.run(Some(&options), &["violating.SplitUpdate"]);
        let [page_text, log_text] = [&page, &log].map(|path| std::fs::read_to_string(path).unwrap_or_default());
        let sarif: serde_json::Value = serde_json::from_str(&log_text).map_err(|e| format!("{e}: {log_text}"))?;
        let result = &sarif["runs"][0]["results"][0];
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        let is_page = page_text.starts_with("<!DOCTYPE html>")
            && page_text.contains("<details class=\"finding\" data-package=\"violating\"")
            && page_text.contains("<svg ");
        let is_told = says_why(&run, &format!("{}, {}", page.display(), log.display()));
        if run.code == Some(66) && is_page && uri == "violating/SplitUpdate.java" && is_told {
            Ok(())
        } else {
            Err(format!("{run:?}\n{page_text}\n{log_text}"))
        }
    });
}

/// As under `regiontrack run` if the build adds an agent of its own.
#[test]
fn a_second_agent_is_left_out_and_the_program_runs_under_the_first() {
    on_two_jvms(|jvm| {
        let second = format!("-javaagent:{}=exitcode=66", machine().jar.display());
        let (run, report) = jvm.reported("exclude=schedule.*", &[&second, "violating.SplitUpdate"])?;
        let line = "regiontrack: the agent is in this JVM already, by an option before; this one is left out: -javaagent:regiontrack.jar=exitcode=66";
        let is_said = run.err.lines().filter(|said| *said == line).count() == 1;
        let plain = jvm.run(None, &["violating.SplitUpdate"]);
        if is_said && (run.code, &run.out) == (plain.code, &plain.out) && report["verdict"] == "non-serializable" {
            Ok(())
        } else {
            Err(format!("{run:?} {report}"))
        }
    });
}

#[test]
fn an_exit_code_is_set_without_the_vm_death_event() {
    on_two_jvms(|jvm| {
        let run = jvm.run(Some("vm_death=false,exitcode=66,exclude=schedule.*"), &["violating.SplitUpdate"]);
        let has_report = run.err.contains("regiontrack: non-serializable");
        if run.code == Some(66) && has_report && says_why(&run, "above") { Ok(()) } else { Err(format!("{run:?}")) }
    });
}

/// Returns the name and content of each report in a folder.
fn reports(folder: &Path) -> Result<Vec<(String, serde_json::Value)>, String> {
    let mut reports = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let report = serde_json::from_str(&text).map_err(|e| format!("{}: {e}: {text}", path.display()))?;
        reports.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), report));
    }
    reports.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(reports)
}

/// Runs a program that starts itself again, both under the agent through the environment. Returns the run and the
/// reports.
fn with_a_child(jvm: &Jvm, name: &str) -> Result<(Run, Vec<(String, serde_json::Value)>), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut command = jvm.command(None, &["life.StartsItself"]);
    let agent = machine().jar.display();
    let report = folder.path().join(name);
    command.env("JAVA_TOOL_OPTIONS", format!("-javaagent:{agent}=format=json,report={}", report.display()));
    let run = finish(command);
    Ok((run, reports(folder.path())?))
}

fn are_complete(reports: &[(String, serde_json::Value)]) -> bool {
    // Each process has two steps.
    let is_complete = |report: &serde_json::Value| {
        report["verdict"] == "serializable" && report["stats"]["blocks"].as_u64() == Some(2)
    };
    reports.len() == 2 && reports.iter().all(|(_, report)| is_complete(report))
}

#[test]
fn a_child_with_its_parents_options_writes_a_separate_report_and_says_so() {
    on_two_jvms(|jvm| {
        let (run, reports) = with_a_child(jvm, "report.json")?;
        let said = run.err.lines().filter(|line| line.contains("another running process writes it")).count();
        let has_both = reports.iter().any(|(name, _)| name == "report.json");
        let ended = run.out == "child\nthe child ended with 0\nparent\n" && run.code == Some(0);
        if are_complete(&reports) && has_both && said == 1 && ended {
            Ok(())
        } else {
            Err(format!("{run:?} {reports:?}"))
        }
    });
}

/// Ten JVMs with the same options, as a build starts them for its classes of tests.
const FORKS: usize = 10;

#[test]
fn no_jvm_overwrites_the_report_of_another_one_of_the_same_build() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("report.json");
        let options = format!("exclude=schedule.*,format=json,report={}", path.display());
        let is_beside = |run: &Run| run.err.contains("it is there already; this one writes ");
        // The first JVM is clean, so a build that lost the other reports would look clean.
        let first = jvm.run_small(Some(&options), &["atomic.MapPutIfAbsent"]);
        let later: Vec<Run> = (1..FORKS).map(|_| jvm.run_small(Some(&options), &["violating.SplitUpdate"])).collect();
        let left = reports(folder.path())?;
        let violated = left.iter().filter(|(_, report)| report["verdict"] == "non-serializable").count();
        let is_first = left.iter().any(|(name, report)| name == "report.json" && report["verdict"] == "serializable");
        if left.len() != FORKS
            || violated != FORKS - 1
            || !is_first
            || is_beside(&first)
            || !later.iter().all(is_beside)
        {
            return Err(format!("{first:?} {later:?} {left:?}"));
        }
        jvm.run_small(Some(&format!("{options},overwrite=true")), &["violating.SplitUpdate"]);
        let after = reports(folder.path())?;
        let is_replaced = after.iter().all(|(_, report)| report["verdict"] == "non-serializable");
        if after.len() == FORKS && is_replaced { Ok(()) } else { Err(format!("{after:?}")) }
    });
}

#[test]
fn jvms_that_run_at_once_write_a_report_each() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let options = format!("exclude=schedule.*,format=json,report={}", folder.path().join("report.json").display());
        let start = |_| {
            let mut command = jvm.command(Some(&options), &["-Xint", "violating.SplitUpdate"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())
        };
        let started: Vec<_> = (0..FORKS).map(start).collect::<Result<_, _>>()?;
        for mut child in started {
            child.wait().map_err(|e| e.to_string())?;
        }
        let left = reports(folder.path())?;
        let violated = left.iter().filter(|(_, report)| report["verdict"] == "non-serializable").count();
        if (left.len(), violated) == (FORKS, FORKS) { Ok(()) } else { Err(format!("{left:?}")) }
    });
}

#[test]
fn the_name_of_a_report_can_contain_the_process_id() {
    on_two_jvms(|jvm| {
        let (run, reports) = with_a_child(jvm, "report-%p.json")?;
        let is_quiet = !run.err.contains("regiontrack:");
        if are_complete(&reports) && is_quiet { Ok(()) } else { Err(format!("{run:?} {reports:?}")) }
    });
}
