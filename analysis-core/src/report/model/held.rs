//! What threads do under locks, according to a recorded trace: the locks that they hold at the events that a report names, and what is
//! accessed in the critical sections of these events.
//!
//! Only the threads of those events are followed, and of their sections only those under the locks that the events name. A lock that
//! readers share is a variable in a trace, which does not say how long it is held, so a thread that has used one is never known to hold no
//! lock.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::call::{Call, Hand};
use super::section;
use super::words::operand;
use crate::event::{Event, Op, VarId};
use crate::graph::accesses::at;
use crate::trace::symbols::Symbols;
use crate::trace::{Detail, one_line};

/// How many variables of a section are kept at most.
const MOST: usize = 1 << 12;

/// What a section does to a variable; in JSON, words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Did {
    /// It reads it.
    pub reads: bool,
    /// It writes it.
    pub writes: bool,
}

impl Did {
    /// What both do together.
    pub fn and(self, other: Did) -> Did {
        Did { reads: self.reads || other.reads, writes: self.writes || other.writes }
    }
}

/// What a section does to one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The name of the variable in the trace.
    pub variable: String,
    /// What is done to it.
    pub did: Did,
    /// The number of its first read.
    pub read: Option<u64>,
    /// The number of its first write.
    pub write: Option<u64>,
}

impl Accessed {
    /// The number of its first access.
    pub fn first(&self) -> Option<u64> {
        self.read.into_iter().chain(self.write).min()
    }
}

/// What a section accesses, in the order of the first accesses.
pub type Accesses = Vec<Accessed>;

/// The sections and the locks of the threads of some events.
pub(super) struct Held {
    /// By the name of a thread: the locks that its events name.
    wanted: HashMap<String, HashSet<String>>,
    threads: Vec<Option<Thread>>,
    /// By the name of a lock: its number here.
    locks: HashMap<String, u32>,
    names: Vec<String>,
    by_lock: Vec<Option<u32>>,
    by_variable: Vec<Variable>,
    /// By the number of an event: what its section accesses.
    sections: HashMap<u64, Accesses>,
    /// How many events wait for the end of their sections.
    waiting: usize,
}

/// What a variable of a trace stands for.
#[derive(Clone, Copy, Default)]
enum Variable {
    #[default]
    Unseen,
    Data,
    /// Something that threads hand over, which is not protected by a lock.
    Other,
    /// The sections under this lock.
    Sections(u32),
    /// A lock that readers share.
    SharedLock,
}

/// A thread that has one of the events.
#[derive(Default)]
struct Thread {
    holds: FxHashMap<u32, Hold>,
    /// How many locks it has taken.
    taken: u64,
    /// The names of the locks whose sections are wanted.
    wanted: HashSet<String>,
    /// Those among the wanted locks that it holds.
    open: Vec<u32>,
    /// Events before the section that they belong to, which begins with them.
    before: Vec<(u32, u64)>,
    /// Whether it has used a lock that readers share.
    shares: bool,
}

/// A lock that a thread holds.
struct Hold {
    order: u64,
    /// How often the thread has acquired it; 0 for a section that has written nothing so far.
    depth: u64,
    section: Section,
}

#[derive(Default)]
struct Section {
    places: FxHashMap<VarId, usize>,
    accesses: Vec<Noted>,
    /// The wanted events that belong to it.
    events: Vec<u64>,
}

/// [`Accessed`], while the trace is read.
struct Noted {
    variable: VarId,
    did: Did,
    read: Option<u64>,
    write: Option<u64>,
}

impl Section {
    fn note(&mut self, variable: VarId, did: Did, number: u64) {
        let next = self.accesses.len();
        if next == MOST && !self.places.contains_key(&variable) {
            return;
        }
        let place = *self.places.entry(variable).or_insert(next);
        let (read, write) = (did.reads.then_some(number), did.writes.then_some(number));
        match self.accesses.get_mut(place) {
            Some(known) => {
                known.did = known.did.and(did);
                known.read = known.read.or(read);
                known.write = known.write.or(write);
            }
            None => self.accesses.push(Noted { variable, did, read, write }),
        }
    }
}

