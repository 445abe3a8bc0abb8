//! `provoke=`: threads are held where a file of candidates says that other threads may come between. This finds what threads
//! rarely let happen, correct programs behave as before, and the file receives the results.
//!
//! The comments of a program contain its candidate: `// block` before a method, and the places at the ends of their lines.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use analysis_core::provoke::{self, Action, Candidate, Candidates, Place, State, Trials};
use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{Jvm, Run, class_of, finish, on_newest_jvm, on_two_jvms, programs, sources, utf8};

/// The number of runs that confirm a candidate whose threads only have to be held. A hold may be too short on a busy machine.
const ENOUGH: u64 = 8;

const WRONG: [&str; 11] =
    ["Blocks", "Copied", "Early", "Elements", "Fields", "Locks", "Maps", "Passed", "Relayed", "Sections", "Statics"];
/// Two threads that lock objects of their own, or the same object if there is an argument.
const APART: [&str; 2] = ["Apart", "ApartBlocks"];
const RIGHT: [&str; 3] = ["FieldsLocked", "MapsAtOnce", "SectionsLocked"];

/// The words in the comments.
const ROLES: [&str; 5] = ["first", "hold", "last", "other", "enter"];

/// Reads the candidate of a program of `provoked`.
pub(crate) fn candidate(class: &str) -> Candidate {
    let text = std::fs::read_to_string(sources().join(format!("provoked/{class}.java"))).expect("a source");
    let mut block = None;
    let mut places: [Option<Place>; 5] = Default::default();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, comment)) = text.split_once("// ") else { continue };
        block = block.or(comment.strip_prefix("block ").map(str::to_owned));
        for part in comment.split("; ").filter(|part| ROLES.iter().any(|role| part.starts_with(role))) {
            let mut words = part.split(' ').peekable();
            let mut roles = Vec::new();
            while let Some(role) = words.peek().and_then(|word| ROLES.iter().position(|role| role == word)) {
                roles.push(role);
                words.next();
            }
            let location = format!("{}:{line}", words.next().expect("a method"));
            let action = words.next().and_then(Action::named).expect("an action");
            let place = Place::new(location, action, words.next().unwrap_or_default()).expect("a place");
            roles.into_iter().for_each(|role| places[role] = Some(place.clone()));
        }
    }
    let [first, hold, last, other, enter] = places;
    let first = first.expect("a first place");
    Candidate {
        block: block.expect("a block"),
        variable: "variable".to_owned(),
        hold: hold.unwrap_or_else(|| first.clone()),
        first,
        last: last.expect("a last place"),
        other: other.expect("another place"),
        enter,
        steps: Vec::new(),
    }
}

/// A file with one candidate.
struct Provoked {
    folder: TempDir,
    candidate: Candidate,
}

impl Provoked {
    fn new(candidate: Candidate) -> Result<Provoked, String> {
        Provoked::tried(candidate, Trials::default())
    }

    /// A file with a candidate that has been tried before.
    fn tried(candidate: Candidate, trials: Trials) -> Result<Provoked, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let provoked = Provoked { folder, candidate };
        let mut candidates = Candidates::new();
        candidates.add_trials(provoked.candidate.clone(), trials);
        provoke::write(&provoked.path(), || Ok::<_, provoke::Error>(candidates)).map_err(|e| e.to_string())?;
        Ok(provoked)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("app.candidates")
    }

    fn options(&self, more: &str) -> String {
        format!("provoke={},{more}", self.path().display())
    }

    fn run(&self, jvm: &Jvm, more: &str, arguments: &[&str]) -> Result<(Run, Value), String> {
        jvm.reported(&self.options(more), arguments)
    }

    fn known(&self) -> Result<Candidates, String> {
        Ok(provoke::read(&self.path()).map_err(|e| e.to_string())?.ok_or("no file")?)
    }

    fn trials(&self) -> Result<Trials, String> {
        self.known()?.trials(&self.candidate).copied().ok_or_else(|| "the candidate is not there".to_owned())
    }

    /// Runs the program until the candidate is confirmed. Returns the last report, or what is wrong.
    fn confirm(&self, jvm: &Jvm, more: &str, program: &[&str], out: &str) -> Result<Value, String> {
        for number in 1..=ENOUGH {
            let (run, report) = self.run(jvm, more, program)?;
            let trials = self.trials()?;
            let told = |why: &str| Err(format!("{program:?} {more}: {why}: {trials:?} {run:?} {report}"));
            if (run.code, &*run.out) != (Some(0), out) {
                return told("another end");
            }
            if trials.tries != number || report["steered"]["candidates"] != 1 {
                return told("the file has not learnt, or not once");
            }
            // Two calls of one map may overlap by chance.
            let is_expected =
                |warning: &Value| warning.as_str().is_some_and(|line| line.starts_with("tolerated: operations of the"));
            let warnings = report["warnings"].as_array().ok_or("no warnings")?;
            if report["verdict"] == "incomplete" || !warnings.iter().all(is_expected) {
                return told("something is missing");
            }
            if trials.state() == State::Confirmed {
                return Ok(report);
            }
        }
        Err(format!("{program:?} {more}: not confirmed: {:?}", self.trials()?))
    }
}

