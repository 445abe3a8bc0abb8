//! A byte for each event: its operation, how its operand is written, and whether another thread goes on.
//!
//! Operands are numbers of a table (variables, locks, threads, labels). Most are written as the difference to the last
//! operand of the same operation, in as few bytes as it takes. Two kinds take no byte: the same operand again, and
//! the *next new* one, which is one more than the largest that was used of its table.

use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

/// Set if the event is of another thread than the one before.
pub(super) const SWITCH: u8 = 0x80;
/// As the width: the operand is the next new one.
pub(super) const NEW: u8 = 5;
const WIDTH_SHIFT: u32 = 4;
const CODE: u8 = 0x0f;
/// How many codes of operations there are, used or not.
pub(super) const CODES: usize = 16;

/// The tables that operands are numbers of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Vars,
    Locks,
    Threads,
    Labels,
    /// Of an operation without operand: its operand is 0 and nothing else.
    Nothing,
    /// Of codes and widths that no writer makes: no operand is right.
    Invalid,
}

/// How many there are.
pub(super) const TABLES: usize = 6;

/// By table, what its next new operand is if it has so many names: also one more than its largest operand.
pub(super) fn first_new([vars, locks, threads, labels]: [u32; 4]) -> [u32; TABLES] {
    // Label 0 is none. The operand of an operation without is 0, and nothing has an invalid one.
    [vars, locks, threads, labels.saturating_add(1), 1, 0]
}

/// What a tag says to the decoder.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Which bits of the next four bytes are the operand.
    pub(super) mask: u32,
    /// How many bytes the operand takes.
    pub(super) width: u8,
    /// True if the operand is the next new one.
    pub(super) is_new: bool,
    pub(super) table: u8,
}

/// By tag without [`SWITCH`].
pub(super) static SHAPES: [Shape; 128] = shapes();

const fn shapes() -> [Shape; 128] {
    let mut shapes = [Shape { mask: 0, width: 0, is_new: false, table: Table::Invalid as u8 }; 128];
    let mut tag = 0;
    while tag < 128 {
        let width = (tag >> WIDTH_SHIFT) as u8;
        if width <= NEW {
            shapes[tag].table = table(tag as u8 & CODE) as u8;
            shapes[tag].is_new = width == NEW;
            if width < NEW {
                shapes[tag].width = width;
                shapes[tag].mask = ((1u64 << (8 * width)) - 1) as u32;
            }
        }
        tag += 1;
    }
    shapes
}

const fn table(code: u8) -> Table {
    match code {
        0 | 1 | 9 => Table::Vars,
        2 | 3 => Table::Locks,
        4 | 5 => Table::Threads,
        6 => Table::Labels,
        7 | 8 | 10 => Table::Nothing,
        _ => Table::Invalid,
    }
}

/// The code of an operation, its operand and the operand's table. A label counts from 1: 0 is none.
#[inline]
pub(super) fn parts(op: Op) -> (u8, u32, Table) {
    let (code, operand) = match op {
        Op::Read(x) => (0, x.0),
        Op::Write(x) => (1, x.0),
        Op::Acquire(l) => (2, l.0),
        Op::Release(l) => (3, l.0),
        Op::Fork(u) => (4, u.0),
        Op::Join(u) => (5, u.0),
        Op::Begin(m) => (6, m.0.wrapping_add(1)),
        Op::End => (7, 0),
        Op::Fence => (8, 0),
        Op::Commit(x) => (9, x.0),
        Op::Nop => (10, 0),
    };
    (code, operand, table(code))
}

/// The tag of an operation whose operand takes `width` bytes, or is [`NEW`].
#[inline]
pub(super) fn tag(code: u8, width: u8, switches: bool) -> u8 {
    code | width << WIDTH_SHIFT | if switches { SWITCH } else { 0 }
}

/// The code in a tag.
#[inline]
pub(super) fn code(tag: u8) -> usize {
    usize::from(tag & CODE)
}

/// The event with this code. Of a code that no writer makes it is anything: [`Table::Invalid`] tells.
#[inline]
pub(super) fn event(thread: u32, code: usize, operand: u32) -> Event {
    let op = match code {
        0 => Op::Read(VarId(operand)),
        1 => Op::Write(VarId(operand)),
        2 => Op::Acquire(LockId(operand)),
        3 => Op::Release(LockId(operand)),
        4 => Op::Fork(ThreadId(operand)),
        5 => Op::Join(ThreadId(operand)),
        6 => Op::Begin(LabelId(operand.wrapping_sub(1))),
        7 => Op::End,
        8 => Op::Fence,
        9 => Op::Commit(VarId(operand)),
        _ => Op::Nop,
    };
    Event { thread: ThreadId(thread), op }
}
