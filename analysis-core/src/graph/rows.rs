//! Thresholds of running transactions, by thread reached.

use super::accesses::at;
use crate::event::ThreadId;

/// No event of that thread was reached.
pub(crate) const NONE: u64 = u64::MAX;

/// A row of a matrix: given to a transaction when the first edge leaves it, taken back at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row(u32);

impl Row {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The row of each thread's running transaction. Rows are reused, so there are only as many as were ever in use at one
/// time.
#[derive(Default)]
pub(crate) struct Rows {
    owners: Vec<ThreadId>,
    of: Vec<Option<Row>>,
    free: Vec<Row>,
}

impl Rows {
    /// Returns the row of the running transaction of `thread`, if an edge has left it.
    pub(crate) fn of(&self, thread: ThreadId) -> Option<Row> {
        self.of.get(thread.index()).copied().flatten()
    }

    /// Returns the row of the running transaction of `thread`, a fresh one if needed.
    pub(crate) fn give(&mut self, thread: ThreadId) -> Row {
        if let Some(row) = self.of(thread) {
            return row;
        }
        let row = self.free.pop().unwrap_or_else(|| {
            self.owners.push(thread);
            Row(u32::try_from(self.owners.len() - 1).expect("no more rows than threads"))
        });
        self.owners[row.index()] = thread;
        if thread.index() >= self.of.len() {
            self.of.resize(thread.index() + 1, None);
        }
        self.of[thread.index()] = Some(row);
        row
    }

    /// Frees the row of `thread`, if there is one, and returns it.
    pub(crate) fn take_back(&mut self, thread: ThreadId) -> Option<Row> {
        let row = self.of.get_mut(thread.index())?.take()?;
        self.free.push(row);
        Some(row)
    }

    /// Returns the row with this index and its owner, if it is in use.
    pub(crate) fn holder(&self, index: usize) -> Option<(Row, ThreadId)> {
        let row = Row(u32::try_from(index).expect("no more rows than threads"));
        let owner = *self.owners.get(index)?;
        (self.of(owner) == Some(row)).then_some((row, owner))
    }

    /// Returns, by row, the start of the transaction that has it, from `start_of` its thread, or [`NONE`].
    pub(crate) fn starts(&self, start_of: impl Fn(ThreadId) -> u64) -> Vec<u64> {
        (0..self.owners.len()).map(|row| self.holder(row).map_or(NONE, |(_, owner)| start_of(owner))).collect()
    }

    /// The number of rows, in use or free.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    /// The owner of a row.
    pub(crate) fn owner(&self, row: Row) -> ThreadId {
        self.owners[row.index()]
    }
}

/// For each row and thread, the least position reached. Stored by thread, so that finding the rows that reach an event
/// is one pass over adjacent words; a column is as long as the last row that ever reached its thread.
#[derive(Default)]
pub(crate) struct Thresholds {
    columns: Vec<Vec<u64>>,
}

impl Thresholds {
    /// Returns the least position of `thread` that `row` reaches, or [`NONE`].
    pub(crate) fn get(&self, row: Row, thread: ThreadId) -> u64 {
        self.columns.get(thread.index()).and_then(|column| column.get(row.index())).copied().unwrap_or(NONE)
    }

    /// Sets the result of [`Thresholds::get`].
    pub(crate) fn set(&mut self, row: Row, thread: ThreadId, position: u64) {
        let column = at(&mut self.columns, thread.index());
        if row.index() >= column.len() {
            column.resize(row.index() + 1, NONE);
        }
        column[row.index()] = position;
    }

    /// Frees the state of a thread that no row reaches. Returns false if one does.
    pub(crate) fn forget(&mut self, thread: ThreadId) -> bool {
        let Some(column) = self.columns.get_mut(thread.index()) else { return true };
        let is_unreached = column.iter().all(|reached| *reached == NONE);
        if is_unreached {
            *column = Vec::new();
        }
        is_unreached
    }

    /// Adds to `rows` those that reach `thread` at `position` or before.
    pub(crate) fn reaching(&self, thread: ThreadId, position: u64, rows: &mut Vec<Row>) {
        let Some(column) = self.columns.get(thread.index()) else { return };
        let reaching = column.iter().enumerate().filter(|(_, reached)| **reached <= position);
        rows.extend(reaching.map(|(row, _)| Row(u32::try_from(row).expect("no more rows than threads"))));
    }
}
