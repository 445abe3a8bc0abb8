//! Accesses without consequence: reads whose value is not used, and writes that change nothing.
//!
//! A trace does not say how a value is used, so this is a function on traces *with marks*: for each access, whether the
//! value read was used, or the value written was new. It is the specification of the agent's `Attempts`, `Rehearsals`
//! and `Fills`, which drop such accesses before they become events. Unlike the filters it changes answers, so it is not
//! one of the [`FILTERS`](super::FILTERS).
//!
//! # What is used
//! The value of a read has a consequence if anything that the thread does later depends on it: what it writes, calls or
//! returns, or which branch it takes. The value has none in four shapes, after Flanagan, Freund, Qadeer, "Exploiting
//! purity for atomicity", 2005:
//! - The thread repeats a loop in which it has only read, to look again: it spins.
//! - The value is the one that a `compareAndSet` of the same variable expects. If that succeeds, it has found the same
//!   value, and is itself a read and a write. If it fails, it had no effect, since a weak one may fail spuriously, and
//!   the method must have discarded the value.
//! - The thread takes a lock and reads the variable again, whatever it found at first.
//! - The thread has not found a key in a map, and looks it up again in the step that inserts it. Whichever of the two
//!   look-ups finds the key, the thread continues in the same way.
//!
//! A thread that repeats a loop in which it has only read, and has not asked for the time, waits for another thread:
//! nothing else can end the loop. But a thread that also writes what it reads there takes a lock of the program's own;
//! that is not a wait, just as waiting for a monitor is not.
//!
//! # A field that is filled
//! If a method finds a field at its default, and then writes what another thread has meanwhile written, the write
//! changes nothing: it is marked as not used. So is a read that finds a value which the method would otherwise have
//! computed and written itself, before anything else: the method does the same in both cases. The read that finds the
//! default stays an event, so a write of a *different* value is still reported as the lost update that it is.
//!
//! # An attempt that is rehearsed
//! At run time it becomes known too late which reads are used: other threads may have written since. So an attempt runs
//! twice. The first time its reads are marked as not used, whatever they find. If a value has a consequence, the
//! attempt runs again from its start, and these reads are used. That is an execution of the program, too, since an
//! attempt only reads: its thread might have come a moment later. So every event is a read that the program has really
//! made at that moment, no event is moved, and no order between threads is guessed. The first run can be given up at
//! any place, such as before a call that may have an effect: then the attempt runs as if there had been no first run.
//!
//! # A round whose `compareAndSet` fails
//! A rehearsal cannot try a `compareAndSet`. What a round of a loop reads that ends with one is marked when that has
//! succeeded or failed, which is later than others can see the reads: [`crate::protocol::rounds`].
//!
//! # Why nothing is invented
//! Only accesses are dropped. Two events that conflict in the remaining trace conflict in the original trace, in the
//! same order, so the remaining happens-before is a subset of the original one; blocks are the same. What is missed is
//! every violation that has such an access as an event: by the definition it is a violation, but it has no observable
//! effect.

use super::sampling::Kept;
use crate::event::{Event, Op};

/// Returns the remaining trace. `is_used` is called for each access with its number in the trace, from 1.
pub fn used(trace: &[Event], is_used: impl Fn(u64) -> bool) -> Vec<Kept> {
    let numbered = (1..).zip(trace).map(|(number, event)| Kept { event: *event, number });
    numbered.filter(|kept| !matches!(kept.event.op, Op::Read(_) | Op::Write(_)) || is_used(kept.number)).collect()
}
