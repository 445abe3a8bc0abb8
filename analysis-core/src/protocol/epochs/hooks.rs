//! The hooks, step by step. At an `await` on [`Machine::step`] other threads may run; the code between
//! two of them touches at most one shared word. An agent needs the same order of steps, as loads and stores with acquire
//! and release.

use std::rc::Rc;

use super::machine::Machine;
use super::memory::{Entry, Lock, Number, Read, Readers, Thread, Variable};
use super::{Handed, Nested};
use crate::engine::{Push, Sites, Source};
use crate::event::{Event, LabelId, Stamp, ThreadId};
use crate::protocol::rounds;

impl Machine {
    /// A read: no lock where `R` is mine and of this segment.
    pub(super) async fn read(&self, t: &Thread, event: Event, x: &Rc<Variable>) {
        let load = self.happens(t, event);
        self.step().await;
        // After the value: a writer changes R before the value.
        let read = x.read();
        let is_tentative = self.is_in_round(t);
        let is_covered = t.fork.get().is_never() && self.is_covered(t, x, &read).await;
        if is_covered || t.fork.get().is_never() && !is_tentative && self.renew(t, x, &read).await {
            return;
        }
        self.unhappen(load);
        self.settle(t).await;
        self.lock(x).await;
        let load = self.happens(t, event);
        self.step().await;
        if is_tentative {
            self.read_tentatively(t, x, load).await;
        } else {
            self.record_read(t, event, x).await;
        }
        self.step().await;
        x.is_locked.set(false);
    }

    /// True if the read needs no lock. With [`Nested::Fast`], it leaves the epoch where the next writer looks.
    async fn is_covered(&self, t: &Thread, x: &Variable, read: &Read) -> bool {
        match read {
            Read::One(stamp) if t.covers(*stamp) => {
                if self.nested == Nested::Fast && *stamp != t.now() && x.later.get() != t.now() {
                    self.step().await;
                    x.later.set(t.now());
                }
                true
            }
            Read::Shared(readers) if t.remembered(readers).is_some() => {
                let own = t.remembered(readers).filter(|own| self.nested == Nested::Fast && own.get() != t.now());
                if let Some(own) = own {
                    self.step().await;
                    own.set(t.now());
                }
                true
            }
            // Others have read since my write, which is still the last. With `Fast` this read's epoch would be left
            // nowhere.
            _ => {
                self.step().await;
                self.nested != Nested::Fast && !x.is_locked.get() && t.covers(x.write.get())
            }
        }
    }

    /// Renews the stamp of a read without the lock, by an exchange. It fails once a thread that has the lock has begun to take
    /// the stamp for a dependency; until then nobody has written since the value was loaded.
    async fn renew(&self, t: &Thread, x: &Variable, read: &Read) -> bool {
        if self.nested == Nested::Fast {
            return false;
        }
        match read {
            Read::One(stamp) => {
                self.step().await;
                t.is_mine(*stamp) && x.renew(*stamp, t.now())
            }
            Read::Shared(readers) => {
                self.step().await;
                let Some(own) = readers.of(t.number) else { return false };
                let stamp = own.get();
                self.step().await;
                let is_renewed = own.renew(stamp, t.now());
                if is_renewed {
                    t.remember(readers, own);
                }
                is_renewed
            }
        }
    }

    /// The variable is locked.
    async fn record_read(&self, t: &Thread, event: Event, x: &Variable) {
        let read = x.take(t);
        let own = match &read {
            Read::One(_) => None,
            Read::Shared(readers) => readers.of(t.number),
        };
        match (read, own) {
            // Renewal: a write before my last access is implied, as that access has followed it.
            (Read::One(stamp), _) if t.is_mine(stamp) => x.set_read(Read::One(t.now())),
            (Read::Shared(readers), Some(entry)) => {
                entry.set(t.now());
                t.remember(&readers, entry);
            }
            (read, _) => {
                self.depend_by(t, event, x.write.get());
                self.item(t).await;
                self.enter(t, x, read).await;
            }
        }
    }

    /// Enters a reader that is not in the table yet.
    async fn enter(&self, t: &Thread, x: &Variable, read: Read) {
        let me = Rc::new(Entry::new(t.now()));
        match read {
            Read::Shared(readers) => {
                readers.entries.borrow_mut().push(me.clone());
                t.remember(&readers, me);
            }
            Read::One(stamp) => {
                let last = later_of(stamp, x);
                // If no thread has read since the write, `W` says all. Or what the reader did there comes before what I do now:
                // whatever follows me follows it.
                if last == x.write.get() || (t.has_seen(last) && !self.learns()) {
                    x.set_read(Read::One(t.now()));
                    return;
                }
                let entries = vec![Rc::new(Entry::new(last)), me.clone()].into();
                let readers = Rc::new(Readers { number: self.next_table(), entries });
                t.remember(&readers, me);
                self.step().await;
                x.set_read(Read::Shared(readers));
            }
        }
    }

