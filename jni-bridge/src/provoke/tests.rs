//! Which candidates are chosen, which violations a hold explains, and what the file learns.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use analysis_core::event::{Op, Stamp, ThreadId, VarId};
use analysis_core::provoke::{self, Action, Candidates, Outcome, Place, State};
use analysis_core::report::{Call, EventDetail, Provoked};

use super::{Provoking, Shown};

const BLOCK: &str = "app.A.f(int)";

/// A file with candidates of one block, at these lines.
fn file(folder: &tempfile::TempDir, lines: &[u32]) -> PathBuf {
    let candidate = |line: &u32| {
        let parts = format!(
            "  block {BLOCK}\n  variable A.x\n  first app.A.g:{line} read x\n  hold app.A.g:{line} release\n  last app.A.f:{} write x\n  \
             other app.A.h:{} write x\n",
            line + 1,
            line + 2
        );
        let sum = analysis_core::profile::sum(parts.replace("  ", "").as_bytes());
        let id = format!("{:012x}", (sum >> 48) ^ (sum & ((1 << 48) - 1)));
        format!("candidate {id} new tries=0 held=0 met=0\n{parts}")
    };
    let path = folder.path().join("app.candidates");
    let all: String = lines.iter().map(candidate).collect();
    std::fs::write(&path, format!("regiontrack candidates 1\nruns 0\n{all}end\n")).expect("written");
    path
}

/// A write of a variable in a method, where a path goes from one thread to another.
pub(super) fn event(method: &str, location: &str, variable: &str) -> EventDetail {
    EventDetail {
        stamp: Stamp::new(ThreadId(4), 1),
        number: None,
        thread: ThreadId(4),
        thread_name: "other".to_owned(),
        op: Op::Write(VarId(0)),
        operation: format!("write {variable}"),
        access: format!("write app.{variable}"),
        call: None,
        locks: None,
        location: location.to_owned(),
        transaction: None,
        method: Some(method.to_owned()),
        transaction_method: None,
    }
}

/// A path through the variable of the candidates, at another place.
fn through() -> [EventDetail; 1] {
    [event("app.B.z()", "B.java:3", "A.x")]
}

/// A block of this thread between these positions, and its path.
pub(super) fn shown<'a>(thread: u32, begin: u64, event: u64, method: &'a str, path: &'a [EventDetail]) -> Shown<'a> {
    Shown { thread: ThreadId(thread), begin, event, method, path }
}

fn read(path: &Path) -> Candidates {
    provoke::read(path).expect("it is one").expect("it is there")
}

/// If others came and nothing went wrong, a later call of the block may be the one that matters, or there may be only one.
#[test]
fn chances_are_passed_over_in_some_runs_after_others_have_come_in_vain() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let text = std::fs::read_to_string(&path).expect("the file");
    let skipped = |tries: u32, met: u32| -> u32 {
        let trials = format!("tries={tries} held={tries} met={met}");
        std::fs::write(&path, text.replace("tries=0 held=0 met=0", &trials)).expect("the file");
        let plan = Provoking::new(&path, None, 0).expect("candidates").plan();
        plan.trim_end().rsplit('\t').nth(1).and_then(|skipped| skipped.parse().ok()).expect("a number")
    };
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|tries| skipped(tries, 1.min(tries))), [0, 0, 1, 1, 0, 0, 2, 2]);
    assert_eq!([1, 2, 3, 7].map(|tries| skipped(tries, 0)), [0; 4]);
}

#[test]
fn runs_in_which_nobody_came_are_followed_by_ones_that_use_other_chances() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let text = std::fs::read_to_string(&path).expect("the file");
    let used = |held: u32| -> (u64, u32) {
        let trials = format!("tries={held} held={held} met=0");
        std::fs::write(&path, text.replace("tries=0 held=0 met=0", &trials)).expect("the file");
        let plan = Provoking::new(&path, None, 0).expect("candidates").plan();
        let [free, _, bound] = [0, 1, 2].map(|nth| plan.trim_end().rsplit('\t').nth(nth).expect("a column"));
        (bound.parse().expect("milliseconds"), free.parse().expect("a number"))
    };
    let expected = [(10, 0), (20, 1), (40, 2), (80, 0), (160, 1), (320, 2), (640, 0), (640, 0)];
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(used), expected);
}

