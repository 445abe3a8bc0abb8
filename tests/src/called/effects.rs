//! What a call does, by its object, its name and its result.

use std::collections::{BTreeMap, BTreeSet};

use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::permits::Semaphore;

use super::kinds::Kind;
use super::{Call, Sequence, THREADS};

/// Keys of a map, those with a mark included.
const KEYS: u32 = 8;

/// A variable of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Its whole state.
    Whole,
    /// What belongs to one key, or one element of an array.
    Key(u32),
    /// What one thread has added to a sum, or to the number of keys.
    Share(u32),
    /// What one thread has put into a queue.
    Added(u32),
    /// What one thread has taken out.
    Taken(u32),
    /// An element that is handed over.
    Element(u32),
    /// What one event signals to those that come to know of it.
    Signal(usize),
}

/// An access of a call.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The variable.
    pub part: Part,
    /// It is a write.
    pub is_write: bool,
    /// The agent must see it. What it need not see is in the list of what is not seen.
    pub is_certain: bool,
    /// Its object, if that is not the one that is called.
    pub object: Option<usize>,
}

/// An iterator that a thread has.
#[derive(Clone, Copy)]
struct Iterator {
    made: usize,
    /// Its last step, or where it was made.
    step: usize,
    steps: u32,
    key: Option<u32>,
    /// A view's, or one whose class has a model.
    is_followed: bool,
}

/// What is known of an object while the calls go on.
struct Object {
    kind: Kind,
    iterators: BTreeMap<u32, Iterator>,
    /// The threads that have looked at a queue in the block in which they are.
    looked: BTreeSet<u32>,
    /// Writes of a part by threads, and whether a key was removed.
    writes: Vec<(usize, u32, Part, bool)>,
    /// How often threads hold a lock.
    holds: BTreeMap<u32, [u32; 2]>,
    /// Events that others come after.
    signals: Vec<usize>,
    /// Keys that calls have used. One that looks at all keys looks at no others.
    used: BTreeSet<u32>,
    count: u32,
    completed: Option<usize>,
    permits: Semaphore,
    /// A call has failed, and nobody knows whether it goes on.
    has_failed: bool,
}

/// The objects of a sequence.
pub struct Objects {
    objects: Vec<Object>,
    in_block: BTreeSet<u32>,
    /// By thread and object: the last call that is no step of the iterator which the thread has of that object.
    others: BTreeMap<(u32, usize), usize>,
}

impl Objects {
    /// Before the first call.
    pub fn of(sequence: &Sequence) -> Objects {
        let object = |(class, size): &(&str, u32)| Object {
            kind: Kind::of(class),
            iterators: BTreeMap::new(),
            looked: BTreeSet::new(),
            writes: Vec::new(),
            holds: BTreeMap::new(),
            signals: Vec::new(),
            used: (0..*size).collect(),
            count: 2,
            completed: None,
            permits: Semaphore::of(1),
            has_failed: false,
        };
        Objects {
            objects: sequence.objects.iter().map(object).collect(),
            in_block: BTreeSet::new(),
            others: BTreeMap::new(),
        }
    }

    /// A thread enters its block.
    pub fn enter(&mut self, thread: u32) {
        self.in_block.insert(thread);
        self.forget(thread);
    }

    /// A thread leaves its block.
    pub fn leave(&mut self, thread: u32) {
        self.in_block.remove(&thread);
        self.forget(thread);
    }

    fn forget(&mut self, thread: u32) {
        for object in &mut self.objects {
            object.looked.remove(&thread);
        }
    }

