//! One run that replays a schedule, and what its reports say.

use std::fs;
use std::path::Path;

use analysis_core::provoke::schedule::{self, Schedule};
use anyhow::{Context, Result};
use serde_json::Value;

use crate::provoke::runs::Runs;

/// The start of the agent's message that places of the schedule are not in the program.
const NO_PLACE: &str = "no class that was loaded has these places";

/// The result of a schedule in one run.
#[derive(Default)]
pub(crate) struct Run {
    /// Whether its violation happened.
    pub(crate) has_happened: bool,
    /// The number of switch points that were passed in order, and of all.
    pub(super) passed: u64,
    pub(super) points: u64,
    /// Where the run went another way.
    pub(super) ways: Vec<String>,
    /// Whether no JVM has loaded classes with all places of the schedule, or none has run its test.
    pub(super) is_elsewhere: bool,
    /// Whether the run took too long and was ended.
    pub(super) is_cut: bool,
}

impl Run {
    /// Whether all switch points were passed in order, and no hold ended in vain.
    pub(super) fn is_whole(&self) -> bool {
        self.passed == self.points && self.ways.is_empty()
    }

    /// The result in one line.
    pub(super) fn told(&self) -> String {
        let Run { has_happened, passed, points, ways, .. } = self;
        let what = if *has_happened { "it happened" } else { "it did not happen" };
        let way = ways.first().map_or(String::new(), |way| format!("; {way}"));
        format!("{what}, {passed} of {points} switch points{way}")
    }
}

/// Runs the program by a schedule, which is written to `file`.
pub(crate) fn once(runs: &mut Runs<'_>, schedule: &Schedule, file: &Path) -> Result<Run> {
    schedule::write(file, schedule)?;
    let folder = runs.next_folder();
    let mut options = vec![("REGIONTRACK_REPLAY", file.as_os_str())];
    options.extend(runs.profile.as_ref().map(|profile| ("REGIONTRACK_PROFILE", profile.as_os_str())));
    let ended = runs.run(&folder, &options)?;
    let mut all = Run { is_elsewhere: true, ..Run::default() };
    let mut has_run = false;
    for path in &ended.reports {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let report: Value = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a report of the agent; is it of this version?", path.display()))?;
        has_run |= report["stats"]["blocks"] != 0;
        all.add(&report, schedule);
    }
    if ended.took_too_long {
        all.is_cut = true;
        all.ways.push(format!("it {}", runs.why_too_long()));
    } else if !has_run && !ended.status.success() {
        anyhow::bail!("{}", ended.why_nothing_ran(runs.command));
    }
    runs.discard(&folder);
    Ok(all)
}

/// Like [`once`], to try a shorter schedule; `None` if the run was stopped, because then it says nothing about the
/// schedule.
pub(crate) fn tried(runs: &mut Runs<'_>, schedule: &Schedule, file: &Path) -> Result<Option<Run>> {
    let run = once(runs, schedule, file);
    if runs.stopped().is_some() { Ok(None) } else { run.map(Some) }
}

