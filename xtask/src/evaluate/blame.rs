//! Violated transactions by engine over rounds of refinement, on the same recorded traces: RegionTrack's Tables 2 and 3
//! and Figures 8 to 10.
//!
//! As in the paper, each engine refines separately: a round excludes the methods of the transactions that it blames,
//! outermost blocks, until it blames none. Blocks that wait for other threads count here, too.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Laboratory;
use super::plan::Comparison;
use crate::Failure;
use crate::bench::Conditions;
use crate::java::Subject;
use crate::kept::OfSubject;

/// What each engine blames in a subject's traces.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Blamed {
    pub(super) subject: String,
    /// The conditions of this row: rows of several commits may share a table, because none contains times.
    pub(super) conditions: Conditions,
    /// The number of traces: runs, each with its own schedule.
    pub(super) traces: usize,
    /// The minutes after which the subject was cut off; `None` if there was time for all its traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) over_minutes: Option<u64>,
    pub(super) engines: Vec<Blame>,
}

/// What one engine blames.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Blame {
    pub(super) engine: String,
    /// By round, the number of transactions in all traces.
    pub(super) transactions: Vec<u64>,
    /// By trace, the number of rounds that blame something, and the number of methods.
    pub(super) rounds: Vec<usize>,
    pub(super) distinct: Vec<usize>,
    /// By method, the number of its transactions in all rounds of all traces.
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

    /// Returns the number of transactions in all rounds and traces.
    pub(super) fn all(&self) -> u64 {
        self.transactions.iter().sum()
    }
}

impl Laboratory<'_> {
    /// Records a subject the given number of times; each engine refines each trace. A subject that takes too long is
    /// cut off: then the traces count that all engines have refined.
    pub(super) fn blame(
        &self,
        subject: &Subject,
        conditions: Conditions,
        comparison: &Comparison,
    ) -> Result<Blamed, Failure> {
        let file = self.folder.join("blamed.rtb");
        let deadline = Instant::now() + Duration::from_secs(comparison.minutes_each * 60);
        let engines = comparison.engines.iter().map(|engine| Blame::of(engine)).collect();
        let mut blamed = Blamed { subject: subject.name.clone(), conditions, traces: 0, over_minutes: None, engines };
        while blamed.traces < comparison.traces && blamed.over_minutes.is_none() {
            match in_time(self.one_more(subject, &blamed, &file, deadline), deadline)? {
                Some(engines) => (blamed.engines, blamed.traces) = (engines, blamed.traces + 1),
                None => blamed.over_minutes = Some(comparison.minutes_each),
            }
        }
        match fs::remove_file(&file) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(Failure(format!("{}: {e}", file.display()))),
            // There is no trace if not even the first run had time.
            _ => Ok(blamed),
        }
    }

    /// Returns what the engines blame, with one more trace. Fails if time is up before all engines have refined it.
    fn one_more(
        &self,
        subject: &Subject,
        blamed: &Blamed,
        file: &Path,
        deadline: Instant,
    ) -> Result<Vec<Blame>, Failure> {
        let limit = Duration::from_secs(blamed.conditions.limit_s);
        self.record(subject, &blamed.conditions.size, limit.min(left(deadline)), file)?;
        let mut engines = blamed.engines.clone();
        for blame in &mut engines {
            self.refine(file, limit, deadline, blame)?;
        }
        Ok(engines)
    }

    /// Adds what an engine blames in a trace, round by round, up to its own limit; fails at the deadline.
    fn refine(&self, trace: &Path, limit: Duration, deadline: Instant, blame: &mut Blame) -> Result<(), Failure> {
        let specification = self.folder.join("blamed.spec");
        let failed = |why: String| Failure(format!("{}: {why}", specification.display()));
        let name = specification.to_str().ok_or_else(|| failed("the name is not UTF-8".to_owned()))?;
        let (mut rules, mut distinct) = ("default\n".to_owned(), 0);
        let end = Instant::now() + limit;
        for round in 0.. {
            fs::write(&specification, &rules).map_err(|e| failed(e.to_string()))?;
            let check = ["check", "--format", "json", "--engine", &blame.engine, "--spec", name];
            let lines = self.lines(&check, trace, left(end.min(deadline)));
            if Instant::now() >= deadline {
                return Err(failed("there was no time for all rounds".to_owned()));
            }
            // Late output may be only a part of the round.
            let found = in_time(lines, end)?.map(|lines| lines.first().map(outermost).unwrap_or_default());
            let found = found.filter(|found| found.is_empty() || Instant::now() < end);
            blame.has_ended &= found.is_some();
            let Some(found) = found.filter(|found| !found.is_empty()) else {
                blame.rounds.push(round);
                blame.distinct.push(distinct);
                break;
            };
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

/// Returns the time left until the deadline.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Returns the result; `None` if it is an error caused by the deadline, at which commands are killed.
fn in_time<T>(result: Result<T, Failure>, deadline: Instant) -> Result<Option<T>, Failure> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(_) if Instant::now() >= deadline => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Returns, by method, how many outermost blocks a line of `check` blames; blocks without a name cannot be excluded.
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
    fn only_what_fails_after_the_deadline_is_too_late() {
        let failure = || Err::<u32, _>(Failure("it was killed".to_owned()));
        let (over, later) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
        assert_eq!(in_time(failure(), over), Ok(None));
        assert_eq!(in_time(failure(), later), failure().map(Some));
        assert_eq!((in_time(Ok(3), over), in_time(Ok(3), later)), (Ok(Some(3)), Ok(Some(3))));
        assert!(left(over).is_zero() && !left(later).is_zero());
    }

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
