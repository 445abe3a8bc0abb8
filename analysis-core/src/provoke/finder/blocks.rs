//! The blocks of a thread, and the pairs of accesses in them.
//!
//! Of each variable, the first access at each place is kept for each block that is open. The earlier it is, the more can come
//! between it and what follows.

use std::sync::Arc;

use super::aged::Aged;
use super::held::{Held, Holding, Locks, are_equal};
use super::step::{Action, Site};
use crate::event::LabelId;
use crate::predict::periods::Period;

/// So many accesses to one variable are kept; the oldest are forgotten.
const MOST_FIRSTS: usize = 64;
/// With so many variables an access is paired.
const MOST_LASTS: usize = 16;
/// So many releases of different places are kept; the oldest are forgotten.
const MOST_RELEASES: usize = 64;

/// What is known of a thread.
#[derive(Default)]
pub(super) struct Thread {
    /// How many steps it has made.
    now: u64,
    /// The next access is of the step of the last one.
    goes_on: bool,
    holding: Holding,
    open: Vec<Block>,
    releases: Vec<Release>,
    /// By variable or lock.
    firsts: Aged<u64, Vec<First>>,
    /// The same by object.
    parts: Aged<u64, Vec<First>>,
}

/// What an access is of.
#[derive(Clone, Copy)]
pub(super) enum Of {
    /// A variable or lock.
    Variable(u64),
    /// A variable of an object; pairs are with other variables of it.
    Part { object: u64, variable: u64 },
}

#[derive(Clone, Copy)]
struct Block {
    label: LabelId,
    begin: u64,
}

/// A release of a lock, the last one of its place that left the same locks.
struct Release {
    when: u64,
    lock: u32,
    point: Point,
}

/// Where a thread can be held, and the locks that it holds there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Point {
    /// `None` if it cannot be held there.
    pub(super) site: Option<(Site, Action)>,
    pub(super) held: Locks,
}

/// An access that others may come after.
struct First {
    variable: u64,
    when: u64,
    site: Site,
    action: Action,
    period: Arc<Period>,
    held: Locks,
    /// The last release when it was last paired, and the period.
    paired: Option<(u64, Arc<Period>)>,
    /// With what it was paired since then: a variable, and whether with a write.
    lasts: Vec<(u64, bool)>,
}

/// Two accesses of a block, between which others may come.
pub(super) struct Pair {
    pub(super) block: LabelId,
    /// The variables of the two, which are the same but for parts of an object.
    pub(super) variables: [u64; 2],
    pub(super) first: (Site, Action),
    pub(super) last: (Site, Action),
    pub(super) from: Arc<Period>,
    pub(super) to: Arc<Period>,
    /// The points between the two, the first access among them, in their order.
    pub(super) points: Vec<Point>,
    /// The locks that the thread holds somewhere between.
    pub(super) locks: Vec<u32>,
}

impl Thread {
    pub(super) fn begin(&mut self, label: LabelId) {
        self.now += 1;
        self.open.push(Block { label, begin: self.now });
    }

    pub(super) fn end(&mut self) {
        self.now += 1;
        self.open.pop();
        if self.open.is_empty() {
            self.firsts.clear();
            self.parts.clear();
            self.releases.clear();
        }
    }

    /// The next access is of the step of the last one.
    pub(super) fn go_on(&mut self) {
        self.goes_on = true;
    }

    /// An access comes.
    pub(super) fn advance(&mut self) {
        if !std::mem::take(&mut self.goes_on) {
            self.now += 1;
        }
    }

    pub(super) fn age(&mut self) {
        self.firsts.age();
        self.parts.age();
    }

