//! What to do about a method that checks again, and is nearly right: a loop around a `compareAndSet` needs no lock, and no lock helps
//! it.

use crate::report::model::kind::Kind;
use crate::report::model::witness::End;
use crate::report::model::words::short;

/// How to check again, if the method does so between two events of it; `start` and `end` are their places.
pub(super) fn again(kind: Kind, method: Option<&str>, ends: [&End; 2], [start, end]: [&str; 2]) -> Option<String> {
    let is_of_one = matches!(kind, Kind::LostUpdate | Kind::UnrepeatableRead | Kind::StaleAtomicCheck);
    let [first, last] = ends;
    if !ends.iter().all(|end| end.is_placed()) {
        return None;
    }
    if !is_of_one {
        // The method has read another variable than the one that it compares.
        let set = compares(last).filter(|_| kind == Kind::InconsistentView)?;
        return Some(format!(
            "the {set} at {end} does not notice that what was read at {start} has changed: keep both in one object that it \
             replaces; or if each round reads both anew, let nothing stay of a round that fails"
        ));
    }
    let read = first.call.as_ref().map_or("the read".to_owned(), |call| format!("what {} returned", call.method));
    if let Some(set) = compares(last) {
        let is_flag = last.call.as_ref().is_some_and(|call| call.class == "AtomicBoolean");
        return (!is_flag).then(|| {
            format!(
                "use {read} at {start} for nothing but the {set} at {end}, and if that fails, read again and forget it; \
                 what an earlier round has read is too old"
            )
        });
    }
    // Both are at one line. In the method itself they are one of two reads or a loop; in a method that it calls, one of two calls or
    // a loop around the call.
    (kind == Kind::UnrepeatableRead && is_one_place(ends) && method.is_some()).then(|| {
        let once = match first.method.as_deref() {
            Some(own) if Some(own) != method => format!("call {} (read at {start}) once and keep the value", short(own)),
            _ => format!("read once at {start} and keep the value"),
        };
        format!(
            "{once}; if it is a loop that looks again, let nothing stay of a round that fails: no value or count that is \
             used later, no write, lock or other call"
        )
    })
}

/// True if both are at one known line of the program. In a trace, events also have numbers.
pub(super) fn is_one_place([first, last]: [&End; 2]) -> bool {
    first.location == last.location && first.is_placed() && (!first.location.is_empty() || first.event == last.event)
}

/// The reason why a method that itself accesses one field twice needs no lock: it already has the value.
pub(super) fn known_already(
    kind: Kind,
    method: Option<&str>,
    ends: [&End; 2],
    [start, end]: [&str; 2],
) -> Option<String> {
    let is_here = method.is_some() && ends.iter().all(|end| end.method.as_deref() == method && end.call.is_none());
    if !is_here || is_one_place(ends) || !ends.iter().all(|end| end.is_placed()) {
        return None;
    }
    match kind {
        Kind::UnrepeatableRead => Some(format!(
            "read once at {start}, and use that value at {end}; or if that looks again on purpose, use nothing after it \
             that was found before"
        )),
        Kind::OverwrittenWrite => {
            Some(format!("keep the value that is written at {start}, and use it at {end} in place of what is there"))
        }
        _ => None,
    }
}

/// True if another thread receives what the block has written, and writes what the block then reads: it may wait for that, and a lock
/// that it holds meanwhile would make it wait forever.
pub(super) fn may_wait(kind: Kind, out: [&End; 2], back: [&End; 2]) -> bool {
    let does = |end: &End, verb: &str| end.access.starts_with(verb) && end.call.is_none();
    kind == Kind::Interference
        && out[1].thread == back[0].thread
        && [out[0], back[0]].into_iter().all(|end| does(end, "write "))
        && [out[1], back[1]].into_iter().all(|end| does(end, "read "))
}

