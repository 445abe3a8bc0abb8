//! Rows of results that are written after each subject, with the conditions of the measurement, so that an interrupted
//! command can be continued.

use std::path::PathBuf;
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::bench::Conditions;

/// Rows, and the file in which they are kept.
pub(crate) struct Kept<R> {
    file: PathBuf,
    conditions: Conditions,
    pub(crate) rows: Vec<R>,
}

/// The contents of the file.
#[derive(Serialize, Deserialize)]
struct Text<R> {
    conditions: Conditions,
    rows: R,
}

/// A row that belongs to a subject.
pub(crate) trait OfSubject {
    fn subject(&self) -> &str;
}

impl<R: OfSubject + Serialize + DeserializeOwned> Kept<R> {
    /// Starts without rows, or with the kept ones, if they are to be continued and were measured under the same
    /// conditions.
    pub(crate) fn open(file: PathBuf, conditions: Conditions, is_resumed: bool) -> Result<Kept<R>, Failure> {
        let failed = |why: String| Failure(format!("{} cannot be continued: {why}", file.display()));
        let rows = match std::fs::read_to_string(&file) {
            Ok(text) if is_resumed => {
                let old: Text<Vec<R>> = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
                conditions.continues(&old.conditions).map_err(|Failure(why)| failed(why))?;
                old.rows
            }
            _ => Vec::new(),
        };
        Ok(Kept { file, conditions, rows })
    }

    /// Returns whether the row of this subject exists.
    pub(crate) fn has(&self, subject: &str) -> bool {
        self.rows.iter().any(|row| row.subject() == subject)
    }

    /// Adds a row and writes all rows.
    pub(crate) fn add(&mut self, row: R) -> Result<(), Failure> {
        self.rows.push(row);
        let text = Text { conditions: self.conditions.clone(), rows: &self.rows };
        let text = serde_json::to_string_pretty(&text).expect("rows are plain data");
        std::fs::write(&self.file, text).map_err(|e| Failure(format!("{}: {e}", self.file.display())))
    }
}

/// Reports the progress of a list of work and the remaining time.
pub(crate) struct Work {
    start: Instant,
    done: usize,
    all: usize,
}

impl Work {
    pub(crate) fn new(all: usize) -> Work {
        Work { start: Instant::now(), done: 0, all }
    }

    /// Counts one more item as done. Returns the start of the line that reports it.
    pub(crate) fn next(&mut self) -> String {
        self.done += 1;
        let left = self.start.elapsed().as_secs_f64() / self.done as f64 * (self.all - self.done) as f64;
        format!("[{} of {}, about {} left]", self.done, self.all, crate::bench::shown_seconds(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row(String);

    impl OfSubject for Row {
        fn subject(&self) -> &str {
            &self.0
        }
    }

    #[test]
    fn rows_are_continued_under_the_same_conditions_alone() {
        let file = std::env::temp_dir().join(format!("regiontrack-kept-{}.json", std::process::id()));
        let open = |commit: &str, is_resumed| Kept::<Row>::open(file.clone(), Conditions::of_test(commit), is_resumed);
        let mut kept = open("a", false).unwrap_or_else(|e| panic!("{}", e.0));
        kept.add(Row("sor".to_owned())).expect("it can be written");
        let again = open("a", true).unwrap_or_else(|e| panic!("{}", e.0));
        assert!(again.has("sor") && !again.has("crypt"));
        assert!(open("b", true).is_err());
        assert!(open("a with changes", true).is_err());
        assert!(open("b", false).is_ok_and(|kept| kept.rows.is_empty()));
        std::fs::remove_file(&file).expect("the file of this test");
    }
}
