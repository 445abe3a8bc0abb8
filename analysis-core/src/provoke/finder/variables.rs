//! A variable or lock: what threads have done to it, pairs of accesses of blocks, and which of the one can come between the others.

use std::sync::Arc;

use super::blocks::Pair;
use super::held::{Locks, are_equal, exclude};
use super::step::{Action, Found, Site};
use crate::event::LabelId;
use crate::predict::periods::Period;

/// So many accesses, and so many pairs, are kept of one variable; the oldest are forgotten.
const MOST_KEPT: usize = 64;

/// What is known of a variable.
#[derive(Default)]
pub(super) struct Variable {
    entries: Vec<Entry>,
    pairs: Vec<Pair>,
    /// Where the next one goes, once there are as many as are kept.
    next_entry: usize,
    next_pair: usize,
}

/// An access, or the acquire of a lock.
pub(super) struct Entry {
    pub(super) site: Site,
    pub(super) action: Action,
    pub(super) period: Arc<Period>,
    /// What its thread holds then, this lock among them.
    pub(super) held: Locks,
}

impl Entry {
    fn is_same(&self, other: &Entry) -> bool {
        (self.site, self.action) == (other.site, other.action)
            && Arc::ptr_eq(&self.period, &other.period)
            && are_equal(&self.held, &other.held)
    }
}

impl Pair {
    fn is_same(&self, other: &Pair) -> bool {
        (self.first, self.last, self.block) == (other.first, other.last, other.block)
            && Arc::ptr_eq(&self.from, &other.from)
            && Arc::ptr_eq(&self.to, &other.to)
            && self.points == other.points
    }

    /// The candidate that another thread's access is, if it can come between.
    fn with(&self, entry: &Entry, declaration: u32) -> Option<Found> {
        let is_forced = entry.period.thread == self.from.thread
            || entry.period.precedes(&self.from)
            || self.to.precedes(&entry.period);
        if is_forced || self.block == LabelId::NONE {
            return None;
        }
        let is_possible = |point: &&super::blocks::Point| point.site.is_some() && !exclude(&point.held, &entry.held);
        let hold = self.points.iter().find(is_possible)?.site?;
        // The lock that an acquire takes is what it is about.
        let outer = entry.held.len() - usize::from(entry.action == Action::Acquire);
        let enter = entry.held[..outer].iter().find(|held| self.locks.contains(&held.lock));
        Some(Found {
            block: self.block,
            declaration,
            first: self.first,
            hold,
            last: self.last,
            other: (entry.site, entry.action),
            enter: enter.and_then(|held| held.site),
        })
    }
}

impl Variable {
    /// Adds a pair, and gives the candidates that it makes.
    pub(super) fn add_pair(&mut self, pair: Pair, declaration: u32, found: &mut impl FnMut(Found)) {
        if self.pairs.iter().any(|known| known.is_same(&pair)) {
            return;
        }
        self.entries.iter().filter_map(|entry| pair.with(entry, declaration)).for_each(found);
        put(&mut self.pairs, &mut self.next_pair, pair);
    }

    /// Adds an access, and gives the candidates that it makes. True if one of the variable by another thread is in no forced order
    /// with it, and one of them is a write.
    pub(super) fn add_entry(&mut self, entry: Entry, declaration: u32, found: &mut impl FnMut(Found)) -> bool {
        if self.entries.iter().any(|known| known.is_same(&entry)) {
            return false;
        }
        self.pairs.iter().filter_map(|pair| pair.with(&entry, declaration)).for_each(found);
        let is_contended = self.entries.iter().any(|known| {
            known.period.thread != entry.period.thread
                && known.action.conflicts_with(entry.action)
                && !known.period.precedes(&entry.period)
        });
        put(&mut self.entries, &mut self.next_entry, entry);
        is_contended
    }
}

/// Adds something, in the place of the oldest if there are many.
fn put<T>(list: &mut Vec<T>, next: &mut usize, new: T) {
    if list.len() < MOST_KEPT {
        list.push(new);
    } else {
        list[*next] = new;
        *next = (*next + 1) % MOST_KEPT;
    }
}
