//! Schedules survive writing and reading, no part of a text is a schedule, and errors name the line.

use super::*;
use crate::provoke::{Candidate, Place};

fn place(text: &str) -> Place {
    text.parse().expect("a place")
}

fn candidate(enter: bool) -> Candidate {
    Candidate {
        block: "a.B.take(int)".to_owned(),
        variable: "B.seats".to_owned(),
        first: place("a.B.look:7 read seats"),
        hold: place("a.B.look:7 release"),
        last: place("a.B.take:9 write seats"),
        other: place("a.B.take:9 write seats"),
        enter: enter.then(|| place("a.B.take:8 acquire")),
        steps: Vec::new(),
    }
}

fn schedule() -> Schedule {
    let thread = |name: &str, start: &str| Thread { name: name.to_owned(), start: start.parse().expect("a start") };
    let point = |thread, role, times| Point { thread, role, times };
    Schedule {
        candidate: candidate(true),
        finding: Some("5f0c8a1e22b7".to_owned()),
        test: None,
        threads: vec![thread("a", "main a.B.main:20 1"), thread("b", "main a.B.main:20 2")],
        points: vec![point(0, Role::First, 1), point(0, Role::Hold, 3), point(1, Role::Other, 12)],
    }
}

fn fault(text: &str) -> String {
    Schedule::parse(text.as_bytes(), "s").expect_err("it is wrong").to_string()
}

/// The same candidate, with another thread that passes two places.
fn with_steps() -> Candidate {
    let step = |thread, at: &str| crate::provoke::Step { thread, object: Some(0), place: place(at), gate: None };
    let gate = Some(place("a.B.look:6 acquire"));
    let first = crate::provoke::Step { gate, ..step(1, "a.B.look:7 read seats") };
    Candidate { steps: vec![first, step(1, "a.B.take:9 write seats")], ..candidate(false) }
}

/// A random number below `most`, by the constants of Knuth's MMIX.
fn below(seed: &mut u64, most: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % most
}

fn random(seed: &mut u64) -> Schedule {
    let mut starts = std::collections::BTreeSet::new();
    let is_of_test = below(seed, 2) == 0;
    let roots = if is_of_test { ["main", "test", "first"] } else { ["main"; 3] };
    for _ in 0..2 + below(seed, 3) {
        let steps: String =
            (0..below(seed, 3)).map(|_| format!(" a.B\\u0020x.f:{} {}", below(seed, 90), 1 + below(seed, 9))).collect();
        starts.insert(if below(seed, 4) == 0 {
            format!("?pool-{}{steps}", below(seed, 5))
        } else {
            format!("{}{steps}", roots[usize::try_from(below(seed, 3)).expect("small")])
        });
    }
    let threads: Vec<Thread> = (0..)
        .zip(&starts)
        .map(|(number, start)| Thread { name: format!("t{number}"), start: start.parse().expect("a start") })
        .collect();
    let has_steps = below(seed, 3) == 0;
    let mut points = Vec::new();
    for _ in 0..below(seed, 6) {
        let thread = usize::try_from(below(seed, threads.len() as u64)).expect("small");
        let role = match below(seed, 4 + if has_steps { 2 } else { 0 }) {
            step @ 4.. => Role::Step(usize::try_from(step - 4).expect("small")),
            role => Role::ALL[usize::try_from(role).expect("small")],
        };
        let point = Point { thread, role, times: 1 + below(seed, 1 << 30) };
        if !points.contains(&point) {
            points.push(point);
        }
    }
    if points.len() == 1 {
        points.clear();
    }
    let finding = (below(seed, 2) == 0).then(|| format!("{:012x}", below(seed, 1 << 30)));
    let candidate = if has_steps { with_steps() } else { candidate(below(seed, 2) == 0) };
    let names = ["a.BTest.two()", "two at once [1] (a.BTest)", "\\ \n"];
    let test = is_of_test.then(|| {
        let name = names[usize::try_from(below(seed, 3)).expect("small")].to_owned();
        Test { name, nth: 1 + below(seed, 3) }
    });
    Schedule { candidate, finding, test, threads, points }
}

