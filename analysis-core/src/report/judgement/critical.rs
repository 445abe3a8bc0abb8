//! What to do about a block that gives up what it holds, a lock or a permit, and takes it again: keep it, if that is possible.

use crate::report::model::call::{Call, EXCLUSIVE, Hand, SHARED};
use crate::report::model::witness::End;

/// True if the first end gives up what the last one takes again, in a finding that is a stale check-then-act across critical sections.
pub(super) fn is_between_sections(first: &End, last: &End) -> bool {
    lock_of(first, "release ").is_some_and(|lock| lock_of(last, "acquire ") == Some(lock))
        || both(first, last, Call::is_of_shared_lock)
        || is_one_semaphore(first, last)
}

/// How to keep it between two places, in such a finding.
pub(super) fn keep([first, last]: [&End; 2], [start, end]: [&str; 2]) -> Option<String> {
    if let Some(lock) = lock_of(first, "release ").filter(|lock| lock_of(last, "acquire ") == Some(lock)) {
        let waits = |end: &End| end.call.as_ref().is_some_and(Call::is_wait);
        return Some(match (waits(first), waits(last)) {
            (false, false) => format!("keep {lock} from {start} to {end}"),
            (true, _) => given_up(lock, start),
            (false, true) => given_up(lock, end),
        });
    }
    if is_one_semaphore(first, last) {
        return Some(format!("keep the permit from {start} to {end}"));
    }
    both(first, last, Call::is_of_shared_lock).then(|| {
        let holds = [first, last].map(|end| is_held(end, EXCLUSIVE));
        let is_stamped = last.call.as_ref().is_some_and(|call| call.is_of("StampedLock"));
        let again = if is_stamped {
            " with its stamp, and do not lock again in between: a StampedLock waits for itself"
        } else {
            ""
        };
        match holds {
            [false, true] => {
                let upgrade = if is_stamped { "" } else { ": who has the read lock waits for the write lock forever" };
                format!("take the write lock at {start} already, and keep it to {end}{again}{upgrade}")
            }
            [true, _] => format!("keep the write lock from {start} to {end}{again}"),
            [false, false] => format!("keep the read lock from {start} to {end}{again}"),
        }
    })
}

/// How to hold two sections together that are under two locks.
pub(super) fn keep_both([first, last]: [&End; 2], [start, end]: [&str; 2]) -> Option<String> {
    let name = |end: &End, verb| {
        let call = end.call.as_ref().filter(|call| call.is_of_shared_lock());
        lock_of(end, verb).map(str::to_owned).or_else(|| call.map(Call::holder))
    };
    let (one, other) = (name(first, "release ")?, name(last, "acquire ")?);
    let wait = [(first, start, &one), (last, end, &other)]
        .into_iter()
        .find(|(end, _, _)| end.call.as_ref().is_some_and(Call::is_wait));
    Some(match wait {
        Some((_, place, lock)) => given_up(lock, place),
        None => format!(
            "keep the first lock ({one}, {start}) until the second ({other}) is taken at {end}, and let every method that \
             needs both take them in this order, or two threads can wait for each other forever"
        ),
    })
}

/// A wait gives up the lock, however long the method would keep it.
fn given_up(lock: &str, place: &str) -> String {
    format!(
        "no lock can help, because the wait at {place} gives {lock} up: end the method before the wait or begin it after, and check again \
         after the wait what was seen before it"
    )
}

/// The lock that an event gives up or takes, without the call that does so.
fn lock_of<'a>(end: &'a End, verb: &str) -> Option<&'a str> {
    let lock = end.access.strip_prefix(verb).filter(|lock| !lock.starts_with("of "))?;
    let by = end.call.as_ref().map(|call| format!(" by {}", call.method));
    Some(by.and_then(|by| lock.strip_suffix(by.as_str())).unwrap_or(lock))
}

/// True if both are calls of this sort. By the kind of the finding they are on one object.
fn both(first: &End, last: &End, is: impl Fn(&Call) -> bool) -> bool {
    [first, last].iter().all(|end| end.call.as_ref().is_some_and(&is))
}

/// True if a permit of one semaphore is given back and acquired again. With two semaphores the permits are signals.
fn is_one_semaphore(first: &End, last: &End) -> bool {
    let field = |end: &End| {
        end.call.as_ref().filter(|call| call.hand == Some(Hand::Permits)).and_then(|call| call.field.clone())
    };
    field(first).is_some_and(|semaphore| field(last) == Some(semaphore))
}

