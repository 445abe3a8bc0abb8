//! `regiontrack predict` and `compare --predict`.

use analysis_core::predict::algorithms::ALGORITHMS;

use crate::runner::Folder;

/// Two updates, one after the other.
fn updates(has_lock: bool) -> String {
    let update = |t: u32| {
        let (acquire, release) = if has_lock {
            (format!("T{t}|acq(l)|Counter.java:4\n"), format!("T{t}|rel(l)|Counter.java:7\n"))
        } else {
            Default::default()
        };
        format!(
            "T{t}|begin(demo.Counter.increment())|Counter.java:4\n{acquire}T{t}|r(count)|Counter.java:5\n\
             T{t}|w(count)|Counter.java:6\n{release}T{t}|end|Counter.java:7\n"
        )
    };
    update(0) + &update(1)
}

/// Nothing but luck kept the updates apart.
fn lucky() -> String {
    updates(false)
}

/// The same with a lock.
fn fixed() -> String {
    updates(true)
}

/// One thread increments a count that another one reads: a false alarm of reduction.
const MOD_COUNT: &str = "\
T0|begin(demo.List.add())|List.java:4
T0|r(modCount)|List.java:5
T0|w(modCount)|List.java:5
T0|end|List.java:7
T1|begin(demo.List.check())|List.java:9
T1|r(modCount)|List.java:10
T1|end|List.java:11
";

