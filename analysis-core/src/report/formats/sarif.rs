//! SARIF 2.1.0, which code scanning reads: a rule for each kind, a result for each finding, its witness as a flow of each
//! thread.

use serde_json::{Map, Value, json};

use super::escape::{visible, visible_lines};
use super::item::{Item, Weight, id, id_of_cycle, items};
use super::lanes::{Lane, Lanes, Line};
use super::place::Place;
use super::sifted;
use super::text;
use crate::report::model::kind::{CYCLE, Kind};
use crate::report::model::report::{Report, Source};
use crate::report::model::sifted::Status;
use crate::report::model::summary::Loss;
use crate::report::model::witness::Row;
use crate::report::model::words::{name, noun};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a rule says in addition to its meaning.
const HELP: &str = "The events of the result happened in this order in a run that was observed. If the method is meant to \
                    be atomic, one lock has to be held from the first of its events to the last, and by the other thread \
                    around its own. If it is not, the specification can leave it out.";
/// The scheme of fingerprints. Another scheme needs another name, so that old fingerprints are not compared with new
/// ones.
const FINGERPRINT: &str = "regiontrack/v1";

/// The run of one report.
pub(super) fn part(report: &Report, predicted: &[String]) -> String {
    let head = &report.head;
    let results: Vec<Value> = items(report).iter().map(|item| result(item, head.source)).collect();
    let id = match head.source {
        Source::Run => "regiontrack/run/".to_owned(),
        Source::Trace => format!("regiontrack/{}/{}/", visible(head.subject), head.engine.name),
    };
    let run = json!({
        "tool": tool(),
        "automationDetails": { "id": id },
        "invocations": [{
            "executionSuccessful": !matches!(head.answer.loss, Loss::Hides | Loss::Misleads),
            "toolExecutionNotifications": notifications(report, predicted),
        }],
        "results": results,
        "properties": {
            "subject": visible(head.subject),
            "engine": head.engine.name,
            "verdict": head.answer.verdict().name(),
            "blocks": head.blocks,
            "violated": head.answer.counted,
            "threads": head.threads,
        },
    });
    pretty(&run)
}

/// The file with these runs.
pub(super) fn whole(parts: &[String]) -> String {
    format!("{{\n\"$schema\": \"{SCHEMA}\",\n\"version\": \"2.1.0\",\n\"runs\": [\n{}\n]\n}}\n", parts.join(",\n"))
}

/// The run for a missing report.
pub(super) fn missing(subject: &str, why: &str) -> String {
    pretty(&json!({
        "tool": tool(),
        "invocations": [{
            "executionSuccessful": false,
            "toolExecutionNotifications": [notification("error", &format!("{subject}: {why}"))],
        }],
        "results": [],
    }))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("numbers and strings are JSON")
}

fn tool() -> Value {
    let kinds = Kind::ALL.iter().map(|kind| rule(&id(kind.name()), kind.name(), kind.meaning()));
    let rules: Vec<Value> = kinds.chain([rule(&id_of_cycle(), CYCLE[0], CYCLE[1])]).collect();
    json!({ "driver": { "name": "RegionTrack", "version": env!("CARGO_PKG_VERSION"), "rules": rules } })
}

fn rule(id: &str, name: &str, meaning: &str) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": name },
        "fullDescription": { "text": sentence(meaning) },
        "help": { "text": format!("{} {HELP}", sentence(meaning)) },
    })
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), chars.as_str()))
}

/// Remarks about the whole report.
fn notifications(report: &Report, predicted: &[String]) -> Vec<Value> {
    let head = &report.head;
    let mut all: Vec<Value> =
        head.reasons.iter().map(|why| notification("error", &format!("incomplete: {why}"))).collect();
    all.extend(head.warnings.iter().map(|warning| notification("warning", warning)));
    // No results: code scanning raises an alert for each, also for one that is suppressed.
    let said = [&head.hints, &head.notes].into_iter().flatten().cloned().chain(sifted::lines_told(head));
    let saved = head.saved.iter().map(|saved| saved.to_string());
    let summary = text::headlines(head).iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n");
    all.extend(std::iter::once(summary).chain(said).chain(saved).map(|said| notification("note", &said)));
    if !report.waits_inside.is_empty() {
        let methods = report.waits_inside.iter().map(|finding| name(finding.method.as_deref()));
        let methods = methods.collect::<Vec<_>>().join(", ");
        let count = report.waits_inside.len();
        let said = format!("{count} {} wait inside, {}: {methods}", noun(count, "method"), text::UNCOUNTED);
        all.push(notification("note", &said));
    }
    all.extend(predicted.iter().map(|predicted| notification("warning", predicted)));
    all
}

fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": message(text) })
}

/// A text in which nothing is taken for a link.
fn message(text: &str) -> Value {
    let text = visible_lines(text);
    json!({ "text": if text.contains("](") { text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]") } else { text } })
}

fn result(item: &Item, source: Source) -> Value {
    let level = match item.weight() {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "note",
    };
    let mut result = json!({
        "ruleId": item.id(),
        "level": level,
        "message": message(&format!("{}\n{}", item.title(), item.told())),
        "locations": [location(item.place().as_ref(), item.method(), None)],
        "partialFingerprints": { FINGERPRINT: item.identity().id() },
        "properties": { "advice": item.steps().iter().map(|step| visible(step)).collect::<Vec<_>>() },
    });
    if !item.witness().rows.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows(item, source) }]);
    }
    if let Some(status) = item.status() {
        result["baselineState"] = json!(if status == Status::New { "new" } else { "unchanged" });
    }
    if !item.stack().is_empty() {
        let frames = item.stack().iter().map(|frame| json!({ "location": { "message": message(frame) } }));
        result["stacks"] = json!([{ "frames": frames.collect::<Vec<_>>() }]);
    }
    result
}

/// A flow for each thread, whose events are numbered across all of them.
fn flows(item: &Item, source: Source) -> Vec<Value> {
    let witness = item.witness();
    let lanes = Lanes::of(witness);
    let lines = lanes.lines(witness);
    let of_thread = |(at, lane): (usize, &Lane)| {
        let rows = (1..).zip(&lines).filter(|(_, line)| line.lane == at);
        let steps: Vec<Value> = rows.map(|(order, line): (u64, &Line)| step(order, line.row, source)).collect();
        json!({ "id": visible(lane.thread), "locations": steps })
    };
    lanes.lanes.iter().enumerate().map(of_thread).collect()
}

fn step(order: u64, row: &Row, source: Source) -> Value {
    let place = Place::of(&row.location, row.method.as_deref(), source);
    let at = if row.location.is_empty() { String::new() } else { format!("  {}", row.location) };
    let said = format!("{}{at}", row.operation);
    json!({ "executionOrder": order, "location": location(place.as_ref(), row.method.as_deref(), Some(&said)) })
}

fn location(place: Option<&Place>, method: Option<&str>, said: Option<&str>) -> Value {
    let mut location = Map::new();
    if let Some(place) = place {
        let mut physical = json!({ "artifactLocation": { "uri": place.uri() } });
        if let Some(line) = place.line {
            physical["region"] = json!({ "startLine": line });
        }
        location.insert("physicalLocation".to_owned(), physical);
    }
    if let Some(method) = method {
        let logical = json!([{ "fullyQualifiedName": visible(method), "kind": "function" }]);
        location.insert("logicalLocations".to_owned(), logical);
    }
    if let Some(said) = said {
        location.insert("message".to_owned(), message(said));
    }
    Value::Object(location)
}
