//! From predictions to candidates: schedules of recorded events in which a block is violated ([`crate::predict`]).
//!
//! The finder pairs two accesses of a block with one of another thread. A violation can take more: the block reads the first of two
//! objects, another thread changes both, and the block reads the second one; or one thread has seen what the block did, and tells a third
//! one, which changes what the block does next. An algorithm that predicts knows these. The schedule that shows a prediction determines
//! which thread passes which places in which order: the events at which the path of the violation goes from one thread to the next.
//!
//! A prediction is about events in memory, so the events of a window are judged, and then the window moves on by half of its length. A
//! window begins with the blocks that are open there and the locks that are held, at no place. For the algorithm, hand-overs order nothing,
//! so schedules against such an order are left out here.
//!
//! Also left out: warnings whose places were examined before; violations by one access of another thread; and what goes through a place at
//! which no thread can be held. Locks that readers share keep nobody out in a window.

mod window;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::aged::Aged;
use super::held::{Held, Holding};
use super::step::{Act, Action, Site, Step};
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::graph::accesses::at;
use crate::predict::algorithm::{AlgorithmSpec, Limits};
use crate::predict::budget::Budget;
use crate::predict::periods::{Period, Running, merge};
use crate::predict::schedule::Confirmer;
use window::Window;

/// How many events are judged together.
pub const TOGETHER: usize = 1 << 13;
/// How much work an algorithm may do in one window, and again for its schedules, in steps of some ten nanoseconds.
const STEPS: u64 = 30_000_000;
/// How much work all windows may take.
const ALL_STEPS: u64 = 1_000_000_000;
/// What an event of a window costs at least.
const STEPS_OF_EVENT: u64 = 50;
/// The most candidates. Those after them are counted with the windows in which something may be missed.
const MOST: usize = 1 << 12;
/// After every this many windows, hand-overs older than these are forgotten.
const AGE: u32 = 32;
/// For how many warnings of one window schedules are searched.
const MOST_WARNINGS: usize = 64;

/// What a thread does where.
pub type Passing = (Site, Action);

/// A candidate, by numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Predicted {
    /// The innermost block around the first and the last place.
    pub block: LabelId,
    /// The declarations of what the path goes through.
    pub declarations: Vec<u32>,
    /// What its thread passes first.
    pub first: Passing,
    /// Where that thread is held.
    pub hold: Passing,
    /// What that thread passes last.
    pub last: Passing,
    /// What other threads pass.
    pub steps: Vec<Passed>,
}

/// What another thread passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passed {
    /// Which thread, from 1.
    pub thread: u8,
    /// Which object: 0 for that of the first place, from 1 for others; `None` if it has none.
    pub object: Option<u8>,
    /// What and where.
    pub passing: Passing,
    /// Where the thread takes the outermost lock that stands against it.
    pub gate: Option<Site>,
}

/// An event of the window.
#[derive(Clone)]
struct Taken {
    event: Event,
    site: Option<Site>,
    declaration: u32,
    object: Option<u32>,
    /// The period of its thread; `None` for what a window begins with.
    period: Option<Arc<Period>>,
}

/// What an event is about.
#[derive(Clone, Copy, Default)]
struct About {
    site: Option<Site>,
    declaration: u32,
    object: Option<u32>,
}

/// What is known of a thread where the window begins.
#[derive(Clone, Default)]
struct Opened {
    labels: Vec<LabelId>,
    /// Locks in the order in which they were taken.
    locks: Vec<u32>,
}

