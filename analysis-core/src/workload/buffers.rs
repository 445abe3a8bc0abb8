//! Executions for measuring the algorithms of [`crate::tso`].

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

/// Variables with a lock each.
const LOCKED: u32 = 64;
/// Variables that each thread has for itself.
const OWN: u32 = 32;
/// Variables of each thread that others read without a lock.
const SHOWN: u32 = 8;

/// Threads that synchronize: blocks that update one of 64 variables under its lock and private ones without, and a
/// fenced write of an own variable that others read without a lock. There is nothing to find, so the search is
/// complete.
pub fn synchronized(seed: u64, threads: u32, events: usize) -> Vec<Event> {
    run(seed, threads, events, |random, thread| {
        let x = random.random_range(0..LOCKED);
        let own = |random: &mut Pcg64Mcg| VarId(LOCKED + thread * OWN + random.random_range(0..OWN));
        let shown = |thread: u32| VarId(LOCKED + threads * OWN + thread);
        let mut unit = vec![
            Op::Begin(LabelId(x % 8)),
            Op::Read(own(random)),
            Op::Write(own(random)),
            Op::Acquire(LockId(x)),
            Op::Read(VarId(x)),
            Op::Write(VarId(x)),
            Op::Release(LockId(x)),
            Op::End,
        ];
        if random.random_bool(0.3) {
            unit.extend([Op::Write(shown(thread)), Op::Fence]);
        }
        if thread > 0 && random.random_bool(0.3) {
            unit.push(Op::Read(shown(random.random_range(0..thread))));
        }
        unit
    })
}

/// Threads that nothing orders: each updates one of its eight variables in a block, and sometimes reads one of another
/// thread.
pub fn unfenced(seed: u64, threads: u32, events: usize) -> Vec<Event> {
    run(seed, threads, events, |random, thread| {
        let shown = |thread: u32, random: &mut Pcg64Mcg| VarId(thread * SHOWN + random.random_range(0..SHOWN));
        let x = shown(thread, random);
        let mut unit = vec![Op::Begin(LabelId(0)), Op::Read(x), Op::Write(x), Op::End];
        if thread > 0 && random.random_bool(0.25) {
            let other = random.random_range(0..thread);
            unit.push(Op::Read(shown(other, random)));
        }
        unit
    })
}

/// Returns the trace with a fence at the end of each transaction that writes: the input for `tso-fenced`.
pub fn fenced(trace: &[Event]) -> Vec<Event> {
    let mut open: Vec<(u32, bool)> = Vec::new();
    let mut events = Vec::with_capacity(trace.len());
    for event in trace {
        events.push(*event);
        let thread = event.thread.index();
        if thread >= open.len() {
            open.resize(thread + 1, (0, false));
        }
        let (blocks, has_written) = &mut open[thread];
        match event.op {
            Op::Begin(_) => *blocks += 1,
            Op::End => *blocks = blocks.saturating_sub(1),
            Op::Write(_) => *has_written = true,
            _ => {}
        }
        if *blocks == 0 && std::mem::take(has_written) {
            events.push(Event::new(event.thread, Op::Fence));
        }
    }
    events
}

/// The most writes of a thread that wait in [`executed`].
const WAITING: usize = 4;

/// Returns an execution of a trace without forks and joins: writes wait as long as nothing drains the store buffer and
/// it holds at most four.
pub fn executed(trace: &[Event]) -> Vec<Event> {
    let mut buffers: Vec<VecDeque<VarId>> = Vec::new();
    let mut events = Vec::with_capacity(trace.len() * 2);
    for event in trace {
        let thread = event.thread.index();
        if thread >= buffers.len() {
            buffers.resize(thread + 1, VecDeque::new());
        }
        let buffer = &mut buffers[thread];
        let room = match event.op {
            Op::Fence | Op::Acquire(_) | Op::Release(_) => 0,
            Op::Write(_) => WAITING - 1,
            _ => WAITING,
        };
        let leaving = buffer.len().saturating_sub(room);
        events.extend(buffer.drain(..leaving).map(|x| Event::new(event.thread, Op::Commit(x))));
        events.push(*event);
        if let Op::Write(x) = event.op {
            buffer.push_back(x);
        }
    }
    events
}

/// Lets threads run the operations of `unit`, a few events at a time; a thread waits at a lock that another one holds.
fn run(seed: u64, threads: u32, events: usize, unit: impl Fn(&mut Pcg64Mcg, u32) -> Vec<Op>) -> Vec<Event> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut left: Vec<VecDeque<Op>> = vec![VecDeque::new(); threads as usize];
    let mut holders = [None; LOCKED as usize];
    let mut trace = Vec::with_capacity(events + 8);
    while trace.len() < events {
        let thread = random.random_range(0..threads);
        for _ in 0..random.random_range(1..6) {
            if left[thread as usize].is_empty() {
                left[thread as usize].extend(unit(&mut random, thread));
            }
            let op = left[thread as usize][0];
            match op {
                Op::Acquire(lock) if holders[lock.index()].is_some() => break,
                Op::Acquire(lock) => holders[lock.index()] = Some(thread),
                Op::Release(lock) => holders[lock.index()] = None,
                _ => {}
            }
            left[thread as usize].pop_front();
            trace.push(Event::new(ThreadId(thread), op));
        }
    }
    trace.truncate(events);
    trace
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tso::{Answer, WORK, find};

    fn answer<'a>(algorithm: &str, trace: &'a [Event]) -> Answer<'a> {
        find(algorithm).expect("an algorithm").check(trace, WORK)
    }

    #[test]
    fn nothing_is_found_where_threads_synchronize() {
        for threads in 2..=4 {
            let trace = synchronized(1, threads, 20_000);
            for algorithm in ["tso-trace", "robustness", "tso-fenced"] {
                assert!(matches!(answer(algorithm, &trace), Answer::Clean), "{algorithm}, {threads} threads");
            }
            assert!(matches!(answer("tso-execution", &executed(&trace)), Answer::Clean), "{threads} threads");
        }
    }

    #[test]
    fn traces_without_fences_suit_the_monitor_once_they_are_fenced() {
        let trace = unfenced(1, 3, 1_000);
        assert!(matches!(answer("tso-fenced", &trace), Answer::Unsuitable(_)));
        assert!(!matches!(answer("tso-fenced", &fenced(&trace)), Answer::Unsuitable(_)));
        assert!(answer("tso-trace", &trace).is_violation());
    }
}
