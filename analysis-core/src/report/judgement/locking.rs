//! Whether conflicting accesses are under locks: a program hardly means to take a lock for one of them and not for the other.

use crate::report::model::finding::Locking;
use crate::report::model::witness::{End, Witness};

impl Locking {
    /// The locking of a witness.
    pub(super) fn of(witness: &Witness) -> Locking {
        let mut ends = witness.edges.iter().flat_map(|edge| [&edge.from, &edge.to]).peekable();
        let is_free = |end: &End| !is_of_lock(end) && end.locks.as_ref().is_some_and(Vec::is_empty);
        match partly(witness) {
            Some(_) => Locking::Partly,
            None if ends.peek().is_some() && ends.all(is_free) => Locking::Nowhere,
            None => Locking::Other,
        }
    }
}

/// Two conflicting accesses that have no lock in common, though the first of them has one.
fn partly(witness: &Witness) -> Option<[&End; 2]> {
    // In a run it is known only for the later event of an edge whether it is under a lock. Those of the first and the last edge are of two
    // threads.
    let later = witness.edges.first().zip(witness.edges.last()).map(|(out, back)| (&out.to, &back.to));
    let later = later.filter(|(from, to)| conflict(from, to));
    witness.edges.iter().map(|edge| (&edge.from, &edge.to)).chain(later).find_map(|(from, to)| {
        let (first, last) = (from.locks.as_ref()?, to.locks.as_ref()?);
        let has_common = first.iter().any(|lock| last.contains(lock));
        if has_common || [from, to].into_iter().any(|end| is_of_lock(end) || is_atomic(end) || !is_access(end)) {
            return None;
        }
        match (first.is_empty(), last.is_empty()) {
            (true, true) => None,
            (false, _) => Some([from, to]),
            (true, false) => Some([to, from]),
        }
    })
}

/// True for accesses of two threads to one variable, one of which is a write.
fn conflict(one: &End, other: &End) -> bool {
    let subject = |end: &'_ End| match &end.call {
        Some(call) => Some(call.subject()),
        None => end.access.split_once(' ').map(|(_, subject)| subject.to_owned()),
    };
    let writes = [one, other].iter().any(|end| end.access.starts_with("write "));
    one.thread != other.thread && is_access(one) && is_access(other) && writes && subject(one) == subject(other)
}

/// The same in words.
pub(in crate::report) fn reason(witness: &Witness) -> Option<String> {
    let ends = partly(witness)?;
    let [(one, locks), (other, others)] = ends.map(|end| (end, end.locks.as_deref().unwrap_or_default()));
    let at = |end: &End| match end.event {
        Some(event) => format!("{} (event {event})", end.thread),
        None => end.thread.clone(),
    };
    Some(match others.first() {
        None => {
            format!(
                "only one of two accesses that conflict is under a lock: {} holds {}, {} none",
                at(one),
                locks[0],
                at(other)
            )
        }
        Some(lock) => {
            format!(
                "two accesses that conflict are under different locks: {} holds {}, {} {lock}",
                at(one),
                locks[0],
                at(other)
            )
        }
    })
}

fn is_access(end: &End) -> bool {
    end.hand.is_none() && ["read ", "write "].iter().any(|verb| end.access.starts_with(verb))
}

/// True for an access to an atomic variable, which is meant to be without a lock: a lock that its thread holds is about something else.
fn is_atomic(end: &End) -> bool {
    end.call.as_ref().is_some_and(|call| call.is_of_atomic() || call.is_of("Unsafe"))
}

