//! What the Java side gets, and what is reported about a run that went another way.

use analysis_core::event::ThreadId;
use analysis_core::provoke::schedule::{self, Schedule};
use analysis_core::report::Provoked;

use super::{Ended, Replaying};

const PARTS: &str = "  block a.B.take()\n  variable B.seats\n  first a.B.look:7 read seats\n  hold a.B.look:7 release\n  last a.B.take:9 write \
                     seats\n  other a.B.take:9 write seats\n  enter a.B.take:8 acquire\n";
const POINTS: &str = "thread a main\nthread b main a.B.main:20 2\npoint a hold 3\npoint b other 1\n";

fn replaying(points: &str) -> (tempfile::TempDir, Replaying) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("it.schedule");
    let sum = analysis_core::profile::sum(PARTS.replace("  ", "").as_bytes());
    let id = format!("{:012x}", (sum >> 48) ^ (sum & ((1 << 48) - 1)));
    let text = format!("regiontrack schedule 1\ncandidate {id}\n{PARTS}{points}end\n");
    schedule::write(&path, &Schedule::parse(text.as_bytes(), "s").expect("a schedule")).expect("written");
    (folder, Replaying::new(&path).expect("a schedule"))
}

fn said(ended: &Ended) -> (u64, u64, Vec<&str>) {
    let replayed = &ended.replayed;
    (replayed.passed, replayed.points, replayed.ways.iter().map(String::as_str).collect())
}

#[test]
fn the_java_side_knows_the_points_and_where_threads_wait_for_them() {
    let any = replaying("").1.plan();
    let points = "point\tmain\ta.B.look:7 release\t3\ta.B.look:7 release\t1\npoint\tmain a.B.main:20 2\ta.B.take:9 write seats\t1\ta.B.take:8 acquire\t0\n";
    // Where threads pass the places often, most chances are used, for short holds.
    let often = any.replace("\t640\t0\t0\n", "\t10\t0\t-1\n");
    assert_eq!(replaying(POINTS).1.plan(), format!("{points}{often}"));
    let once = POINTS.replace(" 3\n", " 1\n");
    assert_ne!(once, POINTS);
    assert_eq!(replaying(&once).1.plan(), format!("{}{any}", points.replace("\t3\t", "\t1\t")));
    assert_eq!(
        any,
        "0\ta.B.take()\ta.B.look:7 read seats\ta.B.look:7 release\ta.B.take:9 write seats\ta.B.take:9 write seats\t\t640\t0\t0\n"
    );
}

#[test]
fn points_in_their_turn_are_counted_and_others_are_told() {
    let (_folder, replaying) = replaying(POINTS);
    let other = "the 2nd thread started at a.B.main:20 by main";
    let never = format!("{other} never passed B.java:9 the 1st time");
    assert_eq!(said(&replaying.finish()), (0, 2, vec!["main never passed B.java:7 the 3rd time", &never]));
    for place in ["a.B.look:7 release", "a.B.take:9 write seats"] {
        replaying.found(place);
    }
    let warnings = replaying.finish().warnings;
    assert!(warnings[0].ends_with("no class that was loaded has these places: a.B.take:8 acquire"), "{warnings:?}");
    replaying.told("reached\t1\t0");
    replaying.told("gave-up\t0\t1\tnobody");
    replaying.told("reached\t7\t1");
    replaying.told("reached\t0\t1");
    let early = format!("{other} passes B.java:9 the 1st time before its turn");
    assert_eq!(
        said(&replaying.finish()),
        (1, 2, vec![&*early, "main was held behind B.java:7 until nobody else could go on"])
    );
}

#[test]
fn without_points_it_counts_whether_another_thread_came() {
    let (_folder, replaying) = replaying("");
    replaying.held(1, "0\t900\t0\t5");
    assert_eq!(said(&replaying.finish()).0, 0);
    replaying.held(1, "0\t900\t1\t5");
    assert_eq!(said(&replaying.finish()), (1, 1, vec![]));
}

