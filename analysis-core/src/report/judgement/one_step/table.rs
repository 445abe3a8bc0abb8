//! The table of advice: classes of the platform's library, two calls on one object of them, and a single step that does
//! both.
//!
//! A row is about classes that have every method that the row names, with that effect: `tests/tests/agent/told.rs` looks each of them
//! up in the JDKs. The first row that fits counts.

/// What to do instead of two calls.
#[derive(Clone, Copy)]
pub(super) enum Say {
    /// One of these methods instead of both; arguments and what precedes the name are for the reader. Then a remark, perhaps empty. If the
    /// second call is one of them, it is enough.
    Step(&'static [&'static str], &'static str),
    /// One of the first methods, or one of the second for a key that must exist.
    ByKey(&'static [&'static str], &'static [&'static str]),
    /// The second call is enough, with a remark.
    Alone(&'static str),
    /// The first call is enough, by what it returned.
    First,
    /// The first call, repeated, is one too many.
    Once,
}

/// A row: classes, what is called first and last, and what to do.
pub(super) struct Row {
    pub(super) classes: &'static [&'static [&'static str]],
    pub(super) first: &'static [&'static str],
    pub(super) last: &'static [&'static str],
    pub(super) say: Say,
}

const fn row(
    classes: &'static [&'static [&'static str]],
    first: &'static [&'static str],
    last: &'static [&'static str],
    say: Say,
) -> Row {
    Row { classes, first, last, say }
}

/// A handle whose field is known to be a number.
pub(super) const NUMBER_HANDLE: &str = "VarHandle of a number";

/// Remarks that hold for a check of the size only if the size is compared with what the remark is about.
pub(super) const NOTHING: &str = "which returns null if there is nothing";
pub(super) const NO_FIRST: &str = "which throws NoSuchElementException if there is nothing";
pub(super) const NO_ROOM: &str = "which returns false if there is no room";
/// Calls that check the size.
pub(super) const COUNTED: &[&str] = &["size", "mappingCount"];
/// Calls about a key or an element that is an argument.
pub(super) const KEYED: &[&str] = &[
    "get",
    "getOrDefault",
    "getProperty",
    "containsKey",
    "contains",
    "indexOf",
    "lastIndexOf",
    "addIfAbsent",
    "put",
    "setProperty",
    "putIfAbsent",
    "computeIfAbsent",
    "computeIfPresent",
    "compute",
    "merge",
    "replace",
    "remove",
    "add",
];

// Classes, by their names without the package. ------------------------------------------------------------------------

pub(super) const MAPS: &[&str] = &[
    "ConcurrentHashMap",
    "ConcurrentSkipListMap",
    "Hashtable",
    "Properties",
    "Collections$SynchronizedMap",
    "Collections$SynchronizedSortedMap",
    "Collections$SynchronizedNavigableMap",
    "HashMap",
    "LinkedHashMap",
    "TreeMap",
    "IdentityHashMap",
    "WeakHashMap",
    "EnumMap",
    "ConcurrentMap",
    "ConcurrentNavigableMap",
    "Map",
];
const SORTED_MAPS: &[&str] = &["ConcurrentSkipListMap", "TreeMap", "Collections$SynchronizedNavigableMap"];
const PROPERTIES: &[&str] = &["Properties"];
const SETS: &[&str] = &[
    "ConcurrentSkipListSet",
    "ConcurrentHashMap$KeySetView",
    "Collections$SetFromMap",
    "CopyOnWriteArraySet",
    "Collections$SynchronizedSet",
    "Collections$SynchronizedSortedSet",
    "Collections$SynchronizedNavigableSet",
    "HashSet",
    "LinkedHashSet",
    "TreeSet",
    "RegularEnumSet",
    "JumboEnumSet",
    "EnumSet",
];
const SORTED_SETS: &[&str] = &["ConcurrentSkipListSet", "TreeSet", "Collections$SynchronizedNavigableSet"];
/// Sets of keys of maps, their values and entries.
pub(super) const VIEWS: &[&str] = &["Set", "Collection", "SortedSet", "NavigableSet"];
const COPIED_LISTS: &[&str] = &["CopyOnWriteArrayList"];
/// Their methods take the lock of the object, or have one that does.
const LISTS: &[&str] = &[
    "CopyOnWriteArrayList",
    "Vector",
    "Stack",
    "Collections$SynchronizedList",
    "Collections$SynchronizedRandomAccessList",
    "Collections$SynchronizedCollection",
    "ArrayList",
    "LinkedList",
];
const DEQUES: &[&str] = &["ConcurrentLinkedDeque", "LinkedBlockingDeque", "ArrayDeque", "LinkedList"];
const QUEUES: &[&str] = &[
    "ConcurrentLinkedQueue",
    "ArrayBlockingQueue",
    "LinkedBlockingQueue",
    "PriorityBlockingQueue",
    "DelayQueue",
    "LinkedTransferQueue",
    "ConcurrentLinkedDeque",
    "LinkedBlockingDeque",
    "PriorityQueue",
    "ArrayDeque",
    "LinkedList",
];
const BOUNDED: &[&str] = &["ArrayBlockingQueue", "LinkedBlockingQueue", "LinkedBlockingDeque"];
const BLOCKING: &[&str] = &[
    "ArrayBlockingQueue",
    "LinkedBlockingQueue",
    "LinkedBlockingDeque",
    "PriorityBlockingQueue",
    "DelayQueue",
    "LinkedTransferQueue",
];
const NUMBERS: &[&str] = &[
    "AtomicInteger",
    "AtomicLong",
    "AtomicIntegerArray",
    "AtomicLongArray",
    "AtomicIntegerFieldUpdater",
    "AtomicLongFieldUpdater",
];
const REFERENCES: &[&str] = &["AtomicReference", "AtomicReferenceArray", "AtomicReferenceFieldUpdater"];
const BOOLEANS: &[&str] = &["AtomicBoolean"];
const MARKED: &[&str] = &["AtomicMarkableReference"];
const STAMPED: &[&str] = &["AtomicStampedReference"];
const HANDLES: &[&str] = &["VarHandle", NUMBER_HANDLE];
const NUMBER_HANDLES: &[&str] = &[NUMBER_HANDLE];
const UNSAFE: &[&str] = &["Unsafe"];
const ADDERS: &[&str] = &["LongAdder", "DoubleAdder"];
const ACCUMULATORS: &[&str] = &["LongAccumulator", "DoubleAccumulator"];

