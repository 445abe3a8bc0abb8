//! What became of a schedule that a run was to replay.

use serde::{Deserialize, Serialize};

/// A run that replayed a schedule, or several of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// The file of the schedule.
    pub file: String,
    /// How many runs there were.
    pub runs: u64,
    /// How many switch points the schedule has, for each run.
    pub points: u64,
    /// How many of them threads passed in their order.
    pub passed: u64,
    /// Whether no run came to the part of the schedule's test that follows the schedule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lacks_test: bool,
    /// Where runs went another way, one per line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<String>,
}

impl Replayed {
    /// Adds other runs, if they replayed the same file. False if not.
    pub(in crate::report) fn add(&mut self, other: &Replayed) -> bool {
        if self.file != other.file {
            return false;
        }
        // Of the JVMs of a build one runs the test of a schedule, and the others have nothing to report on it.
        if self.lacks_test != other.lacks_test {
            if self.lacks_test {
                *self = other.clone();
            }
            return true;
        }
        self.runs = self.runs.saturating_add(other.runs);
        self.points = self.points.saturating_add(other.points);
        self.passed = self.passed.saturating_add(other.passed);
        for way in &other.ways {
            if !self.ways.contains(way) {
                self.ways.push(way.clone());
            }
        }
        true
    }
}
