//! **All** traces of two threads of some length over two variables and one lock.
//!
//! Events are reads, writes, acquire, release, begin, end, fork and join, within what a well-formed trace allows
//! ([`crate::world`]). Two traces that differ only in the names of threads and variables count once: the first event is
//! of the first thread, the first access is to the first variable.

use std::sync::atomic::{AtomicU64, Ordering};

use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use rayon::prelude::*;

use crate::world::World;

/// Traces up to this length are enumerated first. The continuations of each are one piece of work.
const ROOT_LENGTH: usize = 3;

const T0: ThreadId = ThreadId(0);
const T1: ThreadId = ThreadId(1);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const L: LockId = LockId(0);

/// Runs `check` on every trace of `length` events, on all cores, until one fails. Returns the number of traces.
pub fn for_all_traces<E: Send>(length: usize, check: impl Fn(&[Event]) -> Result<(), E> + Sync) -> Result<u64, E> {
    let mut roots: Vec<Prefix> = Vec::new();
    let gather = &mut |root: &Prefix| {
        let mut whole = Prefix::default();
        root.events.iter().for_each(|event| whole.take(*event));
        roots.push(whole);
        Ok(())
    };
    extend(&mut Prefix::default(), ROOT_LENGTH.min(length), gather)?;
    let count = AtomicU64::new(0);
    let failure = roots.into_par_iter().find_map_first(|mut root| {
        let mut traces = 0;
        let run = &mut |prefix: &Prefix| {
            traces += 1;
            check(&prefix.events)
        };
        let outcome = extend(&mut root, length, run);
        count.fetch_add(traces, Ordering::Relaxed);
        outcome.err()
    });
    failure.map_or(Ok(count.into_inner()), Err)
}

fn operations(other: ThreadId) -> [Op; 10] {
    let begin = Op::Begin(LabelId::NONE);
    let (acquire, release) = (Op::Acquire(L), Op::Release(L));
    let (fork, join) = (Op::Fork(other), Op::Join(other));
    [Op::Read(X), Op::Read(Y), Op::Write(X), Op::Write(Y), acquire, release, begin, Op::End, fork, join]
}

/// A trace under construction.
#[derive(Clone, Default)]
struct Prefix {
    events: Vec<Event>,
    world: World,
    has_access: bool,
}

impl Prefix {
    fn allows(&self, event: Event) -> bool {
        let is_first_of_its_names = match event.op {
            Op::Read(x) | Op::Write(x) => self.has_access || x == X,
            _ => true,
        };
        let is_first_thread = !self.events.is_empty() || event.thread == T0;
        is_first_of_its_names && is_first_thread && self.world.allows(event)
    }

    fn take(&mut self, event: Event) {
        self.has_access |= matches!(event.op, Op::Read(_) | Op::Write(_));
        self.world.take(event);
        self.events.push(event);
    }
}

/// Calls `visit` with every trace of `length` events that begins with `prefix`.
fn extend<E>(prefix: &mut Prefix, length: usize, visit: &mut impl FnMut(&Prefix) -> Result<(), E>) -> Result<(), E> {
    if prefix.events.len() == length {
        return visit(prefix);
    }
    let is_last = prefix.events.len() + 1 == length;
    for (thread, other) in [(T0, T1), (T1, T0)] {
        for op in operations(other) {
            let event = Event::new(thread, op);
            if !prefix.allows(event) {
                continue;
            }
            if is_last {
                // Nothing follows this event, so the world need not record it.
                prefix.events.push(event);
                visit(prefix)?;
                prefix.events.pop();
            } else {
                let mut longer = prefix.clone();
                longer.take(event);
                extend(&mut longer, length, visit)?;
            }
        }
    }
    Ok(())
}
