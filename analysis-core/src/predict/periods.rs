//! Start/join concurrency: which stretches of threads can overlap, whatever the scheduler does.
//!
//! Wang and Stoller, "Runtime Analysis of Atomicity", section 6; the commit-node report, section 7.4. A *period* of a
//! thread lasts until it starts or joins another thread. Each period has a vector clock: how many periods of each thread
//! have ended for certain before it begins. Only starts and joins order periods; locks do not.

use super::ids::PeriodId;
use crate::event::{Event, Op, ThreadId};
use crate::graph::accesses::at;

/// The periods of an execution.
#[derive(Default)]
pub struct Periods {
    list: Vec<Period>,
    threads: Vec<Thread>,
}

struct Period {
    thread: ThreadId,
    /// How many periods its thread has had before.
    ordinal: u32,
    /// By thread, how many of its periods are over before this one begins.
    clock: Box<[u32]>,
}

#[derive(Default)]
struct Thread {
    current: Option<PeriodId>,
    /// What is known to be over before the thread's first period.
    start: Vec<u32>,
}

impl Periods {
    /// Takes the next event, and names the period of its thread after it.
    pub fn step(&mut self, event: Event) -> PeriodId {
        let me = event.thread;
        let current = self.current(me);
        match event.op {
            Op::Fork(child) if child != me => {
                let over = self.all_over(current);
                let child = at(&mut self.threads, child.index());
                // A thread that runs already has not been started here.
                if child.current.is_none() {
                    merge(&mut child.start, &over);
                }
                self.next(current, over)
            }
            Op::Join(child) if child != me => {
                let mut over = self.all_over(current);
                let child = at(&mut self.threads, child.index());
                match child.current {
                    Some(last) => merge(&mut over, &self.all_over(last)),
                    None => merge(&mut over, &child.start),
                }
                self.next(current, over)
            }
            _ => current,
        }
    }

    /// The thread of a period.
    pub fn thread(&self, period: PeriodId) -> ThreadId {
        self.list[period.index()].thread
    }

    /// True if the events of `p` are over before those of `q` begin.
    pub fn precedes(&self, p: PeriodId, q: PeriodId) -> bool {
        let Period { thread, ordinal, .. } = self.list[p.index()];
        self.list[q.index()].clock.get(thread.index()).is_some_and(|over| *over > ordinal)
    }

    /// True if the two belong to different threads and no start or join orders them.
    pub fn are_concurrent(&self, p: PeriodId, q: PeriodId) -> bool {
        self.thread(p) != self.thread(q) && !self.precedes(p, q) && !self.precedes(q, p)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn current(&mut self, thread: ThreadId) -> PeriodId {
        if let Some(current) = at(&mut self.threads, thread.index()).current {
            return current;
        }
        let clock = std::mem::take(&mut self.threads[thread.index()].start);
        self.push(thread, 0, clock)
    }

    fn next(&mut self, current: PeriodId, clock: Vec<u32>) -> PeriodId {
        let Period { thread, ordinal, .. } = self.list[current.index()];
        self.push(thread, ordinal + 1, clock)
    }

    fn push(&mut self, thread: ThreadId, ordinal: u32, clock: Vec<u32>) -> PeriodId {
        let id = PeriodId::of(self.list.len());
        self.list.push(Period { thread, ordinal, clock: clock.into() });
        self.threads[thread.index()].current = Some(id);
        id
    }

    /// What is over once `period` is.
    fn all_over(&self, period: PeriodId) -> Vec<u32> {
        let Period { thread, ordinal, clock } = &self.list[period.index()];
        let mut over = clock.to_vec();
        *at(&mut over, thread.index()) = ordinal + 1;
        over
    }
}

fn merge(into: &mut Vec<u32>, from: &[u32]) {
    for (thread, over) in from.iter().enumerate() {
        let known = at(into, thread);
        *known = (*known).max(*over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::VarId;

    /// The periods of the events, each a thread and what it did: `f` starts, `j` joins, anything else is a write.
    fn periods(trace: &[(u32, char, u32)]) -> (Periods, Vec<PeriodId>) {
        let mut periods = Periods::default();
        let of = trace.iter().map(|(thread, op, operand)| {
            let op = match op {
                'f' => Op::Fork(ThreadId(*operand)),
                'j' => Op::Join(ThreadId(*operand)),
                _ => Op::Write(VarId(*operand)),
            };
            periods.step(Event::new(ThreadId(*thread), op))
        });
        let of = of.collect();
        (periods, of)
    }

    #[test]
    fn what_comes_before_a_start_or_after_a_join_is_not_concurrent_with_the_child() {
        let (periods, of) = periods(&[(0, 'w', 0), (0, 'f', 1), (0, 'w', 0), (1, 'w', 0), (0, 'j', 1), (0, 'w', 0)]);
        let (before, during, child, after) = (of[0], of[2], of[3], of[5]);
        assert!(periods.precedes(before, child) && periods.precedes(child, after));
        assert!(periods.are_concurrent(during, child));
        assert!(!periods.are_concurrent(before, child) && !periods.are_concurrent(child, after));
    }

    #[test]
    fn two_children_are_concurrent_unless_one_is_joined_before_the_other_starts() {
        let (together, of) = periods(&[(0, 'f', 1), (0, 'f', 2), (1, 'w', 0), (2, 'w', 0)]);
        assert!(together.are_concurrent(of[2], of[3]));
        let (apart, of) = periods(&[(0, 'f', 1), (1, 'w', 0), (0, 'j', 1), (0, 'f', 2), (2, 'w', 0)]);
        assert!(apart.precedes(of[1], of[4]));
    }

    #[test]
    fn a_thread_without_events_still_orders_what_its_start_and_join_order() {
        let (periods, of) = periods(&[(0, 'w', 0), (0, 'f', 1), (2, 'j', 1), (2, 'w', 0)]);
        assert!(periods.precedes(of[0], of[3]));
    }

    #[test]
    fn periods_of_one_thread_follow_each_other() {
        let (periods, of) = periods(&[(0, 'w', 0), (0, 'f', 1), (0, 'w', 0)]);
        assert!(periods.precedes(of[0], of[2]) && !periods.precedes(of[2], of[0]));
        assert!(!periods.are_concurrent(of[0], of[2]));
    }
}