    /// A write: always under the lock, even if it needs no new stamp, since a reader may just have looked at `R`.
    pub(super) async fn write(&self, t: &Thread, event: Event, x: &Variable) {
        self.settle(t).await;
        self.lock(x).await;
        self.step().await;
        // A compareAndSet shows only under the lock that it succeeds.
        self.settle_round(t, true).await;
        let read = x.take(t);
        if self.learns() && shows_sharing(t, x, &read) {
            self.shares(event);
        }
        // Renewal: if R is mine, no other thread has accessed the variable since.
        if !matches!(read, Read::One(stamp) if t.is_mine(stamp)) {
            self.depend_by(t, event, x.write.get());
            match &read {
                Read::One(stamp) => self.depend_by(t, event, later_of(*stamp, x)),
                Read::Shared(readers) => {
                    let entries = readers.entries.borrow().clone();
                    for entry in entries {
                        self.step().await;
                        self.depend_by(t, event, entry.take());
                    }
                }
            }
            self.item(t).await;
        }
        // If no thread has accessed it since my write, which is of this segment, the stamps can stay.
        let is_mine = matches!(read, Read::One(stamp) if stamp == x.write.get() && t.covers(stamp));
        let is_repeated = is_mine && self.nested != Nested::Fast;
        let stamp = if is_repeated { x.write.get() } else { t.now() };
        self.step().await;
        x.set_read(Read::One(stamp));
        self.step().await;
        // The value: after R, so that a reader that sees it sees R changed.
        self.happens(t, event);
        self.step().await;
        x.write.set(stamp);
        x.is_locked.set(false);
        self.finish_reads(t).await;
    }

    /// After the program has entered the monitor.
    pub(super) async fn acquire(&self, t: &Thread, event: Event, lock: &Lock) {
        self.use_round(t).await;
        self.settle(t).await;
        while lock.holder.get().is_some_and(|holder| holder != event.thread) {
            self.wait().await;
        }
        lock.holder.set(Some(event.thread));
        lock.depth.set(lock.depth.get() + 1);
        self.happens(t, event);
        self.step().await;
        if self.learns() && t.is_shared_with(lock.release.get()) {
            self.shares(event);
        }
        self.depend_by(t, event, lock.release.get());
        self.item(t).await;
    }

    /// Before the program leaves the monitor.
    pub(super) async fn release(&self, t: &Thread, event: Event, lock: &Lock) {
        self.use_round(t).await;
        self.settle(t).await;
        lock.release.set(t.now());
        self.step().await;
        self.happens(t, event);
        lock.depth.set(lock.depth.get().saturating_sub(1));
        if lock.depth.get() == 0 {
            lock.holder.set(None);
        }
    }

    /// A block begins. Nothing is handed over, and a fork need not be settled.
    pub(super) async fn begin(&self, t: &Thread, event: Event, label: LabelId) {
        t.has_acted.set(true);
        t.open.set(t.open.get() + 1);
        let is_outermost = t.open.get() == 1;
        if !is_outermost && self.nested == Nested::Outermost {
            self.happens(t, event);
            return;
        }
        t.position.set(t.position.get() + 1);
        self.happens(t, event);
        if is_outermost || self.nested == Nested::Exact {
            t.segment.set(t.position.get());
        }
        t.stack.prepare(t.position.get(), label);
        self.step().await;
        t.stack.depth.set(t.stack.depth.get() + 1);
    }

    /// The innermost block ends: back to the segment of the one around it.
    pub(super) async fn end(&self, t: &Thread, event: Event) {
        self.end_in_round(t).await;
        self.happens(t, event);
        t.open.set(t.open.get().saturating_sub(1));
        let depth = t.stack.depth.get();
        if depth > t.open.get() {
            if t.named.get() == depth {
                t.named.set(depth - 1);
                t.pops.set(t.pops.get() + 1);
            }
            self.step().await;
            t.stack.depth.set(depth - 1);
        }
        t.return_to_segment(self.nested);
    }

    /// Before a thread is started. The new thread settles the fork.
    pub(super) async fn fork(&self, t: &Thread, event: Event, child: ThreadId) {
        self.use_round(t).await;
        self.settle(t).await;
        let created = self.create(child, Some(t));
        created.fork.set(t.now());
        created.started.set(t.now());
        if self.learns() {
            t.enter_epoch();
        }
        self.happens(t, event);
    }

    /// After a thread was joined. A thread that did nothing is not followed.
    pub(super) async fn join(&self, t: &Thread, event: Event, child: ThreadId) {
        self.use_round(t).await;
        self.settle(t).await;
        let child = loop {
            match self.existing(child).filter(|child| child.has_ended.get()) {
                Some(child) => break child,
                None => self.wait().await,
            }
        };
        self.happens(t, event);
        if child.has_acted.get() {
            self.depend(t, child.now());
            if self.learns() {
                t.joined.borrow_mut().insert(child.number, child.position.get());
            }
        }
        self.item(t).await;
    }

