//! Shortest witnesses and smallest sub-traces of random traces, against brute force and the reference.

use analysis_core::engine::{Claim, Edge, Findings, Violation};
use analysis_core::event::{Event, LabelId, Op};
use analysis_core::minimize::{Cone, Goal, Piece, smallest};
use analysis_core::report::Kind;
use analysis_core::witness::Search;
use regiontrack_tests::compare::reference;
use regiontrack_tests::contract::Contract;
use regiontrack_tests::happens_before::conflict;
use regiontrack_tests::{generate, text, world};

const TRACES_PER_FAMILY: u64 = 1000;
const SMALL_TRACES_PER_FAMILY: u64 = 200;

/// Fewest transactions, then fewest cross-thread edges.
type Cost = (usize, usize);

/// Returns for each event the position of the first event of its transaction.
fn transactions(trace: &[Event]) -> Vec<usize> {
    let mut open: Vec<(usize, usize)> = vec![(0, 0); 1 + trace.iter().map(|e| e.thread.index()).max().unwrap_or(0)];
    let of = |(index, event): (usize, &Event)| {
        let (depth, begin) = &mut open[event.thread.index()];
        let transaction = if *depth == 0 { index } else { *begin };
        match event.op {
            Op::Begin(_) => (*depth, *begin) = (*depth + 1, transaction),
            Op::End => *depth = depth.saturating_sub(1),
            _ => {}
        }
        transaction
    };
    trace.iter().enumerate().map(of).collect()
}

