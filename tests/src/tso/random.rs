//! Random traces for TSO: up to three threads and ten events, few variables, short blocks, some fences.

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

use crate::generate::dice::Dice;
use crate::world::World;

/// Returns the trace of a seed: well-formed, without commits. Every fourth has locks, forks and joins.
pub fn trace(seed: u64) -> Vec<Event> {
    let mut dice = Dice::new(seed);
    let (threads, vars) = (dice.within(&(2..=3)), dice.within(&(2..=3)));
    let length = dice.within(&(4..=10)) as usize;
    let fences = dice.within(&(0..=10));
    let others = if seed.is_multiple_of(4) { 6 } else { 0 };
    let mut world = World::default();
    let mut trace = Vec::new();
    for _ in 0..length * 8 {
        if trace.len() == length {
            break;
        }
        let thread = ThreadId(dice.below(threads));
        let x = VarId(dice.below(vars));
        let op = match dice.weighted(&[30, 30, 12, 10, fences, others, others, others / 2, others / 2]) {
            0 => Op::Read(x),
            1 => Op::Write(x),
            2 if world.open_blocks(thread) < 2 => Op::Begin(LabelId::NONE),
            2 | 3 => Op::End,
            4 => Op::Fence,
            5 => Op::Acquire(LockId(0)),
            6 => Op::Release(LockId(0)),
            7 => Op::Fork(ThreadId(dice.below(threads))),
            _ => Op::Join(ThreadId(dice.below(threads))),
        };
        let event = Event::new(thread, op);
        if world.allows(event) {
            world.take(event);
            trace.push(event);
        }
    }
    trace
}

/// Returns some execution of a trace, with commits at random times.
pub fn execution(trace: &[Event], seed: u64) -> Vec<Event> {
    let mut dice = Dice::new(seed);
    let delay = dice.below(90);
    let threads = trace.iter().map(|event| event.thread.index()).max().map_or(0, |most| most + 1);
    let mut buffers: Vec<Vec<VarId>> = vec![vec![]; threads];
    let mut events = Vec::new();
    let drain = |events: &mut Vec<Event>, buffers: &mut Vec<Vec<VarId>>, thread: ThreadId| {
        let buffer = buffers.get_mut(thread.index()).map(std::mem::take).unwrap_or_default();
        events.extend(buffer.into_iter().map(|x| Event::new(thread, Op::Commit(x))));
    };
    for event in trace {
        if super::definition::is_fence(event.op) {
            drain(&mut events, &mut buffers, event.thread);
        }
        if let Op::Join(child) = event.op {
            drain(&mut events, &mut buffers, child);
        }
        if let Op::Write(x) = event.op {
            buffers[event.thread.index()].push(x);
        }
        events.push(*event);
        for (thread, buffer) in (0..).map(ThreadId).zip(&mut buffers) {
            while !buffer.is_empty() && !dice.chance(delay) {
                events.push(Event::new(thread, Op::Commit(buffer.remove(0))));
            }
        }
    }
    (0..threads as u32).for_each(|thread| drain(&mut events, &mut buffers, ThreadId(thread)));
    events
}
