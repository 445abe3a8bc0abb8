//! Draws random sequences.

use super::kinds::Kind;
use super::{Call, Sequence, Step, THREADS};
use crate::generate::dice::Dice;

/// Returns the sequence of a seed.
pub fn sequence(seed: u64) -> Sequence {
    let mut dice = Dice::new(seed);
    let objects: Vec<_> = (0..dice.within(&(1..=2)))
        .map(|_| {
            let kind = Kind::ALL[dice.below(Kind::ALL.len() as u32) as usize];
            (kind, dice.below(3))
        })
        .collect();
    let mut elements = Elements { next: 4 };
    // In some sequences most calls have the other object as their argument.
    let often = if dice.chance(30) { 60 } else { 15 };
    let threads = dice.within(&(2..=THREADS));
    let mut left: Vec<Vec<Step>> = (0..threads)
        .map(|_| program(&mut dice, &objects, &mut elements, often))
        .map(|steps| steps.into_iter().rev().collect())
        .collect();
    let mut steps = Vec::new();
    while left.iter().any(|steps| !steps.is_empty()) {
        let thread = dice.below(threads);
        if let Some(step) = left[thread as usize].pop() {
            steps.push((thread, step));
        }
    }
    // At the end every thread releases what it holds.
    for (object, (kind, _)) in objects.iter().enumerate() {
        for thread in 0..threads {
            let gives = kind.releases().iter().cycle().take(4 * kind.releases().len());
            steps.extend(gives.map(|name| (thread, Step::Call(Call { object, name, a: 0, b: 0 }))));
        }
    }
    Sequence { objects: objects.iter().map(|(kind, size)| (kind.name(), *size)).collect(), steps }
}

/// Fresh element numbers: no queue has had them yet.
struct Elements {
    next: u32,
}

impl Elements {
    /// Returns the element for a call: a new one if the call puts it in, otherwise one that may exist.
    fn of(&mut self, dice: &mut Dice, name: &str) -> u32 {
        let is_put = ["offer", "add", "push"]
            .iter()
            .any(|put| name.split_once('.').is_some_and(|(_, name)| name.starts_with(put)));
        if is_put {
            self.next += 1;
            self.next
        } else {
            dice.below(self.next + 1)
        }
    }
}

/// Draws what one thread does: a block, perhaps with calls before and after.
fn program(dice: &mut Dice, objects: &[(Kind, u32)], elements: &mut Elements, often: u32) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut calls = |dice: &mut Dice, steps: &mut Vec<Step>, most: u32| {
        for _ in 0..dice.within(&(most / 4..=most)) {
            steps.push(Step::Call(call(dice, objects, elements, often)));
        }
    };
    calls(dice, &mut steps, 1);
    steps.push(Step::Begin);
    calls(dice, &mut steps, 4);
    steps.push(Step::End);
    calls(dice, &mut steps, 1);
    steps
}

fn call(dice: &mut Dice, objects: &[(Kind, u32)], elements: &mut Elements, often: u32) -> Call {
    let object = dice.below(objects.len() as u32) as usize;
    let kind = objects[object].0;
    let other = objects.len() - 1 - object;
    let between = if other == object { &[][..] } else { kind.calls_between(objects[other].0) };
    if !between.is_empty() && dice.chance(often) {
        return Call { object, name: between[dice.below(between.len() as u32) as usize], a: other as u32, b: 0 };
    }
    let groups = kind.calls();
    let names = groups[dice.below(groups.len() as u32) as usize];
    let name = names[dice.below(names.len() as u32) as usize];
    let a =
        if name.starts_with("queue.") || name.starts_with("deque.") { elements.of(dice, name) } else { dice.below(3) };
    Call { object, name, a, b: dice.below(2) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_call_of_every_class_is_drawn_and_each_block_ends() {
        let mut drawn = BTreeSet::new();
        for seed in 0..40_000 {
            let sequence = sequence(seed);
            for call in sequence.calls() {
                drawn.insert((sequence.objects[call.object].0, call.name));
            }
            let count = |is: fn(&Step) -> bool| sequence.steps.iter().filter(|(_, step)| is(step)).count();
            let begun = count(|step| matches!(step, Step::Begin));
            assert_eq!(begun, count(|step| matches!(step, Step::End)), "seed {seed}");
        }
        for kind in Kind::ALL {
            for name in kind.calls().iter().copied().flatten() {
                assert!(drawn.contains(&(kind.name(), name)), "{name} of {} is never drawn", kind.name());
            }
        }
    }
}
