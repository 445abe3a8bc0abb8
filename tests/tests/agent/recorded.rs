//! A run with a recorded trace: the report's answer and an engine's answer for the trace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use analysis_core::engine::EngineSpec;
use analysis_core::event::{Event, LabelId, Op, VarId};
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use serde_json::Value;

use crate::machine::Jvm;

/// The violated methods, each with its number of violated instances.
pub(crate) type Violated = BTreeMap<String, u64>;

/// A run under the agent.
pub(crate) struct Recorded {
    pub(crate) report: Value,
    pub(crate) trace: Trace,
}

/// The recorded trace.
pub(crate) struct Trace {
    pub(crate) events: Vec<Event>,
    labels: Vec<String>,
    variables: Vec<String>,
}

/// Runs a program with these options. Other tests check its output and exit code.
pub(crate) fn run(jvm: &Jvm, class: &str, options: &str) -> Result<Recorded, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let trace = folder.path().join("trace.std");
    let (_, report) = jvm.reported(&format!("exclude=schedule.*,record={},{options}", trace.display()), &[class])?;
    let trace = Trace::read(&trace).map_err(|e| format!("{e}; {report}"))?;
    Ok(Recorded { report, trace })
}

/// Returns for each method in a list of findings how many instances were violated, and how many there were. An instance that
/// was violated for several causes counts once.
pub(crate) fn of_methods(list: &Value) -> BTreeMap<String, [u64; 2]> {
    let mut all: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for entry in list.as_array().into_iter().flatten() {
        let number = |key: &str| entry[key].as_u64().unwrap_or_default();
        let [count, instances] = all.entry(entry["method"].as_str().unwrap_or_default().to_owned()).or_default();
        *count += number("count") - number("again");
        *instances = number("instances");
    }
    all
}

/// Returns the violated methods of a report, including those that wait inside.
pub(crate) fn violated(report: &Value) -> Violated {
    let mut violated = Violated::new();
    for (method, [count, _]) in
        ["violations", "suspected", "waits_inside"].map(|list| of_methods(&report[list])).into_iter().flatten()
    {
        *violated.entry(method).or_default() += count;
    }
    violated
}

impl Recorded {
    /// Returns the violated methods of the report.
    pub(crate) fn violated(&self) -> Violated {
        violated(&self.report)
    }

    /// Whether some warning has these words.
    pub(crate) fn warns(&self, words: &str) -> bool {
        let warnings = self.report["warnings"].as_array().map_or(&[][..], Vec::as_slice);
        warnings.iter().any(|warning| warning.as_str().is_some_and(|warning| warning.contains(words)))
    }
}

impl Trace {
    fn read(path: &Path) -> Result<Trace, String> {
        let input = Input::open(path).map_err(|e| e.to_string())?;
        let mut reader = TraceReader::open(&input, Mode::Strict).map_err(|e| e.to_string())?;
        let (mut events, mut batch) = (Vec::new(), Vec::new());
        while reader.read_batch(&mut batch, 1 << 12).map_err(|e| e.to_string())? > 0 {
            events.append(&mut batch);
        }
        let symbols = reader.symbols();
        let labels = (0..symbols.labels.len() as u32).map(|label| symbols.labels.name(label).into_owned()).collect();
        let variables = (0..symbols.vars.len() as u32).map(|var| symbols.var(VarId(var)).into_owned()).collect();
        Ok(Trace { events, labels, variables })
    }

    /// Returns the verdict of an engine and the methods that it blames.
    pub(crate) fn judged_by(&self, spec: &EngineSpec) -> (&'static str, Violated) {
        let mut engine = (spec.build)();
        engine.feed(&self.events);
        let findings = engine.findings();
        let mut violated = Violated::new();
        for violation in &findings.violations {
            *violated.entry(self.name(violation.label)).or_default() += 1;
        }
        let verdict = match (findings.is_non_serializable(), spec.claim.only_warns()) {
            (_, true) => "undecided",
            (true, false) => "non-serializable",
            (false, false) => "serializable",
        };
        (verdict, violated)
    }

    /// Returns the methods that were blocks.
    pub(crate) fn blocks(&self) -> BTreeSet<String> {
        let begun = self.events.iter().filter_map(|event| match event.op {
            Op::Begin(label) => Some(self.name(label)),
            _ => None,
        });
        begun.collect()
    }

    /// Whether some block has no end.
    pub(crate) fn has_open_blocks(&self) -> bool {
        let count = |is: fn(Op) -> bool| self.events.iter().filter(|event| is(event.op)).count();
        count(|op| matches!(op, Op::Begin(_))) > count(|op| op == Op::End)
    }

    /// Returns the name of a variable.
    pub(crate) fn variable(&self, variable: VarId) -> &str {
        &self.variables[variable.index()]
    }

    fn name(&self, label: LabelId) -> String {
        self.labels.get(label.index()).cloned().unwrap_or_default()
    }
}
