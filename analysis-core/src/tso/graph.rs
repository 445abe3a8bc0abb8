//! Graphs of units, and their shortest cycles.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// The reason why one event comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// They belong to one thread, in an order that TSO keeps.
    ProgramOrder,
    /// A release and an acquire, a fork or a join.
    Synchronization,
    /// The later one read what the earlier one wrote.
    ReadsFrom,
    /// Both wrote, and the earlier one's write reached memory first.
    WriteOrder,
    /// The earlier one read before the later one's write reached memory.
    ReadsBefore,
}

/// An edge between two nodes, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The earlier node.
    pub from: u32,
    /// The later node.
    pub to: u32,
    /// The reason.
    pub why: Why,
}

/// The number of nodes from which a search for the shortest cycle starts.
const STARTS: usize = 256;

/// A directed graph of units, whose arcs are edges between their nodes.
pub struct Graph<'a> {
    edges: &'a [Edge],
    /// The arcs out of unit `u` are `arcs[first[u]..first[u + 1]]`: the unit that they lead to, and their edge.
    first: Vec<u32>,
    arcs: Vec<(u32, u32)>,
}

impl<'a> Graph<'a> {
    /// Builds the graph of `units` units; `unit` says to which unit a node belongs. Edges inside a unit are omitted.
    pub fn new(edges: &'a [Edge], units: usize, unit: impl Fn(u32) -> u32) -> Graph<'a> {
        let mut first = vec![0u32; units + 1];
        let ends = |edge: &Edge| (unit(edge.from), unit(edge.to));
        for (from, to) in edges.iter().map(ends) {
            first[from as usize + 1] += u32::from(from != to);
        }
        for unit in 0..units {
            first[unit + 1] += first[unit];
        }
        let mut next = first.clone();
        let mut arcs = vec![(0, 0); first[units] as usize];
        for (index, (from, to)) in (0..).zip(edges.iter().map(ends)) {
            if from != to {
                arcs[next[from as usize] as usize] = (to, index);
                next[from as usize] += 1;
            }
        }
        Graph { edges, first, arcs }
    }

    /// Returns the number of units.
    pub fn units(&self) -> usize {
        self.first.len() - 1
    }

    /// Returns the arcs out of `unit`: the unit that each leads to, and the number of its edge.
    pub fn out(&self, unit: u32) -> &[(u32, u32)] {
        &self.arcs[self.first[unit as usize] as usize..self.first[unit as usize + 1] as usize]
    }

    /// Returns the units in an order in which arcs lead forwards; fewer than all if there is a cycle.
    pub fn sorted(&self) -> Vec<u32> {
        let mut incoming = vec![0u32; self.units()];
        self.arcs.iter().for_each(|(to, _)| incoming[*to as usize] += 1);
        let mut sorted: Vec<u32> = (0..self.units() as u32).filter(|unit| incoming[*unit as usize] == 0).collect();
        let mut next = 0;
        while next < sorted.len() {
            for &(to, _) in self.out(sorted[next]) {
                incoming[to as usize] -= 1;
                if incoming[to as usize] == 0 {
                    sorted.push(to);
                }
            }
            next += 1;
        }
        sorted
    }

    /// Returns a cycle, if any: the shortest through any of the first `STARTS` units that are on or between cycles.
    pub fn cycle(&self) -> Option<Vec<Edge>> {
        let sorted = self.sorted();
        if sorted.len() == self.units() {
            return None;
        }
        let is_left = self.between_cycles(&sorted);
        let left = (0..self.units() as u32).filter(|unit| is_left[*unit as usize]);
        let mut best: Option<Vec<u32>> = None;
        for (tries, start) in left.enumerate() {
            let shortest = best.as_ref().map_or(usize::MAX, Vec::len);
            // A cycle has at least two arcs.
            if shortest == 2 || tries >= STARTS && best.is_some() {
                break;
            }
            if let Some(way) = self.way(start, start, &is_left, shortest - 1) {
                best = Some(way);
            }
        }
        best.map(|way| way.into_iter().map(|edge| self.edges[edge as usize]).collect())
    }

    /// Returns which units are on cycles or on paths between them: neither among `sorted`, which come before all
    /// cycles, nor after all.
    fn between_cycles(&self, sorted: &[u32]) -> Vec<bool> {
        let mut is_left = vec![true; self.units()];
        sorted.iter().for_each(|unit| is_left[*unit as usize] = false);
        let left: Vec<u32> = (0..self.units() as u32).filter(|unit| is_left[*unit as usize]).collect();
        let mut outgoing = vec![0u32; self.units()];
        let mut sources: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &from in &left {
            for &(to, _) in self.out(from) {
                outgoing[from as usize] += 1;
                sources.entry(to).or_default().push(from);
            }
        }
        let mut ends: Vec<u32> = left.into_iter().filter(|unit| outgoing[*unit as usize] == 0).collect();
        while let Some(end) = ends.pop() {
            is_left[end as usize] = false;
            for &from in sources.get(&end).map_or(&[][..], Vec::as_slice) {
                outgoing[from as usize] -= 1;
                if outgoing[from as usize] == 0 {
                    ends.push(from);
                }
            }
        }
        is_left
    }

    /// Returns the edges of a shortest path between two units, with at least one arc.
    pub fn shortest(&self, from: u32, to: u32) -> Option<Vec<Edge>> {
        let way = self.way(from, to, &vec![true; self.units()], usize::MAX)?;
        Some(way.into_iter().map(|edge| self.edges[edge as usize]).collect())
    }

    /// Returns the edges of a shortest path with at most `most` arcs.
    fn way(&self, from: u32, to: u32, is_allowed: &[bool], most: usize) -> Option<Vec<u32>> {
        // How each unit was first entered: by which edge, from which unit.
        let mut entered: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((unit, arcs)) = queue.pop_front().filter(|(_, arcs)| *arcs < most) {
            for &(next, edge) in self.out(unit) {
                if is_allowed[next as usize] && !entered.contains_key(&next) {
                    entered.insert(next, (edge, unit));
                    if next == to {
                        return Some(walk_back(&entered, from, to));
                    }
                    queue.push_back((next, arcs + 1));
                }
            }
        }
        None
    }
}

fn walk_back(entered: &FxHashMap<u32, (u32, u32)>, from: u32, to: u32) -> Vec<u32> {
    let mut way = Vec::new();
    let mut at = to;
    loop {
        let (edge, before) = entered[&at];
        way.push(edge);
        at = before;
        if at == from {
            break;
        }
    }
    way.reverse();
    way
}
