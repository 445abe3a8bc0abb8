//! A set of small numbers, as bits.

/// A growing set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Adds `index`.
    pub fn insert(&mut self, index: usize) {
        let word = index / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (index % 64);
    }

    /// True if `index` was added.
    pub fn contains(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Takes `index` out, and says whether it was in.
    pub fn remove(&mut self, index: usize) -> bool {
        let is_in = self.contains(index);
        if is_in {
            self.words[index / 64] &= !(1 << (index % 64));
        }
        is_in
    }

    /// Adds all of `other`, and says whether any of it was new.
    pub fn union(&mut self, other: &BitSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = 0;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            new |= theirs & !*mine;
            *mine |= theirs;
        }
        new != 0
    }

    /// Takes everything out, and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// True if nothing is in.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// True if all of it is in `other`.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        let theirs = other.words.iter().copied().chain(std::iter::repeat(0));
        self.words.iter().zip(theirs).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors((bits != 0).then_some(bits), |left| {
                let rest = left & (left - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |left| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order_and_unions_hold_both() {
        let mut evens = BitSet::default();
        let mut threes = BitSet::default();
        (0..200).filter(|i| i % 2 == 0).for_each(|i| evens.insert(i));
        (0..500).filter(|i| i % 3 == 0).for_each(|i| threes.insert(i));
        assert_eq!(evens.iter().collect::<Vec<_>>(), (0..200).step_by(2).collect::<Vec<_>>());
        evens.union(&threes);
        for i in 0..600 {
            assert_eq!(evens.contains(i), (i < 200 && i % 2 == 0) || (i < 500 && i % 3 == 0), "{i}");
        }
    }

    #[test]
    fn what_is_removed_is_out_and_only_new_members_count_as_new() {
        let (mut few, mut many) = (BitSet::default(), BitSet::default());
        few.insert(70);
        assert!(many.union(&few) && !many.union(&few));
        many.insert(3);
        assert!(few.is_subset(&many) && !many.is_subset(&few));
        assert!(many.remove(70) && !many.remove(70) && !many.remove(700));
        assert!(!few.is_subset(&many) && !many.is_empty());
        assert!(many.remove(3) && many.is_empty() && many.is_subset(&few));
        few.clear();
        assert!(few.is_empty() && !few.contains(70));
    }
}
