//! Well-formedness of commits: could store buffers have made them?
//!
//! Under TSO a write waits in the store buffer of its thread, a queue, until it is committed. A trace with a `commit`
//! is an *execution*: it shows when each write reached memory. In an execution, the following are ill-formed:
//! 1. a commit by a thread that has no uncommitted write;
//! 2. a commit of a variable other than that of the thread's oldest uncommitted write;
//! 3. a fence of a thread with an uncommitted write. Acquires, releases, forks and joins are fences of their thread,
//!    and a join is also a fence of the thread that has ended.
//!
//! Writes may be uncommitted at the end. A trace without commits does not show when its writes reached memory, so
//! fences before the first commit are judged only then.
//!
//! # After an ill-formed event
//! A commit of a variable with no uncommitted write does nothing; one out of order also commits the writes before it,
//! as does a fence.

use std::collections::VecDeque;

use super::checker::entry;
use crate::event::{Event, Op, ThreadId, VarId};
use crate::trace::vocabulary::ill_formed::IllFormed;

/// Checks the commits of a trace, one event at a time.
#[derive(Default)]
pub struct Buffers {
    threads: Vec<Buffer>,
    has_commits: bool,
}

#[derive(Clone, Default)]
struct Buffer {
    /// The variables of the uncommitted writes, the oldest first.
    writes: VecDeque<VarId>,
    /// The number of those issued before the last fence, in a trace without commits so far.
    fenced: usize,
}

impl Buffers {
    /// Processes the next event and returns what is wrong with it.
    pub fn check(&mut self, event: Event) -> Option<IllFormed> {
        let thread = event.thread;
        match event.op {
            Op::Write(x) => {
                entry(&mut self.threads, thread.index()).writes.push_back(x);
                None
            }
            Op::Commit(x) => {
                let late = if self.has_commits { None } else { self.first_commit() };
                late.or(self.commit(thread, x))
            }
            Op::Fence | Op::Acquire(_) | Op::Release(_) | Op::Fork(_) => self.fence(thread),
            Op::Join(child) => {
                let own = self.fence(thread);
                own.or(self.fence(child))
            }
            Op::Read(_) | Op::Begin(_) | Op::End | Op::Nop | Op::Together | Op::Update => None,
        }
    }

    /// From here on the trace is an execution: earlier fences are judged too.
    #[cold]
    fn first_commit(&mut self) -> Option<IllFormed> {
        self.has_commits = true;
        let mut problem = None;
        for (number, buffer) in (0..).zip(&mut self.threads) {
            if let Some(&var) = buffer.writes.front().filter(|_| buffer.fenced > 0) {
                problem = problem.or(Some(IllFormed::UncommittedAtFence { thread: ThreadId(number), var }));
                buffer.writes.drain(..buffer.fenced);
            }
        }
        problem
    }

    fn commit(&mut self, thread: ThreadId, var: VarId) -> Option<IllFormed> {
        let writes = &mut entry(&mut self.threads, thread.index()).writes;
        match writes.iter().position(|&write| write == var) {
            None => Some(IllFormed::CommitWithoutWrite { thread, var }),
            Some(place) => {
                let oldest = writes[0];
                writes.drain(..=place);
                (place > 0).then_some(IllFormed::CommitOutOfOrder { thread, var, oldest })
            }
        }
    }

    fn fence(&mut self, thread: ThreadId) -> Option<IllFormed> {
        let buffer = entry(&mut self.threads, thread.index());
        let &var = buffer.writes.front()?;
        if !self.has_commits {
            buffer.fenced = buffer.writes.len();
            return None;
        }
        buffer.writes.clear();
        Some(IllFormed::UncommittedAtFence { thread, var })
    }
}