/// The method that compares and sets, if the program called one.
fn compares(end: &End) -> Option<&str> {
    let method = end.call.as_ref()?.method.as_str();
    (method.starts_with("compareAndS") || method.starts_with("weakCompareAndSet")).then_some(method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::call::tests::call;

    fn end(access: &str, class: &str, method: &str) -> End {
        End {
            event: None,
            thread: "T".to_owned(),
            method: Some("a.B.c()".to_owned()),
            location: "B.java:7".to_owned(),
            access: access.to_owned(),
            locks: None,
            call: Some(call(class, method, None)),
            hand: None,
        }
    }

    fn told(kind: Kind, first: &End, last: &End, places: [&str; 2]) -> Option<String> {
        again(kind, Some("a.B.c()"), [first, last], places)
    }

    #[test]
    fn a_loop_is_told_what_it_must_forget() {
        let get = end("read x", "AtomicInteger", "get");
        let set = end("write x", "AtomicInteger", "compareAndSet");
        let said = told(Kind::StaleAtomicCheck, &get, &set, ["B.java:7", "B.java:9"]).expect("advice");
        assert!(
            said.starts_with("use what get returned at B.java:7 for nothing but the compareAndSet at B.java:9"),
            "{said}"
        );
        let said = told(Kind::UnrepeatableRead, &get, &get, ["B.java:7", "B.java:7"]).expect("advice");
        assert!(said.starts_with("read once at B.java:7"), "{said}");
    }

    #[test]
    fn a_loop_that_reads_another_variable_is_not_told_to_hold_a_lock() {
        let get = end("read limit", "AtomicInteger", "get");
        let set = end("write x", "AtomicInteger", "compareAndSet");
        let said = told(Kind::InconsistentView, &get, &set, ["B.java:7", "B.java:9"]).expect("advice");
        assert!(
            said.starts_with("the compareAndSet at B.java:9 does not notice that what was read at B.java:7"),
            "{said}"
        );
        let put = end("write x", "AtomicInteger", "set");
        assert_eq!(told(Kind::InconsistentView, &get, &put, ["B.java:7", "B.java:9"]), None);
        assert_eq!(told(Kind::TornUpdate, &set, &set, ["B.java:7", "B.java:9"]), None);
    }

    #[test]
    fn a_loop_around_a_getter_is_not_told_to_keep_one_of_two_calls() {
        let get = end("read x", "AtomicInteger", "get");
        let elsewhere = End { method: Some("a.B.get()".to_owned()), ..get.clone() };
        let said = told(Kind::UnrepeatableRead, &elsewhere, &elsewhere, ["B.java:7", "B.java:7"]).expect("advice");
        assert!(said.starts_with("call B.get (read at B.java:7) once and keep the value; if it is a loop"), "{said}");
    }

    #[test]
    fn a_loop_is_one_in_a_trace_too() {
        let at = |event| End { event: Some(event), ..end("read x", "AtomicInteger", "get") };
        let said = told(Kind::UnrepeatableRead, &at(3), &at(9), ["event 3 (B.java:7)", "event 9 (B.java:7)"]);
        assert!(
            said.expect("advice").starts_with("read once at event 3 (B.java:7) and keep the value; if it is a loop")
        );
        let unplaced = |event| End { location: String::new(), ..at(event) };
        assert_eq!(told(Kind::UnrepeatableRead, &unplaced(3), &unplaced(9), ["event 3", "event 9"]), None);
    }

    #[test]
    fn a_value_that_the_method_has_need_not_be_read_again() {
        let field = |access: &str, line| {
            let location = format!("B.java:{line}");
            End { call: None, location, ..end(access, "Object", "m") }
        };
        let known = |kind, first: &End, last: &End| known_already(kind, Some("a.B.c()"), [first, last], ["A", "B"]);
        let (first, last, write) = (field("read x", 7), field("read x", 9), field("write x", 7));
        let said = known(Kind::UnrepeatableRead, &first, &last).expect("advice");
        assert!(said.starts_with("read once at A, and use that value at B; or if that looks again"), "{said}");
        let said = known(Kind::OverwrittenWrite, &write, &last).expect("advice");
        assert_eq!(said, "keep the value that is written at A, and use it at B in place of what is there");
        let elsewhere = End { method: Some("a.B.get()".to_owned()), ..first.clone() };
        assert_eq!(known(Kind::UnrepeatableRead, &elsewhere, &last), None);
        assert_eq!(known(Kind::UnrepeatableRead, &first, &first), None);
        assert_eq!(known(Kind::LostUpdate, &first, &write), None);
        let unplaced = End { location: String::new(), ..first.clone() };
        assert_eq!(known(Kind::UnrepeatableRead, &unplaced, &last), None);
        let call = end("read x", "AtomicInteger", "get");
        assert_eq!(known(Kind::UnrepeatableRead, &first, &End { location: "B.java:8".to_owned(), ..call }), None);
    }

    #[test]
    fn who_asks_and_reads_the_answer_may_wait_for_it() {
        let of =
            |thread: &str, access: &str| End { thread: thread.to_owned(), call: None, ..end(access, "Object", "m") };
        let (asks, asked) = (of("T", "write x"), of("U", "read x"));
        let (answers, answered) = (of("U", "write y"), of("T", "read y"));
        assert!(may_wait(Kind::Interference, [&asks, &asked], [&answers, &answered]));
        assert!(!may_wait(Kind::TornUpdate, [&asks, &asked], [&answers, &answered]));
        assert!(!may_wait(Kind::Interference, [&asks, &asked], [&of("V", "write y"), &answered]));
        assert!(!may_wait(Kind::Interference, [&asks, &of("U", "write x")], [&answers, &answered]));
    }

    #[test]
    fn other_methods_are_told_nothing() {
        let get = end("read x", "AtomicInteger", "get");
        let put = end("write x", "AtomicInteger", "set");
        let flag = end("write x", "AtomicBoolean", "compareAndSet");
        assert_eq!(told(Kind::StaleAtomicCheck, &get, &put, ["B.java:7", "B.java:9"]), None);
        assert_eq!(told(Kind::StaleAtomicCheck, &get, &flag, ["B.java:7", "B.java:9"]), None);
        let later = End { location: "B.java:9".to_owned(), ..get.clone() };
        assert_eq!(told(Kind::UnrepeatableRead, &get, &later, ["B.java:7", "B.java:9"]), None);
        let unknown = End { location: String::new(), ..get.clone() };
        assert_eq!(told(Kind::UnrepeatableRead, &unknown, &unknown, ["", ""]), None);
    }
}
