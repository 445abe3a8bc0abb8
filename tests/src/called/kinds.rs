//! The classes of the objects, and the calls of each.

/// The classes of objects, by how they are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A list that is one variable.
    List(&'static str),
    /// A set that is one variable.
    Set(&'static str),
    /// A map that is one variable.
    Map(&'static str),
    /// A queue that is one variable.
    Queue(&'static str),
    /// A set with a variable for each key.
    ConcurrentSet(&'static str),
    /// A map with a variable for each key.
    ConcurrentMap(&'static str),
    /// A queue that hands over its elements.
    ConcurrentQueue(&'static str),
    /// Anything else.
    Other(&'static str),
}

const LIST: &[&str] = &[
    "list.addAt",
    "list.get",
    "list.set",
    "list.removeAt",
    "list.indexOf",
    "list.lastIndexOf",
    "list.sort",
    "list.replaceAll",
    "list.getOfSubList",
    "list.clearSubList",
    "list.listIterator",
    "list.nextOfList",
    "list.previousOfList",
    "list.setOfList",
    "list.addOfList",
];
const COLLECTION: &[&str] = &[
    "collection.add",
    "collection.remove",
    "collection.contains",
    "collection.size",
    "collection.isEmpty",
    "collection.clear",
    "collection.toArray",
    "collection.forEach",
    "collection.hashCode",
    "collection.removeIf",
    "collection.addAll",
    "collection.addAllOfTwo",
    "collection.addAllOfArray",
    "collection.removeAll",
    "collection.retainAll",
    "collection.containsAll",
    "collection.count",
    "collection.anyMatch",
];
/// Calls with another collection as their argument; the first only if that collection appends what is handed over to it.
const BETWEEN: &[&str] = &[
    "between.drainTo",
    "between.newArrayList",
    "between.newHashSet",
    "between.newQueue",
    "between.copyOf",
    "between.addAll",
    "between.containsAll",
    "between.removeAll",
    "between.retainAll",
    "between.equals",
    "between.disjoint",
];
/// The same for two lists.
const COPIED: &[&str] = &[
    "between.copy",
    "between.newArrayList",
    "between.newHashSet",
    "between.newQueue",
    "between.copyOf",
    "between.addAll",
    "between.containsAll",
    "between.removeAll",
    "between.retainAll",
    "between.equals",
    "between.disjoint",
];
const MAPS: &[&str] = &["between.putAll", "between.equalsMap"];
const ITERATOR: &[&str] =
    &["collection.iterator", "collection.next", "collection.hasNext", "collection.removeOfIterator"];
const SORTED_SET: &[&str] = &[
    "set.first",
    "set.last",
    "set.floor",
    "set.higher",
    "set.pollFirst",
    "set.pollLast",
    "set.containsOfHeadSet",
    "set.removeOfDescending",
];
const MAP: &[&str] = &[
    "map.get",
    "map.getOrDefault",
    "map.containsKey",
    "map.put",
    "map.remove",
    "map.putIfAbsent",
    "map.removeOf",
    "map.replace",
    "map.replaceOf",
    "map.size",
    "map.isEmpty",
    "map.clear",
];
const COMPUTE: &[&str] = &[
    "map.computeIfAbsent",
    "map.computeIfPresent",
    "map.compute",
    "map.merge",
    "map.putAll",
    "map.containsValue",
    "map.forEach",
    "map.hashCode",
    "map.replaceAll",
];
const VIEW: &[&str] = &[
    "view.containsOfKeys",
    "view.removeOfKeys",
    "view.sizeOfValues",
    "view.isEmptyOfEntries",
    "view.clearOfKeys",
    "view.toArrayOfValues",
    "view.iteratorOfKeys",
    "view.iteratorOfEntries",
    "view.countOfEntries",
    "view.next",
    "view.hasNext",
    "view.removeOfIterator",
];
/// Calls of the entries of a map that is one variable. The entries of an `IdentityHashMap` are not in the map.
const ENTRY: &[&str] = &["entry.setAll", "entry.keep", "entry.get", "entry.set"];
const SORTED_MAP: &[&str] = &[
    "sorted.firstKey",
    "sorted.lastEntry",
    "sorted.ceilingKey",
    "sorted.lowerEntry",
    "sorted.pollFirstEntry",
    "sorted.getOfTailMap",
    "sorted.containsOfDescending",
];
const QUEUE: &[&str] = &[
    "queue.offer",
    "queue.add",
    "queue.poll",
    "queue.remove",
    "queue.peek",
    "queue.element",
    "queue.size",
    "queue.isEmpty",
    "queue.contains",
    "queue.removeOf",
];
const WHOLE_QUEUE: &[&str] = &[
    "queue.clear",
    "queue.toArray",
    "queue.forEach",
    "queue.removeIf",
    "queue.drainTo",
    "queue.count",
    "queue.iterator",
    "queue.next",
    "queue.hasNext",
    "queue.removeOfIterator",
];
const DEQUE: &[&str] = &[
    "deque.offerFirst",
    "deque.addLast",
    "deque.push",
    "deque.pollFirst",
    "deque.pollLast",
    "deque.pop",
    "deque.peekFirst",
    "deque.peekLast",
    "deque.removeFirstOccurrence",
];

impl Kind {
    /// All kinds.
    pub const ALL: &'static [Kind] = &[
        Kind::List("ArrayList"),
        Kind::List("LinkedList"),
        Kind::List("Vector"),
        Kind::List("CopyOnWriteArrayList"),
        Kind::List("SynchronizedList"),
        Kind::List("SubList"),
        Kind::Set("HashSet"),
        Kind::Set("LinkedHashSet"),
        Kind::Set("TreeSet"),
        Kind::Set("CopyOnWriteArraySet"),
        Kind::Set("SynchronizedSet"),
        Kind::Map("HashMap"),
        Kind::Map("LinkedHashMap"),
        Kind::Map("OrderedByAccess"),
        Kind::Map("SynchronizedCache"),
        Kind::Map("TreeMap"),
        Kind::Map("IdentityHashMap"),
        Kind::Map("Hashtable"),
        Kind::Map("SynchronizedMap"),
        Kind::Queue("ArrayDeque"),
        Kind::Queue("PriorityQueue"),
        Kind::Queue("LinkedListQueue"),
        Kind::ConcurrentSet("ConcurrentSkipListSet"),
        Kind::ConcurrentSet("KeySetView"),
        Kind::ConcurrentSet("SetFromMap"),
        Kind::ConcurrentMap("ConcurrentHashMap"),
        Kind::ConcurrentMap("ConcurrentSkipListMap"),
        Kind::ConcurrentQueue("ConcurrentLinkedQueue"),
        Kind::ConcurrentQueue("ConcurrentLinkedDeque"),
        Kind::ConcurrentQueue("ArrayBlockingQueue"),
        Kind::ConcurrentQueue("LinkedBlockingQueue"),
        Kind::ConcurrentQueue("LinkedBlockingDeque"),
        Kind::ConcurrentQueue("LinkedTransferQueue"),
        Kind::ConcurrentQueue("PriorityBlockingQueue"),
        Kind::Other("StringBuilder"),
        Kind::Other("StringBuffer"),
        Kind::Other("AtomicInteger"),
        Kind::Other("AtomicIntegerArray"),
        Kind::Other("Holder"),
        Kind::Other("LongAdder"),
        Kind::Other("ReentrantLock"),
        Kind::Other("ReentrantReadWriteLock"),
        Kind::Other("CountDownLatch"),
        Kind::Other("Semaphore"),
        Kind::Other("CompletableFuture"),
    ];

    /// The name of the class in the program.
    pub fn name(self) -> &'static str {
        match self {
            Kind::List(name) | Kind::Set(name) | Kind::Map(name) | Kind::Queue(name) | Kind::Other(name) => name,
            Kind::ConcurrentSet(name) | Kind::ConcurrentMap(name) | Kind::ConcurrentQueue(name) => name,
        }
    }

    /// Returns the kind with this name.
    pub fn of(name: &str) -> Kind {
        *Kind::ALL.iter().find(|kind| kind.name() == name).expect("a class of the program")
    }

    /// Whether it can be the argument of another collection's call.
    pub fn is_collection(self) -> bool {
        !matches!(self, Kind::Map(_) | Kind::ConcurrentMap(_) | Kind::Other(_))
    }

    /// Whether it can be the argument of another map's call.
    pub fn is_map(self) -> bool {
        matches!(self, Kind::Map(_) | Kind::ConcurrentMap(_))
    }

    /// Whether it can only be equal to lists.
    pub fn is_list(self) -> bool {
        matches!(self, Kind::List(_) | Kind::Queue("LinkedListQueue"))
    }

    /// Whether it can only be equal to sets.
    pub fn is_set(self) -> bool {
        matches!(self, Kind::Set(_) | Kind::ConcurrentSet(_))
    }

    /// Whether additions always go to its end.
    pub fn appends(self) -> bool {
        matches!(self, Kind::List(_) | Kind::Queue("LinkedListQueue" | "ArrayDeque"))
    }

    /// The calls that have another object as their argument.
    pub fn calls_between(self, argument: Kind) -> &'static [&'static str] {
        match self {
            _ if self.is_map() && argument.is_map() => MAPS,
            _ if !self.is_collection() || !argument.is_collection() => &[],
            Kind::ConcurrentQueue(_) if argument.appends() => BETWEEN,
            _ if self.is_list() && argument.is_list() => COPIED,
            _ => &BETWEEN[1..],
        }
    }

    /// The calls of this kind, in groups.
    pub fn calls(self) -> &'static [&'static [&'static str]] {
        match self {
            Kind::List(_) => &[LIST, COLLECTION, ITERATOR],
            Kind::Set("TreeSet") | Kind::ConcurrentSet("ConcurrentSkipListSet") => &[COLLECTION, ITERATOR, SORTED_SET],
            Kind::Set(_) | Kind::ConcurrentSet(_) => &[COLLECTION, ITERATOR],
            Kind::Map("TreeMap") => &[MAP, COMPUTE, VIEW, ENTRY, SORTED_MAP],
            Kind::ConcurrentMap("ConcurrentSkipListMap") => &[MAP, COMPUTE, VIEW, SORTED_MAP],
            Kind::Map("IdentityHashMap") | Kind::ConcurrentMap(_) => &[MAP, COMPUTE, VIEW],
            Kind::Map(_) => &[MAP, COMPUTE, VIEW, ENTRY],
            Kind::Queue("PriorityQueue") => &[QUEUE, WHOLE_QUEUE],
            Kind::Queue(_) | Kind::ConcurrentQueue("ConcurrentLinkedDeque" | "LinkedBlockingDeque") => {
                &[QUEUE, WHOLE_QUEUE, DEQUE]
            }
            Kind::ConcurrentQueue(_) => &[QUEUE, WHOLE_QUEUE],
            Kind::Other("StringBuilder" | "StringBuffer") => &[
                &[
                    "buffer.length",
                    "buffer.charAt",
                    "buffer.indexOf",
                    "buffer.substring",
                    "buffer.toString",
                    "buffer.count",
                ],
                &["buffer.append", "buffer.insert", "buffer.delete", "buffer.deleteNothing", "buffer.setLength"],
            ],
            Kind::Other("AtomicInteger") => &[&[
                "atomic.get",
                "atomic.set",
                "atomic.incrementAndGet",
                "atomic.compareAndSet",
                "atomic.getAndUpdate",
                "atomic.getAndSet",
                "atomic.lazySet",
                "atomic.compareAndExchange",
            ]],
            Kind::Other("AtomicIntegerArray") => {
                &[&["array.get", "array.set", "array.addAndGet", "array.compareAndSet", "array.accumulateAndGet"]]
            }
            Kind::Other("Holder") => &[&[
                "holder.get",
                "holder.set",
                "holder.getOfHandle",
                "holder.setOfHandle",
                "holder.compareAndSetOfHandle",
                "holder.addOfUpdater",
                "holder.getOfUpdater",
                "holder.updateOfUpdater",
            ]],
            Kind::Other("LongAdder") => &[&["adder.increment", "adder.sum", "adder.intValue", "adder.sumThenReset"]],
            Kind::Other("ReentrantLock") => &[&["lock.tryLock", "lock.unlock"]],
            Kind::Other("ReentrantReadWriteLock") => {
                &[&["locks.tryRead", "locks.tryWrite", "locks.unlockRead", "locks.unlockWrite"]]
            }
            Kind::Other("CountDownLatch") => &[&["latch.countDown", "latch.getCount"]],
            Kind::Other("Semaphore") => &[&["semaphore.tryAcquire", "semaphore.release"]],
            Kind::Other(_) => {
                &[&["future.complete", "future.cancel", "future.isDone", "future.join", "future.whenComplete"]]
            }
        }
    }

    /// The calls by which a thread releases what it holds.
    pub fn releases(self) -> &'static [&'static str] {
        match self {
            Kind::Other("ReentrantLock") => &["lock.unlock"],
            Kind::Other("ReentrantReadWriteLock") => &["locks.unlockRead", "locks.unlockWrite"],
            _ => &[],
        }
    }
}