    /// The fork of the thread is a dependency: handed over before the thread gives out a stamp, or has another one, but
    /// not necessarily before its first begin.
    pub(super) async fn settle(&self, t: &Thread) {
        t.has_acted.set(true);
        let fork = t.fork.take();
        self.depend(t, fork);
        self.item(t).await;
    }

    pub(super) async fn lock(&self, x: &Variable) {
        while x.is_locked.get() {
            self.wait().await;
        }
        x.is_locked.set(true);
    }

    /// Like [`Machine::depend`], for an access or acquire: a dependency that is not implied shows that threads share what it
    /// touches.
    fn depend_by(&self, t: &Thread, event: Event, stamp: Stamp) {
        if self.depend(t, stamp) && self.learns() {
            self.shares(event);
        }
    }

    /// The current access depends on `stamp`, unless it is mine or implied, perhaps by another dependency of the access. An
    /// earlier one on the same thread stays: a witness may go through it. False if the dependency adds nothing.
    pub(super) fn depend(&self, t: &Thread, stamp: Stamp) -> bool {
        if !stamp.is_foreign_to(t.number) {
            return false;
        }
        if rounds::is_tentative(stamp) {
            return self.depend_on_tentative(t, stamp);
        }
        if t.has_seen(stamp) {
            return false;
        }
        t.seen.borrow_mut().insert(stamp.thread(), stamp.position());
        t.sources.borrow_mut().push(stamp);
        true
    }

    /// If there are new dependencies, the current access is a new epoch, and an item is handed over. The stamps that name
    /// it are stored afterwards.
    async fn item(&self, t: &Thread) {
        let stamps = t.sources.take();
        if stamps.is_empty() {
            return;
        }
        let mut sources = Vec::new();
        let mut shown = Vec::new();
        let mut counts = Vec::new();
        for on in stamps {
            let number: Rc<Number> = self.number(rounds::real(on).thread());
            let open = self.look(&number, rounds::real(on)).await;
            sources.push(Source { on, open: open.first().copied(), sites: Sites::default() });
            shown.push((on, open));
            self.step().await;
            // After the stack: whatever closed a block that was read there as open was counted before it was closed.
            counts.push(number.count.get());
        }
        self.step().await;
        t.enter_epoch();
        self.hand(t, t.now(), t.stack.depth.get(), sources, counts, shown, None);
    }

    /// Hands over an item at a position, with the blocks that were open then.
    #[expect(clippy::too_many_arguments, reason = "the parts of an item")]
    pub(super) fn hand(
        &self,
        t: &Thread,
        now: Stamp,
        depth: usize,
        sources: Vec<Source>,
        counts: Vec<u64>,
        shown: Vec<(Stamp, Vec<u64>)>,
        of: Option<Stamp>,
    ) {
        let blocks = (t.named.replace(depth)..depth).map(|index| t.stack.entry(index).expect("an open block of mine"));
        let pushes: Vec<Push> = blocks.map(|(begin, label)| Push { begin, label }).collect();
        let pops = t.pops.take();
        self.hand_over(Handed { now, event: self.events(), pops, pushes, sources, counts }, shown, of);
        let count = &self.number(t.number).count;
        count.set(count.get() + 1);
    }

    /// The begins of the blocks that the source's thread has open and that began not after `on`, outermost first: `o` is
    /// the first. A begin after `on` shows that what was open when the stamp was made, from there on, is closed.
    pub(super) async fn look(&self, number: &Number, on: Stamp) -> Vec<u64> {
        let u = number.holder.borrow().clone().expect("a number that made a stamp");
        self.step().await;
        let depth = u.stack.depth.get();
        let mut open = Vec::new();
        for index in 0..depth {
            self.step().await;
            match u.stack.entry(index) {
                Some((begin, _)) if begin <= on.position() => open.push(begin),
                _ => break,
            }
        }
        open
    }
}

/// What `R` stands for: the later of `R` and `L`, where both are of one thread.
fn later_of(read: Stamp, x: &Variable) -> Stamp {
    let later = x.later.get();
    if !later.is_never() && later.thread() == read.thread() && !read.is_never() { later.max(read) } else { read }
}

/// True if the last accesses to a variable, by its last writer and by all readers since, show to its current writer that threads
/// share it. Those of readers do not, once these were joined.
fn shows_sharing(t: &Thread, x: &Variable, read: &Read) -> bool {
    let written = x.write.get();
    let readers = match read {
        Read::One(stamp) => vec![later_of(*stamp, x)],
        Read::Shared(readers) => readers.entries.borrow().iter().map(|entry| entry.get()).collect(),
    };
    t.is_shared_with(written) || readers.into_iter().any(|stamp| t.is_shared_with(stamp) && !t.has_joined(stamp))
}
