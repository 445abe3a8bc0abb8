//! `candidates=`: from the places where threads meet or from its events, a run derives what could go wrong. Violations that take several steps
//! of other threads are provoked too.

use std::path::Path;
use std::process::Command;

use analysis_core::provoke::{self, Candidate, Candidates, Rank, State};
use serde_json::Value;

use crate::machine::{Jvm, command, machine, on_newest_jvm, on_two_jvms, shared_out, utf8};

/// Programs of two threads that do the same, the method in which they meet, and the name of what they meet at (empty for a monitor).
const MEETING: [(&str, &str, &str); 3] = [
    ("Fields", "provoked.Fields.take()", "seats"),
    ("Sections", "provoked.Sections.withdraw(int)", ""),
    ("Loops", "provoked.Loops.take()", "seats"),
];
/// The number of runs that is enough for a candidate.
const ENOUGH: u32 = 6;
const THROUGH: &str = "provoked.Through";
const ASK: &str = "provoked.Through.ask(int)";
const UNFINISHED: &str = "provoked.Unfinished";
const MAKE: &str = "provoked.Unfinished.make()";
/// How to learn without what is left out of the runs.
const LEFT_OUT: [&str; 4] = ["--learn", "trace", "--options", "exclude=provoked.Unfinished$Shelf"];

fn read(path: &Path) -> Result<Candidates, String> {
    provoke::read(path).map_err(|e| e.to_string())?.ok_or_else(|| format!("{}: no file", path.display()))
}

/// Returns the candidates of a run with these options, and its report.
fn shown(jvm: &Jvm, program: &[&str], more: &str) -> Result<(Candidates, Value), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("app.candidates");
    let (run, report) = jvm.reported(&format!("candidates={},{more}", utf8(&path)), program)?;
    let plain = jvm.run_small(None, program);
    if (run.code, &run.out) != (plain.code, &plain.out) || report["warnings"] != Value::Array(Vec::new()) {
        return Err(format!("{program:?} {more}: {run:?} {report}"));
    }
    Ok((read(&path)?, report))
}

/// Which places of the method appear depends on which thread came first.
fn has(all: &Candidates, (_, block, name): (&str, &str, &str)) -> bool {
    let is_it = |candidate: &Candidate| {
        candidate.block == block && candidate.places().any(|place| place.name == name) && candidate.steps.is_empty()
    };
    all.in_order().into_iter().any(|(candidate, trials)| is_it(candidate) && trials.state() == State::New)
}

#[test]
fn places_where_threads_meet_are_candidates_without_a_trace() {
    on_two_jvms(|jvm| {
        for meeting in MEETING {
            let name = meeting.0;
            let program = [format!("provoked.{name}")];
            let program: Vec<&str> = program.iter().map(String::as_str).collect();
            let (all, report) = shown(jvm, &program, "")?;
            if !has(&all, meeting) || report["stats"]["mode"] == "stream" {
                return Err(format!("{name}: {}", all.to_text()));
            }
        }
        // What one lock protects throughout, or one call does at once, is no candidate.
        for name in ["FieldsLocked", "SectionsLocked"] {
            let (all, _) = shown(jvm, &[&format!("provoked.{name}")], "")?;
            let of_data =
                all.in_order().into_iter().filter(|(candidate, _)| candidate.rank() == Rank::Conflict).count();
            if of_data > 0 {
                return Err(format!("{name}: {}", all.to_text()));
            }
        }
        Ok(())
    });
}

#[test]
fn events_are_candidates_where_a_run_predicts_or_records() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let record = format!("record={}", utf8(&folder.path().join("run-%p.rtb")));
        for more in ["predict=commit-node-conflict", "predict=block", "mode=stream", &record] {
            let (all, _) = shown(jvm, &["provoked.Fields"], more)?;
            if !has(&all, MEETING[0]) {
                return Err(format!("{more}: {}", all.to_text()));
            }
        }
        // A profile selects what is watched.
        let profile = format!("slice=0,profile={}", utf8(&folder.path().join("app.profile")));
        for more in ["", "", "predict=block"] {
            let (all, _) = shown(jvm, &["provoked.Fields"], &format!("{profile},{more}"))?;
            if !has(&all, MEETING[0]) {
                return Err(format!("{profile},{more}: {}", all.to_text()));
            }
        }
        Ok(())
    });
}

