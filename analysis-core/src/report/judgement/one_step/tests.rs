//! Rows of the table, and the advice for two calls.

use super::*;
use crate::report::model::call::tests::call;

fn end(access: &str, call: Call) -> End {
    let (thread, location) = ("T".to_owned(), String::new());
    End {
        event: None,
        thread,
        method: None,
        location,
        access: access.to_owned(),
        locks: None,
        call: Some(call),
        hand: None,
    }
}

/// The advice for two calls on one object, between places `A` and `B`.
fn told(kind: Kind, first: Call, last: Call) -> Option<String> {
    in_one_step(kind, [&end("read x", first), &end("write x", last)], ["A", "B"])
}

/// The same for an object of this class.
fn advised_for(class: &str, first: &str, last: &str) -> Option<String> {
    told(Kind::UnrepeatableRead, call(class, first, None), call(class, last, None))
}

/// What is added for calls whose keys are not known.
fn condition(class: &str, first: &str, last: &str) -> &'static str {
    let is_keyed = |method| table::KEYED.contains(&method);
    match is_keyed(first) && is_keyed(last) && !class.starts_with("Atomic") {
        true if MAPS.contains(&class) => ", if both have the same key",
        true => ", if both have the same element",
        false => "",
    }
}

#[test]
fn advice_that_rests_on_what_calls_do_not_show_says_so() {
    for (class, first, last, advice) in [
        (
            "PriorityBlockingQueue",
            "size",
            "poll",
            "poll alone, which returns null if there is nothing, does in one step what A and B do, if the size is compared with 0",
        ),
        (
            "ArrayBlockingQueue",
            "size",
            "offer",
            "offer alone, which returns false if there is no room, does in one step what A and B do, if the size is compared with the capacity",
        ),
        (
            "ConcurrentSkipListSet",
            "size",
            "pollLast",
            "pollLast alone, which returns null if there is nothing, does in one step what A and B do, if the size is compared with 0",
        ),
        // This call takes nothing out.
        (
            "ConcurrentSkipListSet",
            "isEmpty",
            "first",
            "first alone, which throws NoSuchElementException if there is nothing, does in one step what A and B do",
        ),
        (
            "Vector",
            "contains",
            "remove",
            "remove alone, that of an element, which returns false if it was not there, does in one step what A and B do, if both have the same element",
        ),
    ] {
        assert_eq!(advised_for(class, first, last).as_deref(), Some(advice), "{class}.{first} and {last}");
    }
    // It is not known what is taken out there.
    for (class, first, last) in [
        ("ConcurrentSkipListSet", "isEmpty", "remove"),
        ("ConcurrentSkipListMap", "size", "remove"),
        // A count is meant to be seen until it is taken back.
        ("AtomicInteger", "incrementAndGet", "decrementAndGet"),
        // The first answer does not determine the second one.
        ("Vector", "isEmpty", "size"),
    ] {
        assert_eq!(advised_for(class, first, last), None, "{class}.{first} and {last}");
    }
    let put = |method| call("ConcurrentHashMap", method, Some("key 1"));
    let known = told(Kind::StaleCollectionCheck, put("containsKey"), put("put")).unwrap_or_default();
    assert!(known.ends_with("what A and B do"), "{known}");
}