// Methods. ------------------------------------------------------------------------------------------------------------

const CONTAINS_KEY: &[&str] = &["containsKey"];
const GETS: &[&str] = &["get", "getOrDefault"];
const GET_PROPERTY: &[&str] = &["getProperty"];
const LOOKUPS: &[&str] = &["get", "getOrDefault", "containsKey"];
const PUTS: &[&str] = &["put"];
const SET_PROPERTY: &[&str] = &["setProperty", "put"];
/// Calls that check the key themselves.
pub(super) const DECIDES: &[&str] = &["putIfAbsent", "computeIfAbsent", "computeIfPresent", "compute", "merge"];
const REPLACE: &[&str] = &["replace"];
const REMOVE: &[&str] = &["remove"];
const CONTAINS: &[&str] = &["contains"];
const FINDS: &[&str] = &["contains", "indexOf", "lastIndexOf"];
const ADD: &[&str] = &["add"];
const SIZES: &[&str] = &["isEmpty", "size"];
const ENTRY_SIZES: &[&str] = &["isEmpty", "size", "mappingCount"];
const LOOKS: &[&str] = &["isEmpty", "size", "peek", "peekFirst", "getFirst", "element"];
const LAST_LOOKS: &[&str] = &["isEmpty", "size", "peekLast", "getLast"];
const TAKES: &[&str] = &["poll", "remove"];
const FIRST_TAKES: &[&str] = &["pollFirst", "removeFirst", "pop", "poll", "remove"];
const LAST_TAKES: &[&str] = &["pollLast", "removeLast"];
const LOADS: &[&str] = &["get", "getAcquire", "getOpaque", "getPlain", "getVolatile", "intValue", "longValue"];
const STORES: &[&str] = &["set", "lazySet", "setRelease", "setOpaque", "setPlain", "setVolatile"];
const TRIES: &[&str] = &[
    "compareAndSet",
    "weakCompareAndSet",
    "weakCompareAndSetPlain",
    "weakCompareAndSetVolatile",
    "weakCompareAndSetAcquire",
    "weakCompareAndSetRelease",
    "compareAndExchange",
    "compareAndExchangeAcquire",
    "compareAndExchangeRelease",
];
/// Updates that add up a number, upwards and downwards. An update that is undone has a sum of 0, and is meant to be seen in between.
const UPWARDS: &[&str] = &["incrementAndGet", "addAndGet", "getAndIncrement", "getAndAdd"];
const DOWNWARDS: &[&str] = &["decrementAndGet", "addAndGet", "getAndDecrement", "getAndAdd"];
/// Updates of a number, by what they return.
const COUNTS: &[&str] =
    &["incrementAndGet", "decrementAndGet", "addAndGet", "getAndIncrement", "getAndDecrement", "getAndAdd"];
