//! A stand-in for the Java side of dependency mode: variables with stamps, threads with positions and blocks, and an item
//! for each event with a new dependency. Every access stamps its variable; the hooks' shortcuts are not the bridge's
//! concern. It plays a trace event by event, or runs real threads that call at the same time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId};

use super::program::{BLOCKS, FORK, JOIN, LABELS, LOCK, READ, WRITE, name};
use crate::codes;
use crate::observed::What;
use crate::rings::Record;
use crate::session::Session;
use crate::shared::lock;

/// A stamp, and the site of the event that left it.
#[derive(Clone, Copy)]
struct Mark {
    stamp: Stamp,
    site: u32,
}

/// What a variable, or a lock, carries: its last write, or release, and the reads since.
#[derive(Default)]
struct Variable {
    write: Option<Mark>,
    reads: Vec<Mark>,
}

/// What threads read of each other.
pub(super) struct World<'a> {
    session: &'a Session,
    variables: Vec<Mutex<Variable>>,
    locks: Vec<Mutex<Variable>>,
    /// Taken by threads that run at the same time.
    held: Vec<AtomicBool>,
    /// By number: the begin of the outermost open block, or 0.
    outermost: Vec<AtomicU64>,
    /// By thread of the trace: its fork, and its last event.
    forks: Vec<Mutex<Option<Mark>>>,
    lasts: Vec<Mutex<Option<Mark>>>,
    /// By number: the last position of the threads that had it.
    positions: Vec<AtomicU64>,
    /// Orders the events of threads that run at the same time.
    clock: AtomicU64,
}

struct Block {
    begin: u64,
    label: LabelId,
    is_named: bool,
    waited: bool,
}

/// A thread of the program.
pub(super) struct Actor<'a> {
    world: &'a World<'a>,
    thread: ThreadId,
    number: u32,
    buffer: usize,
    capacity: u64,
    counters: usize,
    position: u64,
    blocks: Vec<Block>,
    /// How many blocks that items have named have ended since the last item.
    pops: usize,
    /// By number: the position up to which the thread has depended on it.
    known: HashMap<ThreadId, u64>,
    /// The thread's fork, which its first event depends on.
    fork: Option<Mark>,
    /// Whether an item was refused: the run was over, or the analysis had failed.
    pub(super) is_cut: bool,
    /// How many items asked for the stack.
    pub(super) asked: u64,
}

/// More than there are variables or locks.
const MOST: usize = 256;

