//! The shortest witness of a finding: fewest transactions, then fewest cross-thread edges.
//!
//! An engine reports the walk that its own state remembers, which is some witness and seldom the shortest. Here the trace
//! is read once more, for one finding only, with all direct conflicts of the law and not only the last accesses:
//! - a violated block ([`Search::of_block`]): a path `begin → … → event`. Such a path goes forward in the trace, so the
//!   best way to each variable, lock and thread can be kept while the trace goes by (`path.rs`). Memory: a few words for
//!   each variable, lock and thread that is touched after the begin and depends on it.
//! - a cycle that blames nobody ([`Search::of_cycle`]): inside a transaction the walk may go back in time. Every
//!   transaction of the cycle lies after the last point before its end at which no block was open, so only that stretch is
//!   kept, and of each transaction in it the first and the last event of a kind (`cycle.rs`).
//!
//! A search is given every event up to the finding, in order; the answer is in [`Search::edges`].

mod cycle;
mod path;

use crate::engine::{Cycle, Edge, Violation};
use crate::event::{Event, Op, ThreadId};
use crate::graph::accesses::at;

/// How long a way is. Less is shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// How many transactions it goes through.
    transactions: u32,
    /// By how many cross-thread edges.
    edges: u32,
}

impl Cost {
    /// Of a way that is still in its first transaction.
    const START: Cost = Cost { transactions: 1, edges: 0 };

    /// After a step along program order into another transaction.
    fn next_transaction(self) -> Cost {
        Cost { transactions: self.transactions + 1, ..self }
    }

    /// After a cross-thread edge, which always leads into another transaction.
    fn next_thread(self) -> Cost {
        Cost { transactions: self.transactions + 1, edges: self.edges + 1 }
    }
}

/// Which transaction each event is in.
#[derive(Default)]
struct Transactions {
    threads: Vec<Open>,
    /// How many threads have a block open.
    running: usize,
}

#[derive(Clone, Copy, Default)]
struct Open {
    depth: u64,
    begin: u64,
}

impl Transactions {
    /// Takes the next event and names its transaction: by the number of the outermost begin, or outside of blocks by the
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

    /// True if `thread` has a block open.
    fn is_open(&self, thread: ThreadId) -> bool {
        self.threads.get(thread.index()).is_some_and(|open| open.depth > 0)
    }

    /// True if no block is open.
    fn is_quiet(&self) -> bool {
        self.running == 0
    }
}

/// Looks for the shortest witness of one finding.
pub struct Search(Way);

enum Way {
    Block(path::Path),
    Cycle(cycle::Stretch),
}

impl Search {
    /// For the witness of a violation at its event.
    pub fn of_block(violation: &Violation) -> Search {
        Search(Way::Block(path::Path::new(violation.thread, violation.begin, violation.event)))
    }

    /// For a cycle of transactions that its event closes.
    pub fn of_cycle(cycle: &Cycle) -> Search {
        Search(Way::Cycle(cycle::Stretch::new(cycle.event.position())))
    }

    /// Takes the next event of the trace; the first has number 1. What comes after the finding is passed over.
    pub fn step(&mut self, number: u64, event: Event) {
        match &mut self.0 {
            Way::Block(path) => path.step(number, event),
            Way::Cycle(stretch) => stretch.step(number, event),
        }
    }

    /// True if no later event can change the answer.
    pub fn is_done(&self, number: u64) -> bool {
        match &self.0 {
            Way::Block(path) => number >= path.end(),
            Way::Cycle(stretch) => number >= stretch.end(),
        }
    }

    /// The cross-thread edges of the shortest witness, as [`Violation::edges`] and [`Cycle::edges`] have them; `None` if
    /// the trace has no witness for this finding.
    pub fn edges(self) -> Option<Vec<Edge>> {
        match self.0 {
            Way::Block(path) => path.edges(),
            Way::Cycle(stretch) => stretch.edges(),
        }
    }
}