#[test]
fn a_lucky_run_is_predicted_to_lose_an_update_with_the_schedule_that_loses_it() {
    let folder = Folder::new().with("a.std", lucky());
    folder.run(&["check", "a.std"]).ended(0);
    let text = folder.run(&["predict", "a.std"]).ended(1).stdout.clone();
    for part in [
        "a.std: 1 violation predicted, 1 confirmed by a schedule",
        "1. demo.Counter.increment(): lost update (predicted)",
        "predicted for 2 instances, first in T0 at Counter.java:4",
        "the schedule: as observed up to event 0, then",
        "T0: its 2 events 1 to 2",
        "T1: its 3 events 5 to 7",
        "T0: event 3",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
}

#[test]
fn a_column_is_headed_by_the_method_of_its_transaction() {
    let nested = "T0|begin(demo.A.outer())|1\nT0|begin(demo.A.inner())|2\nT0|r(x)|3\nT0|end|4\nT0|w(x)|5\nT0|end|6\n\
                  T1|begin|7\nT1|begin(demo.B.inner())|8\nT1|r(x)|9\nT1|w(x)|10\nT1|end|11\nT1|end|12\n";
    let folder = Folder::new().with("a.std", nested);
    let text = folder.run(&["predict", "a.std"]).ended(1).stdout.clone();
    let head = text.lines().find(|line| line.trim_start().starts_with("event |")).expect("a table");
    assert!(head.contains("| T0: A.outer") && head.contains("| T1: block"), "{text}");
}

#[test]
fn json_has_a_line_for_each_trace_and_algorithm() {
    let folder = Folder::new().with("a.std", lucky()).with("b.std", fixed());
    let names: Vec<&str> = ALGORITHMS.iter().map(|spec| spec.name).collect();
    let all = names.join(",");
    let lines = folder.run(&["predict", "--algorithm", &all, "--format", "json", "a.std", "b.std"]).ended(1).lines();
    assert_eq!(lines.len(), 2 * names.len());
    let first = &lines[0];
    assert_eq!((&first["algorithm"], &first["verdict"]), (&names[0].into(), &"violations-predicted".into()));
    let prediction = &first["predictions"][0];
    assert_eq!((&prediction["confirmed"], &prediction["instances"]), (&true.into(), &2.into()));
    assert_eq!(prediction["schedule"]["violation"]["event"], 3);
    for (line, name) in lines[names.len()..].iter().zip(&names) {
        assert_eq!((&line["algorithm"], &line["verdict"]), (&(*name).into(), &"nothing-predicted".into()), "{line}");
    }
}

#[test]
fn what_no_schedule_shows_is_listed_separately_and_can_be_left_out() {
    let folder = Folder::new().with("a.std", MOD_COUNT);
    let text = folder.run(&["predict", "--algorithm", "reduction", "a.std"]).ended(1).stdout.clone();
    assert!(
        text.contains("predicted, but no order of the recorded events was found") && text.contains("no order found:")
    );
    folder.run(&["predict", "--algorithm", "reduction", "--confirmed-only", "a.std"]).ended(0);
    folder.run(&["predict", "a.std"]).ended(0);
}

#[test]
fn a_limit_that_is_reached_is_not_finished() {
    let folder = Folder::new().with("a.std", lucky());
    let text = folder.run(&["predict", "--max-steps", "1", "a.std"]).ended(2).stdout.clone();
    assert!(text.contains("not finished: 1 steps were not enough"), "{text}");
    folder
        .run(&["predict", "--max-events", "3", "a.std"])
        .failed_with("regiontrack: a.std: not finished: more than 3 events; see --max-events");
}

#[test]
fn a_specification_excludes_methods() {
    let folder = Folder::new().with("a.std", lucky());
    folder.run(&["predict", "--exclude-method", "demo.Counter.increment()", "a.std"]).ended(0);
}

#[test]
fn critical_sections_count_on_request() {
    let sections =
        |t: u32| format!("T{t}|begin(m)|1\nT{t}|acq(l)|2\nT{t}|rel(l)|3\nT{t}|acq(l)|4\nT{t}|rel(l)|5\nT{t}|end|6\n");
    let folder = Folder::new().with("a.std", &(sections(0) + &sections(1)));
    folder.run(&["predict", "a.std"]).ended(0);
    let text = folder.run(&["predict", "--sections", "a.std"]).ended(1).stdout.clone();
    assert!(text.contains("stale check-then-act across critical sections (predicted)"), "{text}");
}

#[test]
fn an_unknown_algorithm_is_named_with_the_nearest() {
    let folder = Folder::new().with("a.std", lucky());
    let names = ALGORITHMS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    folder.run(&["predict", "--algorithm", "reductoin", "a.std"]).failed_with(&format!(
        "regiontrack: unknown algorithm 'reductoin'; did you mean reduction? (algorithms: {names})"
    ));
}

#[test]
fn a_potential_for_deadlock_is_a_warning() {
    let nest =
        |t: u32, a: &str, b: &str| format!("T{t}|acq({a})|1\nT{t}|acq({b})|2\nT{t}|rel({b})|3\nT{t}|rel({a})|4\n");
    let folder = Folder::new().with("a.std", &(nest(0, "k", "l") + &nest(1, "l", "k")));
    let text = folder.run(&["predict", "a.std"]).ended(0).stdout.clone();
    assert!(text.contains("warning: potential for deadlock"), "{text}");
}

#[test]
fn algorithms_are_compared_side_by_side() {
    let folder = Folder::new().with("a.std", lucky());
    let table = folder.run(&["compare", "--predict", "a.std"]).ended(1).stdout.clone();
    assert_eq!(table.lines().count(), 2 + ALGORITHMS.len(), "{table}");
    let rows = folder.run(&["compare", "--predict", "--format", "json", "a.std"]).ended(1).lines();
    assert_eq!(rows[0]["algorithm"], "inputs");
    for (row, spec) in rows[1..].iter().zip(ALGORITHMS) {
        assert_eq!((&row["algorithm"], &row["events"]), (&spec.name.into(), &8.into()), "{row}");
    }
}

#[test]
fn algorithms_are_listed_with_their_claims() {
    let list = Folder::new().run(&["engines"]).ended(0).stdout.clone();
    for spec in ALGORITHMS {
        assert!(list.contains(&format!("\n{}\n  {}\n", spec.name, spec.summary)), "{list}");
        spec.claims.iter().for_each(|claim| assert!(list.contains(&claim.to_string()), "{list}"));
    }
}