/// True if a lock that readers share is held in this way.
fn is_held(end: &End, how: &str) -> bool {
    debug_assert!([SHARED, EXCLUSIVE].contains(&how));
    end.access.contains(&format!(", {how}, "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Op, VarId};
    use crate::report::model::call::tests::call;

    fn end(access: &str, call: Option<Call>) -> End {
        let hand = call.as_ref().and_then(Call::handed);
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

    fn advice(first: End, last: End) -> Option<String> {
        keep([&first, &last], ["A", "B"])
    }

    #[test]
    fn a_lock_that_is_released_and_acquired_is_kept() {
        let told = advice(end("release a.Lock", None), end("acquire a.Lock", None));
        assert_eq!(told.as_deref(), Some("keep a.Lock from A to B"));
        assert_eq!(advice(end("release a.Lock", None), end("acquire a.Other", None)), None);
    }

    #[test]
    fn a_lock_that_a_wait_gives_up_cannot_be_kept() {
        for (class, method) in [("Condition", "await"), ("Object", "wait")] {
            let wait = || Some(call(class, method, None));
            let (out, back) = (format!("release a.Lock by {method}"), format!("acquire a.Lock by {method}"));
            let told = advice(end(&out, wait()), end(&back, wait())).unwrap_or_default();
            assert!(told.starts_with("no lock can help, because the wait at A gives a.Lock up"), "{told}");
            // The lock was given up before, by the end of a critical section, and then again.
            let told = advice(end("release a.Lock", None), end(&back, wait())).unwrap_or_default();
            assert!(told.starts_with("no lock can help, because the wait at B"), "{told}");
        }
    }

    #[test]
    fn a_lock_that_readers_share_is_kept_in_the_way_that_both_need() {
        let (read, write) = (Op::Read(VarId(1)), Op::Write(VarId(1)));
        let held = |class: &str, op: Op| {
            let call = call(class, "lock", None);
            end(&call.access(op), Some(call))
        };
        let told = |class: &str, out, back| advice(held(class, out), held(class, back)).unwrap_or_default();
        assert_eq!(told("ReentrantReadWriteLock", read, read), "keep the read lock from A to B");
        assert_eq!(told("ReentrantReadWriteLock", write, read), "keep the write lock from A to B");
        let upgrade = told("ReentrantReadWriteLock", read, write);
        assert!(
            upgrade.starts_with("take the write lock at A already, and keep it to B: who has the read lock"),
            "{upgrade}"
        );
        let stamped = told("StampedLock", read, write);
        assert!(stamped.starts_with("take the write lock at A already, and keep it to B with its stamp"), "{stamped}");
    }

    #[test]
    fn of_two_locks_the_first_is_kept_until_the_second_is_taken() {
        let told = |first: &End, last: &End| keep_both([first, last], ["A", "B"]);
        let (out, back) = (end("release a.Left", None), end("acquire a.Right", None));
        let said = told(&out, &back).unwrap_or_default();
        assert!(said.starts_with("keep the first lock (a.Left, A) until the second (a.Right) is taken at B"), "{said}");
        let shared = call("ReentrantReadWriteLock", "lock", None);
        let shared = end(&shared.access(Op::Read(VarId(1))), Some(shared));
        let said = told(&out, &shared).unwrap_or_default();
        assert!(said.contains("until the second (ReentrantReadWriteLock (field Cache.map)) is taken at B"), "{said}");
        let wait = end("release a.Left by wait", Some(call("Object", "wait", None)));
        let said = told(&wait, &back).unwrap_or_default();
        assert!(said.starts_with("no lock can help, because the wait at A gives a.Left up"), "{said}");
        assert_eq!(told(&end("write x", None), &back), None);
    }

    #[test]
    fn the_permit_of_one_semaphore_is_kept_and_those_of_two_are_signals() {
        let of = |method, field: &str| {
            let call = call("Semaphore", method, None).handing(Hand::Permits);
            end("write permits", Some(Call { field: Some(field.to_owned()), ..call }))
        };
        let told = advice(of("release", "a.B.guard"), of("acquire", "a.B.guard"));
        assert_eq!(told.as_deref(), Some("keep the permit from A to B"));
        assert_eq!(advice(of("release", "a.B.start"), of("acquire", "a.B.end")), None);
    }
}
