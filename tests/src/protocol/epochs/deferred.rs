//! Takes the items from rings, one for each thread number, instead of when they are handed over: in any order in which
//! each item waits until as many items of its sources' numbers have been taken as had been handed over when it looked.

use analysis_core::engine::ItemEngine;
use analysis_core::engines::reach::Items;
use analysis_core::event::{Stamp, ThreadId};
use analysis_core::protocol::epochs::{Handed, Run};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::answer_of;
use crate::compare::Answer;

/// Returns the answer of an engine that takes the items of a run in a random order.
pub fn answer(run: &Run, seed: u64) -> Result<Answer, String> {
    let mut chance = Pcg32::seed_from_u64(seed);
    let mut rings = Rings::of(run);
    let mut engine = Items::default();
    let mut opened = run.opened.clone();
    for _ in 0..run.handed.len() {
        let ready: Vec<usize> = (0..rings.0.len()).filter(|number| rings.is_ready(*number)).collect();
        if ready.is_empty() {
            return Err("the items wait for each other".to_owned());
        }
        let item = rings.take(ready[chance.next_u32() as usize % ready.len()]);
        open(&mut engine, &mut opened, item.now);
        item.sources.iter().for_each(|source| open(&mut engine, &mut opened, source.on));
        engine.item(&item.step());
    }
    answer_of(run, engine.findings())
}

/// An item that names a position of a thread comes after all items of the threads that had its number before.
fn open(engine: &mut Items, opened: &mut Vec<Stamp>, named: Stamp) {
    opened.retain(|first| {
        let is_there = first.thread() == named.thread() && first.position() <= named.position();
        if is_there {
            engine.opened(*first);
        }
        !is_there
    });
}

/// By number: the items, and how many have been taken.
struct Rings<'a>(Vec<(Vec<&'a Handed>, usize)>);

impl<'a> Rings<'a> {
    fn of(run: &'a Run) -> Self {
        let numbers = run.opened.iter().map(|first| first.thread().index() + 1).max().unwrap_or(0);
        let mut rings = vec![(Vec::new(), 0); numbers];
        run.handed.iter().for_each(|item| rings[item.now.thread().index()].0.push(item));
        Rings(rings)
    }

    fn is_ready(&self, number: usize) -> bool {
        let (ring, taken) = &self.0[number];
        let is_past = |thread: ThreadId, count: u64| self.0[thread.index()].1 as u64 >= count;
        ring.get(*taken).is_some_and(|item| {
            item.sources.iter().zip(&item.counts).all(|(source, count)| is_past(source.on.thread(), *count))
        })
    }

    fn take(&mut self, number: usize) -> &'a Handed {
        let (ring, taken) = &mut self.0[number];
        *taken += 1;
        ring[*taken - 1]
    }
}
