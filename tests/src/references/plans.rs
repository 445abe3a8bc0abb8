//! Plans: random ones, derived from the traces of every family, and all small ones.

use analysis_core::event::{Event, LabelId, Op, ThreadId, VarId};
use analysis_core::filter::temporary::Local;
use rayon::prelude::*;

use super::{Command, PLAIN_FIELDS, Plan};
use crate::generate::Family;
use crate::generate::dice::Dice;

const LOCALS: u32 = 3;

/// Returns the trace of a seed in which two accesses in three are replaced by work with references. `with_handovers`:
/// some of this work has no hook.
pub fn dressed(family: &Family, seed: u64, with_handovers: bool) -> Plan {
    let mut dice = Dice::new(seed ^ 0x7265_6673);
    family.trace(seed).iter().flat_map(|event| dress(*event, &mut dice, with_handovers)).collect()
}

fn dress(Event { thread, op }: Event, dice: &mut Dice, with_handovers: bool) -> Plan {
    if !matches!(op, Op::Read(_) | Op::Write(_)) || dice.chance(33) {
        return vec![(thread, Command::Event(op))];
    }
    // A few commands at a time, so that a new object is used before it escapes.
    (0..dice.within(&(1..=4))).map(|_| (thread, work(dice, with_handovers))).collect()
}

fn work(dice: &mut Dice, with_handovers: bool) -> Command {
    let handovers = if with_handovers { 8 } else { 0 };
    let local = |dice: &mut Dice| Local(dice.below(LOCALS) as u8);
    let field = |dice: &mut Dice| dice.below(u32::from(PLAIN_FIELDS)) as u8;
    match dice.weighted(&[10, 5, 14, 18, 6, 6, 10, 12, handovers, handovers, 6, 8]) {
        0 => Command::New(local(dice)),
        1 => Command::Copy(local(dice), local(dice)),
        2 => Command::Read(local(dice), field(dice)),
        3 => Command::Write(local(dice), field(dice)),
        4 => Command::Put(local(dice), local(dice)),
        5 => Command::Get(local(dice), local(dice)),
        6 => Command::Publish(local(dice)),
        7 => Command::Fetch(local(dice)),
        8 => Command::Send(local(dice)),
        9 => Command::Receive(local(dice)),
        10 => Command::Construct(local(dice)),
        _ => Command::Constructed(local(dice)),
    }
}

const A: Local = Local(0);
const X: VarId = VarId(0);

/// The commands of a small plan: one object at a time, one field of it, a variable, blocks.
const SMALL: [Command; 13] = [
    Command::New(A),
    Command::Construct(A),
    Command::Constructed(A),
    Command::Read(A, 0),
    Command::Write(A, 0),
    Command::Publish(A),
    Command::Fetch(A),
    Command::Send(A),
    Command::Receive(A),
    Command::Event(Op::Read(X)),
    Command::Event(Op::Write(X)),
    Command::Event(Op::Begin(LabelId::NONE)),
    Command::Event(Op::End),
];

/// Runs `check` on every plan of `length` commands that two threads can execute and that begins with a new object of
/// the first thread. Returns the number of these plans.
pub fn for_all<E: Send>(length: u32, check: impl Fn(&Plan) -> Result<(), E> + Sync) -> Result<u64, E> {
    let choices = 2 * SMALL.len() as u64;
    let count = std::sync::atomic::AtomicU64::new(0);
    // Each choice of the second command and its thread is one piece of work.
    let failure = (0..choices).into_par_iter().find_map_first(|first| {
        let mut plans = 0;
        let outcome = extend(&mut vec![(ThreadId(0), Command::New(A)), choice(first)], length, &mut |plan| {
            plans += 1;
            check(plan)
        });
        count.fetch_add(plans, std::sync::atomic::Ordering::Relaxed);
        outcome.err()
    });
    failure.map_or(Ok(count.into_inner()), Err)
}

fn choice(number: u64) -> (ThreadId, Command) {
    (ThreadId((number % 2) as u32), SMALL[(number / 2) as usize])
}

fn extend<E>(plan: &mut Plan, length: u32, visit: &mut impl FnMut(&Plan) -> Result<(), E>) -> Result<(), E> {
    if !super::is_possible(plan) {
        return Ok(());
    }
    if plan.len() == length as usize {
        return visit(plan);
    }
    for number in 0..2 * SMALL.len() as u64 {
        plan.push(choice(number));
        extend(plan, length, visit)?;
        plan.pop();
    }
    Ok(())
}
