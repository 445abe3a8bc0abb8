//! What to do about a block that receives what another thread hands over: one lock around both would make each wait for the
//! other.

use crate::report::model::call::Hand;
use crate::report::model::witness::End;

/// What helps if the block returns with something that another thread has handed over, or has joined that thread.
pub(super) fn outside([first, last]: [&End; 2], [start, end]: [&str; 2]) -> Option<String> {
    if last.access.starts_with("join ") {
        // A lock held here that the awaited thread needs would be a deadlock.
        return Some(format!("wait for the thread outside of it, not {}; no lock can help", where_it_is(end)));
    }
    let (what, how) = match last.hand? {
        Hand::Task => ("a task", "leave the task to a method of its own"),
        Hand::Result if gives_work(first) => (
            "the result",
            "call what the task does in its place, or return the future and get the result outside of the method",
        ),
        Hand::Result => ("the result", "return the future, and get the result outside of the method"),
        Hand::Count => ("the opening of the latch", "await the latch outside of the method"),
        Hand::Permits => ("a permit", "acquire it outside of the method"),
        Hand::Barrier => ("the end of the barrier", "end the method at the barrier, and begin another one behind it"),
        Hand::Phase => ("the end of the phase", "end the method with the phase, and begin another one behind it"),
        Hand::Workers => ("the end of the executor", "await it outside of the method"),
        Hand::Element => {
            ("the element", "take it outside of the method, and leave what comes before to one of its own")
        }
        Hand::Interruption => ("the interruption", "look at it outside of the method"),
        Hand::Initializer => ("the initialized class", "use the class once before, so that it is initialized outside"),
        Hand::Loader => ("the loaded class", "use the class once before, so that it is loaded outside"),
        Hand::Pending => ("the completion", "join the task outside of the method"),
        // Neither the thread that registers it nor the one that completes the future waits for the other.
        Hand::Dependent => return None,
    };
    let after = if start.is_empty() { " then".to_owned() } else { format!(" after {start}") };
    Some(format!("no lock can help, because {what} that it gets {} comes only{after}: {how}", where_it_is(end)))
}

/// True if another thread runs what is given away at this end.
pub(super) fn gives_work(end: &End) -> bool {
    end.hand == Some(Hand::Task) || end.access.starts_with("fork ")
}

fn where_it_is(place: &str) -> String {
    if place.is_empty() { "there".to_owned() } else { format!("at {place}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::call::Call;
    use crate::report::model::call::tests::call;

    fn end(access: &str, call: Option<Call>, hand: Option<Hand>) -> End {
        let access = access.to_owned();
        End {
            event: None,
            thread: "T".to_owned(),
            method: None,
            location: String::new(),
            access,
            locks: None,
            call,
            hand,
        }
    }

    #[test]
    fn what_another_thread_hands_over_is_to_be_had_outside() {
        let of = |hand| end("read x", Some(call("Future", "get", None)), Some(hand));
        let told = |first: &End, hand| outside([first, &of(hand)], ["A", "B"]).unwrap_or_default();
        let submit = of(Hand::Task);
        let expected = [
            (
                Hand::Result,
                "the result that it gets at B comes only after A: call what the task does in its place, or return the future",
            ),
            (
                Hand::Count,
                "the opening of the latch that it gets at B comes only after A: await the latch outside of the method",
            ),
            (Hand::Permits, "a permit that it gets at B comes only after A: acquire it outside of the method"),
            (
                Hand::Initializer,
                "the initialized class that it gets at B comes only after A: use the class once before",
            ),
            (Hand::Loader, "the loaded class that it gets at B comes only after A: use the class once before"),
            (Hand::Element, "the element that it gets at B comes only after A: take it outside of the method"),
            (
                Hand::Barrier,
                "the end of the barrier that it gets at B comes only after A: end the method at the barrier",
            ),
        ];
        for (hand, words) in expected {
            let told = told(&submit, hand);
            assert!(told.starts_with(&format!("no lock can help, because {words}")), "{told}");
        }
        let complete = of(Hand::Result);
        assert!(
            told(&complete, Hand::Result).ends_with(": return the future, and get the result outside of the method")
        );
    }

    #[test]
    fn other_events_can_be_put_under_a_lock() {
        let write = end("write Cache.size", None, None);
        assert_eq!(outside([&write, &write], ["A", "B"]), None);
        let registered = end("read x", Some(call("CompletableFuture", "complete", None)), Some(Hand::Dependent));
        assert_eq!(outside([&write, &registered], ["A", "B"]), None);
    }

    #[test]
    fn a_thread_is_joined_outside() {
        let (fork, join) = (end("fork T", None, None), end("join T", None, None));
        let told = outside([&fork, &join], ["A", "B"]);
        assert_eq!(told.as_deref(), Some("wait for the thread outside of it, not at B; no lock can help"));
    }
}
