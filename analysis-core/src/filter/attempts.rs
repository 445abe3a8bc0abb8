//! Accesses without consequence: reads whose value is not used, and writes that change nothing.
//!
//! A trace does not say what becomes of a value, so this is a function on traces *with marks*: for each access, whether what it found was
//! used, or what it wrote was new. It is the specification of the agent's `Attempts`, `Rehearsals` and `Fills`, which leave such accesses out before they are events. Unlike
//! the filters it changes answers, so it has no place in [`FILTERS`](super::FILTERS).
//!
//! # What is used
//! The value of a read has a consequence if anything that the thread does later depends on it: what it writes, calls or returns, which way it takes. It has
//! none in four shapes, after Flanagan, Freund, Qadeer, "Exploiting purity for atomicity", 2005:
//! - The thread goes round a loop in which it has only read, to look again: it waits by spinning.
//! - The value is what a `compareAndSet` of the same variable expects. If that succeeds, it has found the same value, and is itself a read and a write; if it
//!   fails, it had no effect, as a weak one may fail without a reason, and the method must have forgotten the value.
//! - The thread takes a lock and reads the variable again, whatever it has found at first.
//! - The thread has not found a key in a map, and asks once more in the step that puts it in. Whichever of the two finds the key, it goes on in the same way.
//!
//! Who goes round a loop in which it has only read, and has not asked for the time, waits for another thread: nothing else can end the loop. But who
//! also writes what it reads there takes a lock of the program's own; that is no wait, as it is none to wait for a monitor.
//!
//! # A field that is filled
//! A method that finds a field to have its default, and then writes what another thread has written meanwhile, changes nothing by that: such a write is marked as
//! not used. So is a read that finds a value which the method would otherwise have computed itself, and written, before anything else: it does the same in both cases. The read
//! that finds the default stays an event, so a write of a *different* value is the lost update that it is.
//!
//! # An attempt that is rehearsed
//! At run time the reads that turn out to be used are known too late: others may have written since. So an attempt runs twice. First come reads that are
//! marked as not used, whatever they find. If a value has a consequence, the attempt runs once more from its start, and these reads are used. That is an
//! execution of the program, too, since an attempt only reads: its thread might have come a moment later. So every event is one of a read that the program has
//! really made at that moment, no event is put anywhere else, and no order between threads is guessed.
//! It can be given up at any place, such as before a call that may have an effect: then the attempt runs, as if there had been no first one.
//!
//! # Why nothing is invented
//! Only accesses are left out. Two events that conflict in what is left conflict in the trace, in the same order, so happens-before is a part of what it was; blocks are
//! the same. What is missed is every violation of which such an access is an event: by the definition it is one, and nobody could tell the difference.

use super::sampling::Kept;
use crate::event::{Event, Op};

/// What is left of a trace. `is_used` is asked for each access, by its number in the trace, from 1.
pub fn used(trace: &[Event], is_used: impl Fn(u64) -> bool) -> Vec<Kept> {
    let numbered = (1..).zip(trace).map(|(number, event)| Kept { event: *event, number });
    numbered.filter(|kept| !matches!(kept.event.op, Op::Read(_) | Op::Write(_)) || is_used(kept.number)).collect()
}
