//! All results of a bench: as JSON, every run; as Markdown, a table for each figure.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::configurations::{Column, Configuration};
use super::figures::{FIGURES, Figure, Spread, geometric_mean};
use super::measure::Measured;
use crate::java::Subject;

/// Everything that was measured.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) conditions: Conditions,
    columns: Vec<Described>,
    subjects: Vec<Measurements>,
}

/// Under which conditions.
#[derive(Serialize)]
pub(super) struct Conditions {
    /// None in a source archive.
    pub(super) commit: Option<String>,
    pub(super) jvm: u32,
    pub(super) processor: String,
    pub(super) processors: usize,
    /// The load of the machine at the beginning, as the system reports it.
    pub(super) load: String,
    pub(super) size: String,
    /// For the JVM, besides those that make it print what it compiles.
    pub(super) flags: Vec<String>,
    pub(super) limit_s: u64,
}

#[derive(Serialize)]
struct Described {
    name: String,
    #[serde(flatten)]
    configuration: Configuration,
    jar: Option<String>,
}

/// A subject's runs.
#[derive(Serialize)]
struct Measurements {
    name: String,
    what: String,
    threads: u32,
    class_file: u32,
    /// How it is known that its result is right.
    check: String,
    is_start: bool,
    /// By column, then by pair; null is a run that was killed at its limit.
    runs: Vec<Vec<Option<Measured>>>,
}

impl Results {
    /// No results yet.
    pub(super) fn new(conditions: Conditions, columns: &[Column]) -> Results {
        let described = columns.iter().map(|column| Described {
            name: column.name.clone(),
            configuration: column.configuration.clone(),
            jar: column.jar.as_ref().and_then(|jar| Some(jar.file_name()?.to_string_lossy().into_owned())),
        });
        Results { conditions, columns: described.collect(), subjects: Vec::new() }
    }

    /// Adds a subject's runs, by column and pair.
    pub(super) fn add(&mut self, subject: &Subject, runs: Vec<Vec<Option<Measured>>>) {
        let Subject { name, what, threads, class_file, check, is_start, .. } = subject.clone();
        self.subjects.push(Measurements { name, what, threads, class_file, check, is_start, runs });
    }

    /// Tables for people.
    pub(super) fn markdown(&self) -> String {
        let Conditions { commit, jvm, processor, processors, load, size, flags, .. } = &self.conditions;
        let commit = commit.as_deref().unwrap_or("unknown");
        let jvm = std::iter::once(format!("JDK {jvm}")).chain(flags.iter().cloned()).collect::<Vec<_>>().join(" ");
        let mut text = format!(
            "Size {size}; commit {commit}; {jvm}; {processors} processors, {processor}; load at the beginning {load}. \
             Ratios to the first column, the median of the pairs and in parentheses the least and the most.\n\n"
        );
        for column in &self.columns {
            let jar = column.jar.as_ref().map_or(String::new(), |jar| format!(" ({jar})"));
            let _ = writeln!(text, "- {}: {}{jar}", column.name, column.configuration.what);
        }
        for figure in FIGURES {
            let _ = writeln!(text, "\n## {}\n\n{}", figure.name, self.table(figure, self.conditions.limit_s));
        }
        let _ = writeln!(text, "\n## Records and dependencies\n\n{}", self.work());
        text
    }

    /// A figure of all subjects.
    fn table(&self, figure: &Figure, limit: u64) -> Table {
        let mut header = vec!["subject".to_owned(), format!("{}, {}", self.columns[0].name, figure.unit)];
        header.extend(self.columns[1..].iter().map(|column| column.name.clone()));
        let mut table = self.empty(&header);
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); self.columns.len() - 1];
        for subject in &self.subjects {
            let values: Vec<f64> = subject.runs[0].iter().flatten().filter_map(figure.of).collect();
            let mut row =
                vec![subject.name.clone(), Spread::of(&values).map_or("-".into(), |all| format!("{:.2}", all.median))];
            for (runs, ratios) in subject.runs[1..].iter().zip(&mut ratios) {
                let spread = Spread::of_ratios(figure, &subject.runs[0], runs);
                row.push(match spread {
                    _ if runs.iter().any(Option::is_none) => format!("over {limit} s"),
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

    /// What the agent did in the last run of each subject.
    fn work(&self) -> Table {
        let watched: Vec<usize> =
            (0..self.columns.len()).filter(|&i| self.columns[i].configuration.options.is_some()).collect();
        let names = watched.iter().map(|&i| self.columns[i].name.clone());
        let mut table = self.empty(&std::iter::once("subject".to_owned()).chain(names).collect::<Vec<_>>());
        for subject in &self.subjects {
            let last = |&i: &usize| subject.runs[i].last().and_then(|run| run.as_ref()?.work.as_ref());
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

    /// A Markdown table with numbers to the right.
    fn empty(&self, header: &[String]) -> Table {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header(header);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}
