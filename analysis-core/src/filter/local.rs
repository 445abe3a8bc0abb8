//! Variables and locks that only one thread uses.
//!
//! What dynamic escape analysis finds for a running program (Wang and Stoller, section 5) can be read off a whole
//! trace. An event on such a variable or lock conflicts only with events of its own thread, so every path through it
//! continues from the previous to the next event of that thread, which is just program order. One such event is still
//! needed: the first after a fork of its thread, because the edge from the fork leads to it. Whether a thread that was
//! started and joined has done anything decides.

use super::{Filter, FilterSpec};
use crate::event::{Event, Op};
use crate::graph::accesses::at;
use crate::graph::users::Users;

/// The entry in the registry.
pub(super) const SPEC: FilterSpec = FilterSpec {
    name: "local",
    summary: "drops what one thread does to variables and locks that no other thread uses",
    looks_ahead: true,
    build: || Box::new(Local::default()),
};

#[derive(Default)]
struct Local {
    vars: Vec<Users>,
    locks: Vec<Users>,
    /// By thread: whether it was forked and has made no event since.
    is_forked: Vec<bool>,
}

impl Filter for Local {
    fn foresee(&mut self, event: Event) {
        match event.op {
            Op::Read(x) | Op::Write(x) => at(&mut self.vars, x.index()).add(event.thread),
            Op::Acquire(l) | Op::Release(l) => at(&mut self.locks, l.index()).add(event.thread),
            _ => {}
        }
    }

    fn restart(&mut self) {
        self.is_forked.clear();
    }

    fn needs(&mut self, event: Event) -> bool {
        let is_first = std::mem::take(at(&mut self.is_forked, event.thread.index()));
        if let Op::Fork(child) = event.op {
            *at(&mut self.is_forked, child.index()) = true;
        }
        let users = match event.op {
            Op::Read(x) | Op::Write(x) => *at(&mut self.vars, x.index()),
            Op::Acquire(l) | Op::Release(l) => *at(&mut self.locks, l.index()),
            _ => Users::Several,
        };
        is_first || matches!(users, Users::Several)
    }
}
