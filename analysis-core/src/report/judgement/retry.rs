//! What to do about a method that looks again, and is nearly right: no lock helps a loop around a `compareAndSet`, and it needs none.

use crate::report::model::kind::Kind;
use crate::report::model::witness::End;

/// How to look again, if that is what the method does between two events of it; `start` and `end` are their places.
pub(super) fn again(kind: Kind, method: Option<&str>, ends: [&End; 2], [start, end]: [&str; 2]) -> Option<String> {
    let is_of_one = matches!(kind, Kind::LostUpdate | Kind::UnrepeatableRead | Kind::StaleAtomicCheck);
    let [first, last] = ends;
    if !is_of_one || !ends.iter().all(|end| end.is_placed()) {
        return None;
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
    // At one line of the method itself: one of two reads, or a loop.
    let is_here = first.method.as_deref() == method && last.method.as_deref() == method && method.is_some();
    (kind == Kind::UnrepeatableRead && start == end && is_here).then(|| {
        format!(
            "read once at {start} and keep the value; if it is a loop that looks again, let nothing stay of a round that \
             fails: no value or count that is used later, no write, lock or other call"
        )
    })
}

/// The method that compares and sets, if that is what the program called.
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
    fn other_methods_are_told_nothing() {
        let get = end("read x", "AtomicInteger", "get");
        let put = end("write x", "AtomicInteger", "set");
        let flag = end("write x", "AtomicBoolean", "compareAndSet");
        assert_eq!(told(Kind::StaleAtomicCheck, &get, &put, ["B.java:7", "B.java:9"]), None);
        assert_eq!(told(Kind::StaleAtomicCheck, &get, &flag, ["B.java:7", "B.java:9"]), None);
        assert_eq!(told(Kind::UnrepeatableRead, &get, &get, ["B.java:7", "B.java:9"]), None);
        // A getter that is called from two places.
        let elsewhere = End { method: Some("a.B.get()".to_owned()), ..get.clone() };
        assert_eq!(told(Kind::UnrepeatableRead, &elsewhere, &elsewhere, ["B.java:7", "B.java:7"]), None);
        let unknown = End { location: String::new(), ..get.clone() };
        assert_eq!(told(Kind::UnrepeatableRead, &unknown, &unknown, ["", ""]), None);
    }
}
