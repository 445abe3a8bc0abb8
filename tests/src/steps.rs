//! Steps that access several variables (`analysis_core::protocol::steps`): the law's answer for them, and random ones.
//!
//! The law is evaluated on an explicit graph in which each step is one event.

use std::collections::BTreeSet;

use analysis_core::engines::oracle;
use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId, VarId};
use analysis_core::graph::law::{Law, Role};
use analysis_core::protocol::steps::Step;

use crate::compare::Answer;
use crate::generate::dice::Dice;

/// The verdict, and the violated blocks by the steps that begin them.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Two transactions reach each other.
    pub is_non_serializable: bool,
    /// The steps that begin violated blocks.
    pub violated: BTreeSet<usize>,
}

/// By the definition: two steps conflict if any of their accesses do.
pub fn by_the_law(steps: &[Step]) -> Verdict {
    let events = |step: &Step| -> Vec<Event> { step.ops.iter().map(|op| Event::new(step.thread, *op)).collect() };
    let conflict = |a: &Step, b: &Step| events(a).iter().any(|a| events(b).iter().any(|b| oracle::conflict(*a, *b)));
    let mut law = Law::default();
    for (number, step) in steps.iter().enumerate() {
        let conflicts = (0..number).filter(|earlier| conflict(&steps[*earlier], step));
        law.push(Stamp::new(step.thread, number as u64 + 1), Role::of(step.ops[0]), conflicts);
    }
    let findings = law.findings();
    Verdict {
        is_non_serializable: findings.is_non_serializable(),
        violated: findings.violations.iter().map(|violation| violation.begin as usize - 1).collect(),
    }
}

/// By the reference engine, on a trace in which `write` writes out each step.
pub fn of_a_trace(steps: &[Step], write: impl Fn(&[Op]) -> Vec<Op>) -> Verdict {
    let mut trace = Vec::new();
    let mut numbers = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        for op in write(&step.ops) {
            trace.push(Event::new(step.thread, op));
            numbers.push(number);
        }
    }
    let answer = Answer::of_reference(&trace);
    Verdict {
        is_non_serializable: answer.first_event.is_some(),
        violated: answer.violated.iter().map(|blame| numbers[blame.begin as usize - 1]).collect(),
    }
}

/// Returns a random execution of two to four threads with up to five variables.
pub fn random(seed: u64) -> Vec<Step> {
    let mut dice = Dice::new(seed);
    let threads = dice.within(&(2..=4));
    let vars = dice.within(&(2..=5));
    let mut depths = vec![0u32; threads as usize];
    let length = dice.within(&(4..=16));
    (0..length)
        .map(|_| {
            let thread = dice.below(threads);
            let depth = &mut depths[thread as usize];
            let may_begin = if *depth < 2 { 20 } else { 0 };
            let may_end = if *depth > 0 { 10 } else { 0 };
            let ops = match dice.weighted(&[may_begin, may_end, 60]) {
                0 => {
                    *depth += 1;
                    vec![Op::Begin(LabelId(0))]
                }
                1 => {
                    *depth -= 1;
                    vec![Op::End]
                }
                _ => (0..dice.within(&(1..=3))).map(|_| access(&mut dice, vars)).collect(),
            };
            Step { thread: ThreadId(thread), ops }
        })
        .collect()
}

fn access(dice: &mut Dice, vars: u32) -> Op {
    let x = VarId(dice.below(vars));
    if dice.chance(50) { Op::Read(x) } else { Op::Write(x) }
}
