//! Reads the JSON of a report: what [`run`](super::super::run) writes, and what merging writes.

use serde::Deserialize;

use super::twice::id;
use super::{RUNNING, Run, Saved};
use crate::engines;
use crate::report::formats::run::Stats;
use crate::report::judgement::advice::hints;
use crate::report::judgement::rank::Rank;
use crate::report::model::application::Application;
use crate::report::model::attached::Attached;
use crate::report::model::data::{Data, Datum};
use crate::report::model::finding::{Enclosing, Finding};
use crate::report::model::guided::Guided;
use crate::report::model::kind::Kind;
use crate::report::model::provoked::{Provoked, Steered};
use crate::report::model::replayed::Replayed;
use crate::report::model::sifted::{Compared, Sifted, Status, Suppressed, SuppressionUse};
use crate::report::model::sources::Sources;
use crate::report::model::summary::{Answer, Loss, Verdict};
use crate::report::model::watched::Watched;
use crate::report::model::witness::{Column, End, Row, Witness, WitnessEdge};

#[derive(Deserialize)]
struct Line {
    schema: u32,
    verdict: String,
    engine: Option<String>,
    violated: Option<u64>,
    apart: Option<u64>,
    #[serde(default)]
    violations: Vec<MethodLine>,
    #[serde(default)]
    suspected: Vec<MethodLine>,
    #[serde(default)]
    waits_inside: Vec<MethodLine>,
    #[serde(default)]
    cycle: Vec<WitnessEdge>,
    table: Option<Table>,
    #[serde(default)]
    predicted: Vec<serde::de::IgnoredAny>,
    /// The findings that suppressions have removed, and the lines that did so.
    #[serde(default)]
    suppressed: Vec<Suppressed>,
    #[serde(default)]
    suppressions: Vec<SuppressionUse>,
    baseline: Option<Compared>,
    cycle_finding: Option<CycleLine>,
    sampling: Option<Watched>,
    guided: Option<Guided>,
    steered: Option<Steered>,
    replayed: Option<Replayed>,
    attached: Option<Attached>,
    #[serde(default)]
    stats: Stats,
    /// The runs, in a merged report.
    #[serde(default)]
    runs: Vec<serde_json::Value>,
    #[serde(default)]
    application: Vec<String>,
    #[serde(default)]
    hints: Vec<String>,
    #[serde(default)]
    reasons: Vec<String>,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct CycleLine {
    status: Option<Status>,
}

#[derive(Default, Deserialize)]
struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
    ends: Vec<(usize, usize)>,
    first: Option<usize>,
}

#[derive(Deserialize)]
struct MethodLine {
    method: String,
    kind: String,
    status: Option<Status>,
    count: u64,
    #[serde(default)]
    again: u64,
    instances: u64,
    thread: String,
    begin: String,
    edges: Vec<WitnessEdge>,
    table: Option<Table>,
    /// Missing if the finding rests on no lock, null if the data are not known.
    #[serde(default, deserialize_with = "known")]
    data: Option<Option<Vec<Datum>>>,
    pair: Option<[End; 2]>,
    #[serde(default)]
    stack: Vec<String>,
    #[serde(default)]
    enclosing: Vec<Enclosing>,
    provoked: Option<Provoked>,
    #[serde(default)]
    caller: bool,
}

/// Distinguishes a field that is present, even as null, from a missing one.
fn known<'a, D: serde::Deserializer<'a>>(from: D) -> Result<Option<Option<Vec<Datum>>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// The version of the contract that is read.
const SCHEMA: u32 = 1;

impl Saved {
    /// Reads a report of the agent in JSON; `name` is its name in errors.
    pub fn parse(name: &str, text: &str) -> Result<Saved, String> {
        let line: Line = serde_json::from_str(text)
            .map_err(|error| format!("{name}: not a report of the agent in JSON (format=json): {error}"))?;
        if line.schema != SCHEMA {
            return Err(format!(
                "{name}: a report of schema {}; this command reads {SCHEMA}: use that of the agent's version",
                line.schema
            ));
        }
        if line.verdict == RUNNING {
            let reason = "the process was killed, or still runs, so that nothing is known of its run";
            return Ok(Saved::unknown(name, format!("{name}: {reason}")).with_id(text));
        }
        Saved::of(name, line).map(|saved| saved.with_id(text)).map_err(|why| format!("{name}: {why}"))
    }

    /// With the id of the run whose report this text is. A merged report has those of its runs.
    fn with_id(mut self, text: &str) -> Saved {
        if !self.is_merged {
            self.runs.iter_mut().for_each(|run| run.id = Some(id(text)));
        }
        self
    }

    /// The report for a process of whose run nothing is known, for this reason.
    pub fn unknown(name: &str, reason: String) -> Saved {
        Saved {
            engine: engines::default(),
            answer: Answer { loss: Loss::Hides, ..Answer::default() },
            findings: Vec::new(),
            callers: Vec::new(),
            waits_inside: Vec::new(),
            cycle: None,
            stats: Stats::default(),
            application: Application::default(),
            reasons: vec![reason],
            warnings: Vec::new(),
            hints: Vec::new(),
            watched: None,
            guided: None,
            steered: None,
            replayed: None,
            attached: None,
            cycle_status: None,
            sifted: None,
            runs: vec![Run { name: name.to_owned(), id: None, verdict: None, blocks: 0 }],
            is_merged: false,
            sources: Sources::Usual,
        }
    }