#[test]
fn candidates_that_share_a_place_are_tried_one_after_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10, 20]);
    let plan = Provoking::new(&path, None, 0).expect("candidates").plan();
    assert_eq!(plan.lines().count(), 2, "{plan}");
    let first =
        "0\tapp.A.f(int)\tapp.A.g:10 read x\tapp.A.g:10 release\tapp.A.f:11 write x\tapp.A.h:12 write x\t\t10\t0\t0";
    assert_eq!(plan.lines().next(), Some(first));

    // The second candidate ends where the first one does.
    let mut candidates = Candidates::new();
    read(&path).in_order().into_iter().for_each(|(candidate, _)| {
        let mut candidate = candidate.clone();
        candidate.last = read(&path).in_order()[0].0.last.clone();
        candidates.add(candidate);
    });
    provoke::write(&path, || Ok::<_, provoke::Error>(candidates)).expect("written");
    let provoking = Provoking::new(&path, None, 0).expect("candidates");
    assert_eq!(provoking.plan().lines().count(), 1);
    provoking.found("app.A.g:10 read x");
    provoking.finish(&BTreeSet::new());
    // Now it is the other candidate's turn.
    let plan = Provoking::new(&path, None, 0).expect("candidates").plan();
    assert!(plan.starts_with("0\tapp.A.f(int)\tapp.A.g:20 read x\t"), "{plan}");
}

/// Runs side by side begin with the same file, and do not count each other.
#[test]
fn runs_side_by_side_are_steered_to_others_and_then_as_if_they_came_one_after_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<u32> = (1..=20).map(|number| 10 * number).collect();
    let path = file(&folder, &lines);
    let plan = |turn| Provoking::new(&path, None, turn).expect("candidates").plan();
    // The first place, the place before which the other thread waits, and the bound.
    let parts = |plan: &str| -> Vec<[String; 3]> {
        let line = |line: &str| {
            let columns: Vec<&str> = line.split('\t').collect();
            [columns[2], columns[6], columns[7]].map(str::to_owned)
        };
        plan.lines().map(line).collect()
    };
    let [one, two, three] = [0, 1, 2].map(|turn| parts(&plan(turn)));
    assert_eq!([one.len(), two.len(), three.len()], [8, 8, 4]);
    let all: BTreeSet<&String> = [&one, &two, &three].into_iter().flatten().map(|[first, ..]| first).collect();
    assert_eq!(all.len(), 20);
    assert!(one.iter().all(|[_, before, bound]| before.is_empty() && bound == "10"), "{one:?}");
    // The other runs with the same candidates: in every second one the other thread waits, and each holds for longer.
    for (turn, waits, bound) in [(3, true, "20"), (6, false, "40"), (9, true, "80"), (12, false, "160")] {
        let later = parts(&plan(turn));
        assert_eq!(
            later.iter().map(|[first, ..]| first).collect::<Vec<_>>(),
            one.iter().map(|[first, ..]| first).collect::<Vec<_>>()
        );
        assert!(later.iter().all(|[_, before, is]| before.is_empty() != waits && is == bound), "{turn}: {later:?}");
    }
    // Without candidates there is nothing to share.
    let none = file(&folder, &[]);
    assert_eq!(Provoking::new(&none, None, 3).expect("a file").plan(), "");
}

