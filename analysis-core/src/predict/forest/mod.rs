//! Access forests: where transactions can interact, and whether they have one commit node.
//!
//! The commit-node report, sections 3 and 4. *Inter-edges* connect nodes of the access trees of concurrent units: for
//! two accesses that interact, the outermost synchronized blocks of a common lock, or the accesses themselves. Nodes
//! with inter-edges are *communication nodes*, the innermost of them *commit nodes*. A transaction with one commit node
//! can be moved there as a whole; if there are two, what they communicate with may come between them.
//!
//! # Where we differ
//! 1. A node is the span of the unit between its first and its last event. "One commit node" then means that all
//!    communication nodes have an event in common. That is the same for blocks that nest, and it suffices for the proof
//!    of Theorem 4.1 if locks do not nest.
//! 2. Theorem 4.3 treats each thread as one unit: as printed it is wrong if a thread has several, whose order no
//!    schedule changes. `t: R(x) R(y)`; another thread: first `W(x)`, then `W(y)` in another transaction. The schedule
//!    `t.R(x) W(x) W(y) t.R(y)` has no equivalent serial trace, and the forest has no cycle. Here a path also goes from
//!    a unit to those that follow it in its thread, or by starts and joins.
//! 3. On a cycle that makes a schedule non-serializable, some transaction is left earlier than it is entered (otherwise
//!    the points at which each is entered and left would increase forever). So only those pairs count whose earlier
//!    node starts a path that ends at the later one. Inter-edges are followed in both directions, program order is not.
//! 4. Events outside transactions may hold locks: holds of loose locks are connected like writes.
//! 5. Theorems 4.2 and 4.5 are exact only if locks nest. Suppose a transaction is left in a hold of one lock and
//!    entered after it, under another lock that it has held since then. Then the other transaction has to pass a hold
//!    of that lock without accesses, and such a hold is in no tree. If locks nest, the other transaction is not atomic
//!    in this case, or the two can deadlock.

mod groups;
mod trees;
pub mod verdict;

pub use groups::{Group, GroupId, Groups, Member};
pub use trees::{Span, Thrift, Trees, span_of};

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Execution;
use super::budget::{Budget, Exhausted};
use super::ids::{At, UnitId};
use crate::event::ThreadId;

/// Which accesses interact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interaction {
    /// Those that conflict: for conflict-atomicity.
    Conflict,
    /// Accesses that can change what is read, or the final value: for view-atomicity.
    View,
}

/// An access forest.
pub struct Forest<'a> {
    execution: &'a Execution,
    trees: Trees,
    groups: Groups,
}

/// A communication node with one of its inter-edges.
#[derive(Clone, Copy, Debug)]
pub struct Communication {
    /// The node.
    pub span: Span,
    /// The access in the node.
    pub access: At,
    /// The group that it is connected with.
    pub partner: GroupId,
}

/// Two nodes of a transaction that are connected by a path outside it.
#[derive(Clone, Debug)]
pub struct Split {
    /// The earlier node.
    pub leave: Communication,
    /// The later node.
    pub enter: Communication,
    /// The accesses on the path, as pairs `(a, b)` where `a` has to come before `b`.
    pub path: Vec<(At, At)>,
}

