//! The findings, grouped as they are found, because a long run cannot keep every violation.
//!
//! A violated block is counted when it ends, because only then is it known whether its thread waited for others inside.
//! For each method the first violation is kept with its witness.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use analysis_core::event::{LabelId, Stamp};
use analysis_core::report::{Kind, Provoked, Witness};
use rustc_hash::FxHashMap;

/// How a violation came about, saved while the details are known.
#[derive(Clone)]
pub(crate) struct Frozen {
    pub(crate) kind: Kind,
    pub(crate) witness: Witness,
    /// Where its thread was then, the innermost frame first; empty if that is not known.
    pub(crate) stack: Vec<String>,
    /// The hold by which it was provoked, if it was.
    pub(crate) provoked: Option<Provoked>,
}

impl Frozen {
    /// True if no events are known that show the violation.
    fn is_bare(&self) -> bool {
        self.witness.edges.is_empty()
    }
}

/// An open block that is violated.
#[derive(Clone)]
pub(crate) struct Violated {
    /// The event that shows it.
    pub(crate) event: u64,
    /// The event in between, of another thread unless an engine only warns.
    pub(crate) other: Stamp,
    pub(crate) depth: u32,
    /// Kept for the first violation of a method.
    pub(crate) frozen: Option<Box<Frozen>>,
    /// The finding that the same event led to: the method of a block inside this one.
    pub(crate) finding: Option<LabelId>,
    /// The scope for which its thread worked then, or the one around it that had not ended; 0 if there was none.
    pub(crate) scope: u32,
}

/// The violated instances of one method.
pub(crate) struct Group {
    /// How many there are.
    pub(crate) count: u64,
    /// How many of them were the innermost violated block of an event.
    pub(crate) innermost: u64,
    /// The rank of the method in the order of first violations.
    pub(crate) order: usize,
    pub(crate) first: Frozen,
    /// Violated blocks around them: depth and method, and how often.
    pub(crate) enclosing: BTreeMap<(u32, LabelId), u64>,
}

/// Groups by method.
pub(crate) type Groups = FxHashMap<LabelId, Group>;

/// All findings.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) violations: Groups,
    /// Blocks in which their thread waited, if those are listed apart.
    pub(crate) waits_inside: Groups,
    /// The first cycle.
    pub(crate) cycle: Option<Witness>,
}

impl Tally {
    /// True if a violation of this method needs a witness.
    pub(crate) fn wants_witness(&self, label: LabelId, has_waited: bool) -> bool {
        let is_shown = |group: &Group| !group.first.is_bare();
        !self.violations.contains_key(&label) || (has_waited && !self.waits_inside.get(&label).is_some_and(is_shown))
    }

    /// Counts a violated block that has ended. Returns the finding that its event now belongs to.
    pub(crate) fn settle(&mut self, label: LabelId, violated: Violated, waits: bool, bare: Frozen) -> Option<LabelId> {
        let Violated { depth, frozen, finding, .. } = violated;
        let groups = if waits { &mut self.waits_inside } else { &mut self.violations };
        let order = groups.len();
        let first = frozen.map_or(bare, |frozen| *frozen);
        let group = match groups.entry(label) {
            Entry::Occupied(group) => {
                let group = group.into_mut();
                // The first began to wait only after it was violated.
                if group.first.is_bare() && !first.is_bare() {
                    group.first = first;
                }
                group
            }
            Entry::Vacant(group) => {
                group.insert(Group { count: 0, innermost: 0, order, first, enclosing: BTreeMap::new() })
            }
        };
        group.count += 1;
        if waits {
            group.innermost += 1;
            return finding;
        }
        match finding {
            None => {
                group.innermost += 1;
                Some(label)
            }
            Some(inner) => {
                if let Some(inner) = groups.get_mut(&inner) {
                    *inner.enclosing.entry((depth, label)).or_default() += 1;
                }
                finding
            }
        }
    }

    /// The same of one that is open, as if it ended now.
    pub(crate) fn settle_open(&mut self, label: LabelId, violated: Violated, waits: bool) -> Option<LabelId> {
        let groups = if waits { &self.waits_inside } else { &self.violations };
        // The first of its method brings its own witness.
        let known = groups.get(&label).map(|group| group.first.clone());
        let first = violated.frozen.as_deref().cloned().or(known)?;
        self.settle(label, violated, waits, first)
    }
}
