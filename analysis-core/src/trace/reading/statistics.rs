//! Counts the contents of a trace in one pass, with the columns that the papers use to describe their traces.

use serde::Serialize;

use crate::event::{Event, Op};
use crate::trace::vocabulary::symbols::Symbols;

/// Counts of events. The counts of names are those of the trace's [`Symbols`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// By [`Op::kind`].
    kinds: [u64; Op::KINDS.len()],
    outermost: u64,
    unary: u64,
    deepest: u64,
    accesses_in_blocks: u64,
    /// By thread: the number of open blocks.
    open: Vec<u64>,
}

/// Everything that `regiontrack info` reports about a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Events.
    pub events: u64,
    /// Events by kind.
    pub kinds: Kinds,
    /// Threads, including those that are only forked or joined.
    pub threads: u64,
    /// Variables.
    pub variables: u64,
    /// Locks.
    pub locks: u64,
    /// Different labels of blocks.
    pub labels: u64,
    /// Blocks.
    pub blocks: BlockCounts,
    /// Transactions.
    pub transactions: TransactionCounts,
    /// Reads and writes.
    pub accesses: AccessCounts,
    /// Table 1 of the RegionTrack paper.
    pub regiontrack_table_1: RegionTrackColumns,
    /// Table 1 of the AeroDrome paper.
    pub aerodrome_table_1: AeroDromeColumns,
}

/// Events by kind, in the order of [`Op::KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(pub [u64; Op::KINDS.len()]);

impl Serialize for Kinds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Op::KINDS.iter().zip(&self.0))
    }
}

/// Blocks, inner ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BlockCounts {
    /// All blocks.
    pub all: u64,
    /// Blocks in no other block.
    pub outermost: u64,
    /// The largest number of blocks open at one time in one thread.
    pub deepest: u64,
    /// Blocks without an end in the trace.
    pub open_at_end: u64,
}

/// Transactions: outermost blocks, and single events outside any. Events that conflict with nothing are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TransactionCounts {
    /// Outermost blocks.
    pub blocks: u64,
    /// Single events.
    pub unary: u64,
}

/// Reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AccessCounts {
    /// In blocks.
    pub in_blocks: u64,
    /// Outside any block.
    pub outside: u64,
}

/// The columns of Table 1 of the RegionTrack paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RegionTrackColumns {
    /// Threads.
    #[serde(rename = "# of Threads")]
    pub threads: u64,
    /// Transactions, "regular and unary".
    #[serde(rename = "# of Transaction Nodes")]
    pub transaction_nodes: u64,
    /// Reads.
    #[serde(rename = "# of Read")]
    pub read: u64,
    /// Writes.
    #[serde(rename = "# of Write")]
    pub write: u64,
    /// "Lock accesses": acquires.
    #[serde(rename = "# of Locks")]
    pub locks: u64,
}

/// The columns of Table 1 of the AeroDrome paper that describe the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct AeroDromeColumns {
    /// Events.
    pub events: u64,
    /// Threads.
    pub threads: u64,
    /// Locks.
    pub locks: u64,
    /// Variables.
    pub variables: u64,
    /// Outermost blocks.
    pub transactions: u64,
}

impl Counter {
    /// Counts the next events of the trace.
    pub fn count(&mut self, events: &[Event]) {
        for event in events {
            let kind = event.op.kind();
            self.kinds[kind] += 1;
            let thread = event.thread.index();
            if thread >= self.open.len() {
                self.open.resize(thread + 1, 0);
            }
            let open = &mut self.open[thread];
            match event.op {
                Op::Begin(_) => {
                    self.outermost += u64::from(*open == 0);
                    *open += 1;
                    self.deepest = self.deepest.max(*open);
                }
                Op::End if *open > 0 => *open -= 1,
                Op::Nop | Op::Together | Op::Update => {}
                _ if *open == 0 => self.unary += 1,
                Op::Read(_) | Op::Write(_) => self.accesses_in_blocks += 1,
                _ => {}
            }
        }
    }

    /// Returns the statistics of a trace with these names.
    pub fn statistics(&self, symbols: &Symbols) -> Statistics {
        let [read, write, acquire, _release, _fork, _join, all, ..] = self.kinds;
        let events = self.kinds.iter().sum();
        let [threads, variables, locks, labels] =
            [&symbols.threads, &symbols.vars, &symbols.locks, &symbols.labels].map(|names| names.len() as u64);
        let (blocks, unary) = (self.outermost, self.unary);
        let in_blocks = self.accesses_in_blocks;
        let open_at_end = self.open.iter().sum();
        Statistics {
            events,
            kinds: Kinds(self.kinds),
            threads,
            variables,
            locks,
            labels,
            blocks: BlockCounts { all, outermost: blocks, deepest: self.deepest, open_at_end },
            transactions: TransactionCounts { blocks, unary },
            accesses: AccessCounts { in_blocks, outside: read + write - in_blocks },
            regiontrack_table_1: RegionTrackColumns {
                threads,
                transaction_nodes: blocks + unary,
                read,
                write,
                locks: acquire,
            },
            aerodrome_table_1: AeroDromeColumns { events, threads, locks, variables, transactions: blocks },
        }
    }
}
