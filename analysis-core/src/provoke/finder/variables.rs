//! A variable or lock, or an object with variables: what threads have done to it, pairs of accesses of blocks, and which accesses can come
//! between the pairs.

use std::sync::Arc;

use super::blocks::{Pair, Point};
use super::held::{Locks, are_equal, exclude};
use super::step::{Action, Found, Site};
use crate::event::LabelId;
use crate::predict::periods::Period;
use crate::provoke::model::Rank;

/// How many accesses, and how many pairs, are kept of one variable; the oldest are forgotten.
const MOST_KEPT: usize = 64;

/// What is known of a variable, or of the variables of an object together.
#[derive(Default)]
pub(super) struct Variable {
    entries: Vec<Entry>,
    pairs: Vec<Pair>,
    /// Where the next entry goes, once there are as many as are kept.
    next_entry: usize,
    next_pair: usize,
}

/// An access, or the acquire of a lock.
pub(super) struct Entry {
    pub(super) variable: u64,
    pub(super) declaration: u32,
    /// How many steps its thread had made.
    pub(super) when: u64,
    pub(super) site: Site,
    pub(super) action: Action,
    pub(super) period: Arc<Period>,
    /// The locks that its thread holds then, this one included.
    pub(super) held: Locks,
}

impl Entry {
    fn is_same(&self, other: &Entry) -> bool {
        (self.site, self.action, self.variable) == (other.site, other.action, other.variable)
            && Arc::ptr_eq(&self.period, &other.period)
            && are_equal(&self.held, &other.held)
    }
}

impl Pair {
    fn is_same(&self, other: &Pair) -> bool {
        (self.first, self.last, self.block, self.variables) == (other.first, other.last, other.block, other.variables)
            && Arc::ptr_eq(&self.from, &other.from)
            && Arc::ptr_eq(&self.to, &other.to)
            && self.points == other.points
    }

    /// The candidates that another thread's access makes, if it can come between; for several variables, with an earlier access of the
    /// first one.
    fn with(&self, entry: &Entry, before: Option<&Entry>) -> Vec<Found> {
        let is_forced = entry.period.thread == self.from.thread
            || entry.period.precedes(&self.from)
            || self.to.precedes(&entry.period);
        if is_forced || self.block == LabelId::NONE {
            return Vec::new();
        }
        let is_open = |point: &&Point, entry: &Entry| point.site.is_some() && !exclude(&point.held, &entry.held);
        let mut points = self.points.iter();
        // The earlier access has to come between, too.
        let Some(first) =
            before.map(|before| points.find(|point| is_open(point, before))).map_or(Some(None), |at| at.map(Some))
        else {
            return Vec::new();
        };
        let mut open = first.into_iter().chain(points).filter(|point| is_open(point, entry));
        let hold = open.next();
        // The other thread may need a permit that this thread has until then.
        let later = open.find(|point| point.gives_back);
        // The lock that an acquire takes is what the acquire is about.
        let outer = entry.held.len() - usize::from(entry.action == Action::Acquire);
        let enter = entry.held[..outer].iter().find(|held| self.locks.contains(&held.lock));
        let found = |hold| Found {
            block: self.block,
            declaration: entry.declaration,
            also: before.map(|before| before.declaration),
            first: self.first,
            hold,
            last: self.last,
            other: (entry.site, entry.action),
            enter: enter.and_then(|held| held.site),
        };
        hold.into_iter().chain(later).filter_map(|point| point.site).map(found).collect()
    }
}

impl Pair {
    /// The candidates of another thread's accesses to both variables, one after the other, each of which conflicts with that of
    /// the pair.
    fn across(&self, entry: &Entry, entries: &[Entry]) -> Vec<Found> {
        let [first, last] = self.variables;
        let is_last = entry.variable == last && entry.action.conflicts_with(self.last.1);
        // Whether it conflicts depends on what is done at the places, as with one variable.
        if !is_last || Rank::of(self.first.1, entry.action, self.last.1) != Rank::Conflict {
            return Vec::new();
        }
        let is_before = |before: &&Entry| {
            before.variable == first
                && before.action.conflicts_with(self.first.1)
                && before.period.thread == entry.period.thread
                && before.when < entry.when
                && !before.period.precedes(&self.from)
        };
        let with = entries.iter().filter(is_before).map(|before| self.with(entry, Some(before)));
        with.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }
}

impl Variable {
    /// Adds a pair, and passes on the candidates that it makes.
    pub(super) fn add_pair(&mut self, pair: Pair, found: &mut impl FnMut(Found)) {
        if self.pairs.iter().any(|known| known.is_same(&pair)) {
            return;
        }
        let with = |entry: &Entry| match pair.variables {
            [first, last] if first != last => pair.across(entry, &self.entries),
            _ => pair.with(entry, None),
        };
        self.entries.iter().flat_map(with).for_each(found);
        put(&mut self.pairs, &mut self.next_pair, pair);
    }

    /// Adds an access, and passes on the candidates that it makes. True if it has no forced order with some access of the variable
    /// by another thread, and one of the two is a write.
    pub(super) fn add_entry(&mut self, entry: Entry, found: &mut impl FnMut(Found)) -> bool {
        if self.entries.iter().any(|known| known.is_same(&entry)) {
            return false;
        }
        let with = |pair: &Pair| match pair.variables {
            [first, last] if first != last => pair.across(&entry, &self.entries),
            _ => pair.with(&entry, None),
        };
        self.pairs.iter().flat_map(with).for_each(found);
        let is_contended = self.entries.iter().any(|known| {
            known.period.thread != entry.period.thread
                && known.action.conflicts_with(entry.action)
                && !known.period.precedes(&entry.period)
        });
        put(&mut self.entries, &mut self.next_entry, entry);
        is_contended
    }
}

/// Adds an item, in place of the oldest if there are many.
fn put<T>(list: &mut Vec<T>, next: &mut usize, new: T) {
    if list.len() < MOST_KEPT {
        list.push(new);
    } else {
        list[*next] = new;
        *next = (*next + 1) % MOST_KEPT;
    }
}
