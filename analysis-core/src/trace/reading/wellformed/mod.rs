//! Well-formedness: could an execution have made this sequence of events?
//!
//! The following are ill-formed:
//! 1. an acquire of a lock that another thread holds;
//! 2. a release of a lock that the thread does not hold;
//! 3. an `end` of a thread that has no block open;
//! 4. a fork or join of a thread in that thread;
//! 5. a fork of a thread that has events already, was forked already, or was joined already;
//! 6. an event of a thread that was joined.
//!
//! The following are well-formed: an acquire by the holder (Java's monitors are re-entrant; as many releases are needed
//! to free the lock), locks held and blocks open at the end, threads that appear without a fork, a join of a thread
//! that has no events, and joins of a thread by several others.
//!
//! # After an ill-formed event
//! The checker continues with what most likely happened, so that one error is not reported many times: an acquire of a
//! held lock takes it from its holder; a release of a lock that is not the thread's, an `end` without a block and a
//! fork or join of itself do nothing; a fork of a joined thread starts another thread with that name. Each event of a
//! joined thread is reported.
//!
//! Commits of buffered writes are checked by [`Buffers`], for analyses that ask for it.

pub(super) mod buffers;
pub(super) mod checker;

#[cfg(test)]
mod tests;

pub use crate::trace::vocabulary::ill_formed::IllFormed;
pub use buffers::Buffers;
pub use checker::Checker;
