//! Prediction: violations of atomicity in other schedules of the same events.
//!
//! Papers: L. Wang, S. D. Stoller, "Runtime Analysis of Atomicity for Multi-threaded Programs" (the *reduction report*,
//! DAR-04-14; IEEE TSE 2006) and "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs"
//! (the *commit-node report*, DAR-05-26; PPoPP 2006).
//!
//! # Idea
//! The observed run is one interleaving of what its threads did. Another one may violate atomicity even if this one
//! does not. An [`Execution`] is the recorded run, cut into units, with the order that synchronization implies; the
//! [`algorithms`] say which of its transactions some interleaving could violate; [`schedule`] builds such an
//! interleaving, and the default engine judges it.
//!
//! The interleavings considered are all orders of the same events that respect program order, locks, starts and joins;
//! a schedule also keeps the accesses of a step together, and lets each compare-and-set find the value that it found in
//! the run. As in the reports, the algorithms ignore what a thread would have done had it read another value: a
//! prediction is about the recorded events, and a confirmed one is a schedule of them, not yet a run of the program.
//!
//! # The parts
//! | to see | read |
//! |---|---|
//! | steps: what a thread does at once | [`steps`] |
//! | units and transactions, start/join concurrency | [`units`], [`periods`] |
//! | held locks, the roles of locks, potential deadlocks | [`holds`], [`locks`], [`deadlock`] |
//! | which accesses count, which may race | [`escape`], [`races`] |
//! | what an algorithm is and claims, and the list of algorithms | [`algorithm`], [`algorithms`] |
//! | running an algorithm, with schedules | [`answer`] |
//! | access trees and forests, which the commit-node algorithms share | [`forest`] |

pub mod algorithm;
pub mod algorithms;
pub mod answer;
pub mod budget;
pub mod deadlock;
pub mod escape;
pub mod forest;
pub mod holds;
pub mod ids;
pub mod locks;
pub mod online;
pub mod periods;
pub mod races;
pub mod schedule;
pub mod steps;
#[cfg(test)]
pub(crate) mod testing;
pub mod units;

use crate::event::{Event, Op, ThreadId};
use escape::Access;
use holds::Holds;
use ids::{At, ContextId, PeriodId};
use locks::Locks;
use periods::Periods;
use steps::Steps;
use units::Units;

/// A recorded execution, with everything that the algorithms need to know about it.
pub struct Execution {
    /// The events in the observed order.
    pub events: Vec<Event>,
    /// The steps of its threads.
    pub steps: Steps,
    /// Start/join concurrency.
    pub periods: Periods,
    /// Its units.
    pub units: Units,
    /// Which locks were held when.
    pub holds: Holds,
    /// The roles of its locks.
    pub locks: Locks,
    /// The accesses that have escaped, in the observed order.
    pub accesses: Vec<Access>,
    /// The holds of loose locks, as accesses of variables with numbers from `vars` on.
    pub loose: Vec<Access>,
    /// Its joins.
    pub joins: Vec<Join>,
    /// One more than the largest variable number.
    pub vars: u32,
}

/// Whether the order of critical sections matters by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sections {
    /// It does not: only the accesses in them matter, as in the reports.
    Ignored,
    /// It does, as in the law: for data that is not recorded, such as that of the JDK's collections. Each shared lock
    /// then counts as loose.
    Conflict,
}

/// A join of another thread.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    /// The join event.
    pub at: At,
    /// The period of the joining thread before the join.
    pub period: PeriodId,
    /// The locks that the joining thread holds.
    pub context: ContextId,
    /// The joined thread.
    pub child: ThreadId,
}

impl Execution {
    /// The largest number of events that it can number.
    pub const MOST_EVENTS: u64 = u32::MAX as u64 - 1;

    /// Analyses `events`, at most [`Execution::MOST_EVENTS`].
    pub fn new(events: Vec<Event>) -> Execution {
        Execution::with(events, Sections::Ignored)
    }

    /// Like [`Execution::new`], but critical sections may count as accesses.
    pub fn with(events: Vec<Event>, sections: Sections) -> Execution {
        let candidates = escape::candidates(&events);
        let (mut periods, mut units, mut holds) = (Periods::default(), Units::default(), Holds::default());
        let (mut accesses, mut joins) = (Vec::new(), Vec::new());
        let (mut steps, mut current) = (Steps::default(), steps::Current::default());
        for (index, event) in events.iter().enumerate() {
            let at = At::of(index);
            let before = matches!(event.op, Op::Join(_)).then(|| periods.step(Event::new(event.thread, Op::Nop)));
            let period = periods.step(*event);
            let unit = units.step(at, *event, period);
            let context = holds.step(at, *event, unit);
            let is_repeated = current.step(at, *event, &mut steps);
            match (event.op, unit, before) {
                (Op::Read(var) | Op::Write(var), Some(unit), _) if candidates[var.index()] && !is_repeated => {
                    let is_write = matches!(event.op, Op::Write(_));
                    accesses.push(Access { at, unit, var, is_write, context });
                }
                (Op::Join(child), _, Some(period)) if child != event.thread => {
                    joins.push(Join { at, period, context, child });
                }
                _ => {}
            }
        }
        let accesses = escape::escaped(accesses, &units, &periods);
        let locks = Locks::new(&holds, &units, sections);
        let vars = u32::try_from(candidates.len()).expect("variables are numbered in 32 bits");
        let loose = locks::loose_holds(vars, &locks, &mut holds, &units);
        Execution { events, steps, periods, units, holds, locks, accesses, loose, joins, vars }
    }
}