impl<'a> Forest<'a> {
    /// Builds the forest of an execution.
    pub fn new(
        execution: &'a Execution,
        interaction: Interaction,
        thrift: Thrift,
        budget: &mut Budget,
    ) -> Result<Forest<'a>, Exhausted> {
        let trees = Trees::new(execution, thrift);
        let groups = Groups::new(execution, &trees, interaction, budget)?;
        Ok(Forest { execution, trees, groups })
    }

    /// Returns the transactions that have trees.
    pub fn transactions(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.trees.units().filter(|unit| self.execution.units.get(*unit).is_transaction())
    }

    /// Returns the trees.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// Returns the number of nodes and inter-edges.
    pub fn size(&self) -> u64 {
        self.trees.leaves().len() as u64 + self.groups.edges()
    }

    /// Returns the communication nodes of a unit, one for each node and thread that it communicates with.
    pub fn communications(&self, unit: UnitId, budget: &mut Budget) -> Result<Vec<Communication>, Exhausted> {
        let mut known: FxHashSet<(Span, GroupId)> = FxHashSet::default();
        let mut list = Vec::new();
        for index in self.trees.range(unit) {
            let partners = &self.groups.get(self.groups.of_leaf(index)).partners;
            budget.spend(partners.len() as u64)?;
            for &partner in partners {
                let span = self.node(index, partner);
                if known.insert((span, partner)) {
                    list.push(Communication { span, access: self.trees.leaves()[index].at, partner });
                }
            }
        }
        Ok(list)
    }

    /// Returns the node at which a leaf is connected with a group: its outermost block of a lock that the group holds.
    fn node(&self, leaf: usize, partner: GroupId) -> Span {
        let leaf = &self.trees.leaves()[leaf];
        let (holds, locks) = (&self.execution.holds, self.groups.get(partner).locks());
        let common = holds.in_context(leaf.context).iter().find(|hold| locks.contains(&holds.get(**hold).lock));
        common.map_or(Span { first: leaf.at, last: leaf.at }, |hold| span_of(*hold, leaf.unit, self.execution))
    }

    /// Theorems 4.1 and 4.4: returns whether all communication nodes have an event in common (1).
    pub fn has_one_commit_node(communications: &[Communication]) -> bool {
        let first = communications.iter().map(|node| node.span.first).max();
        let last = communications.iter().map(|node| node.span.last).min();
        first <= last || communications.is_empty()
    }

    /// Theorems 4.2 and 4.5: returns two disjoint nodes that communicate with the same unit; outside transactions, with
    /// events in the same order.
    pub fn split_by_one(&self, nodes: &[Communication], budget: &mut Budget) -> Result<Option<Split>, Exhausted> {
        let mut by_unit: FxHashMap<UnitId, Vec<(Communication, Member)>> = FxHashMap::default();
        for node in nodes {
            let members = &self.groups.get(node.partner).members;
            budget.spend(members.len() as u64)?;
            for member in members {
                let is_whole = self.execution.units.get(member.unit).is_transaction();
                let of_unit = by_unit.entry(member.unit).or_default();
                let splits = |(known, other): &&(Communication, Member)| {
                    let is_forward =
                        if known.span < node.span { other.at <= member.end } else { member.at <= other.end };
                    !known.span.meets(&node.span) && (is_whole || is_forward)
                };
                if let Some((known, other)) = of_unit.iter().find(splits) {
                    return Ok(Some(split((*known, other.at), (*node, member.at))));
                }
                of_unit.push((*node, *member));
            }
        }
        Ok(None)
    }

    /// Returns pairs of disjoint nodes, each pair with accesses of one unit in between, as what has to come before
    /// what. At most `most` of them.
    pub fn splits(
        &self,
        nodes: &[Communication],
        most: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<(At, At)>>, Exhausted> {
        let mut found = Vec::new();
        for (index, one) in nodes.iter().enumerate() {
            for other in nodes[..index].iter().filter(|other| !other.span.meets(&one.span)) {
                let (leave, enter) = if one.span.last < other.span.first { (one, other) } else { (other, one) };
                let back = &self.groups.get(enter.partner).members;
                for first in &self.groups.get(leave.partner).members {
                    budget.spend(1)?;
                    let from = back.partition_point(|known| known.unit < first.unit);
                    for last in back[from..].iter().take_while(|known| known.unit == first.unit) {
                        found.push(vec![(leave.access, first.at), (last.at, enter.access)]);
                        if found.len() == most {
                            return Ok(found);
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// Theorems 4.3 and 4.6: returns two disjoint nodes that lie on a cycle (2, 3).
    pub fn split(
        &self,
        unit: UnitId,
        nodes: &[Communication],
        budget: &mut Budget,
    ) -> Result<Option<Split>, Exhausted> {
        if let Some(split) = self.split_by_thread(nodes, budget)? {
            return Ok(Some(split));
        }
        self.split_by_several(unit, nodes, budget)
    }

    /// Split by one thread: the partner of the earlier node comes first in it, or both partners are in one transaction.
    fn split_by_thread(&self, nodes: &[Communication], budget: &mut Budget) -> Result<Option<Split>, Exhausted> {
        let mut by_thread: FxHashMap<ThreadId, Vec<&Communication>> = FxHashMap::default();
        for node in nodes {
            by_thread.entry(self.groups.get(node.partner).thread).or_default().push(node);
        }
        let mut threads: Vec<_> = by_thread.into_iter().collect();
        threads.sort_unstable_by_key(|(thread, _)| *thread);
        for (_, mut nodes) in threads {
            budget.spend(nodes.len() as u64)?;
            nodes.sort_by_key(|node| node.span.last);
            // Among the nodes up to each, the node whose communication is earliest.
            let mut earliest: Vec<(At, &Communication)> = Vec::with_capacity(nodes.len());
            for node in &nodes {
                let first = self.first_member(node);
                let own = (self.rank(first.unit, first.at), *node);
                let least = earliest.last().filter(|(rank, _)| *rank <= own.0).copied().unwrap_or(own);
                earliest.push(least);
            }
            for enter in &nodes {
                let before = nodes.partition_point(|node| node.span.last < enter.span.first);
                let Some((rank, leave)) = before.checked_sub(1).map(|index| earliest[index]) else { continue };
                let latest = self.last_member(enter);
                if rank <= self.rank(latest.unit, latest.end) {
                    return Ok(Some(self.split_of(leave, enter)));
                }
            }
        }
        Ok(None)
    }

    /// Returns the order of a member among those of its thread; members of one transaction are equal.
    fn rank(&self, unit: UnitId, at: At) -> At {
        let unit = self.execution.units.get(unit);
        if unit.is_transaction() { unit.first } else { at }
    }

    fn first_member(&self, node: &Communication) -> Member {
        *self.groups.get(node.partner).members.first().expect("a group has members")
    }

    fn last_member(&self, node: &Communication) -> Member {
        *self.groups.get(node.partner).members.last().expect("a group has members")
    }

    /// Returns a split by one thread, by one unit of it if possible.
    fn split_of(&self, leave: &Communication, enter: &Communication) -> Split {
        let (first, last) = (&self.groups.get(leave.partner).members, &self.groups.get(enter.partner).members);
        let mut last_of: FxHashMap<UnitId, Member> = FxHashMap::default();
        last.iter().for_each(|member| _ = last_of.insert(member.unit, *member));
        let is_whole = |unit: UnitId| self.execution.units.get(unit).is_transaction();
        let same = first.iter().find_map(|member| {
            let other = last_of.get(&member.unit)?;
            (is_whole(member.unit) || member.at <= other.end).then_some((member.at, other.at))
        });
        let (one, other) = same.unwrap_or((self.first_member(leave).at, self.last_member(enter).at));
        split((*leave, one), (*enter, other))
    }

    /// Split by a path through several threads.
    fn split_by_several(
        &self,
        unit: UnitId,
        nodes: &[Communication],
        budget: &mut Budget,
    ) -> Result<Option<Split>, Exhausted> {
        for leave in nodes {
            let later: Vec<&Communication> = nodes.iter().filter(|n| leave.span.last < n.span.first).collect();
            if later.is_empty() {
                continue;
            }
            let reached = Reach::from(self, unit, leave, budget)?;
            let hit = later.into_iter().find_map(|enter| {
                let members = &self.groups.get(enter.partner).members;
                members.iter().find(|member| reached.covers(member, self)).map(|member| (enter, *member))
            });
            if let Some((enter, member)) = hit {
                let mut path = reached.path(member.unit);
                path.push((member.at, enter.access));
                return Ok(Some(Split { leave: *leave, enter: *enter, path }));
            }
        }
        Ok(None)
    }
}

impl Span {
    /// Returns whether the two spans have an event in common.
    fn meets(&self, other: &Span) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Returns a split by one thread, from two nodes with their communication partners.
fn split(one: (Communication, At), other: (Communication, At)) -> Split {
    let (leave, enter) = if one.0.span.last < other.0.span.first { (one, other) } else { (other, one) };
    Split { leave: leave.0, enter: enter.0, path: vec![(leave.0.access, leave.1), (enter.1, enter.0.access)] }
}

/// What is reachable from a node outside its transaction.
struct Reach {
    /// By unit, the earliest event that is reached, and the inter-edge or unit from which it is reached.
    found: FxHashMap<UnitId, (At, Way)>,
}

#[derive(Clone, Copy)]
enum Way {
    /// By an inter-edge from the node at which the search starts, or from another unit.
    Edge { from: Option<UnitId>, before: At, after: At },
    /// Along program order, a start or a join.
    Order(UnitId),
}

impl Reach {
    fn from(forest: &Forest, home: UnitId, start: &Communication, budget: &mut Budget) -> Result<Reach, Exhausted> {
        let mut reach = Reach { found: FxHashMap::default() };
        let mut queue = VecDeque::new();
        for member in &forest.groups.get(start.partner).members {
            let way = Way::Edge { from: None, before: start.access, after: member.at };
            reach.enter(member.unit, forest.rank(member.unit, member.at), way, &mut queue);
        }
        while let Some(unit) = queue.pop_front() {
            budget.spend(1)?;
            let from = reach.found[&unit].0;
            for &next in forest.execution.units.successors(unit) {
                let first = forest.execution.units.get(next).first;
                reach.enter(next, first, Way::Order(unit), &mut queue);
            }
            // The path may go on to what follows the transaction in its thread, but must not leave the transaction
            // again.
            if unit != home {
                reach.leave(unit, from, home, forest, &mut queue, budget)?;
            }
        }
        Ok(reach)
    }

    fn leave(
        &mut self,
        unit: UnitId,
        from: At,
        home: UnitId,
        forest: &Forest,
        queue: &mut VecDeque<UnitId>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        for index in forest.trees.range(unit) {
            let leaf = &forest.trees.leaves()[index];
            if groups::end_of(leaf, forest.execution) < from {
                continue;
            }
            let before = leaf.at;
            for partner in &forest.groups.get(forest.groups.of_leaf(index)).partners {
                let members = &forest.groups.get(*partner).members;
                budget.spend(members.len() as u64)?;
                for next in members.iter().filter(|next| next.unit != home) {
                    let way = Way::Edge { from: Some(unit), before, after: next.at };
                    self.enter(next.unit, forest.rank(next.unit, next.at), way, queue);
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, unit: UnitId, at: At, way: Way, queue: &mut VecDeque<UnitId>) {
        let known = self.found.get(&unit);
        if known.is_none_or(|(earliest, _)| at < *earliest) {
            self.found.insert(unit, (at, way));
            queue.push_back(unit);
        }
    }

    fn covers(&self, member: &Member, forest: &Forest) -> bool {
        let found = self.found.get(&member.unit);
        found.is_some_and(|(from, _)| *from <= forest.rank(member.unit, member.end))
    }

    /// Returns the inter-edges on the way to a unit, from the start.
    fn path(&self, mut unit: UnitId) -> Vec<(At, At)> {
        let mut path = Vec::new();
        loop {
            match self.found[&unit].1 {
                Way::Edge { from, before, after } => {
                    path.push((before, after));
                    let Some(from) = from else { break };
                    unit = from;
                }
                Way::Order(from) => unit = from,
            }
            // A unit that was entered again, earlier, may have changed the way back: the pairs found so far suffice.
            if path.len() > self.found.len() {
                break;
            }
        }
        path.reverse();
        path
    }
}
