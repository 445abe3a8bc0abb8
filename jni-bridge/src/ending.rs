//! The end of a run whose threads are still running.
//!
//! When the VM dies, other threads can still be running. The run ends with the largest set of published records that is
//! closed under program order and dependencies. The merge finds it: the set is what the merge has passed on once
//! nothing is left to read and no stream advances. Any such set is a prefix of some order of the events that respects
//! happens-before, so the verdict is that of a prefix of the run.
//!
//! A published record outside the set waits, directly or through others, for a record that was discarded because the
//! end had begun. That event comes after the end, and so does everything that waits for it: nothing was lost. An event
//! that waits for anything else waits for a record that is missing.

use analysis_core::event::{Stamp, ThreadId};
use rustc_hash::FxHashMap;

/// Returns the number of threads that wait for a missing record. `waiting` has the threads whose next event waits, each
/// with the event that it waits for; `is_cut` is true for a thread whose records were discarded because the end had
/// begun.
pub(crate) fn missing(waiting: &[(ThreadId, Stamp)], is_cut: impl Fn(ThreadId) -> bool) -> u64 {
    let waits: FxHashMap<ThreadId, ThreadId> = waiting.iter().map(|(thread, on)| (*thread, on.thread())).collect();
    let is_after_the_end = |thread: ThreadId| {
        // Threads that wait in a circle wait for events that can never come.
        let mut chain = std::iter::successors(Some(thread), |at| waits.get(at).copied()).take(waits.len() + 1);
        chain.find(|at| !waits.contains_key(at)).is_some_and(&is_cut)
    };
    waits.keys().filter(|thread| !is_after_the_end(**thread)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing_of(waiting: &[(u32, u32)], cut: &[u32]) -> u64 {
        let waiting: Vec<_> =
            waiting.iter().map(|(thread, on)| (ThreadId(*thread), Stamp::new(ThreadId(*on), 1))).collect();
        missing(&waiting, |thread| cut.contains(&thread.0))
    }

    #[test]
    fn a_thread_that_waits_for_a_record_discarded_after_the_end_lost_nothing() {
        assert_eq!(missing_of(&[], &[]), 0);
        assert_eq!(missing_of(&[(1, 2)], &[2]), 0);
        assert_eq!(missing_of(&[(1, 2), (2, 3), (4, 2)], &[3]), 0);
    }

    #[test]
    fn a_thread_that_waits_for_anything_else_waits_for_a_missing_record() {
        assert_eq!(missing_of(&[(1, 2)], &[]), 1);
        assert_eq!(missing_of(&[(1, 2)], &[1]), 1);
        assert_eq!(missing_of(&[(1, 2), (2, 3), (4, 5)], &[5]), 2);
        assert_eq!(missing_of(&[(1, 2), (2, 3)], &[2]), 2);
    }

    #[test]
    fn threads_that_wait_in_a_circle_wait_for_missing_records() {
        assert_eq!(missing_of(&[(1, 2), (2, 1), (3, 1)], &[1, 2, 3]), 3);
    }
}
