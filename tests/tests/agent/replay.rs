//! `schedules=`, `replay=` and `regiontrack replay`: a provoked violation happens again under its schedule in each run, also with
//! fewer switch points, but not in another program. Correct programs stay correct.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use analysis_core::provoke::schedule::{self, Role, Schedule};
use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{Jvm, command, is_full, jdk, machine, on_newest_jvm, on_two_jvms, shared_out, sources, utf8};
use crate::provoke::candidate;

/// The number of runs that confirm a candidate, including those that learn.
const ENOUGH: &str = "10";
/// The same number in parts: one schedule is enough, and the first parts usually give one.
const PARTS: [&str; 4] = ["2", "1", "2", "5"];

const WRONG: [&str; 5] = ["Fields", "Sections", "Maps", "Tasks", "Loops"];
/// Further programs, on one JVM: the first two, in a full run all.
const MORE: [&str; 6] = ["Late", "Locks", "Blocks", "Early", "Elements", "Statics"];

fn run(jvm: &Jvm, words: &[&str], class: &str) -> Output {
    run_of(jvm, words, &[&format!("provoked.{class}")])
}

/// Runs the command on a program with these JVM arguments.
fn run_of(jvm: &Jvm, words: &[&str], program: &[&str]) -> Output {
    let program = jvm.started(program);
    let mut command = Command::new(command());
    command.args(&words[..1]).args(["--format", "json", "--agent"]).arg(&machine().jar).args(&words[1..]);
    command.arg("--").arg(program.get_program()).args(program.get_args());
    command.output().expect("the command starts")
}

/// Returns what the command printed, if it ended with this exit code.
fn result(ran: &Output, code: i32) -> Result<Value, String> {
    let told = || format!("{ran:?}");
    if ran.status.code() != Some(code) {
        return Err(told());
    }
    serde_json::from_slice(&ran.stdout).map_err(|error| format!("{error}: {}", told()))
}

/// Provokes a program until there is a usable schedule. Returns a folder and its schedule files. A full run does all runs in any case.
fn provoked(jvm: &Jvm, class: &str, is_usable: impl Fn(&Path) -> bool) -> Result<(TempDir, Vec<PathBuf>), String> {
    provoked_by(jvm, &[&format!("provoked.{class}")], is_usable)
}

/// The same with the JVM arguments given.
pub(crate) fn provoked_by(
    jvm: &Jvm,
    program: &[&str],
    is_usable: impl Fn(&Path) -> bool,
) -> Result<(TempDir, Vec<PathBuf>), String> {
    let parts: &[&str] = if is_full() { &[ENOUGH] } else { &PARTS };
    provoked_in(jvm, program, parts, is_usable)
}

/// The same with these numbers of runs, each part continuing from the candidates of the parts before it. If no schedule
/// is usable after all parts, returns those that exist.
fn provoked_in(
    jvm: &Jvm,
    program: &[&str],
    parts: &[&str],
    is_usable: impl Fn(&Path) -> bool,
) -> Result<(TempDir, Vec<PathBuf>), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [candidates, schedules] = ["c", "s"].map(|name| folder.path().join(name));
    let (mut files, mut told) = (Vec::new(), Value::Null);
    for (number, runs) in (1..).zip(parts) {
        let words = ["provoke", "--no-priorities", "--no-minimize", "--runs", *runs];
        let kept = ["--candidates", utf8(&candidates), "--schedules", utf8(&schedules)];
        let ran = run_of(jvm, &[&words[..], &kept].concat(), program);
        // A few runs may find nothing. The last part must have found something.
        let is_quiet = ran.status.code() == Some(0) && number < parts.len();
        told = result(&ran, i32::from(!is_quiet)).map_err(|why| format!("{program:?}: {why}"))?;
        // The folder exists once something is found.
        let entries = std::fs::read_dir(&schedules).into_iter().flatten();
        files = entries.map(|entry| entry.expect("readable").path()).collect::<Vec<PathBuf>>();
        if !is_quiet && files.iter().any(|file| is_usable(file)) {
            break;
        }
    }
    files.sort();
    if files.is_empty() { Err(format!("{program:?}: no schedule: {told}")) } else { Ok((folder, files)) }
}

/// Returns the result of this many runs of `replay`.
pub(crate) fn replayed_by(jvm: &Jvm, program: &[&str], runs: u32, file: &Path) -> Result<Value, String> {
    result(&run_of(jvm, &["replay", "--runs", &runs.to_string(), utf8(file)], program), 1)
}

