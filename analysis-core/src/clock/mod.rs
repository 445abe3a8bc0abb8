//! Vector clocks with one component per running transaction.
//!
//! A component is a *slot*: a transaction takes one at its begin and gives it back at its end, so a clock has as many
//! components as transactions ever ran at the same time, however many threads come and go. Timestamps must grow along
//! the whole execution. Then a component set by an earlier holder of a slot is below the begin of the present one and
//! means nothing, as it should: only running transactions can be violated.
//!
//! Clocks are values that many events share. They live in one store, are named by [`ClockId`], change only all together
//! ([`Clocks::raise`]), and are reclaimed by marking from the places that still hold names ([`Clocks::collect`]).

pub(crate) mod cycles;
pub(crate) mod transactional;

use crate::graph::accesses::at;

/// The name of a clock in a [`Clocks`]. The default is the empty clock, in which every component is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockId(u32);

/// The store of clocks.
pub struct Clocks {
    clocks: Vec<Vec<u64>>,
    free: Vec<ClockId>,
    /// The number of clocks in use at which to collect.
    threshold: usize,
}

/// Fewer clocks than this are not worth a collection. With debug assertions, as in tests, the number is tiny, so that
/// the short traces of the tests have many collections.
const FEW: usize = if cfg!(debug_assertions) { 4 } else { 1024 };
/// At most this many names are visited for each clock that was made.
const NAMES_A_CLOCK: usize = 16;

/// The fate of a clock in a collection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// No name refers to it.
    Unused,
    /// Some name refers to it, and it carries information.
    Used,
    /// It no longer carries information.
    Void,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { clocks: vec![Vec::new()], free: Vec::new(), threshold: FEW }
    }
}

impl Clocks {
    /// The component of a clock.
    #[inline]
    pub fn get(&self, clock: ClockId, slot: usize) -> u64 {
        self.clocks[clock.0 as usize].get(slot).copied().unwrap_or(0)
    }

    /// Returns a new clock: `clock` with one component set.
    pub fn with(&mut self, clock: ClockId, slot: usize, time: u64) -> ClockId {
        let new = self.copy(clock);
        *at(&mut self.clocks[new.0 as usize], slot) = time;
        new
    }

    /// Returns the join of two clocks: `left` itself if `right` is nowhere above it, otherwise a new clock.
    pub fn join(&mut self, left: ClockId, right: ClockId) -> ClockId {
        if left == right || self.is_below(right, left) {
            return left;
        }
        let new = self.copy(left);
        let pair = [new.0 as usize, right.0 as usize];
        let [new_components, right] = self.clocks.get_disjoint_mut(pair).expect("a new clock is no other");
        join_into(new_components, right);
        new
    }

    /// Joins `clock` into every clock whose component `slot` is at least `time`, wherever it is named.
    pub fn raise(&mut self, slot: usize, time: u64, clock: ClockId) {
        let raised = std::mem::take(&mut self.clocks[clock.0 as usize]);
        for components in &mut self.clocks {
            if components.get(slot).is_some_and(|seen| *seen >= time) {
                join_into(components, &raised);
            }
        }
        self.clocks[clock.0 as usize] = raised;
    }

    /// Returns the slots in which a clock is not 0.
    pub fn slots(&self, clock: ClockId) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.clocks[clock.0 as usize].iter().copied().enumerate().filter(|(_, time)| *time != 0)
    }

    /// Returns whether it is time to [`Clocks::collect`].
    #[inline]
    pub fn is_full(&self) -> bool {
        self.clocks.len() - self.free.len() >= self.threshold
    }

    /// Reclaims every clock that is not among `names` or no longer carries information; in the latter case its names
    /// become those of the empty clock. `starts` has, by slot, the begin of the transaction that runs in it, or `NONE`;
    /// components with earlier times mean nothing, now or later.
    ///
    /// So few clocks are in use if transactions are short, however many accesses there were. A collection is one pass
    /// over all names. It is done when the number of clocks has doubled since the last one and is not much less than
    /// the number of names, so its cost is a constant share of the cost of making them.
    pub fn collect<'a>(&mut self, names: impl Iterator<Item = &'a mut ClockId>, starts: &[u64]) {
        let is_live = |(slot, time): (usize, u64)| starts.get(slot).is_some_and(|start| *start <= time);
        let mut fates = vec![Fate::Unused; self.clocks.len()];
        fates[0] = Fate::Used;
        let mut count = 0;
        for name in names {
            count += 1;
            let fate = &mut fates[name.0 as usize];
            if *fate == Fate::Unused {
                *fate = if self.slots(*name).any(is_live) { Fate::Used } else { Fate::Void };
            }
            if *fate == Fate::Void {
                *name = ClockId::default();
            }
        }
        self.free.clear();
        for (index, fate) in fates.iter().enumerate() {
            if *fate != Fate::Used {
                self.free.push(ClockId(u32::try_from(index).expect("indices were made from u32")));
            }
        }
        self.threshold = FEW.max(2 * (self.clocks.len() - self.free.len())).max(count / NAMES_A_CLOCK);
    }

    /// The capacity for clocks: the most that ever existed at one time.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.clocks.len()
    }

    fn is_below(&self, low: ClockId, high: ClockId) -> bool {
        let high = &self.clocks[high.0 as usize];
        let mut low = self.clocks[low.0 as usize].iter().enumerate();
        low.all(|(slot, time)| *time <= high.get(slot).copied().unwrap_or(0))
    }

    fn copy(&mut self, clock: ClockId) -> ClockId {
        let new = self.free.pop().unwrap_or_else(|| {
            self.clocks.push(Vec::new());
            ClockId(u32::try_from(self.clocks.len() - 1).expect("fewer than 2^32 clocks in use"))
        });
        let pair = [new.0 as usize, clock.0 as usize];
        let [target, source] = self.clocks.get_disjoint_mut(pair).expect("a new clock is no other");
        target.clone_from(source);
        new
    }
}

