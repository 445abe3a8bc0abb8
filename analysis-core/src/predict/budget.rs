//! How much work an analysis may do before it has to say that it did not finish.

/// The work that is left.
#[derive(Clone, Copy, Debug)]
pub struct Budget(u64);

/// There was not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl Budget {
    /// No limit.
    pub fn unlimited() -> Budget {
        Budget(u64::MAX)
    }

    /// This many steps.
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
