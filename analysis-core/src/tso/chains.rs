//! Which units certainly come before which: an acyclic graph as chains, and for each unit how far its predecessors
//! extend into each chain.
//!
//! A chain is a list of units each of which comes before the next. By Dilworth's theorem, the number of chains needed
//! is the largest number of units none of which comes before another. The units are put into chains greedily, in
//! topological order, each behind one that it follows. Threads keep the number small: fenced programs need one chain
//! per thread.
//! one that it follows. Threads keep the number small: fenced programs need one chain for each thread.

use super::graph::Graph;

/// The most entries in all rows together: about a gigabyte.
const MOST_ENTRIES: usize = 1 << 28;

/// The order of the units of an acyclic graph.
pub struct Chains {
    /// The units of each chain, in order.
    pub chains: Vec<Vec<u32>>,
    /// For each unit, its chain and its place in that chain.
    places: Vec<(u32, u32)>,
    /// For each unit, how many units at the start of each chain come before it; newer chains are omitted.
    before: Vec<Box<[u32]>>,
}

impl Chains {
    /// Builds the chains of a graph from its units in topological order; `None` if there would be more than
    /// `MOST_ENTRIES`.
    pub fn new(graph: &Graph, sorted: &[u32]) -> Option<Chains> {
        let units = graph.units();
        let mut chains = Chains { chains: vec![], places: vec![(0, 0); units], before: vec![Box::default(); units] };
        let mut incoming: Vec<Vec<u32>> = vec![vec![]; units];
        let mut entries = 0;
        for &unit in sorted {
            let sources = std::mem::take(&mut incoming[unit as usize]);
            chains.push(unit, &sources);
            entries += chains.before[unit as usize].len();
            if entries > MOST_ENTRIES {
                return None;
            }
            for &(to, _) in graph.out(unit) {
                let sources = &mut incoming[to as usize];
                if sources.last() != Some(&unit) {
                    sources.push(unit);
                }
            }
        }
        Some(chains)
    }

    fn push(&mut self, unit: u32, sources: &[u32]) {
        let mut row = vec![0; self.chains.len()];
        for &source in sources {
            for (mine, theirs) in row.iter_mut().zip(&self.before[source as usize]) {
                *mine = (*mine).max(*theirs);
            }
            let (chain, place) = self.places[source as usize];
            let mine = &mut row[chain as usize];
            *mine = (*mine).max(place + 1);
        }
        // Behind a direct predecessor if possible, so that chains follow threads.
        let is_behind_all = |chain: usize| row[chain] as usize == self.chains[chain].len();
        let direct = sources.iter().map(|source| self.places[*source as usize].0 as usize).find(|c| is_behind_all(*c));
        let chain = direct.or_else(|| (0..self.chains.len()).find(|chain| is_behind_all(*chain)));
        let chain = chain.unwrap_or(self.chains.len());
        if chain == self.chains.len() {
            self.chains.push(vec![]);
        }
        self.places[unit as usize] = (chain as u32, self.chains[chain].len() as u32);
        self.chains[chain].push(unit);
        self.before[unit as usize] = row.into_boxed_slice();
    }

    /// Returns whether `a` comes before `b`.
    pub fn is_before(&self, a: u32, b: u32) -> bool {
        let (chain, place) = self.places[a as usize];
        self.before[b as usize].get(chain as usize).is_some_and(|&count| count > place)
    }

    /// Returns whether `a` is `b` or comes before it.
    pub fn is_up_to(&self, a: u32, b: u32) -> bool {
        a == b || self.is_before(a, b)
    }

    /// Returns whether the two are different and neither comes before the other.
    pub fn are_concurrent(&self, a: u32, b: u32) -> bool {
        a != b && !self.is_before(a, b) && !self.is_before(b, a)
    }
}