#[test]
fn a_violation_is_provoked_if_its_thread_was_held_between_the_begin_and_the_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let provoking = Provoking::new(&path, None, 0).expect("candidates");
    let id = read(&path).in_order()[0].0.id();
    provoking.held(3, "0\t11500\t1\t7");
    provoking.held(3, "0\t400\t0\t8");
    let of = |thread, begin, event, method| provoking.provoked(shown(thread, begin, event, method, &through()));
    for (thread, begin, event) in [(3, 9, 12), (3, 1, 7), (4, 1, 12)] {
        assert_eq!(of(thread, begin, event, BLOCK), None, "{thread} {begin} {event}");
    }
    assert_eq!(provoking.finish(&BTreeSet::new()).steered.confirmed, 0);
    let provoked = of(3, 7, 9, "app.B.inner()").expect("it was held inside");
    let held = |held_ms, until: Option<&str>, confirms| {
        let (until, confirms, at) = (until.map(str::to_owned), Some(confirms), "A.java:10".to_owned());
        Provoked::Held { candidate: id.clone(), held_ms, at, until, confirms, schedule: None }
    };
    assert_eq!(provoked, held(12, Some("A.java:12"), false));
    // A block of another method in which the thread happened to be held confirms nothing, nor does a hold to which no other
    // thread came.
    assert_eq!(of(3, 8, 9, BLOCK), Some(held(1, None, false)));
    assert_eq!(provoking.finish(&BTreeSet::new()).steered.confirmed, 0);
    assert_eq!(of(3, 7, 9, BLOCK), Some(held(12, Some("A.java:12"), true)));
    assert_eq!(provoking.finish(&BTreeSet::new()).steered.confirmed, 1);
}

/// The method is violated, but by other data: that is a finding, and the candidate is still to be tried.
#[test]
fn a_candidate_is_confirmed_by_a_path_through_its_variable_or_its_places() {
    let folder = tempfile::tempdir().expect("a folder");
    for (method, location, variable, confirms) in [
        ("app.B.z()", "B.java:3", "B.y", false),
        ("app.B.z()", "B.java:3", "B.x", false),
        ("app.B.z()", "B.java:3", "A.x", true),
        // At a place of the candidate: its line, method and name.
        ("app.A.h(long)", "Other.kt:12", "A.x", true),
        ("app.A.h(long)", "Other.kt:12", "B.x", true),
        ("app.A.h(long)", "Other.kt:12", "A.y", false),
        ("app.A.h(long)", "Other.kt:13", "B.x", false),
        ("app.A.other()", "Other.kt:12", "B.x", false),
        // The thread is held after this place, without the lock.
        ("app.A.g()", "A.java:10", "Object", true),
    ] {
        let path = file(&folder, &[10]);
        let provoking = Provoking::new(&path, None, 0).expect("candidates");
        provoking.held(3, "0\t400\t1\t8");
        let events = [event(method, location, variable)];
        let provoked = provoking.provoked(shown(3, 7, 9, BLOCK, &events)).expect("it was held inside");
        let told = matches!(provoked, Provoked::Held { confirms: Some(told), .. } if told == confirms);
        let counted = provoking.finish(&BTreeSet::new()).steered.confirmed;
        assert!(told && counted == u64::from(confirms), "{method} {location} {variable}: {provoked:?} {counted}");
    }
}

#[test]
fn an_event_without_a_line_is_at_the_place_with_its_method_and_index() {
    let place = Place::new("app.A.f(java.lang.Object):@17", Action::Write, "x").expect("a place");
    for (method, location, is_there) in [
        ("app.A.f(java.lang.Object)", "A.f(Object):@17", true),
        ("app.A.f(java.lang.Object)", "A.f(Object):@18", false),
        ("app.A.f(java.lang.Object)", "A.java:17", false),
        ("app.A.f(java.lang.String)", "A.f(String):@17", false),
    ] {
        assert_eq!(super::path::is_at(&place, &event(method, location, "B.x")), is_there, "{method} {location}");
    }
}

/// The fields of an object that a method has filled are one variable in a trace; a report names the field.
#[test]
fn a_place_or_variable_of_all_fields_is_that_of_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let known = read(&file(&folder, &[10])).in_order()[0].0.clone();
    let all = |place: &str| place.parse::<Place>().expect("a place");
    let candidate = provoke::Candidate { variable: "A.*".to_owned(), first: all("app.A.f:10 write *"), ..known };
    let goes_through = |event: EventDetail| super::path::goes_through(&candidate, &[event]);
    assert!(goes_through(event("app.B.z()", "B.java:3", "A.x")));
    assert!(!goes_through(event("app.B.z()", "B.java:3", "B.x")));
    let at = |variable| super::path::is_at(&candidate.first, &event("app.A.f(long)", "A.java:10", variable));
    assert!(at("B.x") && !at("int[] element"));
}

