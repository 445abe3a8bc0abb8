//! Steps: one event that accesses several variables, such as a call of a library that adds a key and counts it.
//!
//! A thread does everything in a step at once, so the accesses are one event: it conflicts with another one if any of its accesses does. A
//! trace has single accesses, which follow each other in program order: an edge *into* one of them reaches the accesses after it, but not
//! those before it, from which others can leave. So a step is written as its accesses and then, once more, all but the last ([`accesses`]):
//!
//! - What comes before any access of the step comes before the first time that this access is written, hence before the last time
//!   that each other one is written.
//! - What follows an access conflicts with it each time that it is written, including the last. No other thread comes in
//!   between.
//!
//! So happens-before is that of the steps, for every engine, at the end of the step. Repetitions that no new dependency separates
//! from the first time are redundant ([`super`]), and are not recorded: a step without new dependencies costs what its accesses
//! cost.
//!
//! `together` between the accesses ([`Op::Together`]) says that no other thread comes in between in any other order of the events either,
//! where such orders are examined.

use crate::event::{Event, Op, ThreadId};

/// What one thread does at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The thread.
    pub thread: ThreadId,
    /// Its accesses, or one other event.
    pub ops: Vec<Op>,
}

/// The accesses of a step, as they are written.
pub fn accesses(ops: &[Op]) -> impl Iterator<Item = Op> + '_ {
    let again = ops.split_last().map_or(&[][..], |(_, before)| before);
    ops.iter().chain(again).copied()
}

/// The trace of a sequence of steps.
pub fn expand(steps: &[Step]) -> Vec<Event> {
    steps.iter().flat_map(|step| accesses(&step.ops).map(|op| Event::new(step.thread, op))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::VarId;

    #[test]
    fn all_but_the_last_access_is_written_twice() {
        let [a, b, c] = [Op::Write(VarId(0)), Op::Read(VarId(1)), Op::Write(VarId(2))];
        assert_eq!(accesses(&[a]).collect::<Vec<_>>(), [a]);
        assert_eq!(accesses(&[a, b, c]).collect::<Vec<_>>(), [a, b, c, a, b]);
        let steps = [Step { thread: ThreadId(1), ops: vec![a, b] }, Step { thread: ThreadId(0), ops: vec![Op::End] }];
        let events = [(1, a), (1, b), (1, a), (0, Op::End)].map(|(thread, op)| Event::new(ThreadId(thread), op));
        assert_eq!(expand(&steps), events);
    }
}
