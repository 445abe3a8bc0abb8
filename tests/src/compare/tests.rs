//! Engines that lie must be caught: each is the reference with one error, checked against a claim.

use analysis_core::engine::{Cycle, Edge, Engine};
use analysis_core::event::{LabelId, Op, Stamp, ThreadId};

use super::*;
use crate::generate;

const EXACT: Claim = Claim::EXACT;
const LATE: Claim = Claim { verdict: VerdictClaim::OnceBlocksClose, ..EXACT };
const SILENT: Claim = Claim { blame: BlameClaim::Silent, ..EXACT };
const SUBSET: Claim = Claim { blame: BlameClaim::Subset, ..EXACT };
const SUPERSET: Claim = Claim { blame: BlameClaim::Superset, ..EXACT };

/// The reference, with `distort` applied to its findings. `distort` gets the trace so far.
struct Liar {
    truth: Box<dyn Engine>,
    seen: Vec<Event>,
    distort: fn(&[Event], &mut Findings),
    said: Findings,
}

impl Engine for Liar {
    fn step(&mut self, event: Event) {
        self.truth.step(event);
        self.seen.push(event);
        self.said = self.truth.findings().clone();
        (self.distort)(&self.seen, &mut self.said);
    }

    fn findings(&self) -> &Findings {
        &self.said
    }
}

/// Makes the registry entry of a liar: `build` is a plain function, so each lie needs its own type.
macro_rules! liar {
    ($claim:expr, $distort:expr) => {{
        fn build() -> Box<dyn Engine> {
            let distort: fn(&[Event], &mut Findings) = $distort;
            Box::new(Liar { truth: (reference().build)(), seen: Vec::new(), distort, said: Findings::default() })
        }
        EngineSpec { name: "liar", claim: $claim, build, ..*reference() }
    }};
}

/// Whether every random trace passes. If one fails, it must have differences.
fn passes(spec: &EngineSpec) -> bool {
    generate::FAMILIES.iter().all(|family| {
        (0..100).all(|seed| {
            let trace = family.trace(seed);
            check(spec, &trace, &Answer::of_reference(&trace)).is_ok()
        })
    })
}

#[test]
fn the_reference_keeps_every_claim_about_the_verdict_and_most_about_blame() {
    for claim in [EXACT, LATE, SUBSET, SUPERSET] {
        assert!(passes(&EngineSpec { claim, ..*reference() }), "{claim}");
    }
    assert!(!passes(&EngineSpec { claim: SILENT, ..*reference() }));
}

#[test]
fn a_missed_verdict_is_caught() {
    assert!(!passes(&liar!(EXACT, |_, said| said.cycle = None)));
    assert!(!passes(&liar!(LATE, |_, said| said.cycle = None)));
}

#[test]
fn a_late_verdict_is_caught_only_where_it_is_not_claimed() {
    fn only_when_quiet(seen: &[Event], said: &mut Findings) {
        if !world::after(seen).is_quiet() {
            said.cycle = None;
        }
    }
    assert!(!passes(&liar!(EXACT, only_when_quiet)));
    assert!(passes(&liar!(LATE, only_when_quiet)));
}

#[test]
fn a_false_alarm_is_caught() {
    fn alarm(seen: &[Event], said: &mut Findings) {
        let event = Stamp::new(seen[0].thread, 1);
        said.cycle.get_or_insert(analysis_core::engine::Cycle { event, edges: Vec::new() });
    }
    assert!(!passes(&liar!(EXACT, alarm)));
    assert!(!passes(&liar!(LATE, alarm)));
}

#[test]
fn a_missed_block_is_caught_where_all_are_claimed() {
    fn forget_last(_: &[Event], said: &mut Findings) {
        said.violations.pop();
    }
    assert!(!passes(&liar!(EXACT, forget_last)));
    assert!(!passes(&liar!(SUPERSET, forget_last)));
    assert!(passes(&liar!(SUBSET, forget_last)));
}

#[test]
fn a_missed_inner_block_is_caught_where_inner_blocks_are_claimed() {
    fn forget_inner(_: &[Event], said: &mut Findings) {
        said.violations.retain(|violation| violation.depth == 0);
    }
    assert!(!passes(&liar!(EXACT, forget_inner)));
    assert!(passes(&liar!(SUPERSET, forget_inner)));
}

#[test]
fn a_block_that_is_not_violated_is_caught_where_only_violated_ones_are_claimed() {
    fn blame_who_closes_the_cycle(seen: &[Event], said: &mut Findings) {
        let Some(Cycle { event, edges }) = said.cycle.clone() else { return };
        let thread = event.thread();
        let begin = outermost_begin(&seen[..event.position() as usize - 1], thread).expect("a transaction that runs");
        if said.violations.iter().all(|v| (v.thread, v.begin) != (thread, begin)) {
            let Op::Begin(label) = seen[begin as usize - 1].op else { unreachable!("it is a begin") };
            let other = edges[edges.len() - 1].from;
            // At the front, since no violation is older than the cycle.
            let event = event.position();
            said.violations.insert(0, Violation { thread, label, begin, event, depth: 0, other, edges });
        }
    }
    assert!(!passes(&liar!(EXACT, blame_who_closes_the_cycle)));
    assert!(!passes(&liar!(SUBSET, blame_who_closes_the_cycle)));
    assert!(passes(&liar!(SUPERSET, blame_who_closes_the_cycle)));
}

