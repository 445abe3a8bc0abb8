//! Small programs without conditions, each thread a list of operations, and all their interleavings.

use analysis_core::event::{Event, LabelId, Op, ThreadId, VarId};

use crate::generate::dice::Dice;

/// The operations of each thread.
pub type Program = Vec<Vec<Op>>;

/// Returns a program of two or three short threads. A fenced one has a fence at the end of each transaction, and only blocks.
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

/// Returns all threads of up to three accesses to two variables, in up to two transactions, each of which may end with
/// a fence. Every program is a pair of them. Threads are numbered: thread `i` of all is [`threads`]`[i]`.
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

/// When a fence happens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fences {
    /// At any time.
    Anywhere,
    /// With the next operation of its thread, or else at the end. An execution with an earlier fence is also one with the
    /// later fence: no other thread can tell when the fence happens, and the commits before it still precede it.
    Late,
}

/// Calls `visit` with every interleaving of the threads until it returns true. Returns whether it did. A begin happens
/// with the next operation, an end with the previous one: no thread can tell when they happen.
pub fn any_interleaving(program: &Program, fences: Fences, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
    let mut interleaving = Interleaving { program, fences, next: vec![0; program.len()], trace: Vec::new() };
    interleaving.go_on(visit)
}

struct Interleaving<'a> {
    program: &'a Program,
    fences: Fences,
    /// The next operation of each thread.
    next: Vec<usize>,
    trace: Vec<Event>,
}

impl Interleaving<'_> {
    fn go_on(&mut self, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
        let mut is_over = true;
        for thread in 0..self.program.len() {
            let (at, length) = (self.next[thread], self.trace.len());
            if !self.has_operation(thread) {
                continue;
            }
            is_over = false;
            self.step(thread);
            let is_enough = self.go_on(visit);
            self.trace.truncate(length);
            self.next[thread] = at;
            if is_enough {
                return true;
            }
        }
        is_over && self.end(visit)
    }

    /// Whether the operation takes a step of its own.
    fn is_operation(&self, op: &Op) -> bool {
        !matches!(op, Op::Begin(_) | Op::End) && (self.fences == Fences::Anywhere || *op != Op::Fence)
    }

    fn has_operation(&self, thread: usize) -> bool {
        self.program[thread][self.next[thread]..].iter().any(|op| self.is_operation(op))
    }

    /// Appends the thread's next operation, what comes before it, and the end after it.
    fn step(&mut self, thread: usize) {
        let mut has_acted = false;
        while let Some(op) = self.program[thread].get(self.next[thread]) {
            if has_acted && *op != Op::End {
                break;
            }
            has_acted |= self.is_operation(op);
            self.take(thread, *op);
        }
    }

    fn take(&mut self, thread: usize, op: Op) {
        self.trace.push(Event::new(ThreadId(thread as u32), op));
        self.next[thread] += 1;
    }

    /// Only late fences are left.
    fn end(&mut self, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
        let (next, length) = (self.next.clone(), self.trace.len());
        for thread in 0..self.program.len() {
            while let Some(op) = self.program[thread].get(self.next[thread]) {
                self.take(thread, *op);
            }
        }
        let is_enough = visit(&self.trace);
        self.trace.truncate(length);
        self.next = next;
        is_enough
    }
}
