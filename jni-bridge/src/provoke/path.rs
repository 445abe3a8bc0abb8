//! Whether the path of a violation goes through what a candidate is about: its variable or lock, or one of its places.
//!
//! Of a path, only the ends of its edges are known, where an event of one thread follows one of another. Names are compared, not
//! objects: the report of a run does not number objects. Accesses under a lock are ordered by the lock, whose places belong to
//! the candidate too; what is accessed under the lock is reported later ([`super::Provoking::explain`]).

use analysis_core::event::Op;
use analysis_core::provoke::{Candidate, Place};
use analysis_core::report::{EventDetail, last_segments};
use analysis_core::trace::Position;

/// What separates the names of two variables of one object.
const AND: &str = " and ";
/// All fields of an object that a method has filled: what follows its class, and the name in a place.
const FIELDS: &str = ".*";
const ANY_FIELD: &str = "*";
/// What follows the name of an array to mean an element.
const ELEMENT: &str = " element";

/// True if one of these events is about the candidate's variable or lock, or is one of its places.
pub(crate) fn goes_through(candidate: &Candidate, events: &[EventDetail]) -> bool {
    events.iter().any(|event| is_about(candidate, event) || candidate.places().any(|place| is_at(place, event)))
}

fn is_about(candidate: &Candidate, event: &EventDetail) -> bool {
    let mut variables = candidate.variable.split(AND);
    let is_of_lock = matches!(event.op, Op::Acquire(_) | Op::Release(_));
    let is_subject = |variable: &str| match variable.strip_suffix(FIELDS) {
        Some(object) => subject(event).rsplit_once('.').is_some_and(|(owner, _)| owner == object),
        None => variable == subject(event),
    };
    // The class of an object says little, except for a lock: its candidate is named by it.
    match &event.call {
        Some(call) => {
            let is_target = |variable: &str| call.target().is_some_and(|field| variable == last_segments(field, 2));
            variables.any(|variable| {
                variable == call.holder() || is_target(variable) || is_of_lock && variable == call.class
            })
        }
        None => {
            matches!(event.op, Op::Read(_) | Op::Write(_)) == !candidate.first.action.is_of_lock()
                && variables.any(is_subject)
        }
    }
}

/// True if the event is at the candidate's place: the same line or instruction of the same method, and the same name.
pub(super) fn is_at(place: &Place, event: &EventDetail) -> bool {
    let method = event.method.as_deref().and_then(|method| method.split('(').next());
    let is_there = match Position::split(&event.location) {
        Some((_, line @ Position::Line(_))) => {
            line == place.position()
                && method.and_then(|method| method.rsplit_once('.')) == Some((place.class(), place.method()))
        }
        // A report shortens the types of parameters; a place has them in full, as the method does.
        Some((_, index @ Position::Index(_))) => {
            let of_place = Position::split(place.location()).map(|(method, _)| method);
            index == place.position() && event.method.as_deref() == of_place
        }
        None => false,
    };
    let is_field = event.call.is_none() && !simple(event).ends_with(']');
    is_there && (place.action.is_of_lock() || place.name == simple(event) || place.name == ANY_FIELD && is_field)
}

/// `Account.balance` of `read Account.balance`, `int[] element`, and the class of a lock.
fn subject(event: &EventDetail) -> &str {
    let name = event.operation.split_once(' ').map_or("", |(_, name)| name);
    if name.ends_with(ELEMENT) { last_segments(name, 1) } else { name }
}

/// `balance`, `[]`, `put()`.
fn simple(event: &EventDetail) -> String {
    match &event.call {
        Some(call) => format!("{}()", call.method),
        None if subject(event).ends_with(ELEMENT) => "[]".to_owned(),
        None => last_segments(subject(event), 1).to_owned(),
    }
}