fn join_into(components: &mut Vec<u64>, others: &[u64]) {
    if components.len() < others.len() {
        components.resize(others.len(), 0);
    }
    for (mine, theirs) in components.iter_mut().zip(others) {
        *mine = (*mine).max(*theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::rows::NONE;

    /// Returns every clock of three components up to 2, none longer than necessary.
    fn all(clocks: &mut Clocks) -> Vec<ClockId> {
        let mut all = Vec::new();
        for time in 0..27 {
            let digits = [time % 3, time / 3 % 3, time / 9];
            let set = digits.iter().enumerate().filter(|(_, time)| **time > 0);
            all.push(set.fold(ClockId::default(), |clock, (slot, time)| clocks.with(clock, slot, *time)));
        }
        all
    }

    #[test]
    fn a_join_is_the_maximum_and_shares_what_it_can() {
        let mut clocks = Clocks::default();
        let all = all(&mut clocks);
        for &left in &all {
            for &right in &all {
                let joined = clocks.join(left, right);
                for slot in 0..4 {
                    assert_eq!(clocks.get(joined, slot), clocks.get(left, slot).max(clocks.get(right, slot)));
                }
                assert_eq!(joined == left, clocks.is_below(right, left));
            }
        }
    }

    #[test]
    fn the_clocks_that_have_seen_a_time_are_raised_and_no_others() {
        for time in 1..3 {
            let mut clocks = Clocks::default();
            let all = all(&mut clocks);
            let high = clocks.with(all[9], 0, 2);
            let before: Vec<u64> = all.iter().map(|clock| clocks.get(*clock, 0)).collect();
            clocks.raise(0, time, high);
            for (clock, before) in all.iter().zip(before) {
                let is_raised = before >= time;
                assert_eq!(clocks.get(*clock, 0), if is_raised { 2 } else { before });
                assert!(!is_raised || clocks.get(*clock, 2) >= clocks.get(high, 2));
            }
        }
    }

    #[test]
    fn a_collected_clock_is_reused_and_a_used_one_is_left_alone() {
        let mut clocks = Clocks::default();
        let mut kept = clocks.with(ClockId::default(), 1, 7);
        let before = kept;
        for time in 1..5000 {
            clocks.with(kept, 0, time);
            if clocks.is_full() {
                clocks.collect([&mut kept].into_iter(), &[NONE, 7]);
            }
        }
        assert!(clocks.clocks.len() <= FEW && kept == before);
        assert_eq!((clocks.get(kept, 0), clocks.get(kept, 1)), (0, 7));
        assert_eq!(clocks.get(ClockId::default(), 1), 0);
    }

    #[test]
    fn a_clock_that_has_seen_no_running_transaction_is_the_clock_of_nothing() {
        let mut clocks = Clocks::default();
        let first = clocks.with(ClockId::default(), 1, 7);
        let second = clocks.with(first, 0, 9);
        for (starts, expected) in [
            (&[9, 8][..], [ClockId::default(), second]),
            (&[10, 7], [first, second]),
            (&[NONE, 8], [ClockId::default(); 2]),
            (&[10], [ClockId::default(); 2]),
        ] {
            let mut names = [first, second];
            clocks.collect(names.iter_mut(), starts);
            assert_eq!(names, expected, "{starts:?}");
            clocks.free.clear();
        }
    }
}