/// Relaxes every pair of events until nothing gets cheaper. Steps go from an earlier event to a later one that conflicts
/// with it, or, with `may_go_back`, to any event of the same transaction.
fn cheapest(trace: &[Event], start: usize, may_go_back: bool, end: usize) -> Option<Cost> {
    let of = transactions(trace);
    let mut costs: Vec<Option<Cost>> = vec![None; trace.len()];
    costs[start] = Some((1, 0));
    let (home, mut back) = (of[start], None::<Cost>);
    loop {
        let mut has_changed = false;
        for from in 0..=end {
            for to in 0..=end {
                let Some((transactions, edges)) = costs[from] else { continue };
                let is_same = of[from] == of[to];
                if !(from < to && conflict(trace[from], trace[to]) || may_go_back && is_same) {
                    continue;
                }
                let edges = edges + usize::from(trace[from].thread != trace[to].thread);
                let cost = (transactions + usize::from(!is_same), edges);
                // A walk that comes back to its first transaction ends there.
                let comes_back = !is_same && of[to] == home && (may_go_back || to == end);
                let slot = if comes_back { &mut back } else { &mut costs[to] };
                if slot.is_none_or(|known| cost < known) {
                    *slot = Some(cost);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return back;
        }
    }
}

/// Returns the cost of a walk that comes back to the transaction in which it starts.
fn cost_of(trace: &[Event], edges: &[Edge]) -> Cost {
    let of = transactions(trace);
    let at = |stamp: analysis_core::event::Stamp| of[usize::try_from(stamp.position() - 1).expect("small")];
    let changes: usize = edges.windows(2).map(|pair| 1 + usize::from(at(pair[0].to) != at(pair[1].from))).sum();
    (changes + 2, edges.len())
}

fn shortest(mut search: Search, trace: &[Event]) -> Vec<Edge> {
    (1..).zip(trace).for_each(|(number, event)| search.step(number, *event));
    search.edges().expect("a finding has a witness")
}

fn index(position: u64) -> usize {
    usize::try_from(position - 1).expect("small")
}

fn findings(trace: &[Event]) -> Findings {
    let mut engine = (analysis_core::engines::default().build)();
    engine.feed(trace);
    engine.findings().clone()
}

#[test]
fn a_witness_is_as_short_as_brute_force_finds_it() {
    let (mut blocks, mut cycles) = (0, 0);
    for family in generate::FAMILIES {
        for seed in 0..TRACES_PER_FAMILY {
            let trace = family.trace(seed);
            let mut found = findings(&trace);
            let shown = || format!("{} {seed}\n{}", family.name, text::to_std(&trace));
            for violation in &mut found.violations {
                violation.edges = shortest(Search::of_block(violation), &trace);
                let best = cheapest(&trace, index(violation.begin), false, index(violation.event));
                assert_eq!(Some(cost_of(&trace, &violation.edges)), best, "{violation:?} {}", shown());
                blocks += 1;
            }
            if let Some(cycle) = &mut found.cycle {
                cycle.edges = shortest(Search::of_cycle(cycle), &trace);
                let end = index(cycle.event.position());
                let best = cheapest(&trace, end, true, end);
                assert_eq!(Some(cost_of(&trace, &cycle.edges)), best, "{cycle:?} {}", shown());
                cycles += 1;
            }
            let mut faults = Vec::new();
            Contract::new(Claim::EXACT, &trace).check_news(&found, &mut faults);
            assert!(faults.is_empty(), "{faults:?} {}", shown());
        }
    }
    assert!(blocks > 500 && cycles > 500, "{blocks} {cycles}");
}

/// Returns the violated labels of a trace by the reference, and whether it is serializable.
fn judged(trace: &[Event]) -> (Vec<LabelId>, bool) {
    let mut oracle = (reference().build)();
    oracle.feed(trace);
    let found = oracle.findings();
    (found.violations.iter().map(|violation| violation.label).collect(), !found.is_non_serializable())
}

/// Returns the innermost violated block of each event, and what happened to it.
fn innermost(trace: &[Event]) -> Vec<(Violation, Kind)> {
    let op = |position: u64| trace[index(position)].op;
    let mut blocks: Vec<(Violation, Kind)> = Vec::new();
    for violation in findings(trace).violations {
        let (out, back) = (violation.edges[0], violation.edges[violation.edges.len() - 1]);
        let kind = Kind::of(op(out.from.position()), op(back.to.position()));
        blocks.retain(|(before, _)| (before.thread, before.event) != (violation.thread, violation.event));
        blocks.push((violation, kind));
    }
    blocks
}

/// Returns the goal of the first finding of a trace, and the events that its witness names.
fn first_goal(trace: &[Event]) -> Option<(Goal, Cone)> {
    let numbers = |edges: &[Edge]| edges.iter().flat_map(|e| [e.from.position(), e.to.position()]).collect::<Vec<_>>();
    let Some((first, kind)) = innermost(trace).into_iter().next() else {
        let cycle = findings(trace).cycle?;
        let events = numbers(&shortest(Search::of_cycle(&cycle), trace));
        return Some((Goal::Cycle, Cone::of(events.into_iter().collect(), true)));
    };
    let mut events = numbers(&first.edges);
    events.push(first.begin);
    Some((Goal::Violation(first.label, kind), Cone::of(events.into_iter().collect(), false)))
}

/// Returns what [`Goal::holds`] should return.
fn has(goal: Goal, trace: &[Event]) -> bool {
    match goal {
        Goal::Violation(label, kind) => {
            innermost(trace).iter().find(|(violation, _)| violation.label == label).is_some_and(|found| found.1 == kind)
        }
        Goal::Cycle => {
            let found = findings(trace);
            found.cycle.is_some() && found.violations.is_empty()
        }
    }
}

fn minimized(trace: &[Event], mut cone: Cone, goal: &Goal) -> Option<Vec<Piece>> {
    (1..).zip(trace).for_each(|(number, event)| cone.step(number, *event));
    smallest(cone.units(), goal)
}

/// Returns for each event the places of the events that must stay together: itself and the other half of its pair.
fn units(trace: &[Event]) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    for (index, event) in trace.iter().enumerate() {
        let is_first = |op: Op| match (op, event.op) {
            (Op::Begin(_), Op::End) => true,
            (Op::Acquire(taken), Op::Release(given)) => taken == given,
            _ => false,
        };
        let mate = units
            .iter_mut()
            .rev()
            .find(|unit| unit.len() == 1 && trace[unit[0]].thread == event.thread && is_first(trace[unit[0]].op));
        match mate {
            Some(unit) => unit.push(index),
            None => units.push(vec![index]),
        }
    }
    units
}

fn without(trace: &[Event], left_out: &[usize]) -> Vec<Event> {
    let kept = trace.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
    kept.map(|(_, event)| *event).collect()
}

#[test]
fn the_smallest_sub_trace_shows_the_same_and_nothing_can_be_left_out() {
    let (mut from_witness, mut from_all, mut cycles) = (0, 0, 0);
    for family in generate::CONFORMANCE {
        for seed in 0..SMALL_TRACES_PER_FAMILY {
            let trace = family.trace(seed);
            let Some((goal, cone)) = first_goal(&trace) else { continue };
            let kept = minimized(&trace, cone, &goal);
            *(if kept.is_some() { &mut from_witness } else { &mut from_all }) += 1;
            let whole = || minimized(&trace, Cone::up_to(trace.len() as u64), &goal);
            let kept = kept.or_else(whole).expect("the trace itself has the finding");
            let small: Vec<Event> = kept.iter().map(|piece| trace[index(piece.number)]).collect();
            let shown = || format!("{} {seed} {goal:?}\n{}", family.name, text::to_std(&small));
            assert!(world::is_well_formed(&small) && kept.is_sorted_by_key(|piece| piece.number), "{}", shown());
            let (labels, is_serializable) = judged(&small);
            match goal {
                Goal::Violation(label, _) => assert!(labels.contains(&label), "{}", shown()),
                Goal::Cycle => {
                    cycles += 1;
                    assert!(labels.is_empty() && !is_serializable, "{}", shown());
                }
            }
            assert!(has(goal, &small), "{}", shown());
            for unit in units(&small) {
                assert!(!has(goal, &without(&small, &unit)), "without {unit:?} {}", shown());
            }
        }
    }
    assert!(from_witness > 50 && from_all * 5 < from_witness && cycles > 5, "{from_witness} {from_all} {cycles}");
}

#[test]
fn a_sub_trace_of_all_that_came_before_is_small_and_well_formed_too() {
    for family in generate::CONFORMANCE {
        for seed in 0..SMALL_TRACES_PER_FAMILY / 4 {
            let trace = family.trace(seed);
            let Some((goal, _)) = first_goal(&trace) else { continue };
            let kept = minimized(&trace, Cone::up_to(trace.len() as u64), &goal).expect("it has the finding");
            let small: Vec<Event> = kept.iter().map(|piece| piece.event).collect();
            assert!(world::is_well_formed(&small) && has(goal, &small), "{}", text::to_std(&small));
            for unit in units(&small) {
                assert!(!has(goal, &without(&small, &unit)), "without {unit:?} {}", text::to_std(&small));
            }
            assert!(small.len() < 40, "{} {seed}: {}", family.name, text::to_std(&small));
        }
    }
}
