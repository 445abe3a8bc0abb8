//! The threads' open blocks, their recent transactions, their names.
//!
//! The transactions of a thread that has ended are kept for a while, so that a report can say which of them contains an
//! event; after that, only its name, as long as an open block reaches it.

use std::collections::VecDeque;
use std::sync::Arc;

use analysis_core::event::{LabelId, Stamp, ThreadId};

use super::Step;
use super::users::Users;
use crate::codes;
use crate::tally::Violated;
use crate::witness::Threads;

/// How many ended transactions of a thread are kept, to tell which events of a witness belong together.
const REMEMBERED: usize = 256;
/// For how many ended threads they are kept.
const ENDED_THREADS: usize = 64;

/// An open block.
pub(super) struct Open {
    pub(super) begin: u64,
    pub(super) site: u32,
    pub(super) label: LabelId,
    /// The position up to which the thread's events are known to be inside.
    pub(super) until: u64,
    /// Whether its thread waited, or started or joined a thread.
    pub(super) waits: bool,
    pub(super) violated: Option<Violated>,
    /// The violations for other causes, which showed later.
    pub(super) again: Vec<Violated>,
}

impl Open {
    /// All that shows that the block is violated.
    pub(super) fn shown(&mut self) -> impl Iterator<Item = &mut Violated> {
        self.violated.iter_mut().chain(&mut self.again)
    }
}

#[derive(Default)]
struct State {
    open: Vec<Open>,
    /// The depth of inner blocks that are not decided.
    ignored: u64,
    /// The last transactions: begin, end and method of each.
    ended: VecDeque<(u64, u64, LabelId)>,
    /// Whether its thread has ended.
    is_over: bool,
    /// The scope that the thread works for; 0 for none.
    scope: u32,
}

/// All threads, by number.
#[derive(Default)]
pub(super) struct States {
    states: Vec<Option<Box<State>>>,
    users: Users,
    /// Threads that have ended, the newest last.
    over: VecDeque<ThreadId>,
}

