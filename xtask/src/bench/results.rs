//! All results of a bench: every run as JSON and as CSV; a table for each figure as Markdown.

use std::collections::BTreeSet;
use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::configurations::{Column, Configuration};
use super::figures::{FIGURES, Figure, Spread, confidence, geometric_mean, median};
use super::guided::Guided;
use super::measure::{Measured, Run, Work};
use crate::Failure;
use crate::java::Subject;

/// Everything that was measured.
#[derive(Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) conditions: Conditions,
    columns: Vec<Described>,
    subjects: Vec<Measurements>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Described {
    name: String,
    configuration: Configuration,
    jar: Option<String>,
}

/// A subject's runs.
#[derive(Serialize, Deserialize)]
struct Measurements {
    name: String,
    what: String,
    threads: u32,
    class_file: u32,
    /// How the result is checked.
    check: String,
    is_start: bool,
    /// By column, then by pair.
    runs: Vec<Vec<Run>>,
}

/// A subject in one configuration: medians of its runs, and their intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) subject: String,
    pub(crate) size: String,
    pub(crate) configuration: String,
    /// `measured`, or what happened to a run that was not.
    pub(crate) state: String,
    pub(crate) processor_s: Option<Spread>,
    /// Ratios to the same pair in the first configuration: processor time, wall time, peak memory.
    pub(crate) slowdown: Option<Spread>,
    pub(crate) wall_slowdown: Option<Spread>,
    pub(crate) memory_mib: Option<Spread>,
    pub(crate) memory: Option<Spread>,
    pub(crate) recorded: Option<f64>,
    pub(crate) dependencies: Option<f64>,
    /// Methods that were found violated.
    pub(crate) findings: Option<f64>,
    pub(crate) verdicts: BTreeSet<String>,
}

impl Results {
    /// Creates empty results.
    pub(super) fn new(conditions: Conditions, columns: &[Column]) -> Results {
        let described = columns.iter().map(|column| Described {
            name: column.name.clone(),
            configuration: column.configuration.clone(),
            jar: column.jar.as_ref().and_then(|jar| Some(jar.file_name()?.to_string_lossy().into_owned())),
        });
        Results { conditions, columns: described.collect(), subjects: Vec::new() }
    }

    /// Reads the results of an interrupted bench from JSON. Those of another commit, machine or configuration must not
    /// be mixed with new ones: an error.
    pub(super) fn resumed(text: &str, conditions: Conditions, columns: &[Column]) -> Result<Results, Failure> {
        let old: Results = serde_json::from_str(text).map_err(|e| Failure(e.to_string()))?;
        let new = Results::new(conditions, columns);
        new.conditions.continues(&old.conditions)?;
        if old.columns != new.columns {
            return Err(Failure("they are of other configurations or jars".to_owned()));
        }
        Ok(old)
    }

    /// Returns whether this subject has all runs, and none of them failed.
    pub(super) fn has(&self, subject: &Subject, pairs: usize) -> bool {
        let is_run = |run: &Run| !matches!(run, Run::Failed(_));
        let is_whole =
            |known: &Measurements| known.runs.iter().all(|runs| runs.len() == pairs && runs.iter().all(is_run));
        let is_it = |known: &&Measurements| known.name == subject.name && known.threads == subject.threads;
        self.subjects.iter().find(is_it).is_some_and(is_whole)
    }

    /// Returns every run as a line of CSV; figures that were not measured are empty fields, and a run that was killed
    /// or failed says so instead of a verdict.
    pub(super) fn csv(&self) -> String {
        let mut text = "subject,threads,configuration,pair".to_owned();
        for figure in FIGURES {
            let _ = write!(text, ",{} ({})", figure.name.to_lowercase(), figure.unit);
        }
        let _ = writeln!(text, ",recorded,dependencies,lost,verdict,findings{}", Guided::csv_heading());
        for subject in &self.subjects {
            for (column, runs) in self.columns.iter().zip(&subject.runs) {
                for (pair, run) in (1..).zip(runs) {
                    let column = column.name.replace('"', "\"\"");
                    let _ = write!(text, "{},{},\"{column}\",{pair}", subject.name, subject.threads);
                    for figure in FIGURES {
                        let value =
                            run.measured().and_then(figure.of).map_or(String::new(), |value| format!("{value:.3}"));
                        let _ = write!(text, ",{value}");
                    }
                    let none = match run {
                        Run::Measured(_) => ",,,,",
                        Run::TooLong => ",,,too long,",
                        Run::Failed(_) => ",,,failed,",
                    };
                    let work = run.measured().and_then(|run| run.work.as_ref());
                    let guided = Guided::csv(work.and_then(|work| work.guided.as_deref()));
                    let work = work.map_or(none.to_owned(), |work| {
                        format!(
                            "{},{},{},{},{}",
                            work.recorded, work.dependencies, work.lost, work.verdict, work.findings
                        )
                    });
                    let _ = writeln!(text, ",{work}{guided}");
                }
            }
        }
        text
    }

