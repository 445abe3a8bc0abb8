//! Critical sections in which nothing is written ([`analysis_core::filter::sections`]). What is left of a trace has the answers of the definition, by
//! brute force over which section follows which. Everything violated in it is violated in the whole trace, and the protocol finds all of it.
//!
//! `REGIONTRACK_RANDOM=N` runs N traces of each family, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events, each with every choice of one event
//! that may write, and with none. A failure prints the choice, what was left, and the smallest trace that still shows it.

use std::collections::{BTreeMap, BTreeSet};

use analysis_core::event::{Event, LockId, Op, ThreadId, VarId};
use analysis_core::filter::sampling::Kept;
use analysis_core::filter::sections::{held, read};
use regiontrack_tests::compare::{Answer, Blame};
use regiontrack_tests::sampled::{Choice, check_sections_or_explain, on_random_traces, sections_of};
use regiontrack_tests::{asked, enumerate, shrink, text};

const DEFAULT_TRACES: u64 = 400;
const DEFAULT_LENGTH: u64 = 5;

/// A critical section, by its event numbers.
struct Section {
    lock: LockId,
    acquire: usize,
    release: Option<usize>,
    /// Its first event that writes.
    write: Option<usize>,
}

/// Returns the sections of a trace, each up to the last release of its lock.
fn sections(trace: &[Event], may_write: &Choice) -> Vec<Section> {
    let mut found = Vec::new();
    for (first, event) in trace.iter().enumerate() {
        let Op::Acquire(lock) = event.op else { continue };
        let depths =
            trace[..first].iter().filter(|other| other.thread == event.thread).map(|other| change(other, lock));
        if depths.sum::<i32>() > 0 {
            continue;
        }
        let mut section = Section { lock, acquire: first, release: None, write: None };
        let mut depth = 0;
        for (number, other) in (first..).zip(&trace[first..]).filter(|(_, other)| other.thread == event.thread) {
            let writes = matches!(other.op, Op::Write(_)) || may_write(number as u64 + 1);
            section.write = section.write.or(writes.then_some(number));
            depth += change(other, lock);
            if depth == 0 {
                section.release = Some(number);
                break;
            }
        }
        found.push(section);
    }
    found
}

fn change(event: &Event, lock: LockId) -> i32 {
    match event.op {
        Op::Acquire(other) if other == lock => 1,
        Op::Release(other) if other == lock => -1,
        _ => 0,
    }
}

/// Whether two events, the first before the second, are ordered regardless of locks.
fn conflict(one: &Event, other: &Event) -> bool {
    let is_of = |event: &Event, thread: ThreadId| event.thread == thread;
    match (one.op, other.op) {
        _ if one.thread == other.thread => true,
        (Op::Write(x), Op::Read(y) | Op::Write(y)) | (Op::Read(x), Op::Write(y)) if x == y => true,
        (Op::Fork(child), _) if is_of(other, child) => true,
        (_, Op::Join(child)) if is_of(one, child) => true,
        _ => false,
    }
}

/// Returns for each event the events that come before it.
fn before(trace: &[Event], may_write: &Choice) -> Vec<Vec<bool>> {
    let sections = sections(trace, may_write);
    let mut edges = BTreeSet::new();
    for one in &sections {
        for other in sections.iter().filter(|other| other.lock == one.lock && other.acquire > one.acquire) {
            let release = one.release.expect("only one section at a time");
            // A section that only reads comes before the other section's first write, one that writes before the whole section.
            let follows = if one.write.is_some() { Some(other.acquire) } else { other.write };
            edges.extend(follows.map(|follows| (release, follows)));
        }
    }
    let mut before: Vec<Vec<bool>> = Vec::new();
    for (j, event) in trace.iter().enumerate() {
        let mut all = vec![false; trace.len()];
        for i in 0..j {
            if conflict(&trace[i], event) || edges.contains(&(i, j)) {
                all[i] = true;
                all.iter_mut().zip(&before[i]).for_each(|(one, other)| *one |= *other);
            }
        }
        before.push(all);
    }
    before
}

/// Returns the violated blocks by the definition.
fn violated(trace: &[Event], may_write: &Choice) -> BTreeSet<Blame> {
    let before = before(trace, may_write);
    let mut found = BTreeSet::new();
    for (begin, event) in trace.iter().enumerate() {
        let Op::Begin(_) = event.op else { continue };
        let depth_at = |end: usize| {
            let changes =
                trace[..end].iter().filter(|other| other.thread == event.thread).map(|other| match other.op {
                    Op::Begin(_) => 1,
                    Op::End => -1,
                    _ => 0,
                });
            changes.sum::<i32>()
        };
        let outer = depth_at(begin);
        let last = (begin..trace.len()).find(|at| trace[*at].thread == event.thread && depth_at(at + 1) <= outer);
        let block = begin..=last.unwrap_or(trace.len() - 1);
        let is_shown = |m: &usize| {
            trace[*m].thread == event.thread
                && (0..*m).any(|e| trace[e].thread != event.thread && before[*m][e] && before[e][begin])
        };
        if let Some(shown) = block.into_iter().find(is_shown) {
            let depth = u32::try_from(outer).expect("blocks end after they have begun");
            let (begin, shown) = (begin as u64 + 1, shown as u64 + 1);
            found.insert(Blame { thread: event.thread, begin, event: shown, depth });
        }
    }
    found
}

