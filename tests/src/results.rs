//! Checks the rule for overlapping calls of one key (`analysis_core::protocol::results`) against executions in which every effect is known.
//!
//! Each call begins, takes effect at one moment, and ends. Two conflicting recorded calls must have taken effect in the order in which they were
//! recorded. A dropped call must be one that may have been earlier. Consider all orders of the calls that overlap it, directly or through others, in
//! which a call that has ended comes before those that began later, and each call finds what it has found: in one of these orders the dropped call
//! comes before a conflicting recorded one. Otherwise a call that can write had begun and not ended, or several calls found that a value is not
//! there.

use analysis_core::event::ThreadId;
use analysis_core::protocol::results::{Begun, Key, MOST, State, Step};

use crate::generate::dice::Dice;

/// A call of a map. The numbers are values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// Returns the value.
    Get,
    /// Returns whether there is a value.
    Contains,
    /// Puts a value and returns the previous one.
    Put(u32),
    /// Puts a value if there is none, and returns the previous one.
    PutIfAbsent(u32),
    /// The same, but its result does not show whether it has put the value.
    ComputeIfAbsent(u32),
    /// Puts a value if there is one already, and returns the previous one.
    Replace(u32),
    /// Puts the second value if the first one is there. Returns whether it was.
    ReplaceValue(u32, u32),
    /// Removes the value and returns it.
    Remove,
    /// Removes this value. Returns whether it was there.
    RemoveValue(u32),
}

/// A thread's action at a moment. A call acts between its begin and its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A call begins.
    Begin(Call),
    /// The call takes effect.
    Act,
    /// The call ends.
    End,
}

/// How values are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// Each value has its own number.
    Own,
    /// Some values share a number.
    Shared,
}

/// Facts about an execution that passed the check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// The number of calls that were recorded after an overlapping call that conflicts with them.
    pub ordered: usize,
    /// The number of dropped calls.
    pub dropped: usize,
}

#[derive(Clone, Copy, Debug)]
struct Done {
    thread: usize,
    began: usize,
    acted: usize,
    ended: usize,
    step: Step,
    is_recorded: bool,
}

#[derive(Clone, Copy)]
struct Running {
    call: Call,
    began: usize,
    begun: Begun,
    acted: Option<(usize, Option<u32>)>,
}

impl Call {
    fn can_write(self) -> bool {
        !matches!(self, Call::Get | Call::Contains)
    }

    /// Returns the value after the call.
    fn apply(self, there: Option<u32>) -> Option<u32> {
        match (self, there) {
            (Call::Put(value), _)
            | (Call::PutIfAbsent(value) | Call::ComputeIfAbsent(value), None)
            | (Call::Replace(value), Some(_)) => Some(value),
            (Call::ReplaceValue(old, value), Some(is)) if is == old => Some(value),
            (Call::Remove, _) => None,
            (Call::RemoveValue(old), Some(is)) if is == old => None,
            (_, is) => is,
        }
    }

    /// Returns what the rule learns from the call if `there` was the value.
    fn step(self, there: Option<u32>, names: Names) -> Step {
        let name = |value| State::Value(if names == Names::Own { value } else { value % 2 });
        let found = there.map_or(State::Absent, name);
        let is = |is, value| match (is, names) {
            (true, Names::Own) => name(value),
            (true, Names::Shared) => State::Present,
            (false, Names::Own) => State::Not(value),
            (false, Names::Shared) => State::Any,
        };
        let changed = self.apply(there);
        let step = |found, left, is_write| Step { found, left, is_write };
        match self {
            Call::Get => step(found, State::Same, false),
            Call::Contains => step(there.map_or(State::Absent, |_| State::Present), State::Same, false),
            Call::Put(value) => step(found, name(value), true),
            Call::PutIfAbsent(value) if there.is_none() => step(found, name(value), true),
            Call::PutIfAbsent(_) => step(found, State::Same, false),
            Call::ComputeIfAbsent(_) => step(State::Any, changed.map_or(State::Absent, name), false),
            Call::Replace(value) if there.is_some() => step(found, name(value), true),
            Call::Replace(_) => step(found, State::Same, false),
            Call::ReplaceValue(old, value) if there == Some(old) => step(is(true, old), name(value), true),
            Call::RemoveValue(old) if there == Some(old) => step(is(true, old), State::Absent, true),
            Call::ReplaceValue(old, _) | Call::RemoveValue(old) => step(is(false, old), State::Same, false),
            Call::Remove => step(found, State::Absent, there.is_some()),
        }
    }
}

