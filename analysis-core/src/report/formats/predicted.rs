//! The report of `regiontrack predict`: what one algorithm predicts for one trace, for a person or as a line of JSON.
//!
//! A confirmed prediction is printed like a finding, with the schedule that shows it; the others are listed separately, with
//! the obstacle. Diagnostics are those of Figure 3 of the reduction report: the pattern, and each access with its
//! thread and place.

use serde::Serialize;

use super::data;
use super::lines::{NARROWEST, WIDEST, end, line, more};
use super::text::render_witness;
use crate::engine::Violation;
use crate::predict::ids::At;
use crate::predict::schedule::runner::Obstacle;
use crate::predict::schedule::{Prediction, Reason, Status};
use crate::report::judgement::reason::meaning;
use crate::report::model::details::{Details, EventDetail};
use crate::report::model::kind::{CYCLE, Kind};
use crate::report::model::predicted::{Stretch, stretches};
use crate::report::model::witness::{End, Witness};
use crate::report::model::words::{name, noun, place_of};
use crate::trace::one_line;

pub use crate::report::model::predicted::Predicted;

/// The version of the contract.
const SCHEMA: u32 = 1;

/// The report for a person. No table is wider than `width`. `details` are those of [`Predicted::events`].
pub fn text(predicted: &Predicted, details: &Details, most: usize, width: usize) -> String {
    let width = width.clamp(NARROWEST, WIDEST);
    let mut out = String::new();
    head(&mut out, predicted);
    for deadlock in predicted.deadlocks {
        line(&mut out, 2, "warning: potential for deadlock, so that no prediction is certain to be complete:");
        for at in &deadlock.waits {
            line(&mut out, 4, &end(&End::new(details.event(at.number()))));
        }
    }
    let is_confirmed = |prediction: &&Prediction| matches!(prediction.status, Status::Confirmed(_));
    let confirmed: Vec<&Prediction> = predicted.predictions.iter().filter(is_confirmed).collect();
    for (number, prediction) in (1..).zip(confirmed.iter().take(most)) {
        out.push('\n');
        render_confirmed(&mut out, number, prediction, predicted, details, width);
    }
    let open: Vec<&Prediction> = predicted.predictions.iter().filter(|prediction| !is_confirmed(prediction)).collect();
    if !open.is_empty() && !predicted.confirmed_only {
        out.push('\n');
        line(&mut out, 0, "predicted, but no order of the recorded events was found that shows it");
        for prediction in open.iter().take(most) {
            render_open(&mut out, prediction, predicted, details);
        }
    }
    let shown = confirmed.len().min(most) + if predicted.confirmed_only { 0 } else { open.len().min(most) };
    let hidden = predicted.counted() - shown;
    if hidden > 0 {
        more(&mut out, 0, hidden, "prediction", predicted.source);
    }
    out
}

fn head(out: &mut String, predicted: &Predicted) {
    let Predicted { trace, algorithm, predictions, .. } = predicted;
    let confirmed = predictions.iter().filter(|p| matches!(p.status, Status::Confirmed(_))).count();
    let what = match (predictions.len(), predicted.unfinished.is_empty()) {
        (0, true) => "no violation predicted".to_owned(),
        (0, false) => "no violation predicted so far, not finished".to_owned(),
        (all, is_finished) => {
            let rest = if is_finished { "" } else { ", not finished" };
            format!("{all} {} predicted, {confirmed} confirmed by a schedule{rest}", noun(all, "violation"))
        }
    };
    line(out, 0, &format!("{trace}: {what}"));
    let units = predicted.execution.units.iter();
    let transactions = units.filter(|(_, unit)| unit.is_transaction()).count();
    let events = predicted.execution.events.len();
    line(
        out,
        2,
        &format!(
            "{transactions} {}; {events} {}; algorithm {}",
            noun(transactions, "transaction"),
            noun(events, "event"),
            algorithm.name
        ),
    );
    predicted.unfinished.iter().for_each(|why| line(out, 2, &format!("not finished: {why}")));
    predicted.warnings.iter().for_each(|warning| line(out, 2, &format!("warning: {warning}")));
}

