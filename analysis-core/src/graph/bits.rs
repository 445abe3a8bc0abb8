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

    /// Adds all of `other`.
    pub fn union(&mut self, other: &BitSet) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
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
}
