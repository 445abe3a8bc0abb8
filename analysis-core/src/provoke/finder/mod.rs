//! From an execution to candidates: what other threads could have done between two accesses of a block.
//!
//! # Idea
//! In an instance of a block, a thread passes `first` and later `last`, accesses of one variable. The access `other` of another
//! thread could have come between them if nothing forces it to come before `first` or after `last`. Starts, joins and hand-overs
//! force an order ([`Running`]); locks and the values read do not. And at some point between the two, the thread must hold none of
//! the locks under which the other one passes `other`. That point is `first` itself or the release of a lock; the thread is held at
//! the earliest such point. Who holds permits of a semaphore is not known: if the thread gives some back between the two, holding it
//! there makes another candidate.
//!
//! So each candidate could have come in this order as far as starts, joins, hand-overs and locks of single accesses are concerned. The
//! finder does not ask whether the threads would still do the same, nor whether locks taken in opposite orders prevent it: the steered
//! run shows that.
//!
//! The same holds for two variables of one object: the thread reads a lower bound and then an upper one, and another one
//! moves both in between. `other` is then the second access of the other thread, after one that conflicts with `first`.
//!
//! # What is left out
//! - Of the places of a block that can follow `first`, all but the nearest that lets the other thread come between: the thread is
//!   held after `first` whatever comes then.
//! - Variables of several objects, except for what an algorithm predicts (`predicted.rs`); and of one object, those where the other thread
//!   reads last what the block then writes, unless the block has written first.
//! - What goes through third threads, with the same exception: the block is violated because one thread has seen what
//!   it did, and another one has changed what it does next.
//! - Candidates whose thread could be held only inside a wait, or at an unknown place.
//! - What is far apart: variables and hand-overs are forgotten when neither of the last two windows of events has them. Of a
//!   variable, only the last accesses of different places, threads and periods are kept (`MOST_KEPT` in `variables.rs`).
//! - Two accesses of one step ([`Op::Together`](crate::event::Op)): nothing comes between them.
//!
//! | to see | read |
//! |---|---|
//! | what the finder takes, and what it returns | `step.rs` |
//! | locks that threads hold | `held.rs` |
//! | pairs of accesses in the blocks of a thread | `blocks.rs` |
//! | which accesses can come between | `variables.rs` |
//! | what only one thread accesses | `sharing.rs` |
//! | from the names of a trace to steps | `trace.rs`, `sites.rs` |
//! | what takes more than one access of another thread | `predicted.rs` |
//! | candidates while the program runs | `live.rs` |

mod aged;
mod blocks;
mod held;
mod live;
mod predicted;
mod sharing;
mod sites;
mod step;
mod trace;
mod variables;

use rustc_hash::FxHashSet;

use crate::event::{Event, Op};
use crate::graph::accesses::at;
use crate::predict::periods::{Running, merge};
use aged::Aged;
use blocks::{Of, Thread};
pub use live::Live;
pub use predicted::{Passed, Passing, Predicted, Predicting, TOGETHER};
pub use step::{Act, Action, Found, Site, Step};
pub use trace::{Search, Searched, Summary, search};
use variables::{Entry, Variable};

/// The default number of events in a window.
pub const WINDOW: u64 = 1 << 17;
/// The most candidates, each of which is some places. Those after them are counted.
const MOST: usize = 1 << 16;

/// Takes the events of an execution and collects candidates.
pub struct Finder {
    window: u64,
    /// How many events of the current window were taken.
    taken: u64,
    running: Running,
    threads: Vec<Thread>,
    variables: Aged<u64, Variable>,
    /// The variables of one object together.
    objects: Aged<u64, Variable>,
    /// By what is handed over: what precedes those that receive it.
    given: Aged<u32, Vec<u32>>,
    found: FxHashSet<Found>,
    /// Declarations of variables that threads write while others access them.
    contended: FxHashSet<u32>,
    left_out: u64,
}

impl Finder {
    /// A finder that remembers this many events, and at most twice as many.
    pub fn new(window: u64) -> Finder {
        Finder {
            window: window.max(1),
            taken: 0,
            running: Running::default(),
            threads: Vec::new(),
            variables: Aged::default(),
            objects: Aged::default(),
            given: Aged::default(),
            found: FxHashSet::default(),
            contended: FxHashSet::default(),
            left_out: 0,
        }
    }

