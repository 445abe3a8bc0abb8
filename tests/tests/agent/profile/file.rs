//! The profile's file: it is written however the run ends, broken files are rejected and left unchanged, and runs that end
//! simultaneously lose nothing.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::{Profiled, is_guided};
use crate::machine::{Jvm, Run, finish, is_full, on_newest_jvm, on_two_jvms};

/// What the program with the different ends shares.
const SHARED: [&str; 2] = ["block profiled.Ends.increment()V", "field profiled.Ends.count"];

fn has_learnt(profiled: &Profiled, runs: u64) -> Result<(), String> {
    let facts = profiled.facts()?;
    let known = SHARED.iter().all(|fact| facts.contains(*fact));
    if known && profiled.read()?.runs == runs { Ok(()) } else { Err(profiled.text()) }
}

#[test]
fn the_profile_is_written_however_the_program_ends() {
    let ends: [(&str, &str, i32); 7] = [
        ("", "return", 0),
        ("", "exit", 5),
        ("", "halt", 6),
        ("", "throw", 1),
        ("exitcode=66", "return", 66),
        ("halt_on_violation=true", "wait", 66),
        ("vm_death=false", "exit", 5),
    ];
    on_newest_jvm(|jvm| {
        for (options, end, code) in ends {
            let profiled = Profiled::new()?;
            for runs in 1..=2 {
                let (run, report) = profiled.run(jvm, options, &["profiled.Ends", end])?;
                let told = |why: String| format!("{options} {end}, run {runs}: {why} {run:?} {report}");
                has_learnt(&profiled, runs).map_err(told)?;
                let is_found = report["verdict"] == "non-serializable" && is_guided(&report) == (runs > 1);
                if run.code != Some(code) || !is_found {
                    return Err(told(String::new()));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn the_profile_is_written_when_the_program_is_terminated() {
    on_two_jvms(|jvm| {
        let profiled = Profiled::new()?;
        for runs in 1..=2 {
            let mut command = jvm.command(Some(&profiled.options("")), &["profiled.Ends", "wait"]);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
            let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
            let is_running = lines.any(|line| line == "running");
            let mut kill = Command::new("kill");
            kill.args(["-TERM", &child.id().to_string()]);
            finish(kill);
            let status = child.wait().map_err(|e| e.to_string())?;
            has_learnt(&profiled, runs)?;
            if !is_running || status.code() != Some(143) {
                return Err(format!("running {is_running}, {status}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_run_that_has_lost_events_adds_nothing_and_says_so() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        let lost = |profiled: &Profiled| -> Result<bool, String> {
            let (_, report) = profiled.run(jvm, "fail_after=1,arrays=all", &["profiled.Ends", "return"])?;
            Ok(report["verdict"] == "incomplete" && report["warnings"].to_string().contains("nothing is added to it"))
        };
        let is_said = lost(&profiled)? && !profiled.path().exists();
        profiled.run(jvm, "", &["profiled.Ends", "return"])?;
        let before = profiled.text();
        if is_said && lost(&profiled)? && profiled.text() == before { Ok(()) } else { Err(profiled.text()) }
    });
}

/// Whether the program did not start, and the only line names the file and has these words.
fn is_refused(run: &Run, words: &[&str]) -> bool {
    let is_clear = match run.said()[..] {
        [line] => line.starts_with("regiontrack: ") && words.iter().all(|word| line.contains(word)),
        _ => false,
    };
    is_clear && run.out.is_empty() && run.code == Some(2)
}

#[test]
fn a_broken_profile_is_one_line_with_its_place_and_stays_as_it_is() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        profiled.run(jvm, "", &["profiled.Ends", "return"])?;
        let whole = profiled.text();
        let lines: Vec<&str> = whole.lines().collect();
        let edited = |line: usize, text: &str| {
            let mut lines = lines.clone();
            lines[line - 1] = text;
            (lines.join("\n") + "\n", format!("app.profile:{line}: "))
        };
        let cut = |length: usize| (whole[..length].to_owned(), "app.profile".to_owned());
        let mut broken = vec![
            edited(1, "regiontrack profile 9"),
            edited(2, "runs many"),
            edited(4, "blocks profiled.Ends.increment()V"),
            edited(4, "block profiled. Ends"),
            edited(lines.len() - 1, "<<<<<<< HEAD"),
            cut(whole.len() - 4),
        ];
        let step = if is_full() { 7 } else { whole.len() / 3 };
        broken.extend((0..whole.len() - 1).step_by(step).map(cut));
        for (text, place) in broken {
            std::fs::write(profiled.path(), &text).map_err(|e| e.to_string())?;
            let run = jvm.run_small(Some(&profiled.options("")), &["profiled.Ends", "return"]);
            // What to do comes after the place.
            let has_fix = [";", "expected", "use the one"].iter().any(|word| run.err.contains(word));
            if !is_refused(&run, &[&place]) || !has_fix || profiled.text() != text {
                return Err(format!("{place} {run:?}\n{text}\nnow {}", profiled.text()));
            }
        }
        Ok(())
    });
}

#[test]
fn a_profile_that_cannot_be_written_is_a_warning() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        // The lock's name is taken.
        let lock = profiled.folder.path().join("app.profile.lock");
        std::fs::create_dir(&lock).map_err(|e| e.to_string())?;
        let (run, report) = profiled.run(jvm, "", &["profiled.Ends", "return"])?;
        let is_said = report["warnings"].to_string().contains("nothing is added to the profile: ");
        if run.code == Some(0) && is_said && report["verdict"] == "non-serializable" {
            Ok(())
        } else {
            Err(format!("{run:?} {report}"))
        }
    });
}

/// Starts a program with a profile.
fn start(jvm: &Jvm, profiled: &Profiled, arguments: &[&str]) -> Result<std::process::Child, String> {
    let mut command = jvm.command(Some(&profiled.options("")), &[jvm.flags_of_small(), arguments].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())
}

#[test]
fn two_runs_that_write_one_profile_at_the_same_time_lose_nothing() {
    let programs: [&[&str]; 2] = [&["profiled.Ends", "return"], &["violating.Counter"]];
    on_newest_jvm(|jvm| {
        let mut all = BTreeSet::new();
        for program in programs {
            let alone = Profiled::new()?;
            alone.run(jvm, "", program)?;
            all.extend(alone.facts()?);
        }
        let together = Profiled::new()?;
        let times = if is_full() { 200 } else { 3 };
        for time in 1..=times {
            // Every second time both runs begin without a file.
            if time % 2 == 1 && together.path().exists() {
                std::fs::remove_file(together.path()).map_err(|e| e.to_string())?;
            }
            let started: Result<Vec<_>, _> = programs.iter().map(|program| start(jvm, &together, program)).collect();
            for mut child in started? {
                let status = child.wait().map_err(|e| e.to_string())?;
                if status.code() != Some(0) {
                    return Err(format!("{status}"));
                }
            }
            let runs = if time % 2 == 1 { 2 } else { 4 };
            let left = std::fs::read_dir(together.folder.path()).map_err(|e| e.to_string())?.count();
            if !all.is_subset(&together.facts()?) || together.read()?.runs != runs || left != 1 {
                return Err(format!("time {time}: {left} files, {}\nexpected {all:?}", together.text()));
            }
        }
        Ok(())
    });
}

#[test]
fn a_run_that_cannot_learn_needs_a_profile_and_says_how_it_was_guided() {
    on_newest_jvm(|jvm| {
        let profiled = Profiled::new()?;
        let program = ["profiled.Meetings", "inside"];
        let trace = profiled.folder.path().join("trace.std");
        let record = format!("record={}", trace.display());
        let cannot = [&record, "predict=block", "engine=velodrome", "mode=stream"];
        for option in cannot {
            let run = jvm.run_small(Some(&profiled.options(option)), &program);
            if !is_refused(&run, &["app.profile", "no such file", "run once without"]) {
                return Err(format!("{option}: {run:?}"));
            }
        }
        let run = jvm.run_small(Some(&profiled.options("sample=10")), &program);
        if !is_refused(&run, &["sample=10", "profile="]) {
            return Err(format!("{run:?}"));
        }
        profiled.run(jvm, "", &program)?;
        let (before, whole) = (profiled.text(), profiled.folder.path().join("whole.std"));
        jvm.reported(&format!("exclude=schedule.*,record={}", whole.display()), &program)?;
        for option in cannot {
            let (_, report) = profiled.run(jvm, option, &program)?;
            let text = jvm.run_small(Some(&profiled.options(option)), &program).err;
            if !is_guided(&report) || !text.contains("guided by ") || report["verdict"] == "serializable" {
                return Err(format!("{option}: {report}\n{text}"));
            }
        }
        if profiled.text() != before {
            return Err(format!("{before}\nis now {}", profiled.text()));
        }
        let names = |path| std::fs::read_to_string(path).map_err(|e: std::io::Error| e.to_string());
        let (part, whole) = (names(&trace)?, names(&whole)?);
        // Both threads take turns with the same fields; the step belongs to one thread alone.
        let own = "Meetings.step";
        if part.lines().count() < whole.lines().count() && whole.contains(own) && !part.contains(own) {
            Ok(())
        } else {
            Err(format!("{part}\nwhole:\n{whole}"))
        }
    });
}
