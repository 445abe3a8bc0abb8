//! Potential data races by locksets: the multi-lockset algorithm, and the two algorithms that it is compared with.
//!
//! The reduction report, section 3.4. [`multi_lockset`] knows the whole execution and misses no race: it considers only
//! accesses that have escaped, keeps the ⊆-minimal locksets of the reads and the intersection of those of the writes,
//! and requires each of the former to meet the latter. [`eraser`] (Savage et al. 1997) and [`Ownership`] (von Praun and
//! Gross 2001) work online and guess when a variable has been initialised, so they miss races; and they require one
//! lock for all accesses, so they warn where there is no race.

use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::Access;
use super::holds::Holds;
use crate::event::{Event, LockId, Op, ThreadId, VarId};
use crate::graph::accesses::at;

/// The locksets that the multi-lockset algorithm keeps for a variable.
#[derive(Debug, Default)]
struct Locksets {
    /// `ReadSets(x)`.
    reads: Vec<Vec<LockId>>,
    /// `WriteSet(x)`; `None` before the first write.
    write: Option<Vec<LockId>>,
}

impl Locksets {
    fn read(&mut self, held: Vec<LockId>) {
        let is_within = |inner: &[LockId], outer: &[LockId]| inner.iter().all(|lock| outer.contains(lock));
        if self.reads.iter().any(|known| is_within(known, &held)) {
            return;
        }
        self.reads.retain(|known| !is_within(&held, known));
        self.reads.push(held);
    }

    fn write(&mut self, held: Vec<LockId>) {
        match &mut self.write {
            Some(known) => known.retain(|lock| held.contains(lock)),
            unknown => *unknown = Some(held),
        }
    }

    fn is_racy(&self) -> bool {
        let Some(write) = &self.write else { return false };
        write.is_empty() || self.reads.iter().any(|read| !read.iter().any(|lock| write.contains(lock)))
    }
}

/// The variables with a potential data race, and the total size of all locksets.
#[derive(Debug, Default)]
pub struct Races {
    racy: FxHashSet<VarId>,
    /// The size of all locksets.
    pub size: u64,
}

impl Races {
    /// Returns whether accesses to `x` may race.
    pub fn are_on(&self, x: VarId) -> bool {
        self.racy.contains(&x)
    }
}

/// The multi-lockset algorithm.
pub fn multi_lockset(accesses: &[Access], holds: &Holds) -> Races {
    let mut vars: FxHashMap<VarId, Locksets> = FxHashMap::default();
    for access in accesses {
        let held = holds.locks(access.context).collect();
        let locksets = vars.entry(access.var).or_default();
        if access.is_write {
            locksets.write(held);
        } else {
            locksets.read(held);
        }
    }
    let size = |sets: &Locksets| sets.reads.iter().chain(&sets.write).map(|set| set.len() as u64).sum::<u64>();
    Races {
        racy: vars.iter().filter(|(_, sets)| sets.is_racy()).map(|(var, _)| *var).collect(),
        size: vars.values().map(size).sum(),
    }
}

/// How an online algorithm classifies the use of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Use {
    #[default]
    New,
    /// By the thread that initialises it.
    First(ThreadId),
    /// By a second thread, to which the first has handed it over.
    Second(ThreadId),
    /// By several threads, under these locks.
    Shared { locks: Vec<LockId>, is_written: bool },
}

/// The lockset of one variable, kept online: with the rule of von Praun and Gross, ownership passes to a second thread;
/// with Eraser's it does not.
#[derive(Clone, Debug, Default)]
pub struct Ownership(Use);

impl Ownership {
    /// Processes the next access. Returns whether it may race, as far as is known, by the rule of von Praun and Gross.
    pub fn access(&mut self, thread: ThreadId, is_write: bool, held: &[LockId]) -> bool {
        self.step(thread, is_write, held, true)
    }

    /// Returns whether only one thread has used the variable so far, or has taken it over.
    pub fn is_owned(&self) -> bool {
        !matches!(self.0, Use::Shared { .. })
    }

    /// Returns whether no thread has written the variable since it became shared.
    pub fn is_read_only(&self) -> bool {
        matches!(self.0, Use::Shared { is_written: false, .. })
    }

