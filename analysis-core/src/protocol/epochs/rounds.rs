//! Tentative reads, step by step ([`crate::protocol::rounds`]).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::machine::Machine;
use super::memory::{Entry, Phase, Read, Readers, Round, Tentative, Thread, Variable};
use crate::engine::{Sites, Source};
use crate::event::{Stamp, ThreadId};
use crate::protocol::rounds::{self, Settled};

impl Machine {
    /// The thread begins a round: from here on, its reads are tentative. Nothing happens before it has settled its
    /// fork: a thread that has only withdrawn reads would seem to have acted.
    pub async fn begin_round(&self, thread: ThreadId) {
        let t = self.thread(thread);
        self.use_round(&t).await;
        if !t.has_acted.get() || !t.fork.get().is_never() {
            return;
        }
        let round = Rc::new(Round {
            phase: Cell::new(Phase::Open),
            is_overtaken: Cell::default(),
            first: t.position.get(),
            depth: t.stack.depth.get(),
            reads: RefCell::default(),
        });
        *self.number(t.number).round.borrow_mut() = Some(round.clone());
        *t.round.borrow_mut() = Some(round);
    }

    /// The thread goes round again: what it has read since [`Machine::begin_round`] was no event. Nothing happens if
    /// the round is settled already.
    pub async fn withdraw(&self, thread: ThreadId) {
        let t = self.thread(thread);
        self.settle_round(&t, false).await;
        self.finish_reads(&t).await;
    }

    /// What the thread has read since [`Machine::begin_round`] has consequences.
    pub async fn use_reads(&self, thread: ThreadId) {
        self.use_round(&self.thread(thread)).await;
    }

    /// Whether reads are tentative.
    pub(super) fn is_in_round(&self, t: &Thread) -> bool {
        t.round.borrow().is_some()
    }

    /// The variable is locked.
    pub(super) async fn read_tentatively(&self, t: &Thread, x: &Rc<Variable>, happened: usize) {
        let round = t.round.borrow().clone().expect("a round");
        let read = x.take(t);
        let is_mine = |stamp: Stamp| rounds::is_tentative(stamp) && rounds::real(stamp).thread() == t.number;
        let is_of_round = |stamp: Stamp| is_mine(stamp) && stamp.position() > round.first;
        let own = match &read {
            Read::One(_) => None,
            Read::Shared(readers) => readers.of(ThreadId(t.number.0 | rounds::MARK)),
        };
        let before = match &read {
            Read::One(stamp) => is_of_round(*stamp).then_some(*stamp),
            Read::Shared(_) => own.as_ref().map(|entry| entry.get()).filter(|stamp| is_of_round(*stamp)),
        };
        let before = before.and_then(|stamp| round.of(stamp));
        if let Some(before) = before.as_ref().filter(|before| t.covers(rounds::real(before.stamp))) {
            // Nobody has written since, and no block has begun: the same as that read.
            round.reads.borrow_mut().push(Tentative { happened, ..before.clone() });
            return;
        }
        let written = x.write.get();
        let is_new = written.is_foreign_to(t.number) && !t.has_seen(written);
        let open = if is_new { self.look(&self.number(written.thread()), written).await } else { Vec::new() };
        // It reserves a position. Nothing has come before it yet, but if something is to, it starts a segment now: what follows it
        // in the round is then no repetition of what was before it.
        t.position.set(t.position.get() + 1);
        if is_new {
            t.segment.set(t.position.get());
            t.entered.set(t.position.get());
        }
        let stamp = rounds::tentative(t.now());
        let earlier = match &read {
            Read::One(earlier) if t.is_mine(*earlier) && *earlier != written => *earlier,
            _ => before.map_or(Stamp::NEVER, |before| before.earlier),
        };
        round.reads.borrow_mut().push(Tentative {
            variable: x.clone(),
            stamp,
            written,
            open,
            earlier,
            depth: t.stack.depth.get(),
            happened,
        });
        self.step().await;
        match read {
            Read::One(before) if before == written || t.is_mine(before) || is_mine(before) => {
                x.set_read(Read::One(stamp));
            }
            Read::One(before) => {
                let entries = vec![Rc::new(Entry::new(before)), Rc::new(Entry::new(stamp))].into();
                x.set_read(Read::Shared(Rc::new(Readers { number: self.next_table(), entries })));
            }
            Read::Shared(readers) => match own {
                Some(entry) => entry.set(stamp),
                None => readers.entries.borrow_mut().push(Rc::new(Entry::new(stamp))),
            },
        }
    }

    /// Settles the round as used, if there is one, and removes the marks.
    pub(super) async fn use_round(&self, t: &Thread) {
        self.settle_round(t, true).await;
        self.finish_reads(t).await;
    }

