//! Dependency mode: the program's threads call the engine themselves, at each item, under one lock.
//!
//! A thread writes the records of one item into its buffer and calls. It then holds the lock of the variable that the
//! item is about, so that the variable's stamps change only once the engine knows of the item; the call runs no Java
//! code and waits for nothing but other threads' items. Whatever fails in it switches the analysis off: the program
//! continues, and the run is incomplete.
//!
//! From a thread that hands over no item, only the counters of its blocks are read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use analysis_core::engine::ItemEngine;
use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::rounds::{Conditional, Settled, Waiting, is_tentative, real};
use analysis_core::report::{Instances, Size};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::feed::{self, Feed};
use crate::names::Names;
use crate::observed::Observed;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::panics;
use crate::progress::Reached;
use crate::rings::{Record, Ring, Statistics};
use crate::shared::{Shared, lock, lock_spinning, zeros};

/// The least number of records that a buffer has room for.
const SMALLEST: u64 = 64;
/// How many calls of the analysis can wait for rounds to be settled. A thread settles its round in a moment, unless it
/// is not scheduled.
pub(crate) const MOST_WAITING: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 };

/// All threads, and the engine.
pub(crate) struct Items {
    shared: Arc<Shared>,
    observed: Arc<Mutex<Observed>>,
    names: Arc<Names>,
    state: Mutex<State>,
    /// Items that came after a failure.
    discarded: AtomicU64,
}

/// What the lock protects.
struct State {
    /// `None` once the run has ended.
    analysis: Option<feed::Items>,
    /// What the analysis gets once rounds are settled.
    waiting: Waiting<Call>,
    failure: Option<String>,
    /// The threads, by the addresses of their buffers.
    writers: FxHashMap<usize, Writer>,
    /// The numbers of threads that are running.
    numbers: FxHashSet<u32>,
    /// The counts of the threads that have ended.
    ended: Counts,
    /// How many threads there were.
    threads: u64,
}

/// A call of the analysis that waits.
enum Call {
    /// A number is another thread's, with this name, from this position on.
    Opened(Stamp, Box<str>),
    /// An item after which its thread is at a position.
    Item(Stamp, Vec<Record>),
    Ended(ThreadId),
}

impl Conditional for Call {
    fn settle(&mut self, read: Stamp, outcome: Settled) {
        let Call::Item(_, records) = self else { return };
        let is_on = |record: &Record| record.code == codes::DEPEND && record.stamp() == read;
        let Some(index) = records.iter().position(is_on) else { return };
        match outcome {
            Settled::Used => records[index].set_stamp(real(read)),
            Settled::Earlier(stamp, open) => {
                records[index].set_stamp(stamp);
                records[index + 1].word = open.unwrap_or_default();
            }
            // Its OPEN comes right after it.
            Settled::Withdrawn => drop(records.drain(index..=index + 1)),
        }
    }
}

/// A thread of the program.
struct Writer {
    buffer: Arc<Ring>,
    /// Its position as of its last item.
    position: u64,
    /// What it had counted in earlier buffers.
    statistics: Statistics,
    /// The instances of each block, by block number; the thread adds to them.
    counters: Box<[AtomicU64]>,
}

/// What threads have counted.
#[derive(Clone, Default)]
struct Counts {
    statistics: Statistics,
    /// Instances by block number.
    instances: Vec<u64>,
}

impl Items {
    /// Builds the engine by `build`.
    pub(crate) fn start(
        options: &Options,
        names: &Arc<Names>,
        shared: &Arc<Shared>,
        observed: &Arc<Mutex<Observed>>,
        build: fn() -> Box<dyn ItemEngine>,
    ) -> Items {
        let state = State {
            analysis: Some(feed::Items::new(options, Arc::clone(names), shared, build())),
            waiting: Waiting::default(),
            failure: None,
            writers: FxHashMap::default(),
            numbers: FxHashSet::default(),
            ended: Counts::default(),
            threads: 0,
        };
        Items {
            shared: Arc::clone(shared),
            observed: Arc::clone(observed),
            names: Arc::clone(names),
            state: Mutex::new(state),
            discarded: AtomicU64::new(0),
        }
    }

