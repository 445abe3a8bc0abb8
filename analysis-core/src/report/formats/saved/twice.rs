//! Which of several saved reports would count runs twice. A merged report lists its runs, each with the id of its own report.
//!
//! Each run is to count once, and none is lost. So a merged report is left out if all its runs are in others, the smallest first. Where it
//! has other runs, too, the reports of those that it shares are left out instead. Two merged reports that share some of their runs cannot
//! be taken apart.
//!
//! Runs that do nothing can leave the same report. So ids are counted: only as many reports are left out as the others have runs of that id.

use std::collections::{BTreeMap, HashMap};

use super::{Saved, Twice};
use crate::profile::sum;

/// The id of a run: a checksum of its report.
pub(super) fn id(text: &str) -> String {
    format!("{:016x}", sum(text.trim().as_bytes()))
}

impl Saved {
    /// For each of these reports, whether it would count runs twice.
    pub fn twice(reports: &[Saved]) -> Vec<Option<Twice>> {
        let mut found = vec![None; reports.len()];
        let mut merged: Vec<usize> = (0..reports.len()).filter(|at| reports[*at].is_merged).collect();
        merged.sort_by_key(|at| reports[*at].runs.len());
        for &at in &merged {
            let others = (0..reports.len()).filter(|other| *other != at && found[*other].is_none());
            if is_covered(&reports[at], others.map(|other| &reports[other])) {
                found[at] = Some(Twice::Whole);
            }
        }
        merged.retain(|at| found[*at].is_none());
        merged.sort_unstable();
        let mut inside: HashMap<&str, Vec<usize>> = HashMap::new();
        for &at in &merged {
            for id in ids(&reports[at]) {
                let holders = inside.entry(id).or_default();
                if let Some(first) = holders.first().filter(|first| **first != at) {
                    found[at] = Some(Twice::Partly(*first));
                }
                holders.push(at);
            }
        }
        for (at, report) in reports.iter().enumerate().filter(|(_, report)| !report.is_merged) {
            let holder = ids(report).next().and_then(|id| inside.get_mut(id)).and_then(Vec::pop);
            found[at] = holder.map(Twice::Part);
        }
        found
    }
}

/// Whether each run of a merged report is in the others.
fn is_covered<'a>(report: &Saved, others: impl Iterator<Item = &'a Saved>) -> bool {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    others.flat_map(ids).for_each(|id| *left.entry(id).or_default() += 1);
    // A merged report of an older version has no ids.
    report.runs.iter().all(|run| {
        let count = run.id.as_deref().and_then(|id| left.get_mut(id)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    })
}

fn ids(report: &Saved) -> impl Iterator<Item = &str> {
    report.runs.iter().filter_map(|run| run.id.as_deref())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The report of a run with this number of blocks.
    fn run(blocks: u64) -> Saved {
        let stats = json!({"classes": {"instrumented": 1, "skipped": 0, "failed": 0}, "threads": 2, "blocks": blocks,
            "events": {"recorded": 5, "dependencies": 3, "lost": 0}, "unmodelled": 0, "seconds": 1.0});
        let report =
            json!({"schema": 1, "verdict": "serializable", "engine": "reach", "violations": [], "stats": stats});
        Saved::parse("run.json", &report.to_string()).expect("a report")
    }

    /// A merged report, as it is read again.
    fn merged(runs: &[u64]) -> Saved {
        let merged = runs.iter().map(|blocks| run(*blocks)).reduce(|one, two| one.merge(two).expect("one engine"));
        Saved::parse("merged.json", &merged.expect("a run").json()).expect("a report")
    }

    #[test]
    fn a_merged_report_is_left_out_if_its_runs_are_in_others() {
        let none = vec![None; 2];
        assert_eq!(Saved::twice(&[run(1), run(2)]), none);
        assert_eq!(Saved::twice(&[merged(&[1, 2]), run(3)]), none, "runs whose own reports are gone");
        assert_eq!(Saved::twice(&[run(1), merged(&[1, 2]), run(2)]), [None, Some(Twice::Whole), None]);
        assert_eq!(Saved::twice(&[run(1), merged(&[1])]), [None, Some(Twice::Whole)], "of one run");
        assert_eq!(Saved::twice(&[merged(&[1, 2]), merged(&[2, 1])]), [Some(Twice::Whole), None]);
        let nested = run(3).merge(merged(&[1, 2])).expect("one engine");
        assert_eq!(Saved::twice(&[merged(&[1, 2]), nested, run(3)]), [Some(Twice::Whole), None, Some(Twice::Part(1))]);
    }

    #[test]
    fn a_report_is_left_out_if_a_merged_one_has_its_run_and_others() {
        assert_eq!(Saved::twice(&[run(1), merged(&[1, 2]), run(3)]), [Some(Twice::Part(1)), None, None]);
        assert_eq!(Saved::twice(&[merged(&[1, 2]), merged(&[2, 3])]), [None, Some(Twice::Partly(0))]);
    }

    #[test]
    fn runs_with_the_same_report_are_different_runs() {
        assert_eq!(Saved::twice(&[run(1), run(1)]), [None, None]);
        assert_eq!(Saved::twice(&[run(1), run(1), merged(&[1, 1])]), [None, None, Some(Twice::Whole)]);
        assert_eq!(Saved::twice(&[run(1), merged(&[1, 1])]), [Some(Twice::Part(1)), None]);
        assert_eq!(Saved::twice(&[run(1), run(1), merged(&[1, 2])]), [Some(Twice::Part(2)), None, None]);
        assert_eq!(Saved::twice(&[merged(&[1, 1])]), [None]);
    }

    #[test]
    fn a_merged_report_of_an_older_version_has_no_ids_and_counts() {
        let mut old: serde_json::Value = serde_json::from_str(&merged(&[1, 2]).json()).expect("JSON");
        for run in old["runs"].as_array_mut().expect("runs") {
            run.as_object_mut().expect("an object").remove("id");
        }
        let old = Saved::parse("old.json", &old.to_string()).expect("a report");
        assert_eq!(Saved::twice(&[old, run(1), run(2)]), [None, None, None]);
    }
}