/// Returns the violated blocks in what is left.
fn left(kept: &[Kept]) -> BTreeSet<Blame> {
    let events: Vec<Event> = kept.iter().map(|kept| kept.event).collect();
    let number = |position: u64| kept[position as usize - 1].number;
    let blames = Answer::of_reference(&events).violated;
    blames.iter().map(|blame| Blame { begin: number(blame.begin), event: number(blame.event), ..*blame }).collect()
}

fn check_definition(trace: &[Event], may_write: &Choice) -> Result<(), String> {
    let (found, right) = (left(&sections_of(trace, may_write)), violated(trace, may_write));
    if found == right { Ok(()) } else { Err(format!("violated is {right:?}, found {found:?}")) }
}

fn check(trace: &[Event], may_write: &Choice, seed: u64) -> Result<(), String> {
    check_sections_or_explain(trace, may_write, seed)?;
    check_definition(trace, may_write).map_err(|_| {
        let small = shrink::shrink(trace, |trace| check_definition(trace, may_write).is_err());
        let told = check_definition(&small, may_write).expect_err("it is faulty");
        let chosen: Vec<u64> = (1..=small.len() as u64).filter(|number| may_write(*number)).collect();
        format!("{told}\nof\n{}chosen: {chosen:?}", text::to_std(&small))
    })
}

#[test]
fn what_is_reported_is_what_the_definition_says_on_random_traces() {
    on_random_traces(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), check);
}

#[test]
fn what_is_reported_is_what_the_definition_says_where_nothing_else_may_write_on_random_traces() {
    on_random_traces(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), |trace, _, seed| check(trace, &|_| false, seed));
}

#[test]
fn what_is_reported_is_what_the_definition_says_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            // No event has the number 0.
            (0..=length).try_for_each(|chosen| check(trace, &move |number: u64| number == chosen, chosen))
        });
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

fn count(trace: &str, may_write: &[u64]) -> usize {
    let events: Vec<Event> = text::read(trace).expect("a readable trace").events;
    left(&read(&events, 8, |number| may_write.contains(&number))).len()
}

/// Checks the same with the locks held again, and the trace itself: without what has no effect, and without what a holder acquires again.
fn check_held(trace: &[Event], may_write: &Choice) -> Result<(), String> {
    let mut events: Vec<Event> = sections_of(trace, may_write).iter().map(|kept| kept.event).collect();
    let variables = trace.iter().filter_map(|event| event.op.variable()).map(|variable| variable.0 + 1).max();
    let first = variables.unwrap_or(0);
    held(&mut events, |variable| (variable.0 >= first).then(|| Some(LockId(variable.0 - first))));
    events.retain(|event| event.op != Op::Nop);
    let mut depths: BTreeMap<(ThreadId, LockId), i32> = BTreeMap::new();
    let expected = trace.iter().filter(|event| match event.op {
        Op::Acquire(lock) | Op::Release(lock) => {
            let depth = depths.entry((event.thread, lock)).or_default();
            let before = *depth;
            *depth += change(event, lock);
            before + *depth == 1
        }
        op => op != Op::Nop,
    });
    let expected: Vec<Event> = expected.copied().collect();
    if events == expected { Ok(()) } else { Err(format!("held again:\n{}", text::to_std(&events))) }
}

#[test]
fn for_other_orders_every_section_holds_its_lock() {
    on_random_traces(asked("REGIONTRACK_RANDOM", DEFAULT_TRACES), |trace, may_write, _| check_held(trace, may_write));
}

#[test]
fn sections_that_only_read_are_in_no_order() {
    let trace = "T0|begin T0|acq(l) T0|r(x) T0|rel(l) T1|acq(l) T1|r(x) T1|rel(l) T0|acq(l) T0|r(x) T0|rel(l) T0|end";
    assert_eq!(count(trace, &[]), 0);
    assert_eq!(count(trace, &[6]), 1, "the other thread's may write");
    assert_eq!(count(trace, &[3]), 0, "only the first may write, and nobody follows the second");
    assert_eq!(count(trace, &[3, 9]), 1, "the first and the last may write");
}

#[test]
fn a_section_that_has_read_and_then_writes_follows_the_readers() {
    let trace = "T0|begin T0|acq(l) T0|rel(l) T1|acq(l) T1|rel(l) T0|acq(l) T0|r(x) T0|r(x) T0|rel(l) T0|end";
    let events: Vec<Event> = text::read(trace).expect("a readable trace").events;
    let kept = read(&events, 8, |number| number == 8 || number == 3);
    assert_eq!(left(&kept).first().map(|blame| blame.event), Some(8), "it is the write that follows");
}

#[test]
fn an_inner_section_ends_nothing() {
    let trace = "T0|acq(l) T0|acq(l) T0|rel(l) T0|w(x) T0|rel(l)";
    let events: Vec<Event> = text::read(trace).expect("a readable trace").events;
    let of_lock: Vec<Op> = read(&events, 8, |_| false)
        .iter()
        .map(|kept| kept.event.op)
        .filter(|op| op.variable() != Some(VarId(0)))
        .collect();
    let (l, section) = (LockId(0), VarId(8));
    assert_eq!(of_lock, [Op::Read(section), Op::Write(section), Op::Acquire(l), Op::Write(section), Op::Release(l)]);
}