    /// Opens a buffer for a thread whose first position is `position`.
    pub(crate) fn open(&self, thread: u32, position: u64, name: &str) -> usize {
        let buffer = Ring::new(SMALLEST, thread, false);
        let mut state = lock(&self.state);
        if !self.shared.is_running() {
            return state.waste(thread, SMALLEST);
        }
        if !state.numbers.insert(thread) {
            lock(&self.observed).lost(1, "a thread that has the number of another one");
            return state.waste(thread, SMALLEST);
        }
        state.threads += 1;
        let first = Stamp::new(ThreadId(thread), position.max(1));
        self.guarded(&mut state, |state| state.call(Call::Opened(first, name.into())));
        state.add(Writer::new(buffer, first.position()))
    }

    /// A buffer with room for `records` records in place of this one.
    pub(crate) fn full(&self, address: usize, records: u64) -> usize {
        let capacity = records.next_power_of_two().max(SMALLEST);
        let mut state = lock(&self.state);
        let Some(mut writer) = state.writers.remove(&address) else {
            lock(&self.observed).lost(1, "what was written to an unknown buffer");
            return state.waste(0, capacity);
        };
        if writer.buffer.capacity() < records {
            writer.statistics.raise(writer.buffer.statistics());
            writer.buffer = Arc::new(Ring::new(capacity, writer.buffer.thread, writer.buffer.is_waste));
        }
        state.add(writer)
    }

    /// Returns the address of at least `count` counters of the thread that has this buffer. They keep their counts; the
    /// former ones are gone.
    pub(crate) fn counters(&self, address: usize, count: usize) -> usize {
        let mut state = lock(&self.state);
        let Some(writer) = state.writers.get_mut(&address) else {
            lock(&self.observed).lost(1, "blocks of an unknown thread");
            return Box::leak(vec![0_u64; count].into_boxed_slice()).as_ptr() as usize;
        };
        if count > writer.counters.len() {
            let counters = zeros(count.next_power_of_two());
            for (new, known) in counters.iter().zip(&writer.counters) {
                // A zero is there already, and writing it would take a page.
                let known = known.load(Ordering::Relaxed);
                if known > 0 {
                    new.store(known, Ordering::Relaxed);
                }
            }
            writer.counters = counters;
        }
        writer.counters.as_ptr() as usize
    }

    /// Closes the buffer of a thread that has ended.
    pub(crate) fn close(&self, address: usize) {
        let mut state = lock(&self.state);
        let Some(writer) = state.writers.remove(&address) else { return };
        if writer.buffer.is_waste {
            return;
        }
        let thread = writer.buffer.thread;
        state.numbers.remove(&thread);
        state.ended.add(&writer);
        if self.shared.is_running() {
            self.guarded(&mut state, |state| state.call(Call::Ended(ThreadId(thread))));
        }
    }

    /// Takes the item of `count` records in a buffer; its thread is at `position` after the item. True if a block that
    /// counts is violated, the first of its method or one that stops the run. `None` if the item was not taken, because
    /// the run has ended or the analysis has failed.
    pub(crate) fn item(&self, address: usize, count: u64, position: u64) -> Option<bool> {
        let taken = self.take(address, count, position);
        if taken.is_none() && !self.shared.is_over() {
            self.discarded.fetch_add(1, Ordering::Relaxed);
        }
        taken
    }

    fn take(&self, address: usize, count: u64, position: u64) -> Option<bool> {
        // Once nobody takes items, threads do not wait for each other any more.
        if !self.shared.is_running() {
            return None;
        }
        // Others spin meanwhile on the lock of the variable that this thread holds, so it is not worth sleeping at once.
        let mut state = lock_spinning(&self.state);
        // The end can have come while the thread waited.
        if !self.shared.is_running() {
            return None;
        }
        let taken = self.guarded(&mut state, |state| state.item(address, count, position)).flatten();
        let is_halted = state.analysis.as_ref().is_some_and(feed::Items::is_halted);
        if is_halted {
            self.shared.stop();
        }
        drop(state);
        let Taken { is_violated, violates_late, lost } = taken?;
        if lost > 0 {
            lock(&self.observed).lost(lost, "dependencies on reads of a loop that a thread did not end in time");
        }
        // The thread whose item has violated a block is not here, and tells no stack.
        if is_halted && violates_late {
            self.shared.halt();
        }
        Some(is_violated)
    }

    /// Takes the stack of this thread, whose item has just violated a block: a frame on each line. Stops the run if it
    /// is to stop at a violation.
    pub(crate) fn stack(&self, thread: u32, text: &str) {
        let frames: Vec<String> = text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let mut state = lock(&self.state);
        let Some(analysis) = &mut state.analysis else { return };
        analysis.stack(ThreadId(thread), &frames);
        let is_halted = analysis.is_halted();
        drop(state);
        if is_halted {
            self.shared.halt();
        }
    }