#[test]
fn what_a_handle_or_an_offset_leads_to_is_the_variable_of_a_candidate() {
    let folder = tempfile::tempdir().expect("a folder");
    let known = read(&file(&folder, &[10])).in_order()[0].0.clone();
    let candidate = provoke::Candidate { variable: "A.x".to_owned(), ..known };
    for owner in ["VarHandle", "Unsafe"] {
        let goes_through = |field: &str| {
            let call = Call::new(owner, "putInt").of_target(field);
            let event = event("app.B.z()", "B.java:3", "A.x").calling(Some(call));
            super::path::goes_through(&candidate, &[event])
        };
        assert!(goes_through("number app.A.x") && !goes_through("app.A.y"), "{owner}");
    }
}

/// What lies under a lock is reported later than the violation of the block.
#[test]
fn data_that_are_told_later_confirm_a_candidate_to_which_another_thread_came() {
    let folder = tempfile::tempdir().expect("a folder");
    let provoking = Provoking::new(&file(&folder, &[10]), Some(Path::new("s")), 0).expect("candidates");
    let lock = [event("app.B.z()", "B.java:3", "Object")];
    let told = |thread, hold: &str, method, data: &EventDetail| {
        provoking.held(thread, hold);
        let mut provoked = provoking.provoked(shown(thread, 7, 9, method, &lock)).expect("it was held inside");
        provoking.explain(&mut provoked, shown(thread, 7, 9, method, std::slice::from_ref(data)));
        (
            matches!(provoked, Provoked::Held { confirms: Some(true), .. }),
            provoking.finish(&BTreeSet::new()).steered.confirmed,
        )
    };
    let [ours, others] = ["A.x", "A.y"].map(|variable| event("app.B.z()", "B.java:3", variable));
    assert_eq!(told(3, "0\t400\t1\t8", BLOCK, &others), (false, 0));
    assert_eq!(told(4, "0\t400\t0\t8", BLOCK, &ours), (false, 0));
    assert_eq!(told(5, "0\t400\t1\t8", "a.B.caller()", &ours), (false, 0));
    assert_eq!(told(6, "0\t400\t1\t8", BLOCK, &ours), (true, 1));
}

/// A thread can be held for several candidates of its block in one call; all that the data reported later are about have
/// happened.
#[test]
fn data_that_are_told_later_confirm_every_candidate_of_the_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let provoking = Provoking::new(&file(&folder, &[10, 20]), None, 0).expect("candidates");
    provoking.held(3, "0\t400\t1\t7");
    provoking.held(3, "1\t400\t1\t8");
    let lock = [event("app.B.z()", "B.java:3", "Object")];
    let mut provoked = provoking.provoked(shown(3, 7, 9, BLOCK, &lock)).expect("it was held inside");
    assert_eq!(provoking.finish(&BTreeSet::new()).steered.confirmed, 0);
    provoking.explain(&mut provoked, shown(3, 8, 9, BLOCK, &through()));
    assert_eq!(provoking.finish(&BTreeSet::new()).steered.confirmed, 1);
    provoking.explain(&mut provoked, shown(3, 7, 9, BLOCK, &through()));
    assert_eq!(provoking.finish(&BTreeSet::new()).steered.confirmed, 2);
}

#[test]
fn the_file_learns_unless_none_of_the_places_is_in_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let provoking = Provoking::new(&path, None, 0).expect("candidates");
    let ended = provoking.finish(&BTreeSet::new());
    assert_eq!((ended.steered.candidates, read(&path).runs), (1, 0));
    assert!(
        ended.warnings[0].ends_with(
            "no class that was loaded has these places: app.A.f:11 write x, app.A.g:10 read x, app.A.g:10 release, app.A.h:12 write x"
        ),
        "{:?}",
        ended.warnings
    );
    for place in ["app.A.f:11 write x", "app.A.g:10 read x", "app.A.g:10 release", "app.A.h:12 write x"] {
        provoking.found(place);
    }
    provoking.held(1, "0\t90\t1\t5");
    provoking.provoked(shown(1, 5, 6, BLOCK, &through()));
    assert_eq!(provoking.finish(&BTreeSet::new()).warnings, [""; 0]);
    let candidates = read(&path);
    let (_, trials) = candidates.in_order()[0];
    assert_eq!((candidates.runs, trials.tries, trials.held, trials.met), (1, 1, 1, 1));
    assert_eq!(trials.state(), State::Confirmed);
    // Nothing is left to try.
    assert!(!Provoking::new(&path, None, 0).expect("candidates").is_steered());
}

