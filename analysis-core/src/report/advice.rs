//! What to do about a finding: make it atomic, or say that it is not meant to be.

use super::kind::Kind;
use super::model::{End, Finding};
use crate::spec::{Method, Specification};

/// One line for each way out.
pub(super) fn advice(finding: &Finding) -> Vec<String> {
    let mut advice = Vec::new();
    advice.extend(how_to_be_atomic(finding).map(|how| format!("if it is meant to be atomic: {how}")));
    advice.push(format!("if it is not: {}", how_to_take_out(finding.method.as_deref())));
    advice
}

fn how_to_be_atomic(finding: &Finding) -> Option<String> {
    let edges = &finding.witness.edges;
    let (out, back) = (edges.first()?, edges.last()?);
    let (start, end) = (at(&out.from), at(&back.to));
    if back.to.access.starts_with("join ") {
        // A lock held here, and wanted by the thread that is waited for, would be a deadlock.
        return Some(format!("wait for the thread outside of it, not at {end}; no lock can help"));
    }
    let given_up = out.from.access.strip_prefix("release ");
    if let Some(lock) = given_up.filter(|lock| back.to.access.strip_prefix("acquire ") == Some(lock)) {
        debug_assert_eq!(finding.kind, Kind::StaleCheckThenAct);
        return Some(format!("keep {lock} from {start} to {end}"));
    }
    let (first, last) = (&out.to, &back.from);
    let theirs = match (first.is_same(last), first.thread == last.thread) {
        (true, _) => format!("around {}", at(first)),
        (false, true) => format!("from {} to {}", at(first), at(last)),
        (false, false) => format!("around {} and around {}", at(first), at(last)),
    };
    Some(format!("hold one lock from {start} to {end}, and the same lock {theirs}"))
}

fn how_to_take_out(label: Option<&str>) -> String {
    match label.map(|label| (label, rule_for(label))) {
        Some((_, Some(method))) => {
            format!("take it out with the line  - {method}  at the end of the specification (a new one begins  + **)")
        }
        Some((label, None)) => {
            format!("name it in the trace as package.Class.method instead of {label}, so that --spec can take it out")
        }
        None => {
            "give the block a label in the trace, begin(package.Class.method), so that --spec can take it out".into()
        }
    }
}

/// What to write in a specification to match exactly such a label, if anything can.
fn rule_for(label: &str) -> Option<String> {
    let method = Method::parse(label).ok()?;
    let spec = Specification::parse(&format!("- {method}"), "advice").ok()?;
    spec.decide(&method).rule.map(|_| method.to_string())
}

fn at(end: &End) -> String {
    // A number in parentheses would look like another event.
    let is_number = end.location.bytes().all(|byte| byte.is_ascii_digit());
    match end.event {
        Some(event) if is_number => format!("event {event}"),
        Some(event) => format!("event {event} ({})", end.location),
        None if end.location.is_empty() => "an unknown place".to_owned(),
        None => end.location.clone(),
    }
}