    /// Adds a subject's runs, by column and pair.
    pub(super) fn add(&mut self, subject: &Subject, runs: Vec<Vec<Run>>) {
        let Subject { name, what, threads, class_file, check, is_start, .. } = subject.clone();
        self.subjects.retain(|known| known.name != name);
        self.subjects.push(Measurements { name, what, threads, class_file, check, is_start, runs });
    }

    /// Returns the tables as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let Conditions { commit, jvm, processor, processors, load, size, suite, flags, .. } = &self.conditions;
        let suite = suite.as_ref().map_or(String::new(), |suite| format!("{suite}; "));
        let commit = commit.as_deref().unwrap_or("unknown");
        let jvm = std::iter::once(format!("JDK {jvm}")).chain(flags.iter().cloned()).collect::<Vec<_>>().join(" ");
        let mut text = format!(
            "{suite}size {size}; commit {commit}; {jvm}; {processors} processors, {processor}; load at the beginning {load}. \
             Ratios to the first column, the median of the pairs and in parentheses an interval that contains the median \
             with {:.0} % confidence (by order statistics).\n\n",
            confidence(self.pairs()).1 * 100.0
        );
        for column in &self.columns {
            let jar = column.jar.as_ref().map_or(String::new(), |jar| format!(" ({jar})"));
            let _ = writeln!(text, "- {}: {}{jar}", column.name, column.configuration.what);
        }
        for figure in FIGURES.iter().filter(|figure| self.is_known(figure)) {
            let _ = writeln!(text, "\n## {}\n\n{}", figure.name, self.table(figure, self.conditions.limit_s));
        }
        let _ = writeln!(text, "\n## Records and dependencies\n\n{}", self.work());
        if let Some(table) = self.watched() {
            let _ = writeln!(text, "\n## What is watched\n\n{table}");
        }
        let failures = self.failures();
        if !failures.is_empty() {
            let _ = writeln!(text, "\n## Failures\n");
            for (run, why) in failures {
                let _ = writeln!(text, "- {run}: {}", why.replace('\n', "\n  "));
            }
        }
        text
    }

    /// Returns the largest number of pairs of a subject.
    fn pairs(&self) -> usize {
        self.subjects.iter().flat_map(|subject| subject.runs.iter().map(Vec::len)).max().unwrap_or(1)
    }

    /// Returns whether some run has the figure.
    fn is_known(&self, figure: &Figure) -> bool {
        let mut runs = self.subjects.iter().flat_map(|subject| subject.runs.iter().flatten());
        runs.any(|run| run.measured().and_then(figure.of).is_some())
    }

    /// Returns which runs failed, and why.
    pub(crate) fn failures(&self) -> Vec<(String, &str)> {
        let mut failures = Vec::new();
        for subject in &self.subjects {
            for (column, runs) in self.columns.iter().zip(&subject.runs) {
                for (pair, run) in (1..).zip(runs) {
                    if let Run::Failed(why) = run {
                        failures.push((format!("{}, pair {pair}, {}", subject.name, column.name), why.as_str()));
                    }
                }
            }
        }
        failures
    }

    /// Returns each subject in each configuration, for tables and pictures made from several benches.
    pub(crate) fn summaries(&self) -> Vec<Summary> {
        let mut all = Vec::new();
        for subject in &self.subjects {
            for (column, runs) in self.columns.iter().zip(&subject.runs) {
                let measured: Vec<&Measured> = runs.iter().filter_map(Run::measured).collect();
                let works: Vec<&Work> = measured.iter().filter_map(|run| run.work.as_ref()).collect();
                let value = |of: fn(&Measured) -> Option<f64>| {
                    Spread::of(&measured.iter().filter_map(|run| of(run)).collect::<Vec<_>>())
                };
                let ratio = |of: fn(&Measured) -> Option<f64>| Spread::of_ratios(of, &subject.runs[0], runs);
                let count = |of: fn(&Work) -> f64| {
                    (!works.is_empty()).then(|| median(&works.iter().map(|work| of(work)).collect::<Vec<_>>()))
                };
                let state = match runs.iter().find(|run| run.measured().is_none()) {
                    None => "measured".to_owned(),
                    Some(Run::Failed(_)) => "failed".to_owned(),
                    Some(_) => format!("over {} s", self.conditions.limit_s),
                };
                all.push(Summary {
                    subject: subject.name.clone(),
                    size: self.conditions.size.clone(),
                    configuration: column.name.clone(),
                    state,
                    processor_s: value(|run| run.cpu_s),
                    slowdown: ratio(|run| run.cpu_s),
                    wall_slowdown: ratio(|run| run.wall_s),
                    memory_mib: value(|run| run.peak_mib),
                    memory: ratio(|run| run.peak_mib),
                    recorded: count(|work| work.recorded),
                    dependencies: count(|work| work.dependencies),
                    findings: count(|work| work.findings as f64),
                    verdicts: works.iter().map(|work| work.verdict.clone()).collect(),
                });
            }
        }
        all
    }

    /// Returns the table of a figure for all subjects.
    fn table(&self, figure: &Figure, limit: u64) -> Table {
        let mut header = vec!["subject".to_owned(), format!("{}, {}", self.columns[0].name, figure.unit)];
        header.extend(self.columns[1..].iter().map(|column| column.name.clone()));
        let mut table = empty(&header);
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); self.columns.len() - 1];
        for subject in &self.subjects {
            let values: Vec<f64> = subject.runs[0].iter().filter_map(Run::measured).filter_map(figure.of).collect();
            let mut row =
                vec![subject.name.clone(), Spread::of(&values).map_or("-".into(), |all| format!("{:.2}", all.median))];
            for (runs, ratios) in subject.runs[1..].iter().zip(&mut ratios) {
                let spread = Spread::of_ratios(figure.of, &subject.runs[0], runs);
                row.push(match spread {
                    _ if runs.iter().any(|run| matches!(run, Run::Failed(_))) => "failed".to_owned(),
                    _ if runs.contains(&Run::TooLong) => format!("over {limit} s"),
                    Some(spread) => spread.to_string(),
                    None => "-".to_owned(),
                });
                ratios.extend(spread.filter(|_| !subject.is_start).map(|spread| spread.median));
            }
            table.add_row(row);
        }
        let means =
            ratios.iter().map(|ratios| geometric_mean(ratios).map_or("-".to_owned(), |mean| format!("{mean:.2}")));
        table.add_row(["geometric mean".to_owned(), String::new()].into_iter().chain(means));
        table
    }

    /// Returns the table of the agent's work in the last run of each subject.
    fn work(&self) -> Table {
        let watched: Vec<usize> =
            (0..self.columns.len()).filter(|&i| self.columns[i].configuration.options.is_some()).collect();
        let names = watched.iter().map(|&i| self.columns[i].name.clone());
        let mut table = empty(&std::iter::once("subject".to_owned()).chain(names).collect::<Vec<_>>());
        for subject in &self.subjects {
            let last = |&i: &usize| subject.runs[i].last().and_then(|run| run.measured()?.work.as_ref());
            let cell = |i| {
                last(i).map_or("-".to_owned(), |work| {
                    let lost = if work.lost > 0.0 { format!(", {} LOST", work.lost) } else { String::new() };
                    format!("{} / {}{lost}", work.recorded, work.dependencies)
                })
            };
            table.add_row(std::iter::once(subject.name.clone()).chain(watched.iter().map(cell)));
        }
        table
    }

    /// Returns what was watched in the last run of each subject in each guided configuration; `None` if there are none.
    fn watched(&self) -> Option<Table> {
        let mut table = empty(
            &["subject", "configuration"].map(str::to_owned).into_iter().chain(Guided::heading()).collect::<Vec<_>>(),
        );
        for subject in &self.subjects {
            for (column, runs) in self.columns.iter().zip(&subject.runs) {
                let work = runs.iter().rev().find_map(|run| run.measured()?.work.as_ref());
                if let Some(guided) = work.and_then(|work| work.guided.as_deref()) {
                    table.add_row([subject.name.clone(), column.name.clone()].into_iter().chain(guided.row()));
                }
            }
        }
        (!table.is_empty()).then_some(table)
    }
}

