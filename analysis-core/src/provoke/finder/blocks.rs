//! The blocks of a thread, and the pairs of accesses in them.
//!
//! Of each variable, the first access at each place is kept for each open block. The earlier an access is, the more can come
//! between it and what follows.

use std::sync::Arc;

use super::aged::Aged;
use super::held::{Held, Holding, Locks, are_equal};
use super::step::{Action, Site};
use crate::event::LabelId;
use crate::predict::periods::Period;

/// How many accesses to one variable are kept; the oldest are forgotten.
const MOST_FIRSTS: usize = 64;
/// How many variables an access is paired with.
const MOST_LASTS: usize = 16;
/// How many releases of different places are kept; the oldest are forgotten.
const MOST_RELEASES: usize = 64;

/// What is known of a thread.
#[derive(Default)]
pub(super) struct Thread {
    /// How many steps the thread has made.
    now: u64,
    /// Whether the next access belongs to the same step as the last one.
    goes_on: bool,
    holding: Holding,
    open: Vec<Block>,
    releases: Vec<Release>,
    /// How many kinds of releases the outermost block has had.
    kinds: u32,
    /// First accesses, by variable or lock.
    firsts: Aged<u64, Vec<First>>,
    /// Likewise, by object.
    parts: Aged<u64, Vec<First>>,
}

/// What an access is to.
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

/// A release of a lock or of permits: the last one of its kind, that is with the same place and the same locks left.
struct Release {
    when: u64,
    /// The number of the kind.
    kind: u32,
    lock: u32,
    point: Point,
}

/// Where a thread can be held, and the locks that it holds there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Point {
    /// `None` if the thread cannot be held there.
    pub(super) site: Option<(Site, Action)>,
    /// Whether the thread has given back permits of a semaphore there.
    pub(super) gives_back: bool,
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
    paired: Option<Paired>,
    /// What the access was paired with since then: a variable, and whether by a write.
    lasts: Vec<(u64, bool)>,
}

/// When an access was last paired. Releases of kinds that it already had make no new pairs then.
struct Paired {
    /// The last release that was examined.
    until: u64,
    /// The kinds of releases after the access, a bit each; greater numbers are not known.
    kinds: u128,
    period: Arc<Period>,
}

