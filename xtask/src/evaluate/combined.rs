//! Rows of blamed transactions from several files: each row depends only on its traces, not on the speed of a machine
//! or commit, so rows of different commits and days may share a table and a picture, which state the origin of each.

use std::path::PathBuf;

use serde::Deserialize;

use super::blame::Blamed;
use crate::Failure;
use crate::bench::Conditions;

/// A file of the part, which has rows, or of a whole evaluation.
#[derive(Deserialize)]
struct Rows {
    #[serde(default, alias = "rows")]
    blamed: Vec<Blamed>,
}

/// Returns the rows of all files, in order. If a subject is in several files, the last one counts, in the place of the
/// first.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Blamed>, Failure> {
    let mut all: Vec<Blamed> = Vec::new();
    for file in files {
        let failed = |why: String| Failure(format!("{}: {why}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|e| failed(e.to_string()))?;
        let Rows { blamed } = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
        if blamed.is_empty() {
            return Err(failed("no rows of what engines blame".to_owned()));
        }
        for row in blamed {
            if let Some(first) = all.first().filter(|first| kind(first) != kind(&row)) {
                let why = format!("{} of other sizes, suites or engines than those of {}", row.subject, first.subject);
                return Err(failed(why));
            }
            match all.iter_mut().find(|other| other.subject == row.subject) {
                Some(other) => *other = row,
                None => all.push(row),
            }
        }
    }
    Ok(all)
}

/// Returns what the rows of a table must have in common.
fn kind(row: &Blamed) -> (&str, Option<&str>, Vec<&str>) {
    let engines = row.engines.iter().map(|blame| blame.engine.as_str()).collect();
    (&row.conditions.size, row.conditions.suite.as_deref(), engines)
}

/// Returns the commit and day of the rows, in a sentence for each group of rows with the same ones.
pub(super) fn origins(rows: &[Blamed]) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for Blamed { subject, conditions: Conditions { commit, date, jvm, size, .. }, .. } in rows {
        let commit = commit.as_deref().unwrap_or("unknown");
        let origin = format!("commit {commit}, {date}, JDK {jvm}, size {size}");
        match groups.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, subjects)) => subjects.push(subject),
            None => groups.push((origin, vec![subject])),
        }
    }
    let sentences = groups.iter().map(|(origin, subjects)| format!("Of {origin}: {}.", subjects.join(", ")));
    sentences.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with rows as the part writes them, or as a whole evaluation has them.
    fn file(name: &str, key: &str, commit: &str, subjects: &[&str], size: &str) -> PathBuf {
        let conditions = Conditions { size: size.to_owned(), ..Conditions::of_test(commit) };
        let row = |subject: &&str| Blamed {
            subject: (*subject).to_owned(),
            conditions: conditions.clone(),
            traces: 3,
            over_minutes: None,
            engines: Vec::new(),
        };
        let rows: Vec<Blamed> = subjects.iter().map(row).collect();
        let path = std::env::temp_dir().join(format!("regiontrack-combined-{}-{name}.json", std::process::id()));
        let text = serde_json::json!({"conditions": conditions, "missing": [], key: rows}).to_string();
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    #[test]
    fn rows_of_several_commits_say_which() {
        let part = file("part", "rows", "a", &["sor", "h2"], "5");
        let whole = file("whole", "blamed", "b", &["h2", "fop"], "5");
        let rows = read(&[part.clone(), whole.clone()]).unwrap_or_else(|e| panic!("{}", e.0));
        assert_eq!(
            origins(&rows),
            "Of commit a, day of a, JDK 17, size 5: sor. Of commit b, day of b, JDK 17, size 5: h2, fop."
        );
        let empty = file("empty", "traces", "a", &["sor"], "5");
        let larger = file("larger", "rows", "a", &["tsp"], "1");
        for (files, why) in [([&part, &empty], "no rows"), ([&part, &larger], "tsp of other sizes")] {
            let failure = read(&files.map(PathBuf::clone)).err().unwrap_or_else(|| panic!("{why}"));
            assert!(failure.0.contains(why), "{}", failure.0);
        }
        for path in [part, whole, empty, larger] {
            std::fs::remove_file(path).expect("the file of this test");
        }
    }
}
