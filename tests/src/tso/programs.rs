//! Small programs without conditions: threads, each a list of operations, and all their interleavings.

use analysis_core::event::{Event, LabelId, Op, ThreadId, VarId};

use crate::generate::dice::Dice;

/// The operations of each thread.
pub type Program = Vec<Vec<Op>>;

/// A program of two or three short threads. A fenced one has a fence at the end of each transaction, and blocks alone.
pub fn random(seed: u64, is_fenced: bool) -> Program {
    let mut dice = Dice::new(seed);
    let threads = if dice.chance(25) { 3 } else { 2 };
    let most = if threads == 3 { 2 } else { 4 };
    (0..threads).map(|_| thread(&mut dice, most, is_fenced)).collect()
}

fn thread(dice: &mut Dice, most: u32, is_fenced: bool) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut left = dice.within(&(1..=most));
    while left > 0 {
        let size = dice.within(&(1..=left));
        left -= size;
        let is_block = is_fenced || size > 1 || dice.chance(30);
        if is_block {
            ops.push(Op::Begin(LabelId::NONE));
        }
        for _ in 0..size {
            let x = VarId(dice.below(2));
            ops.push(if dice.chance(50) { Op::Read(x) } else { Op::Write(x) });
        }
        if is_fenced || dice.chance(15) {
            ops.push(Op::Fence);
        }
        if is_block {
            ops.push(Op::End);
        }
    }
    ops
}

/// Every program of two threads of up to three accesses each to two variables, in up to two transactions, each of which
/// may end with a fence. Threads are numbered: thread `i` of all is [`threads`]`[i]`.
pub fn threads() -> Vec<Vec<Op>> {
    let accesses: Vec<Op> = [0, 1].into_iter().flat_map(|x| [Op::Read(VarId(x)), Op::Write(VarId(x))]).collect();
    let mut sequences: Vec<Vec<Op>> = vec![vec![]];
    let mut all = Vec::new();
    for length in 1..=3 {
        let longer =
            |sequence: &Vec<Op>| accesses.iter().map(|op| [&sequence[..], &[*op]].concat()).collect::<Vec<_>>();
        sequences = sequences.iter().flat_map(longer).collect();
        for sequence in &sequences {
            for cut in 1..=length {
                for is_fenced in [false, true] {
                    let parts = [&sequence[..cut], &sequence[cut..]];
                    let blocks = parts.into_iter().filter(|part| !part.is_empty());
                    all.push(blocks.flat_map(|part| block(part, is_fenced)).collect());
                }
            }
        }
    }
    all
}

fn block(accesses: &[Op], is_fenced: bool) -> Vec<Op> {
    let fence = is_fenced.then_some(Op::Fence);
    let begin = [Op::Begin(LabelId::NONE)];
    begin.into_iter().chain(accesses.iter().copied()).chain(fence).chain([Op::End]).collect()
}

/// Calls `visit` with every interleaving of the threads, until it says that it has enough; true if it did. Begins come
/// with the next operation, ends with the one before: nobody can tell when they happen.
pub fn any_interleaving(program: &Program, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
    interleave(program, &mut vec![0; program.len()], &mut Vec::new(), visit)
}

fn interleave(
    program: &Program,
    next: &mut Vec<usize>,
    trace: &mut Vec<Event>,
    visit: &mut impl FnMut(&[Event]) -> bool,
) -> bool {
    let mut is_over = true;
    for thread in 0..program.len() {
        let (at, length) = (next[thread], trace.len());
        if at == program[thread].len() {
            continue;
        }
        is_over = false;
        let mut has_acted = false;
        while let Some(op) = program[thread].get(next[thread]) {
            let is_end = *op == Op::End;
            if has_acted && !is_end {
                break;
            }
            has_acted |= !matches!(op, Op::Begin(_) | Op::End);
            trace.push(Event::new(ThreadId(thread as u32), *op));
            next[thread] += 1;
        }
        let is_enough = interleave(program, next, trace, visit);
        trace.truncate(length);
        next[thread] = at;
        if is_enough {
            return true;
        }
    }
    is_over && visit(trace)
}
