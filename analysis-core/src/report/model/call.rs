//! An event that is a call of the platform's library: how a report describes it, and how a recorded trace keeps that.
//!
//! The variable is a part of the call's receiver, so a trace names it by the receiver: `ConcurrentHashMap@16[key:"k"]`, and `ArrayList@17`
//! for the whole. The name has no blanks and bars, which not every format can write. The call stands after the place of the event:
//! `com.example.Cache.get:12 [Map.containsKey of com.example.Cache.map]`, with the field from which the program loaded the receiver, if it
//! is known. No name of a class, a method or a field contains a bracket.

use serde::{Deserialize, Serialize};

use crate::event::Op;

/// A call of a method that has a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The class of the receiver, without its package; if it is not known, the declared one.
    pub class: String,
    /// The method.
    pub method: String,
    /// The field from which the program loaded the receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The part of the receiver that the call accessed: `key "k"`, `element 3`. `None` for the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The class that the program names in the call, without its package.
    pub owner: String,
    /// The number of the receiver, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<u64>,
    /// What the call hands over to another thread or receives from one, if that is its effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// True if what a handle accesses is known to be a number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_number: bool,
}

/// Classes of iterators, by the end of their names. What an iterator does is done to its collection, whose class is that
/// of the receiver.
const ITERATORS: [&str; 3] = ["Iterator", "Enumeration", "Spliterator"];
/// Classes of collections, by the end of their names.
const COLLECTIONS: [&str; 10] =
    ["Map", "List", "Set", "Collection", "Deque", "Queue", "Vector", "Stack", "Hashtable", "Properties"];
/// What a stream does is done to the collection that it was made of.
const STREAMS: [&str; 4] = ["Stream", "IntStream", "LongStream", "DoubleStream"];
/// Classes with one value that is replaced as a whole, by a part of their names.
const ATOMICS: [&str; 2] = ["Atomic", "VarHandle"];
/// How much of a key the cell of a table shows.
const WIDEST_KEY: usize = 16;
/// What stands for the field that a handle accesses, if it is not known.
const TARGET: &str = "the target";
/// Locks that readers share, by a part of their names.
const SHARED_LOCKS: [&str; 2] = ["ReentrantReadWriteLock", "StampedLock"];
/// How such a lock is held together with others.
pub(in crate::report) const SHARED: &str = "shared";
/// How such a lock is held alone.
pub(in crate::report) const EXCLUSIVE: &str = "exclusive";
/// Queues that are made for threads. All else that is known of them has parts.
const QUEUES: [&str; 10] = [
    "ConcurrentLinkedQueue",
    "ConcurrentLinkedDeque",
    "ArrayBlockingQueue",
    "LinkedBlockingQueue",
    "LinkedBlockingDeque",
    "PriorityBlockingQueue",
    "DelayQueue",
    "LinkedTransferQueue",
    "SynchronousQueue",
    "Exchanger",
];
/// Parts of this kind have no name that a reader would know: those of the threads that add to a whole.
const SHARE: &str = "part ";

impl Call {
    /// A call of which only the declared class and the method are known, each without anything before its last dot.
    pub fn new(owner: &str, method: &str) -> Call {
        let call = Call {
            class: owner.to_owned(),
            method: method.to_owned(),
            field: None,
            part: None,
            owner: owner.to_owned(),
            receiver: None,
            hand: None,
            is_number: false,
        };
        let target = call.is_of_handle().then(|| TARGET.to_owned());
        Call { part: target, ..call }
    }

    /// The same call, which hands something over.
    pub fn handing(self, hand: Hand) -> Call {
        Call { part: hand.part().map(str::to_owned), hand: Some(hand), ..self }
    }

    /// What stands before the name of a field that is a number.
    pub const NUMBER: &str = "number ";

    /// The call of a handle, or at an offset, to the field that the agent names so.
    pub fn of_target(self, field: &str) -> Call {
        let number = field.strip_prefix(Call::NUMBER);
        self.of_field(number.unwrap_or(field), number.is_some())
    }

    /// The call of a handle, or at an offset, to a field: `com.example.Cache.size`, of a number or not.
    pub fn of_field(self, field: &str, is_number: bool) -> Call {
        Call { part: Some(field.to_owned()), is_number, ..self }
    }

    /// What the event did, in words: `read of key "k" of ConcurrentHashMap (field Cache.map) by containsKey`.
    pub fn access(&self, op: Op) -> String {
        let verb = self.verb(op);
        if self.is_of_shared_lock() {
            return format!("{verb} of {}, {}, by {}", self.holder(), hold(op), self.method);
        }
        match self.target() {
            Some(_) => format!("{verb} of {} by {}.{}", self.subject(), self.class, self.method),
            None => format!("{verb} of {} by {}", self.subject(), self.method),
        }
    }