fn is_of_lock(end: &End) -> bool {
    let is_shared = end.call.as_ref().is_some_and(|call| call.is_of_shared_lock());
    is_shared || ["acquire ", "release "].iter().any(|verb| end.access.starts_with(verb))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::call::Call;
    use crate::report::model::data::Data;
    use crate::report::model::witness::WitnessEdge;

    fn end(thread: &str, access: &str, locks: Option<&[&str]>) -> End {
        End {
            event: Some(7),
            thread: thread.to_owned(),
            method: None,
            location: String::new(),
            access: access.to_owned(),
            locks: locks.map(|locks| locks.iter().map(|lock| (*lock).to_owned()).collect()),
            call: None,
            hand: None,
        }
    }

    fn witness(from: End, to: End) -> Witness {
        Witness {
            begin: None,
            edges: vec![WitnessEdge { from, to }],
            rows: vec![],
            ends: vec![],
            first: None,
            columns: vec![],
            delays: vec![],
            pair: None,
            data: Data::None,
        }
    }

    #[test]
    fn a_lock_beside_an_atomic_variable_is_not_missed_elsewhere() {
        let atomic = |end: End, class: &str, method: &str| End { call: Some(Call::new(class, method)), ..end };
        for [read, write, class] in [
            ["get", "set", "java.util.concurrent.atomic.AtomicInteger"],
            ["getVolatile", "setRelease", "java.lang.invoke.VarHandle"],
            ["getIntVolatile", "compareAndSwapInt", "sun.misc.Unsafe"],
        ] {
            let held = atomic(end("A", "read n", Some(&["l"])), class, read);
            let free = atomic(end("B", "write n", Some(&[])), class, write);
            assert_eq!(reason(&witness(held, free)), None, "{class}");
        }
        let held = atomic(end("A", "read m", Some(&["l"])), "java.util.concurrent.ConcurrentHashMap", "get");
        let free = atomic(end("B", "write m", Some(&[])), "java.util.concurrent.ConcurrentHashMap", "put");
        assert!(reason(&witness(held, free)).is_some());
    }

    #[test]
    fn a_lock_that_one_of_two_accesses_lacks_is_told_whichever_is_first() {
        let (held, free) = (end("A", "read x", Some(&["l"])), end("B", "write x", Some(&[])));
        for witness in [witness(held.clone(), free.clone()), witness(free, held)] {
            assert_eq!(Locking::of(&witness), Locking::Partly);
            let said = "only one of two accesses that conflict is under a lock: A (event 7) holds l, B (event 7) none";
            assert_eq!(reason(&witness).as_deref(), Some(said));
        }
        let other = end("B", "write x", Some(&["k", "m"]));
        let said = "two accesses that conflict are under different locks: A (event 7) holds l, B (event 7) k";
        assert_eq!(reason(&witness(end("A", "read x", Some(&["l"])), other)).as_deref(), Some(said));
    }

    #[test]
    fn of_a_run_the_later_events_tell_if_they_conflict() {
        let told = |theirs: &str, own: &str, locks: [Option<&[&str]>; 2]| {
            let out = WitnessEdge { from: end("A", "read x", None), to: end("B", theirs, locks[0]) };
            let back = WitnessEdge { from: end("B", theirs, None), to: end("A", own, locks[1]) };
            let witness =
                Witness { edges: vec![out, back], ..witness(end("A", "read x", None), end("B", theirs, None)) };
            (Locking::of(&witness), reason(&witness))
        };
        let (held, free) = (Some(&["a lock"][..]), Some(&[][..]));
        let said = "only one of two accesses that conflict is under a lock: B (event 7) holds a lock, A (event 7) none";
        assert_eq!(told("write x", "write x", [held, free]), (Locking::Partly, Some(said.to_owned())));
        assert_eq!(told("write x", "read x", [free, held]).0, Locking::Partly);
        for locks in [[held, held], [free, free], [None, held], [held, None]] {
            assert_eq!(told("write x", "write x", locks), (Locking::Other, None), "{locks:?}");
        }
        assert_eq!(told("write x", "write y", [held, free]).0, Locking::Other);
        assert_eq!(told("read x", "read x", [held, free]).0, Locking::Other);
        assert_eq!(told("release l", "acquire l", [held, free]).0, Locking::Other);
    }

    #[test]
    fn a_common_lock_or_an_event_of_a_lock_or_one_of_which_it_is_not_known_is_something_else() {
        let held = || end("A", "read x", Some(&["l"]));
        let others = [
            end("B", "write x", Some(&["k", "l"])),
            end("B", "write x", None),
            end("B", "release k", Some(&[])),
            end("B", "join A", Some(&[])),
        ];
        for other in others {
            let witness = witness(held(), other);
            assert_eq!((Locking::of(&witness), reason(&witness)), (Locking::Other, None), "{witness:?}");
        }
    }

    #[test]
    fn nowhere_is_a_lock_only_if_that_is_known() {
        let free = |locks| end("A", "read x", locks);
        assert_eq!(Locking::of(&witness(free(Some(&[])), free(Some(&[])))), Locking::Nowhere);
        assert_eq!(Locking::of(&witness(free(Some(&[])), free(None))), Locking::Other);
        assert_eq!(Locking::of(&witness(free(Some(&[])), end("B", "acquire l", Some(&[])))), Locking::Other);
        let without = Witness { edges: vec![], ..witness(free(None), free(None)) };
        assert_eq!(Locking::of(&without), Locking::Other);
    }
}
