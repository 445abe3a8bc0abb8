//! What would have been atomic in the place of two calls on one object of the platform's library.

use crate::report::model::call::{Call, last_segments};
use crate::report::model::witness::End;

/// Two calls, and what does both in one step: a part of the name of their class, what is called first and last (any other
/// write where nothing is named), and the advice.
struct OneStep {
    class: &'static str,
    first: &'static [&'static str],
    last: &'static [&'static str],
    how: &'static str,
}

const fn row(
    class: &'static str,
    first: &'static [&'static str],
    last: &'static [&'static str],
    how: &'static str,
) -> OneStep {
    OneStep { class, first, last, how }
}

const GETS: &[&str] = &["get", "getOrDefault", "getProperty"];
const LOOKUPS: &[&str] = &["get", "getOrDefault", "getProperty", "containsKey"];
const PUTS: &[&str] = &["put", "setProperty"];
const LOADS: &[&str] =
    &["get", "getAcquire", "getOpaque", "getPlain", "getVolatile", "getReference", "getStamp", "isMarked"];
const STORES: &[&str] = &["set", "lazySet", "setRelease", "setOpaque", "setPlain", "setVolatile"];
const SIZES: &[&str] = &["isEmpty", "size"];
const TAKES: &[&str] = &["poll", "pollFirst", "remove", "removeFirst", "pop"];
const LAST_TAKES: &[&str] = &["pollLast", "removeLast"];

/// The first that fits counts.
const IN_ONE_STEP: [OneStep; 28] = [
    row("Map", &["containsKey"], PUTS, "putIfAbsent or computeIfAbsent"),
    row("Map", GETS, PUTS, "computeIfAbsent, merge, compute or replace(key, old, new)"),
    row("Map", LOOKUPS, &["remove"], "remove(key, value) or computeIfPresent"),
    row("Map", LOOKUPS, &["replace", "computeIfPresent"], "replace(key, old, new) or computeIfPresent"),
    row("Map", &["containsKey"], GETS, "getOrDefault, or get and a test for null,"),
    row("Hashtable", &["containsKey"], PUTS, "putIfAbsent or computeIfAbsent"),
    row("Hashtable", GETS, PUTS, "computeIfAbsent, merge, compute or replace(key, old, new)"),
    row("Hashtable", LOOKUPS, &["remove"], "remove(key, value) or computeIfPresent"),
    row("Properties", LOOKUPS, PUTS, "putIfAbsent, computeIfAbsent, merge or compute"),
    row("CopyOnWriteArrayList", &["contains", "indexOf"], &["add"], "addIfAbsent"),
    row("Set", &["contains"], &["add"], "add, which returns false if it was there,"),
    row("Set", &["contains"], &["remove"], "remove, which returns false if it was not there,"),
    row("Deque", SIZES, TAKES, "pollFirst, which returns null if there is nothing,"),
    row("Deque", SIZES, LAST_TAKES, "pollLast, which returns null if there is nothing,"),
    row("PriorityQueue", SIZES, TAKES, "poll, which returns null if there is nothing,"),
    row(
        "AtomicMarkableReference",
        &["getReference", "isMarked"],
        &["getReference", "isMarked"],
        "get with an array for the mark",
    ),
    row(
        "AtomicStampedReference",
        &["getReference", "getStamp"],
        &["getReference", "getStamp"],
        "get with an array for the stamp",
    ),
    row("AtomicMarkableReference", LOADS, STORES, "a loop around compareAndSet"),
    row("AtomicStampedReference", LOADS, STORES, "a loop around compareAndSet"),
    row("AtomicBoolean", LOADS, STORES, "getAndSet or compareAndSet"),
    row("AtomicReference", LOADS, STORES, "updateAndGet, getAndSet or compareAndSet"),
    row("Atomic", LOADS, STORES, "addAndGet, updateAndGet, getAndSet or compareAndSet"),
    row("VarHandle", LOADS, STORES, "getAndAdd, getAndSet or compareAndSet"),
    row("VarHandle", LOADS, &[], "a loop around compareAndSet"),
    row("AtomicBoolean", LOADS, &[], "compareAndSet"),
    row("Atomic", LOADS, &[], "updateAndGet, or a loop around compareAndSet,"),
    row("Adder", &["sum", "longValue", "doubleValue"], &["reset"], "sumThenReset"),
    row("Accumulator", &["get", "longValue", "doubleValue"], &["reset"], "getThenReset"),
];

/// Collections that are not made for threads, and what is.
const PLAIN: [(&[&str], &str); 6] = [
    (&["HashMap", "LinkedHashMap", "WeakHashMap", "IdentityHashMap", "EnumMap"], "a ConcurrentHashMap"),
    (&["TreeMap"], "a ConcurrentSkipListMap"),
    (&["HashSet", "LinkedHashSet"], "ConcurrentHashMap.newKeySet()"),
    (&["TreeSet"], "a ConcurrentSkipListSet"),
    (&["ArrayDeque", "LinkedList"], "a ConcurrentLinkedDeque"),
    (&["PriorityQueue"], "a PriorityBlockingQueue"),
];

