//! Random schedules of structured programs: blocks and critical sections are properly nested, as in Java. The program
//! `tests/programs/played` plays them under the agent.

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

use crate::generate::dice::Dice;

/// The numbers of methods, variables and locks. The program that plays schedules has as many methods.
const METHODS: u32 = 6;
const VARIABLES: u32 = 4;
const LOCKS: u32 = 3;

/// Returns the schedule of a seed: a trace without forks and joins.
pub fn schedule(seed: u64) -> Vec<Event> {
    let mut dice = Dice::new(seed);
    let threads: Vec<Vec<Op>> = (0..dice.within(&(2..=4))).map(|_| program(&mut dice)).collect();
    let mut next = vec![0; threads.len()];
    let mut held = [false; LOCKS as usize];
    let mut events = Vec::new();
    loop {
        let can_go_on = |thread: &usize| match threads[*thread].get(next[*thread]) {
            Some(Op::Acquire(lock)) => !held[lock.index()],
            op => op.is_some(),
        };
        // Locks are taken in the order of their numbers, so some thread can continue until all have ended.
        let ready: Vec<usize> = (0..threads.len()).filter(can_go_on).collect();
        if ready.is_empty() {
            return events;
        }
        let thread = ready[dice.below(ready.len() as u32) as usize];
        let op = threads[thread][next[thread]];
        next[thread] += 1;
        match op {
            Op::Acquire(lock) => held[lock.index()] = true,
            Op::Release(lock) => held[lock.index()] = false,
            _ => {}
        }
        events.push(Event::new(ThreadId(thread as u32), op));
    }
}

/// The schedule in the format that the program reads: one line per event, with its thread, a letter and a number.
pub fn text(schedule: &[Event]) -> String {
    let line = |event: &Event| {
        let (letter, number) = match event.op {
            Op::Begin(label) => ('b', label.0),
            Op::Acquire(lock) => ('l', lock.0),
            Op::Read(x) => ('r', x.0),
            Op::Write(x) => ('w', x.0),
            Op::End => ('e', 0),
            _ => ('u', 0),
        };
        format!("{} {letter} {number}\n", event.thread.0)
    };
    schedule.iter().map(line).collect()
}

/// Draws what one thread does.
fn program(dice: &mut Dice) -> Vec<Op> {
    let mut ops = Vec::new();
    for _ in 0..dice.within(&(2..=4)) {
        step(dice, 0, 0, &mut ops);
    }
    ops
}

/// Adds an access, a block or a critical section. Only locks from `free` on are not held.
fn step(dice: &mut Dice, depth: u32, free: u32, ops: &mut Vec<Op>) {
    let nests = u32::from(depth < 4);
    let (first, last, free) = match dice.weighted(&[35, 30, 25 * nests, 15 * nests * u32::from(free < LOCKS)]) {
        0 => return ops.push(Op::Read(VarId(dice.below(VARIABLES)))),
        1 => return ops.push(Op::Write(VarId(dice.below(VARIABLES)))),
        2 => (Op::Begin(LabelId(dice.below(METHODS))), Op::End, free),
        _ => {
            let lock = free + dice.below(LOCKS - free);
            (Op::Acquire(LockId(lock)), Op::Release(LockId(lock)), lock + 1)
        }
    };
    ops.push(first);
    for _ in 0..dice.within(&(1..=4)) {
        step(dice, depth + 1, free, ops);
    }
    ops.push(last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::reference;

    #[test]
    fn schedules_of_both_verdicts_end_with_everything_closed() {
        let mut violated = 0;
        for seed in 0..200 {
            let schedule = schedule(seed);
            let opened = schedule.iter().filter(|event| matches!(event.op, Op::Begin(_) | Op::Acquire(_))).count();
            let closed = schedule.iter().filter(|event| matches!(event.op, Op::End | Op::Release(_))).count();
            assert_eq!(opened, closed, "seed {seed}");
            assert_eq!(text(&schedule).lines().count(), schedule.len(), "seed {seed}");
            let mut engine = (reference().build)();
            engine.feed(&schedule);
            violated += usize::from(!engine.findings().violations.is_empty());
        }
        assert!((50..190).contains(&violated), "{violated} of 200 schedules violate a block");
    }
}