    /// What the call accesses, in words: `key "k" of ConcurrentHashMap (field Cache.map)`.
    pub fn subject(&self) -> String {
        match self.part.as_deref() {
            // What it accesses belongs to the program, and has the name of any other variable.
            Some(field) if self.target().is_some() => field.to_owned(),
            Some(part) if part.starts_with(SHARE) => format!("a part of {}", self.holder()),
            Some(part) => format!("{part} of {}", self.holder()),
            None => self.holder(),
        }
    }

    /// What the event did, for the cell of a table, where there is little room: `read map.containsKey("k")`.
    pub fn operation(&self, op: Op) -> String {
        let verb = self.verb(op);
        let holder = self.field.as_deref().map_or(self.class.as_str(), |field| last_segments(field, 1));
        match self.target() {
            _ if self.is_of_shared_lock() => return format!("{verb} {holder}, {}", hold(op)),
            Some(field) => return format!("{verb} {}", last_segments(field, 2)),
            None => {}
        }
        let of_part = |kind: &str| self.part.as_deref().and_then(|part| part.strip_prefix(kind));
        let argument = of_part("key ").or_else(|| of_part("element ")).unwrap_or_default();
        let start: String = argument.chars().take(WIDEST_KEY).collect();
        let rest = if start.len() < argument.len() { "..." } else { "" };
        format!("{verb} {holder}.{}({start}{rest})", self.method)
    }

    /// The class and the field.
    pub fn holder(&self) -> String {
        match &self.field {
            Some(field) => format!("{} (field {})", self.class, last_segments(field, 2)),
            None => self.class.clone(),
        }
    }

    /// True if both are known to have the same receiver.
    pub fn has_receiver_of(&self, other: &Call) -> bool {
        self.receiver.is_some() && self.receiver == other.receiver
    }

    /// True if one of the call's classes, that of the receiver or the declared one, has this in its name.
    pub fn is_of(&self, word: &str) -> bool {
        self.class.contains(word) || self.owner.contains(word)
    }

    /// True for a step of an iteration.
    pub fn is_step(&self) -> bool {
        ITERATORS.iter().any(|end| self.owner.ends_with(end))
    }

    /// True for a collection, or a view of one.
    pub fn is_of_collection(&self) -> bool {
        self.is_step()
            || STREAMS.contains(&self.owner.as_str())
            || [&self.class, &self.owner].iter().any(|name| COLLECTIONS.iter().any(|end| name.ends_with(end)))
    }

    /// True for an atomic variable, or what gives atomic access to one.
    pub fn is_of_atomic(&self) -> bool {
        ATOMICS.iter().any(|word| self.is_of(word))
    }

    /// True for a handle or an updater, which gives access to a field or an element.
    pub fn is_of_handle(&self) -> bool {
        self.owner == "VarHandle" || self.owner.ends_with("FieldUpdater")
    }

    /// True for a call that reads an atomic variable and writes it in one step: of an atomic object, a handle, an updater or `Unsafe`.
    pub fn is_update(&self) -> bool {
        let is_named = ["getAnd", "compareAnd", "weakCompareAnd"].iter().any(|start| self.method.starts_with(start));
        (self.is_of_atomic() || self.is_of_offset()) && (is_named || self.method.ends_with("AndGet"))
    }

    /// True for a call of `Unsafe`, which gives access to the field or element at an offset, or to memory that is neither.
    pub fn is_of_offset(&self) -> bool {
        self.owner == "Unsafe"
    }

    /// True for a call by which a program accesses a variable that it can also access without a call.
    pub fn is_of_variable(&self) -> bool {
        self.is_of_handle() || self.is_of_offset()
    }

    /// The field that such a call accesses, if it is known.
    pub fn target(&self) -> Option<&str> {
        self.part.as_deref().filter(|part| self.is_of_variable() && *part != TARGET)
    }

    /// True for a lock that readers share. Its holders are described like those of other locks, though the calls read and write a variable.
    pub fn is_of_shared_lock(&self) -> bool {
        SHARED_LOCKS.iter().any(|lock| self.is_of(lock))
    }

    /// True for what waits and gives a lock up meanwhile.
    pub fn is_wait(&self) -> bool {
        self.owner == "Object" && self.method == "wait"
            || self.owner.ends_with("Condition") && self.method.starts_with("await")
    }