/// Two accesses of a block, between which others may come.
pub(super) struct Pair {
    pub(super) block: LabelId,
    /// The variables of the two accesses, which differ only for parts of an object.
    pub(super) variables: [u64; 2],
    pub(super) first: (Site, Action),
    pub(super) last: (Site, Action),
    pub(super) from: Arc<Period>,
    pub(super) to: Arc<Period>,
    /// The points between the two accesses, in their order, including the first access.
    pub(super) points: Vec<Point>,
    /// The locks that the thread holds somewhere between them.
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
            self.kinds = 0;
        }
    }

    /// The next access belongs to the same step as the last one.
    pub(super) fn go_on(&mut self) {
        self.goes_on = true;
    }

    /// Counts a step, unless the access belongs to the last one.
    pub(super) fn advance(&mut self) {
        if !std::mem::take(&mut self.goes_on) {
            self.now += 1;
        }
    }

    pub(super) fn age(&mut self) {
        self.firsts.age();
        self.parts.age();
    }

    /// How many steps the thread has made.
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

    /// Gives up a lock. True if it is no longer held.
    pub(super) fn release(&mut self, lock: u32, site: Option<Site>) -> bool {
        let is_free = self.holding.release(lock);
        if is_free {
            self.released(lock, site);
        }
        is_free
    }

    /// Enters or leaves a section that writes nothing; returns which of the two.
    pub(super) fn look(&mut self, lock: u32, site: Option<Site>) -> Option<Action> {
        let has_entered = self.holding.look(Held { lock, is_shared: false, site })?;
        if has_entered {
            return Some(Action::Acquire);
        }
        self.released(lock, site);
        Some(Action::Release)
    }

    fn released(&mut self, lock: u32, site: Option<Site>) {
        // The access for this release comes after it.
        self.passed(lock, site, self.now + 1, false);
    }

    /// Gives permits back.
    pub(super) fn give_back(&mut self, semaphore: u32, site: Option<Site>) {
        self.advance();
        // A point at which the thread cannot be held is of no use.
        if site.is_some() {
            self.passed(semaphore, site, self.now, true);
        }
    }

    fn passed(&mut self, lock: u32, site: Option<Site>, when: u64, gives_back: bool) {
        if self.open.is_empty() {
            return;
        }
        let point = Point { site: site.map(|site| (site, Action::Release)), gives_back, held: self.holding.all() };
        let is_same = |known: &Release| {
            let is_same = known.lock == lock && known.point.gives_back == gives_back && known.point.site == point.site;
            is_same && are_equal(&known.point.held, &point.held)
        };
        let place = self.releases.iter().position(is_same);
        let kind = place.map_or(self.kinds, |place| self.releases[place].kind);
        self.kinds += u32::from(place.is_none());
        if let Some(place) = place.or((self.releases.len() == MOST_RELEASES).then_some(0)) {
            self.releases.remove(place);
        }
        self.releases.push(Release { when, kind, lock, point });
    }

    /// Passes each pair of an earlier access in an open block and this one to `found`.
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
        let is_meant = |first: &&mut First| first.when < *now && (first.variable != variable) == is_part;
        for first in firsts.iter_mut().filter(is_meant) {
            let is_new = first.paired.as_mut().is_none_or(|paired| paired.is_outdated(releases, period));
            if is_new {
                first.paired = Some(Paired::new(releases, first.when, period));
                first.lasts.clear();
            }
            let is_write = action == Action::Write;
            // If the first access writes, a read may come between it and a write, but not between it and a read.
            let needs_write = first.action == Action::Write && is_write;
            let is_known = |(last, writes): &(u64, bool)| *last == variable && (*writes || !needs_write);
            if first.lasts.iter().any(is_known) || first.lasts.len() == MOST_LASTS {
                continue;
            }
            first.lasts.push((variable, is_write));
            let Some(block) = home(open, first.when) else { continue };
            let place = Some((first.site, first.action));
            let point = Point { site: place, gives_back: false, held: Arc::clone(&first.held) };
            let between = || releases.iter().filter(|release| release.when > first.when);
            let is_of_lock = |release: &&Release| !release.point.gives_back;
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
                locks: locks.chain(between().filter(is_of_lock).map(|release| release.lock)).collect(),
            });
        }
    }

    /// Keeps an access if it is the first one at its place in the innermost block.
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
        // Of two accesses whose blocks have ended, or that are in the same block, the earlier one is kept.
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

impl Paired {
    fn new(releases: &[Release], since: u64, period: &Arc<Period>) -> Paired {
        let behind = releases.iter().filter(|release| release.when > since);
        Paired {
            until: releases.last().map_or(0, |release| release.when).max(since),
            kinds: behind.fold(0, |kinds, release| kinds | bit(release.kind)),
            period: Arc::clone(period),
        }
    }

    /// True if there was a release of another kind since then, or if the period has changed.
    fn is_outdated(&mut self, releases: &[Release], period: &Arc<Period>) -> bool {
        let mut since = releases.iter().rev().take_while(|release| release.when > self.until);
        let is_outdated =
            since.any(|release| self.kinds & bit(release.kind) == 0) || !Arc::ptr_eq(&self.period, period);
        self.until = releases.last().map_or(self.until, |release| release.when.max(self.until));
        is_outdated
    }
}

/// The bit of a kind; 0 for kinds that there is no room for.
fn bit(kind: u32) -> u128 {
    1_u128.checked_shl(kind).unwrap_or(0)
}

/// The innermost open block that had begun at this time.
fn home(open: &[Block], when: u64) -> Option<Block> {
    open[..open.partition_point(|block| block.begin <= when)].last().copied()
}
