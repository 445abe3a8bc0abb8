//! All interleavings of the events of a trace, and what the definitions say about them.
//!
//! The commit-node report, section 2, word by word: an interleaving respects program order, locks, starts and joins; it is
//! *serial* if the events of each transaction are contiguous; two are *conflict-equivalent* if conflicting accesses have
//! the same order in both, *view-equivalent* if reads have the same write-predecessors and variables the same last writes.
//! The units are conflict-atomic (view-atomic) if each interleaving is conflict-equivalent (view-equivalent) to a serial
//! one. This module enumerates all interleavings and compares their classes with those of the serial ones.

use std::collections::HashSet;

use analysis_core::event::{Event, Op};

use crate::world::World;

/// More interleavings than this are not enumerated.
const MOST: usize = 2_000_000;

/// What the definitions say about all interleavings of a trace.
#[derive(Debug, Default)]
pub struct Interleavings {
    /// The number of interleavings.
    pub count: usize,
    /// Whether each is conflict-equivalent to a serial one.
    pub are_conflict_atomic: bool,
    /// Whether each is view-equivalent to a serial one.
    pub are_view_atomic: bool,
    /// Whether some order of events ends where no thread can continue.
    pub can_deadlock: bool,
}

impl Interleavings {
    /// Enumerates the interleavings of a trace. `None` if there are too many.
    pub fn of(trace: &[Event]) -> Option<Interleavings> {
        let mut judge = Judge {
            trace,
            transactions: transactions(trace),
            count: 0,
            conflict: Classes::default(),
            view: Classes::default(),
        };
        let can_deadlock = for_each(trace, |order| judge.judge(order))?;
        Some(Interleavings {
            count: judge.count,
            are_conflict_atomic: judge.conflict.are_all_serial(),
            are_view_atomic: judge.view.are_all_serial(),
            can_deadlock,
        })
    }
}

/// Calls `visit` with each interleaving of the events of a trace, as their indices, without begins and ends of blocks. `visit` may
/// end the enumeration with `None`. Otherwise returns whether some order of events ends where no thread can continue.
pub fn for_each(trace: &[Event], mut visit: impl FnMut(&[usize]) -> Option<()>) -> Option<bool> {
    let mut search = Search::new(trace);
    let places = &mut vec![0; search.threads.len()];
    search.extend(&World::default(), places, &mut visit)?;
    Some(search.can_deadlock)
}

/// Classes of equivalent interleavings.
#[derive(Default)]
struct Classes {
    all: HashSet<Vec<u8>>,
    serial: HashSet<Vec<u8>>,
}

impl Classes {
    fn add(&mut self, class: Vec<u8>, is_serial: bool) {
        if is_serial {
            self.serial.insert(class.clone());
        }
        self.all.insert(class);
    }

    fn are_all_serial(&self) -> bool {
        self.all.len() == self.serial.len()
    }
}

struct Search<'a> {
    trace: &'a [Event],
    /// The events of each thread that are ordered, as indices.
    threads: Vec<Vec<usize>>,
    /// Whether each thread is started by another one, and so waits for its start.
    is_started: Vec<bool>,
    order: Vec<usize>,
    can_deadlock: bool,
}

/// What the definitions say about the orders so far.
struct Judge<'a> {
    trace: &'a [Event],
    /// The transaction of each event.
    transactions: Vec<Option<usize>>,
    count: usize,
    conflict: Classes,
    view: Classes,
}

impl<'a> Search<'a> {
    fn new(trace: &'a [Event]) -> Search<'a> {
        let threads = 1 + trace.iter().map(|event| event.thread.index()).max().unwrap_or(0);
        let mut search = Search {
            trace,
            threads: vec![Vec::new(); threads],
            is_started: vec![false; threads],
            order: Vec::new(),
            can_deadlock: false,
        };
        for (index, event) in trace.iter().enumerate() {
            if !matches!(event.op, Op::Begin(_) | Op::End) {
                search.threads[event.thread.index()].push(index);
            }
            if let Op::Fork(child) = event.op
                && child.index() < threads
            {
                search.is_started[child.index()] = true;
            }
        }
        search
    }

    /// Extends the order by each possible next event.
    fn extend(
        &mut self,
        world: &World,
        places: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize]) -> Option<()>,
    ) -> Option<()> {
        let mut is_stuck = true;
        for thread in 0..self.threads.len() {
            let Some(&index) = self.threads[thread].get(places[thread]) else { continue };
            let event = self.trace[index];
            if !self.may_come(event, world, places) {
                continue;
            }
            is_stuck = false;
            let mut next = world.clone();
            next.take(event);
            self.order.push(index);
            places[thread] += 1;
            self.extend(&next, places, visit)?;
            places[thread] -= 1;
            self.order.pop();
        }
        let is_whole = self.threads.iter().zip(places).all(|(events, place)| *place == events.len());
        if is_whole {
            visit(&self.order)?;
        } else {
            self.can_deadlock |= is_stuck;
        }
        Some(())
    }

    fn may_come(&self, event: Event, world: &World, places: &[usize]) -> bool {
        let is_over = |thread: usize| self.threads.get(thread).is_none_or(|events| places[thread] == events.len());
        let is_there = !self.is_started[event.thread.index()] || world.is_born(event.thread);
        match event.op {
            Op::Join(child) if !is_over(child.index()) => false,
            _ => is_there && world.allows(event),
        }
    }
}