    /// What the call with the number `at` of a thread did, which returned this.
    pub fn done(&mut self, at: usize, thread: u32, call: &Call, result: &str) -> Vec<Access> {
        let plain = result.strip_suffix('~');
        let is_marked = plain.is_some();
        let result = plain.unwrap_or(result);
        let other = self.others.get(&(thread, call.object)).copied();
        let is_step = call.name.ends_with(".next") || call.name.ends_with(".hasNext");
        for object in (0..self.objects.len()).filter(|object| !is_step || *object != call.object) {
            self.others.insert((thread, object), at);
        }
        let mut done = Done { accesses: Vec::new(), at, thread, result, is_marked, other };
        if result == "skipped" {
            return done.accesses;
        }
        if let Some(name) = call.name.strip_prefix("between.") {
            let argument = call.a as usize;
            let receiver = self.objects[call.object].kind;
            let is_in_block = self.in_block.contains(&thread);
            self.objects[argument].passed(&mut done, receiver, name, is_in_block);
            for access in &mut done.accesses {
                access.object = Some(argument);
            }
            let of = self.objects[argument].kind;
            self.objects[call.object].passes(&mut done, of, name, is_in_block);
            if result.starts_with('!') {
                done.accesses.iter_mut().for_each(|access| access.is_certain = false);
            }
        } else if result.starts_with('!') {
            // What failed is no event. What it has done before is not known, nor where an iterator is then.
            if let Some(iterator) = self.objects[call.object].iterators.get_mut(&thread) {
                iterator.is_followed &= !call.name.ends_with(".next");
            }
            self.objects[call.object].has_failed = true;
            self.objects[call.object].perhaps_all(&mut done);
        } else {
            let is_in_block = self.in_block.contains(&thread);
            self.objects[call.object].call(&mut done, call, is_in_block);
        }
        let Done { accesses, .. } = done;
        for access in &accesses {
            let object = &mut self.objects[access.object.unwrap_or(call.object)];
            if let (Part::Key(key), true) = (access.part, call.names_keys() && !result.starts_with('!')) {
                object.used.insert(key);
            }
        }
        for access in accesses.iter().filter(|access| access.is_write) {
            let is_removal = call.name.contains("remove")
                || call.name.contains("poll")
                || call.name.contains("clear")
                || call.name.contains("retain");
            self.objects[access.object.unwrap_or(call.object)].writes.push((at, thread, access.part, is_removal));
        }
        accesses
    }
}

/// What a call with an argument has done with that.
enum Look {
    /// It has looked at all of it.
    All,
    /// It has found something in it, and perhaps stopped there.
    Some,
    /// It has asked for its size, and perhaps more.
    Size,
    /// It has asked whether something is in it.
    Asked,
    /// Nobody knows.
    Unknown,
    /// Nothing.
    Nothing,
}

/// Collections and what has such a one inside that can be asked whether they are empty.
const QUIET: &[&str] = &[
    "ArrayList",
    "LinkedList",
    "CopyOnWriteArrayList",
    "SynchronizedList",
    "HashSet",
    "LinkedHashSet",
    "CopyOnWriteArraySet",
    "SynchronizedSet",
    "ArrayDeque",
    "PriorityQueue",
    "LinkedListQueue",
];

/// How a call of such an object looks at its argument, which can be of another kind.
fn look(receiver: Kind, argument: Kind, name: &str, done: &Done<'_>) -> Look {
    let is_so = done.is("true");
    let is_hash_or_tree = matches!(receiver, Kind::Set(name) if name != "CopyOnWriteArraySet");
    let is_all_if = |is_so, otherwise| if is_so { Look::All } else { otherwise };
    match name {
        "containsAll" => is_all_if(is_so, Look::Some),
        "removeAll" if is_hash_or_tree => Look::Size,
        "removeAll" if receiver.name() == "ConcurrentSkipListSet" => Look::All,
        "removeAll" | "retainAll" if is_so || done.is("kept") && QUIET.contains(&receiver.name()) => Look::Asked,
        "removeAll" | "retainAll" => Look::Unknown,
        "equals" if receiver.is_list() && argument.is_list() => Look::All,
        "equals" if receiver.is_set() && argument.is_set() => {
            is_all_if(is_so, if is_hash_or_tree { Look::Size } else { Look::Some })
        }
        "equals" => Look::Nothing,
        "equalsMap" if matches!(receiver, Kind::ConcurrentMap(_)) => is_all_if(is_so, Look::Asked),
        // It has a class of the program inside, which could have overridden what this calls.
        "equalsMap" if receiver.name() == "SynchronizedCache" => Look::Unknown,
        "equalsMap" => Look::Size,
        // It asks for the size first, and so for nothing else if that is zero.
        "addAll" if receiver.name() == "SubList" => is_all_if(is_so, Look::Size),
        "drainTo" => Look::Nothing,
        _ => Look::All,
    }
}

