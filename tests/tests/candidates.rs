//! Candidates for violations, checked against the enumeration of all schedules: no forced order excludes one, and none is missed.
//!
//! The checks cover what one other thread does between two accesses that it conflicts with. They do not cover what goes through
//! third threads, nor what only looks (`Rank::Looks`), which no schedule of the same events makes a violation.
//!
//! `REGIONTRACK_PREDICT=N` runs N random sets of units of each kind, `REGIONTRACK_EXHAUSTIVE=N` all traces up to N events.

use analysis_core::event::{Event, LabelId, ThreadId, VarId};
use analysis_core::provoke::finder::{Act, Action, Finder, Found, Step};
use rayon::prelude::*;
use regiontrack_tests::candidates::{Execution, check, check_predicted};
use regiontrack_tests::guided::labelled;
use regiontrack_tests::predict::small::KINDS;
use regiontrack_tests::{asked, enumerate, text};

const DEFAULT_SETS: u64 = 600;
const DEFAULT_LENGTH: u64 = 6;

#[test]
fn no_candidate_is_forced_not_to_happen_and_none_is_missed_on_random_sets() {
    for kind in KINDS {
        let one = |seed: u64| {
            let trace = labelled(&kind.trace(seed));
            let hand = seed.is_multiple_of(3).then_some(VarId(0));
            check(&trace, hand, seed.is_multiple_of(2))
                .map_err(|what| format!("kind `{}`, seed {seed}: {what}", kind.name))
        };
        let seeds = (0..asked("REGIONTRACK_PREDICT", DEFAULT_SETS)).into_par_iter();
        let all: Result<Vec<bool>, String> = seeds.map(one).collect();
        let finished = all.unwrap_or_else(|what| panic!("{what}"));
        let share = finished.iter().filter(|is| **is).count();
        assert!(2 * share > finished.len(), "{}: {share} of {} were enumerated", kind.name, finished.len());
    }
}

#[test]
fn no_candidate_is_forced_not_to_happen_and_none_is_missed_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            let trace = labelled(trace);
            check(&trace, None, true)?;
            check(&trace, Some(VarId(1)), false).map(|_| ())
        });
        let traces = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        println!("{traces} traces of {length} events");
    }
}

#[test]
fn what_is_predicted_can_happen_on_random_sets() {
    let mut decided = 0;
    for kind in KINDS {
        let one = |seed: u64| {
            let trace = labelled(&kind.trace(seed));
            let hand = seed.is_multiple_of(3).then_some(VarId(0));
            check_predicted(&trace, hand).map_err(|what| format!("kind `{}`, seed {seed}: {what}", kind.name))
        };
        let seeds = (0..asked("REGIONTRACK_PREDICT", DEFAULT_SETS)).into_par_iter();
        let all: Result<Vec<usize>, String> = seeds.map(one).collect();
        decided += all.unwrap_or_else(|what| panic!("{what}")).into_iter().sum::<usize>();
    }
    assert!(decided > 500, "{decided} predictions were decided");
}