    /// Takes the accesses of this thread, whose item has violated a block, to data that others have accessed before:
    /// one on each line.
    pub(crate) fn data(&self, thread: u32, text: &str) {
        let mut state = lock(&self.state);
        self.guarded(&mut state, |state| {
            if let Some(analysis) = &mut state.analysis {
                analysis.data(ThreadId(thread), text);
            }
        });
    }

    /// Asks about what is known of the run, and how often each method ran; `None` once the run has ended.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&mut Feed, Instances) -> T) -> Option<T> {
        let mut state = lock(&self.state);
        let counts = state.counts().instances;
        let names = &self.names;
        let asked = |state: &mut State| {
            let feed = state.analysis.as_mut()?.feed_mut();
            let mut instances = Instances::default();
            for (block, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
                instances.add(feed.label(names.site_of_block(block)), count);
            }
            Some(question(feed, instances))
        };
        self.guarded(&mut state, asked).flatten()
    }

    /// Begins the end: no item is taken any more.
    pub(crate) fn end(&self) {
        // Under the lock, so that an item is taken as a whole or not at all.
        let _state = lock(&self.state);
        self.shared.end();
    }

    /// Ends the run and returns what is known. `unwatched` has the number of unwatched instances by block number.
    pub(crate) fn finish(&self, unwatched: Vec<u64>) -> Outcome {
        self.end();
        let mut state = lock(&self.state);
        let counts = state.counts();
        let Some(mut analysis) = state.analysis.take() else { return Outcome::lost() };
        let names = &self.names;
        let by_site = |counts: Vec<u64>| {
            let counts = (0..).zip(counts).filter(|(_, count)| *count > 0);
            counts.map(|(block, count)| (names.site_of_block(block), count))
        };
        let (instances, unwatched) = (by_site(counts.instances), by_site(unwatched));
        let mut waiting = std::mem::take(&mut state.waiting);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            // The reads of a round that is not settled have had no consequence.
            waiting.give_up();
            while let Some(call) = waiting.take() {
                call.make(&mut analysis);
            }
            analysis.end(instances, unwatched);
        }));
        let failure = ended.err().map(|payload| panics::text(&*payload));
        Outcome {
            failure: state.failure.take().or(failure),
            statistics: counts.statistics,
            threads: state.threads,
            discarded: self.discarded.load(Ordering::Relaxed),
            feed: Some(analysis.into_feed()),
            ..Outcome::default()
        }
    }

    /// The progress of the run, while it runs.
    pub(crate) fn progress(&self) -> Option<Reached> {
        let state = lock(&self.state);
        let [dependencies, findings] = state.analysis.as_ref().filter(|_| self.shared.is_running())?.counts();
        let blocks = state.counts().instances.iter().sum();
        Some(Reached { blocks, size: Size::Dependencies(dependencies), findings })
    }

    /// Switches the analysis off if `call` panics.
    fn guarded<T>(&self, state: &mut State, call: impl FnOnce(&mut State) -> T) -> Option<T> {
        let called = catch_unwind(AssertUnwindSafe(|| call(state)));
        called
            .map_err(|payload| {
                state.failure = Some(panics::text(&*payload));
                self.shared.fail();
            })
            .ok()
    }

    /// The buffer at an address, for tests that write as threads do.
    #[cfg(test)]
    pub(crate) fn buffer(&self, address: usize) -> Arc<Ring> {
        Arc::clone(&lock(&self.state).writers[&address].buffer)
    }

    /// The numbers of running threads, of threads, running or not, for which the feed keeps more than a name, and of
    /// names.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> [usize; 3] {
        let state = lock(&self.state);
        let (states, names) = state.analysis.as_ref().expect("it runs").kept();
        [state.writers.len(), states, names]
    }
}

impl State {
    /// Makes the call, after all that waits.
    fn call(&mut self, call: Call) {
        if self.waiting.is_empty() {
            call.make(self.analysis.as_mut().expect("the run has not ended"));
        } else {
            self.waiting.hand(call, Vec::new(), None);
        }
    }