#[test]
fn a_broken_file_stays_as_it_is_and_that_is_said() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("app.candidates");
        std::fs::write(&path, "regiontrack candidates 1\n").map_err(|e| e.to_string())?;
        let (run, report) = jvm.reported(&format!("candidates={}", utf8(&path)), &["provoked.Fields"])?;
        let is_told = report["warnings"].as_array().is_some_and(|all| {
            all.iter()
                .any(|line| line.as_str().is_some_and(|line| line.starts_with("nothing is added to the candidates")))
        });
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let is_right = run.out == "done\n" && is_told && text == "regiontrack candidates 1\n";
        if is_right { Ok(()) } else { Err(format!("{run:?} {report} {text}")) }
    });
}

/// Returns the command's result for a program, learning in this way.
fn provoked(jvm: &Jvm, program: &[&str], learn: &str, folder: &Path) -> Result<Value, String> {
    provoked_with(jvm, program, &["--learn", learn], folder)
}

fn provoked_with(jvm: &Jvm, program: &[&str], more: &[&str], folder: &Path) -> Result<Value, String> {
    let java = jvm.started(program);
    let mut provoke = Command::new(command());
    provoke.args(["provoke", "--format", "json", "--no-minimize", "--no-priorities", "--runs", "12"]);
    provoke.args(more);
    provoke.arg("--candidates").arg(folder.join("app.candidates")).arg("--agent").arg(&machine().jar);
    let ran = provoke.arg("--").arg(java.get_program()).args(java.get_args()).output().map_err(|e| e.to_string())?;
    serde_json::from_slice(&ran.stdout).map_err(|e| format!("{program:?}: {e}: {ran:?}"))
}

#[test]
fn what_places_show_is_made_to_go_wrong() {
    on_newest_jvm(|jvm| {
        for name in ["Fields", "Sections"] {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let result = provoked(jvm, &[&format!("provoked.{name}")], "places", folder.path())?;
            if result["confirmed"].as_u64().is_none_or(|confirmed| confirmed == 0) {
                return Err(format!("{name}: {result}"));
            }
        }
        Ok(())
    });
}

/// One thread sees what the block did and tells a third thread, which changes what the block does next. This is provoked, and happens again in
/// each run under its schedule.
#[test]
fn what_goes_through_a_third_thread_is_made_to_go_wrong_and_happens_again() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let result = provoked(jvm, &[THROUGH], "trace", folder.path())?;
        let candidates = result["candidates"].as_array().ok_or("no candidates")?;
        let is_it = |line: &&Value| line["block"] == ASK && line["rank"] == "steps" && line["state"] == "confirmed";
        let candidate = candidates.iter().find(is_it).ok_or_else(|| result.to_string())?;
        let threads: Vec<&str> =
            candidate["steps"].as_array().into_iter().flatten().filter_map(|step| step["thread"].as_str()).collect();
        if threads != ["b", "b", "c", "c"] {
            return Err(format!("{candidate}"));
        }
        let id = candidate["id"].as_str().unwrap_or_default();
        let schedule = folder.path().join(format!("app.schedules/{id}.schedule"));
        // If the block was passed more than once, a thread that is held before its last place is any thread.
        let points: &[u64] = if candidate["hold"] == candidate["last"] { &[1, 6] } else { &[5] };
        happens_again(jvm, &format!("replay={}", utf8(&schedule)), &[THROUGH], ASK, points)
    });
}

