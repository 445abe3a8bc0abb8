//! The locks that a thread holds.

use std::sync::Arc;

use super::step::Site;

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) lock: u32,
    /// Others may hold it in the same way.
    pub(super) is_shared: bool,
    /// Where it was taken.
    pub(super) site: Option<Site>,
}

/// Locks in the order in which they were taken. They are compared by address where they can be.
pub(super) type Locks = Arc<[Held]>;

/// True if a thread that holds `ones` keeps another one from holding `others`.
pub(super) fn exclude(ones: &[Held], others: &[Held]) -> bool {
    ones.iter().any(|one| others.iter().any(|other| one.lock == other.lock && !(one.is_shared && other.is_shared)))
}

/// True if two lists are equal.
pub(super) fn are_equal(one: &Locks, other: &Locks) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// What a thread holds now.
pub(super) struct Holding {
    /// The locks, with how many releases free each; 0 for a section that has written nothing so far.
    open: Vec<(Held, u32)>,
    all: Locks,
}

impl Default for Holding {
    fn default() -> Holding {
        Holding { open: Vec::new(), all: Arc::new([]) }
    }
}

impl Holding {
    pub(super) fn all(&self) -> Locks {
        Arc::clone(&self.all)
    }

    /// Takes a lock. True if it was not held.
    pub(super) fn acquire(&mut self, held: Held) -> bool {
        if let Some((_, count)) = self.open.iter_mut().find(|(open, _)| open.lock == held.lock) {
            *count += 1;
            return false;
        }
        self.open.push((held, 1));
        self.changed();
        true
    }

    /// Gives up a lock. True if it is no longer held.
    pub(super) fn release(&mut self, lock: u32) -> bool {
        let Some(index) = self.open.iter().position(|(open, _)| open.lock == lock) else { return false };
        let count = &mut self.open[index].1;
        *count = count.saturating_sub(1);
        if *count > 0 {
            return false;
        }
        self.open.remove(index);
        self.changed();
        true
    }

    /// Enters or leaves a section that has written nothing. Returns whether the thread has entered it; `None` if it holds the lock
    /// otherwise.
    pub(super) fn look(&mut self, held: Held) -> Option<bool> {
        match self.open.iter().find(|(open, _)| open.lock == held.lock) {
            Some((_, 0)) => self.release(held.lock).then_some(false),
            Some(_) => None,
            None => {
                self.open.push((held, 0));
                self.changed();
                Some(true)
            }
        }
    }

    fn changed(&mut self) {
        self.all = self.open.iter().map(|(held, _)| *held).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(lock: u32, is_shared: bool) -> Held {
        Held { lock, is_shared, site: None }
    }

    fn locks(holding: &Holding) -> Vec<u32> {
        holding.all().iter().map(|held| held.lock).collect()
    }

    #[test]
    fn a_lock_that_is_taken_again_is_held_until_the_last_release() {
        let mut holding = Holding::default();
        assert!(holding.acquire(held(1, false)) && !holding.acquire(held(1, false)) && holding.acquire(held(2, false)));
        assert!(!holding.release(1));
        assert_eq!(locks(&holding), [1, 2]);
        assert!(holding.release(1) && !holding.release(1));
        assert_eq!(locks(&holding), [2]);
    }

    #[test]
    fn a_section_that_writes_nothing_ends_where_it_looks_again() {
        let mut holding = Holding::default();
        assert_eq!(holding.look(held(1, false)), Some(true));
        assert_eq!(locks(&holding), [1]);
        assert_eq!(holding.look(held(1, false)), Some(false));
        assert!(locks(&holding).is_empty());
    }

    #[test]
    fn a_section_that_looks_and_then_writes_is_one() {
        let mut holding = Holding::default();
        assert_eq!(holding.look(held(1, false)), Some(true));
        assert!(!holding.acquire(held(1, false)));
        assert_eq!(holding.look(held(1, false)), None);
        assert!(holding.release(1));
    }

    #[test]
    fn what_both_share_excludes_nobody() {
        assert!(exclude(&[held(1, false)], &[held(2, false), held(1, true)]));
        assert!(!exclude(&[held(1, true)], &[held(1, true)]) && !exclude(&[held(1, false)], &[held(2, false)]));
    }
}