pub(crate) fn read(path: &Path) -> Result<Schedule, String> {
    schedule::read(path).map_err(|e| e.to_string())?.ok_or_else(|| "no file".to_owned())
}

/// Whether the schedule has switch points, which distinguish the threads.
pub(crate) fn has_points(file: &Path) -> bool {
    read(file).is_ok_and(|schedule| !schedule.points.is_empty())
}

/// The same, but only schedules with points. On a busy machine every other thread may come too late for its hold, and the schedules
/// are then for any thread; so there are three attempts.
fn provoked_with_points(jvm: &Jvm, class: &str) -> Result<(TempDir, Vec<PathBuf>), String> {
    for _ in 0..3 {
        let (folder, mut files) = provoked(jvm, class, has_points)?;
        files.retain(|file| has_points(file));
        if !files.is_empty() {
            return Ok((folder, files));
        }
    }
    Err(format!("{class}: no schedule has points"))
}

fn happens_again(jvm: &Jvm, class: &str) -> Result<(), String> {
    let (_folder, files) = provoked_with_points(jvm, class)?;
    // Further schedules of the program are similar.
    let (schedules, runs) = if is_full() { (2, 10) } else { (1, 4) };
    for file in files.into_iter().take(schedules) {
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let ran = run(jvm, &["replay", "--runs", &runs.to_string(), utf8(&file)], class);
        let result = result(&ran, 1).map_err(|why| format!("{class}: {why} {text}"))?;
        if result["happened"] != runs || result["runs"] != runs {
            return Err(format!("{class}: {result} {text} {}", String::from_utf8_lossy(&ran.stderr)));
        }
    }
    Ok(())
}

