//! The stamp protocol: which accesses are recorded, with which dependencies, and how the threads' streams are merged.
//!
//! It is the specification of the agent's hooks, as a function on traces. A variable carries the *stamps* of its last
//! write and reads; a thread that meets the stamp of another thread records a *dependency* on it; a reader merges the
//! threads' streams by their dependencies alone ([`merge`]). There are no sequence numbers and no clocks.
//!
//! What follows is the protocol of recorded traces, and of engines that take every event. If nobody asks for the
//! accesses, nothing but dependencies leaves a thread: see [`epochs`].
//!
//! - A thread counts its recorded events: its *position*. A stamp is a thread and a position.
//! - A *segment* of a thread begins at each begin (inner ones too), at the end of an outermost block, and at an event
//!   with a recorded dependency.
//! - A read is redundant, and not recorded, if the thread's last recorded access to the variable is in this segment and
//!   nobody has written since; a write, if it is a write in this segment and nobody has accessed the variable since.
//! - A dependency on `(u, p)` is implied, not recorded, and begins no segment, if the thread has depended on `u` at `p`
//!   or later before.
//!
//! What a redundant access would add to happens-before, its covering event has added: same thread, same transaction, same
//! open blocks, and nothing came in between. So program order and the recorded dependencies give the verdicts of the
//! whole trace, and every merge of the streams is a linear extension of the happens-before of the recorded events.
//! `tests/` holds both against the reference. Violations' *events* may differ: they are named in recorded positions. And
//! an event that happens before another one only through a redundant access may be merged after it: in
//! `A: w(x) w(y) w(x)`, `B: w(x)`, A's second `w(x)` is redundant, and `w(y)` may come after B's.

pub mod epochs;
pub mod handovers;
pub mod merge;
pub mod operations;
pub mod parts;
pub mod permits;
mod record;
pub mod results;
pub mod rounds;
pub mod steps;

pub use record::{Item, Recorded, Recorder, Recording, record};