#[test]
fn a_schedule_of_a_test_is_followed_in_its_second_run_and_in_no_other_test() {
    let (_folder, replaying) = replaying(&format!("test a.BTest.two() 2\n{POINTS}"));
    assert!(replaying.plan().starts_with("test\npoint\tmain\t"), "{}", replaying.plan());
    let refused = |name: &str| {
        replaying.begins(name);
        replaying.refuses()
    };
    let other = Some(format!("the run replays {}, which is not of this test", replaying.path.display()));
    assert_eq!(["a.BTest.two()", "a.CTest.two()"].map(refused), [other.clone(), other.clone()]);
    let way = "the 2nd a.BTest.two() with @Provoke was not run by regiontrack-junit";
    assert_eq!(said(&replaying.finish()).2[0], way);
    assert!(replaying.finish().replayed.lacks_test);
    assert_eq!(refused("a.BTest.two()"), None);
    assert_eq!(replaying.next(), "plain");
    assert_eq!(
        said(&replaying.finish()).2[0],
        "the 2nd a.BTest.two() ended in its first run, before the one by the schedule"
    );
    // This happens in another test: what is to happen has not happened.
    replaying.provoked(ThreadId(1), 3, 9, "a.B.take()");
    assert_eq!(replaying.plan(), "");
    assert_eq!(replaying.next(), "replay");
    assert!(!replaying.plan().is_empty() && !replaying.finish().replayed.lacks_test);
    assert!(said(&replaying.finish()).2[0].starts_with("main never passed"));
    assert_eq!([replaying.next(), replaying.next()], ["end"; 2]);
    assert_eq!(refused("a.BTest.two()"), other);
    // A schedule of a run belongs to none of its tests.
    let (_folder, of_run) = self::replaying(POINTS);
    of_run.begins("a.BTest.two()");
    assert!(of_run.refuses().is_some_and(|why| why.ends_with("it.schedule, which is not of this test")));
}

/// The report does not claim that the schedule was followed.
#[test]
fn a_run_that_goes_another_way_goes_on_with_any_thread() {
    let (_folder, replaying) = replaying(POINTS);
    for told in ["reached\t0\t1", "reached\t1\t1"] {
        replaying.told(told);
    }
    replaying.held(1, "0\t900\t1\t5");
    assert_eq!(said(&replaying.finish()), (2, 2, vec![]));
    replaying.told("open\tagain");
    let again = "the block came to B.java:7 again, and not to B.java:9";
    assert_eq!(said(&replaying.finish()), (2, 2, vec![again]));
    replaying.held(1, "0\t900\t1\t9");
    let any = "after that, another thread was held at B.java:7 until B.java:9 was passed";
    assert_eq!(said(&replaying.finish()), (2, 2, vec![again, any]));
}

#[test]
fn a_violation_is_provoked_if_its_thread_was_held_between_the_begin_and_the_event() {
    let (_folder, replaying) = replaying(POINTS);
    replaying.held(1, "0\t900\t1\t5");
    assert_eq!(replaying.provoked(ThreadId(1), 6, 9, "a.B.caller()"), None);
    assert_eq!(replaying.provoked(ThreadId(2), 5, 9, "a.B.caller()"), None);
    let provoked = replaying.provoked(ThreadId(1), 5, 6, "a.B.caller()").expect("it was held inside");
    let Provoked::Held { held_ms, at, until, .. } = provoked else { panic!("{provoked:?}") };
    assert_eq!((held_ms, &*at, until.as_deref()), (1, "B.java:7", Some("B.java:9")));
}

/// The Java side asks when all points were passed: what has not happened can happen with other threads.
#[test]
fn when_it_has_happened_nothing_is_left() {
    for (thread, method, has_happened) in
        [(1, "a.B.caller()", true), (2, "a.B.caller()", false), (2, "a.B.take()", true), (1, "a.B.take()", true)]
    {
        let (_folder, replaying) = replaying(POINTS);
        replaying.held(1, "0\t900\t1\t5");
        replaying.provoked(ThreadId(thread), 5, 6, method);
        assert_eq!(replaying.plan().is_empty(), has_happened, "{thread} {method}");
    }
    // This counts as before: all points were passed in their order.
    let (_folder, replaying) = replaying(POINTS);
    ["reached\t0\t1", "reached\t1\t1", "open\tthrough"].into_iter().for_each(|told| replaying.told(told));
    replaying.held(1, "0\t900\t1\t9");
    assert_eq!(said(&replaying.finish()), (2, 2, vec![]));
}

#[test]
fn a_file_that_is_missing_is_refused_in_a_line() {
    let why = Replaying::new(std::path::Path::new("none.schedule")).expect_err("there is none");
    assert_eq!(why, "replay=none.schedule: there is no such file; regiontrack provoke writes schedules");
}