const UPDATES: &[&str] = &["getAndSet", "getAndUpdate", "updateAndGet", "getAndAccumulate", "accumulateAndGet"];
/// Calls of atomic variables that return the value after them, or the one before.
const RETURNING: &[&str] = &[
    "incrementAndGet",
    "decrementAndGet",
    "addAndGet",
    "getAndIncrement",
    "getAndDecrement",
    "getAndAdd",
    "getAndSet",
    "getAndUpdate",
    "updateAndGet",
    "getAndAccumulate",
    "accumulateAndGet",
];
const PARTS_OF_MARKED: &[&str] = &["getReference", "isMarked"];
const PARTS_OF_STAMPED: &[&str] = &["getReference", "getStamp"];

/// How to make atomic what two calls do. The first row that fits counts.
pub(super) static TABLE: &[Row] = &[
    // Maps.
    row(&[MAPS], CONTAINS_KEY, PUTS, Say::ByKey(&["putIfAbsent", "computeIfAbsent"], &["replace", "computeIfPresent"])),
    row(&[MAPS], GETS, PUTS, Say::Step(&["computeIfAbsent", "merge", "compute", "replace(key, old, new)"], "")),
    row(
        &[PROPERTIES],
        GET_PROPERTY,
        SET_PROPERTY,
        Say::Step(&["computeIfAbsent", "merge", "compute", "replace(key, old, new)"], ""),
    ),
    row(
        &[PROPERTIES],
        CONTAINS_KEY,
        SET_PROPERTY,
        Say::ByKey(&["putIfAbsent", "computeIfAbsent"], &["replace", "computeIfPresent"]),
    ),
    row(&[MAPS], LOOKUPS, DECIDES, Say::Alone("which looks at the key itself")),
    row(&[MAPS], CONTAINS_KEY, REPLACE, Say::Alone("which does nothing if the key is not there")),
    row(&[MAPS], GETS, REPLACE, Say::Step(&["computeIfPresent", "compute"], "")),
    row(&[MAPS], CONTAINS_KEY, REMOVE, Say::Alone("which does nothing if the key is not there")),
    row(&[MAPS], GETS, REMOVE, Say::Step(&["computeIfPresent"], "or remove alone, by what it returns,")),
    row(&[PROPERTIES], GET_PROPERTY, REMOVE, Say::Step(&["computeIfPresent"], "or remove alone, by what it returns,")),
    row(&[MAPS], CONTAINS_KEY, &["get"], Say::Step(&["get"], "which returns null if the key is not there")),
    row(&[MAPS], CONTAINS_KEY, &["getOrDefault"], Say::Alone("which looks whether the key is there")),
    row(&[SORTED_MAPS], &["firstKey"], &["get"], Say::Step(&["firstEntry"], "")),
    row(&[SORTED_MAPS], &["lastKey"], &["get"], Say::Step(&["lastEntry"], "")),
    row(&[SORTED_MAPS], &["floorKey"], &["get"], Say::Step(&["floorEntry"], "")),
    row(&[SORTED_MAPS], &["ceilingKey"], &["get"], Say::Step(&["ceilingEntry"], "")),
    row(&[SORTED_MAPS], &["lowerKey"], &["get"], Say::Step(&["lowerEntry"], "")),
    row(&[SORTED_MAPS], &["higherKey"], &["get"], Say::Step(&["higherEntry"], "")),
    row(
        &[SORTED_MAPS],
        &["firstKey", "firstEntry"],
        &["remove", "pollFirstEntry"],
        Say::Step(&["pollFirstEntry"], NOTHING),
    ),
    row(
        &[SORTED_MAPS],
        &["lastKey", "lastEntry"],
        &["remove", "pollLastEntry"],
        Say::Step(&["pollLastEntry"], NOTHING),
    ),
    row(&[SORTED_MAPS], ENTRY_SIZES, &["pollFirstEntry", "pollLastEntry"], Say::Alone(NOTHING)),
    row(&[SORTED_MAPS], ENTRY_SIZES, &["firstKey", "firstEntry"], Say::Step(&["firstEntry"], NOTHING)),
    row(&[SORTED_MAPS], ENTRY_SIZES, &["lastKey", "lastEntry"], Say::Step(&["lastEntry"], NOTHING)),
    // Sets.
    // Of the views, only a set of keys with a value for new ones has an `add`: `ConcurrentHashMap.newKeySet()`.
    row(&[SETS, VIEWS], CONTAINS, ADD, Say::Alone("which returns false if it was there")),
    row(&[SETS, VIEWS], CONTAINS, REMOVE, Say::Alone("which returns false if it was not there")),
    row(&[SORTED_SETS], &["first"], &["remove", "pollFirst"], Say::Step(&["pollFirst"], NOTHING)),
    row(&[SORTED_SETS], &["last"], &["remove", "pollLast"], Say::Step(&["pollLast"], NOTHING)),
    row(&[SORTED_SETS], SIZES, &["pollFirst", "pollLast"], Say::Alone(NOTHING)),
    row(&[SORTED_SETS], SIZES, &["first", "last"], Say::Alone(NO_FIRST)),
    // Lists.
    row(&[COPIED_LISTS], FINDS, &["add", "addIfAbsent"], Say::Step(&["addIfAbsent"], "")),
    row(&[LISTS], CONTAINS, REMOVE, Say::Alone("that of an element, which returns false if it was not there")),
    row(&[COPIED_LISTS], SIZES, &["get"], Say::Step(&["toArray", "iterator"], "which has one state of the list")),
    // Queues.
    row(&[DEQUES], LAST_LOOKS, LAST_TAKES, Say::Step(&["pollLast"], NOTHING)),
    row(&[DEQUES], SIZES, &["peekLast", "getLast"], Say::Step(&["peekLast"], NOTHING)),
    row(&[QUEUES], &["peek", "element"], TAKES, Say::Step(&["poll"], "by what it returns")),
    row(&[QUEUES], SIZES, TAKES, Say::Step(&["poll"], NOTHING)),
    row(&[DEQUES], LOOKS, FIRST_TAKES, Say::Step(&["pollFirst"], NOTHING)),
    row(&[BLOCKING], LOOKS, &["take"], Say::Step(&["poll"], NOTHING)),
    row(&[QUEUES], SIZES, &["peek", "element"], Say::Step(&["peek"], NOTHING)),
    row(&[DEQUES], SIZES, &["peekFirst", "getFirst"], Say::Step(&["peekFirst"], NOTHING)),
    row(&[BOUNDED], &["remainingCapacity", "size"], &["offer", "add", "put"], Say::Step(&["offer"], NO_ROOM)),
    row(&[QUEUES], CONTAINS, REMOVE, Say::Alone("which returns false if it was not there")),
    // Atomic variables.
    row(&[NUMBERS], LOADS, STORES, Say::Step(&["addAndGet", "updateAndGet", "getAndSet", "compareAndSet"], "")),
    row(&[NUMBERS], LOADS, TRIES, Say::Step(&["updateAndGet", "accumulateAndGet"], "")),
    row(&[NUMBERS], LOADS, COUNTS, Say::Step(&["updateAndGet"], "with a function that decides")),
    row(&[REFERENCES], LOADS, STORES, Say::Step(&["updateAndGet", "getAndSet", "compareAndSet"], "")),
    row(&[REFERENCES], LOADS, TRIES, Say::Step(&["updateAndGet", "accumulateAndGet"], "")),
    row(&[NUMBERS, REFERENCES], LOADS, UPDATES, Say::Alone("by what was there before it")),
    row(&[BOOLEANS], LOADS, STORES, Say::Step(&["getAndSet", "compareAndSet"], "")),
    row(&[BOOLEANS], LOADS, &["compareAndSet", "getAndSet"], Say::Alone("by what it returns")),
    row(&[NUMBERS], UPWARDS, UPWARDS, Say::Step(&["addAndGet", "updateAndGet"], "with the sum")),
    row(&[NUMBERS], DOWNWARDS, DOWNWARDS, Say::Step(&["addAndGet", "updateAndGet"], "with the sum")),
    row(&[NUMBERS, REFERENCES, BOOLEANS, HANDLES], RETURNING, LOADS, Say::First),
    row(&[MARKED], PARTS_OF_MARKED, PARTS_OF_MARKED, Say::Step(&["get"], "with an array for the mark")),
    row(&[STAMPED], PARTS_OF_STAMPED, PARTS_OF_STAMPED, Say::Step(&["get"], "with an array for the stamp")),
    row(
        &[MARKED, STAMPED],
        &["getReference", "isMarked", "getStamp", "get"],
        &["set"],
        Say::Step(&["compareAndSet"], ""),
    ),
    row(&[NUMBER_HANDLES], LOADS, STORES, Say::Step(&["getAndAdd", "getAndSet", "compareAndSet"], "")),
    row(&[HANDLES], LOADS, STORES, Say::Step(&["getAndSet", "compareAndSet"], "")),
    row(&[HANDLES], LOADS, &["getAndSet"], Say::Alone("by what it returns")),
    row(&[NUMBER_HANDLES], LOADS, &["getAndAdd"], Say::Alone("by what it returns")),
    row(
        &[UNSAFE],
        &["getInt", "getIntVolatile"],
        &["putInt", "putIntVolatile", "putOrderedInt"],
        Say::Step(&["getAndAddInt", "getAndSetInt", "compareAndSwapInt"], ""),
    ),
    row(
        &[UNSAFE],
        &["getLong", "getLongVolatile"],
        &["putLong", "putLongVolatile", "putOrderedLong"],
        Say::Step(&["getAndAddLong", "getAndSetLong", "compareAndSwapLong"], ""),
    ),
    row(
        &[UNSAFE],
        &["getObject", "getObjectVolatile"],
        &["putObject", "putObjectVolatile", "putOrderedObject"],
        Say::Step(&["getAndSetObject", "compareAndSwapObject"], ""),
    ),
    // Sums.
    row(
        &[ADDERS],
        &["sum", "intValue", "longValue", "floatValue", "doubleValue"],
        &["reset", "sumThenReset"],
        Say::Step(&["sumThenReset"], ""),
    ),
    row(
        &[ACCUMULATORS],
        &["get", "intValue", "longValue", "floatValue", "doubleValue"],
        &["reset", "getThenReset"],
        Say::Step(&["getThenReset"], ""),
    ),
    // The same question twice.
    row(&[MAPS], LOOKUPS, LOOKUPS, Say::Once),
    row(&[MAPS, SETS, LISTS, QUEUES], &["size"], SIZES, Say::Once),
    row(&[MAPS], &["size", "mappingCount"], ENTRY_SIZES, Say::Once),
    row(&[MAPS, SETS, LISTS, QUEUES], &["isEmpty"], &["isEmpty"], Say::Once),
    row(&[SETS], CONTAINS, CONTAINS, Say::Once),
    row(&[NUMBERS, REFERENCES, BOOLEANS, HANDLES], LOADS, LOADS, Say::Once),
    row(
        &[ADDERS],
        &["sum", "intValue", "longValue", "floatValue", "doubleValue"],
        &["sum", "intValue", "longValue", "floatValue", "doubleValue"],
        Say::Once,
    ),
    row(
        &[ACCUMULATORS],
        &["get", "intValue", "longValue", "floatValue", "doubleValue"],
        &["get", "intValue", "longValue", "floatValue", "doubleValue"],
        Say::Once,
    ),
];

