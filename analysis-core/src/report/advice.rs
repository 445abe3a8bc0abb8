//! What to do about a finding: make it atomic, or say that it is not meant to be.

use super::kind::Kind;
use super::model::{End, Finding, Source};
use crate::spec::{Selector, Specification};

/// Two calls of one object of the platform's library, and what does both in one step: the classes by a part of their names, what was
/// called first and last, and the advice.
const IN_ONE_STEP: [(&str, &[&str], &[&str], &str); 11] = [
    (
        "Map",
        &["get", "getOrDefault", "containsKey"],
        &["put"],
        "putIfAbsent, computeIfAbsent, compute or merge of a concurrent map",
    ),
    (
        "Map",
        &["get", "getOrDefault", "containsKey"],
        &["remove"],
        "computeIfPresent, or remove of key and value, of a concurrent map",
    ),
    (
        "AtomicMarkableReference",
        &["getReference", "isMarked"],
        &["getReference", "isMarked"],
        "get with an array for the mark",
    ),
    (
        "AtomicStampedReference",
        &["getReference", "getStamp"],
        &["getReference", "getStamp"],
        "get with an array for the stamp",
    ),
    ("FieldUpdater", &["get"], &["set", "lazySet"], "updateAndGet, or a loop around compareAndSet,"),
    (
        "Atomic",
        &["get", "getAcquire", "getPlain"],
        &["set", "lazySet", "setRelease"],
        "updateAndGet, or a loop around compareAndSet,",
    ),
    (
        "VarHandle",
        &["get", "getVolatile", "getAcquire", "getOpaque"],
        &["set", "setVolatile", "setRelease", "setOpaque"],
        "getAndAdd, or a loop around compareAndSet,",
    ),
    ("Adder", &["sum", "longValue", "doubleValue"], &["reset"], "sumThenReset"),
    ("Accumulator", &["get", "longValue", "doubleValue"], &["reset"], "getThenReset"),
    ("CopyOnWriteArrayList", &["contains", "indexOf"], &["add"], "addIfAbsent"),
    ("Iterator", &["next", "hasNext"], &["next", "hasNext"], "toArray of the collection, and a loop over the copy,"),
];

/// One line for each thing that can be done.
pub(super) fn advice(finding: &Finding, source: Source) -> Vec<String> {
    let mut advice = Vec::new();
    advice.extend(how_to_be_atomic(finding).map(|how| format!("if it is meant to be atomic: {how}")));
    advice.push(format!("if it is not: {}", how_to_take_out(finding.method.as_deref(), source)));
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
    if let Some(how) = in_one_step(&out.from.access, &back.to.access) {
        return Some(format!("{how} does in one step what {start} and {end} do"));
    }
    let (first, last) = (&out.to, &back.from);
    let theirs = match (first.is_same(last), first.thread == last.thread) {
        (true, _) => format!("around {}", at(first)),
        (false, true) => format!("from {} to {}", at(first), at(last)),
        (false, false) => format!("around {} and around {}", at(first), at(last)),
    };
    Some(format!("hold one lock from {start} to {end}, and the same lock {theirs}"))
}

/// What does both in one step, if these accesses are calls that are known.
fn in_one_step(first: &str, last: &str) -> Option<&'static str> {
    let (owner, first) = called(first)?;
    let (other, last) = called(last)?;
    let known = IN_ONE_STEP.iter().find(|(class, firsts, lasts, _)| {
        owner == other && owner.contains(class) && firsts.contains(&first) && lasts.contains(&last)
    });
    known.map(|(.., how)| *how)
}

/// The class without its package, and the method, of a call of the platform's library.
fn called(access: &str) -> Option<(&str, &str)> {
    let (_, call) = access.split_once(' ')?;
    let call = call.strip_suffix("()").filter(|call| call.starts_with("java."))?;
    let (owner, method) = call.rsplit_once('.')?;
    Some((owner.rsplit('.').next().unwrap_or(owner), method))
}

/// Both ways start from the specification in effect: a new file without the line `default` would bring back all that the
/// default takes out.
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
        Some(event) => format!("event {event} ({})", end.location),
        None if end.location.is_empty() => "an unknown place".to_owned(),
        None => end.location.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_calls_that_one_would_do_are_named() {
        let both = |owner: &str, first: &str, last: &str| {
            in_one_step(&format!("read java.util.{owner}.{first}()"), &format!("write java.util.{owner}.{last}()"))
        };
        assert!(
            both("concurrent.ConcurrentHashMap", "containsKey", "put")
                .is_some_and(|how| how.starts_with("putIfAbsent"))
        );
        assert!(both("Map", "get", "remove").is_some_and(|how| how.starts_with("computeIfPresent")));
        assert!(
            both("concurrent.atomic.AtomicInteger", "get", "set").is_some_and(|how| how.starts_with("updateAndGet"))
        );
        assert_eq!(both("concurrent.atomic.LongAdder", "sum", "reset"), Some("sumThenReset"));
        assert_eq!(both("ArrayList", "contains", "add"), None);
        assert_eq!(in_one_step("read bank.Map.get()", "write bank.Map.put()"), None);
        assert_eq!(in_one_step("read java.util.Map.get()", "write java.util.HashMap.put()"), None);
        assert_eq!(in_one_step("read x", "write y"), None);
    }
}
