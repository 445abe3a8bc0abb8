//! The effects of a call, derived from its object, its name and its result.

mod keyed;
mod others;
mod passed;
mod plain;
mod queues;

use std::collections::{BTreeMap, BTreeSet};

use analysis_core::protocol::permits::Semaphore;

use super::kinds::Kind;
use super::{Call, Sequence, THREADS};

/// The number of keys of a map, including those with a mark.
const KEYS: u32 = 8;

/// A variable of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Its whole state.
    Whole,
    /// What belongs to one key, or one element of an array.
    Key(u32),
    /// What one thread has added to a sum or to the number of keys.
    Share(u32),
    /// What one thread has put into a queue.
    Added(u32),
    /// What one thread has taken out of a queue.
    Taken(u32),
    /// An element that is handed over through a queue.
    Element(u32),
    /// What one event signals to the events that see it.
    Signal(usize),
}

/// An access that a call makes.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The variable.
    pub part: Part,
    /// Whether it is a write.
    pub is_write: bool,
    /// Whether the agent must see it. Accesses that it may miss are in the list of what is not seen.
    pub is_certain: bool,
    /// Its object, if that is not the receiver of the call.
    pub object: Option<usize>,
}

/// A thread's iterator.
#[derive(Clone, Copy)]
struct Iterator {
    made: usize,
    /// The event of its last step, or of its creation.
    step: usize,
    steps: u32,
    key: Option<u32>,
    /// Whether it belongs to a view or its class has a model.
    is_followed: bool,
}

/// The state of an object during the calls.
struct Object {
    kind: Kind,
    iterators: BTreeMap<u32, Iterator>,
    /// The threads that have looked at the queue in their current block.
    looked: BTreeSet<u32>,
    /// Writes of a part by threads, and whether a key was removed.
    writes: Vec<(usize, u32, Part, bool)>,
    /// How often each thread holds each lock.
    holds: BTreeMap<u32, [u32; 2]>,
    /// Events that others come after.
    signals: Vec<usize>,
    /// The keys that calls have used. A call that looks at all keys looks at no others.
    used: BTreeSet<u32>,
    count: u32,
    completed: Option<usize>,
    permits: Semaphore,
    /// Whether a call has failed. Its effects are not known.
    has_failed: bool,
}

/// The objects of a sequence.
pub struct Objects {
    objects: Vec<Object>,
    in_block: BTreeSet<u32>,
    /// By thread and object: the thread's last call that is no step of its iterator of that object.
    others: BTreeMap<(u32, usize), usize>,
}

impl Objects {
    /// The state before the first call.
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

    /// Returns the accesses of the call number `at` of a thread, given what it returned.
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
            // A failed call is no event. What it did before it failed is not known, nor where an iterator is then.
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

/// A call and the accesses found for it.
struct Done<'a> {
    accesses: Vec<Access>,
    at: usize,
    thread: u32,
    result: &'a str,
    /// Whether the call has changed the order of a map's keys, or an entry is in the map.
    is_marked: bool,
    /// The thread's last call before this one that is no step of the same iterator. It may have made the thread depend on others.
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

    /// Accesses the shares of all threads, or what all threads have put in or taken out.
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

    /// The number after the letter in the result. For a key with a mark, the number of that key.
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
}
