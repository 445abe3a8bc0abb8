//! An engine that only warns: its warnings are not violations, in no format, and set no exit code.

use analysis_core::engine::EngineSpec;
use analysis_core::engines::ENGINES;

use crate::runner::{Folder, VIOLATED};

/// Two critical sections in a row, and nothing comes between them.
const LUCKY: &str = "\
T0|begin(demo.Pool.put())|Pool.java:3
T0|acq(l)|Pool.java:4
T0|w(size)|Pool.java:5
T0|rel(l)|Pool.java:6
T0|end|Pool.java:7
T1|begin(demo.Pool.take())|Pool.java:9
T1|acq(l)|Pool.java:10
T1|r(size)|Pool.java:11
T1|rel(l)|Pool.java:12
T1|acq(l)|Pool.java:13
T1|w(size)|Pool.java:14
T1|rel(l)|Pool.java:15
T1|end|Pool.java:16
";

fn warning_engines() -> impl Iterator<Item = &'static EngineSpec> {
    ENGINES.iter().filter(|spec| spec.claim.only_warns())
}

#[test]
fn there_is_one() {
    assert_eq!(warning_engines().count(), 1);
}

#[test]
fn a_warning_is_printed_as_a_suspicion_with_its_two_events_and_no_exit_code() {
    let folder = Folder::new().with("a.std", LUCKY);
    for spec in warning_engines() {
        let text = folder.run(&["check", "--engine", spec.name, "a.std"]).ended(0).stdout.clone();
        for part in [
            "a.std: undecided\n",
            "  1 of 2 blocks suspected; 13 events, 2 threads; engine",
            "this engine only warns",
            "1. demo.Pool.take(): may not be atomic",
            "suspected in 1 of 1 instance, first in T1 at Pool.java:9",
            "event 9: T1 in Pool.take at Pool.java:12: release of l\n",
            "event 10: T1 in Pool.take at Pool.java:13: acquire of l\n",
        ] {
            assert!(text.contains(part), "`{part}` is missing in\n{text}");
        }
        assert!(!text.contains("violated") && !text.contains("serializable"), "{text}");
    }
}

#[test]
fn json_lists_warnings_apart_from_violations() {
    let folder = Folder::new().with("a.std", LUCKY).with("b.std", VIOLATED);
    for spec in warning_engines() {
        let lines =
            folder.run(&["check", "--engine", spec.name, "--format", "json", "a.std", "b.std"]).ended(0).lines();
        assert_eq!(lines[0]["verdict"], "undecided");
        assert!(lines.iter().all(|line| line["violations"].as_array().is_some_and(Vec::is_empty)), "{lines:?}");
        assert!(lines.iter().all(|line| line["first_event"].is_null()), "{lines:?}");
        let warning = &lines[0]["suspected"][0];
        assert_eq!((&warning["begin"], &warning["event"], &warning["other_event"]), (&6.into(), &10.into(), &9.into()));
        // This one is violated, and missed.
        assert!(lines[1]["suspected"].as_array().is_some_and(Vec::is_empty), "{lines:?}");
    }
    let line = &folder.run(&["check", "--format", "json", "b.std"]).ended(1).lines()[0];
    assert!(line["suspected"].is_null() && line["violations"].as_array().is_some_and(|list| list.len() == 1), "{line}");
}

#[test]
fn beside_an_engine_with_a_verdict_that_one_sets_the_exit_code() {
    let folder = Folder::new().with("a.std", LUCKY).with("b.std", VIOLATED);
    let all: Vec<&str> = ENGINES.iter().map(|spec| spec.name).collect();
    folder.run(&["check", "--engine", &all.join(","), "a.std"]).ended(0);
    folder.run(&["check", "--engine", &all.join(","), "b.std"]).ended(1);
}

#[test]
fn commands_that_need_violations_refuse_it() {
    let folder = Folder::new().with("a.std", LUCKY);
    for spec in warning_engines() {
        let name = spec.name;
        for (arguments, says) in [
            (vec!["explain", "--engine", name, "a.std"], "only warns"),
            (vec!["minimize", "--engine", name, "a.std", "-o", "b.std"], "only warns"),
            (vec!["refine", "--engine", name, "--trace", "a.std"], name),
            (vec!["compare", "--against", name, "a.std"], "only warns"),
            (vec!["check", "--engine", name, "--filter", "segment", "a.std"], "--filter"),
        ] {
            let ran = folder.run(&arguments);
            assert!(ran.code == 2 && ran.stderr.contains(says), "{arguments:?}: {}: {}", ran.code, ran.stderr);
        }
    }
}
