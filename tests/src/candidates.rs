//! Checks candidates for violations against the definitions: the orders that starts, joins and hand-overs force, and every
//! schedule of a trace.
//!
//! Each event has a site of its own, so a candidate identifies the events that it means.

use analysis_core::engine::{Engine, Violation};
use analysis_core::engines;
use analysis_core::event::{Event, Op, VarId};
use analysis_core::predict::Execution as Recorded;
use analysis_core::predict::algorithm::Limits;
use analysis_core::predict::algorithms::ALGORITHMS;
use analysis_core::predict::budget::Budget;
use analysis_core::predict::schedule::Confirmer;
use analysis_core::provoke::Rank;
use analysis_core::provoke::finder::{Act, Action, Finder, Found, Predicted, Predicting, Step, WINDOW};

use crate::predict;
use crate::text;

/// More schedules than this are not enumerated.
const MOST: usize = 200_000;

/// An execution in which threads hand over some of the variables.
pub struct Execution<'a> {
    trace: &'a [Event],
    is_hand: &'a dyn Fn(VarId) -> bool,
    /// Whether all variables belong to one object.
    is_one_object: bool,
    /// `forced[a][b]`: event `a` is forced to come before event `b`.
    forced: Vec<Vec<bool>>,
}

impl<'a> Execution<'a> {
    /// Creates the execution of a well-formed trace.
    pub fn new(trace: &'a [Event], is_hand: &'a dyn Fn(VarId) -> bool, is_one_object: bool) -> Execution<'a> {
        let mut execution = Execution { trace, is_hand, is_one_object, forced: Vec::new() };
        execution.forced = execution.closure();
        execution
    }

    fn closure(&self) -> Vec<Vec<bool>> {
        let count = self.trace.len();
        let mut forced = vec![vec![false; count]; count];
        for later in 0..count {
            for earlier in 0..later {
                if self.forces(earlier, later) {
                    forced[earlier][later] = true;
                    forced[..earlier].iter_mut().for_each(|before| before[later] |= before[earlier]);
                }
            }
        }
        forced
    }

    fn forces(&self, earlier: usize, later: usize) -> bool {
        let (one, other) = (self.trace[earlier], self.trace[later]);
        match (one.op, other.op) {
            _ if one.thread == other.thread => true,
            (Op::Fork(child), _) if child == other.thread => true,
            (_, Op::Join(child)) if child == one.thread => true,
            (Op::Write(x), Op::Read(y)) => x == y && (self.is_hand)(x),
            // A thread without events orders what comes before its start and after its join.
            (Op::Fork(started), Op::Join(joined)) => started == joined,
            _ => false,
        }
    }

    /// Returns the candidates of the finder. They must not depend on whether the finder sees accesses to what only one
    /// thread accesses.
    pub fn found(&self) -> Vec<Found> {
        let [found, of_shared] = [false, true].map(|leaves_out| {
            let mut finder = Finder::new(WINDOW);
            for (index, event) in self.trace.iter().enumerate() {
                let act = if leaves_out && self.is_private(*event) { Act::Private } else { self.act(*event) };
                finder.step(&Step { thread: event.thread, act, site: u32::try_from(index).ok() });
            }
            let (found, left_out) = finder.finish();
            assert_eq!(left_out, 0);
            found
        });
        assert_eq!(of_shared, found, "{}", text::to_std(self.trace));
        found
    }

    /// Returns the predictions if this many events are judged together.
    pub fn predicted(&self, together: usize) -> Vec<Predicted> {
        let mut predicting = Predicting::new(&ALGORITHMS[0], together);
        for (index, event) in self.trace.iter().enumerate() {
            let step = Step { thread: event.thread, act: self.act(*event), site: u32::try_from(index).ok() };
            predicting.step(&step, None);
        }
        predicting.finish().0
    }

    /// Checks a prediction: the thread is not held where it has a lock that another thread needs, and some schedule passes the predicted places in
    /// order and violates the block. Returns whether this was decided: there may be too many schedules.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check_predicted(&self, predicted: &Predicted) -> Result<bool, String> {
        let index = |(site, _): (u32, Action)| site as usize;
        let [first, hold, last] = [predicted.first, predicted.hold, predicted.last].map(index);
        let steps: Vec<usize> = predicted.steps.iter().map(|step| index(step.passing)).collect();
        let wrong = |what: &str| Err(format!("{predicted:?}: {what}\n{}", text::to_std(self.trace)));
        let me = self.trace[first].thread;
        if self.trace[last].thread != me || steps.iter().any(|step| self.trace[*step].thread == me) {
            return wrong("the threads");
        }
        if !(first <= hold && hold < last && self.are_in_a_block(first, last)) {
            return wrong("the order of first, hold, last, or no block has them");
        }
        let mine = self.held_after(hold);
        let theirs: Vec<(u32, usize)> = steps.iter().flat_map(|step| self.held_after(*step)).collect();
        if mine.iter().any(|(lock, _)| theirs.iter().any(|(other, _)| lock == other)) {
            return wrong("the thread is held where it has a lock that another one needs");
        }
        for (step, passed) in steps.iter().zip(&predicted.steps) {
            let held = self.held_after(*step);
            let enters =
                |gate: u32| gate as usize != *step && held.iter().any(|(_, acquire)| *acquire == gate as usize);
            if passed.gate.is_some_and(|gate| !enters(gate)) {
                return wrong("what it enters is not around its place");
            }
        }
        let mut count = 0;
        let finished = predict::for_each(self.trace, |order| {
            count += 1;
            let mut place = vec![0; self.trace.len()];
            order.iter().enumerate().for_each(|(at, index)| place[*index] = at);
            let all: Vec<usize> = [first, hold].into_iter().chain(steps.iter().copied()).chain([last]).collect();
            let is_in_order = all.windows(2).all(|two| place[two[0]] <= place[two[1]]);
            let shows = is_in_order && self.is_received_as_given(&place) && self.is_violated_in(order, first, last);
            (!shows && count < MOST).then_some(())
        });
        match finished {
            None => Ok(count < MOST),
            Some(_) => wrong("no schedule shows it"),
        }
    }

    /// Whether a block around both events, of one thread, is violated in this order of all events except begins and ends.
    fn is_violated_in(&self, order: &[usize], first: usize, last: usize) -> bool {
        let mut engine = (engines::find("oracle").expect("the reference").build)();
        let mut next = vec![0; self.trace.len()];
        let mut numbers = Vec::new();
        let mut pass = |index: usize, engine: &mut Box<dyn Engine>| {
            engine.step(self.trace[index]);
            numbers.push(index);
        };
        for index in order {
            let thread = self.trace[*index].thread;
            // First the begins and ends of its thread before it.
            for before in next[thread.index()]..*index {
                let event = self.trace[before];
                if event.thread == thread && matches!(event.op, Op::Begin(_) | Op::End) {
                    pass(before, &mut engine);
                }
            }
            next[thread.index()] = index + 1;
            pass(*index, &mut engine);
        }
        let begin = |position: u64| numbers[position as usize - 1];
        let of_thread = |violation: &&Violation| violation.thread == self.trace[first].thread;
        engine
            .findings()
            .violations
            .iter()
            .filter(of_thread)
            .any(|violation| begin(violation.begin) < first && self.is_open(begin(violation.begin), last))
    }

    /// Whether the block that begins at `begin` has not ended before `until`, an event of its thread.
    fn is_open(&self, begin: usize, until: usize) -> bool {
        let mut depth = 0;
        self.trace[begin..until].iter().filter(|event| event.thread == self.trace[begin].thread).all(|event| {
            depth += i32::from(matches!(event.op, Op::Begin(_))) - i32::from(event.op == Op::End);
            depth > 0
        })
    }

    /// Whether an algorithm predicts a violation that a schedule shows, that takes more than one access of another thread, and whose path has no
    /// starts and joins, which are no places.
    fn is_predicted(&self) -> bool {
        let recorded = Recorded::new(self.trace.to_vec());
        let warnings = (ALGORITHMS[0].run)(&recorded, &Limits::NONE).warnings;
        let mut confirmer = Confirmer::new(&recorded, Budget::unlimited());
        let event = |position: u64| position as usize - 1;
        let takes_more = |violation: &Violation| {
            let (Some(first), Some(last)) = (violation.edges.first(), violation.edges.last()) else { return false };
            let subject = |position: u64| self.subject(event(position));
            let is_of_one = first.to.thread() == last.from.thread()
                && subject(first.to.position()) == subject(last.from.position());
            let mut ends = violation.edges.iter().flat_map(|edge| [edge.from, edge.to]);
            let has_place = |op: Op| !matches!(op, Op::Fork(_) | Op::Join(_));
            !is_of_one && ends.all(|end| has_place(self.trace[event(end.position())].op))
        };
        warnings
            .iter()
            .flat_map(|warning| confirmer.schedules(warning).schedules)
            .any(|schedule| schedule.violation.as_ref().is_some_and(takes_more))
    }

    /// Whether only one thread accesses the variable or lock of an event.
    fn is_private(&self, event: Event) -> bool {
        let touched = |op| match op {
            Op::Read(x) | Op::Write(x) => Some((false, x.0)),
            Op::Acquire(lock) | Op::Release(lock) => Some((true, lock.0)),
            _ => None,
        };
        let is_alike = |other: &&Event| touched(other.op) == touched(event.op);
        let mut alike = self.trace.iter().filter(is_alike);
        touched(event.op).is_some() && alike.all(|other| other.thread == event.thread)
    }

    fn act(&self, event: Event) -> Act {
        let object = self.is_one_object.then_some(7);
        match event.op {
            Op::Write(x) if (self.is_hand)(x) => Act::Give(x.0),
            Op::Read(x) if (self.is_hand)(x) => Act::Receive(x.0),
            Op::Read(x) => Act::Access { variable: x.0, declaration: x.0, object, is_write: false },
            Op::Write(x) => Act::Access { variable: x.0, declaration: x.0, object, is_write: true },
            Op::Acquire(l) => Act::Acquire { lock: l.0, declaration: 100 + l.0, is_shared: false },
            Op::Release(l) => Act::Release { lock: l.0, declaration: 100 + l.0 },
            Op::Fork(u) => Act::Fork(u),
            Op::Join(u) => Act::Join(u),
            Op::Begin(label) => Act::Begin(label),
            Op::End => Act::End,
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => unreachable!("{event:?}"),
        }
    }

    /// Returns the locks that an event's thread holds after it, each with the index of its acquire.
    fn held_after(&self, index: usize) -> Vec<(u32, usize)> {
        let me = self.trace[index].thread;
        let mut held: Vec<(u32, usize)> = Vec::new();
        for (at, event) in self.trace[..=index].iter().enumerate().filter(|(_, event)| event.thread == me) {
            match event.op {
                Op::Acquire(lock) => held.push((lock.0, at)),
                Op::Release(lock) => {
                    // This releases the last acquire of the lock; the first one keeps holding it.
                    if let Some(place) = held.iter().rposition(|(held, _)| *held == lock.0) {
                        held.remove(place);
                    }
                }
                _ => {}
            }
        }
        held
    }

    /// Whether `first` and `last`, events of one thread, are in a block that begins before `first` and has not ended at
    /// `last`.
    fn are_in_a_block(&self, first: usize, last: usize) -> bool {
        let me = self.trace[first].thread;
        let mut open: Vec<usize> = Vec::new();
        for (index, event) in self.trace[..=last].iter().enumerate().filter(|(_, event)| event.thread == me) {
            match event.op {
                Op::Begin(_) => open.push(index),
                Op::End => _ = open.pop(),
                _ => {}
            }
        }
        open.iter().any(|begin| *begin < first)
    }

    /// Checks that a candidate is possible: no forced order contradicts it, the variables match, and the thread is not held
    /// where it has a lock that the other needs.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check_sound(&self, found: &Found) -> Result<(), String> {
        let index = |(site, _): (u32, Action)| site as usize;
        let [first, hold, last, other] = [found.first, found.hold, found.last, found.other].map(index);
        let wrong = |what: &str| Err(format!("{found:?}: {what}\n{}", text::to_std(self.trace)));
        let thread = |index: usize| self.trace[index].thread;
        if thread(first) != thread(last) || thread(first) != thread(hold) || thread(first) == thread(other) {
            return wrong("the threads");
        }
        if !(first <= hold && hold < last) {
            return wrong("the order of first, hold, last");
        }
        let is_one_variable = self.subject(first) == self.subject(last);
        if is_one_variable != found.also.is_none() || self.subject(last) != self.subject(other) {
            return wrong("the variable");
        }
        if !is_one_variable && !self.has_before(first, other) {
            return wrong("the other thread does not conflict with what is first");
        }
        if !self.are_in_a_block(first, last) {
            return wrong("no block has both");
        }
        if self.forced[other][first] || self.forced[last][other] {
            return wrong("a forced order");
        }
        let (mine, theirs) = (self.held_after(hold), self.held_after(other));
        if mine.iter().any(|(lock, _)| theirs.iter().any(|(other, _)| lock == other)) {
            return wrong("the thread is held where it has a lock that the other needs");
        }
        let enters = |enter: u32| theirs.iter().any(|(_, acquire)| *acquire == enter as usize);
        if found.enter.is_some_and(|enter| !enters(enter) || enter as usize == other) {
            return wrong("what it enters is not around the other place");
        }
        Ok(())
    }

    /// Whether the thread of `other` has an earlier event that conflicts with `first`.
    fn has_before(&self, first: usize, other: usize) -> bool {
        (0..other).any(|before| {
            self.trace[before].thread == self.trace[other].thread
                && self.subject(before) == self.subject(first)
                && conflict(self.action(before), self.action(first))
                && !self.forced[before][first]
        })
    }

    /// Returns the variable or lock of an event.
    fn subject(&self, index: usize) -> Option<(bool, u32)> {
        match self.trace[index].op {
            Op::Read(x) | Op::Write(x) if !(self.is_hand)(x) => Some((false, x.0)),
            Op::Acquire(l) | Op::Release(l) => Some((true, l.0)),
            _ => None,
        }
    }

    fn action(&self, index: usize) -> Action {
        match self.trace[index].op {
            Op::Write(_) => Action::Write,
            Op::Acquire(_) => Action::Acquire,
            Op::Release(_) => Action::Release,
            _ => Action::Read,
        }
    }

    /// Searches for a schedule in which an event of another thread comes between two events of a block that it conflicts with,
    /// and which no candidate covers: none has the same first and other place, a last place that comes no later, and a rank other
    /// than `Rank::Looks`. Returns whether all schedules were enumerated; at most `MOST` are.
    ///
    /// # Errors
    /// Such a schedule exists.
    pub fn check_complete(&self, found: &[Found]) -> Result<bool, String> {
        let mut open = self.triples();
        open.extend(self.crossings());
        open.retain(|open| !found.iter().any(|found| open.is_met_by(found)));
        let mut count = 0;
        let mut missed = None;
        let finished = predict::for_each(self.trace, |order| {
            count += 1;
            let mut place = vec![0; self.trace.len()];
            order.iter().enumerate().for_each(|(at, index)| place[*index] = at);
            if self.is_received_as_given(&place) {
                let comes_between = |wanted: &&Wanted| {
                    let Wanted { first, before, other, last } = **wanted;
                    let is_in_order =
                        place[first] < place[before] && place[before] <= place[other] && place[other] < place[last];
                    is_in_order && (before != other || self.are_sections(first, [other, last]))
                };
                missed = missed.or_else(|| open.iter().find(comes_between).copied());
            }
            (missed.is_none() && count < MOST).then_some(())
        });
        match missed {
            Some(wanted) => Err(format!("missed {wanted:?} (from 0) of\n{}", text::to_std(self.trace))),
            None => Ok(finished.is_some()),
        }
    }

    /// Returns two accesses in a block, or the end of a critical section and the begin of another one, with an event of another thread
    /// that conflicts with both.
    fn triples(&self) -> Vec<Wanted> {
        let mut triples = Vec::new();
        let count = self.trace.len();
        for first in 0..count {
            let Some(subject) = self.subject(first) else { continue };
            let same = |index: &usize| self.subject(*index) == Some(subject);
            let mine = |index: &usize| self.trace[*index].thread == self.trace[first].thread;
            for last in (first + 1..count).filter(same).filter(mine) {
                if !self.are_in_a_block(first, last) {
                    continue;
                }
                for other in (0..count).filter(same).filter(|index| !mine(index)) {
                    let [a, b, c] = [first, other, last].map(|index| self.action(index));
                    let is_of_lock = subject.0;
                    let is_meant = match is_of_lock {
                        true => [a, b, c] == [Action::Release, Action::Acquire, Action::Acquire],
                        false => true,
                    };
                    if is_meant && Rank::of(a, b, c) != Rank::Looks {
                        triples.push(Wanted { first, before: other, other, last });
                    }
                }
            }
        }
        triples
    }

    /// Returns two accesses in a block to two variables of the object, with two accesses of another thread to the same variables in
    /// this order, each conflicting with one of the block's accesses.
    fn crossings(&self) -> Vec<Wanted> {
        let mut crossings = Vec::new();
        let is_data = |index: &usize| matches!(self.subject(*index), Some((false, _)));
        let all: Vec<usize> = (0..self.trace.len()).filter(is_data).filter(|_| self.is_one_object).collect();
        let thread = |index: usize| self.trace[index].thread;
        for &first in &all {
            for &last in all.iter().filter(|last| **last > first && thread(**last) == thread(first)) {
                if self.subject(first) == self.subject(last) || !self.are_in_a_block(first, last) {
                    continue;
                }
                for &other in all.iter().filter(|other| thread(**other) != thread(first)) {
                    let [a, b, c] = [first, other, last].map(|index| self.action(index));
                    if self.subject(other) != self.subject(last) || Rank::of(a, b, c) != Rank::Conflict {
                        continue;
                    }
                    let is_before = |before: &&usize| {
                        let (before, other) = (**before, other);
                        let is_mine = before < other && thread(before) == thread(other);
                        is_mine && self.subject(before) == self.subject(first) && conflict(self.action(before), a)
                    };
                    let before = all.iter().filter(is_before);
                    crossings.extend(before.map(|before| Wanted { first, before: *before, other, last }));
                }
            }
        }
        crossings
    }

    /// For events of a lock: whether the release ends a section and both acquires begin one.
    fn are_sections(&self, first: usize, acquires: [usize; 2]) -> bool {
        let Some((true, lock)) = self.subject(first) else { return true };
        let holds = |index: usize| self.held_after(index).iter().filter(|(held, _)| *held == lock).count();
        holds(first) == 0 && acquires.into_iter().all(|acquire| holds(acquire) == 1)
    }

    /// Whether every receive still comes after the gives that precede it in the trace.
    fn is_received_as_given(&self, place: &[usize]) -> bool {
        let is_late = |(given, received): (usize, usize)| {
            let is_hand = matches!((self.trace[given].op, self.trace[received].op), (Op::Write(x), Op::Read(y)) if x == y && (self.is_hand)(x));
            is_hand && place[given] > place[received]
        };
        let pairs = (0..self.trace.len()).flat_map(|received| (0..received).map(move |given| (given, received)));
        !pairs.into_iter().any(is_late)
    }
}

