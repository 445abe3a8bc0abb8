//! The merged stream as a trace: dense ids, readable names, and events that pass the strict reader.
//!
//! A thread number can belong to several threads, one after the other: each is a separate thread of the trace. If the
//! release of a lock was not observed, one is inserted before the next acquire, or before the holder is joined. A
//! release without an acquire, or an end without a begin, is left out. Variables are `Cache.size@17` (17 is the object)
//! and `Cache[]@18[3]`, of calls of the library `ArrayList@19` and `ConcurrentHashMap@20[key:"k"]` (see [`Call`]), locks
//! `Cache@17`.
//!
//! Where other orders of the events are examined, each critical section holds its lock. Otherwise a lock has a variable beside it,
//! `Cache@17.lock` ([`section`]): a critical section that writes nothing reads the variable at both ends, and does not acquire the lock. A
//! section that writes also writes the variable: before it acquires the lock, if others have read the variable, and before it releases the
//! lock.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use analysis_core::report::{Call, last_segments, section};
use analysis_core::trace::notes::Notes;
use analysis_core::trace::symbols::{Interner, Symbols};
use analysis_core::trace::{Format, TraceWriter, WriteError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::names::{Names, Site, SiteKind};
use crate::rings::Record;
use crate::streams::Marks;

/// Translates records to events.
#[derive(Default)]
pub(crate) struct Translator {
    /// Sections that write nothing hold their lock; otherwise they read a variable that stands for it.
    holds: bool,
    /// The names of threads, variables, locks and labels.
    pub(crate) symbols: Symbols,
    repeated: Repeated,
    vars: FxHashMap<(u64, u32), VarId>,
    locks: FxHashMap<u64, LockId>,
    /// By lock: its holder, and how many releases free it.
    holders: Vec<Option<(ThreadId, u32)>>,
    /// Locks that are held in a section that has written nothing so far.
    unwritten: FxHashSet<LockId>,
    /// By lock's object: the variable that sections without writes read, and whether they have read it since it was
    /// written.
    sections: FxHashMap<u64, (VarId, bool)>,
    /// By thread of the trace.
    actors: Vec<Actor>,
    /// By thread number: the thread that has it.
    current: Vec<Option<ThreadId>>,
}

/// Which of the same names of threads, variables and locks comes next.
#[derive(Default)]
struct Repeated {
    threads: Suffixes,
    vars: Suffixes,
    locks: Suffixes,
}

/// The next suffix of each name that was wanted twice.
type Suffixes = FxHashMap<u32, u64>;

/// A thread of the trace.
#[derive(Default)]
struct Actor {
    has_events: bool,
    is_forked: bool,
    is_joined: bool,
    open: u64,
    held: Vec<LockId>,
    /// It has written since the last event that shows by itself that its store buffer is empty.
    is_unfenced: bool,
}

/// What the records themselves do not hold.
pub(crate) struct Context<'a> {
    /// The name of the thread, if it has one.
    pub(crate) name: &'a str,
    /// The place.
    pub(crate) site: &'a Site,
    /// The class of the array or of the lock's object.
    pub(crate) class: Option<Arc<str>>,
    /// The names of parts of library objects.
    pub(crate) names: &'a Names,
    /// The label of a begin.
    pub(crate) label: &'a str,
    /// The name of the forked thread.
    pub(crate) forked: &'a str,
}

impl Translator {
    /// A translator for examining other orders of the events, in which each section `holds` its lock, or for this order alone.
    pub(crate) fn new(holds: bool) -> Translator {
        Translator { holds, ..Translator::default() }
    }

    /// The next ring of `number` belongs to another thread.
    pub(crate) fn opened(&mut self, number: ThreadId) {
        let current = *self.current_mut(number);
        let is_unborn = |actor: &Actor| !actor.has_events && !actor.is_joined;
        if current.is_some_and(|thread| !is_unborn(&self.actors[thread.index()])) {
            *self.current_mut(number) = None;
        }
    }