/// A call, and what it is found to have done.
struct Done<'a> {
    accesses: Vec<Access>,
    at: usize,
    thread: u32,
    result: &'a str,
    /// The order of a map's keys is another one after the call, or an entry is in the map.
    is_marked: bool,
    /// The thread's last call before this one that is no step of the same iterator. It can have come to depend on other threads by that.
    other: Option<usize>,
}

impl Done<'_> {
    fn access(&mut self, part: Part, is_write: bool, is_certain: bool) {
        self.accesses.push(Access { part, is_write, is_certain, object: None });
    }

    fn read(&mut self, part: Part) {
        self.access(part, false, true);
    }

    fn write(&mut self, part: Part) {
        self.access(part, true, true);
    }

    fn perhaps(&mut self, part: Part, is_write: bool) {
        self.access(part, is_write, false);
    }

    fn write_if(&mut self, part: Part, is_so: bool) {
        self.access(part, is_so, true);
    }

    /// The shares of all threads, or what they have put in or taken out.
    fn of_all(&mut self, part: fn(u32) -> Part, is_write: bool, is_certain: bool) {
        for thread in 0..=THREADS {
            self.access(part(thread), is_write, is_certain);
        }
    }

    fn keys(&mut self, is_write: bool, is_certain: bool) {
        for key in 0..KEYS {
            self.access(Part::Key(key), is_write, is_certain);
        }
    }

    fn is(&self, result: &str) -> bool {
        self.result == result
    }

    /// The number behind a letter in the result; of a key with a mark, the key's.
    fn number(&self) -> Option<u32> {
        let number = self.result.get(1..)?;
        match number.strip_suffix('\'') {
            Some(marked) => Some(4 + marked.parse::<u32>().ok()?),
            None => number.parse().ok(),
        }
    }
}

impl Object {
    fn call(&mut self, done: &mut Done<'_>, call: &Call, is_in_block: bool) {
        match self.kind {
            Kind::List(_) | Kind::Set(_) | Kind::Map(_) | Kind::Queue(_) => self.plain(done, call),
            Kind::ConcurrentSet(_) => self.concurrent_set(done, call),
            Kind::ConcurrentMap(_) => self.concurrent_map(done, call),
            Kind::ConcurrentQueue(_) => self.concurrent_queue(done, call, is_in_block),
            Kind::Other(_) => self.other(done, call),
        }
    }

    fn is_snapshot(&self) -> bool {
        self.kind.name().starts_with("CopyOnWrite")
    }

    fn make_iterator(&mut self, done: &Done<'_>, is_followed: bool) {
        let iterator = Iterator { made: done.at, step: done.at, steps: 0, key: None, is_followed };
        self.iterators.insert(done.thread, iterator);
    }

