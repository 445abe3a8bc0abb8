//! Further violations of a block that is known to be violated: one for each variable and lock at which its thread comes back
//! from the block, checked against the definition, on random traces and on all small ones.
//!
//! The contract of every engine ([`regiontrack_tests::contract`]) covers that each of these is true.

use analysis_core::engine::{Engine, Violation};
use analysis_core::engines;
use analysis_core::event::{Event, Op};
use regiontrack_tests::contract::Contract;
use regiontrack_tests::happens_before::{HappensBefore, conflict};
use regiontrack_tests::{enumerate, generate, text};

const TRACES_PER_FAMILY: u64 = 400;
/// The number of violations after which nothing more is reported of a block.
const MOST_WAYS: usize = 8;

fn run(trace: &[Event]) -> Box<dyn Engine> {
    let mut engine = (engines::default().build)();
    engine.feed(trace);
    engine
}

/// The variable or lock that an event accesses.
fn touched(op: Op) -> Option<(bool, u32)> {
    match op {
        Op::Read(x) | Op::Write(x) => Some((false, x.0)),
        Op::Acquire(lock) | Op::Release(lock) => Some((true, lock.0)),
        _ => None,
    }
}

/// Returns the events of other threads that `event` directly follows: those that happen before none of the others.
fn sources(trace: &[Event], order: &HappensBefore, event: usize) -> Vec<usize> {
    let all: Vec<usize> =
        (0..event).filter(|e| trace[*e].thread != trace[event].thread && conflict(trace[*e], trace[event])).collect();
    let is_last = |e: &usize| !all.iter().any(|later| order.holds(position(*e), position(*later)));
    all.iter().copied().filter(is_last).collect()
}

fn position(index: usize) -> u64 {
    index as u64 + 1
}

/// Returns what should have been reported of a violated block and was not.
fn unsaid(trace: &[Event], violations: &[Violation], again: &[Violation]) -> Option<String> {
    let order = HappensBefore::of(trace);
    let at = |violation: &Violation| trace[violation.event as usize - 1].op;
    let said = |begin: u64| violations.iter().chain(again).filter(move |said| said.begin == begin);
    let mut open: Vec<Vec<u64>> = vec![Vec::new(); 1 + trace.iter().map(|event| event.thread.index()).max()?];
    let mut before: Vec<Option<usize>> = vec![None; open.len()];
    for (index, event) in trace.iter().enumerate() {
        let blocks = &mut open[event.thread.index()];
        if let Op::Begin(_) = event.op {
            blocks.push(position(index));
        }
        for source in sources(trace, &order, index) {
            let reached = blocks.iter().rev().find(|begin| order.holds(**begin, position(source)));
            let Some(begin) = reached else { continue };
            // A known order shows nothing new.
            let last = before[event.thread.index()];
            let is_implied = last.is_some_and(|last| order.holds(position(source), position(last)));
            let mut of_kind = said(*begin).filter(|said| touched(at(said)) == touched(event.op));
            let is_said = of_kind.any(|said| said.event <= position(index)) || said(*begin).count() >= MOST_WAYS;
            if !is_implied && !is_said {
                return Some(format!("event {} shows more of the block at {begin}", position(index)));
            }
        }
        if event.op == Op::End {
            open[event.thread.index()].pop();
        }
        before[event.thread.index()] = Some(index);
    }
    None
}

fn check(trace: &[Event]) -> Result<usize, String> {
    let engine = run(trace);
    let findings = engine.findings();
    let mut faults = Vec::new();
    Contract::new(engines::default().claim, trace).check_news(findings, &mut faults);
    for said in &findings.again {
        let of_block = findings.violations.iter().chain(&findings.again).filter(|other| other.begin == said.begin);
        let touches = |violation: &Violation| touched(trace[violation.event as usize - 1].op);
        if of_block.filter(|other| touches(other) == touches(said)).count() > 1 {
            faults.push(format!("said twice: {said:?}"));
        }
    }
    faults.extend(unsaid(trace, &findings.violations, &findings.again));
    match faults.is_empty() {
        true => Ok(findings.again.len()),
        false => Err(format!("{}\n{}", faults.join("\n"), text::to_std(trace))),
    }
}

#[test]
fn a_violated_block_is_told_of_for_each_variable_and_lock() {
    let mut told = 0;
    for family in generate::FAMILIES {
        for seed in 0..TRACES_PER_FAMILY {
            told += check(&family.trace(seed)).unwrap_or_else(|fault| panic!("{} {seed}: {fault}", family.name));
        }
    }
    println!("{told} told again");
    assert!(told > 200, "{told} told again");
}

#[test]
fn the_same_on_all_small_traces() {
    let traces = enumerate::for_all_traces(6, |trace| check(trace).map(drop)).unwrap_or_else(|fault| panic!("{fault}"));
    println!("{traces} traces");
}

#[test]
fn a_counter_that_races_does_not_hide_the_check_then_act_beside_it() {
    let trace =
        text::read("T1|begin T1|r(hits) T2|w(hits) T1|w(hits) T1|r(stock) T2|w(stock) T1|w(stock) T1|r(hits) T1|end");
    let engine = run(&trace.expect("a trace").events);
    let shows = |all: &[Violation]| all.iter().map(|violation| violation.event).collect::<Vec<_>>();
    assert_eq!((shows(&engine.findings().violations), shows(&engine.findings().again)), (vec![4], vec![7]));
}