    /// Appends the events of a record: its own comes last, unless it would be ill-formed.
    pub(crate) fn translate(
        &mut self,
        number: ThreadId,
        record: Record,
        marks: Marks,
        context: &Context,
        out: &mut Vec<Event>,
    ) {
        let me = self.actor(number, context.name);
        let op = match record.code {
            codes::READ => Some(Op::Read(self.var(record, context))),
            codes::WRITE => Some(Op::Write(self.var(record, context))),
            codes::ACQUIRE | codes::RELEASE if record.is_reading() && !self.holds => {
                Some(Op::Read(self.section(record, context, true)))
            }
            codes::ACQUIRE if self.begins_to_write(me, record, context) => None,
            codes::ACQUIRE => Some(Op::Acquire(self.acquire(me, record, context, out))),
            codes::RELEASE => self.release(me, record, context).map(Op::Release),
            codes::FORK => Some(Op::Fork(self.fork(thread_of(record), context.forked))),
            // A thread without events can be joined before its fork is seen, while its number belongs to another
            // thread. No order follows from such a join, so the trace omits it.
            codes::JOIN if record.extra != 0 => None,
            codes::JOIN => self.join(me, thread_of(record), out).map(Op::Join),
            codes::BEGIN => Some(self.begin(me, context.label)),
            codes::END => self.end(me),
            codes::FENCE => Some(Op::Fence),
            _ => None,
        };
        let is_lost_join = record.code == codes::JOIN && op.is_none();
        if marks.has_waited || is_lost_join || record.can_wait() && context.site.kind == SiteKind::Wait {
            // Events alone do not show the wait: a release could end any critical section, an access could be any access, and the join of a
            // thread without events is left out.
            out.push(Event::new(me, Op::Nop));
        }
        if marks.is_together {
            out.push(Event::new(me, Op::Together));
        }
        if marks.is_update {
            out.push(Event::new(me, Op::Update));
        }
        if record.is_reading() && !self.holds && self.actors[me.index()].is_unfenced {
            // The read of the variable that stands for the lock does not show that it is a fence.
            out.push(Event::new(me, Op::Fence));
        }
        if let Some(op) = op {
            let actor = &mut self.actors[me.index()];
            actor.has_events = true;
            actor.is_unfenced = matches!(op, Op::Write(_)) || actor.is_unfenced && !is_fence(op, record);
            if let Some(variable) = self.written_section(op, record, context) {
                out.push(Event::new(me, Op::Write(variable)));
            }
            out.push(Event::new(me, op));
        }
    }

    /// Returns the variable that stands for the sections under a lock, and notes whether it was last read or written.
    fn section(&mut self, record: Record, context: &Context, is_read: bool) -> VarId {
        let Translator { sections, symbols, repeated, .. } = self;
        let (variable, was_read) = sections.entry(record.word).or_insert_with(|| {
            let class = context.class.as_deref().map_or("lock", |class| last_segments(class, 1));
            let name = section::variable(&format!("{class}@{}", record.object()));
            (VarId(unique(&mut symbols.vars, &mut repeated.vars, &writable(&name))), false)
        });
        *was_read = is_read;
        *variable
    }

    /// Returns that variable if a section that writes has to write it here.
    fn written_section(&mut self, op: Op, record: Record, context: &Context) -> Option<VarId> {
        let is_written = match op {
            _ if self.holds => false,
            Op::Acquire(_) => self.sections.get(&record.word).is_some_and(|(_, was_read)| *was_read),
            Op::Release(_) => context.names.has_sections(),
            _ => false,
        };
        is_written.then(|| self.section(record, context, false))
    }

    /// The thread of the trace to which an event of `number` belongs.
    pub(crate) fn actor(&mut self, number: ThreadId, name: &str) -> ThreadId {
        let current = *self.current_mut(number);
        match current {
            // A thread that was joined by mistake continues as another thread.
            Some(thread) if !self.actors[thread.index()].is_joined => thread,
            _ => self.born(number, name),
        }
    }

    fn born(&mut self, number: ThreadId, name: &str) -> ThreadId {
        let name = if name.is_empty() { format!("T{}", number.0) } else { writable(name) };
        let thread = ThreadId(unique(&mut self.symbols.threads, &mut self.repeated.threads, &name));
        self.actors.push(Actor::default());
        *self.current_mut(number) = Some(thread);
        thread
    }

    fn var(&mut self, record: Record, context: &Context) -> VarId {
        let Translator { vars, symbols, repeated, .. } = self;
        *vars.entry((record.word, record.extra)).or_insert_with(|| {
            let (id, slot) = (record.object(), record.extra);
            let is_of_handle = context.site.call.as_ref().is_some_and(Call::is_of_handle);
            let name = if let Some(name) = called(record, context) {
                name
            } else if is_of_handle || context.site.what.is_empty() {
                let class = context.class.as_deref().map_or("array", |class| last_segments(class, 1));
                format!("{class}@{id}[{slot}]")
            } else {
                format!("{}@{id}", last_segments(&context.site.what, 2))
            };
            VarId(unique(&mut symbols.vars, &mut repeated.vars, &writable(&name)))
        })
    }

    fn lock(&mut self, record: Record, context: &Context) -> LockId {
        let Translator { locks, symbols, repeated, holders, .. } = self;
        *locks.entry(record.word).or_insert_with(|| {
            let class = context.class.as_deref().map_or("lock", |class| last_segments(class, 1));
            holders.push(None);
            LockId(unique(&mut symbols.locks, &mut repeated.locks, &writable(&format!("{class}@{}", record.object()))))
        })
    }