    fn plain(&mut self, done: &mut Done<'_>, call: &Call) {
        let (group, name) = call.name.split_once('.').expect("a group");
        let is_so = done.is("true");
        let is_there = !done.is("null");
        if group == "entry" {
            self.entry(done, name);
            return;
        }
        match name {
            "iterator" | "listIterator" | "iteratorOfKeys" | "iteratorOfEntries" => {
                if self.is_snapshot() {
                    done.read(Part::Whole);
                }
                self.make_iterator(done, true);
            }
            "next" | "nextOfList" | "previousOfList" if self.is_snapshot() => {}
            "hasNext" => {
                let looks =
                    ["ArrayList", "LinkedList", "Vector", "SynchronizedList", "PriorityQueue", "LinkedListQueue"];
                done.access(Part::Whole, false, looks.contains(&self.kind.name()));
            }
            "add" | "remove" if group == "queue" => done.write(Part::Whole),
            "add"
            | "removeIf"
            | "addAll"
            | "addAllOfTwo"
            | "removeAll"
            | "retainAll"
            | "offer"
            | "offerFirst"
            | "removeOfKeys"
            | "removeOfDescending"
            | "removeFirstOccurrence"
            | "removeOf"
            | "replaceOf" => done.write_if(Part::Whole, is_so),
            "remove" if group == "collection" => done.write_if(Part::Whole, is_so),
            "remove" | "replace" | "computeIfPresent" | "compute" | "merge" | "poll" | "pollFirst" | "pollLast"
            | "pollFirstEntry" => {
                done.write_if(Part::Whole, is_there);
            }
            "putIfAbsent" => done.write_if(Part::Whole, !is_there),
            // It can have been given nothing.
            "addAllOfArray" => done.access(Part::Whole, is_so, is_so),
            "computeIfAbsent" => {
                done.read(Part::Whole);
                done.perhaps(Part::Whole, true);
            }
            "drainTo" => {}
            "addAt" | "set" | "removeAt" | "sort" | "replaceAll" | "clear" | "clearSubList" | "clearOfKeys"
            | "setOfList" | "addOfList" | "removeOfIterator" | "put" | "putAll" | "addLast" | "push" | "pop" => {
                done.write(Part::Whole)
            }
            _ => done.read(Part::Whole),
        }
        if done.is_marked && matches!(name, "get" | "getOrDefault" | "putIfAbsent" | "computeIfAbsent") {
            self.moved(done);
        }
    }

    /// The call has moved what it has found in a map in the order of accesses.
    fn moved(&self, done: &mut Done<'_>) {
        if matches!(self.kind.name(), "OrderedByAccess" | "SynchronizedCache") {
            done.access(Part::Whole, true, !self.has_failed);
        }
    }

    /// A call of an entry, which concerns the map if the entry is there.
    fn entry(&self, done: &mut Done<'_>, name: &str) {
        match name {
            "get" | "set" | "keep" if !done.is_marked => {}
            "set" | "setAll" if done.is_marked => done.write(Part::Whole),
            _ => done.read(Part::Whole),
        }
    }

    /// True if another thread has written the part since an event.
    fn is_written(&self, done: &Done<'_>, is: impl Fn(Part) -> bool, since: usize, removed: bool) -> bool {
        self.writes.iter().any(|(at, thread, part, is_removal)| {
            *at > since && *thread != done.thread && is(*part) && (*is_removal || !removed)
        })
    }

    /// A step of an iterator over keys. What others have written since the step before may have come before or after.
    fn step(&mut self, done: &mut Done<'_>, name: &str) {
        let Some(iterator) = self.iterators.get(&done.thread).copied() else { return };
        let is_over = name == "hasNext" && done.is("false");
        let sure = iterator.is_followed && done.other.is_none_or(|other| other <= iterator.step);
        if name == "removeOfIterator" {
            if let Some(key) = iterator.key {
                done.perhaps(Part::Key(key), true);
            }
            done.perhaps(Part::Share(done.thread), true);
            return;
        }
        if name == "next" && iterator.steps == 0 || is_over {
            let is_changed = self.is_written(done, |part| matches!(part, Part::Share(_)), iterator.step, false);
            done.of_all(Part::Share, false, sure && !is_changed);
        }
        if is_over {
            done.keys(false, false);
        }
        if name != "next" {
            return;
        }
        let key = done.number();
        if let Some(key) = key {
            let is = |part| part == Part::Key(key);
            let is_changed =
                self.is_written(done, is, iterator.step, false) || self.is_written(done, is, iterator.made, true);
            done.access(Part::Key(key), false, sure && !is_changed);
        }
        let known = self.iterators.get_mut(&done.thread).expect("it was there");
        *known = Iterator { step: done.at, steps: iterator.steps + 1, key, ..*known };
    }

    fn all(&self, done: &mut Done<'_>, is_certain: bool) {
        for key in 0..KEYS {
            done.access(Part::Key(key), false, is_certain && self.used.contains(&key));
        }
        done.of_all(Part::Share, false, is_certain);
    }

    /// The key that a call returns, and the number of keys.
    fn returned(done: &mut Done<'_>) {
        if let Some(key) = done.number().filter(|_| !done.is("null")) {
            done.read(Part::Key(key));
        }
        done.of_all(Part::Share, false, true);
    }