impl Held {
    /// Follows the threads of these events.
    pub(super) fn of(events: &[Detail]) -> Held {
        let mut wanted: HashMap<String, HashSet<String>> = HashMap::new();
        for event in events {
            let name = operand(&event.operation);
            let lock = section::lock(name).unwrap_or(name);
            wanted.entry(event.thread.clone()).or_default().insert(lock.to_owned());
        }
        Held {
            wanted,
            threads: Vec::new(),
            locks: HashMap::new(),
            names: Vec::new(),
            by_lock: Vec::new(),
            by_variable: Vec::new(),
            sections: HashMap::new(),
            waiting: 0,
        }
    }

    /// Takes the next event, which has this number. For a wanted event, returns which locks its thread holds there, except one that the
    /// event is about.
    pub(super) fn step(
        &mut self,
        event: Event,
        number: u64,
        is_wanted: bool,
        symbols: &Symbols,
    ) -> Option<Vec<String>> {
        let index = event.thread.index();
        if self.threads.get(index).is_none_or(Option::is_none) {
            let name = symbols.thread(event.thread);
            let wanted = self.wanted.get(&*name)?.clone();
            *at(&mut self.threads, index) = Some(Thread { wanted, ..Thread::default() });
        }
        let lock = self.lock(event, symbols);
        if let Some(lock) = lock.filter(|_| is_wanted) {
            self.belongs(event, lock, number);
        }
        self.apply(event, lock, number, symbols);
        if !is_wanted {
            return None;
        }
        let thread = self.threads[index].as_ref()?;
        let mut held: Vec<(&Hold, u32)> = thread.holds.iter().map(|(lock, hold)| (hold, *lock)).collect();
        held.retain(|(_, held)| Some(*held) != lock);
        held.sort_unstable_by_key(|(hold, _)| hold.order);
        let names: Vec<String> = held.into_iter().map(|(_, lock)| one_line(&self.names[lock as usize])).collect();
        (!names.is_empty() || !thread.shares).then_some(names)
    }

    /// True if some of the events belong to sections that have not ended.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// What the sections of the events access, by number of the event.
    pub(super) fn sections(mut self, symbols: &Symbols) -> HashMap<u64, Accesses> {
        for index in 0..self.threads.len() {
            let Some(thread) = &mut self.threads[index] else { continue };
            let open = std::mem::take(&mut thread.holds);
            open.into_values().for_each(|hold| self.ended(hold.section, symbols));
        }
        self.sections
    }

    /// The lock that an event takes or gives up, or whose sections its variable stands for.
    fn lock(&mut self, event: Event, symbols: &Symbols) -> Option<u32> {
        match event.op {
            Op::Acquire(lock) | Op::Release(lock) => {
                let known = *at(&mut self.by_lock, lock.index());
                Some(known.unwrap_or_else(|| {
                    let number = self.number(&symbols.lock(lock));
                    self.by_lock[lock.index()] = Some(number);
                    number
                }))
            }
            Op::Read(variable) | Op::Write(variable) => match self.variable(variable, symbols) {
                Variable::Sections(lock) => Some(lock),
                _ => None,
            },
            _ => None,
        }
    }

