//! What could have gone wrong: violations of atomicity in other schedules of the same events.
//!
//! Papers: L. Wang, S. D. Stoller, "Runtime Analysis of Atomicity for Multi-threaded Programs" (the *reduction report*,
//! DAR-04-14; IEEE TSE 2006) and "Accurate and Efficient Runtime Detection of Atomicity Errors in Concurrent Programs"
//! (the *commit-node report*, DAR-05-26; PPoPP 2006).
//!
//! # Idea
//! The observed run is one interleaving of what its threads did. Another one may violate atomicity though this one does
//! not. An [`Execution`] is the recorded run, cut into units, with the order that synchronization implies; the
//! [`algorithms`] say which of its transactions some interleaving could violate; [`schedule`] builds such an
//! interleaving, and the default engine judges it.
//!
//! The interleavings that count are all orders of the same events that respect program order, locks, starts and joins; a
//! schedule also keeps together what a thread has done at once, and lets a compare-and-set find what it has found.
//! What a thread would have done had it read another value is not asked, as in the reports: so a prediction is about the
//! events that were recorded, and a confirmed one is a schedule of them, not yet a run of the program.
//!
//! # The parts
//! | to see | read |
//! |---|---|
//! | what threads do at once | [`steps`] |
//! | units and transactions, start/join concurrency | [`units`], [`periods`] |
//! | held locks, what is special about locks, potential deadlocks | [`holds`], [`locks`], [`deadlock`] |
//! | which accesses count, which may race | [`escape`], [`races`] |
//! | what an algorithm is and claims, and their list | [`algorithm`], [`algorithms`] |
//! | running one, with schedules | [`answer`] |
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

/// A recorded execution, with all that the algorithms ask about it.
pub struct Execution {
    /// The events in the observed order.
    pub events: Vec<Event>,
    /// What its threads did at once.
    pub steps: Steps,
    /// Start/join concurrency.
    pub periods: Periods,
    /// Its units.
    pub units: Units,
    /// What was locked when.
    pub holds: Holds,
    /// What is special about its locks.
    pub locks: Locks,
    /// The accesses that have escaped, in the observed order.
    pub accesses: Vec<Access>,
    /// The holds of loose locks, as accesses of variables with numbers from `vars` on.
    pub loose: Vec<Access>,
    /// Its joins.
    pub joins: Vec<Join>,
    /// How many numbers variables have.
    pub vars: u32,
}

/// Whether the order of critical sections matters by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sections {
    /// Only what is accessed in them does, as in the reports.
    Ignored,
    /// It does, as in the law: for data that is not recorded, such as that of the JDK's collections. Each shared lock
    /// then counts as loose.
    Conflict,
}

/// A join of another thread.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    /// Which event it is.
    pub at: At,
    /// What its thread did before it.
    pub period: PeriodId,
    /// What its thread holds.
    pub context: ContextId,
    /// The thread that is joined.
    pub child: ThreadId,
}

impl Execution {
    /// The most events that it can number.
    pub const MOST_EVENTS: u64 = u32::MAX as u64 - 1;

    /// What `events` contain, at most [`Execution::MOST_EVENTS`].
    pub fn new(events: Vec<Event>) -> Execution {
        Execution::with(events, Sections::Ignored)
    }

    /// The same, where critical sections may count as accesses.
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
