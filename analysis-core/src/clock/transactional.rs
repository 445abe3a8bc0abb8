//! Transactional vector clocks: RegionTrack, Algorithm 3. Numbers in brackets are those of `engines/regiontrack`.

use crate::engine::Edge;
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::lowering::{Log, Lowering};
use crate::graph::rows::{NONE, Row};

/// `TV`: for each running transaction, the first transaction of each thread that it reaches.
#[derive(Default)]
pub(crate) struct Transactional {
    rows: Vec<Sinks>,
}

#[derive(Default)]
struct Sinks {
    /// By thread: the start of the first transaction reached, or [`NONE`] (3).
    first: Vec<u64>,
    log: Log,
}

impl Sinks {
    fn get(&self, thread: ThreadId) -> u64 {
        self.first.get(thread.index()).copied().unwrap_or(NONE)
    }

    /// Only the first sink transaction is stored (lines 5 to 7 and 21 to 23).
    fn lower(&mut self, lowering: Lowering) {
        let thread = lowering.edge.to.thread();
        if self.get(thread) > lowering.start {
            if thread.index() >= self.first.len() {
                self.first.resize(thread.index() + 1, NONE);
            }
            self.first[thread.index()] = lowering.start;
            self.log.0.push(lowering);
        }
    }
}

impl Transactional {
    /// Algorithm 4, line 9: returns the cycle that `edge` closes at the running transaction with this row, if any. The
    /// transaction began at `begin`.
    pub(crate) fn cycle(&self, row: Row, begin: u64, edge: Edge) -> Option<Vec<Edge>> {
        let sinks = self.rows.get(row.index())?;
        let reaches = sinks.get(edge.from.thread()) <= edge.from.position();
        reaches.then(|| sinks.log.cycle(Stamp::new(edge.to.thread(), begin), edge))
    }

    /// `updateTVC`: `edge` leads to a transaction that started at `sink`. The rows are those of its two ends, if they
    /// run.
    pub(crate) fn update(&mut self, edge: Edge, sink: u64, source_row: Option<Row>, sink_row: Option<Row>) {
        let lowering = Lowering { start: sink, edge };
        if let Some(source) = source_row {
            at(&mut self.rows, source.index());
            self.reach(source.index(), lowering, sink_row);
        }
        self.back_propagate(lowering, sink_row);
    }

    /// Lines 17 to 29, without the recursion (5).
    fn back_propagate(&mut self, lowering: Lowering, sink_row: Option<Row>) {
        let source = lowering.edge.from;
        for row in 0..self.rows.len() {
            if self.rows[row].get(source.thread()) <= source.position() {
                self.reach(row, lowering, sink_row);
            }
        }
    }

    /// Records that `row` reaches the sink and, by forward propagation (lines 30 to 43), all that the sink reaches.
    fn reach(&mut self, row: usize, lowering: Lowering, sink_row: Option<Row>) {
        self.rows[row].lower(lowering);
        let Some(sink) = sink_row.map(Row::index).filter(|sink| *sink < self.rows.len()) else { return };
        for i in 0..self.rows[sink].log.0.len() {
            let lowering = self.rows[sink].log.0[i];
            self.rows[row].lower(lowering);
        }
    }

    /// Clears a row whose transaction has ended.
    pub(crate) fn clear(&mut self, row: Row) {
        let Some(sinks) = self.rows.get_mut(row.index()) else { return };
        for lowering in sinks.log.0.drain(..) {
            sinks.first[lowering.edge.to.thread().index()] = NONE;
        }
    }
}
