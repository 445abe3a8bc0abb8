//! The figures of the papers' tables: `benchmarks-dacapo/papers.json`. They are as printed in RegionTrack's Tables 1 to
//! 5 and AeroDrome's Tables 1 and 2; each of our subjects is compared with the nearest of theirs.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::Failure;
use crate::java::suites;

/// The file, relative to the root.
const FILE: &str = "benchmarks-dacapo/papers.json";

/// The engine of the RegionTrack paper.
const EXACT: &str = "regiontrack";

/// Both papers.
#[derive(Deserialize)]
pub(super) struct Papers {
    pub(super) regiontrack: Vec<Row>,
    pub(super) aerodrome: Vec<Trace>,
}

/// A subject of RegionTrack's paper; a number after its name is the version of DaCapo. Figures are by engine.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row {
    pub(super) name: String,
    /// The most similar of our subjects.
    nearest: Option<String>,
    /// From Table 1.
    pub(super) counts: BTreeMap<String, u64>,
    pub(super) is_serializable: bool,
    /// Violated methods in all rounds, violated blocks in all rounds, and rounds: Tables 2 and 3.
    pub(super) methods: BTreeMap<String, u64>,
    pub(super) dynamic: BTreeMap<String, u64>,
    pub(super) rounds: BTreeMap<String, u64>,
    /// Figures without a checker, and ratios to them: Tables 4 and 5.
    pub(super) base_mib: f64,
    pub(super) base_seconds: f64,
    pub(super) memory: BTreeMap<String, f64>,
    pub(super) slowdown: BTreeMap<String, f64>,
}

/// A trace of AeroDrome's paper, as printed; TO is more than ten hours.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Trace {
    pub(super) name: String,
    pub(super) table: u32,
    nearest: Option<String>,
    pub(super) events: String,
    pub(super) threads: String,
    pub(super) locks: String,
    pub(super) variables: String,
    pub(super) transactions: String,
    pub(super) is_serializable: bool,
    pub(super) velodrome_seconds: String,
    pub(super) aerodrome_seconds: String,
}

impl Row {
    /// Returns the engine whose findings the paper proves to be exact.
    pub(super) fn exact(&self) -> &'static str {
        EXACT
    }
}

impl Papers {
    pub(super) fn read(root: &Path) -> Result<Papers, Failure> {
        let failed = |why: String| Failure(format!("{FILE}: {why}"));
        let text = std::fs::read_to_string(root.join(FILE)).map_err(|e| failed(e.to_string()))?;
        serde_json::from_str(&text).map_err(|e| failed(e.to_string()))
    }

    /// Returns the row most similar to a subject of ours or of Java Grande's, or that of the benchmark with this name
    /// in a jar with this file name.
    pub(super) fn nearest(&self, subject: &str, jar: Option<&str>) -> Option<&Row> {
        let Some(jar) = jar.filter(|jar| *jar != suites::JGF) else {
            return self.regiontrack.iter().find(|row| row.nearest.as_deref() == Some(subject));
        };
        let version = if jar.contains("2006") { "6" } else { "9" };
        let is_known = jar.contains("2006") || jar.contains("9.12");
        self.regiontrack.iter().find(|row| is_known && row.name == format!("{subject}{version}"))
    }

    /// Returns the same for AeroDrome's traces.
    pub(super) fn nearest_trace(&self, subject: &str) -> Option<&Trace> {
        self.aerodrome.iter().find(|trace| trace.nearest.as_deref() == Some(subject))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn figures_are_those_that_the_papers_print() {
        let papers = Papers::read(&Workspace::find().expect("the workspace").root).expect("the tables");
        // The totals in the last rows of Tables 2 and 3.
        let total = |of: fn(&Row) -> &BTreeMap<String, u64>| -> Vec<u64> {
            let engines: Vec<&String> = of(&papers.regiontrack[0]).keys().collect();
            engines.iter().map(|engine| papers.regiontrack.iter().map(|row| of(row)[*engine]).sum()).collect()
        };
        assert_eq!(papers.regiontrack.len(), 19);
        assert_eq!(papers.regiontrack.iter().filter(|row| !row.is_serializable).count(), 13);
        assert_eq!(total(|row| &row.methods), [357, 352, 350]);
        // The last row prints 107 for two of them, but the other rows add up to 97.
        assert_eq!(total(|row| &row.rounds), [97, 97, 102]);
        // That of the second column is printed as 10,595,143 and is the sum of the rows.
        assert_eq!(total(|row| &row.dynamic)[1], 10_595_143);
        assert_eq!(papers.aerodrome.iter().filter(|trace| trace.table == 1).count(), 14);
    }

    #[test]
    fn a_benchmark_in_a_jar_is_compared_with_that_version() {
        let papers = Papers::read(&Workspace::find().expect("the workspace").root).expect("the tables");
        let name = |subject, jar| papers.nearest(subject, jar).map(|row| row.name.as_str());
        assert_eq!(name("xalan", None), Some("xalan9"));
        assert_eq!(name("xalan", Some("dacapo-2006-10-MR2.jar")), Some("xalan6"));
        assert_eq!(name("xalan", Some("dacapo-9.12-bach.jar")), Some("xalan9"));
        assert_eq!(name("xalan", Some("dacapo-23.11-chopin.jar")), None);
        assert_eq!(name("moldyn", Some(suites::JGF)), Some("moldyn"));
    }
}