#[test]
fn in_every_second_run_the_other_thread_waits_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let enters = || -> String {
        let plan = Provoking::new(&path, None, 0).expect("candidates").plan();
        plan.split('\t').nth(6).expect("eight columns").to_owned()
    };
    assert_eq!(enters(), "");
    let mut candidates = read(&path);
    let candidate = candidates.in_order()[0].0.clone();
    candidates.add_trials(candidate.clone(), Outcome::default().into());
    provoke::write(&path, || Ok::<_, provoke::Error>(candidates.clone())).expect("written");
    assert_eq!(enters(), "app.A.h:12 write x");
    candidates.add_trials(candidate, Outcome { held: true, ..Outcome::default() }.into());
    provoke::write(&path, || Ok::<_, provoke::Error>(candidates)).expect("written");
    assert_eq!(enters(), "");
    let plan = Provoking::new(&path, None, 0).expect("candidates").plan();
    assert!(plan.ends_with("\t20\t0\t1\n"), "a thread was held in vain: {plan}");
}

#[test]
fn of_a_hold_that_was_met_there_is_a_schedule() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let provoking = Provoking::new(&path, Some(Path::new("s")), 0).expect("candidates");
    let id = read(&path).in_order()[0].0.id();
    provoking.held(3, "0\t400\t1\t8");
    // For a thread that cannot be told from the other one.
    provoking.met(3, "met\t0\t8\tmain\t4\t5\tmain\t7");
    provoking.met(3, "met\t0\t8\tmain\t4\t5\tmain a.B.c:9 2\t7");
    // For a hold elsewhere, and a text that cannot be read.
    provoking.met(3, "met\t0\t9\tmain\t1\t1\tmain a.B.c:9 1\t1");
    provoking.met(3, "met\t9\t8\tmain\t4\t5\tmain x 1\t7");
    assert!(provoking.finish(&BTreeSet::new()).schedules.is_empty(), "nothing has happened");
    let provoked = provoking.provoked(shown(3, 7, 9, BLOCK, &through())).expect("it was held inside");
    let Provoked::Held { schedule, .. } = provoked else { panic!("{provoked:?}") };
    assert_eq!(schedule, Some(format!("s/{id}.schedule")));
    let text: String = provoking.finish(&BTreeSet::new()).schedules.iter().map(|one| one.schedule.to_text()).collect();
    let points = "thread a main\nthread b main a.B.c:9 2\npoint a first 4\npoint a hold 5\npoint b other 7\nend\n";
    assert!(text.ends_with(points), "{text}");
}

/// A candidate of `Account`, in which two other threads pass two places each.
fn with_steps(folder: &tempfile::TempDir) -> PathBuf {
    let path = file(folder, &[10]);
    let mut all = Candidates::new();
    let (first, trials) =
        read(&path).in_order().into_iter().map(|(it, trials)| (it.clone(), *trials)).next().expect("one");
    let step =
        |thread, object, at: &str| provoke::Step { thread, object, place: at.parse().expect("a place"), gate: None };
    let steps = vec![
        step(1, Some(0), "app.A.h:1 read x"),
        step(1, Some(1), "app.A.h:2 write y"),
        provoke::Step { gate: "app.A.h:3 acquire".parse().ok(), ..step(2, Some(1), "app.A.h:3 read y") },
        step(2, None, "app.A.h:12 write x"),
    ];
    all.add_trials(provoke::Candidate { steps, ..first }, trials);
    provoke::write(&path, || Ok::<_, provoke::Error>(all)).expect("written");
    path
}

