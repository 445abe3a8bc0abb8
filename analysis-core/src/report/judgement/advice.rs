//! What to do about a finding: make the method atomic, or say that it is not meant to be. If most findings lie in one
//! library, that can be left out.

use std::collections::BTreeMap;

use super::critical::{keep, keep_both};
use super::handed::outside;
use super::one_step::{in_one_step, own_lock};
use super::retry::{again, is_one_place, known_already, may_wait};
use crate::report::model::application::Application;
use crate::report::model::finding::{Finding, Locking};
use crate::report::model::kind::Kind;
use crate::report::model::report::Source;
use crate::report::model::witness::End;
use crate::report::model::words::{package, place_of};
use crate::spec::{Selector, Specification};

/// One line for each possible step.
pub(in crate::report) fn advice(finding: &Finding, source: Source) -> Vec<String> {
    let mut advice = Vec::new();
    advice.extend(how_to_be_atomic(finding).map(|how| format!("if it is meant to be atomic: {how}")));
    advice.push(format!("if it is not: {}", how_to_take_out(finding.method.as_deref(), source)));
    advice
}

fn how_to_be_atomic(finding: &Finding) -> Option<String> {
    let edges = &finding.witness.edges;
    let (out, back) = (edges.first()?, edges.last()?);
    let (start, end) = (at(&out.from), at(&back.to));
    let (events, places) = ([&out.from, &back.to], [&*start, &*end]);
    let is_of_sections = matches!(finding.kind, Kind::StaleCheckThenAct | Kind::StaleRead);
    let known = [(&out.from, &*start), (&back.to, &*end)].map(|(end, at)| if end.is_placed() { at } else { "" });
    let how = match finding.kind {
        Kind::TwoLocks => keep_both(events, places),
        _ if is_of_sections => keep(events, places),
        _ => None,
    };
    if let Some(how) = how.or_else(|| outside(events, known)) {
        return Some(how);
    }
    let again = again(finding.kind, finding.method.as_deref(), events, places);
    let step = in_one_step(finding.kind, events, places);
    match (again, step) {
        (Some(again), Some(step)) if !is_one_place(events) => return Some(format!("{step}; or {again}")),
        (Some(how), _) | (None, Some(how)) => return Some(how),
        (None, None) => {}
    }
    let lock = under_one_lock(finding, &start, &end)?;
    Some(match known_already(finding.kind, finding.method.as_deref(), events, places) {
        Some(known) => format!("{known}; or {lock}"),
        None if may_wait(finding.kind, [&out.from, &out.to], [&back.from, &back.to]) => format!(
            "{lock}; but if it waits at {end} for the other thread, no lock can help: end the method before it waits"
        ),
        None => lock,
    })
}

/// How to hold a lock from one place to the other.
fn under_one_lock(finding: &Finding, start: &str, end: &str) -> Option<String> {
    let edges = &finding.witness.edges;
    let (out, back) = (edges.first()?, edges.last()?);
    let (first, last) = (&out.to, &back.from);
    let copy = match finding.kind {
        Kind::NonAtomicIteration => "; or make a copy under that lock, and iterate over the copy",
        _ => "",
    };
    if let Some(lock) = own_lock([&out.from, first, last, &back.to].map(|end| end.call.as_ref())) {
        return Some(format!("hold {lock} from {start} to {end}{copy}"));
    }
    if let Some(lock) = lock_of_others(finding) {
        let them = if first.is_same(last) { at(first) } else { format!("{} and {}", at(first), at(last)) };
        return Some(format!("hold {lock} from {start} to {end}, as is done at {them}{copy}"));
    }
    // If the other thread receives what the block gives away, it may have to wait for that before it takes the lock.
    let is_received = first.hand.is_some() || out.from.access.starts_with("fork ");
    let theirs = match (first.is_same(last), first.thread == last.thread) {
        _ if is_received && !first.is_same(last) => format!("around {}", at(last)),
        (true, _) => format!("around {}", at(first)),
        (false, true) => format!("from {} to {}", at(first), at(last)),
        (false, false) => format!("around {} and around {}", at(first), at(last)),
    };
    Some(format!("hold one lock from {start} to {end}, and the same lock {theirs}{copy}"))
}

