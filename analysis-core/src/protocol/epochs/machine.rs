//! The execution around the hooks: threads, numbers, variables, locks, what happened in which order, and the engine.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::memory::{Lock, Number, Thread, Variable};
use super::{Handed, Happened, Nested, Run, Setup};
use crate::engine::ItemEngine;
use crate::event::{Event, Op, Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::protocol::rounds::{Conditional, Settled, Waiting, is_tentative, real};

/// An execution under way. Each event is a future; the code that polls it is the scheduler.
pub struct Machine {
    pub(super) nested: Nested,
    setup: Setup,
    engine: RefCell<Box<dyn ItemEngine>>,
    waiting: RefCell<Waiting<Call>>,
    vars: RefCell<Vec<Rc<Variable>>>,
    locks: RefCell<Vec<Rc<Lock>>>,
    /// By the number in the trace.
    threads: RefCell<Vec<Option<Rc<Thread>>>>,
    /// By thread number.
    numbers: RefCell<Vec<Rc<Number>>>,
    /// Numbers of ended threads that the engine has not forgotten yet.
    unforgotten: RefCell<Vec<ThreadId>>,
    tables: Cell<u64>,
    happened: RefCell<Vec<Option<Happened>>>,
    handed: RefCell<Vec<Handed>>,
    opened: RefCell<Vec<Stamp>>,
    shared: RefCell<Vec<Event>>,
    events: Cell<u64>,
    steps: Cell<u64>,
}

/// A call of the engine.
#[derive(Debug)]
enum Call {
    /// With what was read of the stacks of the sources.
    Item(Handed, Vec<(Stamp, Vec<u64>)>),
    /// A number is another thread's from here on.
    Opened(Stamp),
}

impl Conditional for Call {
    fn settle(&mut self, read: Stamp, outcome: Settled) {
        let Call::Item(item, shown) = self else { return };
        let index = item.sources.iter().position(|source| source.on == read).expect("a source of the item");
        match outcome {
            Settled::Used => {
                item.sources[index].on = real(read);
                shown.iter_mut().filter(|(on, _)| *on == read).for_each(|(on, _)| *on = real(read));
            }
            Settled::Earlier(stamp, open) => {
                item.sources[index].on = stamp;
                item.sources[index].open = open;
                shown.retain(|(on, _)| *on != read);
            }
            Settled::Withdrawn => {
                item.sources.remove(index);
                item.counts.remove(index);
                shown.retain(|(on, _)| *on != read);
            }
        }
    }
}

/// A point at which other threads may come in between.
struct Pause {
    is_due: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::take(&mut self.is_due) { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Machine {
    /// An execution without events.
    pub fn new(setup: Setup, engine: Box<dyn ItemEngine>) -> Machine {
        Machine {
            nested: setup.nested,
            setup,
            engine: engine.into(),
            waiting: RefCell::default(),
            vars: RefCell::default(),
            locks: RefCell::default(),
            threads: RefCell::default(),
            numbers: RefCell::default(),
            unforgotten: RefCell::default(),
            tables: Cell::default(),
            happened: RefCell::default(),
            handed: RefCell::default(),
            opened: RefCell::default(),
            shared: RefCell::default(),
            events: Cell::default(),
            steps: Cell::default(),
        }
    }

    /// Plays the whole life of a thread. A forked thread waits for its fork.
    pub async fn play(&self, thread: ThreadId, ops: Vec<Op>, is_forked: bool) {
        self.start(thread, is_forked).await;
        for op in ops {
            self.perform(Event::new(thread, op)).await;
            self.step().await;
        }
        self.finish(thread).await;
    }

    /// Waits until the thread can perform its first event: a forked one waits for its fork.
    pub async fn start(&self, thread: ThreadId, is_forked: bool) {
        while is_forked && self.existing(thread).is_none() {
            self.wait().await;
        }
    }

    /// Performs the next event of its thread.
    pub async fn perform(&self, event: Event) {
        let t = &self.thread(event.thread);
        self.events.set(self.events.get() + 1);
        match event.op {
            Op::Read(x) => self.read(t, event, &self.variable(x.index())).await,
            Op::Write(x) => self.write(t, event, &self.variable(x.index())).await,
            Op::Acquire(l) => self.acquire(t, event, &self.program_lock(l.index())).await,
            Op::Release(l) => self.release(t, event, &self.program_lock(l.index())).await,
            Op::Fork(u) => self.fork(t, event, u).await,
            Op::Join(u) => self.join(t, event, u).await,
            Op::Begin(label) => self.begin(t, event, label).await,
            Op::End => self.end(t, event).await,
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => {
                self.happens(t, event);
            }
        }
    }

    /// Ends a thread, and its blocks with it.
    pub async fn finish(&self, thread: ThreadId) {
        let t = self.thread(thread);
        if !t.has_ended.get() {
            if t.has_acted.get() {
                self.use_round(&t).await;
                self.settle(&t).await;
            }
            t.has_ended.set(true);
            self.unforgotten.borrow_mut().push(t.number);
            self.forget();
        }
    }

    /// Returns what was done so far.
    pub fn run(&self) -> Run {
        Run {
            happened: self.happened.borrow().iter().flatten().copied().collect(),
            handed: self.handed.borrow().clone(),
            opened: self.opened.borrow().clone(),
            findings: self.engine.borrow().findings().clone(),
            shared: self.shared.borrow().clone(),
        }
    }

    /// How many steps were taken; while this does not grow, all threads wait.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Ends a step.
    pub async fn step(&self) {
        self.steps.set(self.steps.get() + 1);
        Pause { is_due: self.setup.interleaves }.await;
    }

    /// Waits for another thread.
    pub(super) async fn wait(&self) {
        Pause { is_due: true }.await;
    }

    /// The event takes effect now. Returns what [`Machine::unhappen`] takes.
    pub(super) fn happens(&self, t: &Thread, event: Event) -> usize {
        let mut happened = self.happened.borrow_mut();
        happened.push(Some(Happened { event, stamp: t.now() }));
        happened.len() - 1
    }

    /// Takes back an event: the loaded value is not the one that the program gets.
    pub(super) fn unhappen(&self, index: usize) {
        self.happened.borrow_mut()[index] = None;
    }

    /// Calls the engine with an item of the event that began last, and with what was read of the stacks of its sources. The
    /// item can be that of a tentative read. It waits if it has tentative sources, or others wait.
    pub(super) fn hand_over(&self, item: Handed, shown: Vec<(Stamp, Vec<u64>)>, of: Option<Stamp>) {
        let on = item.sources.iter().map(|source| source.on).filter(|on| is_tentative(*on)).collect();
        self.waiting.borrow_mut().hand(Call::Item(item, shown), on, of);
        self.call();
    }

    /// Settles a tentative read on which items can depend.
    pub(super) fn settle_read(&self, read: Stamp, outcome: Settled) {
        self.waiting.borrow_mut().settle(read, outcome);
        self.call();
    }

    /// No item will depend on the round of this thread any more.
    pub(super) fn finish_round(&self, thread: ThreadId) {
        self.waiting.borrow_mut().finish(thread);
    }

    /// Makes the calls of the engine that need not wait.
    fn call(&self) {
        let mut waiting = self.waiting.borrow_mut();
        while let Some(call) = waiting.take() {
            let mut engine = self.engine.borrow_mut();
            match call {
                Call::Item(item, shown) => {
                    if self.setup.shows {
                        shown.iter().for_each(|(on, open)| engine.shown(*on, open));
                    }
                    engine.item(&item.step());
                    self.handed.borrow_mut().push(item);
                }
                Call::Opened(first) => engine.opened(first),
            }
        }
        drop(waiting);
        self.forget();
    }

    /// True if the run reports what threads share.
    pub(super) fn learns(&self) -> bool {
        self.setup.learns
    }

    /// Notes that the event shows that threads share what it touches.
    pub(super) fn shares(&self, event: Event) {
        self.shared.borrow_mut().push(event);
    }

    /// How many events have begun.
    pub(super) fn events(&self) -> u64 {
        self.events.get()
    }

    /// The number of a new table of readers.
    pub(super) fn next_table(&self) -> u64 {
        self.tables.set(self.tables.get() + 1);
        self.tables.get()
    }

    /// What belongs to a thread number that is in use.
    pub(super) fn number(&self, number: ThreadId) -> Rc<Number> {
        self.numbers.borrow()[number.index()].clone()
    }

    fn forget(&self) {
        if !self.waiting.borrow().is_empty() {
            return;
        }
        let mut engine = self.engine.borrow_mut();
        self.unforgotten.borrow_mut().retain(|number| !engine.forget(*number));
    }

    /// The thread with this name in the trace, if there is one yet.
    pub(super) fn existing(&self, thread: ThreadId) -> Option<Rc<Thread>> {
        self.threads.borrow().get(thread.index()).cloned().flatten()
    }

    pub(super) fn thread(&self, thread: ThreadId) -> Rc<Thread> {
        self.existing(thread).unwrap_or_else(|| self.create(thread, None))
    }

    /// A new thread, with a number that its parent may give it, or one that was never used.
    pub(super) fn create(&self, thread: ThreadId, parent: Option<&Thread>) -> Rc<Thread> {
        let old = parent.filter(|_| !self.learns()).and_then(|parent| self.reusable(parent));
        let (number, first) = old
            .map_or_else(|| (ThreadId::of(self.numbers.borrow().len()), 1), |old| (old.number, old.position.get() + 1));
        let first = Stamp::new(number, first);
        let created = Rc::new(Thread::new(first, self.setup.shared_reads));
        *at(&mut self.numbers.borrow_mut(), number.index()).holder.borrow_mut() = Some(created.clone());
        self.unforgotten.borrow_mut().retain(|other| *other != number);
        self.waiting.borrow_mut().hand(Call::Opened(first), Vec::new(), None);
        self.call();
        self.opened.borrow_mut().push(first);
        *at(&mut self.threads.borrow_mut(), thread.index()) = Some(created.clone());
        created
    }

    /// A thread that has ended and whose last event `parent` follows, unless it had none: its number can be used again. Not if
    /// the run learns: two threads that run one after the other now may run side by side the next time.
    fn reusable(&self, parent: &Thread) -> Option<Rc<Thread>> {
        let is_past = |old: &Thread| {
            let seen = parent.seen.borrow().get(&old.number).copied().unwrap_or_default();
            old.has_ended.get() && (!old.has_acted.get() || seen >= old.position.get())
        };
        let numbers = self.numbers.borrow();
        numbers.iter().filter_map(|number| number.holder.borrow().clone()).find(|old| is_past(old))
    }

    fn variable(&self, x: usize) -> Rc<Variable> {
        at(&mut self.vars.borrow_mut(), x).clone()
    }

    fn program_lock(&self, l: usize) -> Rc<Lock> {
        at(&mut self.locks.borrow_mut(), l).clone()
    }
}
