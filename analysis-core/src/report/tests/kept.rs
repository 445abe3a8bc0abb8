//! Reports that were saved as JSON: printed again, merged, explained.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{LAYOUT, cases, printed, snapshots, taking_out};
use crate::report::saved::Saved;
use crate::report::{Answer, Application, Details, Explanation, Loss, Report, Source, explain, run, text};

/// A report of a run has no numbers of events, and is about nothing but its own run.
pub(super) fn as_of_a_run(mut report: Report<'_>) -> Report<'_> {
    report.head.subject = "regiontrack";
    report.head.source = Source::Run;
    report.head.first_event = None;
    report.head.saved = &[];
    let lists = [&mut report.findings, &mut report.callers, &mut report.waits_inside];
    for finding in lists.into_iter().flatten() {
        finding.witness.begin.iter_mut().for_each(|begin| begin.event = None);
    }
    report
}

/// The saved report of the trace as if it were a run, and its text. `None` if something of the trace was skipped: no run has such a trace.
pub(super) fn saved(trace: &str) -> Option<(String, String)> {
    let result = RefCell::new(None);
    printed("regiontrack", trace, |summary, symbols, input, spec, _| {
        let details = Details::of_findings(input, summary, taking_out(spec)).expect("read again");
        let report = as_of_a_run(Report::new(summary, symbols, &details, usize::MAX));
        let events = run::Events { recorded: summary.events, ..run::Events::default() };
        let stats =
            run::Stats { blocks: report.head.blocks, threads: report.head.threads, events, ..run::Stats::default() };
        let application = Application::default();
        if report.head.answer.loss != Loss::Misleads {
            *result.borrow_mut() =
                Some((run::json(&report, &[], &stats, &application), text::render(&report, &LAYOUT)));
        }
        String::new()
    });
    result.into_inner()
}

#[test]
fn what_was_saved_as_json_is_printed_as_it_was() {
    let mut count = 0;
    for path in cases() {
        let trace = std::fs::read_to_string(&path).expect("a trace");
        let Some((json, text)) = saved(&trace) else { continue };
        let read = Saved::parse("it", &json).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert_eq!(text::render(&read.report(), &LAYOUT), text, "{}", path.display());
        let again = Saved::parse("it", &read.json()).expect("what it writes");
        assert_eq!(text::render(&again.report(), &LAYOUT), text, "{}", path.display());
        count += 1;
    }
    assert!(count > 10, "{count} reports");
}

#[test]
fn reports_of_several_runs_are_one_in_which_each_finding_is_once() {
    let all: Vec<String> = cases()
        .iter()
        .filter_map(|path| saved(&std::fs::read_to_string(path).expect("a trace")))
        .map(|(json, _)| json)
        .collect();
    let read = |json: &String| Saved::parse("one", json).expect("a report");
    for json in &all {
        for other in &all {
            let (one, two) = (read(json), read(other));
            let counts = |saved: &Saved| {
                let report = saved.report();
                let mut sums: BTreeMap<_, (u64, u64)> = BTreeMap::new();
                for finding in [report.findings, report.callers].concat() {
                    let sum = sums.entry(finding.method).or_default();
                    *sum = (sum.0 + finding.count, sum.1 + finding.instances);
                }
                sums
            };
            let mut expected = counts(&one);
            for (method, (count, instances)) in counts(&two) {
                let sum = expected.entry(method).or_default();
                *sum = (sum.0 + count, sum.1 + instances);
            }
            let answers = [*one.answer(), *two.answer()];
            let merged = one.merge(two).expect("of one engine");
            assert_eq!(counts(&merged), expected);
            assert_eq!(merged.answer().counted, answers[0].counted + answers[1].counted);
            assert_eq!(merged.answer().is_violation(), answers.iter().any(Answer::is_violation));
            assert_eq!(merged.runs().len(), 2);
            let swapped = read(other).merge(read(json)).expect("of one engine");
            assert_eq!(counts(&swapped), expected);
            let again = Saved::parse("both", &merged.json()).expect("what it writes");
            assert_eq!(text::render(&again.report(), &LAYOUT), text::render(&merged.report(), &LAYOUT));
        }
    }
}

#[test]
fn of_a_process_that_was_killed_nothing_is_known_and_that_is_said() {
    let killed = r#"{"schema":1,"verdict":"running","process":7,"started":"1970-01-01T00:00:00Z"}"#;
    let trace = std::fs::read_to_string(snapshots().join("fork-join.std")).expect("a trace");
    let (json, _) = saved(&trace).expect("a report");
    let whole = || Saved::parse("whole", &json).expect("a report");
    let before = whole().answer().is_violation();
    for merged in
        [whole().merge(Saved::parse("k", killed).expect("one")), Saved::parse("k", killed).expect("one").merge(whole())]
    {
        let merged = merged.expect("it has no engine");
        assert_eq!((merged.answer().loss, merged.answer().is_violation()), (Loss::Hides, before));
        let text = text::render(&merged.report(), &LAYOUT);
        assert!(text.contains("k: the process was killed, or still runs"), "{text}");
        assert!(text.contains("k: killed, or still running, 0 blocks"), "{text}");
    }
}

#[test]
fn what_is_suppressed_or_known_counts_in_no_merger_and_in_none_of_mergers() {
    let trace = std::fs::read_to_string(snapshots().join("lost-update.std")).expect("a trace");
    let (json, _) = saved(&trace).expect("a report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let mut known = json.clone();
    known["violations"][0]["status"] = "known".into();
    let mut suppressed = json.clone();
    suppressed["violations"] = serde_json::json!([]);
    suppressed["suppressed"] = serde_json::json!([
        {"id": "0123456789ab", "method": "a.B.c()", "kind": "lost update", "count": 1, "by": "app.supp:1", "reason": "known"}
    ]);
    let read = |json: &serde_json::Value| Saved::parse("it", &json.to_string()).expect("a report");
    let again = |saved: &Saved| Saved::parse("it", &saved.json()).expect("what it writes");
    for (one, other, is_violation) in [
        (&known, &suppressed, false),
        (&suppressed, &suppressed, false),
        (&json, &suppressed, true),
        (&known, &json, true),
    ] {
        let merged = read(one).merge(read(other)).expect("of one engine");
        assert_eq!(merged.answer().is_violation(), is_violation);
        assert_eq!(again(&merged).answer().is_violation(), is_violation);
        assert_eq!(text::render(&again(&merged).report(), &LAYOUT), text::render(&merged.report(), &LAYOUT));
    }
    assert!(!again(&read(&suppressed)).answer().is_violation());
}

#[test]
fn what_is_no_report_is_refused_with_its_name() {
    let refused = |json: &str| Saved::parse("a.json", json).expect_err("refused");
    assert!(refused("{").starts_with("a.json: not a report of the agent in JSON (format=json): "));
    assert!(refused(r#"{"schema":2,"verdict":"serializable"}"#).contains("schema 2"));
    assert!(refused(r#"{"schema":1,"verdict":"good","engine":"reach"}"#).contains("'good' is no verdict"));
    assert!(refused(r#"{"schema":1,"verdict":"serializable","engine":"x"}"#).contains("no engine 'x'"));
}

#[test]
fn a_finding_of_a_saved_report_is_explained_as_the_report_tells_it() {
    let mut count = 0;
    for path in cases() {
        let trace = std::fs::read_to_string(&path).expect("a trace");
        let Some((json, text)) = saved(&trace) else { continue };
        let saved = Saved::parse("it", &json).expect("a report");
        let report = saved.report();
        for number in 1..=report.findings.len() {
            let explanation = Explanation::of_report(&report, number).expect("a finding");
            let told = explain::text_of_report(&report, Some(&explanation), &LAYOUT);
            let begin = told.find(&format!("\n{number}. ")).expect("the finding");
            let end = told.find("\n   the cycle of transactions: ").unwrap_or(told.len());
            assert!(text.contains(told[begin..end].trim_end()), "{}: {number} of\n{text}\nis\n{told}", path.display());
            let json: serde_json::Value =
                serde_json::from_str(&explain::json_of_report(&report, Some(&explanation))).expect("JSON");
            assert_eq!(json["finding"]["id"], report.findings[number - 1].identity().id());
            count += 1;
        }
        let is_cycle = report.findings.is_empty() && report.cycle.is_some();
        assert_eq!(Explanation::of_report(&report, 1).is_some(), is_cycle || !report.findings.is_empty());
        for beyond in [0, report.findings.len().max(1) + 1] {
            assert!(Explanation::of_report(&report, beyond).is_none());
        }
    }
    assert!(count > 10, "{count} findings");
}