/// Checks the promises for an execution on a key with this initial value.
pub fn check(initial: Option<u32>, moments: &[(usize, Action)], names: Names) -> Result<Seen, String> {
    let mut key = Key::default();
    let mut there = initial;
    let mut running: Vec<Option<Running>> = Vec::new();
    let mut done: Vec<Done> = Vec::new();
    let mut seen = Seen::default();
    for (now, &(thread, action)) in moments.iter().enumerate() {
        running.resize(running.len().max(thread + 1), None);
        match action {
            Action::Begin(call) => {
                let begun = key.begin(call.can_write());
                running[thread] = Some(Running { call, began: now, begun, acted: None });
            }
            Action::Act => {
                let of = running[thread].as_mut().expect("a call that has begun");
                of.acted = Some((now, there));
                there = of.call.apply(there);
            }
            Action::End => {
                let Running { call, began, begun, acted } = running[thread].take().expect("a call that has begun");
                let (acted, found) = acted.expect("a call that has acted");
                let step = call.step(found, names);
                let is_recorded = key.end(begun, ThreadId::of(thread), step);
                let last = Done { thread, began, acted, ended: now, step, is_recorded };
                let is_written = running.iter().flatten().any(|other| other.call.can_write());
                judge(&done, &last, is_written, &mut seen)
                    .map_err(|fault| format!("{fault}: {initial:?} {moments:?}"))?;
                done.push(last);
            }
        }
    }
    Ok(seen)
}

/// Checks one call after those that ended before it. `is_written`: another call that can write has not ended.
fn judge(done: &[Done], last: &Done, is_written: bool, seen: &mut Seen) -> Result<(), String> {
    let before = |other: &Done| is_before(other, last);
    if last.is_recorded {
        seen.ordered += usize::from(done.iter().any(|other| before(other) && other.ended > last.began));
        let wrong = done.iter().find(|other| before(other) && other.acted > last.acted);
        return wrong.map_or(Ok(()), |other| Err(format!("{last:?} is recorded after {other:?}")));
    }
    seen.dropped += 1;
    // The calls that it overlaps, directly or through others.
    let mut group = vec![*last];
    let mut began = last.began;
    for other in done.iter().rev() {
        if other.ended < began {
            break;
        }
        began = began.min(other.began);
        group.push(*other);
    }
    group.reverse();
    if is_written || group.len() > MOST || is_vague(&group) || !is_certain(&group) {
        Ok(())
    } else {
        Err(format!("{last:?} is dropped, but it can only have been the last"))
    }
}

fn is_before(other: &Done, last: &Done) -> bool {
    other.is_recorded && other.thread != last.thread && (other.step.is_write || last.step.is_write)
}

/// Whether more is known about the possible values than the rule keeps, which has one state for that.
fn is_vague(group: &[Done]) -> bool {
    let not = group.iter().filter(|call| matches!(call.step.found, State::Not(_))).count();
    not > 1 || not == 1 && group.iter().any(|call| call.step.found == State::Present)
}

/// Whether the last call comes after all that conflict with it in every possible order.
fn is_certain(group: &[Done]) -> bool {
    let last = group.len() - 1;
    let mut are_any = false;
    let mut is_certain = true;
    for_every_order(group, &mut Vec::new(), &mut |order| {
        if is_possible(order.iter().map(|&i| group[i].step)) {
            are_any = true;
            let at = order.iter().position(|&i| i == last).expect("it is in each order");
            is_certain &= !order[at..].iter().any(|&i| is_before(&group[i], &group[last]));
        }
    });
    are_any && is_certain
}

