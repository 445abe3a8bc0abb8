//! Traces as text: STD out, and a small reader for what the tests themselves write.
//!
//! STD has one event per line, `THREAD|OP` or `THREAD|OP|LOCATION`. The reader here also takes events separated by
//! blanks on one line, so that a test can show a trace in a string. It is deliberately not the product's reader: a
//! reader must not be tested against itself.

use std::fmt::Write as _;

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use analysis_core::trace::symbols::Symbols;

/// A trace and the names in it.
#[derive(Default)]
pub struct Trace {
    /// The events.
    pub events: Vec<Event>,
    /// The names behind the numbers.
    pub symbols: Symbols,
}

/// The trace as STD: threads `T0..`, variables `V0..`, locks `L0..`, labels `m0..`, with the event's number as location.
pub fn to_std(trace: &[Event]) -> String {
    let mut text = String::with_capacity(trace.len() * 16);
    for (number, event) in (1u64..).zip(trace) {
        writeln!(text, "T{}|{}|{number}", event.thread.0, op_to_std(event.op)).expect("a string takes any text");
    }
    text
}

fn op_to_std(op: Op) -> String {
    match op {
        Op::Read(x) => format!("r(V{})", x.0),
        Op::Write(x) => format!("w(V{})", x.0),
        Op::Acquire(l) => format!("acq(L{})", l.0),
        Op::Release(l) => format!("rel(L{})", l.0),
        Op::Fork(u) => format!("fork(T{})", u.0),
        Op::Join(u) => format!("join(T{})", u.0),
        Op::Begin(LabelId::NONE) => "begin".to_owned(),
        Op::Begin(m) => format!("begin(m{})", m.0),
        Op::End => "end".to_owned(),
        Op::Fence => "fence".to_owned(),
        Op::Commit(x) => format!("commit(V{})", x.0),
        Op::Nop => "dummy(0)".to_owned(),
        Op::Together => "together".to_owned(),
        Op::Update => "update".to_owned(),
    }
}

/// Reads events separated by line breaks or blanks. Lines that start with `#` are comments.
pub fn read(text: &str) -> Result<Trace, String> {
    let mut trace = Trace::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
        for token in line.split_whitespace() {
            let event = read_event(token, &mut trace.symbols)
                .ok_or_else(|| format!("line {number}: `{token}` is not THREAD|OP or THREAD|OP|LOCATION"))?;
            trace.events.push(event);
        }
    }
    Ok(trace)
}

fn read_event(token: &str, names: &mut Symbols) -> Option<Event> {
    let mut fields = token.split('|');
    let (thread, op) = (fields.next()?, fields.next()?);
    let thread = ThreadId(names.threads.intern(thread.as_bytes()));
    let (verb, operand) = match op.split_once('(') {
        Some((verb, rest)) => (verb, Some(rest.strip_suffix(')')?.as_bytes())),
        None => (op, None),
    };
    let op = match (verb, operand) {
        ("r", Some(x)) => Op::Read(VarId(names.vars.intern(x))),
        ("w", Some(x)) => Op::Write(VarId(names.vars.intern(x))),
        ("acq", Some(l)) => Op::Acquire(LockId(names.locks.intern(l))),
        ("rel", Some(l)) => Op::Release(LockId(names.locks.intern(l))),
        ("fork", Some(u)) => Op::Fork(ThreadId(names.threads.intern(u))),
        ("join", Some(u)) => Op::Join(ThreadId(names.threads.intern(u))),
        ("begin", Some(m)) => Op::Begin(LabelId(names.labels.intern(m))),
        ("begin", None) => Op::Begin(LabelId::NONE),
        ("end", _) => Op::End,
        ("fence", None) => Op::Fence,
        ("commit", Some(x)) => Op::Commit(VarId(names.vars.intern(x))),
        ("dummy", Some(_)) => Op::Nop,
        ("together", None) => Op::Together,
        ("update", None) => Op::Update,
        _ => return None,
    };
    Some(Event { thread, op })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate, shrink};

    #[test]
    fn a_trace_with_dense_numbers_survives_writing_and_reading() {
        for family in generate::FAMILIES {
            for seed in 0..50 {
                let events = shrink::renumbered(&family.trace(seed));
                assert_eq!(read(&to_std(&events)).expect("readable").events, events, "{} {seed}", family.name);
            }
        }
    }

    #[test]
    fn what_is_not_an_event_is_refused_with_its_line() {
        for text in ["T0", "T0|r(x", "T0|r", "T0|leap(x)", "|"] {
            let message = read(&format!("T0|begin\n{text}")).err().expect("an error");
            assert!(message.starts_with("line 2: "), "{message}");
        }
    }
}