#[test]
fn what_is_predicted_can_happen_on_every_small_trace() {
    for length in 1..=asked("REGIONTRACK_EXHAUSTIVE", DEFAULT_LENGTH) {
        let outcome = enumerate::for_all_traces(length as usize, |trace| {
            let trace = labelled(trace);
            check_predicted(&trace, None)?;
            check_predicted(&trace, Some(VarId(1))).map(|_| ())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    }
}

fn events(trace: &str) -> Vec<Event> {
    labelled(&text::read(trace).expect("a readable trace").events)
}

/// Returns each candidate as event numbers from 1: the first place, where the thread is held, the last place, what comes between,
/// and where that enters.
#[track_caller]
fn found(trace: &str) -> Vec<[u32; 5]> {
    let trace = events(trace);
    let none = |_| false;
    let execution = Execution::new(&trace, &none, false);
    let number = |found: &Found| {
        let sites = [found.first.0, found.hold.0, found.last.0, found.other.0];
        let [first, hold, last, other] = sites.map(|site| site + 1);
        [first, hold, last, other, found.enter.map_or(0, |site| site + 1)]
    };
    execution.found().iter().map(number).collect()
}

#[test]
fn a_check_and_an_act_are_one_and_the_thread_is_held_between() {
    let update = |t: u32| format!("T{t}|begin T{t}|r(x) T{t}|w(x) T{t}|end ");
    assert_eq!(found(&(update(0) + &update(1))), [[2, 2, 3, 7, 0], [6, 6, 7, 3, 0]]);
}

#[test]
fn between_two_sections_the_thread_is_held_after_the_first_and_the_other_has_to_enter() {
    let section = |t: u32, access: &str| format!("T{t}|acq(l) T{t}|{access} T{t}|rel(l) ");
    let trace = format!("T0|begin {}{}T0|end {}", section(0, "r(x)"), section(0, "w(x)"), section(1, "w(x)"));
    // The critical sections are a candidate of their own.
    assert_eq!(found(&trace), [[3, 4, 6, 10, 9], [4, 4, 5, 9, 0]]);
}

#[test]
fn what_is_locked_throughout_is_none() {
    assert!(found("T0|begin T0|acq(l) T0|r(x) T0|w(x) T0|rel(l) T0|end T1|acq(l) T1|w(x) T1|rel(l)").is_empty());
    // The other thread holds no lock.
    let one_locks = "T0|begin T0|acq(l) T0|r(x) T0|w(x) T0|rel(l) T0|end T1|w(x)";
    assert_eq!(found(one_locks), [[3, 3, 4, 7, 0]]);
}

#[test]
fn what_only_looks_is_one_if_the_variable_is_written_while_others_look() {
    let looks = "T0|begin T0|r(x) T0|r(x) T0|end T1|begin T1|r(x) T1|end";
    assert!(found(looks).is_empty());
    assert_eq!(found(&format!("{looks} T2|w(x)")), [[2, 2, 3, 8, 0]]);
    // In time it would also have written.
    let late = "T0|begin T0|r(x) T0|w(x) T0|end T1|begin T1|r(x) T1|end";
    assert_eq!(found(late), [[2, 2, 3, 6, 0]]);
}

#[test]
fn what_a_start_or_a_join_orders_is_none() {
    assert!(found("T0|begin T0|r(x) T0|w(x) T0|end T0|fork(T1) T1|w(x)").is_empty());
    assert!(found("T0|fork(T1) T1|w(x) T0|join(T1) T0|begin T0|r(x) T0|w(x) T0|end").is_empty());
    assert_eq!(found("T0|begin T0|r(x) T0|fork(T1) T0|w(x) T0|end T1|w(x)"), [[2, 2, 4, 6, 0]]);
}

/// The lock that only one thread takes adds another point to hold it at, and its last place would be one more to steer to.
#[test]
fn what_is_steered_alike_is_one() {
    let looks = "T0|begin T0|acq(m) T0|r(x) T0|r(x) T0|rel(m) T0|acq(l) T0|w(x) T0|rel(l) T0|end";
    let trace = format!("{looks} T1|begin T1|acq(l) T1|r(x) T1|rel(l) T1|end");
    assert_eq!(found(&trace), [[3, 3, 4, 12, 0], [4, 4, 7, 12, 11]]);
}

#[test]
fn nothing_comes_between_the_accesses_of_a_step_and_what_is_far_apart_is_forgotten() {
    let one = |apart: u64, together: bool| {
        let mut finder = Finder::new(8);
        let label = LabelId(0);
        let access = |is_write| Act::Access { variable: 1, declaration: 1, object: None, is_write };
        let mut step = |thread: u32, act, site| {
            finder.step(&Step { thread: ThreadId(thread), act, site: Some(site) });
        };
        step(0, Act::Begin(label), 0);
        step(0, access(false), 1);
        if together {
            step(0, Act::Together, 0);
        }
        step(0, access(true), 2);
        step(0, Act::End, 0);
        (0..apart).for_each(|_| step(2, Act::Access { variable: 2, declaration: 2, object: None, is_write: false }, 9));
        step(1, access(true), 3);
        finder.finish().0
    };
    let expected = Found {
        block: LabelId(0),
        declaration: 1,
        also: None,
        first: (1, Action::Read),
        hold: (1, Action::Read),
        last: (2, Action::Write),
        other: (3, Action::Write),
        enter: None,
    };
    assert_eq!(one(0, false), [expected]);
    assert!(one(0, true).is_empty());
    assert_eq!((one(7, false).len(), one(20, false).len()), (1, 0));
}

/// Two instances of an inner block pass the same place; the second one also passes another place.
#[test]
fn the_innermost_block_that_has_both_places_is_named() {
    let mut finder = Finder::new(100);
    let access = |is_write| Act::Access { variable: 1, declaration: 1, object: None, is_write };
    let mut step = |thread: u32, act, site| finder.step(&Step { thread: ThreadId(thread), act, site: Some(site) });
    let (outer, inner) = (LabelId(0), LabelId(1));
    step(0, Act::Begin(outer), 0);
    step(0, Act::Begin(inner), 0);
    step(0, access(false), 1);
    step(0, Act::End, 0);
    step(0, Act::Begin(inner), 0);
    step(0, access(false), 1);
    step(0, access(true), 2);
    step(0, Act::End, 0);
    step(0, Act::End, 0);
    step(1, access(true), 3);
    let (found, _) = finder.finish();
    let places: Vec<(LabelId, u32, u32)> =
        found.iter().map(|found| (found.block, found.first.0, found.last.0)).collect();
    assert_eq!(places, [(outer, 1, 1), (inner, 1, 2)]);
}
