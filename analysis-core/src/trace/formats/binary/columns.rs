//! The encoding of a frame's columns: a tag for each event, numbers of variable length, and new names.
//!
//! An event is one *tag*: its operation, the width of its operand, and whether the thread differs from that of the
//! previous event. Operands are numbers in a table (variables, locks, threads, labels). Most are written as the
//! difference from the last operand of the same operation, in as few bytes as possible. Two kinds take no byte: the
//! same operand again, and the *next new* one, which is one more than the largest used so far in its table. Other
//! numbers have variable length: seven bits a byte, lowest first, the eighth set in all bytes but the last (LEB128). A
//! new name is written as the length of the prefix that it shares with the previous name, and the rest.

use super::layout::LONGEST_NAME;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::vocabulary::notes::Notes;
use crate::trace::vocabulary::symbols::{NewNames, Symbols};

/// Set if the thread differs from that of the previous event.
pub(super) const SWITCH: u8 = 0x80;
/// As a width: the operand is the next new one.
pub(super) const NEW: u8 = 5;
const WIDTH_SHIFT: u32 = 4;
const CODE: u8 = 0x0f;
/// The number of operation codes, used or not.
pub(super) const CODES: usize = 16;

/// The tables that operands index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Vars,
    Locks,
    Threads,
    Labels,
    /// For operations without operand: the operand is 0.
    Nothing,
    /// For codes and widths that no writer makes: no operand is valid.
    Invalid,
}

/// The number of tables.
pub(super) const TABLES: usize = 6;

/// Returns, for each table with this many names, its next new operand: also one more than its largest operand.
pub(super) fn first_new([vars, locks, threads, labels]: [u32; 4]) -> [u32; TABLES] {
    // Label 0 means none. An operation without operand has operand 0, and an invalid one has none.
    [vars, locks, threads, labels.saturating_add(1), 1, 0]
}

/// The meaning of a tag for the decoder.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The bits of the next four bytes that are the operand.
    pub(super) mask: u32,
    /// The number of bytes of the operand.
    pub(super) width: u8,
    /// Whether the operand is the next new one.
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
        7 | 8 | 10..=12 => Table::Nothing,
        _ => Table::Invalid,
    }
}

/// Returns the code of an operation, its operand and the operand's table. Labels count from 1: 0 means no label.
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
        Op::Together => (11, 0),
        Op::Update => (12, 0),
    };
    (code, operand, table(code))
}

/// Returns the tag of an operation whose operand takes `width` bytes, or is [`NEW`].
#[inline]
pub(super) fn tag(code: u8, width: u8, switches: bool) -> u8 {
    code | width << WIDTH_SHIFT | if switches { SWITCH } else { 0 }
}

/// Returns the code in a tag.
#[inline]
pub(super) fn code(tag: u8) -> usize {
    usize::from(tag & CODE)
}

/// Returns the event with this code. For a code that no writer makes it is arbitrary; [`Table::Invalid`] marks those.
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
        11 => Op::Together,
        12 => Op::Update,
        _ => Op::Nop,
    };
    Event { thread: ThreadId(thread), op }
}

/// Appends `number`.
#[inline]
pub(super) fn push_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Removes a number from the front of `bytes` and returns it. `None` if there is no 32-bit number.
#[inline]
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for index in 0..5 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return (index < 4 || byte < 0x10).then_some(number);
        }
    }
    None
}

/// Maps a signed difference to a number that is small if the difference is.
#[inline]
pub(super) fn zigzag(difference: u32) -> u32 {
    difference << 1 ^ ((difference as i32) >> 31) as u32
}

/// The inverse of [`zigzag`].
#[inline]
pub(super) fn unzigzag(number: u32) -> u32 {
    number >> 1 ^ (number & 1).wrapping_neg()
}

/// The names that a frame adds to a table, for writing.
#[derive(Default)]
pub(super) struct NameColumn {
    bytes: Vec<u8>,
    count: u32,
    last: Vec<u8>,
}

impl NameColumn {
    pub(super) fn push(&mut self, name: &[u8]) {
        let shared = name.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        // No name is longer than 2^28 bytes.
        push_varint(&mut self.bytes, shared as u32);
        push_varint(&mut self.bytes, (name.len() - shared) as u32);
        self.bytes.extend_from_slice(&name[shared..]);
        self.last.truncate(shared);
        self.last.extend_from_slice(&name[shared..]);
        self.count += 1;
    }

    /// Returns the number of bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends everything to `out` and starts over.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) {
        push_varint(out, self.count);
        out.append(&mut self.bytes);
        self.last.clear();
        self.count = 0;
    }
}

/// Reads and removes what [`NameColumn::drain`] wrote at the front of `from`. `None` if it did not write this.
pub(super) fn read_names(names: &mut NewNames, from: &mut &[u8]) -> Option<()> {
    names.clear();
    let count = take_varint(from)?;
    let mut last = 0..0;
    for _ in 0..count {
        let shared = take_varint(from)? as usize;
        let own = take_varint(from)? as usize;
        if shared > last.len() || shared.checked_add(own)? > LONGEST_NAME {
            return None;
        }
        let (text, rest) = from.split_at_checked(own)?;
        *from = rest;
        let start = names.bytes.len();
        names.bytes.extend_from_within(last.start..last.start + shared);
        names.bytes.extend_from_slice(text);
        last = start..names.bytes.len();
        names.ends.push(last.end);
    }
    Some(())
}

/// The names that a frame adds to variables, locks, threads and labels, in this order, and the notes before it.
#[derive(Default)]
pub(super) struct FrameNames(pub(super) [NewNames; 4], pub(super) Notes);

impl FrameNames {
    /// Moves the names to their tables.
    pub(super) fn drain(&mut self, symbols: &mut Symbols) {
        let tables = [&mut symbols.vars, &mut symbols.locks, &mut symbols.threads, &mut symbols.labels];
        for (names, table) in self.0.iter_mut().zip(tables) {
            names.append_to(table);
            names.clear();
        }
        symbols.notes.append(&mut self.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for number in (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, (1 << bit) + 1]).chain([u32::MAX]) {
            let mut bytes = Vec::new();
            push_varint(&mut bytes, number);
            let mut rest = &bytes[..];
            assert_eq!((take_varint(&mut rest), rest), (Some(number), &b""[..]));
            assert_eq!(take_varint(&mut &bytes[..bytes.len() - 1]), None);
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!([0, 1, u32::MAX, 2].map(zigzag), [0, 2, 1, 4]);
        assert_eq!(take_varint(&mut &[0xff, 0xff, 0xff, 0xff, 0x10][..]), None);
    }
}
