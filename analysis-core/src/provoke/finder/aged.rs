//! A table that forgets: an entry that was not asked for during two ages is gone.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A table in two halves: what was asked for in this age, and what only in the one before it.
pub(super) struct Aged<K, V> {
    young: FxHashMap<K, V>,
    old: FxHashMap<K, V>,
}

/// A table with more capacity is not kept when it is cleared, because clearing takes time in proportion to it.
const LARGE: usize = 1 << 10;

impl<K, V> Default for Aged<K, V> {
    fn default() -> Aged<K, V> {
        Aged { young: FxHashMap::default(), old: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, V: Default> Aged<K, V> {
    /// The value of a key, a new one if it is not known.
    pub(super) fn entry(&mut self, key: K) -> &mut V {
        let Aged { young, old } = self;
        young.entry(key).or_insert_with(|| old.remove(&key).unwrap_or_default())
    }

    /// The value of a key, if it is known.
    pub(super) fn get(&mut self, key: K) -> Option<&V> {
        if let Some(value) = self.old.remove(&key) {
            self.young.insert(key, value);
        }
        self.young.get(&key)
    }

    /// Begins a new age.
    pub(super) fn age(&mut self) {
        self.old = std::mem::take(&mut self.young);
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        for half in [&mut self.young, &mut self.old] {
            if half.capacity() > LARGE {
                *half = FxHashMap::default();
            } else {
                half.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asks_for_during_two_ages_is_gone() {
        let mut table: Aged<u32, u32> = Aged::default();
        *table.entry(1) = 10;
        *table.entry(2) = 20;
        table.age();
        assert_eq!(*table.entry(1), 10);
        assert_eq!(table.get(3), None);
        table.age();
        assert_eq!(table.get(1), Some(&10));
        assert_eq!(table.get(2), None);
        table.clear();
        assert_eq!(*table.entry(1), 0);
    }
}