impl States {
    pub(super) fn threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.states.len()).map(ThreadId::of)
    }

    pub(super) fn opened(&mut self, thread: ThreadId, position: u64, name: Arc<str>) {
        self.users.opened(thread, position, name);
        let state = self.at(thread);
        state.ignored = 0;
        state.is_over = false;
        state.scope = 0;
    }

    /// The thread has ended. Returns the thread that ended earlier and is forgotten now.
    pub(super) fn ended(&mut self, thread: ThreadId) -> Option<ThreadId> {
        self.at(thread).is_over = true;
        self.over.push_back(thread);
        let oldest = (self.over.len() > ENDED_THREADS).then(|| self.over.pop_front()).flatten()?;
        let state = self.states[oldest.index()].as_ref();
        // Its number can belong to another thread by now; then it is kept until that one ends.
        state.is_some_and(|state| state.is_over).then(|| {
            self.states[oldest.index()] = None;
            oldest
        })
    }

    /// True if the number belongs to a thread that has not ended.
    pub(super) fn is_running(&self, thread: ThreadId) -> bool {
        self.get(thread).is_some_and(|state| !state.is_over)
    }

    /// No finding can name the thread of this number any more, unless the number is another thread's by now.
    pub(super) fn forget_name(&mut self, thread: ThreadId) {
        if self.get(thread).is_none() {
            self.users.forget(thread);
        }
    }

    /// Sets the scope that the thread works for from here on.
    pub(super) fn works_for(&mut self, thread: ThreadId, scope: u32) {
        self.at(thread).scope = scope;
    }

    /// The scope that the thread works for; 0 for none.
    pub(super) fn scope(&self, thread: ThreadId) -> u32 {
        self.get(thread).map_or(0, |state| state.scope)
    }

    pub(super) fn current_name(&self, thread: ThreadId) -> Arc<str> {
        self.users.current(thread).map_or_else(|| "".into(), Arc::clone)
    }

    /// What a record does to blocks. Without `nested`, inner blocks are skipped. An end without an open block is
    /// ignored.
    pub(super) fn step(&mut self, thread: ThreadId, code: u8, nested: bool) -> Step {
        let state = self.at(thread);
        match code {
            codes::BEGIN if nested || state.open.is_empty() => Step::Begin,
            codes::BEGIN => {
                state.ignored += 1;
                Step::Inside
            }
            codes::END if state.ignored > 0 => {
                state.ignored -= 1;
                Step::Inside
            }
            codes::END if !state.open.is_empty() => Step::End,
            _ => Step::Inside,
        }
    }

    pub(super) fn begin(&mut self, stamp: Stamp, open: Open) {
        self.at(stamp.thread()).open.push(open);
    }

    /// Removes the innermost block, which ends at `position` or before.
    pub(super) fn end(&mut self, thread: ThreadId, position: u64) -> Option<Open> {
        let state = self.at(thread);
        let open = state.open.pop()?;
        if state.open.is_empty() {
            if state.ended.len() == REMEMBERED {
                state.ended.pop_front();
            }
            state.ended.push_back((open.begin, position.min(open.until), open.label));
        }
        Some(open)
    }

    pub(super) fn depth(&self, thread: ThreadId) -> usize {
        self.get(thread).map_or(0, |state| state.open.len())
    }

    pub(super) fn innermost(&self, thread: ThreadId) -> Option<&Open> {
        self.get(thread)?.open.last()
    }

    pub(super) fn innermost_mut(&mut self, thread: ThreadId) -> Option<&mut Open> {
        self.at(thread).open.last_mut()
    }

    pub(super) fn open_at(&self, thread: ThreadId, depth: u32) -> Option<&Open> {
        self.get(thread)?.open.get(depth as usize)
    }

    pub(super) fn open_at_mut(&mut self, thread: ThreadId, depth: u32) -> Option<&mut Open> {
        self.at(thread).open.get_mut(depth as usize)
    }

    /// Notes that what the thread did up to `position` is inside its outermost block, if that began at `begin`.
    pub(super) fn is_inside(&mut self, thread: ThreadId, begin: u64, position: u64) {
        let state = self.states.get_mut(thread.index()).and_then(Option::as_mut);
        if let Some(outermost) = state.and_then(|state| state.open.first_mut()).filter(|open| open.begin == begin) {
            outermost.until = outermost.until.max(position);
        }
    }

    /// The open blocks of a thread, the outermost first.
    pub(super) fn open_mut(&mut self, thread: ThreadId) -> impl Iterator<Item = &mut Open> {
        self.at(thread).open.iter_mut()
    }

    /// The open blocks of a thread, the innermost first.
    pub(super) fn open_inside_out(&self, thread: ThreadId) -> impl Iterator<Item = &Open> {
        self.get(thread).into_iter().flat_map(|state| state.open.iter().rev())
    }

    /// Notes that the thread waits in all its open blocks.
    pub(super) fn wait(&mut self, thread: ThreadId) {
        // The blocks around a block that waits are marked already.
        self.at(thread).open.iter_mut().rev().take_while(|open| !open.waits).for_each(|open| open.waits = true);
    }

    fn get(&self, thread: ThreadId) -> Option<&State> {
        self.states.get(thread.index())?.as_deref()
    }

    fn at(&mut self, thread: ThreadId) -> &mut State {
        if thread.index() >= self.states.len() {
            self.states.resize_with(thread.index() + 1, || None);
        }
        self.states[thread.index()].get_or_insert_with(Box::default)
    }

    /// The numbers of threads for which more than a name is kept, and of names.
    #[cfg(test)]
    pub(super) fn kept(&self) -> (usize, usize) {
        (self.states.iter().flatten().count(), self.users.kept())
    }
}

impl Threads for States {
    fn name(&self, stamp: Stamp) -> Arc<str> {
        match self.users.of(stamp) {
            Some(name) => Arc::clone(name),
            None if self.users.current(stamp.thread()).is_some() => "an earlier thread".into(),
            None => format!("thread {}", stamp.thread().0).into(),
        }
    }

    fn transaction(&self, stamp: Stamp) -> Option<(u64, LabelId)> {
        let state = self.get(stamp.thread())?;
        let position = stamp.position();
        let running = state.open.first().filter(|open| (open.begin..=open.until).contains(&position));
        let is_in = |(begin, end, _): &&(u64, u64, LabelId)| (*begin..=*end).contains(&position);
        let ended = || state.ended.iter().rev().find(is_in).map(|(begin, _, label)| (*begin, *label));
        running.map(|open| (open.begin, open.label)).or_else(ended)
    }
}
