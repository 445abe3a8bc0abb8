//! Predictions of a run are those of its recorded trace, and the report says what could not be kept.

use std::path::Path;

use analysis_core::event::{Event, LabelId};
use analysis_core::predict::Execution;
use analysis_core::predict::algorithm::Limits;
use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::predict::answer::Answer;
use analysis_core::predict::schedule::Status;
use analysis_core::protocol::record;
use regiontrack_tests::text;
use serde_json::{Value, json};

use super::program::{describe, options, play, reported};
use super::runs::{TINY, read, traces};
use crate::report::Ending;
use crate::session::Session;

/// Two updates, one after the other, that only luck keeps apart.
const LUCKY: &str = "T0|begin(m1) T0|r(x) T0|w(x) T0|end T1|begin(m2) T1|r(x) T1|w(x) T1|end";

fn run(agent: &str, trace: &[Event]) -> Ending {
    let session = Session::start_sized(options(agent), TINY).expect("it starts");
    describe(&session);
    play(&session, &record(trace));
    session.finish().expect("the first finish")
}

fn lucky() -> Vec<Event> {
    text::read(LUCKY).expect("readable").events
}

/// What the report must have of each prediction.
fn predicted(events: &[Event], labels: &[String]) -> Vec<Vec<Value>> {
    let execution = Execution::new(events.to_vec());
    let name = |label: LabelId| labels.get(label.index()).map(|label| label.to_string());
    let answers = ALGORITHMS.iter().map(|spec| Answer::of(spec, &execution, &Limits::default()));
    let told = answers.map(|answer| {
        let of_one = answer.predictions.iter().map(|prediction| {
            let events: Vec<u64> = prediction.pattern.events.iter().map(|at| at.number()).collect();
            let is_confirmed = matches!(prediction.status, Status::Confirmed(_));
            json!([name(prediction.label), prediction.count, prediction.pattern.name, events, is_confirmed])
        });
        of_one.collect()
    });
    told.collect()
}

fn reported_predictions(report: &Value) -> Vec<Vec<Value>> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let of_one = |answer: &Value| {
        let line = |p: &Value| json!([p["method"], p["instances"], p["pattern"], p["events"], p["confirmed"]]);
        list(&answer["predictions"]).iter().map(line).collect()
    };
    list(&report["predicted"]).iter().map(of_one).collect()
}

fn all() -> String {
    ALGORITHMS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(",")
}

#[test]
fn each_algorithm_says_of_a_run_what_it_says_of_the_recorded_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, file) = (folder.path().join("report.json"), folder.path().join("run.rtb"));
    let agent = format!("predict={},format=json,report={},record={}", all(), report.display(), file.display());
    let mut count = 0;
    for (name, trace) in traces(6) {
        run(&agent, &trace);
        let (events, labels) = read(&file);
        let expected = predicted(&events, &labels);
        count += expected.iter().map(Vec::len).sum::<usize>();
        assert_eq!(reported_predictions(&reported(&report).0), expected, "{name}");
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_prediction_sets_the_exit_code_only_if_one_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let code = |agent: &str| run(&format!("{agent},format=json,report={}", report.display()), &lucky()).exit_code;
    let predict = format!("predict={}", ALGORITHMS[0].name);
    assert_eq!(code(&predict), None);
    assert_eq!(code(&format!("{predict},exitcode=3")), Some(3));
    assert_eq!(code("exitcode=3"), None);
}

fn text_of(report: &Path) -> String {
    std::fs::read_to_string(report).expect("a report")
}

#[test]
fn the_text_has_a_part_for_each_algorithm_after_that_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.txt");
    run(&format!("predict={},report={}", all(), report.display()), &lucky());
    let text = text_of(&report);
    assert!(text.starts_with("regiontrack: serializable\n"), "{text}");
    let mut rest = &*text;
    for spec in ALGORITHMS {
        let at = rest.find(&format!("; algorithm {}\n", spec.name)).unwrap_or_else(|| panic!("{}: {text}", spec.name));
        rest = &rest[at..];
    }
    assert!(text.contains("(predicted)") && text.contains("the schedule: as observed up to event 0, then"), "{text}");
}

#[test]
fn an_analysis_that_fails_makes_its_predictions_incomplete() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    run(&format!("predict={},fail_after=5,format=json,report={}", ALGORITHMS[0].name, report.display()), &lucky());
    let warnings = reported(&report).0["predicted"][0]["warnings"].to_string();
    assert!(warnings.contains("incomplete: the analysis failed"), "{warnings}");
}

#[test]
fn the_order_of_critical_sections_counts_where_that_is_asked_for() {
    let trace = "T0|begin(m1) T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l) T0|end T1|begin(m2) T1|acq(l) T1|rel(l) T1|end";
    let trace = text::read(trace).expect("readable").events;
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    let count = |agent: &str| {
        run(&format!("predict={}{agent},format=json,report={}", ALGORITHMS[0].name, report.display()), &trace);
        reported_predictions(&reported(&report).0)[0].len()
    };
    assert_eq!((count(""), count(",sections=false"), count(",sections=true")), (0, 0, 1));
}

#[test]
fn a_column_is_headed_by_its_transaction() {
    let trace = "T0|begin(m1) T0|begin(m2) T0|r(x) T0|end T0|w(x) T0|end T1|begin(m3) T1|r(x) T1|w(x) T1|end";
    let trace = text::read(trace).expect("readable").events;
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.txt");
    run(&format!("predict={},report={}", ALGORITHMS[0].name, report.display()), &trace);
    let text = text_of(&report);
    let head = text.lines().find(|line| line.trim_start().starts_with("event |")).expect("a table");
    assert!(head.contains("worker-1: Box.m0") && head.contains("worker-2: Box.m2"), "{text}");
}

#[test]
fn without_the_option_nothing_is_predicted() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json");
    run(&format!("format=json,report={}", report.display()), &lucky());
    assert!(reported(&report).0["predicted"].is_null());
}