#[test]
fn two_calls_that_one_would_do_are_named() {
    let by_key = "putIfAbsent or computeIfAbsent (for a key that is there: replace or computeIfPresent)";
    let expected = [
        ("ConcurrentHashMap", "containsKey", "put", by_key),
        ("ConcurrentHashMap", "get", "put", "computeIfAbsent, merge, compute or replace(key, old, new)"),
        ("Collections$SynchronizedMap", "get", "remove", "computeIfPresent or remove alone, by what it returns,"),
        ("Hashtable", "containsKey", "put", by_key),
        ("Properties", "getProperty", "setProperty", "computeIfAbsent, merge, compute or replace(key, old, new)"),
        ("CopyOnWriteArrayList", "contains", "add", "addIfAbsent"),
        (
            "TreeSet",
            "contains",
            "add",
            "add alone, which returns false if it was there, of a ConcurrentSkipListSet in place of TreeSet",
        ),
        ("AtomicInteger", "get", "set", "addAndGet, updateAndGet, getAndSet or compareAndSet"),
        ("AtomicBoolean", "get", "set", "getAndSet or compareAndSet"),
        ("AtomicReferenceArray", "get", "set", "updateAndGet, getAndSet or compareAndSet"),
        ("AtomicLongFieldUpdater", "get", "incrementAndGet", "updateAndGet with a function that decides"),
        ("AtomicInteger", "incrementAndGet", "getAndAdd", "addAndGet or updateAndGet with the sum"),
        ("AtomicLong", "decrementAndGet", "getAndDecrement", "addAndGet or updateAndGet with the sum"),
        ("LongAdder", "sum", "reset", "sumThenReset"),
        ("ConcurrentSkipListMap", "firstKey", "get", "firstEntry"),
        ("ConcurrentSkipListMap", "firstKey", "remove", "pollFirstEntry, which returns null if there is nothing,"),
        ("ConcurrentSkipListSet", "first", "remove", "pollFirst, which returns null if there is nothing,"),
        ("ConcurrentLinkedDeque", "isEmpty", "removeLast", "pollLast, which returns null if there is nothing,"),
        ("LinkedBlockingQueue", "isEmpty", "remove", "poll, which returns null if there is nothing,"),
        ("ArrayBlockingQueue", "remainingCapacity", "add", "offer, which returns false if there is no room,"),
        ("AtomicStampedReference", "getReference", "getStamp", "get with an array for the stamp"),
        ("Unsafe", "getObject", "putObject", "getAndSetObject or compareAndSwapObject"),
        (
            "HashMap",
            "containsKey",
            "put",
            "putIfAbsent or computeIfAbsent (for a key that is there: replace or computeIfPresent) of a \
             ConcurrentHashMap in place of HashMap",
        ),
    ];
    for (class, first, last, how) in expected {
        let expected = format!("{how} does in one step what A and B do{}", condition(class, first, last));
        assert_eq!(advised_for(class, first, last), Some(expected), "{class}.{first} and {last}");
    }
}

#[test]
fn a_second_call_that_looks_itself_is_enough() {
    let expected = [
        ("ConcurrentHashMap", "get", "computeIfAbsent", "computeIfAbsent alone, which looks at the key itself,"),
        ("ConcurrentHashMap", "containsKey", "remove", "remove alone, which does nothing if the key is not there,"),
        ("ConcurrentHashMap", "containsKey", "get", "get alone, which returns null if the key is not there,"),
        ("ConcurrentLinkedQueue", "isEmpty", "poll", "poll alone, which returns null if there is nothing,"),
        ("LinkedBlockingQueue", "peek", "poll", "poll alone, by what it returns,"),
        ("ArrayBlockingQueue", "remainingCapacity", "offer", "offer alone, which returns false if there is no room,"),
        ("ConcurrentSkipListSet", "first", "pollFirst", "pollFirst alone, which returns null if there is nothing,"),
        ("CopyOnWriteArrayList", "contains", "addIfAbsent", "addIfAbsent alone"),
        ("AtomicBoolean", "get", "compareAndSet", "compareAndSet alone, by what it returns,"),
        ("AtomicInteger", "get", "getAndSet", "getAndSet alone, by what was there before it,"),
        (
            "RegularEnumSet",
            "contains",
            "add",
            "add alone, which returns false if it was there, of a Collections.synchronizedSet(..) around the EnumSet",
        ),
    ];
    for (class, first, last, how) in expected {
        let by = if how.contains("looks at the key itself") {
            format!("; go by what it returns, not by what {first} found")
        } else {
            String::new()
        };
        let expected = format!("{how} does in one step what A and B do{}{by}", condition(class, first, last));
        assert_eq!(advised_for(class, first, last), Some(expected), "{class}.{first} and {last}");
    }
}

#[test]
fn a_question_that_was_answered_need_not_be_asked_again() {
    let update = call("AtomicInteger", "incrementAndGet", None);
    let get = || call("AtomicInteger", "get", None);
    let first = told(Kind::OverwrittenWrite, update, get());
    assert_eq!(first.as_deref(), Some("use what incrementAndGet returned at A, without the call at B"));
    let again = Some("keep what get returned at A, without the call at B".to_owned());
    assert_eq!(told(Kind::UnrepeatableRead, get(), get()), again);
    let key = |class| call(class, "get", (class == "ConcurrentHashMap").then_some("key 1"));
    assert_eq!(told(Kind::UnrepeatableRead, key("ConcurrentHashMap"), key("ConcurrentHashMap")), again);
    // These can be two keys.
    assert_eq!(told(Kind::UnrepeatableRead, key("HashMap"), key("HashMap")), None);
}

