//! Critical sections in which nothing is written.
//!
//! A lock orders all sections under it, and by the definition a method with two of them is not atomic if another thread's comes between. But if neither writes anything,
//! nobody could tell their order. So a section is a *reader* of its lock until it writes: its acquire depends on the last section that wrote, its first write makes it a
//! *writer*, which then depends on the readers since, as with a variable; and only writers depend on the release of a reader.
//!
//! A trace does not show all that is written, so this is a function on traces *with marks*: for each event, whether the thread may write there. It is the specification
//! of the agent's `Sections` and `Monitor`. Unlike the filters it changes answers, so it has no place in [`FILTERS`](super::FILTERS).
//!
//! # In events
//! Beside each lock is a variable that nobody else uses. A section reads it at its start; where it may write for the first time, it writes the variable and acquires the
//! lock. At its end, one that has written nothing reads the variable, and another one writes it and releases the lock. So a recorded trace needs no new kind of event, and every engine
//! does the right thing. The agent marks the acquire and the release of a reader instead, and its recorder does this.
//!
//! Where other orders of the events are looked at, each section holds its lock, whatever it does; of a trace with such variables [`held`] is what they stand for.
//!
//! # Why nothing is invented
//! Two of these events of different threads conflict only if they belong to sections under one lock, and then the release of the earlier one comes before the acquire
//! of the later one in the trace. So happens-before is a part of what it was; blocks are the same. What is missed is every violation that shows only by the order of two
//! sections that write nothing.
//!
//! Where a lock is acquired again by its holder, there is one section, up to the last release.

use rustc_hash::FxHashSet;

use super::sampling::Kept;
use crate::event::{Event, LockId, Op, ThreadId, VarId};

/// A lock that a thread holds.
struct Held {
    thread: ThreadId,
    lock: LockId,
    depth: u32,
    writes: bool,
}

/// What is left of a well-formed trace, and what stands there instead, with the number of the event in whose place it is. `may_write` is asked for each event that is no write, by its number in the trace,
/// from 1; `variables` is more than there are in the trace.
pub fn read(trace: &[Event], variables: u32, may_write: impl Fn(u64) -> bool) -> Vec<Kept> {
    let mut held: Vec<Held> = Vec::new();
    let mut kept = Vec::new();
    let of = |lock: LockId| VarId(variables + lock.0);
    for (number, event) in (1..).zip(trace) {
        let thread = event.thread;
        let mut put = |op| kept.push(Kept { event: Event::new(thread, op), number });
        let mine = |held: &Held, lock| held.thread == thread && held.lock == lock;
        if let Op::Acquire(lock) = event.op {
            match held.iter_mut().find(|held| mine(held, lock)) {
                Some(held) => held.depth += 1,
                None => {
                    held.push(Held { thread, lock, depth: 1, writes: false });
                    put(Op::Read(of(lock)));
                }
            }
        }
        if matches!(event.op, Op::Write(_)) || may_write(number) {
            for held in held.iter_mut().filter(|held| held.thread == thread && !held.writes) {
                held.writes = true;
                put(Op::Write(of(held.lock)));
                put(Op::Acquire(held.lock));
            }
        }
        match event.op {
            Op::Acquire(_) => {}
            Op::Release(lock) => {
                let Some(at) = held.iter().position(|held| mine(held, lock)) else { continue };
                held[at].depth -= 1;
                if held[at].depth > 0 {
                    continue;
                }
                if held.swap_remove(at).writes {
                    put(Op::Write(of(lock)));
                    put(Op::Release(lock));
                } else {
                    put(Op::Read(of(lock)));
                }
            }
            op => put(op),
        }
    }
    kept
}

/// The locks that threads held in what was left of a trace, for those that look at other orders of its events: a section holds its lock from its start to its end, whatever is
/// done in it. `lock_of` is the lock to which a variable belongs, if it is one of sections, and if any of these has acquired it. What has no meaning then has no
/// effect any more.
pub fn held(trace: &mut [Event], lock_of: impl Fn(VarId) -> Option<Option<LockId>>) {
    let mut open: FxHashSet<(ThreadId, LockId)> = FxHashSet::default();
    for event in trace {
        let thread = event.thread;
        event.op = match event.op {
            Op::Read(variable) => match lock_of(variable) {
                None => event.op,
                Some(None) => Op::Nop,
                Some(Some(lock)) if open.insert((thread, lock)) => Op::Acquire(lock),
                Some(Some(lock)) => {
                    open.remove(&(thread, lock));
                    Op::Release(lock)
                }
            },
            Op::Write(variable) if lock_of(variable).is_some() => Op::Nop,
            // It begins to write.
            Op::Acquire(lock) if open.contains(&(thread, lock)) => Op::Nop,
            Op::Release(lock) => {
                open.remove(&(thread, lock));
                event.op
            }
            op => op,
        };
    }
}
