//! Blocks in which their thread waits for others: they are hardly meant to be atomic.
//!
//! A thread waits where it starts or joins a thread, and where the trace says so: the agent records an event without effect
//! before the release of a `wait` (`docs/trace-format.md`). Whether such blocks are listed separately depends on who called
//! them atomic, which is not decided here.

use rustc_hash::FxHashSet;

use crate::event::{Event, Op};
use crate::graph::accesses::at;

/// Which blocks of a trace wait.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    /// By thread: the begins of its open blocks, and whether each is known to wait.
    open: Vec<Vec<(u64, bool)>>,
    waiting: FxHashSet<u64>,
    events: u64,
}

impl Waits {
    /// Takes the next events of the trace, before a specification takes some of their effect away.
    pub fn note(&mut self, events: &[Event]) {
        for event in events {
            self.events += 1;
            if let Op::Begin(_) | Op::End | Op::Fork(_) | Op::Join(_) | Op::Nop = event.op {
                self.note_one(*event);
            }
        }
    }

    fn note_one(&mut self, event: Event) {
        let open = at(&mut self.open, event.thread.index());
        match event.op {
            Op::Begin(_) => open.push((self.events, false)),
            Op::End => drop(open.pop()),
            _ => {
                // The blocks around a block that waits are known to wait too.
                for (begin, waits) in open.iter_mut().rev().take_while(|(_, waits)| !*waits) {
                    *waits = true;
                    self.waiting.insert(*begin);
                }
            }
        }
    }

    /// True if the thread waits in the block that begins with the event of this number.
    pub fn contains(&self, begin: u64) -> bool {
        self.waiting.contains(&begin)
    }
}
