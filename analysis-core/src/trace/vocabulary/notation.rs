//! The STD notation of events, for formats without a notation of their own, and for messages.

use super::symbols::Symbols;
use crate::event::Op;

/// Returns the operation in STD notation, for formats that have another. Labels of ends are not known.
pub(in crate::trace) fn notation(op: Op, symbols: &Symbols) -> String {
    match op {
        Op::Read(x) => format!("r({})", symbols.var(x)),
        Op::Write(x) => format!("w({})", symbols.var(x)),
        Op::Acquire(l) => format!("acq({})", symbols.lock(l)),
        Op::Release(l) => format!("rel({})", symbols.lock(l)),
        Op::Fork(u) => format!("fork({})", symbols.thread(u)),
        Op::Join(u) => format!("join({})", symbols.thread(u)),
        Op::Begin(m) => symbols.label(m).map_or("begin".into(), |label| format!("begin({label})")),
        Op::End => "end".into(),
        Op::Fence => "fence".into(),
        Op::Commit(x) => format!("commit({})", symbols.var(x)),
        Op::Nop => "dummy(-)".into(),
        Op::Together => "together".into(),
        Op::Update => "update".into(),
    }
}