#[test]
fn what_several_threads_pass_is_in_the_plan_and_in_the_schedule() {
    let folder = tempfile::tempdir().expect("a folder");
    let provoking = Provoking::new(&with_steps(&folder), Some(folder.path()), 0).expect("a file");
    let steps = "\t1\t0\tapp.A.h:1 read x\t\t1\t1\tapp.A.h:2 write y\t\t2\t1\tapp.A.h:3 read y\t\t2\t-1\tapp.A.h:12 write x\t\t10\t0\t0\n";
    assert!(provoking.plan().ends_with(steps), "{}", provoking.plan());
    // In every second run these threads wait for their turn.
    let awaited = "\tapp.A.h:3 read y\tapp.A.h:3 acquire\t2\t-1\tapp.A.h:12 write x\tapp.A.h:12 write x";
    let candidate = &provoking.planned[0].candidate;
    assert!(super::steps(candidate, Some("")).ends_with(awaited), "{}", super::steps(candidate, Some("")));
    assert!(super::steps(candidate, Some("?")).ends_with("\t?app.A.h:12 write x"));
    provoking.held(3, "0\t900\t1\t8");
    let (b, c) = ("main a.B.c:9 1\t7", "main a.B.c:9 2\t5");
    // Two threads that were started alike; too few steps; all steps.
    provoking.met(3, &format!("met\t0\t8\tmain\t4\t5\t{b}\t{b}\t{b}\t{b}"));
    provoking.met(3, &format!("met\t0\t8\tmain\t4\t5\t{b}\t{b}"));
    provoking.met(3, &format!("met\t0\t8\tmain\t4\t5\t{b}\t{b}\t{c}\t{c}"));
    provoking.provoked(shown(3, 8, 9, BLOCK, &through()));
    let text = provoking.finish(&BTreeSet::new()).schedules[0].schedule.to_text();
    let points = "thread a main\nthread b main a.B.c:9 1\nthread c main a.B.c:9 2\npoint a first 4\npoint a hold 5\n\
                  point b step1 7\npoint b step2 7\npoint c step3 5\npoint c step4 5\nend\n";
    assert!(text.ends_with(points), "{text}");
}

/// A candidate that holds the thread before its last place: points are of use where the block was passed once.
#[test]
fn a_thread_that_is_held_before_its_last_place_is_in_a_schedule_if_it_passes_that_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = with_steps(&folder);
    let mut all = Candidates::new();
    let known = read(&path).in_order()[0].0.clone();
    all.add(provoke::Candidate { hold: known.last.clone(), ..known });
    provoke::write(&path, || Ok::<_, provoke::Error>(all)).expect("written");
    let schedule = |held: &str, times: u64| {
        let provoking = Provoking::new(&path, Some(folder.path()), 0).expect("a file");
        provoking.held(3, "0\t900\t1\t8");
        let (b, c) = (format!("main a.B.c:9 1\t{times}"), format!("main a.B.c:9 2\t{times}"));
        provoking.met(3, &format!("met\t0\t8\tmain\t{held}\t{b}\t{b}\t{c}\t{c}"));
        provoking.provoked(shown(3, 8, 9, BLOCK, &through()));
        provoking.finish(&BTreeSet::new()).schedules[0].schedule.to_text()
    };
    let points =
        "point a first 1\npoint b step1 2\npoint b step2 2\npoint c step3 2\npoint c step4 2\npoint a last 1\nend\n";
    assert!(schedule("1\t1", 2).ends_with(points), "{}", schedule("1\t1", 2));
    // A thread comes to the first place later.
    let provoking = Provoking::new(&path, Some(folder.path()), 0).expect("a file");
    provoking.held(3, "0\t900\t1\t8");
    let b = "main a.B.c:9 1\t1";
    let c = "main a.B.c:9 2\t1";
    provoking.met(3, &format!("met\t0\t8\tmain\t1\t1\t{b}\t{b}\t{c}\t{c}"));
    provoking.provoked(shown(3, 8, 9, BLOCK, &through()));
    assert_eq!(provoking.finish(&BTreeSet::new()).schedules[0].schedule.points.len(), 6);
    provoking.met(3, "again\t0");
    assert_eq!(provoking.finish(&BTreeSet::new()).schedules[0].schedule.points, []);
    // The block was passed before, or others came often.
    for often in [schedule("1\t9", 2), schedule("9\t1", 2), schedule("1\t1", 9)] {
        assert!(!often.contains("point"), "{often}");
    }
}

