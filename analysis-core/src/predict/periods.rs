//! Start/join concurrency: which parts of threads can overlap, whatever the scheduler does.
//!
//! Wang and Stoller, "Runtime Analysis of Atomicity", section 6; the commit-node report, section 7.4. A *period* of a
//! thread lasts until it starts or joins another thread. Each period has a vector clock: the number of periods of each
//! thread that have certainly ended before it begins. Only starts and joins order periods, and hand-overs that a caller
//! reports; locks do not.

use std::sync::Arc;

use super::ids::PeriodId;
use crate::event::{Event, Op, ThreadId};
use crate::graph::accesses::at;

/// A period of a thread.
#[derive(Debug)]
pub struct Period {
    /// Its thread.
    pub thread: ThreadId,
    /// The number of earlier periods of its thread.
    ordinal: u32,
    /// By thread, the number of its periods that end before this one begins.
    clock: Box<[u32]>,
}

/// The current period of each thread while the events are processed. Earlier periods are not kept.
#[derive(Default)]
pub struct Running {
    threads: Vec<Thread>,
}

#[derive(Default)]
struct Thread {
    current: Option<Arc<Period>>,
    /// What is known to have ended before the thread's first period.
    start: Vec<u32>,
}

impl Period {
    /// Returns whether its events end before those of `other` begin.
    pub fn precedes(&self, other: &Period) -> bool {
        other.clock.get(self.thread.index()).is_some_and(|over| *over > self.ordinal)
    }

    /// Returns the periods that have ended when this one has ended.
    fn all_over(&self) -> Vec<u32> {
        let mut over = self.clock.to_vec();
        *at(&mut over, self.thread.index()) = self.ordinal + 1;
        over
    }
}

impl Running {
    /// Processes the next event and returns the period of its thread after it.
    pub fn step(&mut self, event: Event) -> Arc<Period> {
        let me = event.thread;
        let current = self.current(me);
        match event.op {
            Op::Fork(child) if child != me => {
                let over = current.all_over();
                let child = at(&mut self.threads, child.index());
                // A thread that already runs was not started here.
                if child.current.is_none() {
                    merge(&mut child.start, &over);
                }
                self.next(&current, over)
            }
            Op::Join(child) if child != me => {
                let mut over = current.all_over();
                let child = at(&mut self.threads, child.index());
                match &child.current {
                    Some(last) => merge(&mut over, &last.all_over()),
                    None => merge(&mut over, &child.start),
                }
                self.next(&current, over)
            }
            _ => current,
        }
    }

    /// A thread hands something over. Returns the periods that end before anything that a receiver does next.
    pub fn give(&mut self, me: ThreadId) -> Vec<u32> {
        let current = self.current(me);
        let over = current.all_over();
        self.next(&current, over.clone());
        over
    }

    /// A thread receives something, with the result of [`Running::give`].
    pub fn receive(&mut self, me: ThreadId, given: &[u32]) {
        let current = self.current(me);
        let is_news = |(thread, over): (usize, &u32)| {
            thread != me.index() && current.clock.get(thread).map_or(*over > 0, |known| known < over)
        };
        if given.iter().enumerate().any(is_news) {
            let mut over = current.all_over();
            merge(&mut over, given);
            self.next(&current, over);
        }
    }

    /// Returns the current period of a thread.
    pub fn current(&mut self, thread: ThreadId) -> Arc<Period> {
        let state = at(&mut self.threads, thread.index());
        let first = || Arc::new(Period { thread, ordinal: 0, clock: std::mem::take(&mut state.start).into() });
        Arc::clone(state.current.get_or_insert_with(first))
    }

    fn next(&mut self, current: &Period, clock: Vec<u32>) -> Arc<Period> {
        let Period { thread, ordinal, .. } = *current;
        let next = Arc::new(Period { thread, ordinal: ordinal + 1, clock: clock.into() });
        self.threads[thread.index()].current = Some(Arc::clone(&next));
        next
    }
}

/// The periods of an execution.
#[derive(Default)]
pub struct Periods {
    list: Vec<Arc<Period>>,
    running: Running,
    /// By thread, the last period.
    last: Vec<Option<PeriodId>>,
}

impl Periods {
    /// Processes the next event and returns the period of its thread after it.
    pub fn step(&mut self, event: Event) -> PeriodId {
        let before = self.running.current(event.thread);
        self.named(before);
        let period = self.running.step(event);
        self.named(period)
    }

    /// Returns the thread of a period.
    pub fn thread(&self, period: PeriodId) -> ThreadId {
        self.list[period.index()].thread
    }

    /// Returns whether the events of `p` end before those of `q` begin.
    pub fn precedes(&self, p: PeriodId, q: PeriodId) -> bool {
        self.list[p.index()].precedes(&self.list[q.index()])
    }

    /// Returns whether the two belong to different threads and no start or join orders them.
    pub fn are_concurrent(&self, p: PeriodId, q: PeriodId) -> bool {
        self.thread(p) != self.thread(q) && !self.precedes(p, q) && !self.precedes(q, p)
    }

    /// Returns the number of periods.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no periods.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn named(&mut self, period: Arc<Period>) -> PeriodId {
        let last = at(&mut self.last, period.thread.index());
        match *last {
            Some(last) if self.list[last.index()].ordinal == period.ordinal => last,
            _ => {
                let id = PeriodId::of(self.list.len());
                *last = Some(id);
                self.list.push(period);
                id
            }
        }
    }
}

/// Sets `into` to the maximum of both clocks.
pub(crate) fn merge(into: &mut Vec<u32>, from: &[u32]) {
    for (thread, over) in from.iter().enumerate() {
        let known = at(into, thread);
        *known = (*known).max(*over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::VarId;

    /// Returns the periods of the events, each a thread and its operation: `f` starts, `j` joins, anything else is a
    /// write.
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
