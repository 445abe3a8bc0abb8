//! Random numbers that are the same on every platform.

use std::ops::RangeInclusive;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A seeded source of small random numbers.
pub(crate) struct Dice {
    generator: Pcg32,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice { generator: Pcg32::seed_from_u64(seed) }
    }

    /// Returns a number less than `bound`. The bias of at most `bound / 2^32` does not matter here.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.generator.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    pub(crate) fn within(&mut self, range: &RangeInclusive<u32>) -> u32 {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// Returns true with a chance of `percent` in a hundred.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// Returns an index into `weights`, with a chance proportional to its weight.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().sum());
        weights
            .iter()
            .position(|&weight| {
                left < weight || {
                    left -= weight;
                    false
                }
            })
            .expect("some weight is not zero")
    }
}
