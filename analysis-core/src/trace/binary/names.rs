//! New names of a frame: each is written as what it shares with the one before, and the rest.

use super::layout::LONGEST_NAME;
use super::varint;
use crate::trace::symbols::{NewNames, Symbols};

/// The names that a frame adds to a table, being written.
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
        varint::push(&mut self.bytes, shared as u32);
        varint::push(&mut self.bytes, (name.len() - shared) as u32);
        self.bytes.extend_from_slice(&name[shared..]);
        self.last.truncate(shared);
        self.last.extend_from_slice(&name[shared..]);
        self.count += 1;
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends all to `out` and starts anew.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) {
        varint::push(out, self.count);
        out.append(&mut self.bytes);
        self.last.clear();
        self.count = 0;
    }
}

/// Takes what [`NameColumn::drain`] wrote from the front of `from`. `None` if nothing wrote it.
pub(super) fn read(names: &mut NewNames, from: &mut &[u8]) -> Option<()> {
    names.clear();
    let count = varint::take(from)?;
    let mut last = 0..0;
    for _ in 0..count {
        let shared = varint::take(from)? as usize;
        let own = varint::take(from)? as usize;
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

/// The names that a frame adds to variables, locks, threads and labels, in this order.
#[derive(Default)]
pub(super) struct FrameNames(pub(super) [NewNames; 4]);

impl FrameNames {
    /// Moves them to the tables that they belong to.
    pub(super) fn drain(&mut self, symbols: &mut Symbols) {
        let tables = [&mut symbols.vars, &mut symbols.locks, &mut symbols.threads, &mut symbols.labels];
        for (names, table) in self.0.iter_mut().zip(tables) {
            names.append_to(table);
            names.clear();
        }
    }
}