    fn variable(&mut self, variable: VarId, symbols: &Symbols) -> Variable {
        let known = *at(&mut self.by_variable, variable.index());
        if !matches!(known, Variable::Unseen) {
            return known;
        }
        let name = symbols.var(variable);
        let class = name.split('@').next().unwrap_or(&name);
        let found = match section::lock(&name) {
            Some(lock) => Variable::Sections(self.number(lock)),
            None if Call::new(class, "").is_of_shared_lock() => Variable::SharedLock,
            None if Hand::of(class).is_some() => Variable::Other,
            None => Variable::Data,
        };
        self.by_variable[variable.index()] = found;
        found
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.locks.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("fewer locks than events");
        self.locks.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    /// Assigns a wanted event to the section that it is in, or that begins with it.
    fn belongs(&mut self, event: Event, lock: u32, number: u64) {
        let Some(thread) = &mut self.threads[event.thread.index()] else { return };
        match thread.holds.get_mut(&lock) {
            Some(hold) => hold.section.events.push(number),
            // An end without a beginning.
            None if matches!(event.op, Op::Release(_)) => return,
            None => thread.before.push((lock, number)),
        }
        self.waiting += 1;
    }

    fn apply(&mut self, event: Event, lock: Option<u32>, number: u64, symbols: &Symbols) {
        let variable = event.op.variable().map(|variable| (variable, self.variable(variable, symbols)));
        let Some(thread) = &mut self.threads[event.thread.index()] else { return };
        let ended = match (event.op, lock) {
            (Op::Acquire(_), Some(lock)) => {
                match thread.holds.get_mut(&lock) {
                    Some(hold) => hold.depth += 1,
                    None => thread.take(lock, &self.names, 1),
                }
                None
            }
            (Op::Release(_), Some(lock)) => match thread.holds.get_mut(&lock) {
                Some(hold) if hold.depth > 1 => {
                    hold.depth -= 1;
                    None
                }
                _ => thread.give(lock),
            },
            // Both ends of a section that writes nothing are reads.
            (Op::Read(_), Some(lock)) => match thread.holds.get(&lock) {
                Some(hold) if hold.depth > 0 => None,
                Some(_) => thread.give(lock),
                None => {
                    thread.take(lock, &self.names, 0);
                    None
                }
            },
            _ => {
                match variable {
                    Some((_, Variable::SharedLock)) => thread.shares = true,
                    Some((variable, Variable::Data)) => thread.access(variable, event.op, number),
                    _ => {}
                }
                None
            }
        };
        if let Some(section) = ended {
            self.ended(section, symbols);
        }
    }

    fn ended(&mut self, section: Section, symbols: &Symbols) {
        let named = |noted: &Noted| {
            let Noted { variable, did, read, write } = *noted;
            Accessed { variable: one_line(&symbols.var(variable)), did, read, write }
        };
        for number in section.events {
            self.waiting -= 1;
            self.sections.insert(number, section.accesses.iter().map(named).collect());
        }
    }
}

impl Thread {
    fn take(&mut self, lock: u32, names: &[String], depth: u64) {
        let mut section = Section::default();
        self.before.retain(|(its, number)| {
            let is_other = *its != lock;
            if !is_other {
                section.events.push(*number);
            }
            is_other
        });
        if self.wanted.contains(&names[lock as usize]) {
            self.open.push(lock);
        }
        self.taken += 1;
        self.holds.insert(lock, Hold { order: self.taken, depth, section });
    }

    fn give(&mut self, lock: u32) -> Option<Section> {
        self.open.retain(|open| *open != lock);
        Some(self.holds.remove(&lock)?.section)
    }