    fn step(&mut self, thread: ThreadId, is_write: bool, held: &[LockId], passes_on: bool) -> bool {
        match &mut self.0 {
            Use::New => self.0 = Use::First(thread),
            Use::First(owner) if *owner == thread => {}
            Use::First(_) if passes_on => self.0 = Use::Second(thread),
            Use::Second(owner) if *owner == thread => {}
            Use::First(_) | Use::Second(_) => self.0 = Use::Shared { locks: held.to_vec(), is_written: is_write },
            Use::Shared { locks, is_written } => {
                locks.retain(|lock| held.contains(lock));
                *is_written |= is_write;
            }
        }
        matches!(&self.0, Use::Shared { locks, is_written: true } if locks.is_empty())
    }
}

/// Returns the variables that Eraser warns about.
pub fn eraser(events: &[Event]) -> FxHashSet<VarId> {
    on_line(events, false)
}

/// Returns the variables that the algorithm of von Praun and Gross warns about, with a variable for each field instead
/// of one for each object.
pub fn praun_gross(events: &[Event]) -> FxHashSet<VarId> {
    on_line(events, true)
}

fn on_line(events: &[Event], passes_on: bool) -> FxHashSet<VarId> {
    let mut vars: Vec<Ownership> = Vec::new();
    let mut held: Vec<Vec<LockId>> = Vec::new();
    let mut warned = FxHashSet::default();
    for event in events {
        let held = at(&mut held, event.thread.index());
        match event.op {
            Op::Acquire(lock) => held.push(lock),
            Op::Release(lock) => {
                if let Some(last) = held.iter().rposition(|known| *known == lock) {
                    held.remove(last);
                }
            }
            Op::Read(x) | Op::Write(x) => {
                let is_write = matches!(event.op, Op::Write(_));
                if at(&mut vars, x.index()).step(event.thread, is_write, held, passes_on) {
                    warned.insert(x);
                }
            }
            _ => {}
        }
    }
    warned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::{events, execution};

    /// Returns whether variable 0 may race, by the multi-lockset algorithm, Eraser, von Praun and Gross.
    fn races(trace: &str) -> (bool, bool, bool) {
        let execution = execution(trace);
        let multi = multi_lockset(&execution.accesses, &execution.holds);
        let warned = |vars: FxHashSet<VarId>| vars.contains(&VarId(0));
        (multi.are_on(VarId(0)), warned(eraser(&events(trace))), warned(praun_gross(&events(trace))))
    }

    #[test]
    fn figure_2_of_the_reduction_report_has_no_race_though_no_lock_protects_all_accesses() {
        // Two other threads have used the variable before, so that no initialisation is assumed.
        let before = "3:w0 3:f4 4:w0 3:j4 3:f2 3:f1 3:f0";
        let threads = [before, "2:a1 2:r0 2:l1", "1:a2 1:r0 1:l2", "0:a1 0:a2 0:w0 0:w0 0:l2 0:l1"];
        assert_eq!(races(&threads.join(" ")), (false, true, true));
    }

    #[test]
    fn figure_2_with_an_unlocked_read_is_a_false_alarm_of_the_multi_lockset_algorithm() {
        let threads = ["2:a1 2:r0 2:l1", "1:a2 1:r0 1:l2", "0:r0 0:a1 0:a2 0:w0 0:l2 0:l1"];
        assert!(races(&threads.join(" ")).0);
    }

    #[test]
    fn an_unlocked_access_before_the_second_thread_comes_is_missed_on_line() {
        assert_eq!(races("0:w0 1:a0 1:w0 1:l0"), (true, false, false));
    }

    #[test]
    fn a_variable_that_is_handed_over_once_is_left_alone_by_von_praun_and_gross() {
        assert_eq!(races("0:w0 1:w0 1:w0"), (true, true, false));
    }

    #[test]
    fn starts_and_joins_and_read_only_variables_leave_no_race() {
        assert_eq!(races("0:w0 0:f1 1:w0 0:j1 0:w0"), (false, true, true));
        assert_eq!(races("0:r0 1:r0 2:r0"), (false, false, false));
    }

    #[test]
    fn one_lock_for_all_accesses_leaves_no_race() {
        assert_eq!(races("0:a0 0:w0 0:l0 1:a0 1:r0 1:l0 0:a0 0:w0 0:l0"), (false, false, false));
    }
}