/// Returns the class of a program.
fn class(name: &str) -> String {
    format!("provoked.{name}")
}

/// Returns the report's finding about the block of a candidate.
fn finding<'a>(report: &'a Value, candidate: &Candidate) -> &'a Value {
    let all = report["violations"].as_array().into_iter().flatten();
    all.into_iter().find(|finding| finding["method"] == candidate.block).unwrap_or(&Value::Null)
}

fn check_wrong(jvm: &Jvm, name: &str, more: &str) -> Result<(), String> {
    let provoked = Provoked::new(candidate(name))?;
    let report = provoked.confirm(jvm, more, &[&class(name)], "done\n")?;
    let (of, candidate) = (&finding(&report, &provoked.candidate)["provoked"], &provoked.candidate);
    // The other thread's block may also be violated, before that of the held thread.
    let is_observed = of.is_null() && finding(&report, &provoked.candidate)["count"] == 2;
    // A thread may also have come too early and waited until another was held.
    let enter = candidate.enter.as_ref().unwrap_or(&candidate.other);
    let ways = [[&candidate.hold, &candidate.other], [enter, &candidate.hold]];
    let is_told = of["candidate"] == candidate.id()
        && of["held_ms"].as_u64().is_some_and(|held| held > 0)
        && ways.iter().any(|[at, until]| of["at"] == at.brief() && of["until"] == until.brief())
        && of["confirms"] == true;
    let steered = &report["steered"];
    let is_counted = steered["file"] == utf8(&provoked.path())
        && ["held", "confirmed"].iter().all(|count| steered[count] == 1)
        && steered["met"] == 1
        && steered["held_ms"].as_u64().is_some_and(|held| held > 0);
    if (is_told || is_observed) && is_counted { Ok(()) } else { Err(format!("{name} {more}: {report}")) }
}