impl Judge<'_> {
    /// Records the classes of the order.
    fn judge(&mut self, order: &[usize]) -> Option<()> {
        self.count += 1;
        let is_serial = self.is_serial(order);
        let (conflict, view) = (self.conflict_class(order), self.view_class(order));
        self.conflict.add(conflict, is_serial);
        self.view.add(view, is_serial);
        (self.count < MOST).then_some(())
    }

    fn is_serial(&self, order: &[usize]) -> bool {
        let units = |index: &usize| self.transactions[*index];
        let mut closed: Vec<usize> = Vec::new();
        let mut current = None;
        for unit in order.iter().map(units) {
            if unit != current {
                closed.extend(current);
                current = unit;
                if unit.is_some_and(|unit| closed.contains(&unit)) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the order of each pair of conflicting accesses.
    fn conflict_class(&self, order: &[usize]) -> Vec<u8> {
        let mut class = Vec::new();
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                let is_conflict = match (self.trace[a].op, self.trace[b].op) {
                    (Op::Write(x), Op::Read(y) | Op::Write(y)) | (Op::Read(x), Op::Write(y)) => x == y,
                    _ => false,
                };
                if is_conflict {
                    class.push([a as u8, b as u8]);
                }
            }
        }
        class.sort_unstable();
        class.concat()
    }

    /// Returns the write that each read sees, and the last write of each variable.
    fn view_class(&self, order: &[usize]) -> Vec<u8> {
        let mut last: Vec<(u32, u8)> = Vec::new();
        let mut seen: Vec<[u8; 2]> = Vec::new();
        for &index in order {
            match self.trace[index].op {
                Op::Read(x) => {
                    let write = last.iter().find(|(var, _)| *var == x.0).map_or(u8::MAX, |(_, write)| *write);
                    seen.push([index as u8, write]);
                }
                Op::Write(x) => {
                    last.retain(|(var, _)| *var != x.0);
                    last.push((x.0, index as u8));
                }
                _ => {}
            }
        }
        seen.sort_unstable();
        last.sort_unstable();
        seen.concat().into_iter().chain(last.into_iter().map(|(_, write)| write)).collect()
    }
}

/// Returns the transaction of each event: an outermost block, which a start or a join splits in two.
fn transactions(trace: &[Event]) -> Vec<Option<usize>> {
    let threads = 1 + trace.iter().map(|event| event.thread.index()).max().unwrap_or(0);
    let (mut depth, mut current) = (vec![0; threads], vec![0; threads]);
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next
    };
    let transaction = |event: &Event| {
        let thread = event.thread.index();
        match event.op {
            Op::Begin(_) => {
                depth[thread] += 1;
                if depth[thread] == 1 {
                    current[thread] = fresh();
                }
                return None;
            }
            Op::End => depth[thread] -= 1,
            Op::Fork(_) | Op::Join(_) => {
                current[thread] = fresh();
                return None;
            }
            _ => {}
        }
        (depth[thread] > 0).then_some(current[thread])
    };
    trace.iter().map(transaction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn of(trace: &str) -> Interleavings {
        Interleavings::of(&text::read(trace).expect("a readable trace").events).expect("few interleavings")
    }

    #[test]
    fn two_threads_of_two_events_have_six_interleavings() {
        assert_eq!(of("T0|r(x) T0|r(x) T1|r(x) T1|r(x)").count, 6);
        assert_eq!(of("T0|fork(T1) T0|r(x) T1|r(x) T1|r(x)").count, 3);
        assert_eq!(of("T0|fork(T1) T1|r(x) T1|r(x) T0|join(T1)").count, 1);
    }

    #[test]
    fn blind_writes_are_view_atomic_and_not_conflict_atomic() {
        let writes = of("T0|begin T0|w(x) T0|w(x) T0|end T1|begin T1|w(x) T1|end");
        assert_eq!((writes.are_conflict_atomic, writes.are_view_atomic), (false, true));
    }

    #[test]
    fn a_lost_update_is_neither_and_a_lock_around_it_helps() {
        let update = |t: u32| format!("T{t}|begin T{t}|r(x) T{t}|w(x) T{t}|end ");
        let lost = of(&(update(0) + &update(1)));
        assert!(!lost.are_conflict_atomic && !lost.are_view_atomic);
        let locked = |t: u32| format!("T{t}|begin T{t}|acq(l) T{t}|r(x) T{t}|w(x) T{t}|rel(l) T{t}|end ");
        let locked = of(&(locked(0) + &locked(1)));
        assert!(locked.are_conflict_atomic && locked.are_view_atomic && locked.count == 2);
    }

    #[test]
    fn events_outside_transactions_need_not_be_contiguous() {
        let outside = of("T0|r(x) T0|w(x) T1|begin T1|w(x) T1|end");
        assert!(outside.are_conflict_atomic && outside.are_view_atomic);
    }

    #[test]
    fn locks_in_opposite_orders_deadlock() {
        let locks = |t: u32, a: &str, b: &str| format!("T{t}|acq({a}) T{t}|acq({b}) T{t}|rel({b}) T{t}|rel({a}) ");
        assert!(of(&(locks(0, "k", "l") + &locks(1, "l", "k"))).can_deadlock);
        assert!(!of(&(locks(0, "k", "l") + &locks(1, "k", "l"))).can_deadlock);
    }
}
