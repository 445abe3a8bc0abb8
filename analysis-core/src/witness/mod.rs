//! The shortest witness of a finding: fewest transactions, then fewest cross-thread edges.
//!
//! An engine reports the walk that its own state remembers, which is some witness and rarely the shortest. Here the
//! trace is read once more, for one finding only, with all direct conflicts of the law and not only the last accesses:
//! - a violated block ([`Search::of_block`]): a path `begin → … → event`. Such a path goes forward in the trace, so the
//!   best path to each variable, lock and thread can be maintained during one pass (`path.rs`). Memory: a few words for
//!   each variable, lock and thread that is touched after the begin and depends on it.
//! - a cycle with no block to blame ([`Search::of_cycle`]): inside a transaction the walk may go back in time. Every
//!   transaction of the cycle lies after the last point before its end at which no block was open, so only that stretch
//!   is kept, and of each transaction in it the first and the last event of a kind (`cycle.rs`).
//!
//! A search is given every event up to the finding, in order; the answer is in [`Search::edges`].

mod cycle;
mod path;

use crate::engine::{Cycle, Edge, Violation};
use crate::event::{Event, Op, ThreadId};
use crate::graph::accesses::at;

/// The length of a path. Less is shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// The number of transactions on the path.
    transactions: u32,
    /// The number of cross-thread edges.
    edges: u32,
}

impl Cost {
    /// The cost of a path that is still in its first transaction.
    const START: Cost = Cost { transactions: 1, edges: 0 };

    /// Returns the cost after a step along program order into another transaction.
    fn next_transaction(self) -> Cost {
        Cost { transactions: self.transactions + 1, ..self }
    }

    /// Returns the cost after a cross-thread edge, which always leads into another transaction.
    fn next_thread(self) -> Cost {
        Cost { transactions: self.transactions + 1, edges: self.edges + 1 }
    }
}

/// The transaction of each event.
#[derive(Default)]
struct Transactions {
    threads: Vec<Open>,
    /// The number of threads with an open block.
    running: usize,
}

#[derive(Clone, Copy, Default)]
struct Open {
    depth: u64,
    begin: u64,
}

impl Transactions {
    /// Processes the next event and returns its transaction: the number of the outermost begin, or outside blocks the
    /// number of the event itself.
    fn of(&mut self, number: u64, event: Event) -> u64 {
        let open = at(&mut self.threads, event.thread.index());
        let begin = if open.depth == 0 { number } else { open.begin };
        match event.op {
            Op::Begin(_) => {
                self.running += usize::from(open.depth == 0);
                *open = Open { depth: open.depth + 1, begin };
            }
            Op::End if open.depth > 0 => {
                open.depth -= 1;
                self.running -= usize::from(open.depth == 0);
            }
            _ => {}
        }
        begin
    }

    /// Returns whether `thread` has a block open.
    fn is_open(&self, thread: ThreadId) -> bool {
        self.threads.get(thread.index()).is_some_and(|open| open.depth > 0)
    }

    /// Returns whether no block is open.
    fn is_quiet(&self) -> bool {
        self.running == 0
    }
}

/// A search for the shortest witness of one finding.
pub struct Search(Way);

enum Way {
    Block(path::Path),
    Cycle(cycle::Stretch),
}

impl Search {
    /// Creates a search for the witness of a violation at its event.
    pub fn of_block(violation: &Violation) -> Search {
        Search(Way::Block(path::Path::new(violation.thread, violation.begin, violation.event)))
    }

    /// Creates a search for a cycle of transactions that its event closes.
    pub fn of_cycle(cycle: &Cycle) -> Search {
        Search(Way::Cycle(cycle::Stretch::new(cycle.event.position())))
    }

    /// Processes the next event of the trace; the first has number 1. Events after the finding are ignored.
    pub fn step(&mut self, number: u64, event: Event) {
        match &mut self.0 {
            Way::Block(path) => path.step(number, event),
            Way::Cycle(stretch) => stretch.step(number, event),
        }
    }

    /// Returns whether no later event can change the answer.
    pub fn is_done(&self, number: u64) -> bool {
        match &self.0 {
            Way::Block(path) => number >= path.end(),
            Way::Cycle(stretch) => number >= stretch.end(),
        }
    }

    /// Returns the cross-thread edges of the shortest witness, in the form of [`Violation::edges`] and
    /// [`Cycle::edges`]; `None` if the trace has no witness for this finding.
    pub fn edges(self) -> Option<Vec<Edge>> {
        match self.0 {
            Way::Block(path) => path.edges(),
            Way::Cycle(stretch) => stretch.edges(),
        }
    }
}