/// Collections whose methods take the lock of the object: by the beginning of their names.
const LOCKING: [&str; 5] = ["Vector", "Stack", "Hashtable", "Properties", "Collections$Synchronized"];

/// What does both in one step, if these are calls that are known.
pub(super) fn in_one_step(first: &End, last: &End) -> Option<String> {
    let writes = last.access.starts_with("write ");
    let (first, last) = (first.call.as_ref()?, last.call.as_ref()?);
    let fits = |step: &&OneStep| {
        let is_last = if step.last.is_empty() { writes } else { step.last.contains(&last.method.as_str()) };
        first.is_of(step.class) && last.is_of(step.class) && step.first.contains(&first.method.as_str()) && is_last
    };
    let how = IN_ONE_STEP.iter().find(fits)?.how;
    let instead = PLAIN.iter().find(|(plain, _)| plain.contains(&last.class.as_str()));
    Some(instead.map_or(how.to_owned(), |(_, instead)| format!("{how} of {instead} in place of {}", last.class)))
}

/// The lock that all calls of the object take by themselves, so that only the two calls have to be put under it.
pub(super) fn own_lock(calls: [Option<&Call>; 4]) -> Option<String> {
    let call = calls[0]?;
    let is_same = calls.iter().all(|other| other.is_some_and(|other| other.class == call.class));
    let name = call.field.as_deref().map_or("the object", |field| last_segments(field, 1));
    let takes = is_same && LOCKING.iter().any(|locking| call.class.starts_with(locking));
    takes.then(|| format!("the lock that the methods of {} take, synchronized ({name}),", call.class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::call::tests::call;

    fn end(access: &str, call: Call) -> End {
        let (thread, location) = ("T".to_owned(), String::new());
        End { event: None, thread, method: None, location, access: access.to_owned(), call: Some(call) }
    }

    /// The advice for two calls on an object of this class.
    fn advised(class: &str, first: &str, last: &str) -> Option<String> {
        in_one_step(&end("read x", call(class, first, None)), &end("write x", call(class, last, None)))
    }

    #[test]
    fn two_calls_that_one_would_do_are_named() {
        let expected = [
            ("ConcurrentHashMap", "containsKey", "put", "putIfAbsent or computeIfAbsent"),
            ("ConcurrentHashMap", "get", "put", "computeIfAbsent, merge, compute or replace(key, old, new)"),
            ("Collections$SynchronizedMap", "get", "remove", "remove(key, value) or computeIfPresent"),
            ("Hashtable", "containsKey", "put", "putIfAbsent or computeIfAbsent"),
            (
                "HashMap",
                "containsKey",
                "put",
                "putIfAbsent or computeIfAbsent of a ConcurrentHashMap in place of HashMap",
            ),
            ("CopyOnWriteArrayList", "contains", "add", "addIfAbsent"),
            (
                "TreeSet",
                "contains",
                "add",
                "add, which returns false if it was there, of a ConcurrentSkipListSet in place of TreeSet",
            ),
            ("AtomicInteger", "get", "set", "addAndGet, updateAndGet, getAndSet or compareAndSet"),
            ("AtomicBoolean", "get", "set", "getAndSet or compareAndSet"),
            ("AtomicReferenceArray", "get", "set", "updateAndGet, getAndSet or compareAndSet"),
            ("AtomicLongFieldUpdater", "get", "incrementAndGet", "updateAndGet, or a loop around compareAndSet,"),
            ("VarHandle", "getVolatile", "setVolatile", "getAndAdd, getAndSet or compareAndSet"),
            ("LongAdder", "sum", "reset", "sumThenReset"),
        ];
        for (class, first, last, how) in expected {
            assert_eq!(advised(class, first, last).as_deref(), Some(how), "{class}.{first} and {last}");
        }
        for (class, first, last) in
            [("ArrayList", "contains", "add"), ("HashMap", "size", "put"), ("Registry", "get", "put")]
        {
            assert_eq!(advised(class, first, last), None, "{class}.{first} and {last}");
        }
    }

    #[test]
    fn two_reads_of_an_atomic_variable_have_no_advice_that_writes() {
        let get = || end("read x", call("AtomicInteger", "get", None));
        assert_eq!(in_one_step(&get(), &get()), None);
        let both = |method| end("read x", call("AtomicStampedReference", method, None));
        let how = in_one_step(&both("getReference"), &both("getStamp"));
        assert_eq!(how.as_deref(), Some("get with an array for the stamp"));
    }

    #[test]
    fn the_lock_of_an_object_is_named_if_all_that_conflict_take_it() {
        let (next, add) = (call("Vector", "next", None), call("Vector", "add", None));
        let all = own_lock([Some(&next), Some(&add), Some(&add), Some(&next)]);
        assert_eq!(all.as_deref(), Some("the lock that the methods of Vector take, synchronized (map),"));
        assert_eq!(own_lock([Some(&next), Some(&add), None, Some(&next)]), None);
        let plain = call("ArrayList", "next", None);
        assert_eq!(own_lock([Some(&plain); 4]), None);
    }
}