/// The lock that the other threads' events are under, in a finding whose block does not hold it at its own events.
fn lock_of_others(finding: &Finding) -> Option<&str> {
    let edges = &finding.witness.edges;
    let (out, back) = (edges.first()?, edges.last()?);
    if Locking::of(&finding.witness) != Locking::Partly {
        return None;
    }
    let held = |end: &'_ End, lock: &String| end.locks.as_ref().is_some_and(|locks| locks.contains(lock));
    let is_theirs = |lock: &&String| held(&back.from, lock) && !held(&out.from, lock) && !held(&back.to, lock);
    out.to.locks.as_ref()?.iter().find(is_theirs).map(String::as_str)
}

/// How to take a block out. Both ways start from the specification in effect: a new file without the line `default`
/// would bring back all that the default takes out.
fn how_to_take_out(label: Option<&str>, source: Source) -> String {
    let selector = Selector::naming_block(label).to_string();
    let mut spec = Specification::everything();
    // A control character in the trace's own label is escaped here, so that no rule could match both.
    let is_escaped = label.is_some_and(|label| label.contains('\\'));
    if is_escaped || spec.exclude(&selector).is_err() || spec.keeps_block(label) {
        let what = label.map_or(String::new(), |label| format!(" instead of {label}"));
        return format!("name it in the trace as package.Class.method{what}, so that a specification can take it out");
    }
    let option = match source {
        Source::Run => format!("exclude-method={selector}"),
        Source::Trace => format!("--exclude-method '{selector}'"),
    };
    format!("take it out with  {option}  or with the line  - {selector}  in a specification that begins with  default")
}

fn at(end: &End) -> String {
    // A number in parentheses would look like another event.
    let is_number = end.location.bytes().all(|byte| byte.is_ascii_digit());
    match end.event {
        Some(event) if is_number => format!("event {event}"),
        Some(event) => format!("event {event} ({})", place_of(&end.location)),
        None if end.location.is_empty() => "an unknown place".to_owned(),
        None => place_of(&end.location),
    }
}

/// How to break a cycle that blames nobody.
pub(in crate::report) const BREAK_CYCLE: &str = "hold one lock, the same for all, over each transaction in the table";

/// How many findings are enough to say where most of them lie.
const ENOUGH: usize = 3;

/// Says where most findings lie, if that is in a library.
pub fn hints(findings: &[Finding], application: &Application) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for method in findings.iter().filter_map(|finding| finding.method.as_deref()) {
        if let Some(library) = library(method, application) {
            *counts.entry(library).or_default() += 1;
        }
    }
    let (library, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let all = findings.len();
    let own: Vec<String> =
        application.packages().iter().filter(|own| !own.is_empty()).map(|own| format!("{own}.*")).collect();
    let instead = if own.is_empty() { String::new() } else { format!(" or include={}", own.join(":")) };
    let is_most = all >= ENOUGH && 2 * count > all;
    is_most.then(|| format!("{count} of {all} findings are in {library}: exclude={library}.*{instead}"))
}

/// The library of a method, by the name that its users know: a package of three segments, `org.eclipse.jetty`, or of as many more
/// as it takes to exclude the user's own packages. `None` for the user's own methods, and if even the whole package has packages
/// of the user below it.
fn library<'a>(method: &'a str, application: &Application) -> Option<&'a str> {
    let its = package(method);
    let ends = its.match_indices('.').map(|(at, _)| at).skip(2).chain([its.len()]);
    let has_own = |library: &str| {
        let is_below =
            |own: &String| own.strip_prefix(library).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        application.packages().iter().any(is_below)
    };
    let known = application.excludes(method) && !its.is_empty();
    ends.map(|end| &its[..end]).find(|library| known && !has_own(library))
}