    /// What the call hands over to another thread or receives from one, including an element of a queue that is made
    /// for threads.
    pub fn handed(&self) -> Option<Hand> {
        let is_element = self.part.is_none() && QUEUES.contains(&self.class.as_str());
        self.hand.or(is_element.then_some(Hand::Element))
    }

    fn verb(&self, op: Op) -> &'static str {
        match op {
            _ if self.is_of_shared_lock() => {
                if self.is_wait() {
                    // One event for both, before the wait, and one after it.
                    "release and acquire"
                } else if self.method.starts_with("unlock") {
                    "release"
                } else {
                    "acquire"
                }
            }
            Op::Write(_) => "write",
            _ => "read",
        }
    }

    /// True for an array of atomic variables.
    pub fn is_of_elements(&self) -> bool {
        self.owner.starts_with("Atomic") && self.owner.ends_with("Array")
    }

    /// The name of the variable in a trace.
    pub fn variable(&self, receiver: u64) -> String {
        let part = self.part.as_ref().map_or(String::new(), |part| {
            let (kind, name) = part.split_once(' ').unwrap_or((part, ""));
            let name = ESCAPES.iter().fold(name.to_owned(), |name, (char, escape)| name.replace(*char, escape));
            format!("[{kind}:{name}]")
        });
        format!("{}@{receiver}{part}", self.class)
    }

    /// The place of the event as a trace writes it; `place` is the place alone.
    pub fn placed(&self, place: &str) -> String {
        let of = self.field.as_ref().map_or(String::new(), |field| format!(" of {field}"));
        format!("{place} [{}.{}{of}]", self.owner, self.method)
    }

    /// The call that an event of a trace stands for, if any: from its variable and from its location. Also returns the
    /// place without the call.
    pub fn parse<'a>(variable: &str, location: &'a str) -> Option<(Call, &'a str)> {
        let (place, called) = location.strip_suffix(']')?.split_once(" [")?;
        let (name, field) = called.split_once(" of ").map_or((called, None), |(name, field)| (name, Some(field)));
        let (owner, method) = name.split_once('.')?;
        let call = Call { field: field.map(str::to_owned), ..Call::new(owner, method) };
        Some((call.on(variable), place))
    }

    /// The same call on the variable with this name in a trace.
    pub fn on(mut self, variable: &str) -> Call {
        if self.is_of_variable() {
            let is_field =
                variable.split('@').next().is_some_and(|name| name.contains('.') && !name.contains(['(', '[']));
            match is_field {
                true => return self.of_field(variable, false),
                false if self.is_of_handle() => return self,
                false => {}
            }
        }
        if let Some(hand) = Hand::of(variable.split('@').next().unwrap_or(variable)) {
            return self.handing(hand);
        }
        if let Some((class, receiver, part)) = parse_variable(variable) {
            self.class = class.to_owned();
            self.receiver = Some(receiver);
            self.part = part;
        }
        self
    }
}

/// What threads hand over to each other, or receive from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// A task that an executor gets, or runs.
    Task,
    /// The result of a future.
    Result,
    /// The count of a latch.
    Count,
    /// Permits of a semaphore.
    Permits,
    /// The arrival of all at a barrier.
    Barrier,
    /// The end of a phase.
    Phase,
    /// The ends of an executor's workers.
    Workers,
    /// An element of a queue.
    Element,
    /// An interruption.
    Interruption,
    /// The completions that a task still waits for.
    Pending,
    /// What is to run when a future is complete.
    Dependent,
    /// What a class initializer that runs in a block has done.
    Initializer,
    /// What a class loader of the program has done that loads a class in a block.
    Loader,
}

/// The agent's name of the variable, as in its traces, and the report's, which precedes the name of the class.
const HANDS: [(&str, Hand, Option<&str>); 13] = [
    ("task given to an executor", Hand::Task, Some("a task")),
    ("result of a future", Hand::Result, Some("the result")),
    ("count of a latch", Hand::Count, Some("the count")),
    ("permits of a semaphore", Hand::Permits, Some("permits")),
    ("barrier", Hand::Barrier, None),
    ("phase of a phaser", Hand::Phase, Some("the phase")),
    ("end of a worker", Hand::Workers, Some("the end of a worker")),
    ("element of a queue", Hand::Element, Some("an element")),
    ("interruption of a thread", Hand::Interruption, Some("the interruption")),
    ("pending completions of a task", Hand::Pending, Some("pending completions")),
    ("dependent of a future", Hand::Dependent, Some("a dependent")),
    ("end of a class initializer", Hand::Initializer, None),
    ("end of loading a class", Hand::Loader, None),
];