    fn removed_first(done: &mut Done<'_>) {
        Object::returned(done);
        if let Some(key) = done.number().filter(|_| !done.is("null")) {
            done.perhaps(Part::Key(key), true);
            done.write(Part::Share(done.thread));
        }
    }

    /// A change of one key if that is so, otherwise a look at it.
    fn change(done: &mut Done<'_>, key: u32, is_changed: bool, is_counted: bool) {
        done.write_if(Part::Key(key), is_changed);
        if is_changed {
            done.access(Part::Share(done.thread), true, is_counted);
        }
    }

    fn concurrent_set(&mut self, done: &mut Done<'_>, call: &Call) {
        let is_so = done.is("true");
        let (key, other) = (call.a, 4 + call.b);
        let class = self.kind.name();
        let (_, name) = call.name.split_once('.').expect("a group");
        match name {
            "add" | "remove" | "addAll" | "removeOfDescending" => Object::change(done, key, is_so, true),
            "addAllOfArray" => {
                done.perhaps(Part::Key(key), is_so);
                done.perhaps(Part::Share(done.thread), is_so);
            }
            "removeAll" => Object::change(done, key, is_so, class == "ConcurrentSkipListSet"),
            "contains" => done.read(Part::Key(key)),
            "containsOfHeadSet" => done.access(Part::Key(key), false, key < 2),
            "size" | "isEmpty" => done.of_all(Part::Share, false, true),
            "clear" => {
                done.of_all(Part::Share, true, true);
                done.keys(true, false);
            }
            "toArray" | "forEach" | "hashCode" => self.all(done, true),
            "count" => self.all(done, class != "SetFromMap"),
            "anyMatch" => self.all(done, class != "SetFromMap" && !is_so),
            "removeIf" => {
                self.all(done, true);
                done.perhaps(Part::Key(key), is_so);
                done.perhaps(Part::Share(done.thread), is_so);
            }
            "retainAll" => {
                self.all(done, true);
                done.keys(true, false);
                done.perhaps(Part::Share(done.thread), true);
            }
            "addAllOfTwo" => {
                for key in [key, other] {
                    done.read(Part::Key(key));
                    done.perhaps(Part::Key(key), is_so);
                }
                if is_so {
                    done.write(Part::Share(done.thread));
                }
            }
            "containsAll" => done.access(Part::Key(key), false, is_so),
            "iterator" => self.make_iterator(done, class != "SetFromMap"),
            "first" | "last" | "floor" | "higher" => Object::returned(done),
            "pollFirst" | "pollLast" => Object::removed_first(done),
            _ => self.step(done, name),
        }
    }

    fn concurrent_map(&mut self, done: &mut Done<'_>, call: &Call) {
        let is_so = done.is("true");
        let is_there = !done.is("null");
        let key = call.a;
        let (_, name) = call.name.split_once('.').expect("a group");
        match name {
            "get" | "getOrDefault" | "containsKey" | "containsOfKeys" | "getOfTailMap" | "containsOfDescending" => {
                done.read(Part::Key(key))
            }
            "put" => {
                done.write(Part::Key(key));
                if !is_there {
                    done.write(Part::Share(done.thread));
                }
            }
            "putIfAbsent" => Object::change(done, key, !is_there, true),
            "remove" => Object::change(done, key, is_there, true),
            "removeOf" | "removeOfKeys" => Object::change(done, key, is_so, true),
            "replace" | "computeIfPresent" => done.write_if(Part::Key(key), is_there),
            "replaceOf" => done.write_if(Part::Key(key), is_so),
            "compute" | "merge" | "putAll" => {
                done.write(Part::Key(key));
                done.perhaps(Part::Share(done.thread), true);
            }
            "computeIfAbsent" => {
                done.read(Part::Key(key));
                done.perhaps(Part::Key(key), true);
                done.perhaps(Part::Share(done.thread), true);
            }
            "size" | "isEmpty" | "sizeOfValues" | "isEmptyOfEntries" => done.of_all(Part::Share, false, true),
            "clear" | "clearOfKeys" => {
                done.of_all(Part::Share, true, true);
                done.keys(true, false);
            }
            "containsValue" => self.all(done, !is_so),
            "forEach" | "hashCode" | "toArrayOfValues" | "countOfEntries" => self.all(done, true),
            "replaceAll" => {
                self.all(done, true);
                done.keys(true, false);
            }
            "iteratorOfKeys" | "iteratorOfEntries" => self.make_iterator(done, true),
            "firstKey" | "lastEntry" | "ceilingKey" | "lowerEntry" => Object::returned(done),
            "pollFirstEntry" => Object::removed_first(done),
            _ => self.step(done, name),
        }
    }

