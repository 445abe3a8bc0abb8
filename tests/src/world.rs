//! Well-formed traces: which events may come next, and which have happened.
//!
//! The generators, the shrinker and the exhaustive enumeration share this definition. A trace is well-formed if a lock is
//! acquired only while no other thread holds it and released only by its holder, an end closes an open block, a thread is
//! forked at most once, by another thread, before its first event and before it is joined, and does nothing after another
//! thread has joined it. A holder may acquire its lock again, and then releases it as often. At the end locks may be held
//! and blocks open. A thread may exist without a fork. Several threads may join the same thread, with or without events.

use analysis_core::event::{Event, LockId, Op, ThreadId};

/// The state of an execution that decides which events may come next.
#[derive(Clone, Debug, Default)]
pub struct World {
    threads: Vec<Thread>,
    locks: Vec<Lock>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Lock {
    holder: Option<ThreadId>,
    /// The number of releases that free the lock.
    depth: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    /// Whether the thread was forked or has an event.
    is_born: bool,
    is_joined: bool,
    open_blocks: u32,
}

impl World {
    /// Whether a well-formed trace may continue with `event`.
    pub fn allows(&self, event: Event) -> bool {
        let me = event.thread;
        let is_possible = match event.op {
            Op::Acquire(lock) => self.holder(lock).is_none_or(|holder| holder == me),
            Op::Release(lock) => self.holder(lock) == Some(me),
            Op::Fork(child) => child != me && !self.is_born(child) && !self.thread(child).is_joined,
            Op::Join(child) => child != me,
            Op::End => self.open_blocks(me) > 0,
            _ => true,
        };
        is_possible && !self.thread(me).is_joined
    }

    /// Records `event`, allowed or not.
    pub fn take(&mut self, event: Event) {
        let me = self.thread_mut(event.thread);
        me.is_born = true;
        match event.op {
            Op::Begin(_) => me.open_blocks += 1,
            Op::End => me.open_blocks = me.open_blocks.saturating_sub(1),
            Op::Acquire(lock) => self.lock_mut(lock).acquire(event.thread),
            Op::Release(lock) => self.lock_mut(lock).release(),
            Op::Fork(child) => self.thread_mut(child).is_born = true,
            Op::Join(child) => self.thread_mut(child).is_joined = true,
            _ => {}
        }
    }

    /// Returns the number of open blocks of `thread`.
    pub fn open_blocks(&self, thread: ThreadId) -> u32 {
        self.thread(thread).open_blocks
    }

    /// Whether no block is open.
    pub fn is_quiet(&self) -> bool {
        self.threads.iter().all(|thread| thread.open_blocks == 0)
    }

    /// Whether `thread` was forked or has an event.
    pub fn is_born(&self, thread: ThreadId) -> bool {
        self.thread(thread).is_born
    }

    /// Returns the holder of `lock`.
    pub fn holder(&self, lock: LockId) -> Option<ThreadId> {
        self.locks.get(lock.index()).and_then(|lock| lock.holder)
    }

    /// Returns the ends that close all open blocks.
    pub fn missing_ends(&self) -> impl Iterator<Item = Event> + '_ {
        (0u32..).zip(&self.threads).flat_map(|(number, thread)| {
            std::iter::repeat_n(Event::new(ThreadId(number), Op::End), thread.open_blocks as usize)
        })
    }

    fn thread(&self, thread: ThreadId) -> Thread {
        self.threads.get(thread.index()).copied().unwrap_or_default()
    }

    fn thread_mut(&mut self, thread: ThreadId) -> &mut Thread {
        slot(&mut self.threads, thread.index())
    }

    fn lock_mut(&mut self, lock: LockId) -> &mut Lock {
        slot(&mut self.locks, lock.index())
    }
}

impl Lock {
    fn acquire(&mut self, thread: ThreadId) {
        self.depth = if self.holder == Some(thread) { self.depth + 1 } else { 1 };
        self.holder = Some(thread);
    }

    fn release(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.holder = None;
        }
    }
}

fn slot<T: Clone + Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}

/// Returns the state of the world after `trace`.
pub fn after(trace: &[Event]) -> World {
    let mut world = World::default();
    trace.iter().for_each(|event| world.take(*event));
    world
}

/// Whether every event of `trace` may follow the events before it in a well-formed trace.
pub fn is_well_formed(trace: &[Event]) -> bool {
    let mut world = World::default();
    trace.iter().all(|event| {
        let is_allowed = world.allows(*event);
        world.take(*event);
        is_allowed
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn is_fine(trace: &str) -> bool {
        is_well_formed(&text::read(trace).expect("a readable trace").events)
    }

    #[test]
    fn blocks_may_stay_open_and_locks_held() {
        assert!(is_fine("T0|begin T0|acq(l) T0|begin T1|fork(T2) T2|w(x) T1|join(T2) T0|join(T2)"));
    }

    #[test]
    fn a_holder_may_acquire_again_and_a_thread_without_events_may_be_joined() {
        assert!(is_fine("T0|acq(l) T0|acq(l) T0|rel(l) T0|rel(l) T1|acq(l) T0|join(T2)"));
        assert!(!is_fine("T0|acq(l) T0|acq(l) T0|rel(l) T1|acq(l)"));
    }

    #[test]
    fn what_no_execution_can_do_is_not_well_formed() {
        for trace in [
            "T0|acq(l) T1|acq(l)",
            "T0|acq(l) T1|rel(l)",
            "T0|rel(l)",
            "T0|end",
            "T0|w(x) T1|begin T0|end",
            "T0|fork(T1) T2|fork(T1)",
            "T1|w(x) T0|fork(T1)",
            "T1|w(x) T0|join(T1) T1|w(x)",
            "T0|join(T1) T2|fork(T1)",
            "T0|join(T1) T1|w(x)",
            "T0|fork(T0)",
            "T0|join(T0)",
        ] {
            assert!(!is_fine(trace), "{trace}");
        }
    }

    #[test]
    fn the_missing_ends_make_the_world_quiet() {
        let mut events =
            text::read("T0|begin T0|begin T1|begin T1|end T2|begin T0|end").expect("a readable trace").events;
        let world = after(&events);
        assert!(!world.is_quiet());
        events.extend(world.missing_ends());
        assert!(is_well_formed(&events) && after(&events).is_quiet());
    }
}
