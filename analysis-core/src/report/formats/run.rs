//! The JSON report of a run under the agent.

use std::num::NonZeroU64;

use serde::Serialize;

use super::{predicted, sifted};
use crate::report::model::application::Application;
use crate::report::model::attached::Attached;
use crate::report::model::data::Datum;
use crate::report::model::finding::{Enclosing, Finding};
use crate::report::model::guided::Guided;
use crate::report::model::identity::Identity;
use crate::report::model::kind::CYCLE;
use crate::report::model::predicted::Predicted;
use crate::report::model::provoked::{Provoked, Steered};
use crate::report::model::replayed::Replayed;
use crate::report::model::report::Report;
use crate::report::model::sifted::Status;
use crate::report::model::summary::Verdict;
use crate::report::model::watched::Watched;
use crate::report::model::witness::{Column, End, Row, Witness, WitnessEdge};

pub use crate::report::model::stats::{Classes, Events, Stats};

/// The version of the contract.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    verdict: Verdict,
    engine: &'a str,
    /// How many violated blocks of all methods count.
    violated: u64,
    /// How many blocks are violated and wait inside for other threads.
    apart: u64,
    violations: Vec<MethodLine<'a>>,
    /// Replaces the violations if the engine only warns: what it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspected: Option<Vec<MethodLine<'a>>>,
    waits_inside: Vec<MethodLine<'a>>,
    cycle: &'a [WitnessEdge],
    /// The events of the cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Table<'a>>,
    /// The cycle as a finding, for a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle_finding: Option<CycleLine>,
    /// What suppressions and a baseline made of the findings.
    #[serde(flatten)]
    sifted: Option<sifted::Fields<'a>>,
    /// What other schedules could have violated, for each algorithm that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predicted: Vec<serde_json::Value>,
    /// How much was watched, if only a part was to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<&'a Watched>,
    /// What was watched, if a profile of earlier runs determined it.
    #[serde(skip_serializing_if = "Option::is_none")]
    guided: Option<&'a Guided>,
    /// What the run was steered to, if it was steered.
    #[serde(skip_serializing_if = "Option::is_none")]
    steered: Option<&'a Steered>,
    /// What became of the schedule that the run was to replay, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    replayed: Option<&'a Replayed>,
    /// What was not seen, if the agent was attached to a running program.
    #[serde(skip_serializing_if = "Option::is_none")]
    attached: Option<&'a Attached>,
    stats: &'a Stats,
    /// The packages that the user has written, if they are known.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    application: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    hints: &'a [String],
    /// Why the run is incomplete; all these reasons are also among the warnings.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    reasons: &'a [String],
    warnings: Vec<&'a str>,
}

/// The events of a witness, in their order, with their transactions.
#[derive(Serialize)]
struct Table<'a> {
    columns: &'a [Column],
    rows: &'a [Row],
    /// The rows of both ends of each edge.
    ends: &'a [(usize, usize)],
    /// The row of the block's begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<usize>,
}

impl<'a> From<&'a Witness> for Table<'a> {
    fn from(witness: &'a Witness) -> Table<'a> {
        Table { columns: &witness.columns, rows: &witness.rows, ends: &witness.ends, first: witness.first }
    }
}

#[derive(Serialize)]
struct CycleLine {
    id: String,
    kind: &'static str,
    variables: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

#[derive(Serialize)]
struct MethodLine<'a> {
    id: String,
    method: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
    variables: Vec<String>,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<NonZeroU64>,
    instances: u64,
    thread: &'a str,
    begin: &'a str,
    edges: &'a [WitnessEdge],
    table: Table<'a>,
    /// The data if the finding rests on locks, or null if they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Option<&'a [Datum]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<&'a [End; 2]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stack: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    enclosing: &'a [Enclosing],
    /// How the first violation was provoked, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    provoked: Option<&'a Provoked>,
    /// Whether it was violated only around others, by the same events.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    caller: bool,
}

/// One JSON object, without a line break.
pub fn json(report: &Report, predicted: &[Predicted], stats: &Stats, application: &Application) -> String {
    let head = &report.head;
    let all: Vec<MethodLine> = [(&report.findings, false), (&report.callers, true)]
        .into_iter()
        .flat_map(|(findings, is_caller)| findings.iter().map(move |finding| method(finding, is_caller)))
        .collect();
    let (violations, suspected) = if head.engine.claim.only_warns() { (Vec::new(), Some(all)) } else { (all, None) };
    let line = Line {
        schema: SCHEMA,
        verdict: head.answer.verdict(),
        engine: head.engine.name,
        violated: head.answer.counted,
        apart: head.answer.apart,
        violations,
        suspected,
        waits_inside: report.waits_inside.iter().map(|finding| method(finding, false)).collect(),
        cycle: report.cycle.as_ref().map_or(&[], |cycle| &cycle.edges),
        table: report.cycle.as_ref().map(Table::from),
        cycle_finding: report.cycle.as_ref().map(|cycle| {
            let identity = Identity::of(None, cycle);
            let (id, variables) = (identity.id(), identity.variables());
            CycleLine { id, kind: CYCLE[0], variables, status: report.cycle_status }
        }),
        sifted: sifted::fields(head.sifted.as_ref()),
        predicted: predicted.iter().map(predicted::value).collect(),
        sampling: head.watched.as_ref(),
        guided: head.guided.as_ref(),
        steered: head.steered.as_ref(),
        replayed: head.replayed.as_ref(),
        attached: head.attached.as_ref(),
        stats,
        application: application.packages(),
        hints: &head.hints,
        reasons: &head.reasons,
        warnings: head.reasons.iter().chain(&head.warnings).map(String::as_str).collect(),
    };
    serde_json::to_string(&line).expect("numbers and strings are JSON")
}

fn method(finding: &Finding, caller: bool) -> MethodLine<'_> {
    let begin = finding.witness.begin.as_ref();
    let identity = finding.identity();
    MethodLine {
        id: identity.id(),
        status: finding.status,
        variables: identity.variables(),
        method: finding.method.as_deref().unwrap_or_default(),
        kind: finding.kind.name(),
        count: finding.count,
        again: NonZeroU64::new(finding.again),
        instances: finding.instances,
        thread: begin.map_or("", |begin| &begin.thread),
        begin: begin.map_or("", |begin| &begin.location),
        edges: &finding.witness.edges,
        table: Table::from(&finding.witness),
        data: finding.witness.data.value(),
        pair: finding.witness.pair.as_ref(),
        stack: &finding.stack,
        enclosing: &finding.enclosing,
        provoked: finding.provoked.as_ref(),
        caller,
    }
}