    /// A look at what was taken out, or at everything.
    fn look(&mut self, done: &mut Done<'_>, is_whole: bool, is_certain: bool) {
        done.of_all(Part::Taken, false, is_certain);
        if is_whole {
            done.of_all(Part::Added, false, is_certain);
        }
        self.looked.insert(done.thread);
    }

    fn put_in(&self, done: &mut Done<'_>, element: u32) {
        done.write(Part::Element(element));
        self.added(done);
    }

    fn added(&self, done: &mut Done<'_>) {
        if self.looked.contains(&done.thread) {
            done.of_all(Part::Added, false, true);
        }
        done.write(Part::Added(done.thread));
    }

    fn take_out(&self, done: &mut Done<'_>, element: Option<u32>, is_certain: bool) {
        if let Some(element) = element {
            done.access(Part::Element(element), false, is_certain);
        }
        if self.looked.contains(&done.thread) {
            done.of_all(Part::Taken, false, is_certain);
        }
        done.access(Part::Taken(done.thread), true, is_certain);
    }

    fn concurrent_queue(&mut self, done: &mut Done<'_>, call: &Call, is_in_block: bool) {
        let is_so = done.is("true");
        let is_there = !done.is("null");
        // What another collection has handed on is none that the call names.
        let element = done.number().filter(|_| done.result.starts_with('e'));
        let is_snapshot = self.kind.name() == "PriorityBlockingQueue";
        let (_, name) = call.name.split_once('.').expect("a group");
        match name {
            "offer" | "add" | "offerFirst" if is_so => self.put_in(done, call.a),
            "addLast" | "push" => self.put_in(done, call.a),
            "poll" | "remove" | "pollFirst" | "pollLast" | "pop" | "drainTo" if is_there => {
                self.take_out(done, element, true);
            }
            "peek" | "element" | "peekFirst" | "peekLast" if is_there => {
                element.into_iter().for_each(|element| done.read(Part::Element(element)));
                self.look(done, false, true);
            }
            "isEmpty" => self.look(done, is_so, true),
            "removeOf" | "removeFirstOccurrence" if is_so => self.take_out(done, Some(call.a), true),
            "removeIf" if is_so => self.take_out(done, None, true),
            "clear" => self.take_out(done, None, true),
            "iterator" => {
                if is_snapshot {
                    self.look(done, true, true);
                }
                self.make_iterator(done, !is_snapshot);
            }
            "next" | "hasNext" | "removeOfIterator" => self.queue_step(done, name),
            _ => self.look(done, true, true),
        }
        if !is_in_block {
            self.looked.remove(&done.thread);
        }
    }

    fn queue_step(&mut self, done: &mut Done<'_>, name: &str) {
        let Some(iterator) = self.iterators.get(&done.thread).copied().filter(|iterator| iterator.is_followed) else {
            return;
        };
        let is_over = name == "hasNext" && done.is("false");
        if name == "removeOfIterator" {
            self.take_out(done, None, false);
        } else if is_over || name == "next" && iterator.steps == 0 {
            let is_part = |part| matches!(part, Part::Taken(_) | Part::Added(_));
            let is_changed = self.is_written(done, is_part, iterator.step, false);
            let is_sure = !is_changed && done.other.is_none_or(|other| other <= iterator.step);
            self.look(done, is_over, is_sure);
        }
        if name == "next" {
            let known = self.iterators.get_mut(&done.thread).expect("it was there");
            *known = Iterator { step: done.at, steps: iterator.steps + 1, ..*known };
        }
    }

