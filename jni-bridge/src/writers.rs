//! Stream mode: the rings that the program's threads write into, and the analysis that reads them.
//!
//! A thread of the program comes here when it opens, fills or closes a ring; never for an event. The analysis receives
//! rings through a channel and owns them on its side; it takes no lock that is held while another thread waits.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, unbounded};

use crate::analysis::{Analysis, Command, Question};
use crate::ending;
use crate::names::Names;
use crate::observed::Observed;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::panics;
use crate::rings::{End, Ring};
use crate::shared::{Shared, lock};

/// The growth factor from one ring of a thread to the next.
const GROWTH: u64 = 8;

/// The rings that threads write to, by address and by thread number.
#[derive(Default)]
struct Live {
    rings: HashMap<usize, Arc<Ring>>,
    numbers: HashMap<u32, usize>,
    /// Numbers of threads whose records were discarded because the end had begun.
    cut: HashSet<u32>,
}

/// The writing side of all rings, and the analysis.
pub(crate) struct Writers {
    live: Mutex<Live>,
    shared: Arc<Shared>,
    observed: Arc<Mutex<Observed>>,
    commands: Sender<Command>,
    analysis: Mutex<Option<JoinHandle<Outcome>>>,
    discarded: AtomicU64,
}

impl Writers {
    /// Starts the analysis.
    ///
    /// # Errors
    /// The trace cannot be written, or no thread can be created; one line.
    pub(crate) fn start(
        options: &Options,
        names: &Arc<Names>,
        shared: &Arc<Shared>,
        observed: &Arc<Mutex<Observed>>,
    ) -> Result<Writers, String> {
        let (commands, inbox) = unbounded();
        let task = Analysis::new(options, Arc::clone(names), Arc::clone(shared), inbox)?;
        let thread = std::thread::Builder::new().name("regiontrack-analysis".into());
        let state = Arc::clone(shared);
        let handle = thread.spawn(move || {
            let ran = catch_unwind(AssertUnwindSafe(|| task.run()));
            let outcome = ran.unwrap_or_else(|payload| Outcome {
                failure: Some(panics::text(&*payload)),
                is_halted: state.is_stopped(),
                ..Outcome::default()
            });
            if outcome.failure.is_some() {
                state.fail();
            }
            if outcome.is_halted {
                // The end waits for this thread, so another one begins it.
                let _ = std::thread::Builder::new().name("regiontrack-halt".into()).spawn(move || state.halt());
            }
            outcome
        });
        let handle = handle.map_err(|error| format!("the analysis cannot start: {error}"))?;
        Ok(Writers {
            live: Mutex::default(),
            shared: Arc::clone(shared),
            observed: Arc::clone(observed),
            commands,
            analysis: Mutex::new(Some(handle)),
            discarded: AtomicU64::new(0),
        })
    }

    /// A ring for a thread that makes its first event, after `position` events of its number.
    pub(crate) fn open(&self, thread: u32, position: u64, name: &str) -> usize {
        let mut live = lock(&self.live);
        if !self.shared.is_running() {
            return self.waste(&mut live, thread, self.smallest());
        }
        if live.numbers.contains_key(&thread) {
            lock(&self.observed).lost(1, "a thread that has the number of another one");
            return self.waste(&mut live, thread, self.smallest());
        }
        let ring = Arc::new(self.shared.ring(self.smallest(), thread, false));
        // Sent under the lock, so that the rings of a number arrive in order.
        self.send(Command::Open { position, name: name.into(), ring: Arc::clone(&ring) });
        live.numbers.insert(thread, ring.address());
        live.add(ring)
    }

    /// Waits until there is room for `records` more records; returns the ring to continue in.
    pub(crate) fn full(&self, address: usize, records: u64) -> usize {
        let known = lock(&self.live).rings.get(&address).map(Arc::clone);
        let Some(ring) = known else {
            lock(&self.observed).lost(1, "what was written to an unknown ring");
            return self.waste(&mut lock(&self.live), 0, self.smallest().max(records.next_power_of_two()));
        };
        if !ring.is_waste && self.shared.is_running() {
            let sizes = self.shared.sizes;
            // A quarter, so that a thread that outruns the analysis does not have to wait again for each record.
            let wanted = records.max(ring.capacity() / 4);
            let may_grow = ring.capacity() < sizes.largest && self.shared.may_grow();
            if records > ring.capacity() / 2 || (may_grow && ring.free() < wanted) {
                return self.larger(&ring, records).unwrap_or_else(|| self.discard(&ring, records));
            }
            ring.wait(wanted, || !self.shared.is_running(), || self.send(Command::Look));
            if ring.free() >= records {
                return address;
            }
        }
        self.discard(&ring, records)
    }