/// Takes the events of an execution, and predicts.
pub struct Predicting {
    algorithm: &'static AlgorithmSpec,
    window: usize,
    running: Running,
    holding: Vec<Holding>,
    given: Aged<u32, Vec<u32>>,
    windows: u32,
    /// How much work is left.
    left: u64,
    events: Vec<Taken>,
    /// How many of the events were already judged in the window before this one.
    judged: usize,
    opened: Vec<Opened>,
    /// By thread: marks of its next access, if that is taken.
    pending: Vec<Pending>,
    /// By thread: blocks that have begun and in which nothing has happened yet. They take no room in a window.
    empty: Vec<Vec<LabelId>>,
    /// Warnings whose schedules were searched: the block, and the places of the events.
    seen: FxHashSet<(LabelId, Vec<Option<Passing>>)>,
    found: FxHashSet<Predicted>,
    /// Windows in which an algorithm or its schedules reached their limit.
    unfinished: u64,
}

#[derive(Clone, Copy, Default)]
struct Pending {
    /// Whether the thread's last access was taken.
    is_taken: bool,
    goes_on: bool,
    updates: bool,
}

impl Predicting {
    /// A predictor that judges this many events together, such as [`TOGETHER`], by this algorithm.
    pub fn new(algorithm: &'static AlgorithmSpec, window: usize) -> Predicting {
        Predicting {
            algorithm,
            window: window.max(2),
            running: Running::default(),
            holding: Vec::new(),
            given: Aged::default(),
            windows: 0,
            left: ALL_STEPS,
            events: Vec::new(),
            judged: 0,
            opened: Vec::new(),
            pending: Vec::new(),
            empty: Vec::new(),
            seen: FxHashSet::default(),
            found: FxHashSet::default(),
            unfinished: 0,
        }
    }

    /// The thread's next write took place because of what it found.
    pub fn updates(&mut self, thread: ThreadId) {
        at(&mut self.pending, thread.index()).updates = true;
    }

    /// The thread's next event does not count.
    pub fn passes_over(&mut self, thread: ThreadId) {
        *at(&mut self.pending, thread.index()) = Pending::default();
    }

    /// Takes the next event, as the finder does, and the number of its object.
    pub fn step(&mut self, step: &Step, object: Option<u32>) {
        let Step { thread, act, site } = *step;
        let plain = About::default();
        let about = |declaration| About { site, declaration, object };
        match act {
            Act::Private | Act::GiveBack { .. } => self.passes_over(thread),
            Act::Together => {
                let pending = at(&mut self.pending, thread.index());
                pending.goes_on = pending.is_taken;
            }
            Act::Give(what) => {
                let over = self.running.give(thread);
                merge(self.given.entry(what), &over);
                self.passes_over(thread);
            }
            Act::Receive(what) => {
                if let Some(given) = self.given.get(what) {
                    self.running.receive(thread, given);
                }
                self.passes_over(thread);
            }
            Act::Begin(label) => at(&mut self.empty, thread.index()).push(label),
            Act::End => {
                if at(&mut self.empty, thread.index()).pop().is_none() {
                    self.take(thread, Op::End, plain);
                }
            }
            Act::Fork(child) => self.take(thread, Op::Fork(child), plain),
            Act::Join(child) => self.take(thread, Op::Join(child), plain),
            Act::Access { variable, declaration, is_write, .. } => {
                let Pending { goes_on, updates, .. } = std::mem::take(at(&mut self.pending, thread.index()));
                if goes_on {
                    self.take(thread, Op::Together, plain);
                }
                if updates && is_write {
                    self.take(thread, Op::Update, plain);
                }
                let op = if is_write { Op::Write(VarId(variable)) } else { Op::Read(VarId(variable)) };
                self.take(thread, op, about(declaration));
                at(&mut self.pending, thread.index()).is_taken = true;
            }
            Act::Acquire { is_shared: true, .. } => {}
            Act::Acquire { lock, declaration, .. } => {
                if self.holding(thread).acquire(Held { lock, is_shared: false, site }) {
                    self.take(thread, Op::Acquire(LockId(lock)), about(declaration));
                }
            }
            Act::Release { lock, declaration } => {
                if self.holding(thread).release(lock) {
                    self.take(thread, Op::Release(LockId(lock)), about(declaration));
                }
            }
            Act::Section { lock, declaration } => {
                match self.holding(thread).look(Held { lock, is_shared: false, site }) {
                    Some(true) => self.take(thread, Op::Acquire(LockId(lock)), about(declaration)),
                    Some(false) => self.take(thread, Op::Release(LockId(lock)), about(declaration)),
                    None => {}
                }
            }
        }
    }