#[test]
fn what_threads_seldom_let_happen_is_made_to_happen() {
    on_two_jvms(|jvm| {
        let wrong: Vec<String> = WRONG.iter().filter_map(|name| check_wrong(jvm, name, "").err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

#[test]
fn so_it_is_where_every_event_is_recorded_and_where_elements_of_all_arrays_are_watched() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let record = format!("record={}", utf8(&folder.path().join("run-%p.rtb")));
        for more in ["mode=stream", &record, "nested=false", "arrays=all,reads=all"] {
            for name in ["Blocks", "Elements", "Maps", "Sections"] {
                check_wrong(jvm, name, more)?;
            }
        }
        Ok(())
    });
}

#[test]
fn a_profile_says_what_is_watched_and_the_places_are_there() {
    on_newest_jvm(|jvm| {
        for name in WRONG {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            let profile = format!("slice=0,profile={}", utf8(&folder.path().join("app.profile")));
            jvm.reported(&profile, &[&class(name)])?;
            check_wrong(jvm, name, &profile)?;
        }
        Ok(())
    });
}

/// A thread is held for the candidate, and its block is violated meanwhile, but by another variable: this is reported, and the candidate is
/// not confirmed.
#[test]
fn what_is_violated_besides_confirms_no_candidate() {
    on_two_jvms(|jvm| {
        let provoked = Provoked::new(candidate("Besides"))?;
        for _ in 0..ENOUGH {
            let (run, report) = provoked.run(jvm, "", &[&class("Besides")])?;
            let of = &finding(&report, &provoked.candidate)["provoked"];
            let trials = provoked.trials()?;
            let is_right = (run.code, &*run.out) == (Some(0), "done\n")
                && report["steered"]["confirmed"] == 0
                && (trials.met, trials.is_confirmed) == (0, false)
                && of["until"].is_null();
            if !is_right || !of.is_null() && of["confirms"] != false {
                return Err(format!("{trials:?} {run:?} {report}"));
            }
            if of["candidate"] == provoked.candidate.id() {
                return Ok(());
            }
        }
        Err(format!("never violated while a thread was held: {:?}", provoked.trials()?))
    });
}

/// A thread that takes the lock of another object does not come between.
#[test]
fn a_thread_that_takes_another_lock_is_not_met() {
    on_two_jvms(|jvm| {
        for name in APART {
            let provoked = Provoked::new(candidate(name))?;
            let mut held = 0;
            for _ in 0..3 {
                let (run, report) = provoked.run(jvm, "", &[&class(name)])?;
                held += report["steered"]["held"].as_u64().unwrap_or(0);
                if run.out != "done\n" || report["steered"]["met"] != 0 || report["violated"] != 0 {
                    return Err(format!("{name}: {run:?} {report}"));
                }
            }
            let trials = provoked.trials()?;
            if held == 0 || (trials.met, trials.is_confirmed) != (0, false) {
                return Err(format!("{name}: {trials:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_thread_that_takes_the_same_lock_comes_between_two_sections() {
    on_two_jvms(|jvm| {
        for program in [&["provoked.Apart", "same"][..], &["provoked.ApartBlocks", "same"], &["provoked.ApartClasses"]]
        {
            let name = program[0].rsplit('.').next().expect("a name");
            Provoked::new(candidate(name))?.confirm(jvm, "", program, "done\n")?;
        }
        Ok(())
    });
}

#[test]
fn correct_programs_stay_correct() {
    on_two_jvms(|jvm| {
        for name in RIGHT {
            let provoked = Provoked::new(candidate(name))?;
            for tries in 1..=3 {
                let (run, report) = provoked.run(jvm, "", &[&class(name)])?;
                let trials = provoked.trials()?;
                let is_right = (run.code, &*run.out) == (Some(0), "done\n")
                    && report["violated"] == 0
                    && report["violations"] == Value::Array(Vec::new())
                    && (trials.tries, trials.is_confirmed) == (tries, false);
                if !is_right {
                    return Err(format!("{name}: {trials:?} {run:?} {report}"));
                }
            }
        }
        Ok(())
    });
}

/// A hold may take up to 90 per cent of the run's time, but no thread can come while the held thread has the lock.
#[test]
fn a_hold_ends_where_nobody_can_come() {
    on_newest_jvm(|jvm| {
        for name in ["FieldsLocked", "SectionsLocked"] {
            let held = Trials { tries: 12, held: 7, met: 1, ..Trials::default() };
            let provoked = Provoked::tried(candidate(name), held)?;
            if provoked.known()?.bound(&provoked.candidate, 0).as_millis() != 640 {
                return Err("the bound is another one".to_owned());
            }
            let (_, report) = provoked.run(jvm, "provoke-share=90", &[&class(name)])?;
            let steered = &report["steered"];
            if steered["held"] != 1 || steered["held_ms"].as_u64().is_none_or(|held| held > 100) {
                return Err(format!("{name}: {report}"));
            }
        }
        Ok(())
    });
}

#[test]
fn threads_of_all_kinds_wait_for_each_other_as_before() {
    on_two_jvms(|jvm| {
        let plain = jvm.run_small(None, &["provoked.Manners"]);
        for (tries, end) in [(0, "exit"), (1, "halt")] {
            let provoked = Provoked::tried(candidate("Manners"), Trials { tries, ..Trials::default() })?;
            let (arguments, code): (&[&str], _) =
                if end == "exit" { (&["provoked.Manners"], 3) } else { (&["provoked.Manners", "4"], 4) };
            let (run, report) = provoked.run(jvm, "provoke-share=60", arguments)?;
            let trials = provoked.trials()?;
            let is_right = plain.code == Some(3)
                && (run.code, &run.out) == (Some(code), &plain.out)
                && (trials.tries, trials.held) == (tries + 1, 1)
                && report["verdict"] != "incomplete";
            if !is_right {
                return Err(format!("{end}: {trials:?} {run:?} {report}"));
            }
        }
        Ok(())
    });
}

#[test]
fn the_file_learns_when_the_program_is_terminated() {
    on_newest_jvm(|jvm| {
        let provoked = Provoked::new(candidate("Ends"))?;
        let mut command = jvm.command(Some(&provoked.options("")), &["provoked.Ends"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
        let is_running = lines.any(|line| line == "running");
        let mut kill = Command::new("kill");
        kill.args(["-TERM", &child.id().to_string()]);
        finish(kill);
        child.wait().map_err(|e| e.to_string())?;
        let trials = provoked.trials()?;
        if is_running && trials.tries == 1 { Ok(()) } else { Err(format!("{is_running} {trials:?}")) }
    });
}

/// Places that do not exist, as after a change of the program.
#[test]
fn places_that_are_nowhere_are_named() {
    on_newest_jvm(|jvm| {
        let mut moved = candidate("Fields");
        moved.other = Place::new("provoked.Fields.take:999", Action::Write, "seats").expect("a place");
        let provoked = Provoked::new(moved)?;
        let (run, report) = provoked.run(jvm, "", &["provoked.Fields"])?;
        let expected = format!(
            "provoke={}: no class that was loaded has these places: provoked.Fields.take:999 write seats",
            provoked.path().display()
        );
        let is_right = run.out == "done\n" && report["warnings"][0] == expected && provoked.trials()?.tries == 1;
        // A program without any of these places is no run of these candidates.
        let (_, other) = provoked.run(jvm, "", &["provoked.Statics"])?;
        if is_right && other["steered"]["held"] == 0 && provoked.trials()?.tries == 1 {
            Ok(())
        } else {
            Err(format!("{run:?} {report} {other}"))
        }
    });
}

#[test]
fn wrong_uses_get_a_line() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let none = folder.path().join("none");
        let profile = folder.path().join("app.profile");
        std::fs::write(&profile, "regiontrack profile 1\nend\n").map_err(|e| e.to_string())?;
        let of = |path: &Path| format!("provoke={}", path.display());
        for (options, says) in [
            (
                of(&none),
                "none: there is no such file; regiontrack candidates TRACE -o FILE makes one of a recorded run",
            ),
            (of(&profile), "is no list of candidates: expected 'regiontrack candidates 1' as its first line"),
            ("provoke-share=20".to_owned(), "provoke-share=20: no thread is held; add provoke=FILE"),
        ] {
            let run = jvm.run(Some(&options), &["provoked.Fields"]);
            let said = run.said();
            if run.code != Some(2) || !run.out.is_empty() || said.len() != 1 || !said[0].contains(says) {
                return Err(format!("{options}: {run:?}"));
            }
        }
        Ok(())
    });
}

/// The text report alone shows how a finding came about; no second file with the candidates is needed.
#[test]
fn the_text_says_how_a_finding_came() {
    on_newest_jvm(|jvm| {
        let provoked = Provoked::new(candidate("Sections"))?;
        let mut text = String::new();
        for _ in 0..ENOUGH {
            text = jvm.run_small(Some(&provoked.options("")), &["provoked.Sections"]).err;
            if provoked.trials()?.is_confirmed {
                break;
            }
        }
        let candidate = &provoked.candidate;
        let (at, how) =
            (format!(" ms at {} until ", candidate.hold.brief()), format!(" (candidate {})", candidate.id()));
        let head = format!("  steered by {}: 1 candidate, 1 with a thread held, ", provoked.path().display());
        let is_told = text
            .lines()
            .any(|line| line.starts_with("   provoked: held ") && line.contains(&at) && line.ends_with(&how));
        if is_told && text.lines().any(|line| line.starts_with(&head)) { Ok(()) } else { Err(text) }
    });
}

/// Every program with a candidate in its comments is run.
#[test]
fn every_program_is_run() {
    let files = programs("provoked").into_iter();
    let with_candidate = files.filter(|file| std::fs::read_to_string(file).expect("a source").contains(" // first "));
    let names: Vec<String> = with_candidate.map(|file| class_of(&file)).collect();
    let mut known: Vec<String> =
        [&WRONG[..], &RIGHT[..], &APART, &["ApartClasses", "Besides", "Ends", "Manners", "Skips", "Slow"]]
            .concat()
            .into_iter()
            .map(class)
            .collect();
    known.sort_unstable();
    assert_eq!(names, known);
}
