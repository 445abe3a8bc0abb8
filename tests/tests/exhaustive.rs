//! Every engine against the reference on **all** traces of two threads with up to seven events over two variables and
//! one lock, at every prefix.
//!
//! Events are reads, writes, acquire, release, begin, end, fork and join. Two traces that differ only in the names of
//! threads and variables count once: the first event is of the first thread, the first access is to the first variable.
//! Only traces of full length are run, since engines are asked after every event. `REGIONTRACK_EXHAUSTIVE=N` asks for N
//! events instead of seven.

use std::sync::atomic::{AtomicU64, Ordering};

use analysis_core::engine::EngineSpec;
use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use regiontrack_tests::compare::{self, Answer};
use regiontrack_tests::parallel;
use regiontrack_tests::world::World;

const DEFAULT_LENGTH: usize = 7;
/// Traces up to this length are enumerated first; what can follow each is one piece of work.
const ROOT_LENGTH: usize = 3;

const T0: ThreadId = ThreadId(0);
const T1: ThreadId = ThreadId(1);
const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const L: LockId = LockId(0);

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
fn extend<E>(
    prefix: &mut Prefix,
    length: usize,
    visit: &mut impl FnMut(&Prefix) -> Result<(), E>,
) -> Result<(), E> {
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
                // Nothing comes after it: the world need not know of it.
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

fn length() -> usize {
    let Ok(asked) = std::env::var("REGIONTRACK_EXHAUSTIVE") else { return DEFAULT_LENGTH };
    asked.parse().unwrap_or_else(|_| panic!("REGIONTRACK_EXHAUSTIVE is {asked}; give it a number of events"))
}

/// Runs `check` on every trace, on all cores; how many there are.
fn for_all_traces(length: usize, check: impl Fn(&[Event]) -> Result<(), String> + Sync) -> u64 {
    let mut roots: Vec<Prefix> = Vec::new();
    let gather = &mut |root: &Prefix| {
        let mut whole = Prefix::default();
        root.events.iter().for_each(|event| whole.take(*event));
        roots.push(whole);
        Ok::<(), String>(())
    };
    extend(&mut Prefix::default(), ROOT_LENGTH.min(length), gather).expect("gathering does not fail");
    let count = AtomicU64::new(0);
    let outcome = parallel::try_for_each(roots.len() as u64, |root| {
        let mut traces = 0;
        let run = &mut |prefix: &Prefix| {
            traces += 1;
            check(&prefix.events)
        };
        let outcome = extend(&mut roots[root as usize].clone(), length, run);
        count.fetch_add(traces, Ordering::Relaxed);
        outcome
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    count.into_inner()
}

#[test]
fn every_engine_keeps_its_claim_on_every_small_trace() {
    let engines: Vec<&EngineSpec> = compare::engines_on_trial().collect();
    let length = length();
    let traces = for_all_traces(length, |trace| {
        let right = Answer::of_reference(trace);
        match engines.iter().find(|spec| compare::check(spec, trace, &right).is_err()) {
            None => Ok(()),
            Some(spec) => compare::check_or_explain(spec, trace),
        }
    });
    println!("{traces} traces of {length} events, {} engines", engines.len());
}

#[test]
fn traces_of_two_events_are_counted_by_hand() {
    // T0 begins with r(x), w(x), acq, begin or fork(T1): the names leave no other choice.
    assert_eq!(for_all_traces(1, |_| Ok(())), 5);
    // After an access to x: each thread has four accesses, acq, begin; and T0 fork, T1 join: 2 * (12 + 2).
    // After acq: two accesses each, begin each; T0 rel and fork; T1 join: 9. After begin: two accesses, acq, begin each;
    // T0 end and fork; T1 join: 11. After the fork: two accesses, acq, begin each; T0 join, T1 join: 10.
    assert_eq!(for_all_traces(2, |_| Ok(())), 28 + 9 + 11 + 10);
}
