//! Every engine against the reference on **all** traces of two threads with up to six events over two variables and
//! one lock ([`enumerate`]), at every prefix.
//!
//! Only traces of full length are run, since engines are asked after every event. `REGIONTRACK_EXHAUSTIVE=N` sets
//! another length than six. `cargo xtask test --full` uses seven events, which are 20 557 840 traces and take three minutes.

use analysis_core::engine::EngineSpec;
use analysis_core::event::Event;
use regiontrack_tests::compare::{self, Answer};
use regiontrack_tests::enumerate;

const DEFAULT_LENGTH: usize = 6;

fn length() -> usize {
    let Ok(asked) = std::env::var("REGIONTRACK_EXHAUSTIVE") else { return DEFAULT_LENGTH };
    asked.parse().unwrap_or_else(|_| panic!("REGIONTRACK_EXHAUSTIVE is {asked}; give it a number of events"))
}

/// Returns the number of traces if `check` holds for all of them.
fn for_all_traces(length: usize, check: impl Fn(&[Event]) -> Result<(), String> + Sync) -> u64 {
    enumerate::for_all_traces(length, check).unwrap_or_else(|failure| panic!("{failure}"))
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
    // T0 begins with r(x), w(x), acq, begin, fork or join: the names leave no other choice.
    assert_eq!(for_all_traces(1, |_| Ok(())), 6);
    // After either kind of access to x: T0 has four accesses, acq, begin, fork, join; T1 the same except fork.
    let after_access = 2 * (8 + 7);
    // After acq: T0 has two accesses, acq, rel, begin, fork, join; T1 two accesses, begin, join.
    let after_acquire = 7 + 4;
    // After begin: T0 has two accesses, acq, begin, end, fork, join; T1 two accesses, acq, begin, join.
    let after_begin = 7 + 5;
    // After the fork both have two accesses, acq, begin, join. After the join of T1 only T0 is left, with the same events.
    let (after_fork, after_join) = (5 + 5, 5);
    assert_eq!(for_all_traces(2, |_| Ok(())), after_access + after_acquire + after_begin + after_fork + after_join);
}
