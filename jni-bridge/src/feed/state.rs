//! The threads' open blocks, their recent transactions, their names.

use std::collections::VecDeque;
use std::sync::Arc;

use analysis_core::event::{LabelId, Stamp, ThreadId};

use super::Step;
use crate::codes;
use crate::tally::Violated;
use crate::witness::Threads;

/// How many ended transactions of a thread are remembered, to tell which events of a witness belong together.
const REMEMBERED: usize = 256;

/// An open block.
pub(super) struct Open {
    pub(super) begin: u64,
    pub(super) site: u32,
    pub(super) label: LabelId,
    /// Its thread has waited, or started or joined a thread.
    pub(super) waits: bool,
    pub(super) violated: Option<Violated>,
}

#[derive(Default)]
struct State {
    open: Vec<Open>,
    /// Inner blocks that are not decided.
    ignored: u64,
    /// The last transactions: begin, end, method.
    ended: VecDeque<(u64, u64, LabelId)>,
    /// The bearers of the number: after how many events each came, and its name.
    names: Vec<(u64, Arc<str>)>,
}

/// All threads, by number.
#[derive(Default)]
pub(super) struct States(Vec<State>);

impl States {
    pub(super) fn threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.0.len()).map(|index| ThreadId(u32::try_from(index).expect("threads are numbered by u32")))
    }

    pub(super) fn opened(&mut self, thread: ThreadId, position: u64, name: Arc<str>) {
        let state = self.at(thread);
        state.names.push((position, name));
        state.ignored = 0;
    }

    pub(super) fn current_name(&self, thread: ThreadId) -> Arc<str> {
        self.0.get(thread.index()).and_then(|s| s.names.last()).map_or_else(|| "".into(), |(_, name)| Arc::clone(name))
    }

    /// What a record does to blocks. Without `nested`, inner ones are passed over; an end of nothing is no end.
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

    /// Takes away the innermost block, which ends at `position`.
    pub(super) fn end(&mut self, thread: ThreadId, position: u64) -> Option<Open> {
        let state = self.at(thread);
        let open = state.open.pop()?;
        if state.open.is_empty() {
            if state.ended.len() == REMEMBERED {
                state.ended.pop_front();
            }
            state.ended.push_back((open.begin, position, open.label));
        }
        Some(open)
    }

    pub(super) fn depth(&self, thread: ThreadId) -> usize {
        self.0.get(thread.index()).map_or(0, |state| state.open.len())
    }

    pub(super) fn innermost(&self, thread: ThreadId) -> Option<&Open> {
        self.0.get(thread.index())?.open.last()
    }

    pub(super) fn innermost_mut(&mut self, thread: ThreadId) -> Option<&mut Open> {
        self.at(thread).open.last_mut()
    }

    pub(super) fn open_at(&self, thread: ThreadId, depth: u32) -> Option<&Open> {
        self.0.get(thread.index())?.open.get(depth as usize)
    }

    pub(super) fn open_at_mut(&mut self, thread: ThreadId, depth: u32) -> Option<&mut Open> {
        self.at(thread).open.get_mut(depth as usize)
    }

    /// The thread waits in all its open blocks.
    pub(super) fn wait(&mut self, thread: ThreadId) {
        // Those outside a block that waits are known to wait too.
        self.at(thread).open.iter_mut().rev().take_while(|open| !open.waits).for_each(|open| open.waits = true);
    }

    fn at(&mut self, thread: ThreadId) -> &mut State {
        if thread.index() >= self.0.len() {
            self.0.resize_with(thread.index() + 1, State::default);
        }
        &mut self.0[thread.index()]
    }
}

impl Threads for States {
    fn name(&self, stamp: Stamp) -> Arc<str> {
        let names = self.0.get(stamp.thread().index()).map_or(&[][..], |state| &state.names);
        let bearer = names.partition_point(|(before, _)| *before < stamp.position()).checked_sub(1);
        match bearer {
            Some(bearer) => Arc::clone(&names[bearer].1),
            None => format!("thread {}", stamp.thread().0).into(),
        }
    }

    fn transaction(&self, stamp: Stamp) -> Option<(u64, LabelId)> {
        let state = self.0.get(stamp.thread().index())?;
        let position = stamp.position();
        let running = state.open.first().filter(|open| open.begin <= position);
        let is_in = |(begin, end, _): &&(u64, u64, LabelId)| (*begin..=*end).contains(&position);
        let ended = || state.ended.iter().rev().find(is_in).map(|(begin, _, label)| (*begin, *label));
        running.map(|open| (open.begin, open.label)).or_else(ended)
    }
}
