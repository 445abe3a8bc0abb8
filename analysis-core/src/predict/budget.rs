//! How much work an analysis may do before it must report that it did not finish.

/// The remaining work, in steps.
#[derive(Clone, Copy, Debug)]
pub struct Budget(u64);

/// The budget was not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl Budget {
    /// Returns a budget without limit.
    pub fn unlimited() -> Budget {
        Budget(u64::MAX)
    }

    /// Returns a budget of this many steps.
    pub fn of(steps: u64) -> Budget {
        Budget(steps)
    }

    /// Uses up `steps`.
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        self.0 = self.0.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_gone() {
        let mut budget = Budget::of(3);
        assert_eq!((budget.spend(2), budget.spend(1), budget.spend(1)), (Ok(()), Ok(()), Err(Exhausted)));
    }
}
