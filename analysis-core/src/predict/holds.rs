//! Which locks are held when: the synchronized blocks of an execution.
//!
//! A *hold* lasts from the acquire of a lock to the release that frees it; acquiring a lock again that the thread
//! already holds changes nothing (re-entrant locks, section 3.5 of the reduction report). The holds that are open at an
//! event are its *context*, in the order of acquisition. Holds of well-structured programs nest; others are marked.

use super::ids::{At, ContextId, HoldId, UnitId};
use crate::event::{Event, LockId, Op, ThreadId};
use crate::graph::accesses::at as slot;

/// One hold of a lock.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// The lock.
    pub lock: LockId,
    /// The thread that holds it.
    pub thread: ThreadId,
    /// The acquire.
    pub acquire: At,
    /// The release; `None` if the lock is held until the end.
    pub release: Option<At>,
    /// The unit of the acquire.
    pub unit: UnitId,
    /// Whether the lock is released in the unit in which it was acquired.
    pub is_within_unit: bool,
    /// Whether every other hold of the thread is nested in it, encloses it, or is disjoint from it.
    pub is_nested: bool,
    /// The context before the acquire.
    pub around: ContextId,
}

/// The holds of an execution, and the contexts of its events.
pub struct Holds {
    list: Vec<Hold>,
    /// All contexts, one after the other.
    members: Vec<HoldId>,
    /// Context `c` lies from `bounds[c]` to `bounds[c + 1]`.
    bounds: Vec<u32>,
    threads: Vec<Thread>,
}

#[derive(Default)]
struct Thread {
    /// The open holds, each with the number of releases that free it.
    open: Vec<(HoldId, u32)>,
    context: ContextId,
}

impl Default for ContextId {
    /// The empty context.
    fn default() -> ContextId {
        ContextId(0)
    }
}

impl Default for Holds {
    fn default() -> Holds {
        Holds { list: Vec::new(), members: Vec::new(), bounds: vec![0, 0], threads: Vec::new() }
    }
}

impl Holds {
    /// Processes the next event and returns the context of its thread after it.
    pub fn step(&mut self, place: At, event: Event, unit: Option<UnitId>) -> ContextId {
        match (event.op, unit) {
            (Op::Acquire(lock), Some(unit)) => self.acquire(place, event.thread, lock, unit),
            (Op::Release(lock), Some(unit)) => self.release(place, event.thread, lock, unit),
            _ => {}
        }
        slot(&mut self.threads, event.thread.index()).context
    }

    fn acquire(&mut self, place: At, thread: ThreadId, lock: LockId, unit: UnitId) {
        let state = slot(&mut self.threads, thread.index());
        if let Some((_, count)) = state.open.iter_mut().find(|(hold, _)| self.list[hold.index()].lock == lock) {
            *count += 1;
            return;
        }
        let around = state.context;
        state.open.push((HoldId::of(self.list.len()), 1));
        let (release, is_within_unit, is_nested) = (None, false, true);
        self.list.push(Hold { lock, thread, acquire: place, release, unit, is_within_unit, is_nested, around });
        self.change_context(thread);
    }

    fn release(&mut self, place: At, thread: ThreadId, lock: LockId, unit: UnitId) {
        let open = &mut slot(&mut self.threads, thread.index()).open;
        let Some(index) = open.iter().position(|(hold, _)| self.list[hold.index()].lock == lock) else { return };
        open[index].1 -= 1;
        if open[index].1 > 0 {
            return;
        }
        if index + 1 < open.len() {
            for (hold, _) in &open[index..] {
                self.list[hold.index()].is_nested = false;
            }
        }
        let (hold, _) = open.remove(index);
        let hold = &mut self.list[hold.index()];
        hold.release = Some(place);
        hold.is_within_unit = hold.unit == unit;
        self.change_context(thread);
    }

    fn change_context(&mut self, thread: ThreadId) {
        let state = &self.threads[thread.index()];
        let open: Vec<HoldId> = state.open.iter().map(|(hold, _)| *hold).collect();
        self.threads[thread.index()].context = self.context_of(&open);
    }

    /// Returns the context with these holds.
    pub(super) fn context_of(&mut self, holds: &[HoldId]) -> ContextId {
        if holds.is_empty() {
            return ContextId::default();
        }
        let context = ContextId::of(self.bounds.len() - 1);
        self.members.extend_from_slice(holds);
        self.bounds.push(u32::try_from(self.members.len()).expect("fewer than 2^32 holds in contexts"));
        context
    }

    /// Returns the holds of a context, in the order of acquisition.
    pub fn in_context(&self, context: ContextId) -> &[HoldId] {
        let bound = |index: usize| self.bounds[index] as usize;
        &self.members[bound(context.index())..bound(context.index() + 1)]
    }

    /// Returns the locks of a context, in the order of acquisition.
    pub fn locks(&self, context: ContextId) -> impl Iterator<Item = LockId> + '_ {
        self.in_context(context).iter().map(|hold| self.get(*hold).lock)
    }

    /// Returns the hold with this id.
    pub fn get(&self, hold: HoldId) -> &Hold {
        &self.list[hold.index()]
    }

    /// Returns each hold with its id, in the order of acquisition.
    pub fn iter(&self) -> impl Iterator<Item = (HoldId, &Hold)> {
        self.list.iter().enumerate().map(|(index, hold)| (HoldId::of(index), hold))
    }
}

#[cfg(test)]
mod tests {
    use crate::predict::testing::execution;

    /// Each hold as its lock, the numbers of its acquire and release, and whether it nests.
    fn holds(trace: &str) -> Vec<(u32, u64, Option<u64>, bool)> {
        let execution = execution(trace);
        let holds = execution.holds.iter();
        holds.map(|(_, h)| (h.lock.0, h.acquire.number(), h.release.map(|r| r.number()), h.is_nested)).collect()
    }

    #[test]
    fn a_lock_that_is_acquired_again_is_held_until_the_last_release() {
        assert_eq!(holds("0:a0 0:a0 0:w0 0:l0 0:l0"), [(0, 1, Some(5), true)]);
    }

    #[test]
    fn holds_that_overlap_without_nesting_are_marked() {
        let nested = holds("0:a0 0:a1 0:l1 0:a2 0:l2 0:l0");
        assert_eq!(nested, [(0, 1, Some(6), true), (1, 2, Some(3), true), (2, 4, Some(5), true)]);
        assert_eq!(holds("0:a0 0:a1 0:l0 0:l1"), [(0, 1, Some(3), false), (1, 2, Some(4), false)]);
    }

    #[test]
    fn a_lock_may_be_held_to_the_end_and_a_release_without_an_acquire_frees_nothing() {
        assert_eq!(holds("0:l1 0:a0"), [(0, 2, None, true)]);
    }

    #[test]
    fn a_context_lists_what_is_held_in_the_order_of_acquisition() {
        let execution = execution("0:a1 0:a0 0:w0 0:l1 0:w0 1:r0 0:l0");
        let locks = |access: usize| -> Vec<u32> {
            let context = execution.accesses[access].context;
            execution.holds.locks(context).map(|lock| lock.0).collect()
        };
        assert_eq!((locks(0), locks(1), locks(2)), (vec![1, 0], vec![0], vec![]));
    }

    #[test]
    fn a_hold_that_leaves_its_unit_says_so() {
        let execution = execution("0:[ 0:a0 0:] 0:l0 0:[ 0:a0 0:l0 0:]");
        let within: Vec<bool> = execution.holds.iter().map(|(_, hold)| hold.is_within_unit).collect();
        assert_eq!(within, [false, true]);
    }
}
