//! The session: all global state, from the start of the agent to its report.
//!
//! A thread of the program touches it when it opens, fills or closes a ring, and when a class is loaded; never for an
//! event. The analysis receives rings through a channel and owns them on its side; it takes no lock that is held while
//! another thread waits.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use analysis_core::spec::{Method, Signature, Specification};
use crossbeam_channel::{Sender, unbounded};

use crate::analysis::{self, Command, Outcome};
use crate::ending;
use crate::names::Names;
use crate::observed::{Observed, What};
use crate::options::Options;
use crate::progress;
use crate::report::{self, Ending};
use crate::rings::{End, Ring};
use crate::shared::{Shared, Sizes};
use crate::unmodelled;

/// The growth factor from one ring of a thread to the next.
const GROWTH: u64 = 8;

/// The rings that threads write to, by address, and the one of each thread number.
#[derive(Default)]
struct Live {
    rings: HashMap<usize, Arc<Ring>>,
    numbers: HashMap<u32, usize>,
    /// Numbers of threads whose records were discarded because the end had begun.
    cut: HashSet<u32>,
}

/// The session.
pub struct Session {
    options: Options,
    names: Arc<Names>,
    observed: Mutex<Observed>,
    live: Mutex<Live>,
    shared: Arc<Shared>,
    commands: Sender<Command>,
    analysis: Mutex<Option<JoinHandle<Outcome>>>,
    discarded: AtomicU64,
    started: Instant,
}

impl Session {
    /// Starts the analysis.
    ///
    /// # Errors
    /// The trace cannot be written, or no thread can be created; one line.
    pub fn start(options: Options) -> Result<Session, String> {
        let sizes = options.ring.map_or_else(Sizes::default, Sizes::fixed);
        Session::start_sized(options, sizes)
    }

    /// The same with rings of other sizes.
    pub(crate) fn start_sized(options: Options, sizes: Sizes) -> Result<Session, String> {
        let names = Arc::new(Names::default());
        let shared = Arc::new(Shared::new(sizes));
        let (commands, inbox) = unbounded();
        let task = analysis::Analysis::new(&options, Arc::clone(&names), Arc::clone(&shared), inbox)?;
        let thread = std::thread::Builder::new().name("regiontrack-analysis".into());
        let failed = Arc::clone(&shared);
        let handle = thread.spawn(move || {
            let outcome = task.run();
            if outcome.failure.is_some() {
                failed.fail();
            }
            outcome
        });
        let handle = handle.map_err(|error| format!("the analysis cannot start: {error}"))?;
        let started = Instant::now();
        progress::start(options.progress, &shared, started);
        Ok(Session {
            options,
            names,
            observed: Mutex::default(),
            live: Mutex::default(),
            shared,
            commands,
            analysis: Mutex::new(Some(handle)),
            discarded: AtomicU64::new(0),
            started,
        })
    }

    /// The options in effect.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A ring for a thread that makes its first event, after `position` events of its number.
    pub fn open(&self, thread: u32, position: u64, name: &str) -> usize {
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
    pub fn full(&self, address: usize, records: u64) -> usize {
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

    /// A thread has ended.
    pub fn close(&self, address: usize) {
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

    /// Takes a description.
    pub fn describe(&self, what: What, number: u32, text: &str) {
        match what {
            What::Site => self.names.site(number, text),
            What::Type => self.names.type_name(number, text),
            What::Thread => self.names.thread_name(number, text),
            What::Application => {
                self.names.set_application(text);
                lock(&self.observed).add(what, 0, text);
            }
            what => lock(&self.observed).add(what, u64::from(number), text),
        }
    }

    /// True if classes of this internal name are to be instrumented.
    pub fn includes(&self, internal_name: &str) -> bool {
        self.options.includes(internal_name)
    }

    /// Which methods of a class are atomic: a digit each. `text` is as `NativeBridge.select` says.
    ///
    /// # Errors
    /// The text does not have that form.
    pub fn select(&self, text: &str) -> Result<String, String> {
        lock(&self.observed).unmodelled += unmodelled::count(text);
        select(&self.options.spec, &self.names, text)
    }

    /// The end: reads what is left and writes the report. Only the first call does so; others wait for it. Returns the
    /// ending, with the exit code.
    pub fn finish(&self) -> Option<Ending> {
        let mut analysis = lock(&self.analysis);
        let handle = analysis.take()?;
        self.end();
        let mut outcome = handle.join().unwrap_or_else(|_| Outcome::lost());
        let observed = std::mem::take(&mut *lock(&self.observed));
        let lost = self.discarded.load(Ordering::Relaxed);
        // A thread's records are discarded before others can depend on them, so the cut threads are known by now.
        let live = lock(&self.live);
        outcome.blocked = ending::missing(&outcome.waiting, |thread| live.cut.contains(&thread.0));
        drop(live);
        let reasons = report::reasons(&outcome, &observed, lost);
        if let Some(feed) = &mut outcome.feed {
            feed.complete_trace(&reasons);
        }
        Some(report::write(&self.options, &outcome, &observed, lost, self.started.elapsed()))
    }

    /// The end begins. Rings opened before are still read, but no writer gets room any more.
    pub(crate) fn end(&self) {
        let live = lock(&self.live);
        self.shared.end();
        self.send(Command::Finish);
        live.rings.values().for_each(|ring| ring.wake());
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

    /// A ring that nobody reads, in place of `ring`; what was in it and not read is lost.
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

/// Ignores poisoning: the locks protect counters and tables that are consistent between any two statements.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn select(spec: &Specification, names: &Names, text: &str) -> Result<String, String> {
    let mut lines = text.lines();
    let bad = |line: &str| format!("a class text that cannot be read: '{line}'");
    let head = lines.next().unwrap_or_default();
    let (class, of_class) = match head.split('\t').collect::<Vec<_>>()[..] {
        ["class", _access, class, _super, _file, annotations] => (class, annotations),
        _ => return Err(bad(head)),
    };
    let needs_calls = spec.needs_calls();
    let starts_from_default = spec.keeps_by_default(None);
    let decide = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let ["method", access, name, descriptor, rest @ ..] = &fields[..] else { return Err(bad(line)) };
        let access = u32::from_str_radix(access, 16).map_err(|_| bad(line))?;
        let mut method = Method::from_class_file(class, name, descriptor, access).map_err(|e| e.to_string())?;
        if needs_calls && let Some(calls) = rest.get(1) {
            calls.split(' ').filter_map(call).for_each(|call| method.add_call(call));
        }
        let of_method = rest.first().copied().unwrap_or_default();
        let annotations = of_class.split(' ').chain(of_method.split(' '));
        annotations.filter(|annotation| !annotation.is_empty()).for_each(|class| method.add_annotation(class));
        let decision = spec.decide(&method);
        if starts_from_default && decision.atomic && !decision.is_by_default() {
            names.add_named(method.to_string());
        }
        Ok(if decision.atomic { '1' } else { '0' })
    };
    lines.map(decide).collect()
}

/// Parses `owner.name(descriptor)`; a text that the JVM would reject is not a call.
fn call(text: &str) -> Option<Signature> {
    let open = text.find('(')?;
    let (owner, name) = text[..open].rsplit_once('.')?;
    Signature::from_class_file(owner, name, &text[open..]).ok()
}
