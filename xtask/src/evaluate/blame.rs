//! Violated transactions by engine over rounds of refinement, on the same recorded traces: RegionTrack's Tables 2 and 3 and
//! Figures 8 to 10.
//!
//! As in the paper, each engine refines by itself: a round takes out the methods whose transactions it blames, outermost
//! blocks, until it blames none. Blocks that wait for other threads count here, too.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Laboratory;
use super::kept::OfSubject;
use crate::java::Subject;
use crate::{Failure, Outcome};

/// What each engine blames in a subject's traces.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Blamed {
    pub(super) subject: String,
    /// How many traces there are: runs, each with a schedule of its own.
    pub(super) traces: usize,
    pub(super) engines: Vec<Blame>,
}

/// What one of them blames.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Blame {
    pub(super) engine: String,
    /// By round, how many transactions in all traces.
    pub(super) transactions: Vec<u64>,
    /// By trace, how many rounds blame somebody, and how many methods.
    pub(super) rounds: Vec<usize>,
    pub(super) distinct: Vec<usize>,
    /// By method, how many of its transactions in all rounds of all traces.
    pub(super) methods: BTreeMap<String, u64>,
    /// False if there was no time for all rounds.
    pub(super) has_ended: bool,
}

impl OfSubject for Blamed {
    fn subject(&self) -> &str {
        &self.subject
    }
}

impl Blamed {
    pub(super) fn engine(&self, name: &str) -> Option<&Blame> {
        self.engines.iter().find(|blame| blame.engine == name)
    }
}

impl Blame {
    fn of(engine: &str) -> Blame {
        let (transactions, rounds, distinct, methods) = Default::default();
        Blame { engine: engine.to_owned(), transactions, rounds, distinct, methods, has_ended: true }
    }

    /// Adds what a round of a trace blames.
    fn add(&mut self, round: usize, found: &BTreeMap<String, u64>) {
        if self.transactions.len() <= round {
            self.transactions.resize(round + 1, 0);
        }
        for (method, count) in found {
            self.transactions[round] += count;
            *self.methods.entry(method.clone()).or_default() += count;
        }
    }

    /// Transactions of all rounds and traces.
    pub(super) fn all(&self) -> u64 {
        self.transactions.iter().sum()
    }
}

impl Laboratory<'_> {
    /// Records a subject so many times; each engine refines each trace.
    pub(super) fn blame(
        &self,
        subject: &Subject,
        size: &str,
        engines: &[String],
        traces: usize,
        limit: Duration,
    ) -> Result<Blamed, Failure> {
        let file = self.folder.join("blamed.rtb");
        let mut engines: Vec<Blame> = engines.iter().map(|engine| Blame::of(engine)).collect();
        for _ in 0..traces {
            self.record(subject, size, limit, &file)?;
            for blame in &mut engines {
                self.refine(&file, limit, blame)?;
            }
        }
        let removed = fs::remove_file(&file);
        removed.map_err(|e| Failure(format!("{}: {e}", file.display())))?;
        Ok(Blamed { subject: subject.name.clone(), traces, engines })
    }

    fn refine(&self, trace: &Path, limit: Duration, blame: &mut Blame) -> Outcome {
        let specification = self.folder.join("blamed.spec");
        let failed = |why: String| Failure(format!("{}: {why}", specification.display()));
        let name = specification.to_str().ok_or_else(|| failed("the name is not UTF-8".to_owned()))?;
        let (mut rules, mut distinct) = ("default\n".to_owned(), 0);
        let deadline = Instant::now() + limit;
        for round in 0.. {
            fs::write(&specification, &rules).map_err(|e| failed(e.to_string()))?;
            let check = ["check", "--format", "json", "--engine", &blame.engine, "--spec", name];
            let lines = self.lines(&check, trace, limit)?;
            let found = lines.first().map(outermost).unwrap_or_default();
            let is_late = Instant::now() >= deadline;
            if found.is_empty() || is_late {
                blame.rounds.push(round);
                blame.distinct.push(distinct);
                blame.has_ended &= found.is_empty();
                break;
            }
            for method in found.keys() {
                let rule = format!("- {method}\n");
                if rules.contains(&format!("\n{rule}")) {
                    return Err(failed(format!("the rule `- {method}` takes no block out")));
                }
                rules += &rule;
            }
            distinct += found.len();
            blame.add(round, &found);
        }
        Ok(())
    }
}

/// By method, how many outermost blocks a line of `check` blames; blocks without a name cannot be taken out.
fn outermost(line: &Value) -> BTreeMap<String, u64> {
    let violations = line["violations"].as_array().into_iter().flatten();
    let mut methods = BTreeMap::new();
    for violation in violations.filter(|violation| violation["depth"] == 0) {
        if let Some(method) = violation["method"].as_str() {
            *methods.entry(method.to_owned()).or_default() += 1;
        }
    }
    methods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outermost_blocks_are_counted_by_method_and_round() {
        let line = serde_json::json!({"violations": [
            {"method": "a.B.c()", "depth": 0}, {"method": "a.B.c()", "depth": 0},
            {"method": "a.B.d()", "depth": 1}, {"method": null, "depth": 0}, {"method": "a.E.f()", "depth": 0},
        ]});
        let found = outermost(&line);
        assert_eq!(found, BTreeMap::from([("a.B.c()".to_owned(), 2), ("a.E.f()".to_owned(), 1)]));
        let mut blame = Blame::of("reach");
        blame.add(0, &found);
        blame.add(1, &outermost(&serde_json::json!({"violations": [{"method": "a.B.d()", "depth": 0}]})));
        blame.add(0, &found);
        assert_eq!((blame.transactions.as_slice(), blame.all()), ([6, 1].as_slice(), 7));
        assert_eq!(blame.methods["a.B.c()"], 4);
    }
}