/// Replays a schedule three times: in each run the method is violated and all points are passed.
fn happens_again(jvm: &Jvm, options: &str, program: &[&str], method: &str, points: &[u64]) -> Result<(), String> {
    for _ in 0..3 {
        let (_, report) = jvm.reported(options, program)?;
        let replayed = &report["replayed"];
        let has_happened =
            report["violations"].as_array().is_some_and(|all| all.iter().any(|one| one["method"] == method));
        let is_whole = points.iter().any(|points| replayed["points"] == *points && replayed["passed"] == *points);
        if !has_happened || !is_whole {
            return Err(format!("{report}"));
        }
    }
    Ok(())
}

/// Returns the confirmed candidate that holds the thread before its last place.
fn held_before(result: &Value) -> Result<&Value, String> {
    let candidates = result["candidates"].as_array().ok_or("no candidates")?;
    let is_it = |line: &&Value| line["block"] == MAKE && line["rank"] == "steps" && line["state"] == "confirmed";
    candidates.iter().find(is_it).filter(|line| line["hold"] == line["last"]).ok_or_else(|| result.to_string())
}

/// Others can come only when the block has passed something that is no event, so its thread is held before its last place. If the block is passed
/// once, the schedule has points; else any thread is held there.
#[test]
fn what_is_published_between_two_places_is_used_too_early_and_is_again() {
    on_newest_jvm(|jvm| {
        for (rounds, points) in [("100", [1]), ("1", [4])] {
            let (folder, program) = (tempfile::tempdir().map_err(|e| e.to_string())?, [UNFINISHED, rounds, "field"]);
            let result = provoked_with(jvm, &program, &LEFT_OUT, folder.path())?;
            let id = held_before(&result).map_err(|why| format!("{rounds}: {why}"))?["id"].as_str().unwrap_or_default();
            let schedule = folder.path().join(format!("app.schedules/{id}.schedule"));
            let options = format!("replay={},{}", utf8(&schedule), LEFT_OUT[3]);
            happens_again(jvm, &options, &program, MAKE, &points).map_err(|why| format!("{rounds}: {why}"))?;
        }
        Ok(())
    });
}

#[test]
fn a_thread_is_held_before_whatever_its_last_place_does() {
    on_two_jvms(|jvm| {
        shared_out(jvm, &["element", "call", "number"]).try_for_each(|kind| {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let result = provoked_with(jvm, &[UNFINISHED, "1", kind], &LEFT_OUT, folder.path())?;
            held_before(&result).map(|_| ()).map_err(|why| format!("{kind}: {why}"))
        })
    });
}

/// The candidate is tried and never met: the third thread takes what it passes on from elsewhere.
#[test]
fn a_candidate_with_steps_that_cannot_be_costs_runs_and_finds_nothing() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = folder.path().join("app.candidates");
        let (all, _) = shown(jvm, &[THROUGH], "predict=commit-node-conflict")?;
        let (known, _) = all
            .in_order()
            .into_iter()
            .find(|(candidate, _)| candidate.rank() == Rank::Steps && !candidate.is_held_before())
            .ok_or_else(|| all.to_text())?;
        // The last step is on the object of the first place, which no other thread writes.
        let mut candidate = known.clone();
        candidate.steps.iter_mut().for_each(|step| step.object = Some(0));
        let mut candidates = Candidates::new();
        candidates.add(candidate.clone());
        provoke::write(&path, || Ok::<_, provoke::Error>(candidates)).map_err(|e| e.to_string())?;
        for _ in 0..ENOUGH {
            let (run, report) = jvm.reported(&format!("provoke={}", utf8(&path)), &[THROUGH])?;
            if run.out != "done\n" || report["verdict"] == "incomplete" {
                return Err(format!("{run:?} {report}"));
            }
        }
        let all = read(&path)?;
        let trials = all.trials(&candidate).ok_or("it is gone")?;
        if (trials.met, trials.is_confirmed) == (0, false) { Ok(()) } else { Err(format!("{trials:?}")) }
    });
}