    fn other(&mut self, done: &mut Done<'_>, call: &Call) {
        let is_so = done.is("true");
        match call.name {
            "atomic.compareAndExchange" | "holder.updateOfUpdater" => {
                done.read(Part::Whole);
                done.perhaps(Part::Whole, true);
            }
            // One that has failed has no effect.
            "atomic.compareAndSet" | "holder.compareAndSetOfHandle" | "array.compareAndSet" if !is_so => {}
            "atomic.compareAndSet" | "holder.compareAndSetOfHandle" => done.write(Part::Whole),
            "array.compareAndSet" => done.write(Part::Key(call.a)),
            "atomic.get" | "holder.get" | "holder.getOfHandle" | "holder.getOfUpdater" => done.read(Part::Whole),
            "array.get" => done.read(Part::Key(call.a)),
            "adder.increment" => done.write(Part::Share(done.thread)),
            "adder.sum" | "adder.intValue" => done.of_all(Part::Share, false, true),
            "adder.sumThenReset" => done.of_all(Part::Share, true, true),
            "lock.tryLock" | "locks.tryWrite" | "locks.tryRead" if !is_so => {}
            "lock.unlock" | "locks.unlockRead" | "locks.unlockWrite" if !is_so => {}
            "lock.tryLock" | "lock.unlock" | "locks.tryWrite" | "locks.unlockWrite" => self.hold(done, call, 0),
            "locks.tryRead" | "locks.unlockRead" => self.hold(done, call, 1),
            "latch.countDown" => {
                if self.count > 0 {
                    self.count -= 1;
                    self.signals.push(done.at);
                    done.write(Part::Signal(done.at));
                }
            }
            "latch.getCount" => {
                let signals = if self.count == 0 { &self.signals[..] } else { &[] };
                signals.iter().for_each(|signal| done.read(Part::Signal(*signal)));
            }
            "semaphore.tryAcquire" if is_so => {
                let attempt = self.permits.attempt();
                for stamp in self.permits.acquire(attempt, 1) {
                    done.read(Part::Signal(stamp.position() as usize - 1));
                }
            }
            "semaphore.tryAcquire" => {}
            "semaphore.release" => {
                self.permits.release(Stamp::new(ThreadId(done.thread), done.at as u64 + 1), 1);
                done.write(Part::Signal(done.at));
            }
            "buffer.deleteNothing" => done.perhaps(Part::Whole, false),
            "buffer.append" | "buffer.insert" | "buffer.delete" | "buffer.setLength" => done.write(Part::Whole),
            name if name.starts_with("buffer.") => done.read(Part::Whole),
            name if name.starts_with("future.") => self.future(done, name),
            name if name.starts_with("array.") => done.write(Part::Key(call.a)),
            _ => done.write(Part::Whole),
        }
    }

    /// A lock is taken or given back. What a thread does that holds it anyway says nothing more.
    fn hold(&mut self, done: &mut Done<'_>, call: &Call, which: usize) {
        let holds = &mut self.holds.entry(done.thread).or_default()[which];
        let is_outermost = if call.name.contains("try") {
            *holds += 1;
            *holds == 1
        } else {
            *holds -= 1;
            *holds == 0
        };
        done.access(Part::Whole, which == 0, is_outermost);
    }

    fn future(&mut self, done: &mut Done<'_>, name: &str) {
        let sees = match name {
            "future.complete" | "future.cancel" if done.is("true") => {
                self.completed = Some(done.at);
                for registered in &self.signals {
                    done.read(Part::Signal(*registered));
                }
                return done.write(Part::Signal(done.at));
            }
            "future.whenComplete" if done.is("registered") => {
                self.signals.push(done.at);
                return done.write(Part::Signal(done.at));
            }
            "future.isDone" => done.is("true"),
            _ => true,
        };
        if let Some(completed) = self.completed.filter(|_| sees) {
            done.read(Part::Signal(completed));
        }
    }

