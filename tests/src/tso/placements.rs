//! All executions of a trace: every placement of the commits that store buffers can make.

use analysis_core::event::{Event, Op, VarId};

use super::definition::{Execution, is_fence, is_inert};

/// Calls `visit` with every execution of `trace` in which every write is committed, until it says that it has enough.
/// True if it did. Of placements that differ only in whether a commit comes before or after the begin or end of a block, of
/// which no definition speaks, there is one.
pub fn any(trace: &[Event], visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
    let threads = trace.iter().map(|event| event.thread.index()).max().map_or(0, |most| most + 1);
    let mut placing = Placing { trace, buffers: vec![vec![]; threads], events: Vec::new() };
    placing.go_on(0, visit)
}

/// Definition 3: every execution is serializable.
pub fn is_serializable(trace: &[Event]) -> bool {
    !any(trace, &mut |execution| !Execution::new(execution).is_serializable())
}

/// Every execution is equivalent to one without store buffers.
pub fn is_robust(trace: &[Event]) -> bool {
    !any(trace, &mut |execution| !Execution::new(execution).is_robust())
}

/// Both at once: [`is_serializable`], [`is_robust`].
pub fn verdicts(trace: &[Event]) -> (bool, bool) {
    let (mut is_serializable, mut is_robust) = (true, true);
    any(trace, &mut |execution| {
        let execution = Execution::new(execution);
        is_serializable = is_serializable && execution.is_serializable();
        is_robust = is_robust && execution.is_robust();
        !is_serializable && !is_robust
    });
    (is_serializable, is_robust)
}

struct Placing<'a> {
    trace: &'a [Event],
    buffers: Vec<Vec<VarId>>,
    events: Vec<Event>,
}

impl Placing<'_> {
    fn go_on(&mut self, next: usize, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
        if self.trace.get(next).is_some_and(|event| is_inert(event.op)) {
            return self.take(next, visit);
        }
        let is_done = next == self.trace.len() && self.buffers.iter().all(Vec::is_empty);
        (is_done && visit(&self.events)) || self.commit(next, visit) || self.take(next, visit)
    }

    fn commit(&mut self, next: usize, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
        for thread in 0..self.buffers.len() {
            if self.buffers[thread].is_empty() {
                continue;
            }
            let x = self.buffers[thread].remove(0);
            self.events.push(Event::new(analysis_core::event::ThreadId(thread as u32), Op::Commit(x)));
            let is_enough = self.go_on(next, visit);
            self.events.pop();
            self.buffers[thread].insert(0, x);
            if is_enough {
                return true;
            }
        }
        false
    }

    fn take(&mut self, next: usize, visit: &mut impl FnMut(&[Event]) -> bool) -> bool {
        let Some(&event) = self.trace.get(next) else { return false };
        let thread = event.thread.index();
        let is_empty = |thread: usize| self.buffers.get(thread).is_none_or(Vec::is_empty);
        let has_to_wait = match event.op {
            Op::Join(child) => !is_empty(thread) || !is_empty(child.index()),
            op => is_fence(op) && !is_empty(thread),
        };
        if has_to_wait {
            return false;
        }
        if let Op::Write(x) = event.op {
            self.buffers[thread].push(x);
        }
        self.events.push(event);
        let is_enough = self.go_on(next + 1, visit);
        self.events.pop();
        if let Op::Write(_) = event.op {
            self.buffers[thread].pop();
        }
        is_enough
    }
}