    /// Takes the next event.
    pub fn step(&mut self, step: &Step) {
        // Blocks in which nothing happens leave nothing to remember.
        self.taken += u64::from(!matches!(step.act, Act::Begin(_) | Act::End | Act::Together));
        if self.taken == self.window {
            self.taken = 0;
            self.variables.age();
            self.objects.age();
            self.given.age();
            self.threads.iter_mut().for_each(Thread::age);
        }
        let me = step.thread;
        let thread = at(&mut self.threads, me.index());
        match step.act {
            Act::Begin(label) => thread.begin(label),
            Act::End => thread.end(),
            Act::Together => thread.go_on(),
            Act::Private => thread.advance(),
            Act::Fork(child) => _ = self.running.step(Event::new(me, Op::Fork(child))),
            Act::Join(child) => _ = self.running.step(Event::new(me, Op::Join(child))),
            Act::Give(what) => merge(self.given.entry(what), &self.running.give(me)),
            Act::Receive(what) => {
                if let Some(given) = self.given.get(what) {
                    self.running.receive(me, given);
                }
            }
            Act::Access { variable, declaration, object, is_write } => {
                let action = if is_write { Action::Write } else { Action::Read };
                let variable = u64::from(variable);
                self.pass(step, variable, declaration, action);
                if let Some(object) = object {
                    self.pass_part(step, of_object(object), variable, declaration, action);
                }
            }
            Act::Acquire { lock, is_shared, declaration } => {
                if thread.acquire(lock, is_shared, step.site) {
                    self.pass(step, of_lock(lock), declaration, Action::Acquire);
                }
            }
            Act::Release { lock, declaration } => {
                if thread.release(lock, step.site) {
                    self.pass(step, of_lock(lock), declaration, Action::Release);
                }
            }
            Act::GiveBack { declaration } => thread.give_back(declaration, step.site),
            Act::Section { lock, declaration } => {
                if let Some(action) = thread.look(lock, step.site) {
                    self.pass(step, of_lock(lock), declaration, action);
                }
            }
        }
    }

    /// A thread accesses a variable, or enters or leaves a critical section.
    fn pass(&mut self, step: &Step, variable: u64, declaration: u32, action: Action) {
        let thread = &mut self.threads[step.thread.index()];
        thread.advance();
        let Some(site) = step.site else { return };
        let period = self.running.current(step.thread);
        let known = self.variables.entry(variable);
        let mut found = |found| keep(&mut self.found, &mut self.left_out, found);
        if action != Action::Release {
            let of = Of::Variable(variable);
            thread.pairs(of, site, action, &period, |pair| known.add_pair(pair, &mut found));
        }
        if action != Action::Acquire {
            thread.remember(Of::Variable(variable), site, action, &period);
        }
        if action != Action::Release {
            let (when, held) = (thread.now(), thread.held());
            let entry = Entry { variable, declaration, when, site, action, period, held };
            if known.add_entry(entry, &mut found) {
                self.contended.insert(declaration);
            }
        }
    }

    /// Likewise for a variable among others of an object.
    fn pass_part(&mut self, step: &Step, object: u64, variable: u64, declaration: u32, action: Action) {
        let Some(site) = step.site else { return };
        let thread = &mut self.threads[step.thread.index()];
        let period = self.running.current(step.thread);
        let known = self.objects.entry(object);
        let mut found = |found| keep(&mut self.found, &mut self.left_out, found);
        let of = Of::Part { object, variable };
        thread.pairs(of, site, action, &period, |pair| known.add_pair(pair, &mut found));
        thread.remember(of, site, action, &period);
        let (when, held) = (thread.now(), thread.held());
        known.add_entry(Entry { variable, declaration, when, site, action, period, held }, &mut found);
    }

    /// The candidates, and how many others there may be.
    pub fn finish(self) -> (Vec<Found>, u64) {
        (step::without_repetitions(self.found, &self.contended), self.left_out)
    }
}

/// Keeps a candidate, if there is room.
fn keep(all: &mut FxHashSet<Found>, left_out: &mut u64, found: Found) {
    if all.len() < MOST {
        all.insert(found);
    } else if !all.contains(&found) {
        *left_out += 1;
    }
}

/// The number of an object.
fn of_object(object: u32) -> u64 {
    2 << 32 | u64::from(object)
}

/// The number of a lock among the variables.
fn of_lock(lock: u32) -> u64 {
    1 << 32 | u64::from(lock)
}