    /// What a call of such an object does with this one, which is its argument.
    fn passed(&mut self, done: &mut Done<'_>, receiver: Kind, name: &str, is_in_block: bool) {
        let had_looked = self.looked.contains(&done.thread);
        let how = look(receiver, self.kind, name, done);
        match (&how, self.kind) {
            (Look::Nothing, _) if name == "drainTo" => {
                if !done.is("null") {
                    done.write(Part::Whole);
                }
            }
            (Look::Nothing, _) => {}
            (_, Kind::ConcurrentSet(_) | Kind::ConcurrentMap(_)) => {
                self.all(done, matches!(how, Look::All));
                if matches!(how, Look::Some | Look::Size) {
                    done.of_all(Part::Share, false, true);
                }
            }
            (Look::Some, Kind::ConcurrentQueue(_)) => self.look(done, false, true),
            (_, Kind::ConcurrentQueue(_)) => self.look(done, true, !matches!(how, Look::Unknown)),
            _ => done.access(Part::Whole, false, !matches!(how, Look::Unknown)),
        }
        if !is_in_block || matches!(how, Look::Unknown) && !had_looked || done.result.starts_with('!') && !had_looked {
            self.looked.remove(&done.thread);
        }
    }

    /// What a call does with this object that has another one as its argument.
    fn passes(&mut self, done: &mut Done<'_>, argument: Kind, name: &str, is_in_block: bool) {
        let had_looked = self.looked.contains(&done.thread);
        let is_so = done.is("true");
        let is_keyed = matches!(self.kind, Kind::ConcurrentSet(_) | Kind::ConcurrentMap(_));
        let is_queue = matches!(self.kind, Kind::ConcurrentQueue(_));
        let is_equal = self.kind.is_list() && argument.is_list() || self.kind.is_set() && argument.is_set();
        let mut is_known = true;
        match name {
            "addAll" | "removeAll" if is_keyed => {
                done.keys(true, false);
                let is_counted = is_so && (name == "addAll" || self.kind.name() == "ConcurrentSkipListSet");
                done.access(Part::Share(done.thread), true, is_counted);
            }
            "retainAll" if is_keyed => {
                self.all(done, true);
                done.keys(true, false);
                done.perhaps(Part::Share(done.thread), true);
            }
            "putAll" if is_keyed => {
                done.keys(true, false);
                done.perhaps(Part::Share(done.thread), true);
            }
            // They take a lock to say whether they are empty, so the agent does not ask.
            "putAll" => {
                let can_be_asked = !matches!(argument.name(), "Hashtable" | "SynchronizedCache");
                done.access(Part::Whole, true, is_so && can_be_asked);
            }
            "containsAll" if is_keyed => self.all(done, false),
            "equals" if is_keyed && is_equal => self.all(done, is_so),
            "equalsMap" if is_keyed => self.all(done, is_so),
            "equalsMap" => done.read(Part::Whole),
            "equals" if is_equal => done.read(Part::Whole),
            "addAll" if is_queue && is_so => self.added(done),
            // There was nothing to add.
            "addAll" if is_queue => {}
            "addAll" => done.access(Part::Whole, is_so, is_so),
            "drainTo" if !done.is("null") => {
                let element = done.number().filter(|_| done.result.starts_with('e'));
                self.take_out(done, element, true);
            }
            "drainTo" => self.look(done, true, true),
            "removeAll" | "retainAll" if is_queue && is_so => self.take_out(done, None, true),
            "removeAll" | "retainAll" if is_queue => self.look(done, true, true),
            "removeAll" | "retainAll" => done.write_if(Part::Whole, is_so),
            "containsAll" if is_queue => {
                is_known = !is_so;
                self.look(done, true, is_known);
            }
            "containsAll" => done.access(Part::Whole, false, !is_so),
            _ => {}
        }
        if !is_in_block || !had_looked && (!is_known || done.result.starts_with('!')) {
            self.looked.remove(&done.thread);
        }
    }

    /// A call that failed: perhaps it has done anything.
    fn perhaps_all(&mut self, done: &mut Done<'_>) {
        match self.kind {
            Kind::ConcurrentSet(_) | Kind::ConcurrentMap(_) => self.all(done, false),
            Kind::ConcurrentQueue(_) => {
                done.of_all(Part::Taken, false, false);
                done.of_all(Part::Added, false, false);
            }
            _ => done.perhaps(Part::Whole, false),
        }
    }
}
