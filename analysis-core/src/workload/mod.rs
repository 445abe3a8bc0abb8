//! Generated executions for measuring engines: of any length, reproducible by seed, in little memory.
//!
//! [`Mixed`] resembles recorded programs: mostly private data, some read-shared, some under locks. It is serializable,
//! because a block has at most one critical section, so that every engine works to the end. Each of the others stresses
//! one thing for which engines keep state.

pub mod buffers;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

/// The number of variables that each thread has for itself.
const PRIVATE: u32 = 20_000;
/// Variables written once and then read by all.
const READ_SHARED: u32 = 10_000;
/// Locks, each of which guards [`GUARDED`] variables.
const LOCKS: u32 = 64;
const GUARDED: u32 = 16;

/// Threads that live throughout, with thread-local data, read-shared data and data under locks.
pub struct Mixed {
    random: Pcg64Mcg,
    threads: u32,
    /// By thread.
    states: Vec<State>,
    /// Whether the threads have been started.
    is_started: bool,
}

impl Mixed {
    /// Creates an endless workload with this many threads.
    pub fn new(seed: u64, threads: u32) -> Mixed {
        let random = Pcg64Mcg::seed_from_u64(seed);
        Mixed { random, threads, states: vec![State::default(); threads as usize], is_started: false }
    }

    /// Returns the number of variables that its threads use.
    pub fn variables(&self) -> u64 {
        u64::from(READ_SHARED + LOCKS * GUARDED) + u64::from(self.threads) * u64::from(PRIVATE)
    }

    /// Appends the next events, at least `most` and a few more.
    pub fn fill(&mut self, events: &mut Vec<Event>, most: usize) {
        let enough = events.len() + most;
        if !std::mem::replace(&mut self.is_started, true) {
            let main = ThreadId(0);
            events.extend((0..READ_SHARED).map(|x| Event::new(main, Op::Write(VarId(x)))));
            events.extend((1..self.threads).map(|thread| Event::new(main, Op::Fork(ThreadId(thread)))));
        }
        while events.len() < enough {
            // A thread runs for a while, as on a machine with fewer cores than threads.
            let thread = ThreadId(self.random.random_range(0..self.threads));
            for _ in 0..self.random.random_range(1..40) {
                burst(events, &mut self.random, thread, &mut self.states[thread.index()]);
            }
        }
    }
}

/// The state of a thread.
#[derive(Clone, Copy, Default)]
struct State {
    /// The number of open blocks.
    open: u32,
    /// Whether the outermost block has had its critical section.
    is_served: bool,
}

/// Returns `events` events of `threads` threads.
pub fn mixed(seed: u64, threads: u32, events: usize) -> Vec<Event> {
    let mut trace = Vec::with_capacity(events + 256);
    Mixed::new(seed, threads).fill(&mut trace, events);
    trace.truncate(events);
    trace
}

/// Two threads that write and read each of `count` variables, each in its own blocks.
pub fn variables(count: u32) -> impl Iterator<Item = Event> {
    let of = |thread, op: fn(VarId) -> Op| (0..count).map(move |x| Event::new(ThreadId(thread), op(VarId(x))));
    of(0, Op::Write).chain(of(1, Op::Read))
}

/// This many threads, all in a block in which each has read what another has written, at the same time.
pub fn living(count: u32) -> impl Iterator<Item = Event> {
    let begins = (0..count).map(|thread| Event::new(ThreadId(thread), Op::Begin(LabelId(0))));
    let works = (0..count).flat_map(|thread| {
        [Op::Read(VarId(thread)), Op::Write(VarId(thread + 1))].map(|op| Event::new(ThreadId(thread), op))
    });
    begins.chain(works)
}

/// This many threads, one after the other: started, a block with a lock and three accesses, joined.
pub fn passing(count: u32) -> impl Iterator<Item = Event> {
    (1..=count).flat_map(|thread| {
        let (main, child) = (ThreadId(0), ThreadId(thread));
        [
            Event::new(main, Op::Fork(child)),
            Event::new(child, Op::Begin(LabelId(0))),
            Event::new(child, Op::Acquire(LockId(0))),
            Event::new(child, Op::Read(VarId(0))),
            Event::new(child, Op::Write(VarId(0))),
            Event::new(child, Op::Write(VarId(1))),
            Event::new(child, Op::Release(LockId(0))),
            Event::new(child, Op::End),
            Event::new(main, Op::Join(child)),
        ]
    })
}

fn burst(trace: &mut Vec<Event>, random: &mut Pcg64Mcg, thread: ThreadId, state: &mut State) {
    let mut put = |op| trace.push(Event::new(thread, op));
    let private = |x: u32| VarId(READ_SHARED + LOCKS * GUARDED + thread.0 * PRIVATE + x % PRIVATE);
    match random.random_range(0..100) {
        0..8 if state.open < 3 => {
            put(Op::Begin(LabelId(random.random_range(0..200))));
            state.open += 1;
        }
        8..18 if state.open > 0 => {
            put(Op::End);
            state.open -= 1;
            state.is_served &= state.open > 0;
        }
        18..20 if !state.is_served => {
            state.is_served = state.open > 0;
            let lock = random.random_range(0..LOCKS);
            put(Op::Acquire(LockId(lock)));
            for _ in 0..4 {
                let x = VarId(READ_SHARED + lock * GUARDED + random.random_range(0..GUARDED));
                put(Op::Read(x));
                put(Op::Write(x));
            }
            put(Op::Release(LockId(lock)));
        }
        20..45 => put(Op::Read(VarId(random.random_range(0..READ_SHARED)))),
        45..60 => put(Op::Write(private(random.random()))),
        _ => put(Op::Read(private(random.random()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_events_in_pieces_of_any_size() {
        let whole = mixed(7, 5, 50_000);
        let (mut workload, mut pieces) = (Mixed::new(7, 5), Vec::new());
        while pieces.len() < whole.len() {
            workload.fill(&mut pieces, 333);
        }
        assert_eq!(whole, pieces[..whole.len()]);
        assert_ne!(whole, mixed(8, 5, 50_000));
        let most = whole.iter().filter_map(|event| match event.op {
            Op::Read(x) | Op::Write(x) => Some(u64::from(x.0)),
            _ => None,
        });
        assert!(most.max().expect("accesses") < workload.variables());
    }

    #[test]
    fn a_mixed_execution_is_serializable_however_many_threads() {
        for threads in [1, 2, 5, 64] {
            let mut engine = (crate::engines::default().build)();
            engine.feed(&mixed(3, threads, 200_000));
            assert!(!engine.findings().is_non_serializable(), "{threads} threads");
        }
    }
}