/// Creates a Markdown table with right-aligned numbers.
pub(crate) fn empty(header: &[String]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str]) -> Vec<Column> {
        let configuration = |name: &&str| -> Configuration {
            serde_json::from_str(&format!(r#"{{"name": "{name}", "what": "-", "options": ""}}"#))
                .expect("a configuration")
        };
        let column = |name: &&str| Column { name: (*name).to_owned(), configuration: configuration(name), jar: None };
        names.iter().map(column).collect()
    }

    /// Two columns with a run each; the second was killed.
    fn results() -> Results {
        let mut results = Results::new(Conditions::of_test("a"), &columns(&["base", "full"]));
        let work = Work {
            accesses: None,
            recorded: 5.0,
            dependencies: 4.0,
            lost: 0.0,
            verdict: "serializable".into(),
            findings: 0,
            guided: None,
        };
        let run = Measured { wall_s: Some(2.0), work: Some(work), ..Measured::default() };
        results.subjects.push(Measurements {
            name: "sor".to_owned(),
            what: String::new(),
            threads: 2,
            class_file: 55,
            check: String::new(),
            is_start: false,
            runs: vec![vec![Run::Measured(run)], vec![Run::TooLong]],
        });
        results
    }

    #[test]
    fn a_run_is_a_line_of_the_csv() {
        assert_eq!(
            results().csv(),
            "subject,threads,configuration,pair,processor time (s),wall time (s),last iteration (s),peak memory (MiB),jit compilation (s),\
             machine code (KiB),recorded,dependencies,lost,verdict,findings,runs before,fields watched,fields,places with arrays watched,\
             places with arrays,calls watched,calls,monitors watched,monitors,methods watched,methods,new classes,classes of the slice\n\
             sor,2,\"base\",1,,2.000,,,,,5,4,0,serializable,0,,,,,,,,,,,,,\n\
             sor,2,\"full\",1,,,,,,,,,,too long,,,,,,,,,,,,,,\n"
        );
    }

    #[test]
    fn what_is_watched_is_a_table_of_the_guided_columns() {
        let mut results = results();
        assert!(!results.markdown().contains("What is watched"));
        let Run::Measured(run) = &mut results.subjects[0].runs[0][0] else { panic!("it was measured") };
        run.work.as_mut().expect("its work").guided = Some(Box::new(Guided::of_test()));
        let text = results.markdown();
        let table = text.split_once("## What is watched\n").expect("the table").1;
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        assert!(rows.iter().any(|row| row.starts_with(&["", "sor", "base", "2", "8 / 90", "0 / 7"])), "{table}");
        assert!(!rows.iter().any(|row| row.contains(&"full")), "{table}");
    }

    #[test]
    fn only_results_of_the_same_commit_and_configurations_are_continued() {
        let text = serde_json::to_string(&results()).expect("plain data");
        let resumed =
            |commit: &str, names: &[&str]| Results::resumed(&text, Conditions::of_test(commit), &columns(names));
        let same = Conditions { load: "another".to_owned(), ..Conditions::of_test("a") };
        let continued =
            Results::resumed(&text, same, &columns(&["base", "full"])).unwrap_or_else(|e| panic!("{}", e.0));
        assert_eq!(continued.csv(), results().csv());
        for (commit, names) in [("b", ["base", "full"]), ("a with changes", ["base", "full"]), ("a", ["base", "flat"])]
        {
            assert!(resumed(commit, &names).is_err(), "{commit} {names:?}");
        }
    }
}