    fn acquire(&mut self, me: ThreadId, record: Record, context: &Context, out: &mut Vec<Event>) -> LockId {
        let lock = self.lock(record, context);
        match &mut self.holders[lock.index()] {
            // A section that writes nothing so far is the first of its thread under the lock: the end of another one was not seen.
            Some((holder, depth)) if *holder == me && !record.is_reading() => *depth += 1,
            Some((holder, _)) => {
                let holder = *holder;
                self.let_go(holder, lock, out);
                self.hold(me, lock);
            }
            None => self.hold(me, lock),
        }
        lock
    }

    /// Whether an acquire is no separate event, because the thread has the lock in a section that has written nothing so far.
    fn begins_to_write(&mut self, me: ThreadId, record: Record, context: &Context) -> bool {
        if !self.holds {
            return false;
        }
        let lock = self.lock(record, context);
        let was_reading = self.unwritten.remove(&lock);
        if record.is_reading() {
            self.unwritten.insert(lock);
            return false;
        }
        was_reading && self.holders[lock.index()].is_some_and(|(holder, _)| holder == me)
    }

    fn hold(&mut self, me: ThreadId, lock: LockId) {
        self.holders[lock.index()] = Some((me, 1));
        self.actors[me.index()].held.push(lock);
    }

    /// Inserts the releases that were not observed.
    fn let_go(&mut self, holder: ThreadId, lock: LockId, out: &mut Vec<Event>) {
        let depth = self.holders[lock.index()].take().map_or(0, |(_, depth)| depth);
        out.extend((0..depth).map(|_| Event::new(holder, Op::Release(lock))));
        self.actors[holder.index()].held.retain(|held| *held != lock);
    }

    fn release(&mut self, me: ThreadId, record: Record, context: &Context) -> Option<LockId> {
        let lock = self.lock(record, context);
        let (holder, depth) = self.holders[lock.index()].as_mut()?;
        if *holder != me {
            return None;
        }
        *depth -= 1;
        if *depth == 0 {
            self.holders[lock.index()] = None;
            self.actors[me.index()].held.retain(|held| *held != lock);
        }
        Some(lock)
    }

    fn fork(&mut self, number: ThreadId, name: &str) -> ThreadId {
        let is_unborn = |actor: &Actor| !actor.has_events && !actor.is_forked && !actor.is_joined;
        let unborn = self.current_mut(number).filter(|thread| is_unborn(&self.actors[thread.index()]));
        let child = unborn.unwrap_or_else(|| self.born(number, name));
        self.actors[child.index()].is_forked = true;
        child
    }

    fn join(&mut self, me: ThreadId, number: ThreadId, out: &mut Vec<Event>) -> Option<ThreadId> {
        let child = self.current_mut(number).unwrap_or_else(|| self.born(number, ""));
        if child == me {
            return None;
        }
        // A joined thread holds no lock: they were released at the first join.
        for lock in self.actors[child.index()].held.clone() {
            self.let_go(child, lock, out);
        }
        self.actors[child.index()].is_joined = true;
        Some(child)
    }

    fn begin(&mut self, me: ThreadId, label: &str) -> Op {
        self.actors[me.index()].open += 1;
        if label.is_empty() {
            return Op::Begin(LabelId::NONE);
        }
        Op::Begin(LabelId(self.symbols.labels.intern(writable(label).as_bytes())))
    }

    fn end(&mut self, me: ThreadId) -> Option<Op> {
        let open = &mut self.actors[me.index()].open;
        *open = open.checked_sub(1)?;
        Some(Op::End)
    }

    fn current_mut(&mut self, number: ThreadId) -> &mut Option<ThreadId> {
        if number.index() >= self.current.len() {
            self.current.resize(number.index() + 1, None);
        }
        &mut self.current[number.index()]
    }
}

/// True if an event shows that the store buffer of its thread is empty.
fn is_fence(op: Op, record: Record) -> bool {
    matches!(op, Op::Acquire(_) | Op::Release(_) | Op::Fork(_) | Op::Join(_) | Op::Fence) || record.is_reading()
}

