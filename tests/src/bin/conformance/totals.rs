//! Totals: the number of traces of each family that were checked, and how much there was to find in them.

use std::collections::BTreeMap;
use std::fmt;

use regiontrack_tests::compare::Answer;
use regiontrack_tests::generate::{CONFORMANCE, Family};

/// Totals by family name.
#[derive(Default)]
pub(crate) struct FamilyTotals {
    families: BTreeMap<&'static str, Totals>,
}

#[derive(Clone, Copy, Default)]
struct Totals {
    traces: u64,
    non_serializable: u64,
    blame_nobody: u64,
    violated_blocks: u64,
    inner_blocks: u64,
}

impl FamilyTotals {
    /// Counts one trace by its right answer.
    pub(crate) fn count(&mut self, family: &Family, right: &Answer) {
        let totals = self.families.entry(family.name).or_default();
        totals.traces += 1;
        totals.non_serializable += u64::from(right.first_event.is_some());
        totals.blame_nobody += u64::from(right.first_event.is_some() && right.violated.is_empty());
        totals.violated_blocks += right.violated.len() as u64;
        totals.inner_blocks += right.violated.iter().filter(|blame| blame.depth > 0).count() as u64;
    }

    /// Adds the counts of another instance.
    pub(crate) fn add(&mut self, other: &FamilyTotals) {
        for (family, totals) in &other.families {
            self.families.entry(family).or_default().add(totals);
        }
    }
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.traces += other.traces;
        self.non_serializable += other.non_serializable;
        self.blame_nobody += other.blame_nobody;
        self.violated_blocks += other.violated_blocks;
        self.inner_blocks += other.inner_blocks;
    }

    fn write(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { traces, non_serializable, blame_nobody, violated_blocks, inner_blocks } = self;
        writeln!(
            f,
            "{name:14} {traces:>10} {non_serializable:>17} {blame_nobody:>13} {violated_blocks:>16} {inner_blocks:>10}"
        )
    }
}

impl fmt::Display for FamilyTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:14} {:>10} {:>17} {:>13} {:>16} {:>10}",
            "family", "traces", "non-serializable", "blame nobody", "violated blocks", "inner ones"
        )?;
        let mut all = Totals::default();
        for (name, totals) in CONFORMANCE.iter().filter_map(|family| self.families.get_key_value(family.name)) {
            totals.write(name, f)?;
            all.add(totals);
        }
        all.write("all", f)
    }
}