fn render_confirmed(
    out: &mut String,
    number: usize,
    prediction: &Prediction,
    predicted: &Predicted,
    details: &Details,
    width: usize,
) {
    let Status::Confirmed(schedule) = &prediction.status else { return };
    let method = predicted.method(prediction);
    let (kind, sentence, witness) = match &schedule.violation {
        Some(violation) => {
            let kind = Kind::of_violation(violation, details);
            let witness = Witness::of_violation(violation, details);
            (kind.name(), meaning(kind, &witness), witness)
        }
        None => {
            let edges = schedule.cycle.as_ref().map_or(&[][..], |cycle| &cycle.edges);
            (CYCLE[0], CYCLE[1].to_owned(), Witness::of_cycle(edges, details))
        }
    };
    line(out, 0, &format!("{number}. {}: {kind} (predicted)", name(method.as_deref())));
    line(out, 3, &sentence);
    data::render(out, &witness, predicted.source);
    warned(out, prediction, predicted, details);
    render_witness(out, &witness, width);
    out.push('\n');
    line(out, 3, &format!("the schedule: as observed up to event {}, then", schedule.start.number() - 1));
    for Stretch { thread, from, to, events } in stretches(schedule, predicted) {
        let which = if from == to { format!("event {from}") } else { format!("its {events} events {from} to {to}") };
        line(out, 5, &format!("{thread}: {which}"));
    }
}

/// The pattern, and each access.
fn warned(out: &mut String, prediction: &Prediction, predicted: &Predicted, details: &Details) {
    let begin = details.event(predicted.begin(prediction).number());
    let often = format!("predicted for {} {}", prediction.count, noun(prediction.count, "instance"));
    line(out, 3, &format!("{often}, first in {} at {}", begin.thread_name, place(begin)));
    line(out, 3, &format!("{}:", prediction.pattern.name));
    for at in &prediction.pattern.events {
        line(out, 5, &end(&End::new(details.event(at.number()))));
    }
}

fn place(detail: &EventDetail) -> String {
    let number = detail.number.map_or(String::new(), |number| format!("event {number}"));
    if detail.location.is_empty() { number } else { place_of(&detail.location) }
}

fn render_open(out: &mut String, prediction: &Prediction, predicted: &Predicted, details: &Details) {
    let method = predicted.method(prediction);
    line(out, 2, name(method.as_deref()));
    let Status::Open(reason) = &prediction.status else { return };
    warned(out, prediction, predicted, details);
    line(out, 3, &format!("no order found: {}", in_words(reason, predicted, details)));
}

fn in_words(reason: &Reason, predicted: &Predicted, details: &Details) -> String {
    let told = |at: At| end(&End::new(details.event(at.number())));
    match reason {
        Reason::Blocked(Obstacle::Lock { waiting, lock, holder }) => {
            let lock = one_line(&predicted.symbols.lock(*lock));
            format!("{} waits for lock {lock}, which is held until after {}", told(*waiting), told(*holder))
        }
        Reason::Blocked(Obstacle::Order { waiting, before }) => {
            format!("{} can only come after {}", told(*waiting), told(*before))
        }
        Reason::Blocked(Obstacle::Deadlock { waiting }) => format!("{} would wait forever", told(*waiting)),
        Reason::Serializable => "every order that was tried is serializable".to_owned(),
        Reason::Updated(update) => {
            format!("{} would find another value than in the run, and would not take place", told(*update))
        }
        Reason::NoConflict => "no accesses of one other unit conflict with two places of it".to_owned(),
        Reason::Unfinished => "the limit of steps was reached".to_owned(),
    }
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    trace: &'a str,
    algorithm: &'a str,
    events: usize,
    threads: usize,
    transactions: usize,
    verdict: &'a str,
    predictions: Vec<PredictionLine<'a>>,
    deadlocks: Vec<Vec<u64>>,
    storage: u64,
    seconds: f64,
    unfinished: &'a [String],
    warnings: &'a [String],
}

