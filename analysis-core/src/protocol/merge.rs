//! The threads' streams put back in one order, by their dependencies.
//!
//! A thread's next event is ready when each of its dependencies `(u, p)` has been passed: the stream of `u` consumed up
//! to position `p`. Dependencies point to what had happened, so some thread can always go on; and whatever order comes
//! out respects program order and every conflict: a linear extension of happens-before.

use super::Item;
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;

/// A merge under way. The streams may still grow; what cannot go on yet waits.
///
/// The order is a function of what has been pulled when: threads in order of their number, each as far as it goes.
#[derive(Default)]
pub struct Merge {
    threads: Vec<Thread>,
    /// The dependencies of the event at hand; kept for its memory.
    dependencies: Vec<Stamp>,
}

#[derive(Default)]
struct Thread {
    /// How many events were passed on.
    consumed: u64,
    /// Dependencies of the next event, pulled from its stream.
    pulled: Vec<Stamp>,
}

impl Merge {
    /// Passes on everything that can go on. `pull` takes the next item of a thread's stream, `None` while there is
    /// none; `emit` gets each event, its stamp, and its dependencies. `threads` is how many streams there are.
    pub fn run<O>(
        &mut self,
        threads: usize,
        mut pull: impl FnMut(ThreadId) -> Option<Item<O>>,
        mut emit: impl FnMut(Stamp, O, &[Stamp]),
    ) {
        if threads > 0 {
            at(&mut self.threads, threads - 1);
        }
        loop {
            let mut has_moved = false;
            for index in 0..threads {
                let thread = ThreadId(u32::try_from(index).expect("threads are numbered by u32"));
                has_moved |= self.advance(thread, &mut pull, &mut emit);
            }
            if !has_moved {
                return;
            }
        }
    }

    /// The first dependency of each thread that cannot go on, where `run` has left it: thread and what it waits for.
    pub fn waiting(&self) -> impl Iterator<Item = (ThreadId, Stamp)> + '_ {
        self.threads.iter().enumerate().filter_map(|(index, thread)| {
            let blocked_on = thread.pulled.last().copied().filter(|stamp| !self.is_passed(*stamp))?;
            Some((ThreadId(u32::try_from(index).expect("threads are numbered by u32")), blocked_on))
        })
    }

    /// Takes one thread as far as it goes; false if it cannot move at all.
    fn advance<O>(
        &mut self,
        thread: ThreadId,
        pull: &mut impl FnMut(ThreadId) -> Option<Item<O>>,
        emit: &mut impl FnMut(Stamp, O, &[Stamp]),
    ) -> bool {
        let mut has_moved = false;
        loop {
            // Only the newest can be open: each was passed before the next was pulled.
            let newest = self.threads[thread.index()].pulled.last();
            if newest.is_some_and(|stamp| !self.is_passed(*stamp)) {
                return has_moved;
            }
            match pull(thread) {
                None => return has_moved,
                Some(Item::Depend(stamp)) => self.threads[thread.index()].pulled.push(stamp),
                Some(Item::Event(event)) => {
                    let state = &mut self.threads[thread.index()];
                    state.consumed += 1;
                    has_moved = true;
                    std::mem::swap(&mut self.dependencies, &mut state.pulled);
                    emit(Stamp::new(thread, state.consumed), event, &self.dependencies);
                    self.dependencies.clear();
                }
            }
        }
    }

    fn is_passed(&self, stamp: Stamp) -> bool {
        self.threads.get(stamp.thread().index()).is_some_and(|thread| thread.consumed >= stamp.position())
    }
}
