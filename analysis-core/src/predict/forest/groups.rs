//! Inter-edges between groups of leaves instead of single leaves.
//!
//! The commit-node report, Figures 3 and 5. Whether two leaves are connected, and at which nodes, depends on little:
//! their periods, their locks, and, in the view-forest, what their units write before or after. So the leaves of a
//! variable fall into few groups, and edges connect groups: the work does not grow with the square of the accesses.
//!
//! # Where we differ
//! 1. In the view-forest a write is no potential write-predecessor of a read under a common lock if its own unit
//!    overwrites it before it frees that lock. The unit's later write has the same edge.
//! 2. Each write outside transactions is "unit-final", since nothing keeps such writes together.
//! 3. The conflict-forest need not consider writes that precede a read: such a write is connected to the same nodes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Interaction;
use super::trees::{Trees, span_of};
use crate::event::{LockId, ThreadId, VarId};
use crate::predict::Execution;
use crate::predict::budget::{Budget, Exhausted};
use crate::predict::escape::Access;
use crate::predict::ids::{At, PeriodId, UnitId};

/// A group of leaves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(pub u32);

impl GroupId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the leaves of a group have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    var: VarId,
    period: PeriodId,
    is_write: bool,
    /// Outermost first.
    locks: Vec<LockId>,
    /// By lock: whether the hold contains no earlier write of the unit (for a read), or no later one (for a write).
    open: u64,
    /// Whether it can be the last write of its unit.
    is_final: bool,
}

/// A leaf of a group.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its unit.
    pub unit: UnitId,
    /// The first event: the access, or the acquire of a loose lock.
    pub at: At,
    /// The last event: the access, or the release.
    pub end: At,
}

/// Leaves with the same connections.
pub struct Group {
    key: Key,
    /// Their thread.
    pub thread: ThreadId,
    /// The leaves in program order.
    pub members: Vec<Member>,
    /// The groups with which they have inter-edges.
    pub partners: Vec<GroupId>,
}

impl Group {
    /// Returns the locks that are held at the leaves.
    pub fn locks(&self) -> &[LockId] {
        &self.key.locks
    }
}

/// The groups of all leaves.
pub struct Groups {
    list: Vec<Group>,
    /// The group of each leaf.
    of_leaf: Vec<GroupId>,
}

impl Groups {
    /// Groups the leaves of `trees` and connects the groups.
    pub fn new(
        execution: &Execution,
        trees: &Trees,
        interaction: Interaction,
        budget: &mut Budget,
    ) -> Result<Groups, Exhausted> {
        let leaves = trees.leaves();
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by_key(|index| (leaves[*index].var, leaves[*index].unit, leaves[*index].at));
        let mut build = Build {
            execution,
            interaction,
            ids: FxHashMap::default(),
            groups: Groups { list: Vec::new(), of_leaf: vec![GroupId(0); leaves.len()] },
            own: FxHashSet::default(),
        };
        for of_var in order.chunk_by(|a, b| leaves[*a].var == leaves[*b].var) {
            let start = build.groups.list.len();
            for run in of_var.chunk_by(|a, b| leaves[*a].unit == leaves[*b].unit) {
                build.add(run, leaves);
            }
            build.connect(start, budget)?;
        }
        Ok(build.groups)
    }

    /// Returns the group with this id.
    pub fn get(&self, group: GroupId) -> &Group {
        &self.list[group.index()]
    }

    /// Returns the group of the leaf at this index.
    pub fn of_leaf(&self, leaf: usize) -> GroupId {
        self.of_leaf[leaf]
    }

    /// Returns the number of connected pairs of groups.
    pub fn edges(&self) -> u64 {
        self.list.iter().map(|group| group.partners.len() as u64).sum::<u64>() / 2
    }
}

struct Build<'a> {
    execution: &'a Execution,
    interaction: Interaction,
    ids: FxHashMap<Key, GroupId>,
    groups: Groups,
    /// Pairs of a group of reads and the group of the writes that precede them in their units.
    own: FxHashSet<(GroupId, GroupId)>,
}