    /// Settles the round, if it is open. Locks of variables can be held.
    pub(super) async fn settle_round(&self, t: &Thread, is_used: bool) {
        let Some(round) = t.round.take() else { return };
        let reads = round.reads.borrow().clone();
        let mut last = Stamp::NEVER;
        for read in &reads {
            if !is_used {
                self.unhappen(read.happened);
            } else if read.stamp != last {
                self.use_read(t, read).await;
            }
            last = read.stamp;
        }
        self.step().await;
        let outcome = if is_used { Phase::Used } else { Phase::Withdrawn };
        // An exchange, which fails if another thread's item depends on a read.
        if round.phase.get() == Phase::Open {
            round.phase.set(outcome);
            return;
        }
        for read in &reads {
            self.step().await;
            self.settle_read(read.stamp, outcome_of(t, read, is_used));
        }
        self.step().await;
        round.phase.set(outcome);
        round.is_overtaken.set(true);
    }

    /// A tentative read becomes an event, at its place.
    async fn use_read(&self, t: &Thread, read: &Tentative) {
        self.depend(t, read.written);
        let stamps = t.sources.take();
        let Some(on) = stamps.first().copied() else { return };
        let sources = vec![Source { on, open: read.open.first().copied(), sites: Sites::default() }];
        let shown = vec![(on, read.open.clone())];
        self.step().await;
        let counts = vec![self.number(on.thread()).count.get()];
        self.hand(t, rounds::real(read.stamp), read.depth, sources, counts, shown, Some(read.stamp));
    }

    /// Removes the marks of a round that is settled, under the locks of the variables. Other threads do not wait for
    /// that.
    pub(super) async fn finish_reads(&self, t: &Thread) {
        let number = self.number(t.number);
        let Some(round) = number.round.borrow().clone() else { return };
        let is_used = round.phase.get() == Phase::Used;
        let reads = round.reads.borrow().clone();
        for read in &reads {
            self.lock(&read.variable).await;
            self.step().await;
            self.finish_read(t, read, is_used);
            self.step().await;
            read.variable.is_locked.set(false);
            self.step().await;
        }
        *number.round.borrow_mut() = None;
        if round.is_overtaken.get() {
            self.finish_round(t.number);
        }
    }

    /// If no thread has written since, the variable has the read.
    fn finish_read(&self, t: &Thread, read: &Tentative, is_used: bool) {
        let x = &read.variable;
        let stamp = if is_used { rounds::real(read.stamp) } else { read.earlier };
        match x.read() {
            Read::One(found) if found == read.stamp => {
                x.set_read(Read::One(if stamp.is_never() { read.written } else { stamp }));
            }
            Read::Shared(readers) => {
                let is_there = readers.of(read.stamp.thread()).is_some_and(|entry| entry.get() == read.stamp);
                if is_there && !stamp.is_never() {
                    match readers.of(t.number) {
                        Some(own) => own.set(stamp),
                        None => readers.entries.borrow_mut().push(Rc::new(Entry::new(stamp))),
                    }
                }
            }
            Read::One(_) => {}
        }
    }

    /// Makes the current access depend on a tentative read, by its outcome if that is known. False if that adds
    /// nothing.
    pub(super) fn depend_on_tentative(&self, t: &Thread, stamp: Stamp) -> bool {
        let owner = rounds::real(stamp).thread();
        if owner == t.number {
            return false;
        }
        let round = self.number(owner).round.borrow().clone();
        // What an earlier round has read stays among the readers, and says nothing.
        let Some(round) = round.filter(|round| stamp.position() > round.first) else { return false };
        match round.phase.get() {
            Phase::Open | Phase::Overtaken => {
                round.phase.set(Phase::Overtaken);
                t.sources.borrow_mut().push(stamp);
                true
            }
            Phase::Used => self.depend(t, rounds::real(stamp)),
            Phase::Withdrawn => round.of(stamp).is_some_and(|read| self.depend(t, read.earlier)),
        }
    }

    /// Before a block ends: the round is used if it began in the block, or if two of its reads are in it.
    pub(super) async fn end_in_round(&self, t: &Thread) {
        let Some(round) = t.round.borrow().clone() else { return };
        let depth = t.stack.depth.get();
        let mut inside: Vec<Stamp> =
            round.reads.borrow().iter().filter(|read| read.depth == depth).map(|read| read.stamp).collect();
        inside.dedup();
        if depth <= round.depth && t.open.get() <= depth || inside.len() > 1 {
            self.use_round(t).await;
        } else if t.open.get() == depth {
            round.reads.borrow_mut().iter_mut().filter(|read| read.depth == depth).for_each(|read| read.depth -= 1);
        }
    }
}

/// What a read of an overtaken round turns out to be.
fn outcome_of(t: &Thread, read: &Tentative, is_used: bool) -> Settled {
    if is_used {
        return Settled::Used;
    }
    if read.earlier.is_never() {
        return Settled::Withdrawn;
    }
    let open = t.stack.entry(0).map(|(begin, _)| begin).filter(|begin| *begin <= read.earlier.position());
    Settled::Earlier(read.earlier, open.filter(|_| t.stack.depth.get() > 0))
}
