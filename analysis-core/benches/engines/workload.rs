//! A generated execution in the manner of the recorded ones: mostly private data, some read-shared, some under locks.

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// How many variables each thread has for itself.
const PRIVATE: u32 = 20_000;
/// Variables written once and then read by all.
const READ_SHARED: u32 = 10_000;
/// Locks, each of which guards [`GUARDED`] variables.
const LOCKS: u32 = 64;
const GUARDED: u32 = 16;

/// `events` events of `threads` threads, the same for the same seed. Blocks are disciplined, so that few are violated:
/// the engine does its work to the end.
pub(crate) fn generate(seed: u64, threads: u32, events: usize) -> Vec<Event> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut trace = Vec::with_capacity(events + 256);
    let main = ThreadId(0);
    for x in 0..READ_SHARED {
        trace.push(Event::new(main, Op::Write(VarId(x))));
    }
    for t in 1..threads {
        trace.push(Event::new(main, Op::Fork(ThreadId(t))));
    }
    let mut open = vec![0_u32; threads as usize];
    while trace.len() < events {
        // A thread runs for a while, as on a machine with fewer cores than threads.
        let thread = ThreadId(random.random_range(0..threads));
        for _ in 0..random.random_range(1..40) {
            burst(&mut trace, &mut random, thread, &mut open[thread.index()]);
        }
    }
    trace.truncate(events);
    trace
}

fn burst(trace: &mut Vec<Event>, random: &mut Pcg64Mcg, thread: ThreadId, open: &mut u32) {
    let mut put = |op| trace.push(Event::new(thread, op));
    let private = |x: u32| VarId(READ_SHARED + LOCKS * GUARDED + thread.0 * PRIVATE + x % PRIVATE);
    match random.random_range(0..100) {
        0..8 if *open < 3 => {
            put(Op::Begin(LabelId(random.random_range(0..200))));
            *open += 1;
        }
        8..18 if *open > 0 => {
            put(Op::End);
            *open -= 1;
        }
        18..20 if *open <= 1 => {
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