#[test]
fn what_was_provoked_happens_again_in_each_run() {
    on_two_jvms(|jvm| {
        let programs = shared_out(jvm, &WRONG);
        let wrong: Vec<String> = programs.filter_map(|class| happens_again(jvm, class).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn so_it_is_with_other_kinds_of_places() {
    on_newest_jvm(|jvm| {
        let some = if is_full() { MORE.len() } else { 2 };
        let wrong: Vec<String> = MORE[..some].iter().filter_map(|class| happens_again(jvm, class).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn switch_points_that_are_not_needed_are_left_out() {
    on_newest_jvm(|jvm| {
        let (_folder, file) = with_first(jvm)?;
        let file = &*file;
        let words = ["replay", "--minimize", "--runs", "3", utf8(file)];
        let result = result(&run(jvm, &words, "Sections"), 1)?;
        let after = read(file)?;
        let is_less = after.points.iter().all(|point| point.role != Role::First) && result["points"] == 2;
        if is_less && result["happened"] == 3 { Ok(()) } else { Err(format!("{result} {after:?}")) }
    });
}

/// Provokes a schedule whose first place is not the one behind which the thread is held. The schedule has points only if the other
/// thread came in time.
fn with_first(jvm: &Jvm) -> Result<(TempDir, PathBuf), String> {
    let has_first = |file: &Path| read(file).is_ok_and(|schedule| schedule.points.len() == 3);
    for _ in 0..5 {
        let (folder, files) = provoked(jvm, "Sections", has_first)?;
        if let Some(file) = files.into_iter().find(|file| has_first(file)) {
            return Ok((folder, file));
        }
    }
    Err("no schedule of five times has three points".to_owned())
}

/// The report and its text say how the violation came about, how far the schedule was followed, and what makes it happen again.
#[test]
fn a_report_says_how_far_the_schedule_was_followed() {
    on_newest_jvm(|jvm| {
        let (_folder, path) = with_first(jvm)?;
        let path = &*path;
        let file = utf8(path);
        let replayed = format!("  replayed {file}: 3 of 3 switch points\n");
        let provoked = format!("   to make it happen again: regiontrack replay {file} -- COMMAND\n");
        // Nobody is held if the other thread comes at the right time by itself.
        let mut texts = (0..20).map(|_| jvm.run_small(Some(&format!("replay={file}")), &["provoked.Sections"]).err);
        let Some(text) = texts.find(|text| !text.contains(&replayed) || text.contains("   provoked: held ")) else {
            return Err("in none of 20 runs a thread was held".to_owned());
        };
        if !text.contains(&replayed) || !text.contains(&provoked) {
            return Err(text);
        }
        // Another thread goes first: the schedule demands a count that is never reached.
        let mut schedule = read(path)?;
        schedule.points.iter_mut().for_each(|point| point.times += 7);
        schedule::write(path, &schedule).map_err(|e| e.to_string())?;
        let (run, report) = jvm.reported(&format!("replay={file}"), &["provoked.Sections"])?;
        let replayed = &report["replayed"];
        let ways = replayed["ways"].as_array().map_or(0, Vec::len);
        if run.out == "done\n" && replayed["passed"] == 0 && replayed["points"] == 3 && ways == 3 {
            Ok(())
        } else {
            Err(format!("{run:?} {report}"))
        }
    });
}

#[test]
fn without_threads_and_counts_any_thread_is_held() {
    on_newest_jvm(|jvm| {
        let (_folder, files) = provoked(jvm, "Sections", |_| true)?;
        schedule::write(&files[0], &read(&files[0])?.of_any_thread()).map_err(|e| e.to_string())?;
        let result = result(&run(jvm, &["replay", "--runs", "5", utf8(&files[0])], "Sections"), 1)?;
        if result["happened"] == 5 { Ok(()) } else { Err(result.to_string()) }
    });
}

/// A thread that only looked also interferes by its next step: the held thread lets it take that step, or calls would overlap.
#[test]
fn a_thread_that_only_looked_goes_on_first() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("slow.schedule");
        std::fs::write(&path, two_threads("Slow")).map_err(|e| e.to_string())?;
        let result = result(&run(jvm, &["replay", "--runs", "4", utf8(&path)], "Slow"), 1)?;
        if result["happened"] == 4 { Ok(()) } else { Err(result.to_string()) }
    });
}

/// Reads what a program prints until it contains `what`; everything if it never does.
fn until(what: &str, from: &mut impl Read) -> String {
    let (mut text, mut byte) = (Vec::new(), [0]);
    while !String::from_utf8_lossy(&text).contains(what) && from.read(&mut byte).is_ok_and(|count| count == 1) {
        text.push(byte[0]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// A thread stands still at its switch point as long as the debugger wants, and the schedule is still followed.
#[test]
fn a_debugger_stops_at_switch_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, report] = ["slow.schedule", "report.json"].map(|name| folder.path().join(name));
    std::fs::write(&path, two_threads("Slow")).expect("written");
    let options = format!("format=json,report={},replay={}", utf8(&report), utf8(&path));
    let jdwp = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";
    let java = Jvm::of_image(jdk()).command(Some(&options), &[jdwp, "provoked.Slow"]);
    // Both programs end, whatever goes wrong.
    let limited = |command: &Command| {
        let mut limited = Command::new("timeout");
        limited.args(["--signal=KILL", "300"]).arg(command.get_program()).args(command.get_args());
        limited.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.get_envs().filter(|(_, value)| value.is_none()).for_each(|(name, _)| _ = limited.env_remove(name));
        limited.spawn().expect("the platform has `timeout`")
    };
    let mut program = limited(&java);
    let out = program.stdout.as_mut().expect("piped");
    let listens = until("address: ", out);
    let port = until("\n", out);
    assert!(listens.contains("Listening"), "{listens}{port}");
    let mut jdb = Command::new(jdk().join("bin/jdb"));
    jdb.args(["-connect", &format!("com.sun.jdi.SocketAttach:hostname=127.0.0.1,port={}", port.trim())]);
    let mut debugger = limited(&jdb);
    let (mut asks, mut says) = (debugger.stdin.take().expect("piped"), debugger.stdout.take().expect("piped"));
    // Before jdb knows that the program stands still, `run` finds "Nothing suspended.".
    let mut said = until("VM Started:", &mut says);
    asks.write_all(b"stop in dev.regiontrack.runtime.replay.SwitchPoint.reached\nrun\n").expect("it reads");
    for thread in ["one", "other"] {
        said += &until("Breakpoint hit: ", &mut says);
        let hit = until("\n", &mut says);
        assert!(hit.contains(&format!("thread={thread}")) && hit.contains("SwitchPoint.reached"), "{said}{hit}");
        asks.write_all(b"cont\n").expect("it reads");
    }
    let printed = until("done\n", out);
    assert!(program.wait().expect("it ends").success() && printed.contains("done"), "{printed}");
    drop(asks);
    debugger.wait().expect("it ends");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&report).expect("a report")).expect("JSON");
    assert_eq!(
        (&report["replayed"]["passed"], &report["replayed"]["points"]),
        (&Value::from(2), &Value::from(2)),
        "{report}"
    );
}

/// Returns a schedule of the two threads that `Places.together` starts: the first one is held in the program's candidate.
fn two_threads(class: &str) -> String {
    let places = std::fs::read_to_string(sources().join("provoked/Places.java")).expect("readable");
    let line = |text: &str| places.lines().position(|line| line.trim() == text).expect("a line") + 1;
    let thread = |name: &str, start: &str| format!("thread {name} main provoked.Places.together:{} 1", line(start));
    let of_any =
        Schedule { candidate: candidate(class), finding: None, test: None, threads: Vec::new(), points: Vec::new() };
    let (one, other) = (thread("a", "first.start();"), thread("b", "second.start();"));
    let points = format!("{one}\n{other}\npoint a hold 1\npoint b other 1\nend\n");
    of_any.to_text().replace("end\n", &points)
}

/// The first thread sees no name at its first look, so it does not look again. All switch points are passed, and nothing has happened.
#[test]
fn a_block_that_ends_early_is_tried_again_with_any_thread() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("skips.schedule");
        std::fs::write(&path, two_threads("Skips")).map_err(|e| e.to_string())?;
        let (run, report) = jvm.reported(&format!("replay={}", utf8(&path)), &["provoked.Skips"])?;
        let ways = report["replayed"]["ways"].to_string();
        let is_told =
            ways.contains(" again, and not to Skips.java:") && ways.contains("after that, another thread was held");
        let is_found = report["violations"].to_string().contains("provoked.Skips.length()");
        if run.out == "done\n" && report["replayed"]["passed"] == 2 && is_told && is_found {
            Ok(())
        } else {
            Err(format!("{run:?} {report}"))
        }
    });
}

/// A program with other places gives no answer, and one with the lock around both accesses is clean.
#[test]
fn of_another_program_there_is_no_answer_and_of_a_correct_one_nothing() {
    on_two_jvms(|jvm| {
        let (folder, files) = provoked(jvm, "Sections", |_| true)?;
        let file = utf8(&files[0]);
        result(&run(jvm, &["replay", "--runs", "1", file], "Fields"), 2)?;
        // The same places in the twin.
        let twin = std::fs::read_to_string(file).map_err(|e| e.to_string())?.replace("Sections", "SectionsLocked");
        let path = folder.path().join("twin.schedule");
        std::fs::write(&path, &twin).map_err(|e| e.to_string())?;
        // The id is computed from the places: the error names it.
        let told = schedule::read(&path).expect_err("another id").to_string();
        let id = told.rsplit(' ').next().unwrap_or_default();
        let known = twin.lines().nth(1).and_then(|line| line.strip_prefix("candidate ")).unwrap_or_default();
        std::fs::write(&path, twin.replace(known, id)).map_err(|e| e.to_string())?;
        let result = result(&run(jvm, &["replay", "--runs", "3", utf8(&path)], "SectionsLocked"), 0)?;
        if result["happened"] == 0 { Ok(()) } else { Err(result.to_string()) }
    });
}

#[test]
fn threads_of_all_kinds_go_on_as_before() {
    on_two_jvms(|jvm| {
        // Its schedules hold different kinds of threads, so one schedule is not enough.
        let (_folder, files) = provoked_in(jvm, &["provoked.Manners"], &[ENOUGH], |_| true)?;
        let plain = jvm.run_small(None, &["provoked.Manners"]);
        for file in files {
            let (run, report) = jvm.reported(&format!("replay={}", utf8(&file)), &["provoked.Manners"])?;
            if (run.code, &run.out) != (plain.code, &plain.out) || report["verdict"] == "incomplete" {
                return Err(format!("{plain:?} {run:?} {report}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_schedule_is_drawn() {
    on_newest_jvm(|jvm| {
        let (_folder, files) = provoked_with_points(jvm, "Fields")?;
        let drawn = Command::new(command()).args(["explain", utf8(&files[0])]).output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&drawn.stdout);
        let says = [
            "provoked.Fields.take(): ",
            "  a: the ",
            " thread started at provoked.Places.together:",
            "seats  Fields.java:",
        ];
        if drawn.status.success() && says.iter().all(|part| text.contains(part)) {
            Ok(())
        } else {
            Err(format!("{drawn:?}"))
        }
    });
}

#[test]
fn wrong_uses_get_a_line() {
    on_newest_jvm(|jvm| {
        for (options, says) in [
            ("replay=none.schedule", "none.schedule: there is no such file; regiontrack provoke writes schedules"),
            ("schedules=s", "schedules=s: nothing is provoked; add provoke=FILE"),
        ] {
            let run = jvm.run(Some(options), &["provoked.Fields"]);
            let said = run.said();
            if run.code != Some(2) || !run.out.is_empty() || said.len() != 1 || !said[0].contains(says) {
                return Err(format!("{options}: {run:?}"));
            }
        }
        Ok(())
    });
}
