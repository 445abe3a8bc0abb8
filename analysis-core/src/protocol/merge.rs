//! The threads' streams put back in one order, by their dependencies.
//!
//! A thread's next event is ready when each of its dependencies `(u, p)` has been passed: the stream of `u` consumed up
//! to position `p`. Dependencies point to what had happened, so some thread can always go on; and whatever order comes
//! out respects program order and every conflict between recorded events: a linear extension of their happens-before.
//!
//! A thread that has to wait is put on the list of the thread that it waits for, and examined again when that one has
//! moved. So the cost is that of the events and dependencies, however many threads there are.

use std::collections::VecDeque;

use super::Item;
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;

/// A dependency: the stamp of an event, and perhaps more.
pub trait On {
    /// The event that has to come first.
    fn stamp(&self) -> Stamp;
}

impl On for Stamp {
    fn stamp(&self) -> Stamp {
        *self
    }
}

/// A merge under way. The streams may still grow; what cannot go on yet waits.
///
/// The order is a function of what was pulled when: threads in the order given, each as far as it goes, followed by the
/// threads that waited for it.
pub struct Merge<D = Stamp> {
    /// By number.
    threads: Vec<Thread<D>>,
    /// Threads to look at in this run.
    ready: VecDeque<ThreadId>,
    /// The dependencies of the current event; kept for its memory.
    dependencies: Vec<D>,
}

/// Two words for a thread that nothing waits for, since there may be very many that have ended.
struct Thread<D> {
    /// How many events were passed on, or were before the stream began.
    consumed: u64,
    pending: Option<Box<Pending<D>>>,
}

/// The part of a thread's state that exists only while something waits.
struct Pending<D> {
    /// Dependencies of the next event, pulled from its stream.
    pulled: Vec<D>,
    /// Threads that wait for this one, and up to which position.
    waiters: Vec<(u64, ThreadId)>,
    /// Whether the thread is on the list of another.
    is_waiting: bool,
}

impl<D> Default for Thread<D> {
    fn default() -> Thread<D> {
        Thread { consumed: 0, pending: None }
    }
}

impl<D> Default for Pending<D> {
    fn default() -> Pending<D> {
        Pending { pulled: Vec::new(), waiters: Vec::new(), is_waiting: false }
    }
}

impl<D> Thread<D> {
    fn pending(&mut self) -> &mut Pending<D> {
        self.pending.get_or_insert_with(Box::default)
    }

    fn is_waiting(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| pending.is_waiting)
    }

    /// The newest dependency of the next event: the only one that can be open, as each was passed before the next was
    /// pulled.
    fn newest(&self) -> Option<&D> {
        self.pending.as_ref()?.pulled.last()
    }
}

impl<D> Default for Merge<D> {
    fn default() -> Merge<D> {
        Merge { threads: Vec::new(), ready: VecDeque::new(), dependencies: Vec::new() }
    }
}

impl<D: On> Merge<D> {
    /// Passes on everything that can go on, and returns whether anything did. `pull` takes the next item of a thread's
    /// stream, `None` while there is none; `emit` gets each event, its stamp, and its dependencies. `threads` are those
    /// whose streams may have grown.
    pub fn run<O>(
        &mut self,
        threads: impl IntoIterator<Item = ThreadId>,
        mut pull: impl FnMut(ThreadId) -> Option<Item<O, D>>,
        mut emit: impl FnMut(Stamp, O, &[D]),
    ) -> bool {
        let Merge { ready, threads: all, .. } = self;
        ready.extend(threads.into_iter().filter(|thread| !at(all, thread.index()).is_waiting()));
        let mut has_moved = false;
        while let Some(thread) = self.ready.pop_front() {
            if self.advance(thread, &mut pull, &mut emit) {
                has_moved = true;
                self.wake(thread);
            }
        }
        has_moved
    }

    /// The stream of `thread` goes on after `position` events. False if it was not there: events are missing, or come
    /// twice.
    pub fn resume(&mut self, thread: ThreadId, position: u64) -> bool {
        let state = at(&mut self.threads, thread.index());
        let is_there = state.consumed == position;
        state.consumed = position;
        self.wake(thread);
        is_there
    }

    /// `thread` has ended, so its stream grows no more. Frees its state, except its position, which later events of
    /// others may depend on.
    pub fn forget(&mut self, thread: ThreadId) {
        let Some(state) = self.threads.get_mut(thread.index()) else { return };
        let is_idle = |pending: &Pending<D>| pending.pulled.is_empty() && pending.waiters.is_empty();
        if state.pending.as_deref().is_some_and(is_idle) {
            state.pending = None;
        }
    }

    /// The number of threads for which more than a position is kept.
    pub fn kept(&self) -> usize {
        self.threads.iter().filter(|thread| thread.pending.is_some()).count()
    }

    /// The first dependency of each thread that cannot go on, where `run` has left it: thread and what it waits for.
    pub fn waiting(&self) -> impl Iterator<Item = (ThreadId, Stamp)> + '_ {
        self.threads.iter().enumerate().filter_map(|(index, thread)| {
            let blocked_on = thread.newest().map(On::stamp).filter(|stamp| !self.is_passed(*stamp))?;
            Some((ThreadId::of(index), blocked_on))
        })
    }

    /// Takes one thread as far as it goes; false if it cannot move at all.
    fn advance<O>(
        &mut self,
        thread: ThreadId,
        pull: &mut impl FnMut(ThreadId) -> Option<Item<O, D>>,
        emit: &mut impl FnMut(Stamp, O, &[D]),
    ) -> bool {
        let mut has_moved = false;
        loop {
            let newest = self.threads[thread.index()].newest().map(On::stamp);
            if let Some(stamp) = newest.filter(|stamp| !self.is_passed(*stamp)) {
                self.threads[thread.index()].pending().is_waiting = true;
                at(&mut self.threads, stamp.thread().index()).pending().waiters.push((stamp.position(), thread));
                return has_moved;
            }
            match pull(thread) {
                None => return has_moved,
                Some(Item::Depend(on)) => self.threads[thread.index()].pending().pulled.push(on),
                Some(Item::Event(event)) => {
                    let state = &mut self.threads[thread.index()];
                    state.consumed += 1;
                    has_moved = true;
                    if let Some(pending) = &mut state.pending {
                        std::mem::swap(&mut self.dependencies, &mut pending.pulled);
                    }
                    emit(Stamp::new(thread, state.consumed), event, &self.dependencies);
                    self.dependencies.clear();
                }
            }
        }
    }

    /// Examines again the threads that waited for what `thread` has passed.
    fn wake(&mut self, thread: ThreadId) {
        let state = &mut self.threads[thread.index()];
        let consumed = state.consumed;
        let Some(pending) = &mut state.pending else { return };
        let mut waiters = std::mem::take(&mut pending.waiters);
        waiters.retain(|&(position, waiter)| {
            if position <= consumed {
                self.threads[waiter.index()].pending().is_waiting = false;
                self.ready.push_back(waiter);
            }
            position > consumed
        });
        self.threads[thread.index()].pending().waiters = waiters;
    }

    fn is_passed(&self, stamp: Stamp) -> bool {
        self.threads.get(stamp.thread().index()).is_some_and(|thread| thread.consumed >= stamp.position())
    }
}