/// Collections that are not made for threads, and their replacements: the name in the advice, and the class.
pub(super) const PLAIN: &[(&[&str], &str, &str)] = &[
    (&["HashMap"], "a ConcurrentHashMap", "ConcurrentHashMap"),
    // The class of the map is not known.
    (&["Map"], "a map that is made for threads", "ConcurrentHashMap"),
    (&["TreeMap"], "a ConcurrentSkipListMap", "ConcurrentSkipListMap"),
    // A ConcurrentHashMap would keep no order, or compare or keep its keys otherwise.
    (
        &["LinkedHashMap", "WeakHashMap", "IdentityHashMap", "EnumMap"],
        "a Collections.synchronizedMap(..)",
        "Collections$SynchronizedMap",
    ),
    (&["HashSet"], "a ConcurrentHashMap.newKeySet()", "ConcurrentHashMap$KeySetView"),
    (&["TreeSet"], "a ConcurrentSkipListSet", "ConcurrentSkipListSet"),
    (
        &["LinkedHashSet", "EnumSet", "RegularEnumSet", "JumboEnumSet"],
        "a Collections.synchronizedSet(..)",
        "Collections$SynchronizedSet",
    ),
    (&["ArrayList"], "a Collections.synchronizedList(..)", "Collections$SynchronizedList"),
    (&["ArrayDeque", "LinkedList"], "a ConcurrentLinkedDeque", "ConcurrentLinkedDeque"),
    (&["PriorityQueue"], "a PriorityBlockingQueue", "PriorityBlockingQueue"),
];

/// Collections whose methods take the lock of the object: by the beginning of their names.
pub(super) const LOCKING: [&str; 5] = ["Vector", "Stack", "Hashtable", "Properties", "Collections$Synchronized"];

/// Of these, classes that have parts, which take the lock of the whole, and what that is called.
pub(super) const WITH_PARTS: [(&[&str], &str); 3] = [
    (&["Vector", "Stack", "Collections$SynchronizedList", "Collections$SynchronizedRandomAccessList"], "list"),
    (&["Collections$SynchronizedSortedSet", "Collections$SynchronizedNavigableSet"], "set"),
    (&["Collections$SynchronizedSortedMap", "Collections$SynchronizedNavigableMap"], "map"),
];