/// The variable of a library call, by its receiver; `None` for a handover, and for a handle whose field is not known.
fn called(record: Record, context: &Context) -> Option<String> {
    let call = context.site.call.as_ref().filter(|call| call.hand.is_none())?;
    if call.is_of_variable() {
        match context.names.target_of(record.site) {
            Some(field) => {
                let field = field.strip_prefix(Call::NUMBER).unwrap_or(&field);
                return Some(format!("{}@{}", last_segments(field, 2), record.object()));
            }
            None if call.is_of_handle() => return None,
            None => {}
        }
    }
    let class = context.class.as_deref().map_or(call.class.as_str(), |class| last_segments(class, 1)).to_owned();
    let part = context.names.part_of(call, record);
    let receiver = part.as_ref().map_or(record.object(), |part| part.receiver);
    let part = part.map(|part| part.text.clone());
    Some(Call { class, part, ..call.clone() }.variable(receiver))
}

/// The number of the thread that a fork or join names.
fn thread_of(record: Record) -> ThreadId {
    ThreadId(u32::try_from(record.word).unwrap_or(u32::MAX).min(ThreadId::MAX.0))
}

/// A name that STD can hold.
fn writable(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c == '|' || c.is_control() { '_' } else { c }).collect();
    if clean.starts_with('#') { format!("_{clean}") } else { clean }
}

/// Interns a name that nothing else has: a second `name` becomes `name#2`. Suffixes that are taken stay so, so the search goes on where
/// it ended for the same name: many threads, or objects without a number, can have one name.
fn unique(names: &mut Interner, suffixes: &mut Suffixes, name: &str) -> u32 {
    let mut intern = |name: &str| {
        let known = names.len() as u32;
        let number = names.intern(name.as_bytes());
        (number, number == known)
    };
    let (first, is_new) = intern(name);
    if is_new {
        return first;
    }
    let next = suffixes.entry(first).or_insert(2);
    loop {
        let (number, is_new) = intern(&format!("{name}#{next}"));
        *next += 1;
        if is_new {
            return number;
        }
    }
}

/// After this time, recorded events can be read by others, even if the JVM is killed.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many events are written between two looks at the clock, which costs as much as an event.
const EVENTS_PER_LOOK: u32 = 64;

/// Writes the trace to a file until a write fails.
pub(crate) struct Recorder {
    writer: Option<TraceWriter>,
    /// Why it stopped.
    pub(crate) failure: Option<String>,
    /// When the file was last flushed.
    flushed: Instant,
    /// Events since the last look at the clock.
    events: u32,
}

impl Recorder {
    /// Creates the file.
    ///
    /// # Errors
    /// The file cannot be created; one line.
    pub(crate) fn create(path: &Path) -> Result<Recorder, String> {
        let format = Format::of_path(path).unwrap_or_else(Format::fallback);
        let writer = TraceWriter::create(path, format).map_err(|error| format!("record={error}"))?;
        Ok(Recorder { writer: Some(writer), failure: None, flushed: Instant::now(), events: 0 })
    }

    pub(crate) fn write(&mut self, event: Event, symbols: &Symbols, location: &str) {
        self.attempt(|writer| writer.write(event, symbols, location));
        self.events += 1;
        if self.events >= EVENTS_PER_LOOK {
            self.look();
        }
    }

    /// Writes a note, which is not an event.
    pub(crate) fn note(&mut self, key: &str, value: &str) {
        self.attempt(|writer| writer.note(&Notes::line(key, value)));
    }

    /// Flushes the file if it is time. Also called while nothing is recorded.
    pub(crate) fn look(&mut self) {
        self.events = 0;
        if self.flushed.elapsed() >= PATIENCE {
            self.flushed = Instant::now();
            self.attempt(TraceWriter::flush);
        }
    }

    fn attempt(&mut self, write: impl FnOnce(&mut TraceWriter) -> Result<(), WriteError>) {
        if let Some(Err(error)) = self.writer.as_mut().map(write) {
            self.failure = Some(format!("the trace ends early: {error}"));
            self.writer = None;
        }
    }

    /// Writes out the buffers.
    pub(crate) fn end(&mut self) {
        if let Some(Err(error)) = self.writer.take().map(TraceWriter::finish) {
            self.failure = Some(format!("the trace is incomplete: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_wanted_again_get_the_first_suffix_that_is_free() {
        let (mut names, mut suffixes) = (Interner::default(), Suffixes::default());
        let mut name = |wanted: &str| {
            let number = unique(&mut names, &mut suffixes, wanted);
            names.name(number).into_owned()
        };
        assert_eq!(["a#3", "a", "a", "a", "a#2", "a"].map(&mut name), ["a#3", "a", "a#2", "a#4", "a#2#2", "a#5"]);
    }

    #[test]
    fn the_search_for_a_suffix_goes_on_where_it_ended() {
        let (mut names, mut suffixes) = (Interner::default(), Suffixes::default());
        (0..100).for_each(|_| _ = unique(&mut names, &mut suffixes, "worker"));
        assert_eq!(suffixes.into_values().collect::<Vec<_>>(), [101], "the next one is worker#101");
    }
}
