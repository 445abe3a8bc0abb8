//! Critical sections in which nothing is written.
//!
//! A lock orders all sections under it, and by the definition a method with two of them is not atomic if another
//! thread's section comes between. But if none of them writes anything, their order has no observable effect. So a
//! section is a *reader* of its lock until it writes: its acquire depends on the last section that wrote. Its first
//! write makes it a *writer*, which then depends on the readers since, as with a variable; and only writers depend on
//! the release of a reader.
//!
//! A trace does not show everything that is written, so this is a function on traces *with marks*: for each event,
//! whether the thread may write there. It is the specification of the agent's `Sections` and `Monitor`. Unlike the
//! filters it changes answers, so it is not one of the [`FILTERS`](super::FILTERS).
//!
//! # In events
//! Each lock has an additional variable that nothing else uses. A section reads the variable at its start; where the
//! section may write for the first time, it writes the variable and acquires the lock. At its end, a section that has
//! written nothing reads the variable; any other writes it and releases the lock. So a recorded trace needs no new kind
//! of event, and every engine handles it correctly. The agent marks the acquire and the release of a reader instead,
//! and its recorder makes these events.
//!
//! For analyses of other orders of the events, each section holds its lock, whatever it does: [`held`] turns a trace
//! with such variables back into one with these locks.
//!
//! # Why nothing is invented
//! Two of these events of different threads conflict only if they belong to sections under one lock, and then the
//! release of the earlier one comes before the acquire of the later one in the trace. So the remaining happens-before
//! is a subset of the original one; blocks are the same. What is missed is every violation that is visible only through
//! the order of two sections that write nothing.
//!
//! If a lock is acquired again by its holder, there is one section, up to the last release.

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

/// Returns the well-formed trace with its sections rewritten; each event has the number of the one that it replaces or
/// keeps. `may_write` is called for each event that is not a write, with its number in the trace, from 1; `variables`
/// exceeds every variable of the trace.
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

/// Restores the locks that threads held in a rewritten trace, for analyses of other orders of its events: a section
/// holds its lock from its start to its end, whatever it does. `lock_of` returns the lock to which a variable belongs,
/// if the variable stands for sections, and if any of these has acquired the lock. Events that lose their meaning
/// become events without effect.
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
            // The section begins to write.
            Op::Acquire(lock) if open.contains(&(thread, lock)) => Op::Nop,
            Op::Release(lock) => {
                open.remove(&(thread, lock));
                event.op
            }
            op => op,
        };
    }
}