    /// How many steps it has made.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    pub(super) fn held(&self) -> Locks {
        self.holding.all()
    }

    /// Takes a lock. True if it was not held.
    pub(super) fn acquire(&mut self, lock: u32, is_shared: bool, site: Option<Site>) -> bool {
        self.holding.acquire(Held { lock, is_shared, site })
    }

    /// Gives up a lock. True if it is not held any more.
    pub(super) fn release(&mut self, lock: u32, site: Option<Site>) -> bool {
        let is_free = self.holding.release(lock);
        if is_free {
            self.released(lock, site);
        }
        is_free
    }

    /// Enters or leaves a section that writes nothing: which of the two.
    pub(super) fn look(&mut self, lock: u32, site: Option<Site>) -> Option<Action> {
        let has_entered = self.holding.look(Held { lock, is_shared: false, site })?;
        if has_entered {
            return Some(Action::Acquire);
        }
        self.released(lock, site);
        Some(Action::Release)
    }

    fn released(&mut self, lock: u32, site: Option<Site>) {
        if self.open.is_empty() {
            return;
        }
        // The access that this is comes after it.
        let when = self.now + 1;
        let point = Point { site: site.map(|site| (site, Action::Release)), held: self.holding.all() };
        let is_same = |known: &Release| {
            known.lock == lock && known.point.site == point.site && are_equal(&known.point.held, &point.held)
        };
        let place = self.releases.iter().position(is_same);
        if let Some(place) = place.or((self.releases.len() == MOST_RELEASES).then_some(0)) {
            self.releases.remove(place);
        }
        self.releases.push(Release { when, lock, point });
    }

    /// Gives each pair of an earlier access in an open block with this one.
    pub(super) fn pairs(
        &mut self,
        of: Of,
        site: Site,
        action: Action,
        period: &Arc<Period>,
        mut give: impl FnMut(Pair),
    ) {
        let Thread { now, holding, open, releases, firsts, parts, .. } = self;
        if open.is_empty() {
            return;
        }
        let (firsts, variable, is_part) = match of {
            Of::Variable(variable) => (firsts.entry(variable), variable, false),
            Of::Part { object, variable } => (parts.entry(object), variable, true),
        };
        let last_release = releases.last().map_or(0, |release| release.when);
        let is_meant = |first: &&mut First| first.when < *now && (first.variable != variable) == is_part;
        for first in firsts.iter_mut().filter(is_meant) {
            let is_new = first.paired.as_ref().is_none_or(|(release, paired)| {
                // A release before the first access changes nothing.
                *release != last_release && last_release > first.when || !Arc::ptr_eq(paired, period)
            });
            if is_new {
                first.paired = Some((last_release, Arc::clone(period)));
                first.lasts.clear();
            }
            let is_write = action == Action::Write;
            // Where the first one writes, a read may come between it and a write, though not between it and a read.
            let needs_write = first.action == Action::Write && is_write;
            let is_known = |(last, writes): &(u64, bool)| *last == variable && (*writes || !needs_write);
            if first.lasts.iter().any(is_known) || first.lasts.len() == MOST_LASTS {
                continue;
            }
            first.lasts.push((variable, is_write));
            let Some(block) = home(open, first.when) else { continue };
            let point = Point { site: Some((first.site, first.action)), held: Arc::clone(&first.held) };
            let between = || releases.iter().filter(|release| release.when > first.when);
            let held = holding.all();
            let locks = first.held.iter().chain(held.iter()).map(|held| held.lock);
            give(Pair {
                block: block.label,
                variables: [first.variable, variable],
                first: (first.site, first.action),
                last: (site, action),
                from: Arc::clone(&first.period),
                to: Arc::clone(period),
                points: std::iter::once(point).chain(between().map(|release| release.point.clone())).collect(),
                locks: locks.chain(between().map(|release| release.lock)).collect(),
            });
        }
    }

    /// Keeps an access, if it is the first one at its place in the innermost block.
    pub(super) fn remember(&mut self, of: Of, site: Site, action: Action, period: &Arc<Period>) {
        let Thread { now, holding, open, firsts, parts, .. } = self;
        let Some(innermost) = open.last() else { return };
        let (firsts, variable) = match of {
            Of::Variable(variable) => (firsts.entry(variable), variable),
            Of::Part { object, variable } => (parts.entry(object), variable),
        };
        if firsts.iter().any(|first| (first.site, first.action) == (site, action) && first.when >= innermost.begin) {
            return;
        }
        // Of two whose blocks have ended, or which are in the same one, the earlier one is kept.
        let mut kept: Vec<(Site, Action, u64)> = Vec::with_capacity(firsts.len());
        firsts.retain(|first| {
            let key = (first.site, first.action, home(open, first.when).map_or(0, |block| block.begin));
            let is_new = !kept.contains(&key);
            kept.push(key);
            is_new
        });
        if firsts.len() == MOST_FIRSTS {
            firsts.remove(0);
        }
        firsts.push(First {
            variable,
            when: *now,
            site,
            action,
            period: Arc::clone(period),
            held: holding.all(),
            paired: None,
            lasts: Vec::new(),
        });
    }
}

/// The innermost of the open blocks that had begun at this time.
fn home(open: &[Block], when: u64) -> Option<Block> {
    open[..open.partition_point(|block| block.begin <= when)].last().copied()
}
