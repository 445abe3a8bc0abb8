//! Steps of threads: accesses with [`Op::Together`] between them, which are one event.

use rustc_hash::FxHashMap;

use super::ids::At;
use crate::event::{Event, Op};
use crate::graph::accesses::at as slot;

/// The steps of an execution that have several accesses.
#[derive(Default)]
pub struct Steps {
    /// By access of such a step: the first access of the step.
    firsts: FxHashMap<At, At>,
}

/// The last step of each thread while the events are processed.
#[derive(Default)]
pub(super) struct Current {
    threads: Vec<Last>,
}

#[derive(Default)]
struct Last {
    first: Option<At>,
    accesses: Vec<Op>,
    /// The next access belongs to the step.
    goes_on: bool,
}

impl Current {
    /// Processes the next event. Returns whether it is an access that its step has made before. A step is recorded with
    /// repetitions, so that it counts as one event ([`crate::protocol::steps`]).
    pub(super) fn step(&mut self, place: At, event: Event, steps: &mut Steps) -> bool {
        let last = slot(&mut self.threads, event.thread.index());
        match event.op {
            Op::Together => last.goes_on = last.first.is_some(),
            Op::Read(_) | Op::Write(_) => {
                let first = last.first.filter(|_| std::mem::take(&mut last.goes_on)).unwrap_or(place);
                if first == place {
                    last.first = Some(place);
                    last.accesses.clear();
                } else {
                    steps.firsts.insert(first, first);
                    steps.firsts.insert(place, first);
                }
                if last.accesses.contains(&event.op) {
                    return true;
                }
                last.accesses.push(event.op);
            }
            _ => {}
        }
        false
    }
}

impl Steps {
    /// Returns the first access of the step that contains `access`.
    pub fn first(&self, access: At) -> At {
        self.firsts.get(&access).copied().unwrap_or(access)
    }

    /// Returns goals, events that must come in this order, with each step represented by its first access.
    pub fn of_goals(&self, goals: &[At]) -> Vec<At> {
        let mut firsts: Vec<At> = goals.iter().map(|goal| self.first(*goal)).collect();
        firsts.dedup();
        firsts
    }

    /// Returns an order in the form in which it is judged: after the accesses of a step, each but the last is repeated.
    pub fn expanded(&self, order: &[At]) -> Vec<At> {
        let mut expanded = Vec::with_capacity(order.len());
        let mut step: Vec<At> = Vec::new();
        let first = |at: &At| self.firsts.get(at).copied();
        for (index, at) in order.iter().enumerate() {
            expanded.push(*at);
            let Some(of) = first(at) else { continue };
            step.push(*at);
            let next = order[index + 1..].iter().find_map(first);
            if next != Some(of) {
                step.pop();
                expanded.append(&mut step);
            }
        }
        expanded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::testing::execution;

    #[test]
    fn accesses_that_come_together_are_one_step() {
        let execution = execution("0:w0 0:+ 1:w1 0:w2 0:w3 1:! 1:w0 0:+ 0:w4");
        let firsts: Vec<u64> = (0..9).map(|index| execution.steps.first(At(index)).number()).collect();
        assert_eq!(firsts, [1, 2, 3, 1, 5, 6, 7, 8, 5]);
        assert_eq!(execution.steps.of_goals(&[At(3), At(0), At(6), At(8)]), [At(0), At(6), At(4)]);
        let order = [At(0), At(1), At(3), At(2), At(4), At(7), At(8)];
        assert_eq!(execution.steps.expanded(&order), [0, 1, 3, 0, 2, 4, 7, 8, 4].map(At));
    }

    #[test]
    fn accesses_that_are_repeated_in_their_step_are_no_accesses_of_their_own() {
        let execution = execution("0:[ 0:w0 0:+ 0:w1 0:+ 0:w0 0:] 1:w0 1:w1");
        let accesses: Vec<u64> = execution.accesses.iter().map(|access| access.at.number()).collect();
        assert_eq!(accesses, [2, 4, 8, 9]);
    }
}
