//! The events of a witness by thread, time going down, as tables have them: a column for each thread.

use crate::report::model::witness::{Column, Row, Witness};

/// The threads of a witness.
pub(super) struct Lanes<'a> {
    pub(super) lanes: Vec<Lane<'a>>,
    /// The lane of each transaction.
    of: Vec<usize>,
}

/// A thread, and its transactions in order of appearance.
pub(super) struct Lane<'a> {
    pub(super) thread: &'a str,
    pub(super) blocks: Vec<&'a str>,
}

/// A line of a table.
pub(super) struct Line<'a> {
    /// The index of the thread.
    pub(super) lane: usize,
    /// The transaction that the thread enters here; only for a thread with several.
    pub(super) enters: Option<&'a str>,
    pub(super) row: &'a Row,
}

impl<'a> Lanes<'a> {
    pub(super) fn of(witness: &'a Witness) -> Lanes<'a> {
        let mut keys: Vec<(Option<usize>, usize)> = Vec::new();
        let mut lanes: Vec<Lane> = Vec::new();
        let mut of = Vec::new();
        for (at, Column { thread, block, lane, .. }) in witness.columns.iter().enumerate() {
            // If a report does not name the thread, each transaction stands for itself.
            let key = (*lane, if lane.is_none() { at } else { 0 });
            let lane = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                lanes.push(Lane { thread, blocks: Vec::new() });
                lanes.len() - 1
            });
            lanes[lane].blocks.push(block);
            of.push(lane);
        }
        Lanes { lanes, of }
    }

    /// The lines of a table, in order.
    pub(super) fn lines(&self, witness: &'a Witness) -> Vec<Line<'a>> {
        let mut inside: Vec<Option<usize>> = vec![None; self.lanes.len()];
        let line = |row: &'a Row| {
            let lane = self.of[row.column];
            let is_new = inside[lane].replace(row.column) != Some(row.column) && self.lanes[lane].blocks.len() > 1;
            Line { lane, enters: is_new.then(|| &*witness.columns[row.column].block), row }
        };
        witness.rows.iter().map(line).collect()
    }
}

impl<'a> Line<'a> {
    /// The transaction to be named before the row, unless its begin names it.
    pub(super) fn announces(&self) -> Option<&'a str> {
        self.enters.filter(|_| !self.row.operation.starts_with("begin"))
    }
}

impl Lane<'_> {
    /// The methods, in order.
    pub(super) fn did(&self) -> String {
        self.blocks.join(", then ")
    }

    /// The thread and the methods.
    pub(super) fn name(&self) -> String {
        format!("{}: {}", self.thread, self.did())
    }
}