/// A possible violation: `first`, then `before` and `other` of another thread, which may be the same event, then
/// `last`.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    first: usize,
    before: usize,
    other: usize,
    last: usize,
}

impl Wanted {
    /// Whether steering to the candidate makes it happen: the thread is held after the first place until the other thread has
    /// passed its place.
    fn is_met_by(&self, found: &Found) -> bool {
        let is_same = found.first.0 as usize == self.first && found.other.0 as usize == self.other;
        is_same
            && found.last.0 as usize <= self.last
            && Rank::of(found.first.1, found.other.1, found.last.1) != Rank::Looks
    }
}

fn conflict(one: Action, other: Action) -> bool {
    one == Action::Write || other == Action::Write
}

/// Checks the candidates of a trace: they are sound and complete. The variable `hand` is handed over; all other variables may belong to
/// one object. Returns whether all schedules were enumerated.
///
/// # Errors
/// What is wrong.
pub fn check(trace: &[Event], hand: Option<VarId>, is_one_object: bool) -> Result<bool, String> {
    let is_hand = |var: VarId| Some(var) == hand;
    let execution = Execution::new(trace, &is_hand, is_one_object);
    let found = execution.found();
    found.iter().try_for_each(|found| execution.check_sound(found))?;
    execution.check_complete(&found)
}

/// Checks the predictions for a trace in which the variable `hand` is handed over: nothing impossible is predicted, however many events
/// are judged together, and something is predicted if a schedule shows a violation. Returns how many predictions were decided.
///
/// # Errors
/// What is wrong.
pub fn check_predicted(trace: &[Event], hand: Option<VarId>) -> Result<usize, String> {
    let is_hand = |var: VarId| Some(var) == hand;
    let execution = Execution::new(trace, &is_hand, false);
    let mut decided = 0;
    for together in [6, WINDOW as usize] {
        for predicted in execution.predicted(together) {
            decided += usize::from(execution.check_predicted(&predicted)?);
        }
    }
    if hand.is_none() && execution.is_predicted() && execution.predicted(WINDOW as usize).is_empty() {
        return Err(format!("a schedule with several steps is no candidate\n{}", text::to_std(trace)));
    }
    Ok(decided)
}