    /// Closes the ring of a thread that has ended.
    pub(crate) fn close(&self, address: usize) {
        let ring = {
            let mut live = lock(&self.live);
            live.remove(address)
        };
        if let Some(ring) = ring {
            ring.retire(End::Last);
            if ring.is_waste {
                self.count_discarded(&ring);
                self.shared.forget(&ring);
            }
        }
    }

    /// Asks the analysis what was found until now.
    pub(crate) fn ask(&self, question: Question) {
        self.send(Command::Ask(question));
    }

    /// Begins the end: rings opened before are still read, but no writer gets room any more.
    pub(crate) fn end(&self) {
        let live = lock(&self.live);
        self.shared.end();
        self.send(Command::Finish);
        live.rings.values().for_each(|ring| ring.wake());
    }

    /// Ends the run: reads what is left.
    pub(crate) fn finish(&self) -> Outcome {
        self.end();
        let joined = lock(&self.analysis).take().and_then(|handle| handle.join().ok());
        let mut outcome = joined.unwrap_or_else(Outcome::lost);
        outcome.discarded = self.discarded.load(Ordering::Relaxed);
        // A thread's records are discarded before others can depend on them, so the cut threads are known by now.
        let live = lock(&self.live);
        outcome.blocked = ending::missing(&outcome.waiting, |thread| live.cut.contains(&thread.0));
        drop(live);
        outcome
    }

    /// The ring after `ring`, with room for more; `None` if nobody would read it.
    fn larger(&self, ring: &Arc<Ring>, records: u64) -> Option<usize> {
        let capacity = (ring.capacity() * GROWTH).min(self.shared.sizes.largest).max(2 * records.next_power_of_two());
        let next = Arc::new(self.shared.ring(capacity, ring.thread, false));
        let mut live = lock(&self.live);
        if !self.shared.is_running() {
            self.shared.forget(&next);
            return None;
        }
        live.remove(ring.address());
        self.send(Command::Next { ring: Arc::clone(&next) });
        // After the command, so that a reader that sees this ring retired already knows the next one.
        ring.retire(End::Continued);
        live.numbers.insert(next.thread, next.address());
        Some(live.add(next))
    }

    /// A ring that nobody reads, in place of `ring`, whose unread records are lost.
    fn discard(&self, ring: &Arc<Ring>, records: u64) -> usize {
        self.count_discarded(ring);
        if ring.is_waste && records <= ring.capacity() {
            ring.release(ring.head());
            return ring.address();
        }
        let mut live = lock(&self.live);
        live.remove(ring.address());
        ring.retire(End::Continued);
        self.waste(&mut live, ring.thread, self.smallest().max(records.next_power_of_two()))
    }

    fn smallest(&self) -> u64 {
        self.shared.sizes.smallest
    }

    /// The ring at an address, for tests that write as threads do.
    #[cfg(test)]
    pub(crate) fn ring(&self, address: usize) -> Arc<Ring> {
        Arc::clone(&lock(&self.live).rings[&address])
    }

    fn count_discarded(&self, ring: &Ring) {
        if !self.shared.is_over() {
            self.discarded.fetch_add(ring.head() - ring.tail(), Ordering::Relaxed);
        }
    }

    fn waste(&self, live: &mut Live, thread: u32, capacity: u64) -> usize {
        if self.shared.is_over() {
            live.cut.insert(thread);
        }
        live.add(Arc::new(self.shared.ring(capacity, thread, true)))
    }

    fn send(&self, command: Command) {
        // If the analysis has failed, nobody receives.
        let _ = self.commands.send(command);
    }
}

impl Live {
    fn add(&mut self, ring: Arc<Ring>) -> usize {
        let address = ring.address();
        self.rings.insert(address, ring);
        address
    }

    fn remove(&mut self, address: usize) -> Option<Arc<Ring>> {
        let ring = self.rings.remove(&address)?;
        if self.numbers.get(&ring.thread) == Some(&address) {
            self.numbers.remove(&ring.thread);
        }
        Some(ring)
    }
}
