//! Names on their way from the thread that reads to the one that analyses.

use super::Interner;

/// Names to be added to a table: end to end, and where each ends.
#[derive(Default)]
pub(in crate::trace) struct NewNames {
    pub(in crate::trace) bytes: Vec<u8>,
    pub(in crate::trace) ends: Vec<usize>,
}

impl NewNames {
    /// Takes what `table` has beyond its first `known` names.
    pub(in crate::trace) fn take(&mut self, table: &Interner, known: usize) {
        self.clear();
        for id in known..table.len() {
            self.bytes.extend_from_slice(table.bytes(id as u32));
            self.ends.push(self.bytes.len());
        }
    }

    /// How many there are.
    pub(in crate::trace) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds them to the table that they belong to.
    pub(in crate::trace) fn append_to(&self, table: &mut Interner) {
        table.append(&self.bytes, &self.ends);
    }

    /// Forgets them.
    pub(in crate::trace) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}