#[test]
fn a_file_that_is_missing_or_broken_is_refused_in_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("none");
    let why = Provoking::new(&path, None, 0).expect_err("there is none");
    assert_eq!(
        why,
        format!(
            "provoke={}: there is no such file; regiontrack candidates TRACE -o FILE makes one of a recorded run",
            path.display()
        )
    );
    std::fs::write(&path, "regiontrack profile 1\n").expect("written");
    assert!(Provoking::new(&path, None, 0).expect_err("a profile").contains("is no list of candidates"));
}

/// This does not confirm the candidate, but what has happened is to be replayable.
#[test]
fn of_a_violation_of_a_caller_alone_there_is_a_schedule() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let provoking = Provoking::new(&path, Some(Path::new("s")), 0).expect("candidates");
    provoking.held(3, "0\t400\t1\t8");
    provoking.met(3, "met\t0\t8\tmain\t4\t5\tmain a.B.c:9 2\t7");
    provoking.provoked(shown(3, 7, 9, "a.B.caller()", &through())).expect("it was held inside");
    let ended = provoking.finish(&BTreeSet::new());
    assert_eq!((ended.schedules.len(), ended.steered.confirmed), (1, 0));
}

/// In a call that waits for other threads, this is no finding, and needs no replay.
#[test]
fn what_is_violated_only_where_it_waits_confirms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(&folder, &[10]);
    let provoking = Provoking::new(&path, Some(Path::new("s")), 0).expect("candidates");
    provoking.found("app.A.g:10 read x");
    provoking.held(3, "0\t400\t1\t8");
    provoking.provoked(shown(3, 7, 9, BLOCK, &through())).expect("it was held inside");
    let ended = |waiting: &str| {
        let ended = provoking.finish(&BTreeSet::from([waiting.to_owned()]));
        (ended.schedules.len(), ended.steered.confirmed, ended.steered.met)
    };
    assert_eq!(ended("app.B.z()"), (1, 1, 1));
    assert_eq!(ended(BLOCK), (0, 0, 1));
    let provoking = Provoking::new(&path, None, 0).expect("candidates");
    provoking.finish(&BTreeSet::new());
    assert_eq!(read(&path).of(State::Confirmed).len(), 1, "what one run has confirmed stays so");
}

/// Whether it waits is known when the call ends. Other calls of the block can be findings.
#[test]
fn a_call_that_has_waited_takes_back_what_it_has_confirmed() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |waited: &[u64]| {
        let provoking = Provoking::new(&file(&folder, &[10]), Some(Path::new("s")), 0).expect("candidates");
        for (begin, times) in [(7, 4), (17, 5)] {
            let position = begin + 1;
            provoking.held(3, &format!("0\t400\t1\t{position}"));
            provoking.met(3, &format!("met\t0\t{position}\tmain\t{times}\t5\tmain a.B.c:9 2\t7"));
            provoking.provoked(shown(3, begin, begin + 2, BLOCK, &through())).expect("it was held inside");
        }
        waited.iter().for_each(|begin| provoking.waited((ThreadId(3), *begin)));
        let ended = provoking.finish(&BTreeSet::new());
        let times = ended.schedules.first().map(|scheduled| scheduled.schedule.points[0].times);
        (ended.steered.confirmed, ended.steered.met, times)
    };
    assert_eq!(of(&[]), (1, 1, Some(4)));
    assert_eq!(of(&[7]), (1, 1, Some(5)));
    assert_eq!(of(&[7, 17]), (0, 1, None));
    assert_eq!(of(&[9]), (1, 1, Some(4)));
}

/// A schedule with switch points replaces one without.
#[test]
fn of_what_nobody_came_to_in_time_there_is_one_for_any_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let provoking = Provoking::new(&file(&folder, &[10]), Some(Path::new("s")), 0).expect("candidates");
    provoking.held(3, "0\t400\t0\t8");
    provoking.provoked(shown(3, 7, 9, BLOCK, &through())).expect("it was held inside");
    let points =
        || provoking.finish(&BTreeSet::new()).schedules.iter().map(|one| one.schedule.points.len()).collect::<Vec<_>>();
    assert_eq!(points(), [0]);
    provoking.held(4, "0\t400\t1\t8");
    provoking.met(4, "met\t0\t8\tmain\t4\t5\tmain a.B.c:9 2\t7");
    provoking.provoked(shown(4, 7, 9, BLOCK, &through())).expect("it was held inside");
    assert_eq!(points(), [3]);
    provoking.held(5, "0\t400\t0\t8");
    provoking.provoked(shown(5, 7, 9, BLOCK, &through())).expect("it was held inside");
    assert_eq!(points(), [3]);
}