    /// Takes an item; `None` if nobody takes the items of this thread.
    fn item(&mut self, address: usize, count: u64, position: u64) -> Option<Taken> {
        let writer = self.writers.get_mut(&address).expect("an item in a known buffer");
        let buffer = &writer.buffer;
        if buffer.is_waste {
            return None;
        }
        assert!((1..=buffer.capacity()).contains(&count), "an item of {count} records");
        let moves = codes::is_event(buffer.record(count - 1).code);
        assert!(position >= writer.position + u64::from(moves), "a position that is not after {}", writer.position);
        writer.position = position;
        let now = Stamp::new(ThreadId(buffer.thread), position);
        let records = (0..count).map(|number| buffer.record(number));
        if self.waiting.is_empty() && records.clone().all(|record| !record.is_of_round()) {
            let analysis = self.analysis.as_mut().expect("the run has not ended");
            return Some(Taken { is_violated: analysis.item(now, records), ..Taken::default() });
        }
        let records = records.collect();
        Some(self.item_of_round(now, records))
    }

    /// Takes an item that says something about a round, or comes while others wait for one.
    fn item_of_round(&mut self, now: Stamp, mut records: Vec<Record>) -> Taken {
        let mut lost = 0;
        let first = records[0];
        match first.code {
            codes::SETTLED => {
                let earlier = records.get(1).map(|depend| {
                    let begin = records.get(2).map_or(0, |open| open.word);
                    Settled::Earlier(depend.stamp(), (begin != 0).then_some(begin))
                });
                let outcome = if first.extra != 0 { Settled::Used } else { earlier.unwrap_or(Settled::Withdrawn) };
                self.waiting.settle(first.stamp(), outcome);
            }
            codes::FINISHED => self.waiting.finish(now.thread()),
            code => {
                let of = (code == codes::TENTATIVE).then(|| records.remove(0).stamp());
                let depends = records.iter().filter(|record| record.code == codes::DEPEND);
                let on = depends.map(|record| record.stamp()).filter(|stamp| is_tentative(*stamp)).collect();
                self.waiting.hand(Call::Item(now, records), on, of);
                if self.waiting.len() > MOST_WAITING {
                    lost = self.waiting.give_up() as u64;
                }
            }
        }
        let analysis = self.analysis.as_mut().expect("the run has not ended");
        let mut taken = Taken { lost, ..Taken::default() };
        while let Some(call) = self.waiting.take() {
            let is_own = matches!(call, Call::Item(its, _) if its.thread() == now.thread());
            let is_violated = call.make(analysis);
            taken.is_violated |= is_violated && is_own;
            taken.violates_late |= is_violated && !is_own;
        }
        taken
    }

    /// The counts of all threads so far.
    fn counts(&self) -> Counts {
        let mut counts = self.ended.clone();
        self.writers.values().filter(|writer| !writer.buffer.is_waste).for_each(|writer| counts.add(writer));
        counts
    }

    /// A buffer whose items are discarded.
    fn waste(&mut self, thread: u32, capacity: u64) -> usize {
        self.add(Writer::new(Ring::new(capacity, thread, true), 0))
    }

    fn add(&mut self, writer: Writer) -> usize {
        let address = writer.buffer.address();
        self.writers.insert(address, writer);
        address
    }
}

impl Call {
    /// Makes the call. True if a block that counts is violated, as in [`feed::Items::item`].
    fn make(self, analysis: &mut feed::Items) -> bool {
        match self {
            Call::Opened(first, name) => analysis.opened(first, &name),
            Call::Item(now, records) => return analysis.item(now, records.into_iter()),
            Call::Ended(thread) => analysis.ended(thread),
        }
        false
    }
}

/// What has come of an item.
#[derive(Clone, Copy, Default)]
struct Taken {
    /// A block of the thread that counts is violated, the first of its method or one that stops the run.
    is_violated: bool,
    /// The same of another thread, whose item has waited.
    violates_late: bool,
    /// How many dependencies are lost, because too many items would wait.
    lost: u64,
}

impl Writer {
    fn new(buffer: Ring, position: u64) -> Writer {
        let statistics = Statistics::default();
        Writer { buffer: Arc::new(buffer), position, statistics, counters: Box::default() }
    }
}

impl Counts {
    /// Adds what a thread has counted until now.
    fn add(&mut self, writer: &Writer) {
        let mut statistics = writer.statistics;
        statistics.raise(writer.buffer.statistics());
        self.statistics.add(statistics);
        if writer.counters.len() > self.instances.len() {
            self.instances.resize(writer.counters.len(), 0);
        }
        for (all, own) in self.instances.iter_mut().zip(&writer.counters) {
            *all += own.load(Ordering::Relaxed);
        }
    }
}