#[derive(Serialize)]
struct PredictionLine<'a> {
    method: Option<String>,
    thread: String,
    begin: u64,
    instances: u64,
    pattern: &'a str,
    events: Vec<u64>,
    confirmed: bool,
    schedule: Option<ScheduleLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    obstacle: Option<&'a str>,
}

#[derive(Serialize)]
struct ScheduleLine {
    /// How many events keep the observed order.
    observed: u64,
    then: Vec<Stretch>,
    /// The violated transaction: null if no block is to blame for the cycle.
    violation: Option<ViolationLine>,
}

#[derive(Serialize)]
struct ViolationLine {
    begin: u64,
    event: u64,
    other_event: u64,
}

impl From<&Violation> for ViolationLine {
    fn from(violation: &Violation) -> ViolationLine {
        let Violation { begin, event, other, .. } = violation;
        ViolationLine { begin: *begin, event: *event, other_event: other.position() }
    }
}

/// One JSON object, without a line break.
pub fn json(predicted: &Predicted) -> String {
    serde_json::to_string(&line_of(predicted)).expect("numbers and strings are JSON")
}

/// The prediction as part of another JSON object.
pub(super) fn value(predicted: &Predicted) -> serde_json::Value {
    serde_json::to_value(line_of(predicted)).expect("numbers and strings are JSON")
}

fn line_of<'a>(predicted: &'a Predicted) -> Line<'a> {
    let told = predicted.predictions.iter().filter(|prediction| predicted.counts(prediction));
    let verdict = match (predicted.unfinished.is_empty(), predicted.counted()) {
        (false, _) => "not-finished",
        (true, 0) => "nothing-predicted",
        (true, _) => "violations-predicted",
    };
    let units = &predicted.execution.units;
    Line {
        schema: SCHEMA,
        trace: predicted.trace,
        algorithm: predicted.algorithm.name,
        events: predicted.execution.events.len(),
        threads: predicted.symbols.threads.len(),
        transactions: units.iter().filter(|(_, unit)| unit.is_transaction()).count(),
        verdict,
        predictions: told.map(|prediction| prediction_line(prediction, predicted)).collect(),
        deadlocks: predicted.deadlocks.iter().map(|d| d.waits.iter().map(|at| at.number()).collect()).collect(),
        storage: predicted.storage,
        seconds: predicted.seconds,
        unfinished: predicted.unfinished,
        warnings: predicted.warnings,
    }
}

fn prediction_line<'a>(prediction: &'a Prediction, predicted: &Predicted) -> PredictionLine<'a> {
    let schedule = match &prediction.status {
        Status::Confirmed(schedule) => Some(ScheduleLine {
            observed: schedule.start.number() - 1,
            then: stretches(schedule, predicted),
            violation: schedule.violation.as_ref().map(ViolationLine::from),
        }),
        Status::Open(_) => None,
    };
    let obstacle = match &prediction.status {
        Status::Confirmed(_) => None,
        Status::Open(Reason::Blocked(_)) => Some("synchronization"),
        Status::Open(Reason::Serializable) => Some("serializable"),
        Status::Open(Reason::Updated(_)) => Some("other value"),
        Status::Open(Reason::NoConflict) => Some("no conflict"),
        Status::Open(Reason::Unfinished) => Some("not finished"),
    };
    PredictionLine {
        method: predicted.method(prediction),
        thread: one_line(&predicted.symbols.thread(predicted.execution.units.get(prediction.unit).thread)),
        begin: predicted.begin(prediction).number(),
        instances: prediction.count,
        pattern: prediction.pattern.name,
        events: prediction.pattern.events.iter().map(|at| at.number()).collect(),
        confirmed: schedule.is_some(),
        schedule,
        obstacle,
    }
}
