//! The comparison as Markdown.

use std::fmt::Write;

use super::methods::{Comparison, Missed, Sizes, Total};
use super::{Results, Row};
use crate::bench::{Conditions, empty};

/// The headings of the table of subjects.
const HEADING: [&str; 8] = [
    "subject",
    "full: in all",
    "full: in some",
    "guided: in all",
    "guided: in some",
    "of those in all, found",
    "of those in some, found",
    "guided alone",
];
/// The headings of the table of missed methods.
const MISSED: [&str; 7] =
    ["subject", "method", "kind", "rank", "full runs", "in the run that learns", "in the profile"];

/// All tables.
pub(super) fn markdown(results: &Results) -> String {
    let Conditions { commit, jvm, processor, processors, load, size, .. } = &results.conditions;
    let runs = results.runs;
    let mut text = format!(
        "size {size}; commit {}; JDK {jvm}; {processors} processors, {processor}; load at the beginning {load}.\n\n\
         Methods, callers included, in {runs} full and {runs} guided {}; \"in some\" counts those in all, too. Each guided run \
         starts from the same profile, of one run besides. Found is what some guided run names.\n",
        commit.as_deref().unwrap_or("unknown"),
        if runs == 1 { "run" } else { "runs" },
    );
    section(&mut text, "Violated methods", results, |row| &row.violated, &results.violated);
    let title = "Violated methods, and those around them that the same events violate";
    section(&mut text, title, results, |row| &row.around, &results.around);
    section(&mut text, "Methods that wait inside", results, |row| &row.waits_inside, &results.waits_inside);
    let mut notes: Vec<String> = Vec::new();
    if !results.without_findings.is_empty() {
        notes.push(format!("without findings in {runs} full runs: {}", results.without_findings.join(", ")));
    }
    let incomplete = results.subjects.iter().filter(|row| row.incomplete > 0);
    notes.extend(incomplete.map(|row| format!("{}: {} runs are incomplete", row.subject, row.incomplete)));
    notes.extend(results.failures.iter().map(|why| format!("FAILED: {}", why.replace('\n', "\n  "))));
    if !notes.is_empty() {
        let _ = writeln!(text, "\n- {}", notes.join("\n- "));
    }
    text
}

/// Writes a table of the subjects, with the total, and one of the missed methods.
fn section(text: &mut String, title: &str, results: &Results, of: fn(&Row) -> &Comparison, total: &Total) {
    if total.full.in_some == 0 {
        let _ = writeln!(text, "\n## {title}\n\nNone.");
        return;
    }
    let mut table = empty(&HEADING.map(str::to_owned));
    for row in &results.subjects {
        let Comparison { full, guided, found, only_guided, .. } = of(row);
        let counts =
            [full.in_all, full.in_some, guided.in_all, guided.in_some, found.in_all, found.in_some, *only_guided];
        table.add_row([row.subject.clone()].into_iter().chain(counts.map(|count| count.to_string())));
    }
    let Total { full, found, found_again } = total;
    let [none, all, some] = [String::new(), full.in_all.to_string(), full.in_some.to_string()];
    let shares = [share(found.in_all, full.in_all), share(found.in_some, full.in_some)];
    let [of_all, of_some] = shares;
    table.add_row(["all".to_owned(), all, some, none.clone(), none.clone(), of_all, of_some, none]);
    let rest = |sizes: &Sizes| sizes.in_some - sizes.in_all;
    let _ = writeln!(
        text,
        "\n## {title}\n\n{table}\n\nOf those in some full runs and not in all, {} are found.",
        share(rest(found), rest(full))
    );
    if results.is_again {
        let _ = writeln!(
            text,
            "As many other full runs find {} of those in all, and {} of the others.",
            share(found_again.in_all, full.in_all),
            share(rest(found_again), rest(full))
        );
    }
    let mut table = empty(&MISSED.map(str::to_owned));
    for row in &results.subjects {
        of(row).missed.iter().for_each(|missed| _ = table.add_row(cells(&row.subject, missed, results.runs)));
    }
    if !table.is_empty() {
        let _ = writeln!(text, "\nMissed:\n\n{table}");
    }
}

/// Returns `part` of `all`, with the percentage.
fn share(part: usize, all: usize) -> String {
    if all == 0 {
        return "0 of 0".to_owned();
    }
    format!("{part} of {all} ({:.1} %)", part as f64 / all as f64 * 100.0)
}

fn cells(subject: &str, missed: &Missed, runs: u32) -> [String; 7] {
    let Missed { method, kind, caller, rank, full_runs, is_learnt, is_profiled } = missed;
    let word = |is_so: bool| if is_so { "yes" } else { "no" }.to_owned();
    [
        subject.to_owned(),
        method.clone(),
        format!("{kind}{}", if *caller { ", a caller" } else { "" }),
        rank.to_string(),
        format!("{full_runs} of {runs}"),
        word(*is_learnt),
        word(*is_profiled),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::{Found, Named};
    use super::*;
    use crate::guided::methods::Method;

    fn named(names: &str) -> Named {
        let method = |name: &str| Method { method: format!("{name}()"), kind: "lost update".to_owned(), caller: false };
        let violated: Vec<Method> = names.split_whitespace().map(method).collect();
        Named { around: violated.clone(), violated, ..Named::default() }
    }

    fn found(subject: &str, full: &[&str], guided: &[&str]) -> Found {
        let runs = |runs: &[&str]| runs.iter().map(|names| named(names)).collect();
        Found {
            subject: subject.to_owned(),
            full: runs(full),
            again: runs(&["b", "c"]),
            learning: Some(named("a")),
            guided: runs(guided),
            profiled: vec!["b".to_owned()],
        }
    }

    #[test]
    fn the_tables_have_each_subject_the_total_and_what_is_missed() {
        let all = [found("tsp", &["a b", "a"], &["a", "c"]), found("elevator", &["a", "a"], &["a", "a"])];
        let nothing = found("crypt", &["", ""], &[]);
        let results = Results::of(
            Conditions::of_test("a"),
            2,
            &all.into_iter().chain([nothing]).collect::<Vec<_>>(),
            vec!["h2: full: it was killed at its limit".to_owned()],
        );
        let text = markdown(&results);
        let rows: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for expected in [
            "| elevator | 1 | 1 | 1 | 1 | 1 | 1 | 0 |",
            "| tsp | 1 | 2 | 0 | 2 | 1 | 1 | 1 |",
            "| all | 2 | 3 | | | 2 of 2 (100.0 %) | 2 of 3 (66.7 %) | |",
            "Of those in some full runs and not in all, 0 of 1 (0.0 %) are found.",
            "As many other full runs find 0 of 2 (0.0 %) of those in all, and 1 of 1 (100.0 %) of the others.",
            "| tsp | b() | lost update | 2 | 1 of 2 | no | yes |",
            "## Methods that wait inside",
            "- without findings in 2 full runs: crypt",
            "- FAILED: h2: full: it was killed at its limit",
        ] {
            assert!(rows.iter().any(|row| row == expected), "{expected} is missing in\n{text}");
        }
        assert!(text.find("| elevator") < text.find("| tsp"), "by name");
    }
}
