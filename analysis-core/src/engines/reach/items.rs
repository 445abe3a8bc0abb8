//! Reach on items: the engine sees only new dependencies, and learns of blocks late.
//!
//! # What is known of a thread
//! Its blocks as of its last item, and the start of its transaction, which another thread may have read since. Ends are
//! not reported, so a row outlives its transaction until some item names a later one. An edge into the thread can only
//! come with an item of its own, which says what runs, so a stale row only costs memory.
//! - An item drops the row of its thread if the outermost begin is not the one that the row was given for.
//! - A source drops the row of its thread if the begin that was read there is later than the known one.
//! - The source's begin is ignored if its thread has handed over an item since that begin and named another transaction
//!   or none, or if a later begin is known: what the thread itself has said since is newer than what was read there.
//!
//! # Staircases
//! A step may hold any position from the deepest begin that reaches its event to the source's. It is entered with the
//! source's; the blocks that the thread has named or another has read ([`ItemEngine::shown`]) reduce that to a begin.

use super::matrices::{Ends, Matrices};
use crate::engine::{Edge, Findings, ItemEngine, ItemStep, Source, Violation};
use crate::event::{Stamp, ThreadId};
use crate::graph::accesses::at;
use crate::graph::blocks::Blocks;

/// Reach on items.
#[derive(Default)]
pub struct Items {
    threads: Vec<Thread>,
    matrices: Matrices,
    /// For each source of the current item, whether its transaction runs. Kept to reuse its memory.
    running: Vec<bool>,
}

#[derive(Default)]
struct Thread {
    /// The position of its last item. Everything before that is settled: all blocks that were open then are in
    /// `blocks`.
    latest: u64,
    /// The open blocks, as of its last item.
    blocks: Blocks,
    /// The start of the running transaction, if one is known: the outermost of `blocks`, or one that began later.
    start: Option<u64>,
    /// The begins of the blocks that were open when another thread read them, up to the position `shown_to`.
    shown: Vec<u64>,
    shown_to: u64,
}

impl Thread {
    /// Returns the begin of the deepest open block that began at or before `position`, which is not before `start`, as
    /// far as it is known.
    fn deepest(&self, position: u64) -> u64 {
        if position <= self.latest {
            return self.blocks.deepest(position);
        }
        let shown = self.shown.partition_point(|begin| *begin <= position);
        if position <= self.shown_to && shown > 0 { self.shown[shown - 1] } else { position }
    }

    /// Forgets what other threads have read about the open blocks.
    fn conceal(&mut self) {
        self.shown.clear();
        self.shown_to = 0;
    }
}

impl Items {
    /// Sets the blocks of the thread to those of the item.
    fn name_blocks(&mut self, step: &ItemStep<'_>) {
        let state = at(&mut self.threads, step.now.thread().index());
        state.latest = step.now.position();
        for _ in 0..step.pops {
            state.blocks.end();
        }
        for push in step.pushes {
            state.blocks.begin(push.begin, push.label);
        }
        state.conceal();
        if state.start != state.blocks.transaction() {
            state.start = state.blocks.transaction();
            self.matrices.drop_row(step.now.thread());
        }
    }

    /// Returns whether the transaction of `on` runs; `open` is the outermost begin that was read in its thread.
    fn learn(&mut self, on: Stamp, open: Option<u64>) -> bool {
        let state = at(&mut self.threads, on.thread().index());
        let Some(open) = open else { return false };
        if state.start == Some(open) {
            return true;
        }
        // The blocks that were open at the thread's last item are known.
        let is_older = open <= state.latest || state.start.is_some_and(|start| open < start);
        if !is_older {
            state.start = Some(open);
            state.conceal();
            self.matrices.drop_row(on.thread());
        }
        !is_older
    }

    /// The matrices, for tests.
    #[cfg(test)]
    pub(super) fn matrices(&self) -> &Matrices {
        &self.matrices
    }
}

impl ItemEngine for Items {
    fn item(&mut self, step: &ItemStep<'_>) {
        let home = step.now.thread();
        debug_assert!(step.sources.iter().all(|source| source.on.is_foreign_to(home)), "a dependency is on another");
        self.name_blocks(step);
        let mut running = std::mem::take(&mut self.running);
        running.extend(step.sources.iter().map(|source| self.learn(source.on, source.open)));
        let edge = |source: &Source| Edge { from: source.on, to: step.now, sites: source.sites };
        let Items { threads, matrices, .. } = self;
        for source in step.sources {
            matrices.judge(edge(source), &mut threads[home.index()].blocks);
        }
        for (source, leaves_running) in step.sources.iter().zip(running.drain(..)) {
            let ends = Ends { leaves_running, running: threads[home.index()].start };
            matrices.extend(edge(source), ends, |owner, b| threads[owner.index()].deepest(b));
        }
        self.running = running;
    }

    fn shown(&mut self, on: Stamp, open: &[u64]) {
        if self.learn(on, open.first().copied()) {
            let state = &mut self.threads[on.thread().index()];
            if on.position() > state.latest.max(state.shown_to) {
                state.shown.clear();
                state.shown.extend_from_slice(open);
                state.shown_to = on.position();
            }
        }
    }

    fn opened(&mut self, first: Stamp) {
        self.matrices.drop_row(first.thread());
        *at(&mut self.threads, first.thread().index()) = Thread { latest: first.position(), ..Thread::default() };
    }

    /// The columns of the thread stay as long as a running transaction reaches it: an item that depends on it may come.
    /// What others have read in its state no longer counts.
    fn forget(&mut self, thread: ThreadId) -> bool {
        self.matrices.drop_row(thread);
        *at(&mut self.threads, thread.index()) = Thread { latest: Stamp::MAX_POSITION, ..Thread::default() };
        self.matrices.forget(thread)
    }

    fn take_violations(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.matrices.findings.violations)
    }

    fn take_again(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.matrices.findings.again)
    }

    fn findings(&self) -> &Findings {
        &self.matrices.findings
    }
}