#[test]
fn a_schedule_comes_back_from_its_text() {
    for first in 0..500 {
        let mut seed = first;
        let schedule = random(&mut seed);
        let text = schedule.to_text();
        assert_eq!(Schedule::parse(text.as_bytes(), "s").expect("it is one"), schedule, "seed {first}: {text}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(Schedule::parse(windows.as_bytes(), "s").expect("it is one"), schedule, "seed {first}: {windows}");
    }
}

#[test]
fn no_part_of_a_file_is_one() {
    let text = schedule().to_text();
    for end in 0..text.len() {
        assert!(Schedule::parse(&text.as_bytes()[..end], "s").is_err(), "{}", &text[..end]);
    }
}

#[test]
fn it_is_written_as_it_is_documented() {
    let text = "regiontrack schedule 1\ncandidate ID\n  block a.B.take(int)\n  variable B.seats\n  first a.B.look:7 read seats\n  \
                hold a.B.look:7 release\n  last a.B.take:9 write seats\n  other a.B.take:9 write seats\n  enter a.B.take:8 acquire\n\
                finding 5f0c8a1e22b7\nthread a main a.B.main:20 1\nthread b main a.B.main:20 2\npoint a first 1\npoint a hold 3\n\
                point b other 12\nend\n";
    assert_eq!(schedule().to_text(), text.replace("ID", &schedule().candidate.id()));
}

#[test]
fn a_point_can_be_at_a_step_and_waits_before_its_gate() {
    let mut schedule = Schedule { candidate: with_steps(), ..schedule() };
    schedule.points[1] = Point { thread: 1, role: Role::Step(0), times: 2 };
    schedule.points[2] = Point { thread: 1, role: Role::Step(1), times: 3 };
    let text = schedule.to_text();
    assert!(text.ends_with("point a first 1\npoint b step1 2\npoint b step2 3\nend\n"), "{text}");
    assert_eq!(Schedule::parse(text.as_bytes(), "s").expect("it is one"), schedule);
    let before = [0, 1, 2].map(|point| schedule.waits_before(&schedule.points[point]).to_string());
    assert_eq!(before, ["a.B.look:7 read seats", "a.B.look:6 acquire", "a.B.take:9 write seats"]);
    for wrong in ["step3", "step0", "step", "stepb", "step02"] {
        let told = fault(&text.replacen("step2 3", &format!("{wrong} 3"), 1));
        assert!(told.contains(&format!("'{wrong}' is no place of the candidate")), "{told}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let text = schedule().to_text();
    let id = schedule().candidate.id();
    let change = |from: &str, to: &str| fault(&text.replacen(from, to, 1));
    assert_eq!(fault(""), "s: is empty; restore it, or let regiontrack provoke write it again");
    assert_eq!(fault("x\n"), "s: is no schedule: expected 'regiontrack schedule 1' as its first line");
    assert_eq!(
        change("schedule 1", "schedule 2"),
        "s:1: version '2' of the format; this RegionTrack reads version 1: use the one that has written it"
    );
    assert_eq!(change(&id, "00000000000a"), format!("s:2: the id is not that of the candidate's places; write {id}"));
    assert!(change("look:7 read", "look read").starts_with("s:5: 'a.B.look read seats' is no place; expected "));
    assert_eq!(change("finding 5", "finding X"), "s:10: expected 'finding ID'");
    assert_eq!(change("thread b main a", "thread b a"), "s:12: expected 'thread NAME main CLASS.METHOD:LINE N ..'");
    assert_eq!(change(":20 2", ":20 0"), "s:12: expected 'thread NAME main CLASS.METHOD:LINE N ..'");
    assert_eq!(change(":20 2", ":20 1"), "s:12: a second line 'thread b main a.B.main:20 1'; remove one of them");
    assert_eq!(change("point b", "point c"), "s:15: there is no thread 'c' above; add the line 'thread c ..'");
    assert_eq!(
        change("other 12", "enter 12"),
        "s:15: 'enter' is no place of the candidate; expected one of first, hold, last, other, and step1 and so on if it has steps"
    );
    assert_eq!(change("other 12", "other 0"), "s:15: expected 'point THREAD PLACE TIMES'");
    assert_eq!(
        change("point a first 1", "point a hold 3"),
        "s:14: thread a passes 'hold' 3 times in two points; remove one of them"
    );
    assert_eq!(change("  block a.B.take(int)\n", ""), "s: has no line 'block'; add it");
    assert_eq!(
        change("point a first 1\npoint a hold 3\n", ""),
        "s: there is one point, and nobody to switch to; add another one, or remove it to hold any thread"
    );
    assert_eq!(
        fault(&(text.clone() + "point a last 1\nend\n")),
        "s:17: text after 'end'; remove it, or put it before that line"
    );
}

#[test]
fn a_schedule_can_be_of_a_test() {
    let text = schedule().to_text().replace("thread a main", "test two\\u0020at\\u0020once(a.BTest) 1\nthread a test");
    let schedule = Schedule::parse(text.as_bytes(), "s").expect("it is one");
    assert_eq!(schedule.to_text(), text);
    let drawn = schedule.drawn();
    let head = "finding 5f0c8a1e22b7\n  in two at once(a.BTest)\n  a: the 1st thread started at a.B.main:20 by the thread of the test\n";
    assert!(drawn.contains(head), "{drawn}");
    let second = Schedule { test: Some(Test { name: "a.BTest.two()".to_owned(), nth: 2 }), ..schedule.of_any_thread() };
    assert!(second.drawn().contains("\n  in the 2nd a.BTest.two()\n"), "{}", second.drawn());
    let change = |to: &str| fault(&text.replacen("test two\\u0020at\\u0020once(a.BTest) 1", to, 1));
    for wrong in ["test", "test a", "test a 0", "test a b 1", "test a\\u00 1", "test  1"] {
        assert_eq!(change(wrong), "s:11: expected 'test NAME N'", "{wrong}");
    }
    assert_eq!(change(""), "s: has no line 'test'; add it");
    assert_eq!(
        fault(&text.replace("test two\\u0020at\\u0020once(a.BTest) 1\n", "").replace("a test", "a first")),
        "s: has no line 'test'; add it"
    );
    assert!(
        Schedule::parse(text.replace("a test", "a first").as_bytes(), "s")
            .expect("one")
            .drawn()
            .contains("the test's first run")
    );
    assert_eq!(change("test a 1\ntest a 2"), "s:12: a second line 'test'; remove one of them");
}

#[test]
fn what_is_left_out_leaves_somebody_to_switch_to() {
    let all = schedule();
    let left = |index| all.without(index).map(|less| less.points.iter().map(|point| point.role).collect::<Vec<_>>());
    assert_eq!(left(0), Some(vec![Role::Hold, Role::Other]));
    assert_eq!(left(1), Some(vec![Role::First, Role::Other]));
    assert_eq!(left(2), None);
    assert_eq!(all.without(0).and_then(|less| less.without(0)), None);
    assert_eq!(Schedule::parse(all.of_any_thread().to_text().as_bytes(), "s").expect("one").points, []);
}

#[test]
fn a_thread_waits_where_it_has_not_yet_the_lock() {
    let mut schedule = schedule();
    let [hold, other] = [&schedule.points[1], &schedule.points[2]].map(Point::clone);
    assert_eq!(schedule.waits_before(&hold), &schedule.candidate.hold);
    assert_eq!(schedule.waits_before(&other).to_string(), "a.B.take:8 acquire");
    schedule.candidate.enter = None;
    assert_eq!(schedule.waits_before(&other), &schedule.candidate.other);
}

#[test]
fn a_schedule_is_drawn_with_a_column_for_each_thread() {
    let drawn = format!(
        "a.B.take(int): B.seats\n  candidate {}, finding 5f0c8a1e22b7\n  a: the 1st thread started at a.B.main:20 by main\n  b: the 2nd \
         thread started at a.B.main:20 by main\n\n  a                                  | b\n  \
         ---------------------------------- | ------------------------------------\n  read seats  B.java:7  the 1st time |\n  \
         release  B.java:7  the 3rd time    |\n                                     | write seats  B.java:9  the 12th time\n",
        schedule().candidate.id()
    );
    assert_eq!(schedule().drawn(), drawn);
    assert!(
        schedule().of_any_thread().drawn().contains("any thread that has passed B.java:7 is held at B.java:7 until ")
    );
}

#[test]
fn it_is_decided_under_the_lock_whether_a_schedule_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new").join("s.schedule");
    let (one, other) = (schedule(), schedule().of_any_thread());
    assert!(write_unless(&file, &other, |_| true).expect("written"), "there is none that could stay");
    let (decides, is_deciding) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            write_unless(&file, &one, |known| {
                decides.send(()).expect("somebody waits");
                *known != other
            })
        });
        is_deciding.recv().expect("it decides");
        // What comes now waits for the first one, and sees what it has written.
        assert!(!write_unless(&file, &other, |known| *known == one).expect("a decision"));
        assert!(first.join().expect("no panic").expect("written"));
    });
    assert_eq!(read(&file).expect("a schedule"), Some(one.clone()));
    std::fs::write(&file, "no schedule").expect("written");
    assert!(write_unless(&file, &one, |_| true).expect("written"));
    assert_eq!(read(&file).expect("a schedule"), Some(one));
}
