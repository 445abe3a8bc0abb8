//! A trace of a subject, recorded under the agent, and the answers of every engine and every predictive algorithm.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Laboratory;
use crate::java::{Runtime, Subject};
use crate::kept::OfSubject;
use crate::workspace::shown;
use crate::{Failure, dist, limited};

/// In the order of application.
const FILTERS: &str = "segment,local,edges";

/// The verdict of an engine that only warns.
const UNDECIDED: &str = "undecided";

/// Enumerating interleavings can take very long; the algorithms that come after it are then not run.
const PREDICTION: Duration = Duration::from_secs(10);

/// The results for a subject's trace.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Trace {
    pub(super) subject: String,
    /// The columns of RegionTrack's and AeroDrome's first tables.
    pub(super) counts: BTreeMap<String, f64>,
    pub(super) bytes: u64,
    pub(super) engines: Vec<Engine>,
    /// By filter, the number of events that it drops of those that reach it.
    pub(super) filters: Vec<Filter>,
    pub(super) algorithms: Vec<Algorithm>,
}

/// The answer of an engine, and its cost.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Engine {
    pub(super) engine: String,
    pub(super) verdict: String,
    pub(super) dynamic_violations: Option<f64>,
    pub(super) distinct_violations: Option<f64>,
    /// Outermost blocks that it misses, and that it blames wrongly, compared with the default engine.
    pub(super) missed: Option<f64>,
    pub(super) extra: Option<f64>,
    pub(super) seconds: f64,
    pub(super) peak_bytes: f64,
    /// Whether the answer is the same after all filters.
    #[serde(default)]
    pub(super) is_same_filtered: Option<bool>,
}

/// The events that a filter drops.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Filter {
    pub(super) filter: String,
    pub(super) dropped: BTreeMap<String, f64>,
    pub(super) seen: BTreeMap<String, f64>,
}

/// The warnings of a predictive algorithm.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Algorithm {
    pub(super) algorithm: String,
    pub(super) distinct_warnings: f64,
    pub(super) confirmed: f64,
    pub(super) storage: f64,
    pub(super) seconds: f64,
    pub(super) is_finished: bool,
}

impl OfSubject for Trace {
    fn subject(&self) -> &str {
        &self.subject
    }
}

impl Laboratory<'_> {
    /// Records a subject and runs all analyses on the trace, which is kept.
    pub(super) fn trace(
        &self,
        subject: &Subject,
        size: &str,
        engines: &[String],
        limit: Duration,
    ) -> Result<Trace, Failure> {
        let folder = self.folder.join("traces");
        fs::create_dir_all(&folder).map_err(|e| Failure(format!("{}: {e}", folder.display())))?;
        let file = folder.join(format!("{}-{size}.rtb", subject.name));
        self.record(subject, size, limit, &file)?;
        let info = self.lines(&["info", "--format", "json"], &file, limit)?;
        let mut counts = BTreeMap::new();
        for table in ["aerodrome_table_1", "regiontrack_table_1"] {
            let columns = info.first().and_then(|info| info[table].as_object()).into_iter().flatten();
            counts.extend(columns.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))));
        }
        let names = engines.join(",");
        let compare = ["compare", "--format", "json", "--repeat", "3", "--engine", &names];
        let mut engines: Vec<Engine> = self.rows(&compare, &file, limit)?;
        // Engines that warn guess from every event, including those that filters drop.
        let decided: Vec<&mut Engine> = engines.iter_mut().filter(|engine| engine.verdict != UNDECIDED).collect();
        let names = decided.iter().map(|engine| engine.engine.as_str()).collect::<Vec<_>>().join(",");
        let check = ["check", "--format", "json", "--engine", &names];
        let whole = self.lines(&check, &file, limit)?;
        let filtered = self.lines(&[&check[..], &["--filter", FILTERS]].concat(), &file, limit)?;
        for (engine, (a, b)) in decided.into_iter().zip(whole.iter().zip(&filtered)) {
            let said = |line: &Value| (line["verdict"].clone(), line["violations"].as_array().map(Vec::len));
            engine.is_same_filtered = Some(said(a) == said(b));
        }
        let filters = filtered.first().map_or(Value::Null, |line| line["filters"].clone());
        let filters = serde_json::from_value(filters).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
        let algorithms = self.rows(&["compare", "--predict", "--format", "json"], &file, PREDICTION)?;
        let bytes = fs::metadata(&file).map_or(0, |file| file.len());
        Ok(Trace { subject: subject.name.clone(), counts, bytes, engines, filters, algorithms })
    }

    /// Runs the subject under the agent, which writes every event, including repeated accesses.
    pub(super) fn record(&self, subject: &Subject, size: &str, limit: Duration, file: &Path) -> Result<(), Failure> {
        let [out, err, report] = ["out.txt", "err.txt", "report.json"].map(|name| self.folder.join(name));
        let options =
            format!("report={},overwrite=true,format=json,redundant=true,record={}", report.display(), file.display());
        let runtime = Runtime { java: &self.java, flags: &[], agent: Some((&self.agent, options)) };
        let command = self.subjects.command(&runtime, subject, size)?;
        let timed = self.stopwatch.time(&command, limit, &out, &err);
        let timed = timed.map_err(|e| Failure(format!("`{}` did not start: {e}", shown(&command))))?;
        match timed.status {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Failure(format!("`{}` failed ({status}); see {}", shown(&command), err.display()))),
            None => Err(Failure(format!("`{}` took over {} s", shown(&command), limit.as_secs()))),
        }
    }

    /// Returns the output of the command for a trace within this time: an object in each line. If the command is
    /// killed, its output so far counts.
    pub(super) fn lines(&self, arguments: &[&str], trace: &Path, limit: Duration) -> Result<Vec<Value>, Failure> {
        let mut command = Command::new(self.workspace.root.join("dist").join(dist::COMMAND));
        command.args(arguments).arg(trace);
        let failed = |why: &str| Failure(format!("`{}`: {why}", shown(&command)));
        let [out, err] = ["lines.txt", "errors.txt"].map(|name| self.folder.join(name));
        let files = File::create(&out).and_then(|out| Ok((out, File::create(&err)?)));
        let (to, errors) = files.map_err(|e| failed(&e.to_string()))?;
        limited::status(&command, limit, to, errors).map_err(|e| failed(&e.to_string()))?;
        // Exit code 2 is also that of a trace whose answer is incomplete, which the lines say.
        let text = fs::read_to_string(&out).map_err(|e| failed(&e.to_string()))?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines: Result<Vec<Value>, _> = whole.lines().map(serde_json::from_str).collect();
        let lines = lines.map_err(|e| failed(&e.to_string()))?;
        if lines.is_empty() { Err(failed(&fs::read_to_string(&err).unwrap_or_default())) } else { Ok(lines) }
    }

    fn rows<T: for<'a> Deserialize<'a>>(
        &self,
        arguments: &[&str],
        trace: &Path,
        limit: Duration,
    ) -> Result<Vec<T>, Failure> {
        let lines = self.lines(arguments, trace, limit)?.into_iter().map(serde_json::from_value);
        lines.collect::<Result<_, _>>().map_err(|e| Failure(format!("{}: {e}", trace.display())))
    }
}