/// Returns the begin of the block that is the running transaction of `thread` after `seen`.
fn outermost_begin(seen: &[Event], thread: ThreadId) -> Option<u64> {
    let mut open = Vec::new();
    for (event, position) in seen.iter().zip(1..).filter(|(event, _)| event.thread == thread) {
        match event.op {
            Op::Begin(_) => open.push(position),
            Op::End => _ = open.pop(),
            _ => {}
        }
    }
    open.first().copied()
}

#[test]
fn wrong_positions_depths_and_orders_are_caught() {
    assert!(!passes(&liar!(EXACT, |_, said| said.violations.reverse())));
    assert!(!passes(&liar!(SUBSET, |_, said| said.violations.iter_mut().for_each(|v| v.depth += 1))));
    assert!(!passes(&liar!(SUBSET, |_, said| said.violations.iter_mut().for_each(|v| v.event -= 1))));
    assert!(!passes(&liar!(SUBSET, |_, said| said.violations.iter_mut().for_each(|v| v.begin += 1))));
}

#[test]
fn a_witness_that_breaks_its_contract_is_caught() {
    assert!(passes(&liar!(EXACT, |_, said| said.violations.iter_mut().for_each(|v| v.edges.clear()))));
    assert!(passes(&liar!(EXACT, |_, said| said.cycle.iter_mut().for_each(|cycle| cycle.edges.clear()))));
    assert!(!passes(&liar!(EXACT, |_, said| said.violations.iter_mut().for_each(|v| v.label = LabelId::NONE))));
    assert!(!passes(&liar!(EXACT, |_, said| each_violation(said, |v| v.other = Stamp::new(v.thread, v.event)))));
    assert!(!passes(&liar!(EXACT, |_, said| each_violation(said, |v| _ = v.edges.pop()))));
    assert!(!passes(&liar!(EXACT, |_, said| each_violation(said, |v| _ = v.edges.remove(0)))));
    assert!(!passes(&liar!(EXACT, |_, said| each_violation(said, |v| v.edges.reverse()))));
    assert!(!passes(&liar!(EXACT, |_, said| each_violation(said, |v| turn(&mut v.edges[0])))));
    assert!(!passes(&liar!(EXACT, |_, said| each_cycle(said, |edges| _ = edges.pop()))));
    assert!(!passes(&liar!(EXACT, |_, said| each_cycle(said, |edges| _ = edges.remove(0)))));
    assert!(!passes(&liar!(EXACT, |_, said| each_cycle(said, |edges| turn(&mut edges[0])))));
}

#[test]
fn an_engine_that_blames_too_many_owes_a_path_or_a_cycle_all_the_same() {
    assert!(passes(&liar!(SUPERSET, |_, said| each_violation(said, close_a_cycle))));
    assert!(!passes(&liar!(SUPERSET, |_, said| each_violation(said, |v| v.other = Stamp::new(v.thread, v.event)))));
    assert!(!passes(&liar!(SUPERSET, |_, said| each_violation(said, |v| v.edges.reverse()))));
    assert!(!passes(&liar!(SUPERSET, |_, said| each_violation(said, |v| {
        close_a_cycle(v);
        v.edges.remove(0);
    }))));
    assert!(!passes(&liar!(SUPERSET, |_, said| each_violation(said, |v| {
        close_a_cycle(v);
        v.other = v.edges[0].from;
    }))));
}

fn close_a_cycle(violation: &mut Violation) {
    violation.other = violation.edges[violation.edges.len() - 1].from;
}

fn each_violation(said: &mut Findings, lie: fn(&mut Violation)) {
    said.violations.iter_mut().filter(|violation| violation.edges.len() > 1).for_each(lie);
}

fn each_cycle(said: &mut Findings, lie: fn(&mut Vec<Edge>)) {
    said.cycle.iter_mut().map(|cycle| &mut cycle.edges).filter(|edges| edges.len() > 1).for_each(lie);
}

fn turn(edge: &mut Edge) {
    std::mem::swap(&mut edge.from, &mut edge.to);
}

#[test]
fn a_difference_tells_the_blocks_on_both_sides_and_the_smallest_trace() {
    let spec = liar!(EXACT, |_, said| said.violations.clear());
    let trace = text::read("T1|w(z) T0|begin T0|r(x) T1|w(x) T0|w(y) T0|w(x) T0|end").expect("readable").events;
    assert_eq!(
        check_or_explain(&spec, &trace).expect_err("it lies"),
        "`liar` is wrong after event 4:\n  missed: the block that T0 began at 1 (depth 0), violated at 4\n\
         smallest trace that shows it:\nT0|begin|1\nT0|r(V0)|2\nT1|w(V0)|3\nT0|w(V0)|4\n"
    );
}

#[test]
fn closing_a_block_of_a_thread_forked_anew_may_close_a_cycle() {
    // Not well-formed. T0's end follows the fork, and the fork follows the write.
    let trace = text::read("T0|begin T0|w(x) T1|r(x) T1|fork(T0)").expect("readable").events;
    let right = Answer::of_reference(&trace);
    assert_eq!((right.first_event, Answer::of_reference(&with_blocks_closed(&trace)).first_event), (None, Some(5)));
    for spec in engines::ENGINES {
        assert_eq!(check(spec, &trace, &right), Ok(()));
    }
    assert_eq!(check(&EngineSpec { claim: LATE, ..*reference() }, &trace, &right), Ok(()));
}