    fn holding(&mut self, thread: ThreadId) -> &mut Holding {
        at(&mut self.holding, thread.index())
    }

    fn take(&mut self, thread: ThreadId, op: Op, about: About) {
        for label in std::mem::take(at(&mut self.empty, thread.index())) {
            self.keep(thread, Op::Begin(label), About::default());
        }
        self.keep(thread, op, about);
    }

    fn keep(&mut self, thread: ThreadId, op: Op, about: About) {
        let About { site, declaration, object } = about;
        let event = Event::new(thread, op);
        let period = Some(self.running.step(event));
        self.events.push(Taken { event, site, declaration, object, period });
        if self.events.len() == self.window {
            self.judge();
            // The second half is judged again, with what comes next.
            let half = self.window / 2;
            for taken in self.events.drain(..half) {
                at(&mut self.opened, taken.event.thread.index()).step(taken.event.op);
            }
            self.judged = self.events.len();
            self.windows += 1;
            if self.windows.is_multiple_of(AGE) {
                self.given.age();
            }
        }
    }

    /// Returns the candidates, and in how many windows something may be missed.
    pub fn finish(mut self) -> (Vec<Predicted>, u64) {
        if self.events.len() > self.judged {
            self.judge();
        }
        let mut found: Vec<Predicted> = self.found.into_iter().collect();
        found.sort_by(|one, other| one.places().cmp(other.places()));
        (found, self.unfinished)
    }

    fn judge(&mut self) {
        let base = STEPS_OF_EVENT * self.events.len() as u64;
        if self.left < base {
            self.unfinished += 1;
            return;
        }
        self.left -= base;
        let window = Window::new(&self.opened, &self.events);
        let limits = Limits { steps: STEPS.min(self.left), ..Limits::default() };
        let outcome = (self.algorithm.run)(&window.execution, &limits);
        let mut is_finished = outcome.unfinished.is_none();
        if !is_finished {
            self.left -= limits.steps;
        }
        let mut confirmer = Confirmer::new(&window.execution, Budget::of(STEPS.min(self.left)));
        let mut tried = 0;
        for warning in &outcome.warnings {
            let key = (confirmer.label(warning.unit), window.passings(&warning.pattern.events));
            if self.seen.contains(&key) {
                continue;
            }
            if tried == MOST_WARNINGS || self.left == 0 {
                is_finished = false;
                break;
            }
            tried += 1;
            let shown = confirmer.schedules(warning);
            // Each order is judged from the begin of the window on.
            self.left = self.left.saturating_sub(shown.tried * self.events.len() as u64);
            self.found.extend(shown.schedules.iter().flat_map(|schedule| window.candidates(schedule)));
            if self.found.len() > MOST || !shown.are_all {
                is_finished = false;
                break;
            }
            self.seen.insert(key);
        }
        self.unfinished += u64::from(!is_finished);
    }
}

impl Opened {
    fn step(&mut self, op: Op) {
        match op {
            Op::Begin(label) => self.labels.push(label),
            Op::End => _ = self.labels.pop(),
            Op::Acquire(lock) => self.locks.push(lock.0),
            Op::Release(lock) => self.locks.retain(|held| *held != lock.0),
            _ => {}
        }
    }
}

impl Predicted {
    /// The places it passes, for a fixed order of candidates.
    fn places(&self) -> impl Iterator<Item = Passing> + '_ {
        [self.first, self.hold, self.last].into_iter().chain(self.steps.iter().map(|step| step.passing))
    }
}

#[cfg(test)]
mod tests;
