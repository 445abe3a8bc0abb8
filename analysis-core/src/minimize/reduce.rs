//! Delta debugging over units.

use super::cone::{Piece, Unit};
use super::goal::Goal;
use crate::event::{Event, Op, ThreadId};

/// Returns the events of a smallest selection of `units` for which the goal holds, in the order of the trace; `None` if
/// it does not hold for all of them.
pub fn smallest(units: Vec<Unit>, goal: &Goal) -> Option<Vec<Piece>> {
    if !goal.holds(&trace(&units)) {
        return None;
    }
    let mut reduction = Reduction { best: units, goal };
    loop {
        let size = reduction.best.len();
        reduction.drop_threads();
        reduction.drop_blocks();
        reduction.drop_runs();
        // The last round tried every unit alone, and each was needed.
        if reduction.best.len() == size {
            return Some(pieces(&reduction.best));
        }
    }
}

struct Reduction<'a> {
    best: Vec<Unit>,
    goal: &'a Goal,
}

impl Reduction<'_> {
    /// Drops these units if the finding stays without them.
    fn try_without(&mut self, is_dropped: impl Fn(usize, &Unit) -> bool) -> bool {
        let kept = self.best.iter().enumerate().filter(|(index, unit)| !is_dropped(*index, unit));
        let candidate: Vec<Unit> = kept.map(|(_, unit)| *unit).collect();
        let is_better = candidate.len() < self.best.len() && self.goal.holds(&trace(&candidate));
        if is_better {
            self.best = candidate;
        }
        is_better
    }

    fn drop_threads(&mut self) {
        let mut threads: Vec<ThreadId> = self.best.iter().map(|unit| unit.first.event.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        for thread in threads {
            self.try_without(|_, unit| unit.concerns(thread));
        }
    }

    /// Goes backwards, so that the indices of the blocks still to be tried stay valid.
    fn drop_blocks(&mut self) {
        for index in (0..self.best.len()).rev() {
            if let Some(block) = self.best.get(index).copied()
                && matches!(block.first.event.op, Op::Begin(_))
            {
                self.try_without(|_, unit| unit.is_in(&block));
            }
        }
    }

    fn drop_runs(&mut self) {
        let mut length = self.best.len().div_ceil(2);
        while length > 0 {
            let mut end = self.best.len();
            while end > 0 {
                let start = end.saturating_sub(length);
                self.try_without(|index, _| (start..end).contains(&index));
                end = start;
            }
            length /= 2;
        }
    }
}

fn pieces(units: &[Unit]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = units.iter().flat_map(Unit::pieces).collect();
    pieces.sort_unstable_by_key(|piece| piece.number);
    pieces
}

fn trace(units: &[Unit]) -> Vec<Event> {
    pieces(units).into_iter().map(|piece| piece.event).collect()
}
