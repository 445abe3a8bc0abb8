//! What the engine keeps.

use super::*;
use crate::engine::Engine;
use crate::workload::Mixed;

#[test]
fn clocks_are_fewer_than_variables_however_many_were_made() {
    let (mut workload, mut engine, mut events) = (Mixed::new(5, 16), Shell::<RegionTrack>::default(), Vec::new());
    let mut most = 0;
    for _ in 0..20 {
        events.clear();
        workload.fill(&mut events, 50_000);
        engine.feed(&events);
        most = most.max(engine.rules().clocks.len());
    }
    let touched = engine.tags();
    assert!(touched > 200_000 && most < touched / 16, "{most} clocks, {touched} places that may have one");
}