#[test]
fn what_a_class_has_not_is_not_advised() {
    for (class, first, last) in [
        ("ArrayList", "contains", "add"),
        ("HashMap", "size", "put"),
        ("Registry", "get", "put"),
        ("AtomicMarkableReference", "getReference", "attemptMark"),
        ("VarHandle", "getVolatile", "compareAndSet"),
        ("Collections$SynchronizedSortedSet", "first", "remove"),
        ("ArrayBlockingQueue", "isEmpty", "pollLast"),
    ] {
        assert_eq!(advised_for(class, first, last), None, "{class}.{first} and {last}");
    }
    let handle = |is_number| {
        let of = |method| Call { is_number, ..call("VarHandle", method, None) };
        told(Kind::LostSet, of("getVolatile"), of("setVolatile")).unwrap_or_default()
    };
    assert!(handle(true).starts_with("getAndAdd, getAndSet or compareAndSet does"), "{}", handle(true));
    assert!(handle(false).starts_with("getAndSet or compareAndSet does"), "{}", handle(false));
    let reference = advised_for("AtomicMarkableReference", "getReference", "set").unwrap_or_default();
    assert!(reference.starts_with("compareAndSet does"), "{reference}");
}

#[test]
fn calls_on_two_objects_or_two_keys_have_no_step_in_common() {
    let of = |method, part| call("ConcurrentHashMap", method, part);
    let (get, put) = (of("get", Some("key 1")), of("put", Some("key 2")));
    assert_eq!(told(Kind::StaleCollectionCheck, get.clone(), put), None);
    let other = Call { receiver: Some(8), field: None, ..of("put", Some("key 1")) };
    assert_eq!(told(Kind::InconsistentView, get, other), None);
}

#[test]
fn the_keys_of_a_map_have_the_methods_of_a_set() {
    let of = |method| Call { owner: "Set".to_owned(), ..call("ConcurrentHashMap", method, Some("key 1")) };
    let remove = told(Kind::StaleCollectionCheck, of("contains"), of("remove")).unwrap_or_default();
    assert!(remove.starts_with("remove alone, which returns false if it was not there, does"), "{remove}");
}

#[test]
fn every_row_can_be_reached() {
    for (at, row) in TABLE.iter().enumerate() {
        let is_reached = row.classes.iter().copied().flatten().any(|class| {
            let number = *class == NUMBER_HANDLE;
            let class = if number { "VarHandle" } else { class };
            let of = |method: &str| Call { is_number: number, ..call(class, method, None) };
            let fits = |first: &&str, last: &&str| {
                row_of(&of(first), &of(last)).is_some_and(|(_, found)| std::ptr::eq(found, row))
            };
            row.first.iter().any(|first| row.last.iter().any(|last| fits(first, last)))
        });
        let is_of_views = row.classes.iter().any(|classes| std::ptr::eq(*classes, VIEWS));
        assert!(is_reached || is_of_views, "row {at}: {:?} and {:?}", row.first, row.last);
    }
}

#[test]
fn the_lock_of_an_object_is_named_if_all_that_conflict_take_it() {
    let (next, add) = (call("Vector", "next", None), call("Vector", "add", None));
    let all = own_lock([Some(&next), Some(&add), Some(&add), Some(&next)]);
    let part =
        "the lock that the methods of Vector take, synchronized (map, or the whole list if that is a part of one),";
    assert_eq!(all.as_deref(), Some(part));
    let sorted = call("Collections$SynchronizedNavigableMap", "get", None);
    let part = own_lock([Some(&sorted); 4]).unwrap_or_default();
    assert!(part.ends_with("synchronized (map, or the whole map if that is a part of one),"), "{part}");
    assert_eq!(own_lock([Some(&next), Some(&add), None, Some(&next)]), None);
    let keys = Call { owner: "Set".to_owned(), ..call("Collections$SynchronizedMap", "contains", None) };
    let view = own_lock([Some(&keys); 4]).unwrap_or_default();
    assert!(view.ends_with("Collections$SynchronizedMap take, synchronized (the map, not map),"), "{view}");
    let plain = call("ArrayList", "next", None);
    assert_eq!(own_lock([Some(&plain); 4]), None);
}