impl Run {
    /// Adds the report of a JVM. A JVM that has none of the places, such as that of a build tool, says nothing about
    /// them; for the schedule of a test, only the JVM that has run the test counts.
    fn add(&mut self, report: &Value, schedule: &Schedule) {
        let each = |key: &str| report[key].as_array().into_iter().flatten().collect::<Vec<_>>();
        let is_it = |violation: &Value| match &schedule.finding {
            Some(finding) => violation["id"] == **finding,
            None => violation["method"] == *schedule.candidate.block,
        };
        // A report describes a finding by one of its violations, so the id can be another one. It was this violation if
        // the thread was held in it, and another thread came.
        let candidate = schedule.candidate.id();
        let is_held = |violation: &Value| {
            let provoked = &violation["provoked"];
            let is_met = provoked["candidate"] == *candidate && !provoked["until"].is_null();
            is_met && violation["method"] == *schedule.candidate.block
        };
        let replayed = &report["replayed"];
        let number = |key: &str| replayed[key].as_u64().unwrap_or(0);
        // So can that of a violation in which the other thread came before it was to be held.
        let goes_by_points = number("points") > 1 && number("passed") == number("points") && replayed["ways"].is_null();
        let is_of_block = |violation: &Value| goes_by_points && violation["method"] == *schedule.candidate.block;
        let is_any = |violation: &Value| is_it(violation) || is_held(violation) || is_of_block(violation);
        self.has_happened |= each("violations").into_iter().any(is_any);
        // The test may well expect it.
        let mut expected = each("suppressed").into_iter().filter(|one| !one["expected_by"].is_null());
        self.has_happened |= expected.any(is_any);
        // Whether the block waits can also depend on what another thread does later.
        self.has_happened |= schedule.finding.is_some() && each("waits_inside").into_iter().any(is_it);
        let lacks_place = each("warnings").iter().any(|line| line.as_str().is_some_and(|line| line.contains(NO_PLACE)));
        let is_here = !lacks_place && replayed["lacks_test"] != true;
        self.points = self.points.max(number("points"));
        if is_here || number("passed") > self.passed {
            self.is_elsewhere &= !is_here;
            self.passed = self.passed.max(number("passed"));
            let ways = replayed["ways"].as_array().into_iter().flatten();
            self.ways = ways.filter_map(Value::as_str).map(str::to_owned).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(finding: Option<&str>) -> Schedule {
        let place = |text: &str| text.parse().expect("a place");
        Schedule {
            candidate: analysis_core::provoke::Candidate {
                block: "a.B.f()".to_owned(),
                variable: "B.x".to_owned(),
                first: place("a.B.f:1 read x"),
                hold: place("a.B.f:1 read x"),
                last: place("a.B.f:2 write x"),
                other: place("a.B.f:2 write x"),
                enter: None,
                steps: Vec::new(),
            },
            finding: finding.map(str::to_owned),
            test: None,
            threads: Vec::new(),
            points: Vec::new(),
        }
    }

    #[test]
    fn the_finding_of_the_schedule_counts_or_one_of_its_block_if_none_is_known() {
        let report = serde_json::json!({
            "violations": [{"id": "00000000000a", "method": "a.B.f()"}], "warnings": [],
            "replayed": {"points": 2, "passed": 1, "ways": ["main never passed B.java:2 the 1st time"]}
        });
        for (finding, happens) in [(Some("00000000000a"), true), (Some("00000000000b"), false), (None, true)] {
            let mut run = Run { is_elsewhere: true, ..Run::default() };
            run.add(&report, &schedule(finding));
            assert_eq!((run.has_happened, run.is_elsewhere), (happens, false), "{finding:?}");
            let what = if happens { "it happened" } else { "it did not happen" };
            assert_eq!(run.told(), format!("{what}, 1 of 2 switch points; main never passed B.java:2 the 1st time"));
        }
    }

    /// A report describes a finding by one of several violations, and the block may wait for other threads in this run.
    #[test]
    fn it_has_happened_if_the_thread_was_held_in_what_is_told_or_the_block_waits_in_this_run() {
        let id = schedule(None).candidate.id();
        let other = |provoked| serde_json::json!({"id": "00000000000b", "method": "a.B.f()", "provoked": provoked});
        let held = other(serde_json::json!({"candidate": id, "held_ms": 3, "at": "B.java:1", "until": "B.java:2"}));
        let in_vain = other(serde_json::json!({"candidate": id, "held_ms": 3, "at": "B.java:1"}));
        let of_caller = serde_json::json!({"id": "00000000000b", "method": "a.B.g()", "provoked": held["provoked"]});
        let of_another = other(serde_json::json!({"candidate": "0", "until": "B.java:2"}));
        let it = serde_json::json!({"id": "00000000000a", "method": "a.B.f()"});
        let expected = serde_json::json!({"id": "00000000000a", "method": "a.B.f()", "expected_by": ["a.BTest.f()"]});
        for (list, violation, happens) in [
            ("violations", &held, true),
            ("violations", &in_vain, false),
            ("suppressed", &expected, true),
            ("suppressed", &it, false),
            ("violations", &of_another, false),
            ("violations", &of_caller, false),
            ("waits_inside", &it, true),
            ("waits_inside", &held, false),
        ] {
            let mut run = Run::default();
            run.add(&serde_json::json!({ list: [violation] }), &schedule(Some("00000000000a")));
            assert_eq!(run.has_happened, happens, "{list}: {violation}");
        }
        let mut run = Run::default();
        run.add(&serde_json::json!({"waits_inside": [it]}), &schedule(None));
        assert!(!run.has_happened, "it may wait in every run");
        // All points were passed, and the block was violated by what came before it was held.
        let way = ["main never passed B.java:2 the 1st time"];
        for (violation, replayed, happens) in [
            (other(Value::Null), serde_json::json!({"points": 2, "passed": 2}), true),
            (other(Value::Null), serde_json::json!({"points": 2, "passed": 2, "ways": way}), false),
            (other(Value::Null), serde_json::json!({"points": 1, "passed": 1}), false),
            (of_caller, serde_json::json!({"points": 2, "passed": 2}), false),
        ] {
            let mut run = Run::default();
            let report = serde_json::json!({"violations": [violation], "replayed": replayed});
            run.add(&report, &schedule(Some("00000000000a")));
            assert_eq!(run.has_happened, happens, "{report}");
        }
    }

    #[test]
    fn jvms_without_the_places_do_not_count_beside_others() {
        let elsewhere = serde_json::json!({
            "violations": [], "warnings": [format!("replay=f: {NO_PLACE}: a.B.f:1 read x")],
            "replayed": {"points": 2, "passed": 0, "ways": ["main never passed B.java:1 the 1st time"]}
        });
        let here = serde_json::json!({"violations": [], "warnings": [], "replayed": {"points": 2, "passed": 2}});
        let mut run = Run { is_elsewhere: true, ..Run::default() };
        run.add(&elsewhere, &schedule(None));
        assert!(run.is_elsewhere);
        run.add(&here, &schedule(None));
        run.add(&elsewhere, &schedule(None));
        assert_eq!((run.is_elsewhere, run.told()), (false, "it did not happen, 2 of 2 switch points".to_owned()));
    }

    #[test]
    fn of_the_jvms_of_a_build_the_one_counts_that_has_run_the_test() {
        let other = serde_json::json!({
            "violations": [], "warnings": [],
            "replayed": {"points": 2, "passed": 0, "lacks_test": true, "ways": ["a.BTest.two() with @Provoke was not run"]}
        });
        let it = serde_json::json!({"violations": [], "warnings": [], "replayed": {"points": 2, "passed": 2}});
        let mut run = Run { is_elsewhere: true, ..Run::default() };
        run.add(&other, &schedule(None));
        assert!(run.is_elsewhere);
        [&it, &other].into_iter().for_each(|report| run.add(report, &schedule(None)));
        assert!(!run.is_elsewhere && run.is_whole(), "{}", run.told());
    }
}