impl Build<'_> {
    /// Adds the leaves of one unit and one variable, as indices in program order.
    fn add(&mut self, run: &[usize], leaves: &[Access]) {
        let unit = leaves[run[0]].unit;
        let is_transaction = self.execution.units.get(unit).is_transaction();
        let mut previous: Option<(At, GroupId)> = None;
        for (position, &index) in run.iter().enumerate() {
            let leaf = &leaves[index];
            let mut later = run[position + 1..].iter().map(|index| &leaves[*index]);
            let next = later.find(|later| later.is_write).map(|later| later.at);
            let neighbour = if leaf.is_write { next } else { previous.map(|(at, _)| at) };
            let is_final = next.is_none() || !is_transaction;
            let group = self.group(self.key(leaf, neighbour, is_final));
            self.groups.of_leaf[index] = group;
            let member = Member { unit, at: leaf.at, end: end_of(leaf, self.execution) };
            self.groups.list[group.index()].members.push(member);
            match previous {
                Some((_, write)) if !leaf.is_write => _ = self.own.insert((group, write)),
                _ => {}
            }
            if leaf.is_write {
                previous = Some((leaf.at, group));
            }
        }
    }

    /// Returns the key of a leaf. `neighbour` is the write of the unit that comes before a read or after a write.
    fn key(&self, leaf: &Access, neighbour: Option<At>, is_final: bool) -> Key {
        let Execution { holds, units, .. } = self.execution;
        let (mut open, mut final_write) = (0, false);
        if self.interaction == Interaction::View {
            for (bit, &hold) in holds.in_context(leaf.context).iter().enumerate().take(64) {
                let span = span_of(hold, leaf.unit, self.execution);
                let contains = neighbour.is_some_and(|at| span.first <= at && at <= span.last);
                open |= u64::from(!contains) << bit;
            }
            final_write = leaf.is_write && is_final;
        }
        Key {
            var: leaf.var,
            period: units.get(leaf.unit).period,
            is_write: leaf.is_write,
            locks: holds.locks(leaf.context).collect(),
            open,
            is_final: final_write,
        }
    }

    fn group(&mut self, key: Key) -> GroupId {
        let list = &mut self.groups.list;
        *self.ids.entry(key).or_insert_with_key(|key| {
            let thread = self.execution.periods.thread(key.period);
            list.push(Group { key: key.clone(), thread, members: Vec::new(), partners: Vec::new() });
            GroupId(u32::try_from(list.len() - 1).expect("fewer than 2^32 groups"))
        })
    }

    /// Connects the groups of one variable: those from `start` on.
    fn connect(&mut self, start: usize, budget: &mut Budget) -> Result<(), Exhausted> {
        let list = &mut self.groups.list;
        let count = list.len();
        let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
        let is_lock = list.get(start).is_some_and(|group| group.key.var.0 >= self.execution.vars);
        let all_conflicts = self.interaction == Interaction::Conflict || is_lock;
        for a in start..count {
            budget.spend((count - a) as u64)?;
            for b in a + 1..count {
                let (one, other) = (&list[a].key, &list[b].key);
                let relates = if all_conflicts { one.is_write || other.is_write } else { sees(one, other) };
                if relates && self.execution.periods.are_concurrent(one.period, other.period) {
                    pairs.insert((a, b));
                }
            }
        }
        if !all_conflicts {
            self.connect_predecessors(start, &mut pairs, budget)?;
        }
        let list = &mut self.groups.list;
        for (a, b) in pairs {
            list[a].partners.push(GroupId(u32::try_from(b).expect("a group")));
            list[b].partners.push(GroupId(u32::try_from(a).expect("a group")));
        }
        list[start..].iter_mut().for_each(|group| group.partners.sort_unstable());
        Ok(())
    }

    /// Figure 5: connects the potential write-predecessors of a read with each other, including the one in its own
    /// unit.
    fn connect_predecessors(
        &self,
        start: usize,
        pairs: &mut FxHashSet<(usize, usize)>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let list = &self.groups.list;
        let mut sources: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); list.len() - start];
        for &(a, b) in pairs.iter() {
            for (read, write) in [(a, b), (b, a)] {
                if !list[read].key.is_write && list[write].key.is_write {
                    sources[read - start].insert(write);
                }
            }
        }
        for &(read, write) in self.own.iter().filter(|(read, _)| read.index() >= start) {
            if !sources[read.index() - start].is_empty() {
                sources[read.index() - start].insert(write.index());
            }
        }
        for sources in sources {
            budget.spend((sources.len() * sources.len()) as u64)?;
            for &a in &sources {
                for &b in sources.iter().filter(|b| **b > a) {
                    if self.execution.periods.are_concurrent(list[a].key.period, list[b].key.period) {
                        pairs.insert((a, b));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the last event of a leaf: for a loose lock, its release.
pub(super) fn end_of(leaf: &Access, execution: &Execution) -> At {
    let hold = execution.holds.in_context(leaf.context).first().filter(|_| leaf.var.0 >= execution.vars);
    hold.map_or(leaf.at, |hold| span_of(*hold, leaf.unit, execution).last)
}

/// Returns whether one is a read that can read what the other writes, or both are unit-final writes.
fn sees(one: &Key, other: &Key) -> bool {
    match (one.is_write, other.is_write) {
        (true, true) => one.is_final && other.is_final,
        (false, true) => can_read(one, other),
        (true, false) => can_read(other, one),
        (false, false) => false,
    }
}

/// Returns whether a read can read the value of a write. A common lock prevents it if the read's hold of the lock
/// contains an earlier write of its own unit, or the write's hold a later one (1).
fn can_read(read: &Key, write: &Key) -> bool {
    let is_open = |key: &Key, place: usize| place >= 64 || key.open >> place & 1 == 1;
    let Some(outermost) = read.locks.iter().position(|lock| write.locks.contains(lock)) else { return true };
    let same = write.locks.iter().position(|lock| *lock == read.locks[outermost]).expect("a common lock");
    is_open(read, outermost) && is_open(write, same)
}
