//! Vector clocks with one component per running transaction.
//!
//! A component is a *slot*: a transaction takes one at its begin and gives it back at its end, so a clock has as many
//! components as transactions ever ran at the same time, however many threads come and go. Timestamps must grow along
//! the whole execution; then what a clock says of an earlier holder of a slot is below the begin of the present one and
//! means nothing, as it should: only running transactions can be violated.
//!
//! Clocks are values that many events share. They live in one store, are named by [`ClockId`], change only all together
//! ([`Clocks::raise`]), and are reclaimed by marking from whoever still holds names ([`Clocks::collect`]).

pub(crate) mod cycles;
pub(crate) mod transactional;

use crate::graph::accesses::at;

/// Names one clock of a [`Clocks`]. The default is the clock of nothing, in which every component is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockId(u32);

/// The store of clocks.
pub struct Clocks {
    clocks: Vec<Vec<u64>>,
    free: Vec<ClockId>,
    /// Collect when this many are in use.
    threshold: usize,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { clocks: vec![Vec::new()], free: Vec::new(), threshold: 1024 }
    }
}

impl Clocks {
    /// The component of a clock.
    #[inline]
    pub fn get(&self, clock: ClockId, slot: usize) -> u64 {
        self.clocks[clock.0 as usize].get(slot).copied().unwrap_or(0)
    }

    /// A new clock: `clock` with one component set.
    pub fn with(&mut self, clock: ClockId, slot: usize, time: u64) -> ClockId {
        let new = self.copy(clock);
        *at(&mut self.clocks[new.0 as usize], slot) = time;
        new
    }

    /// The join of two clocks: `left` itself if `right` is not above it anywhere, otherwise a new clock.
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

    /// Joins `clock` into every clock whose component `slot` is at least `time`, whoever holds its name.
    pub fn raise(&mut self, slot: usize, time: u64, clock: ClockId) {
        let raised = std::mem::take(&mut self.clocks[clock.0 as usize]);
        for components in &mut self.clocks {
            if components.get(slot).is_some_and(|seen| *seen >= time) {
                join_into(components, &raised);
            }
        }
        self.clocks[clock.0 as usize] = raised;
    }

    /// The slots in which a clock is not 0.
    pub fn slots(&self, clock: ClockId) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.clocks[clock.0 as usize].iter().copied().enumerate().filter(|(_, time)| *time != 0)
    }

    /// True if it is time to [`Clocks::collect`].
    #[inline]
    pub fn is_full(&self) -> bool {
        self.clocks.len() - self.free.len() >= self.threshold
    }

    /// Takes back every clock that is not among `used`. Costs a pass over all names that are in use; done when the
    /// number of clocks has doubled since the last time, so a constant share of the cost of making them.
    pub fn collect(&mut self, used: impl Iterator<Item = ClockId>) {
        let mut is_used = vec![false; self.clocks.len()];
        is_used[0] = true;
        used.for_each(|clock| is_used[clock.0 as usize] = true);
        self.free.clear();
        for (index, is_used) in is_used.iter().enumerate() {
            if !is_used {
                self.free.push(ClockId(u32::try_from(index).expect("indices were made from u32")));
            }
        }
        self.threshold = 1024.max(2 * (self.clocks.len() - self.free.len()));
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

    /// Every clock of three components up to 2, none longer than it has to be.
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
        let kept = clocks.with(ClockId::default(), 1, 7);
        for time in 1..5000 {
            clocks.with(kept, 0, time);
            if clocks.is_full() {
                clocks.collect([kept].into_iter());
            }
        }
        assert!(clocks.clocks.len() <= 1024);
        assert_eq!((clocks.get(kept, 0), clocks.get(kept, 1)), (0, 7));
        assert_eq!(clocks.get(ClockId::default(), 1), 0);
    }
}