/// A thread whose block is violated by what a held thread does after its hold, and a thread that came to its place too early and had to
/// wait.
#[test]
fn a_violation_of_another_thread_than_the_held_one_is_provoked_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let id = read(&file(&folder, &[10])).in_order()[0].0.id();
    let of = |holds: &[(u32, &str)], method: &str| {
        let path = file(&folder, &[10]);
        let provoking = Provoking::new(&path, Some(Path::new("s")), 0).expect("candidates");
        holds.iter().for_each(|(thread, hold)| provoking.held(*thread, hold));
        assert_eq!(provoking.has_held(), !holds.is_empty());
        // An event of thread 4, in a block that it has begun at 20.
        let [passed] = through();
        let passed = EventDetail { stamp: Stamp::new(ThreadId(4), 25), transaction: Some(20), ..passed };
        let own = provoking.provoked(shown(3, 7, 9, method, std::slice::from_ref(&passed)));
        assert_eq!(own, None, "{holds:?}");
        let provoked = provoking.provoked_besides(shown(3, 7, 9, method, &[passed]));
        (provoked, provoking.finish(&BTreeSet::new()))
    };
    let told = |held_ms, at: &str, until: Option<&str>, confirms| {
        let schedule = Some(format!("s/{id}.schedule"));
        let until = until.map(str::to_owned);
        Some(Provoked::Held {
            candidate: id.clone(),
            held_ms,
            at: at.to_owned(),
            until,
            confirms: Some(confirms),
            schedule,
        })
    };
    let inside = told(4, "A.java:10", Some("A.java:12"), true);
    let (provoked, ended) = of(&[(4, "0\t4000\t1\t22")], BLOCK);
    assert_eq!((provoked, ended.steered.confirmed, ended.schedules.len()), (inside.clone(), 1, 1));
    // Holds in an earlier block, after the event, or of a thread that has no part in the path.
    for hold in [(4, "0\t4000\t1\t19"), (4, "0\t4000\t1\t25"), (5, "0\t4000\t1\t22"), (3, "0\t4000\t1\t6")] {
        assert_eq!(of(&[hold], BLOCK).0, None, "{hold:?}");
    }
    // What violates a caller's block, and a hold in vain, confirm nothing.
    assert_eq!(of(&[(4, "0\t4000\t1\t22")], "app.A.caller()").0, told(4, "A.java:10", Some("A.java:12"), false));
    assert_eq!(of(&[(4, "0\t4000\t0\t22")], BLOCK).0, told(4, "A.java:10", None, false));
    // A thread waited before its place until another one was held in the block.
    let before = told(3, "A.java:12", Some("A.java:10"), true);
    let (provoked, ended) = of(&[(3, "0\t3000\t1\t8\tb")], BLOCK);
    assert_eq!(
        (provoked, ended.steered.confirmed, ended.steered.held, ended.steered.held_ms),
        (before.clone(), 1, 0, 3)
    );
    assert_eq!(of(&[(4, "0\t3000\t1\t22\tb")], BLOCK).0, before);
    assert_eq!(of(&[(3, "0\t3000\t1\t8\tb"), (4, "0\t4000\t1\t22")], BLOCK).0, inside);
    assert_eq!(of(&[], BLOCK).0, None);
    // A hold between two steps of others takes time, and is not known otherwise.
    let provoking = Provoking::new(&file(&folder, &[10]), None, 0).expect("candidates");
    provoking.held(3, "0\t3000\t1\t8\tw");
    let steered = provoking.finish(&BTreeSet::new()).steered;
    assert_eq!((provoking.has_held(), steered.held, steered.held_ms), (false, 0, 3));
}