    fn access(&mut self, variable: VarId, op: Op, number: u64) {
        let did = Did { reads: matches!(op, Op::Read(_)), writes: matches!(op, Op::Write(_)) };
        for lock in &self.open {
            if let Some(hold) = self.holds.get_mut(lock) {
                hold.section.note(variable, did, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Stamp, ThreadId};
    use crate::report::model::details::{Details, Ends};
    use crate::trace::input::Input;

    const READ: Did = Did { reads: true, writes: false };
    const WRITE: Did = Did { reads: false, writes: true };

    /// What a trace says of these events of its first thread.
    fn read(trace: &str, numbers: &[u64]) -> Details {
        let input = Input::spool("a.std", trace.as_bytes()).expect("spooled");
        Details::read(&input, &numbers.iter().copied().collect(), |_, _| {}).expect("read")
    }

    fn section(details: &Details, number: u64) -> Option<Vec<(&str, Did)>> {
        let accesses = details.section(Stamp::new(ThreadId(0), number))?;
        Some(accesses.iter().map(|accessed| (accessed.variable.as_str(), accessed.did)).collect())
    }

    fn locks(details: &Details, number: u64) -> Option<Vec<&str>> {
        Some(details.event(number).locks.as_ref()?.iter().map(String::as_str).collect())
    }

    #[test]
    fn a_section_is_all_that_lies_between_the_outer_acquire_and_the_last_release() {
        let trace = "A|acq(l)|\nA|r(x)|\nA|acq(l)|\nA|w(x)|\nB|w(other)|\nA|rel(l)|\nA|acq(k)|\nA|w(y)|\nA|rel(k)|\nA|rel(l)|\nA|r(z)|\n";
        let details = read(trace, &[1, 6, 9]);
        let all = vec![("x", READ.and(WRITE)), ("y", WRITE)];
        assert_eq!(section(&details, 1), Some(all.clone()));
        assert_eq!(section(&details, 6), Some(all));
        assert_eq!(section(&details, 9), Some(vec![("y", WRITE)]));
    }

    #[test]
    fn a_section_that_writes_nothing_is_two_reads_of_its_variable() {
        let reads = "A|r(C@1.lock)|\nA|r(x)|\nA|r(C@1.lock)|\nA|r(y)|\n";
        let writes =
            "A|r(C@1.lock)|\nA|r(x)|\nA|w(C@1.lock)|\nA|acq(C@1)|\nA|w(x)|\nA|w(C@1.lock)|\nA|rel(C@1)|\nA|r(y)|\n";
        let at_once = "A|w(C@1.lock)|\nA|acq(C@1)|\nA|w(x)|\nA|w(C@1.lock)|\nA|rel(C@1)|\nA|r(y)|\n";
        let cases = [
            (reads, vec![1, 3], READ),
            (writes, vec![1, 3, 4, 6, 7], READ.and(WRITE)),
            (at_once, vec![1, 2, 4, 5], WRITE),
        ];
        for (trace, numbers, did) in cases {
            let details = read(trace, &numbers);
            for number in numbers {
                assert_eq!(section(&details, number), Some(vec![("x", did)]), "{trace} {number}");
            }
        }
    }

    #[test]
    fn what_no_lock_protects_is_no_data() {
        let trace = "A|acq(l)|\nA|w(C@1.lock)|\nA|w(count of a latch@3)|\nA|r(StampedLock@4)|\nA|rel(l)|\n";
        assert_eq!(section(&read(trace, &[1]), 1), Some(vec![]));
    }

    #[test]
    fn a_section_may_last_to_the_end_of_the_trace_and_an_end_without_a_beginning_has_none() {
        let mut long = "A|rel(l)|\nA|acq(l)|\n".to_owned();
        for number in 0..20_000 {
            long += &format!("A|w(x{number})|\n");
        }
        let details = read(&long, &[1, 2]);
        assert_eq!(section(&details, 1), None);
        assert_eq!(section(&details, 2).map(|accesses| accesses.len()), Some(MOST));
    }

    #[test]
    fn locks_are_told_in_the_order_in_which_they_were_taken_but_for_the_events_own() {
        let trace = "A|acq(l)|\nA|acq(k)|\nA|acq(l)|\nA|r(x)|\nA|rel(l)|\nA|r(C@1.lock)|\nA|rel(k)|\nA|r(C@1.lock)|\nA|r(x)|\nB|r(x)|\n";
        let details = read(trace, &[2, 4, 7, 9, 10]);
        assert_eq!(locks(&details, 2), Some(vec!["l"]));
        assert_eq!(locks(&details, 4), Some(vec!["l", "k"]));
        assert_eq!(locks(&details, 7), Some(vec!["l", "C@1"]));
        assert_eq!(locks(&details, 9), Some(vec!["l"]));
        assert_eq!(locks(&details, 10), Some(vec![]));
    }

    #[test]
    fn who_has_used_a_lock_that_readers_share_may_hold_it() {
        let trace = "A|r(x)|\nA|r(StampedLock@4)|\nA|r(x)|\nA|acq(l)|\nA|r(x)|\n";
        let details = read(trace, &[1, 3, 5]);
        assert_eq!([1, 3, 5].map(|number| locks(&details, number)), [Some(vec![]), None, Some(vec!["l"])]);
    }
}