fn for_every_order(group: &[Done], order: &mut Vec<usize>, judge: &mut impl FnMut(&[usize])) {
    if order.len() == group.len() {
        return judge(order);
    }
    for i in (0..group.len()).filter(|i| !order.contains(i)).collect::<Vec<_>>() {
        let is_next = (0..group.len()).all(|j| j == i || order.contains(&j) || group[j].ended > group[i].began);
        if is_next {
            order.push(i);
            for_every_order(group, order, judge);
            order.pop();
        }
    }
}

/// Whether each step finds what it has found for some initial value. Values are numbers up to 3; another one stands for all others.
fn is_possible(steps: impl Iterator<Item = Step> + Clone) -> bool {
    [None, Some(0), Some(1), Some(2), Some(3), Some(9)].into_iter().any(|initial| {
        let mut possible = vec![initial];
        for step in steps.clone() {
            possible.retain(|there| match step.found {
                State::Any | State::Same => true,
                State::Absent => there.is_none(),
                State::Present => there.is_some(),
                State::Value(value) => *there == Some(value),
                State::Not(value) => *there != Some(value),
            });
            possible = possible.iter().flat_map(|there| left(*there, step.left)).collect();
        }
        !possible.is_empty()
    })
}

fn left(there: Option<u32>, left: State) -> Vec<Option<u32>> {
    match left {
        State::Same => vec![there],
        State::Absent => vec![None],
        State::Value(value) => vec![Some(value)],
        other => unreachable!("no call leaves {other:?}"),
    }
}

/// Returns a random execution of two to four threads on one key. It may end while calls run.
pub fn random(seed: u64) -> (Option<u32>, Vec<(usize, Action)>) {
    let mut dice = Dice::new(seed);
    let threads = dice.within(&(2..=4));
    let mut running: Vec<Option<bool>> = vec![None; threads as usize];
    let initial = [None, Some(1), Some(2)][dice.below(3) as usize];
    let moments = (0..dice.within(&(6..=24)))
        .map(|_| {
            let thread = dice.below(threads) as usize;
            let action = match running[thread] {
                None => Action::Begin(call(&mut dice)),
                Some(false) => Action::Act,
                Some(true) => Action::End,
            };
            running[thread] = match action {
                Action::Begin(_) => Some(false),
                Action::Act => Some(true),
                Action::End => None,
            };
            (thread, action)
        })
        .collect();
    (initial, moments)
}

fn call(dice: &mut Dice) -> Call {
    let value = dice.within(&(1..=3));
    let old = dice.within(&(1..=3));
    [
        Call::Get,
        Call::Contains,
        Call::Put(value),
        Call::PutIfAbsent(value),
        Call::ComputeIfAbsent(value),
        Call::Replace(value),
        Call::ReplaceValue(old, value),
        Call::Remove,
        Call::RemoveValue(old),
    ][dice.below(9) as usize]
}

/// Runs `judge` on every interleaving of these calls, each in a thread of its own.
pub fn for_all(calls: &[Call], judge: &mut impl FnMut(&[(usize, Action)])) {
    extend(calls, &mut vec![0; calls.len()], &mut Vec::new(), judge);
}

fn extend(
    calls: &[Call],
    steps: &mut [usize],
    moments: &mut Vec<(usize, Action)>,
    judge: &mut impl FnMut(&[(usize, Action)]),
) {
    if steps.iter().all(|step| *step == 3) {
        return judge(moments);
    }
    for thread in 0..calls.len() {
        let Some(action) = [Action::Begin(calls[thread]), Action::Act, Action::End].get(steps[thread]).copied() else {
            continue;
        };
        steps[thread] += 1;
        moments.push((thread, action));
        extend(calls, steps, moments, judge);
        moments.pop();
        steps[thread] -= 1;
    }
}
