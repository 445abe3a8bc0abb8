//! Decodes bytes as a small execution, for engines, filters and witnesses.

use analysis_core::engine::Claim;
use analysis_core::engines;
use analysis_core::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use analysis_core::minimize::{Cone, Goal, smallest};
use analysis_core::report::Kind;
use analysis_core::witness::Search;

use crate::compare::{self, Answer};
use crate::contract::Contract;
use crate::filtered;
use crate::shrink;
use crate::text;
use crate::world::{self, World};

/// Longer traces take the reference long and show nothing that short ones do not.
const MOST_EVENTS: usize = 64;
/// The number of variables, of locks and of labels.
const NAMES: u8 = 4;

/// Decodes the execution in `bytes`. The first byte gives the number of threads and whether ill-formed events are kept
/// or left out. Each further pair of bytes is an event: its thread and its operation.
pub fn decode(bytes: &[u8]) -> Vec<Event> {
    let Some((&head, rest)) = bytes.split_first() else { return Vec::new() };
    let threads = 1 + (head >> 1) % 7;
    let is_lawful = head & 1 == 0;
    let mut world = World::default();
    let mut trace = Vec::new();
    for pair in rest.chunks_exact(2) {
        let event = Event::new(ThreadId((pair[0] % threads).into()), operation(pair[1], threads));
        if trace.len() < MOST_EVENTS && (!is_lawful || world.allows(event)) {
            world.take(event);
            trace.push(event);
        }
    }
    trace
}

fn operation(byte: u8, threads: u8) -> Op {
    let name = u32::from(byte >> 4) % u32::from(NAMES);
    let child = ThreadId(u32::from((byte >> 4) % threads));
    match byte & 15 {
        0..=2 => Op::Read(VarId(name)),
        3..=5 => Op::Write(VarId(name)),
        6 => Op::Acquire(LockId(name)),
        7 => Op::Release(LockId(name)),
        8 => Op::Fork(child),
        9 => Op::Join(child),
        10 | 11 if name == 0 => Op::Begin(LabelId::NONE),
        10 | 11 => Op::Begin(LabelId(name)),
        12 | 13 => Op::End,
        14 => [Op::Fence, Op::Nop, Op::Together, Op::Update][byte as usize >> 4 & 3],
        _ => Op::Commit(VarId(name)),
    }
}

/// Every engine keeps its claim.
pub fn engines(bytes: &[u8]) {
    let trace = decode(bytes);
    let right = Answer::of_reference(&trace);
    for spec in compare::engines_on_trial() {
        if compare::check(spec, &trace, &right).is_err() {
            compare::check_or_explain(spec, &trace).unwrap_or_else(|told| panic!("{told}"));
        }
    }
}

/// Filters keep the answers.
pub fn filters(bytes: &[u8]) {
    filtered::check_or_explain(&decode(bytes)).unwrap_or_else(|told| panic!("{told}"));
}

/// Every finding has a witness that keeps the contract, and a smallest sub-trace.
pub fn witnesses(bytes: &[u8]) {
    // Which of several witnesses an engine gives may depend on the numbers; a goal uses dense ones.
    let trace = shrink::renumbered(&decode(bytes));
    let mut engine = (engines::default().build)();
    engine.feed(&trace);
    let mut found = engine.findings().clone();
    for violation in &mut found.violations {
        let search = searched(Search::of_block(violation), &trace);
        violation.edges = search.edges().unwrap_or_else(|| panic!("no witness of {violation:?}\n{}", shown(&trace)));
    }
    if let Some(cycle) = &mut found.cycle {
        let search = searched(Search::of_cycle(cycle), &trace);
        cycle.edges = search.edges().unwrap_or_else(|| panic!("no witness of {cycle:?}\n{}", shown(&trace)));
    }
    let mut faults = Vec::new();
    Contract::new(Claim::EXACT, &trace).check_news(&found, &mut faults);
    assert!(faults.is_empty(), "{faults:?}\n{}", shown(&trace));
    if world::is_well_formed(&trace) {
        small(&trace, &goal(&trace, &found));
    }
}

fn searched(mut search: Search, trace: &[Event]) -> Search {
    (1..).zip(trace).for_each(|(number, event)| search.step(number, *event));
    search
}

/// Returns what the first finding, if any, demands of a smaller trace.
fn goal(trace: &[Event], found: &analysis_core::engine::Findings) -> Option<Goal> {
    let Some(first) = found.violations.first() else { return found.cycle.as_ref().map(|_| Goal::Cycle) };
    // The engine's own witness decides the kind: `Goal` asks the engine again.
    let mut engine = (engines::default().build)();
    engine.feed(trace);
    let same_event = |v: &&analysis_core::engine::Violation| (v.thread, v.event) == (first.thread, first.event);
    let innermost = engine.findings().violations.iter().take_while(same_event).last()?;
    let op = |position: u64| trace[position as usize - 1].op;
    let (out, back) = (innermost.edges.first()?, innermost.edges.last()?);
    Some(Goal::Violation(innermost.label, Kind::of(op(out.from.position()), op(back.to.position()))))
}

fn small(trace: &[Event], goal: &Option<Goal>) {
    let Some(goal) = goal else { return };
    let mut cone = Cone::up_to(trace.len() as u64);
    (1..).zip(trace).for_each(|(number, event)| cone.step(number, *event));
    let kept = smallest(cone.units(), goal).unwrap_or_else(|| panic!("{goal:?} is lost\n{}", shown(trace)));
    let small: Vec<Event> = kept.iter().map(|piece| piece.event).collect();
    assert!(goal.holds(&small) && world::is_well_formed(&small), "{goal:?}\n{}\n{}", shown(&small), shown(trace));
}

fn shown(trace: &[Event]) -> String {
    text::to_std(trace)
}
