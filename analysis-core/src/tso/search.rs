//! An exact search for an execution of a trace with a cycle of units.
//!
//! # Idea
//! Some orders between accesses of two threads hold in every execution of the trace; with program order and
//! synchronization they make the *certain* graph of units. The others are open: they hold in those executions that
//! satisfy their [`conditions`]. A cycle of the certain graph is in every execution. Any other cycle leads through open
//! orders that can be assumed together, and between them along certain paths.
//!
//! If a cycle passes two units, one certainly before the other, with an open order between them, the part in between
//! can be replaced by the certain path, which assumes less. So it is enough to look for *simple* cycles (the paper's
//! Definition 6): all their parts between open orders are pairwise concurrent. There are no more parts than units that
//! are pairwise concurrent, about two for each thread, and each has to be concurrent with all, which leaves short
//! windows if threads synchronize. Of the accesses of one unit to one variable, the first is the best place to leave it
//! and the last the best to enter it: they assume the least.
//!
//! # Cost
//! Polynomial in the length of the trace for a fixed width of the certain graph, which the number of threads bounds as
//! long as few buffered reads are outside larger transactions; exponential in the width. The caller bounds the work.
//!
//! # Where we differ
//! 1. The paper (section 6.2) treats any acyclic orientation of a mixed graph of events as an execution. We require a
//!    placement of the commits among the events of this very trace ([`Assumptions`]): an acyclic orientation may
//!    require events of two threads to change places, or contradict that a buffered read is served before its write is
//!    committed.
//! 2. The paper summarises each chain by profiles, pairs of an entry and an exit for each variable. We enumerate the
//!    pairs within the window in which all parts are concurrent.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::chains::Chains;
use super::graph::{Edge, Graph, Why};
use super::history::{Act, History, NONE};
use super::points::{Assumption, Assumptions, conditions};
use crate::event::VarId;

/// The result of a search.
pub enum Outcome {
    /// No execution has a cycle.
    None,
    /// Every execution in which these hold has a cycle.
    Found(Vec<Assumption>),
    /// The allowed work was not enough.
    Exhausted,
}

/// Searches the executions of a trace without commits, for at most `work` steps, and subtracts the steps taken.
pub fn search(history: &History, work: &mut u64) -> Outcome {
    let edges: Vec<Edge> = history.edges.iter().copied().chain(certain_edges(history)).collect();
    let graph = Graph::new(&edges, history.units.len(), |node| history.node(node).unit);
    let sorted = graph.sorted();
    if sorted.len() < graph.units() {
        return Outcome::Found(vec![]);
    }
    let Some(chains) = Chains::new(&graph, &sorted) else { return Outcome::Exhausted };
    let (touches, assumptions) = (Touches::new(history), Assumptions::new(history));
    let mut search = Search { history, chains: &chains, touches: &touches, assumptions, parts: vec![], work };
    for unit in 0..history.units.len() as u32 {
        search.parts = vec![unit];
        match search.leave(unit) {
            Ok(false) => {}
            Ok(true) => return Outcome::Found(search.assumptions.into_all()),
            Err(Exhausted) => return Outcome::Exhausted,
        }
    }
    Outcome::None
}

/// Returns the orders between accesses of two threads that hold in every execution of a trace without commits, without
/// most of those that follow from others.
pub fn certain_edges(history: &History) -> Vec<Edge> {
    let mut vars: Vec<Vec<Last>> = vec![vec![]; history.vars];
    let mut edges = Vec::new();
    for (number, node) in (0..).zip(&history.nodes) {
        let (Act::Read(x) | Act::Write(x)) = node.act else { continue };
        let is_write = matches!(node.act, Act::Write(_));
        let lasts = &mut vars[x.index()];
        for last in lasts.iter_mut().filter(|last| last.thread != node.thread.index()) {
            let write = last.writes.until(history, node.event);
            if write != NONE {
                edges.push(Edge {
                    from: write,
                    to: number,
                    why: if is_write { Why::WriteOrder } else { Why::ReadsFrom },
                });
            }
            let read = if is_write { last.reads.until(history, node.event) } else { NONE };
            if read != NONE {
                edges.push(Edge { from: read, to: number, why: Why::ReadsBefore });
            }
        }
        let place = lasts.iter().position(|last| last.thread == node.thread.index()).unwrap_or_else(|| {
            lasts.push(Last { thread: node.thread.index(), ..Last::default() });
            lasts.len() - 1
        });
        let own = if is_write { &mut lasts[place].writes } else { &mut lasts[place].reads };
        own.open.push_back(number);
    }
    edges
}

/// The accesses of one thread to one variable that later ones may certainly follow.
#[derive(Clone, Default)]
struct Last {
    thread: usize,
    writes: Settling,
    reads: Settling,
}

/// Accesses in order, each settled by its fence.
#[derive(Clone)]
struct Settling {
    settled: u32,
    open: VecDeque<u32>,
}

impl Default for Settling {
    fn default() -> Settling {
        Settling { settled: NONE, open: VecDeque::new() }
    }
}

impl Settling {
    /// Returns the last access that is settled by `event`.
    fn until(&mut self, history: &History, event: u32) -> u32 {
        while let Some(&next) = self.open.front().filter(|next| history.node(**next).fence <= event) {
            self.settled = next;
            self.open.pop_front();
        }
        self.settled
    }
}

/// The accesses of one unit to one variable.
struct Touch {
    unit: u32,
    var: VarId,
    thread: usize,
    first_write: u32,
    last_write: u32,
    first_read: u32,
    last_read: u32,
    /// The event by which the unit, and all before it in its [`Line`], are certainly over; [`NONE`] if there is no such
    /// event.
    over: u32,
}