impl Hand {
    /// The hand-over by the agent's name of the variable.
    pub fn of(words: &str) -> Option<Hand> {
        HANDS.iter().find(|(known, _, _)| *known == words).map(|(_, hand, _)| *hand)
    }

    fn part(self) -> Option<&'static str> {
        HANDS.iter().find(|(_, hand, _)| *hand == self).and_then(|(_, _, part)| *part)
    }
}

/// How a lock that readers share is held.
fn hold(op: Op) -> &'static str {
    if matches!(op, Op::Write(_)) { EXCLUSIVE } else { SHARED }
}

/// How a trace writes characters of keys that it cannot contain.
const ESCAPES: [(char, &str); 2] = [(' ', "\\u0020"), ('|', "\\u007c")];

/// The key of this name in a trace. A backslash that begins no such escape precedes the character that it belongs to,
/// perhaps another backslash.
fn unescaped(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('\\') {
        key.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((char, escape)) = ESCAPES.iter().find(|(_, escape)| rest.starts_with(escape)) {
            key.push(*char);
            rest = &rest[escape.len()..];
        } else {
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end);
            key.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    key + rest
}

/// The receiver's class and number, and the part: of `ConcurrentHashMap@16[key:"k"]`, with `#2` after it if several have
/// the same name.
fn parse_variable(name: &str) -> Option<(&str, u64, Option<String>)> {
    let (class, rest) = name.split_once('@')?;
    let digits = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
    let receiver: u64 = rest[..digits].parse().ok()?;
    let part = match rest[digits..].strip_prefix('[') {
        Some(part) => {
            let (kind, name) = part.rsplit_once(']')?.0.split_once(':')?;
            Some(format!("{kind} {}", unescaped(name)))
        }
        None => None,
    };
    (!class.contains(['.', '['])).then_some((class, receiver, part))
}

/// `Cache` of `com.example.Cache`, `Cache.size` of `com.example.Cache.size` with two segments.
pub fn last_segments(name: &str, segments: usize) -> &str {
    let at = name.rmatch_indices('.').nth(segments - 1).map_or(0, |(at, _)| at + 1);
    &name[at..]
}

#[cfg(test)]
pub(in crate::report) mod tests {
    use super::*;
    use crate::event::VarId;

    const READ: Op = Op::Read(VarId(1));
    const WRITE: Op = Op::Write(VarId(1));

    /// A call of a method of an object of this class, with number 7, in a field.
    pub(in crate::report) fn call(class: &str, method: &str, part: Option<&str>) -> Call {
        Call {
            class: class.to_owned(),
            method: method.to_owned(),
            field: Some("com.example.Cache.map".to_owned()),
            part: part.map(str::to_owned),
            owner: class.to_owned(),
            receiver: Some(7),
            hand: None,
            is_number: false,
        }
    }

    #[test]
    fn a_call_is_told_with_its_key_its_class_its_field_and_its_method() {
        let mut contains = call("ConcurrentHashMap", "containsKey", Some("key \"k\""));
        let words = "read of key \"k\" of ConcurrentHashMap (field Cache.map) by containsKey";
        assert_eq!(contains.access(READ), words);
        assert_eq!(contains.operation(READ), "read map.containsKey(\"k\")");
        contains.field = None;
        assert_eq!(contains.access(READ), "read of key \"k\" of ConcurrentHashMap by containsKey");
        assert_eq!(contains.operation(READ), "read ConcurrentHashMap.containsKey(\"k\")");
        let size = call("LongAdder", "sum", Some("part 3"));
        assert_eq!(size.access(READ), "read of a part of LongAdder (field Cache.map) by sum");
        assert_eq!(size.operation(READ), "read map.sum()");
        let set = call("AtomicIntegerArray", "set", Some("element 3"));
        assert_eq!(set.operation(WRITE), "write map.set(3)");
        let long = call("HashMap", "get", Some("key \"abcdefghijklmnopqr\""));
        assert_eq!(long.operation(READ), "read map.get(\"abcdefghijklmno...)");
        assert_eq!(call("ArrayList", "add", None).access(WRITE), "write of ArrayList (field Cache.map) by add");
    }

    #[test]
    fn a_stream_is_one_of_a_collection_whatever_that_is_called() {
        let of = |owner: &str| Call { owner: owner.to_owned(), ..call("Names", "anyMatch", None) };
        assert!(of("IntStream").is_of_collection() && !of("OutputStream").is_of_collection());
    }

    #[test]
    fn a_trace_keeps_what_was_called() {
        let parts =
            [None, Some("key \"a] b#(@:|\\\"\\\\u0020\\u0009\\\""), Some("key 3"), Some("part 2"), Some("element 4")];
        for part in parts {
            for field in [None, Some("com.example.Cache.map".to_owned())] {
                let written =
                    Call { field, owner: "Map".to_owned(), receiver: Some(16), ..call("HashMap", "get", part) };
                let (variable, location) = (written.variable(16), written.placed("com.example.Cache.get:12"));
                assert!(!variable.contains([' ', '|']), "{variable}");
                let expected = Some((written, "com.example.Cache.get:12"));
                assert_eq!(Call::parse(&variable, &location), expected);
                assert_eq!(
                    Call::parse(&format!("{variable}#2"), &location),
                    expected,
                    "another key with the same text"
                );
            }
        }
    }

    #[test]
    fn what_a_handle_accesses_is_called_like_any_field() {
        let location = "com.example.Cache.get:12 [VarHandle.getVolatile of com.example.Cache.SIZE]";
        let (call, _) = Call::parse("Cache.size@17", location).expect("a call");
        assert_eq!(call.access(READ), "read of Cache.size@17 by VarHandle.getVolatile");
        assert_eq!(call.operation(READ), "read Cache.size@17");
        assert!(call.is_of_atomic() && call.receiver.is_none());
        let (element, _) = Call::parse("int[]@17[3]", location).expect("a call");
        assert_eq!(element.access(READ), "read of the target of VarHandle (field Cache.SIZE) by getVolatile");
    }

    #[test]
    fn what_is_accessed_at_an_offset_is_called_like_any_field() {
        let location = "com.example.Cache.put:12 [Unsafe.compareAndSwapInt of com.example.Cache.UNSAFE]";
        let (call, _) = Call::parse("Cache.size@17", location).expect("a call");
        assert_eq!(call.access(WRITE), "write of Cache.size@17 by Unsafe.compareAndSwapInt");
        assert_eq!(call.operation(WRITE), "write Cache.size@17");
        assert!(call.is_update() && !call.is_of_handle());
        let (unknown, _) = Call::parse("Unsafe@17", location).expect("a call");
        assert_eq!(unknown.access(WRITE), "write of Unsafe (field Cache.UNSAFE) by compareAndSwapInt");
        assert_eq!(
            (unknown.operation(WRITE).as_str(), unknown.receiver),
            ("write UNSAFE.compareAndSwapInt()", Some(17))
        );
        let named = Call::new("Unsafe", "putInt").of_target("number com.example.Cache.size");
        assert_eq!(named.access(WRITE), "write of com.example.Cache.size by Unsafe.putInt");
        assert_eq!((named.operation(WRITE).as_str(), named.is_number), ("write Cache.size", true));
    }

    #[test]
    fn what_threads_hand_over_is_told_by_the_call_of_the_program() {
        let location = "com.example.Cache.load:12 [CompletableFuture.complete of com.example.Cache.reply]";
        let (call, _) = Call::parse("result of a future@17", location).expect("a call");
        let words = "write of the result of CompletableFuture (field Cache.reply) by complete";
        assert_eq!((call.access(WRITE).as_str(), call.handed()), (words, Some(Hand::Result)));
        assert_eq!(call.operation(WRITE), "write reply.complete()");
        let put = |part| Call { part, ..call_of_queue() };
        assert_eq!(put(None).handed(), Some(Hand::Element));
        assert_eq!(put(Some("part 3".to_owned())).handed(), None);
    }

    fn call_of_queue() -> Call {
        call("ArrayBlockingQueue", "put", None)
    }

    #[test]
    fn a_lock_that_readers_share_is_acquired_and_released() {
        let lock = call("ReentrantReadWriteLock", "tryLock", None);
        assert_eq!(lock.access(READ), "acquire of ReentrantReadWriteLock (field Cache.map), shared, by tryLock");
        assert_eq!(lock.operation(WRITE), "acquire map, exclusive");
        let unlock = call("StampedLock", "unlockWrite", None);
        assert_eq!(unlock.access(WRITE), "release of StampedLock (field Cache.map), exclusive, by unlockWrite");
    }

    #[test]
    fn other_events_of_a_trace_are_no_calls() {
        for location in ["", "Cache.java:12", "12", "a.B.sort by name:3", "]", "a.B.c:1 []", "a.B.c:1 [d]"] {
            assert_eq!(Call::parse("HashMap@16", location), None, "{location}");
        }
    }
}
