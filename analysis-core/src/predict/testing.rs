//! Executions for unit tests, in a one-line notation.

use super::Execution;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};

/// The execution of a trace: events `THREAD:OP`, where an operation is `rX`, `wX`, `aL` (acquire), `lL` (release), `fT`
/// (start), `jT` (join), `[` or `]`, `+` (together) or `!` (update). The label of a block is the number of blocks before it.
pub(super) fn execution(trace: &str) -> Execution {
    Execution::new(events(trace))
}

/// Returns the events of such a trace.
pub(crate) fn events(trace: &str) -> Vec<Event> {
    let mut blocks = 0;
    let mut event = |word: &str| {
        let (thread, op) = word.split_once(':').expect("THREAD:OP");
        let (kind, operand) = op.split_at(1);
        let number = || operand.parse().expect("a number");
        let op = match kind {
            "r" => Op::Read(VarId(number())),
            "w" => Op::Write(VarId(number())),
            "a" => Op::Acquire(LockId(number())),
            "l" => Op::Release(LockId(number())),
            "f" => Op::Fork(ThreadId(number())),
            "j" => Op::Join(ThreadId(number())),
            "[" => {
                blocks += 1;
                Op::Begin(LabelId(blocks - 1))
            }
            "]" => Op::End,
            "+" => Op::Together,
            "!" => Op::Update,
            _ => panic!("{word}"),
        };
        Event::new(ThreadId(thread.parse().expect("a thread")), op)
    };
    trace.split_whitespace().map(&mut event).collect()
}
