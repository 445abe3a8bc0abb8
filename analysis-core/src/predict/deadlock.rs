//! Potential for deadlock: cycles in the order in which locks are acquired.
//!
//! Goodlock (Havelund 2000), for cycles of any number of threads as in Agarwal, Wang, Stoller 2005. Every theorem about
//! atomicity assumes that there is no potential deadlock: a schedule that deadlocks in the middle of a transaction is
//! equivalent to no serial one. A step `l → m` says that a thread acquired `m` while it held `l` and possibly more.
//! Steps of different concurrent threads make a cycle a potential deadlock unless two of them hold a common lock (a
//! gate).
//!
//! # Where we differ
//! 1. A thread that waits for another to end while it holds a lock can deadlock, too. So each thread that is joined
//!    under a lock counts as a lock that it holds itself, and the join counts as an acquire of it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Execution;
use super::budget::{Budget, Exhausted};
use super::ids::{At, PeriodId};
use crate::event::{LockId, ThreadId};

/// A potential deadlock: each of its threads may wait for the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The events at which the threads wait: acquires, or joins.
    pub waits: Vec<At>,
}

/// A lock, or the life of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Resource {
    Lock(LockId),
    Life(ThreadId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Step {
    from: Resource,
    to: Resource,
    held: Vec<Resource>,
    period: PeriodId,
    thread: ThreadId,
}

/// Returns the potential deadlocks of an execution, one for each set of locks.
pub fn deadlocks(execution: &Execution, budget: &mut Budget) -> Result<Vec<Deadlock>, Exhausted> {
    let mut steps: Vec<(Step, At)> = Vec::new();
    let mut known: FxHashSet<Step> = FxHashSet::default();
    for Wait { held, to, at, period } in waits(execution) {
        let thread = execution.periods.thread(period);
        for &from in &held {
            let step = Step { from, to, held: held.clone(), period, thread };
            if from != to && known.insert(step.clone()) {
                steps.push((step, at));
            }
        }
    }
    let mut by_source: FxHashMap<Resource, Vec<usize>> = FxHashMap::default();
    for (index, (step, _)) in steps.iter().enumerate() {
        by_source.entry(step.from).or_default().push(index);
    }
    let mut search =
        Search { execution, steps: &steps, by_source: &by_source, found: Vec::new(), seen: FxHashSet::default() };
    for start in 0..steps.len() {
        search.extend(&mut vec![start], budget)?;
    }
    Ok(search.found)
}

/// An event that may wait: the resources held there, and the one it waits for.
struct Wait {
    held: Vec<Resource>,
    to: Resource,
    at: At,
    period: PeriodId,
}

/// Returns each acquire, and each join if some join happens under a lock (1).
fn waits(execution: &Execution) -> Vec<Wait> {
    let Execution { holds, units, joins, .. } = execution;
    let is_joined_under_locks = joins.iter().any(|join| !holds.in_context(join.context).is_empty());
    let joins = if is_joined_under_locks { &joins[..] } else { &[] };
    let lives: FxHashSet<ThreadId> = joins.iter().map(|join| join.child).collect();
    let held = |thread: ThreadId, context| -> Vec<Resource> {
        let life = lives.contains(&thread).then_some(Resource::Life(thread));
        holds.locks(context).map(Resource::Lock).chain(life).collect()
    };
    let acquires = holds.iter().map(|(_, hold)| Wait {
        held: held(hold.thread, hold.around),
        to: Resource::Lock(hold.lock),
        at: hold.acquire,
        period: units.get(hold.unit).period,
    });
    let joins = joins.iter().map(|join| Wait {
        held: held(execution.periods.thread(join.period), join.context),
        to: Resource::Life(join.child),
        at: join.at,
        period: join.period,
    });
    acquires.chain(joins).collect()
}

struct Search<'a> {
    execution: &'a Execution,
    steps: &'a [(Step, At)],
    by_source: &'a FxHashMap<Resource, Vec<usize>>,
    found: Vec<Deadlock>,
    seen: FxHashSet<Vec<At>>,
}

impl Search<'_> {
    /// Extends a path of steps, each by another thread. The first has the smallest index, so each cycle is found once.
    fn extend(&mut self, path: &mut Vec<usize>, budget: &mut Budget) -> Result<(), Exhausted> {
        let last = &self.steps[path[path.len() - 1]].0;
        let Some(next) = self.by_source.get(&last.to) else { return Ok(()) };
        for &next in next {
            budget.spend(1)?;
            if next <= path[0] || !self.is_apart(path, next) {
                continue;
            }
            path.push(next);
            if self.steps[next].0.to == self.steps[path[0]].0.from {
                self.report(path);
            } else {
                self.extend(path, budget)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// Returns whether the step is by a thread that is not on the path, concurrent with its steps, and without a common
    /// lock.
    fn is_apart(&self, path: &[usize], next: usize) -> bool {
        let next = &self.steps[next].0;
        path.iter().map(|index| &self.steps[*index].0).all(|step| {
            self.execution.periods.are_concurrent(step.period, next.period)
                && !step.held.iter().any(|resource| next.held.contains(resource))
        })
    }

    fn report(&mut self, path: &[usize]) {
        let waits: Vec<At> = path.iter().map(|index| self.steps[*index].1).collect();
        let mut key = waits.clone();
        key.sort_unstable();
        if self.seen.insert(key) {
            self.found.push(Deadlock { waits });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::execution;

    fn can_deadlock(trace: &str) -> bool {
        !deadlocks(&execution(trace), &mut Budget::unlimited()).expect("no limit").is_empty()
    }

    #[test]
    fn two_locks_in_opposite_orders_can_deadlock() {
        assert!(can_deadlock("0:a0 0:a1 0:l1 0:l0 1:a1 1:a0 1:l0 1:l1"));
        assert!(!can_deadlock("0:a0 0:a1 0:l1 0:l0 1:a0 1:a1 1:l1 1:l0"));
    }

    #[test]
    fn a_common_outer_lock_and_the_same_thread_and_a_join_prevent_it() {
        assert!(!can_deadlock("0:a2 0:a0 0:a1 0:l1 0:l0 0:l2 1:a2 1:a1 1:a0 1:l0 1:l1 1:l2"));
        assert!(!can_deadlock("0:a0 0:a1 0:l1 0:l0 0:a1 0:a0 0:l0 0:l1"));
        assert!(!can_deadlock("0:a0 0:a1 0:l1 0:l0 0:f1 1:a1 1:a0 1:l0 1:l1"));
    }

    #[test]
    fn three_threads_can_deadlock_where_no_two_of_them_can() {
        assert!(can_deadlock("0:a0 0:a1 0:l1 0:l0 1:a1 1:a2 1:l2 1:l1 2:a2 2:a0 2:l0 2:l2"));
    }

    #[test]
    fn joining_a_thread_under_a_lock_that_it_needs_can_deadlock() {
        assert!(can_deadlock("0:f1 1:a0 1:l0 0:a0 0:j1 0:l0"));
        assert!(!can_deadlock("0:f1 1:a0 1:l0 0:j1 0:a0 0:l0"));
    }
}
