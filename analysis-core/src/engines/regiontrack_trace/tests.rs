//! Specific to RT-Trace: it stops at the cycle. `tests/` checks that its answers are correct.

use super::*;
use crate::engine::Engine;
use crate::event::{Event, Op, VarId};

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const X: VarId = VarId(0);
const BEGIN: Op = Op::Begin(LabelId::NONE);

fn lost_update() -> [Event; 5] {
    [(A, BEGIN), (A, Op::Read(X)), (B, Op::Write(X)), (A, Op::Write(X)), (A, Op::End)]
        .map(|(thread, op)| Event::new(thread, op))
}

#[test]
fn the_cycle_is_reported_with_its_edges_and_blames_nobody() {
    let mut engine = Shell::<RegionTrackTrace>::default();
    engine.feed(&lost_update()[..3]);
    assert_eq!(engine.findings(), &Findings::default());
    engine.feed(&lost_update()[3..]);
    let cycle = engine.findings().cycle.as_ref().expect("a cycle");
    let ends: Vec<(u64, u64)> = cycle.edges.iter().map(|e| (e.from.position(), e.to.position())).collect();
    assert_eq!((cycle.event, ends), (Stamp::new(A, 4), vec![(2, 3), (3, 4)]));
    assert!(engine.findings().violations.is_empty());
}

#[test]
fn events_after_the_cycle_are_ignored() {
    let mut engine = Shell::<RegionTrackTrace>::default();
    engine.feed(&lost_update());
    let (seen, found) = (engine.events(), engine.findings().clone());
    assert_eq!(seen, 4);
    for _ in 0..1000 {
        engine.feed(&lost_update());
    }
    assert_eq!((engine.events(), engine.findings()), (seen, &found));
}