    fn of(name: &str, line: Line) -> Result<Saved, String> {
        let verdict: Verdict = serde_json::from_value(line.verdict.clone().into())
            .map_err(|_| format!("'{}' is no verdict", line.verdict))?;
        let engine = line.engine.as_deref().unwrap_or_default();
        let engine = engines::find(engine).ok_or_else(|| format!("this command has no engine '{engine}'"))?;
        let application = match line.application.is_empty() {
            true => Application::default(),
            false => Application::parse(&line.application.join(":")),
        };
        let (mut findings, mut callers) = (Vec::new(), Vec::new());
        for method in line.violations.into_iter().chain(line.suspected) {
            let list = if method.caller { &mut callers } else { &mut findings };
            list.push(method.finding(&application)?);
        }
        let waits_inside: Vec<Finding> =
            line.waits_inside.into_iter().map(|method| method.finding(&application)).collect::<Result<_, _>>()?;
        let has_cycle = !line.cycle.is_empty() || line.table.is_some();
        let cycle = has_cycle.then(|| witness(None, line.cycle, line.table));
        let cycle_finding = line.cycle_finding.map(|cycle| cycle.status);
        let cycle_status = cycle_finding.flatten();
        let statuses: Vec<Option<Status>> =
            findings.iter().map(|finding| finding.status).chain(cycle_finding).collect();
        let is_left = statuses.iter().any(|status| *status != Some(Status::Known));
        let sum =
            |lists: &[&Vec<Finding>]| lists.iter().flat_map(|list| list.iter()).map(|finding| finding.count).sum();
        let answer = Answer {
            is_non_serializable: verdict == Verdict::NonSerializable
                || has_cycle
                || !engine.claim.only_warns() && findings.len() + callers.len() + waits_inside.len() > 0,
            loss: match verdict {
                Verdict::Incomplete => Loss::Hides,
                _ if !line.reasons.is_empty() => Loss::Hides,
                _ if line.sampling.is_some() || line.guided.is_some() || line.attached.is_some() => Loss::Unwatched,
                Verdict::Undecided if !engine.claim.only_warns() && line.stats.blocks > 0 => Loss::Unwatched,
                Verdict::Undecided if !engine.claim.only_warns() => Loss::Blocks,
                _ => Loss::Nothing,
            },
            counted: line.violated.unwrap_or_else(|| sum(&[&findings, &callers])),
            apart: line.apart.unwrap_or_else(|| sum(&[&waits_inside])),
            is_excused: !is_left && statuses.len() + line.suppressed.len() > 0,
            blames_nobody: has_cycle,
            only_warns: engine.claim.only_warns(),
        };
        let hint_on_libraries = hints(&findings, &application);
        let mut warnings: Vec<String> =
            line.warnings.into_iter().filter(|warning| !line.reasons.contains(warning)).collect();
        if !line.predicted.is_empty() {
            warnings.push(format!("what was predicted is in {name} alone"));
        }
        let is_merged = !line.runs.is_empty();
        let own = Run { name: name.to_owned(), id: None, verdict: Some(verdict), blocks: line.stats.blocks };
        let runs = match is_merged {
            false => vec![own],
            true => line.runs.iter().map(Run::of).collect::<Option<_>>().ok_or("'runs' is not what a merger writes")?,
        };
        let is_known = statuses.iter().any(Option::is_some);
        let is_sifted =
            line.baseline.is_some() || !line.suppressions.is_empty() || !line.suppressed.is_empty() || is_known;
        let sifted = is_sifted.then_some(Sifted {
            suppressed: line.suppressed,
            lines: line.suppressions,
            baseline: line.baseline,
            left: statuses.len(),
            is_excused: answer.is_excused,
        });
        Ok(Saved {
            sources: Sources::Usual,
            engine,
            answer,
            findings,
            callers,
            waits_inside,
            cycle,
            stats: line.stats,
            application,
            reasons: line.reasons,
            warnings,
            hints: line.hints.into_iter().filter(|hint| Some(hint) != hint_on_libraries.as_ref()).collect(),
            watched: line.sampling,
            guided: line.guided,
            steered: line.steered,
            replayed: line.replayed,
            attached: line.attached,
            cycle_status,
            sifted,
            runs,
            is_merged,
        })
    }
}

impl MethodLine {
    fn finding(self, application: &Application) -> Result<Finding, String> {
        let kind = Kind::named(&self.kind).ok_or_else(|| format!("'{}' is no kind of finding", self.kind))?;
        let method = (!self.method.is_empty()).then_some(self.method);
        let begin = End {
            event: None,
            thread: self.thread,
            method: method.clone(),
            location: self.begin,
            access: "begin".to_owned(),
            locks: None,
            call: None,
            hand: None,
        };
        let data = match self.data {
            None => Data::None,
            Some(None) => Data::Unknown,
            Some(Some(data)) => Data::Known(data),
        };
        let witness = Witness { pair: self.pair, data, ..witness(Some(begin), self.edges, self.table) };
        Ok(Finding {
            rank: Rank::of(method.as_deref(), kind, &witness, application),
            method,
            count: self.count,
            again: self.again,
            instances: self.instances,
            kind,
            witness,
            stack: self.stack,
            enclosing: self.enclosing,
            status: self.status,
            provoked: self.provoked,
        })
    }
}

fn witness(begin: Option<End>, edges: Vec<WitnessEdge>, table: Option<Table>) -> Witness {
    // A report of an older agent has no table.
    let table = table.unwrap_or_default();
    Witness {
        begin,
        edges,
        rows: table.rows,
        ends: table.ends,
        first: table.first,
        columns: table.columns,
        delays: Vec::new(),
        pair: None,
        data: Data::None,
    }
}