/// The units of a thread that touch one variable, in order, as indices of touches. Each certainly comes before the next.
struct Line {
    thread: usize,
    touches: Vec<u32>,
}

struct Touches {
    all: Vec<Touch>,
    of_unit: Vec<Vec<u32>>,
    of_var: Vec<Vec<Line>>,
}

impl Touches {
    fn new(history: &History) -> Touches {
        let mut touches = Touches {
            all: vec![],
            of_unit: vec![vec![]; history.units.len()],
            of_var: (0..history.vars).map(|_| vec![]).collect(),
        };
        let mut known: FxHashMap<(u32, VarId), u32> = FxHashMap::default();
        for (number, node) in (0..).zip(&history.nodes) {
            let (Act::Read(var) | Act::Write(var)) = node.act else { continue };
            let index =
                *known.entry((node.unit, var)).or_insert_with(|| touches.push(node.unit, var, node.thread.index()));
            let touch = &mut touches.all[index as usize];
            let (first, last) = match node.act {
                Act::Write(_) => (&mut touch.first_write, &mut touch.last_write),
                _ => (&mut touch.first_read, &mut touch.last_read),
            };
            *first = (*first).min(number);
            *last = number;
        }
        touches.settle(history);
        touches
    }

    fn push(&mut self, unit: u32, var: VarId, thread: usize) -> u32 {
        let index = self.all.len() as u32;
        let none = NONE;
        self.all.push(Touch {
            unit,
            var,
            thread,
            first_write: none,
            last_write: none,
            first_read: none,
            last_read: none,
            over: 0,
        });
        self.of_unit[unit as usize].push(index);
        let lines = &mut self.of_var[var.index()];
        match lines.iter_mut().find(|line| line.thread == thread) {
            Some(line) => line.touches.push(index),
            None => lines.push(Line { thread, touches: vec![index] }),
        }
        index
    }

    fn settle(&mut self, history: &History) {
        for line in self.of_var.iter().flatten() {
            let mut over = 0;
            for &index in &line.touches {
                let touch = &mut self.all[index as usize];
                for last in [touch.last_write, touch.last_read] {
                    if last != NONE {
                        let node = history.node(last);
                        over = over.max(if last == touch.last_write { node.fence } else { node.event });
                    }
                }
                touch.over = over;
            }
        }
    }
}

struct Exhausted;

struct Search<'a> {
    history: &'a History,
    chains: &'a Chains,
    touches: &'a Touches,
    assumptions: Assumptions<'a>,
    /// The units at the ends of the parts of the cycle so far. The first is the unit at which the cycle starts.
    parts: Vec<u32>,
    work: &'a mut u64,
}

impl Search<'_> {
    fn step(&mut self) -> Result<(), Exhausted> {
        *self.work = self.work.checked_sub(1).ok_or(Exhausted)?;
        Ok(())
    }

    /// Leaves `unit` by every open order. Returns whether that led back to the first unit.
    fn leave(&mut self, unit: u32) -> Result<bool, Exhausted> {
        let touches = self.touches;
        for &index in &touches.of_unit[unit as usize] {
            let touch = &touches.all[index as usize];
            for line in touches.of_var[touch.var.index()].iter().filter(|line| line.thread != touch.thread) {
                if self.leave_to(touch, line)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Leaves by a touch to those of another thread, except those that are certainly before or after.
    fn leave_to(&mut self, from: &Touch, line: &Line) -> Result<bool, Exhausted> {
        let touches = self.touches;
        let start = self.history.node(from.first_write.min(from.first_read)).event;
        let first = line.touches.partition_point(|to| touches.all[*to as usize].over <= start);
        for &to in &line.touches[first..] {
            let to = &touches.all[to as usize];
            self.step()?;
            if self.chains.is_before(from.unit, to.unit) {
                break;
            }
            let pairs =
                [(from.first_write, to.last_write), (from.first_write, to.last_read), (from.first_read, to.last_write)];
            for (from, to) in pairs {
                if from != NONE && to != NONE && self.take(from, to)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Assumes the order between two accesses, and continues.
    fn take(&mut self, from: u32, to: u32) -> Result<bool, Exhausted> {
        let entered = self.history.node(to).unit;
        let is_closed = self.chains.is_up_to(entered, self.parts[0]);
        if !is_closed && !self.is_concurrent_with_all(entered, self.parts.len()) {
            return Ok(false);
        }
        let before = self.assumptions.mark();
        let can_hold = conditions(self.history, from, to).into_iter().flatten().all(|a| self.assumptions.add(a));
        if can_hold && (is_closed || self.pass(entered)?) {
            return Ok(true);
        }
        self.assumptions.back_to(before);
        Ok(false)
    }

    /// Continues from the entered unit to every unit certainly after it, or to itself, and leaves that unit.
    fn pass(&mut self, entered: u32) -> Result<bool, Exhausted> {
        let chains = self.chains;
        let others = self.parts.len();
        for chain in &chains.chains {
            let first = chain.partition_point(|unit| !chains.is_up_to(entered, *unit));
            for &unit in &chain[first..] {
                self.step()?;
                if chains.is_before(self.parts[0], unit) {
                    break;
                }
                if self.touches.of_unit[unit as usize].is_empty() || !self.is_concurrent_with_all(unit, others) {
                    continue;
                }
                self.parts.extend([entered, unit]);
                let is_found = self.leave(unit)?;
                self.parts.truncate(others);
                if is_found {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_concurrent_with_all(&self, unit: u32, count: usize) -> bool {
        self.parts[..count].iter().all(|part| self.chains.are_concurrent(*part, unit))
    }
}