impl<'a> World<'a> {
    /// A world of this many threads, which is also the largest of their numbers.
    pub(super) fn new(session: &'a Session, threads: usize) -> World<'a> {
        fn many<T: Default>(count: usize) -> Vec<T> {
            (0..count).map(|_| T::default()).collect()
        }
        for label in 0..LABELS {
            session.describe(What::Block, label + 1, &(BLOCKS + label).to_string());
        }
        World {
            session,
            variables: many(MOST),
            locks: many(MOST),
            held: many(MOST),
            outermost: many(threads + 1),
            forks: many(threads),
            lasts: many(threads),
            positions: many(threads + 1),
            clock: AtomicU64::new(0),
        }
    }

    /// Begins a thread, which makes its first event.
    pub(super) fn actor(&'a self, thread: ThreadId, number: u32) -> Actor<'a> {
        let position = self.positions[number as usize].load(Ordering::Relaxed) + 1;
        let buffer = self.session.open(number, position, &name(thread));
        let capacity = self.session.ring(buffer).capacity();
        // Fewer than there are blocks, so that the counters have to grow.
        let counters = self.session.counters(buffer, 2);
        self.session.counters(buffer, 3);
        let fork = *lock(&self.forks[thread.index()]);
        Actor {
            world: self,
            thread,
            number,
            buffer,
            capacity,
            counters,
            position,
            blocks: Vec::new(),
            pops: 0,
            known: HashMap::new(),
            fork,
            is_cut: false,
            asked: 0,
        }
    }
}

impl Actor<'_> {
    /// Performs the event. Returns its place in an order of all events.
    pub(super) fn act(&mut self, op: Op, numbers: impl Fn(ThreadId) -> u64) -> u64 {
        let world = self.world;
        match op {
            Op::Begin(label) => self.begin(label),
            Op::End => self.end(),
            Op::Read(x) => {
                let mut variable = lock(&world.variables[x.index()]);
                let sources: Vec<Mark> = variable.write.into_iter().collect();
                let mark = self.access(codes::READ, READ, x.0, 1000, &sources);
                variable.reads.retain(|read| read.stamp.thread() != mark.stamp.thread());
                variable.reads.push(mark);
                return self.tick();
            }
            Op::Write(x) => {
                let mut variable = lock(&world.variables[x.index()]);
                let sources: Vec<Mark> = variable.write.into_iter().chain(variable.reads.drain(..)).collect();
                variable.write = Some(self.access(codes::WRITE, WRITE, x.0, 1000, &sources));
                return self.tick();
            }
            Op::Acquire(l) => {
                let released: Vec<Mark> = lock(&world.locks[l.index()]).write.into_iter().collect();
                self.access(codes::ACQUIRE, LOCK, 7, 2000 + u64::from(l.0), &released);
            }
            Op::Release(l) => {
                let mark = self.access(codes::RELEASE, LOCK, 7, 2000 + u64::from(l.0), &[]);
                lock(&world.locks[l.index()]).write = Some(mark);
            }
            Op::Fork(u) => {
                self.wait();
                let mark = self.access(codes::FORK, FORK, u.0 + 1, numbers(u), &[]);
                *lock(&world.forks[u.index()]) = Some(mark);
            }
            Op::Join(u) => {
                self.wait();
                let last = *lock(&world.lasts[u.index()]);
                let sources: Vec<Mark> = last.into_iter().collect();
                self.access(codes::JOIN, JOIN, u32::from(last.is_none()), numbers(u), &sources);
            }
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => panic!("no hook sees {op:?}"),
        }
        self.tick()
    }

    /// The stamp of the last event, in the form of a record.
    pub(super) fn word(&self) -> u64 {
        u64::from(self.number) << Stamp::POSITION_BITS | self.position
    }

    fn tick(&self) -> u64 {
        self.world.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn begin(&mut self, label: LabelId) {
        if self.fork.is_some() {
            // The begin itself follows the fork; its block is named by a later item.
            self.access(codes::BEGIN, self.site(label), 0, 0, &[]);
        }
        self.position += 1;
        self.count(label);
        if self.blocks.is_empty() {
            self.world.outermost[self.number as usize].store(self.position, Ordering::Release);
        }
        self.blocks.push(Block { begin: self.position, label, is_named: false, waited: false });
        self.leave(self.site(label));
    }

    fn end(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        self.pops += usize::from(block.is_named);
        if self.blocks.is_empty() {
            self.world.outermost[self.number as usize].store(0, Ordering::Release);
        }
        self.leave(0);
    }

    fn site(&self, label: LabelId) -> u32 {
        if label == LabelId::NONE { 0 } else { BLOCKS + label.0 }
    }

    fn count(&mut self, label: LabelId) {
        let block = if label == LabelId::NONE { 0 } else { label.index() + 1 };
        self.counters = self.world.session.counters(self.buffer, block + 1);
        // SAFETY: the bridge has given that many counters, which live until the next call or the end of the thread.
        let counter = unsafe { AtomicU64::from_ptr((self.counters as *mut u64).add(block)) };
        counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// The thread waits in all its open blocks: those that the engine knows are reported now.
    fn wait(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.waited = true);
        let named = self.blocks.iter().filter(|block| block.is_named).count();
        if named > 0 {
            let mut records = vec![bare(codes::POP, 0); std::mem::take(&mut self.pops)];
            records.push(bare(codes::WAITED, named as u64));
            self.hand_over(&records);
        }
    }

    /// An event that is neither begin nor end. Returns its mark.
    fn access(&mut self, code: u8, site: u32, extra: u32, word: u64, sources: &[Mark]) -> Mark {
        let is_new = |known: &HashMap<ThreadId, u64>, on: Stamp| {
            on.thread().0 != self.number && known.get(&on.thread()).is_none_or(|position| *position < on.position())
        };
        let sources = self.fork.take().into_iter().chain(sources.iter().copied());
        let sources: Vec<Mark> = sources.filter(|mark| is_new(&self.known, mark.stamp)).collect();
        if !sources.is_empty() {
            self.item(Record { code, site, extra, word }, &sources);
        }
        self.leave(site)
    }

    fn leave(&self, site: u32) -> Mark {
        let mark = Mark { stamp: Stamp::new(ThreadId(self.number), self.position), site };
        *lock(&self.world.lasts[self.thread.index()]) = Some(mark);
        mark
    }

    fn item(&mut self, event: Record, sources: &[Mark]) {
        self.position += 1;
        let mut records = vec![bare(codes::POP, 0); std::mem::take(&mut self.pops)];
        // The block that begins with this event is named by a later item.
        for block in self.blocks.iter_mut().filter(|block| !block.is_named) {
            block.is_named = true;
            let site = if block.label == LabelId::NONE { 0 } else { BLOCKS + block.label.0 };
            records.push(Record { code: codes::PUSH, site, extra: u32::from(block.waited), word: block.begin });
        }
        for Mark { stamp, site } in sources {
            let known = self.known.entry(stamp.thread()).or_default();
            *known = (*known).max(stamp.position());
            let word = u64::from(stamp.thread().0) << Stamp::POSITION_BITS | stamp.position();
            records.push(Record { code: codes::DEPEND, site: *site, extra: 0, word });
            let outermost = self.world.outermost[stamp.thread().index()].load(Ordering::Acquire);
            records.push(bare(codes::OPEN, if outermost <= stamp.position() { outermost } else { 0 }));
        }
        records.push(event);
        self.hand_over(&records);
    }

    fn hand_over(&mut self, records: &[Record]) {
        let session = self.world.session;
        if records.len() as u64 > self.capacity {
            self.buffer = session.full(self.buffer, records.len() as u64);
            self.capacity = session.ring(self.buffer).capacity();
        }
        session.ring(self.buffer).put(records);
        match session.item(self.buffer, records.len() as u64, self.position) {
            Some(false) => {}
            Some(true) => {
                self.asked += 1;
                session.describe(What::Stack, self.number, "com.example.Box.set(Box.java:12)\nMain.main(Main.java:3)");
            }
            None => self.is_cut = true,
        }
    }

    /// Takes a lock of the program, which threads that run at the same time may also want.
    pub(super) fn hold(&self, lock: usize) {
        while self.world.held[lock].swap(true, Ordering::Acquire) {
            std::thread::yield_now();
        }
    }

    /// Releases the lock.
    pub(super) fn let_go(&self, lock: usize) {
        self.world.held[lock].store(false, Ordering::Release);
    }

    /// Ends the thread, and its blocks with it.
    pub(super) fn close(self) {
        let number = self.number as usize;
        self.world.outermost[number].store(0, Ordering::Release);
        self.world.positions[number].store(self.position, Ordering::Relaxed);
        self.world.session.close(self.buffer);
    }
}

fn bare(code: u8, word: u64) -> Record {
    Record { code, site: 0, extra: 0, word }
}

/// Plays a trace, in its order. Threads end after their last event, if `ends`; after `cut` events the end begins, and
/// what follows comes after the end. Returns how often a stack was asked for.
pub(super) fn play_items(
    session: &Session,
    trace: &[Event],
    numbers: impl Fn(ThreadId) -> u64,
    ends: bool,
    cut: Option<usize>,
) -> u64 {
    let about = trace.iter().map(|event| match event.op {
        Op::Fork(u) | Op::Join(u) => event.thread.max(u),
        _ => event.thread,
    });
    let world = World::new(session, about.max().map_or(0, |last| last.index() + 1));
    let mut left: HashMap<ThreadId, usize> = HashMap::new();
    trace.iter().for_each(|event| *left.entry(event.thread).or_default() += 1);
    let mut actors: HashMap<ThreadId, Actor> = HashMap::new();
    let mut asked = 0;
    for (index, event) in trace.iter().enumerate() {
        if cut == Some(index) {
            session.end();
        }
        let thread = event.thread;
        let number = u32::try_from(numbers(thread)).expect("a number");
        actors.entry(thread).or_insert_with(|| world.actor(thread, number)).act(event.op, &numbers);
        let left = left.get_mut(&thread).expect("it was counted");
        *left -= 1;
        if ends
            && *left == 0
            && let Some(actor) = actors.remove(&thread)
        {
            asked += actor.asked;
            actor.close();
        }
    }
    asked + actors.values().map(|actor| actor.asked).sum::<u64>()
}
